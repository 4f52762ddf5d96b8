"""Running a server: `serve` in an event loop of yours, `run` in one of its own.

It stops upon SIGTERM or SIGINT (Ctrl-C): it takes nobody in any more, finishes what it began to
write down, tells every line that it goes, and ends within `closing_s`. A second Ctrl-C ends it at
once; what is not told yet is in the log all the same.
"""

from __future__ import annotations

import asyncio
import gc
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from secrets import token_bytes
from socket import socket as Socket  # noqa: N812 (a class, whatever it is called)
from typing import Final

import uvicorn
from starlette.types import ASGIApp

from .app import ROUTES, Employed, application, opened
from .config import Config
from .edge import Edge
from .logs import Logs, routed
from .protocols import protocols

LOOKS: Final = 50  # ticks of a tenth of a second between two looks at connections that close
SELDOM: Final = 50_000  # new objects between two searches for those that hold each other
SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


class Server(uvicorn.Server):
    """uvicorn, which ends as we want it to."""

    def __init__(self, config: uvicorn.Config, edge: Edge) -> None:
        super().__init__(config)
        self.edge = edge
        self._closing: set[object] = set()

    @property
    def port(self) -> int:
        """The port that it listens on."""
        number: int = self.servers[0].sockets[0].getsockname()[1]
        return number

    async def startup(self, sockets: list[Socket] | None = None) -> None:
        """Begin to listen."""
        await super().startup(sockets)
        self.edge.logs.info("started", port=self.port)

    async def on_tick(self, counter: int) -> bool:
        """Look after things, ten times a second."""
        if counter % LOOKS == 0:
            self._cut_off()
        return await super().on_tick(counter)

    def _cut_off(self) -> None:
        """Cut off connections that were closing at the last look: their readers do not read."""
        closing = {one for one in self.server_state.connections if one.transport.is_closing()}
        for connection in closing & self._closing:
            connection.transport.abort()
        self._closing = {*closing}

    async def shutdown(self, sockets: list[Socket] | None = None) -> None:
        """Take nobody in any more, say good-bye, then close what is still open."""
        self.edge.logs.info("stopping", lines=len(self.edge.watch.outlets))
        for server in self.servers:
            server.close()
        await self.edge.close()
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop upon a signal; that is a good end, so nobody else is sent it afterwards."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self.handle_exit) for number in SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def uvicorn_config(config: Config, app: ASGIApp) -> uvicorn.Config:
    """Give uvicorn's own settings. `websockets-sansio` took half the time of its older sibling."""
    limits = config.limits
    http, websocket = protocols(limits, config.trusted)
    return uvicorn.Config(
        app,
        host=config.host,
        port=config.port,
        http=http,
        ws=websocket,
        ws_max_size=limits.frame_bytes,
        ws_ping_interval=limits.heartbeat_s,
        ws_ping_timeout=limits.heartbeat_wait_s,
        ws_per_message_deflate=False,
        lifespan="off",
        interface="asgi3",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=limits.keep_alive_s,
        timeout_graceful_shutdown=max(1, int(limits.closing_s / 4)),
    )


def logs_of(config: Config) -> Logs:
    """Give the log of a server: lines on standard error."""
    logs = Logs.on(sys.stderr, time.time, token_bytes(32), ROUTES)
    return logs if config.logs == "auto" else replace(logs, human=config.logs == "human")


async def serve(
    config: Config,
    sockets: Sequence[Socket] | None = None,
    *,
    logs: Logs | None = None,
    bots: Employed | None = None,
    begun: Callable[[Server], None] | None = None,
) -> None:
    """Serve until a signal comes; `begun` is called with the server before it listens."""
    logs = logs or logs_of(config)
    _make_room(config.limits.sockets + config.limits.streams)
    with routed(logs), collecting_seldom():
        async with opened(config, logs, bots) as edge:
            server = Server(uvicorn_config(config, application(edge)), edge)
            if begun is not None:
                begun(server)
            await server.serve(None if sockets is None else list(sockets))
    logs.info("stopped")


def run(config: Config, sockets: Sequence[Socket] | None = None) -> None:
    """Serve in an event loop of its own, the fastest that is installed."""
    factory = uvicorn.Config(lambda: None, log_config=None).get_loop_factory()
    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(serve(config, sockets))


@contextmanager
def collecting_seldom() -> Iterator[None]:
    """Let Python look for objects that hold each other less often than by default.

    A move makes hardly any of those. But it leaves objects behind that live for long, and with many
    tables looking through all of them again and again took a third of the time.
    """
    before = gc.get_threshold()
    gc.set_threshold(max(before[0], SELDOM), *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _make_room(connections: int) -> None:
    """Ask the system for as many open files as there may be connections."""
    with suppress(ImportError, OSError, ValueError):  # not everywhere, and not always allowed
        import resource  # noqa: PLC0415 (not on Windows)

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = connections + 1000
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        if soft != resource.RLIM_INFINITY and soft < most:
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
