"""Replays of finished games: rendered once, kept, and never at the expense of those who play.

Rendering a replay is tens of milliseconds of pure Python, far more than a move. So finished replays
are kept in a cache; many who ask for the same one at once wait for one rendering; one is rendered
at a time, and the renderer then rests as long as it worked; and only a few wait for it.

>>> cache = ByteCache(most=10)
>>> cache.put("a", b"12345"), cache.put("b", b"12345"), cache.get("a"), cache.put("c", b"1")
(None, None, b'12345', None)
>>> cache.get("b"), cache.get("a"), cache.get("c")  # "b" was not asked for in the longest time
(None, b'12345', b'1')
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from functools import partial
from hashlib import sha256
from typing import Final, TypeAlias

from ..errors import Limited, Overloaded
from ..ops.limits import HeldCount, Limits

ReplayKey: TypeAlias = str
"""What a replay is kept under: one key never stands for two different replays."""
REST_S: Final = 5.0  # at most: a store that hangs is no work


def game_key(table: str, number: int, *, keyed: bool = True) -> ReplayKey:
    """Return the key of a table's game that is over; it does not change any more.

    What was asked for with a key of a link (`keyed`) is not found by the table's id alone.
    """
    return f"{'game' if keyed else 'bare'} {table} {number}"


def record_key(record: str) -> ReplayKey:
    """Return the key of a record that somebody brought along: the hash of its text."""
    return f"record {sha256(record.encode()).hexdigest()}"


class ByteCache:
    """Keeps the values that were asked for last, up to a number of bytes."""

    def __init__(self, most: int) -> None:
        self.size = 0
        self._most = most
        self._kept: OrderedDict[ReplayKey, bytes] = OrderedDict()

    def get(self, key: ReplayKey) -> bytes | None:
        """Return what is kept under a key."""
        if key in self._kept:
            self._kept.move_to_end(key)
        return self._kept.get(key)

    def put(self, key: ReplayKey, value: bytes) -> None:
        """Keep a value, and forget others to make room; one too large for it is not kept."""
        self.size += len(value) - len(self._kept.pop(key, b""))
        self._kept[key] = value
        while self.size > self._most:
            _, forgotten = self._kept.popitem(last=False)
            self.size -= len(forgotten)


class Replays:
    """Renders replays, few at a time, and keeps them packed (gzip)."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._cache = ByteCache(limits.replays_bytes)
        self._rendering: dict[ReplayKey, asyncio.Task[bytes]] = {}
        self._held = HeldCount[str](limits.replays_per_address, limits.replays_waiting)
        self._renderer = asyncio.Semaphore(1)

    async def get(
        self, key: ReplayKey, address: str, render: Callable[[], Awaitable[bytes]]
    ) -> bytes:
        """Return a packed replay: the one that is kept, or what `render` makes of it now.

        Errors of `render` are told to all who wait for it, and are not kept.
        """
        kept = self._cache.get(key)
        if kept is not None:
            return kept
        rendering = self._rendering.get(key) or self._begin(key, address, render)
        return await asyncio.shield(rendering)  # others may wait for it, too

    def _begin(
        self, key: ReplayKey, address: str, render: Callable[[], Awaitable[bytes]]
    ) -> asyncio.Task[bytes]:
        """Let a replay be rendered as soon as it is its turn, unless too many wait already."""
        wait = self._limits.retry_after_s
        if self._held.full:
            raise Overloaded("too many replays are being made just now", wait)
        if not self._held.enter(address):
            raise Limited("limit.replays", "other replays for this address are being made", wait)
        rendering = self._rendering[key] = asyncio.create_task(self._render(key, render))
        rendering.add_done_callback(partial(self._ended, key, address))
        return rendering

    def _ended(self, key: ReplayKey, address: str, _: asyncio.Task[bytes]) -> None:
        del self._rendering[key]
        self._held.leave(address)

    async def _render(self, key: ReplayKey, render: Callable[[], Awaitable[bytes]]) -> bytes:
        await self._renderer.acquire()
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            rendered = await render()
        finally:  # it rests as long as it worked: at least half of the time is left for games
            loop.call_later(min(loop.time() - began, REST_S), self._renderer.release)
        self._cache.put(key, rendered)
        return rendered
