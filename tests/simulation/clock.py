"""Times of a simulated world: spans that are drawn, a wall clock that jumps, a trace of events."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from hashlib import blake2b
from random import Random

Span = tuple[int, int]
"""Milliseconds, from and to."""


def milliseconds(chance: Random, span: Span) -> float:
    """Draw whole milliseconds, so that things fall together now and then; in seconds.

    >>> milliseconds(Random(1), (3, 3))
    0.003
    """
    first, last = span
    return (first + int(chance.random() * (last - first + 1))) / 1000


class Clock:
    """A wall clock in milliseconds. Unlike the time of a loop, it can be wrong and be set.

    >>> clock = Clock(lambda: 2.5, start=1000)
    >>> clock.now()
    3500
    >>> clock.jump(-1500)
    >>> clock.now()
    2000
    """

    def __init__(self, time: Callable[[], float], start: int = 1_700_000_000_000) -> None:
        self._time = time
        self._offset = start

    def now(self) -> int:
        """Tell the time."""
        return self._offset + int(self._time() * 1000)

    def jump(self, ms: int) -> None:
        """Set the clock forwards, or backwards."""
        self._offset += ms

    async def wander(self, chance: Random, pause: Span, most: int) -> None:
        """Jump now and then, for ever: by up to so many milliseconds, there or back."""
        while True:
            await asyncio.sleep(milliseconds(chance, pause))
            self.jump(chance.randint(-most, most))


class Trace:
    """What happened in a world, and when; two worlds with the same digest went the same way."""

    def __init__(self, time: Callable[[], float]) -> None:
        self._time = time
        self._order = 0
        self.lines: list[tuple[object, ...]] = []

    def note(self, *words: object) -> None:
        """Write something down. What its words look like must not depend on addresses."""
        self.lines.append((round(self._time(), 4), *words))

    def mark(self, number: int) -> None:
        """Take account of one more timer."""
        self._order = (self._order * 1_000_003 + number) % 0x1FFFFFFFFFFFFFFF

    def digest(self) -> str:
        """Sum everything up."""
        return blake2b(repr((self._order, self.lines)).encode(), digest_size=12).hexdigest()

    def tail(self, most: int = 40) -> str:
        """Show the last things that happened."""
        return "\n".join(" ".join(map(str, line)) for line in self.lines[-most:])
