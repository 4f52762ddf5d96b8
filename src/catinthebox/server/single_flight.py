"""Caches that compute a value once for all callers that want it at the same time.

`SingleFlight` shares a running computation, `LruCache` keeps values that do not change, and
`FreshValue` keeps one that may be a moment old.

>>> cache = LruCache[str, bytes](most=10, cost=len)
>>> cache.put("a", b"12345"), cache.put("b", b"12345"), cache.get("a"), cache.put("c", b"1")
(None, None, b'12345', None)
>>> cache.get("b"), cache.get("a"), cache.get("c")  # "b" was used least recently
(None, b'12345', b'1')
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Hashable
from functools import partial
from typing import Any, Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class SingleFlight(Generic[K, V]):
    """One task for each key: all callers while it runs get its result, or its error."""

    def __init__(self) -> None:
        self._running: dict[K, asyncio.Task[V]] = {}

    def __contains__(self, key: K) -> bool:
        """Whether the task of a key is running."""
        return key in self._running and not self._running[key].done()

    async def result(self, key: K, find: Callable[[], Coroutine[Any, Any, V]]) -> V:
        """Wait for the task of a key; if none is running, start one that runs `find`.

        The task goes on if the caller is cancelled: others may wait for it, too. A task that has
        ended, and is still in the dictionary, is not waited for: that would not even yield to the
        event loop, and a caller that tries again until it likes the result would block it for ever.
        """
        task = self._running.get(key)
        if task is None or task.done():
            task = self._running[key] = asyncio.create_task(find())
            task.add_done_callback(partial(self._ended, key))
        return await asyncio.shield(task)

    def _ended(self, key: K, task: asyncio.Task[V]) -> None:
        if self._running[key] is task:
            del self._running[key]
        if not task.cancelled():
            task.exception()  # marked as retrieved: every caller may have been canceled


def _one(_: object) -> int:
    return 1


class LruCache(Generic[K, V]):
    """Keeps the values that were used last, up to a total cost; by default, each costs 1."""

    def __init__(self, most: int, cost: Callable[[V], int] = _one) -> None:
        self.size = 0
        self._most = most
        self._cost = cost
        self._kept: OrderedDict[K, V] = OrderedDict()

    def get(self, key: K) -> V | None:
        """Return the value of a key; None if it is not kept."""
        if key in self._kept:
            self._kept.move_to_end(key)
        return self._kept.get(key)

    def put(self, key: K, value: V) -> None:
        """Keep a value, and drop others to make room; a value that is too large is not kept."""
        if key in self._kept:
            self.size -= self._cost(self._kept.pop(key))
        self._kept[key] = value
        self.size += self._cost(value)
        while self.size > self._most:
            self.size -= self._cost(self._kept.popitem(last=False)[1])


class FreshValue(Generic[V]):
    """A value that is computed again when it is older than `fresh_s` seconds."""

    def __init__(
        self,
        find: Callable[[], Coroutine[Any, Any, V]],
        clock: Callable[[], float],
        fresh_s: float,
    ) -> None:
        self.fresh_s = fresh_s
        self._find = find
        self._clock = clock
        self._kept: tuple[float, V] | None = None  # until when, and what
        self._finding = SingleFlight[None, V]()

    async def get(self) -> V:
        """Return the value; an error is raised for all callers that wait, and is not kept."""
        if self._kept is not None and self._clock() < self._kept[0]:
            return self._kept[1]
        return await self._finding.result(None, self._renew)

    async def _renew(self) -> V:
        value = await self._find()
        self._kept = self._clock() + self.fresh_s, value
        return value
