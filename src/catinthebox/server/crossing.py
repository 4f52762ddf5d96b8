"""From the threads of a store to the event loop, with one wake-up for all that arrives together.

A commit answers many appends at once. `loop.call_soon_threadsafe` for each of them would write a
byte to a pipe each time; here the first one does, and the rest come along.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import TypeVar

T = TypeVar("T")


class Crossing:
    """A way into one event loop; `call` may be used from any thread."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._calls: deque[Callable[[], None]] = deque()
        self._woken = False

    def call(self, what: Callable[[], None]) -> None:
        """Let something be done by the loop, in the order of the calls."""
        self._calls.append(what)
        if not self._woken:
            self._woken = True
            try:
                self._loop.call_soon_threadsafe(self._all)
            except RuntimeError:  # the loop is closed: nobody is there any more to be told
                self._calls.clear()

    def _all(self) -> None:
        self._woken = False  # before looking: whoever comes from here on wakes the loop again
        try:
            while self._calls:
                self._calls.popleft()()
        finally:  # one that fails does not keep the others waiting
            if self._calls and not self._woken:
                self._woken = True
                self._loop.call_soon(self._all)

    async def result(self, future: Future[T]) -> T:
        """Wait for what a store answers."""
        answer: asyncio.Future[T] = self._loop.create_future()
        future.add_done_callback(lambda done: self.call(partial(_pass_on, done, answer)))
        return await answer


def _pass_on(done: Future[T], answer: asyncio.Future[T]) -> None:
    if answer.cancelled():
        return
    error = done.exception()
    if error is None:
        answer.set_result(done.result())
    else:
        answer.set_exception(error)
