"""The open connections of a process, and one monitor for all of them.

The monitor checks them once a second instead of setting a timer for every message: it sends a
`Beat` on silent connections, ends unused ones, and aborts those whose clients do not read. It also
counts the frames that were sent meanwhile.

>>> from catinthebox.server.ops.limits import Limits
>>> times, aborted = iter([0.0, 30.0, 51.0]), []
>>> monitor = ConnectionMonitor(Limits(), lambda: next(times), Metrics())
>>> connection = Connection("ndjson", Outbox(""), 0.0, lambda: aborted.append(1), lambda: 1_000)
>>> with monitor.watching(connection):
...     monitor.check(), connection.outbox.waiting, monitor.check(), connection.outbox.waiting
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

CHECK_S: Final = 1.0  # seconds between two checks
GOODBYE_S: Final = 2.0  # seconds to send the last message of a connection that has ended


class Connection:
    """An open connection. Times are seconds; `abort` closes it at once.

    `time` returns the table's time, in milliseconds, for a `Beat`.
    """

    __slots__ = ("abort", "kind", "last_request", "outbox", "sending", "sent", "time")

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
        self.sent = now  # when the monitor last saw that something was sent …
        self.last_request = now  # … and when the client last requested something
        self.sending: float | None = None  # since when the writer waits for the client to read


class ConnectionMonitor:
    """Checks all connections of a process."""

    def __init__(self, limits: Limits, clock: Callable[[], float], metrics: Metrics) -> None:
        self.connections: set[Connection] = set()
        self._limits = limits
        self._clock = clock
        self._metrics = metrics

    @contextmanager
    def watching(self, connection: Connection) -> Iterator[None]:
        """Check a connection for as long as it is open."""
        self.connections.add(connection)
        self._metrics.connections[connection.kind].value += 1
        try:
            yield
        finally:
            self.connections.discard(connection)
            self._count_sent(connection, self._clock())
            self._metrics.connections[connection.kind].value -= 1
            if connection.outbox.ended == SLOW:
                self._metrics.connections_dropped.value += 1

    async def run(self) -> None:
        """Check all connections again and again."""
        while True:
            await asyncio.sleep(min(CHECK_S, self._limits.heartbeat_s / 4))
            self.check()

    async def end_all(self, seconds: float) -> None:
        """End every connection, and wait until all are closed, but not longer than `seconds`."""
        for connection in self.connections:
            connection.outbox.end(CLOSING)
        end = self._clock() + seconds
        while self.connections and self._clock() < end:
            await asyncio.sleep(0.01)

    def check(self) -> None:
        """Check every connection; if too much waits in all of them, drop the longest queue."""
        now, queued = self._clock(), 0
        for connection in list(self.connections):
            self._check_one(connection, now)
            queued += connection.outbox.size
        if queued > self._limits.queued_bytes:
            max(self.connections, key=lambda connection: connection.outbox.size).outbox.drop()

    def _check_one(self, connection: Connection, now: float) -> None:
        outbox, limits = connection.outbox, self._limits
        self._count_sent(connection, now)
        if connection.sending is not None:
            if now - connection.sending > (GOODBYE_S if outbox.ended else limits.write_s):
                outbox.end(SLOW)
                connection.abort()
        elif now - connection.last_request > limits.idle_s:
            outbox.end(IDLE)
        elif now - connection.sent >= limits.heartbeat_s:
            connection.sent = now
            outbox.put(beat(connection.time()))

    def _count_sent(self, connection: Connection, now: float) -> None:
        """Count the frames that were sent since the last check."""
        if connection.outbox.frames_sent:
            connection.sent = now
            self._metrics.frames_out.value += connection.outbox.frames_sent
            connection.outbox.frames_sent = 0


def beat(at: int) -> bytes:
    """Return the bytes of a `Beat` with a table's time."""
    return encode(Beat(at))
