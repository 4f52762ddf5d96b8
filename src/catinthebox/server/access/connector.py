"""Connecting a client to a table, over whatever transport, if there is room for it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from typing import Final

from ..errors import Limited, Overloaded
from ..http.responses import CLOSING, GONE, IDLE, SLOW
from ..live.connection import Connection, ConnectionMonitor, Transport, beat
from ..live.hub import Hub
from ..live.links import Access
from ..live.live_table import LiveTable
from ..live.outbox import Outbox
from ..ops.lifecycle import Lifecycle
from ..ops.limits import Limits
from ..ops.logs import Logs
from ..ops.metrics import Metrics
from .admission import Admission, replace, replaceable
from .rate_limits import RateLimits

ENDED: Final = {CLOSING: "closing", SLOW: "slow", IDLE: "idle", GONE: "left"}
"""Why a connection ended, in the words of the log."""


class Connector:
    """Admits clients to tables, and registers, counts and logs their connections."""

    def __init__(
        self,
        hub: Hub,
        monitor: ConnectionMonitor,
        lifecycle: Lifecycle,
        limits: Limits,
        rate_limits: RateLimits,
        metrics: Metrics,
        logs: Logs,
        clock: Callable[[], float],
    ) -> None:
        self._hub = hub
        self._monitor = monitor
        self._lifecycle = lifecycle
        self._limits = limits
        self._rate_limits = rate_limits
        self._metrics = metrics
        self._logs = logs
        self._clock = clock

    @contextmanager
    def arriving(self, kind: Transport, address: str) -> Iterator[None]:
        """Count a connection before it is known whose it is; refuse it if there are too many."""
        if kind == "websocket":
            self._rate_limits.upgrade(address)
        self._check_open()
        with self._admission(kind).arriving(address):
            yield

    @asynccontextmanager
    async def connect(
        self,
        access: Access,
        who: str,
        version: int | None,
        kind: Transport,
        abort: Callable[[], None],
        address: str,
    ) -> AsyncIterator[Connection]:
        """Connect a client to a table; `version` is the last one that it has seen."""
        live, who = access.live, access.person(who)
        self._check_open()
        outbox = Outbox(who, self._limits.queue_frames, self._limits.queue_bytes, address)
        connection = Connection(kind, outbox, self._clock(), abort, live.clock.now)
        async with AsyncExitStack() as stack:

            def admit() -> None:
                visitor = room_at(live, outbox, self._limits)
                stack.enter_context(self._admission(kind).admitted(outbox))
                if visitor is not None:  # only now is it certain that the other one is admitted
                    replace(visitor)

            connecting = self._hub.connect(live, outbox, version, admit)
            self._count_resumption(connection, version, await stack.enter_async_context(connecting))
            with self._monitor.watching(connection), self._logged(connection, live.id):
                yield connection

    def _check_open(self) -> None:
        if self._lifecycle.closing:
            raise Overloaded("this server is being restarted", self._limits.retry_after_s)

    def _admission(self, kind: Transport) -> Admission:
        return self._rate_limits.sockets if kind == "websocket" else self._rate_limits.streams

    def _count_resumption(
        self, connection: Connection, version: int | None, resent: int | None
    ) -> None:
        """Count a reconnection; a client that has missed nothing gets a `Beat` at least."""
        if version is None:
            return
        if resent is None:
            self._metrics.resyncs.value += 1
        elif resent:
            self._metrics.resends.value += resent
        else:
            connection.outbox.put(beat(connection.time()))

    @contextmanager
    def _logged(self, connection: Connection, table: str) -> Iterator[None]:
        self._logs.info("line_opened", kind=connection.kind, table=table)
        try:
            yield
        finally:  # a WebSocket is left by an exception
            reason = ENDED.get(connection.outbox.ended, "other")
            self._logs.info("line_closed", kind=connection.kind, table=table, reason=reason)


def room_at(live: LiveTable, outbox: Outbox, limits: Limits) -> Outbox | None:
    """Check that a table has room; return the outbox of a visitor who has to make room."""
    wait = limits.retry_after_s
    if outbox.who and live.connections_of(outbox.who) >= limits.connections_per_person:
        raise Limited(
            "limit.lines", "you have too many connections to this table; close a window", wait
        )
    if outbox.player or live.spectators < limits.spectators_per_table:
        return None
    visitor = replaceable(live.outboxes, outbox)
    if visitor is None:
        raise Limited("limit.spectators", "too many people watch this table", wait)
    return visitor
