"""The time at one table: it never goes back, and runs as a steady clock runs.

A log's times are milliseconds since 1970, so that they can be shown. What is *measured* at a table
(time to think, absences, pauses) must not depend on somebody setting the machine's clock. So the
wall clock is read once, when a table comes into memory, and a monotonic clock counts from there. A
log that is ahead of the wall clock, because that was set back meanwhile, goes on from its own last
time; so does a table at which another process, whose clock is ahead, has written something.

>>> seconds = 100.0
>>> clock = TableClock(lambda: seconds, at=5_000, wall=2_000)  # the wall clock was set back
>>> seconds += 1.5
>>> clock.now()
6500
>>> clock.follow(9_000)  # another process was ahead
>>> seconds += 1.0
>>> clock.now()
10000
"""

from __future__ import annotations

from collections.abc import Callable


class TableClock:
    """Milliseconds of a table's log; `monotonic` gives seconds, `at` is the log's last time."""

    def __init__(self, monotonic: Callable[[], float], at: int, wall: int) -> None:
        self._monotonic = monotonic
        self._offset = 0
        self._offset = max(at, wall) - self.now()

    def now(self) -> int:
        """Return the table's time."""
        return self._offset + int(self._monotonic() * 1000)

    def follow(self, at: int) -> None:
        """Advance at least to the time of a stored event."""
        self._offset += max(0, at - self.now())
