"""Running a server in an event loop: `serve`.

Upon SIGTERM or SIGINT (Ctrl-C) it accepts no more connections, finishes the commands that it has
begun, sends a `Bye` on every connection, and ends within `closing_s`. A second Ctrl-C ends it at
once; nothing is lost, since what was broadcast had been stored before.
"""

from __future__ import annotations

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

from ..composition import ManagedBots, ServerParts, opened
from ..http.app import application
from ..transport.uvicorn_protocols import protocols
from .config import Config
from .logs import Logs, capture_logging

CHECK_TICKS: Final = 50  # ticks of 0.1 s between two checks for connections that do not close
GC_THRESHOLD: Final = 50_000  # new objects between two searches for reference cycles
SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


class Server(uvicorn.Server):
    """A uvicorn server that closes its tables and connections before it ends."""

    def __init__(self, config: uvicorn.Config, parts: ServerParts) -> None:
        super().__init__(config)
        self.parts = parts
        self._closing: set[object] = set()

    @property
    def port(self) -> int:
        """The port that it listens on."""
        number: int = self.servers[0].sockets[0].getsockname()[1]
        return number

    async def startup(self, sockets: list[Socket] | None = None) -> None:
        """Start to listen, and log the port."""
        await super().startup(sockets)
        self.parts.logs.info("started", port=self.port)

    async def on_tick(self, counter: int) -> bool:
        """Drop stalled connections from time to time; uvicorn calls this ten times a second."""
        if counter % CHECK_TICKS == 0:
            self._drop_stalled()
        return await super().on_tick(counter)

    def _drop_stalled(self) -> None:
        """Drop connections that were closing at the last check: their clients do not read."""
        closing = {one for one in self.server_state.connections if one.transport.is_closing()}
        for connection in closing & self._closing:
            connection.transport.abort()
        self._closing = {*closing}

    async def shutdown(self, sockets: list[Socket] | None = None) -> None:
        """Accept no more connections, close all tables, then close what is still open."""
        self.parts.logs.info("stopping", lines=len(self.parts.monitor.connections))
        for server in self.servers:
            server.close()
        await self.parts.lifecycle.close()
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop upon a signal; unlike uvicorn, do not raise it again afterwards."""
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
    """Return uvicorn's configuration."""
    limits = config.limits
    http, websocket = protocols(limits, config.trusted_proxies)
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
    """Return the log of a server, which is written to standard error."""
    logs = Logs.on(sys.stderr, time.time, token_bytes(32))
    return logs if config.logs == "auto" else replace(logs, human=config.logs == "human")


async def serve(
    config: Config,
    sockets: Sequence[Socket] | None = None,
    *,
    logs: Logs | None = None,
    bots: ManagedBots | None = None,
    on_start: Callable[[Server], None] | None = None,
) -> None:
    """Serve until a signal comes; `on_start` is called with the server before it listens."""
    logs = logs or logs_of(config)
    _raise_file_limit(config.limits.sockets + config.limits.streams)
    with capture_logging(logs), gc_threshold():
        async with opened(config, logs, bots) as parts:
            server = Server(uvicorn_config(config, application(parts)), parts)
            if on_start is not None:
                on_start(server)
            await server.serve(None if sockets is None else list(sockets))
    logs.info("stopped")


@contextmanager
def gc_threshold() -> Iterator[None]:
    """Collect reference cycles less often than by default.

    A move makes hardly any cycles, but leaves objects that live for long. With many tables, the
    collector spent a third of the processor time on looking through them.
    """
    before = gc.get_threshold()
    gc.set_threshold(max(before[0], GC_THRESHOLD), *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _raise_file_limit(connections: int) -> None:
    """Raise the limit of open files to allow the configured number of connections."""
    with suppress(ImportError, OSError, ValueError):  # not everywhere, and not always allowed
        import resource  # noqa: PLC0415 (not on Windows)

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = connections + 1000
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        if soft != resource.RLIM_INFINITY and soft < most:
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
