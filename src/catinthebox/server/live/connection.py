"""Lines that somebody is connected to, and one watch over all of them.

The watch looks once a second instead of setting a timer for every message: it sends a `Beat` on
lines that were silent, ends lines that nobody uses, and cuts those off whose readers do not read.

>>> from catinthebox.server.ops.limits import Limits
>>> times, cut = iter([0.0, 30.0, 51.0]), []
>>> watch = ConnectionMonitor(Limits(), lambda: next(times), Metrics())
>>> connection = Connection("ndjson", Outbox(""), 0.0, lambda: cut.append("cut"), lambda: 1_000)
>>> with watch.over(connection):
...     watch.look(), connection.outbox.waiting, watch.look(), connection.outbox.waiting
(None, 0, None, 1)
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, Literal, TypeAlias

from ...protocol.codec import encode
from ...protocol.stream import Beat
from ..http.responses import CLOSING, IDLE, SLOW
from ..ops.limits import Limits
from ..ops.metrics import Metrics
from .outbox import Outbox

Transport: TypeAlias = Literal["websocket", "ndjson"]

LOOK: Final = 1.0  # seconds between two looks
PARTING: Final = 2.0  # seconds for the last words on an outbox that has ended


class Connection:
    """A line and the connection behind it. Times are seconds; `abort` cuts the connection.

    `time` gives the table's time, in milliseconds, for a `Beat`.
    """

    __slots__ = ("abort", "heard", "kind", "outbox", "sending", "sent", "time")

    def __init__(
        self,
        kind: Transport,
        outbox: Outbox,
        now: float,
        abort: Callable[[], None],
        time: Callable[[], int],
    ) -> None:
        self.kind: Transport = kind
        self.time = time
        self.outbox = outbox
        self.abort = abort
        self.sent = now  # when something was sent last …
        self.heard = now  # … and when somebody asked for something
        self.sending: float | None = None  # since when something is on its way out


class ConnectionMonitor:
    """Looks after all outlets of a process."""

    def __init__(self, limits: Limits, clock: Callable[[], float], metrics: Metrics) -> None:
        self.connections: set[Connection] = set()
        self._limits = limits
        self._clock = clock
        self._metrics = metrics

    @contextmanager
    def over(self, connection: Connection) -> Iterator[None]:
        """Look after an outlet for as long as it is connected."""
        self.connections.add(connection)
        self._metrics.connections[connection.kind].value += 1
        try:
            yield
        finally:
            self.connections.discard(connection)
            self._metrics.connections[connection.kind].value -= 1
            if connection.outbox.over == SLOW:
                self._metrics.connections_dropped.value += 1

    async def keep(self) -> None:
        """Look again and again."""
        while True:
            await asyncio.sleep(min(LOOK, self._limits.heartbeat_s / 4))
            self.look()

    async def part(self, seconds: float) -> None:
        """Let every line end, and wait until nobody is connected, but not for long."""
        for connection in self.connections:
            connection.outbox.end(CLOSING)
        end = self._clock() + seconds
        while self.connections and self._clock() < end:
            await asyncio.sleep(0.01)

    def look(self) -> None:
        """Look at every outlet."""
        now, queued = self._clock(), 0
        for connection in list(self.connections):
            self._look_at(connection, now)
            queued += connection.outbox.size
        if queued > self._limits.queued_bytes:
            max(self.connections, key=lambda connection: connection.outbox.size).outbox.drop()

    def _look_at(self, connection: Connection, now: float) -> None:
        outbox, limits = connection.outbox, self._limits
        if connection.sending is not None:
            if now - connection.sending > (PARTING if outbox.over else limits.write_s):
                outbox.end(SLOW)
                connection.abort()
        elif now - connection.heard > limits.idle_s:
            outbox.end(IDLE)
        elif now - connection.sent >= limits.heartbeat_s:
            connection.sent = now
            outbox.put(beat(connection.time()))


def beat(at: int) -> bytes:
    """Write a sign of life, which tells a table's time."""
    return encode(Beat(at))
