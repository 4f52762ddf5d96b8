"""Lines that somebody is connected to, and one watch over all of them.

The watch looks once a second instead of setting a timer for every message: it sends a `Beat` on
lines that were silent, ends lines that nobody uses, and cuts those off whose readers do not read.

>>> from catinthebox.server.limits import Limits
>>> times, cut = iter([0.0, 30.0, 51.0]), []
>>> watch = Watch(Limits(), lambda: next(times), Metrics())
>>> outlet = Outlet("ndjson", Line(""), 0.0, lambda: cut.append("cut"), lambda: 1_000)
>>> with watch.over(outlet):
...     watch.look(), outlet.line.waiting, watch.look(), outlet.line.waiting
(None, 0, None, 1)
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, Literal, TypeAlias

from .answers import CLOSING, IDLE, SLOW
from .limits import Limits
from .line import Line
from .metrics import Metrics
from .wire import Beat, encode

Kind: TypeAlias = Literal["websocket", "ndjson"]

LOOK: Final = 1.0  # seconds between two looks
PARTING: Final = 2.0  # seconds for the last words on a line that has ended


class Outlet:
    """A line and the connection behind it. Times are seconds; `abort` cuts the connection.

    `time` gives the table's time, in milliseconds, for a `Beat`.
    """

    __slots__ = ("abort", "heard", "kind", "line", "sending", "sent", "time")

    def __init__(
        self,
        kind: Kind,
        line: Line,
        now: float,
        abort: Callable[[], None],
        time: Callable[[], int],
    ) -> None:
        self.kind: Kind = kind
        self.time = time
        self.line = line
        self.abort = abort
        self.sent = now  # when something was sent last …
        self.heard = now  # … and when somebody asked for something
        self.sending: float | None = None  # since when something is on its way out


class Watch:
    """Looks after all outlets of a process."""

    def __init__(self, limits: Limits, clock: Callable[[], float], metrics: Metrics) -> None:
        self.outlets: set[Outlet] = set()
        self._limits = limits
        self._clock = clock
        self._metrics = metrics

    @contextmanager
    def over(self, outlet: Outlet) -> Iterator[None]:
        """Look after an outlet for as long as it is connected."""
        self.outlets.add(outlet)
        self._metrics.connections[outlet.kind].value += 1
        try:
            yield
        finally:
            self.outlets.discard(outlet)
            self._metrics.connections[outlet.kind].value -= 1
            if outlet.line.over == SLOW:
                self._metrics.lines_dropped.value += 1

    async def keep(self) -> None:
        """Look again and again."""
        while True:
            await asyncio.sleep(min(LOOK, self._limits.heartbeat_s / 4))
            self.look()

    async def part(self, seconds: float) -> None:
        """Let every line end, and wait until nobody is connected, but not for long."""
        for outlet in self.outlets:
            outlet.line.end(CLOSING)
        end = self._clock() + seconds
        while self.outlets and self._clock() < end:
            await asyncio.sleep(0.01)

    def look(self) -> None:
        """Look at every outlet."""
        now, queued = self._clock(), 0
        for outlet in list(self.outlets):
            self._look_at(outlet, now)
            queued += outlet.line.size
        if queued > self._limits.queued_bytes:
            max(self.outlets, key=lambda outlet: outlet.line.size).line.drop()

    def _look_at(self, outlet: Outlet, now: float) -> None:
        line, limits = outlet.line, self._limits
        if outlet.sending is not None:
            if now - outlet.sending > (PARTING if line.over else limits.write_s):
                line.end(SLOW)
                outlet.abort()
        elif now - outlet.heard > limits.idle_s:
            line.end(IDLE)
        elif now - outlet.sent >= limits.heartbeat_s:
            outlet.sent = now
            line.put(beat(outlet.time()))


def beat(at: int) -> bytes:
    """Write a sign of life, which tells a table's time."""
    return encode(Beat(at))
