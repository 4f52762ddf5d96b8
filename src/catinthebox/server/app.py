"""The application: every door of a server in one place, and its life from opening to closing."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from time import monotonic, time_ns
from typing import Final, Protocol

from starlette.routing import Router
from starlette.types import ASGIApp, Receive, Scope, Send

from ..store import Store, open_store
from . import routes_about, routes_lobby, routes_records, routes_schema, routes_tables
from .answers import Problem, reply
from .bots import Bots
from .chance import Chance
from .config import Config
from .doors import ADDRESS, API, counted, routes
from .edge import Edge
from .errands import Bots as Thinkers
from .errors import Limited
from .headers import Reason, guarded
from .hub import Hub
from .logs import Logs
from .metrics import Metrics
from .socket import serve_socket
from .static import WEB, Site

DOORS: Final = (
    *routes_lobby.DOORS,
    *routes_tables.DOORS,
    *routes_records.DOORS,
    *routes_about.DOORS,
    *routes_schema.DOORS,
)
STATIC: Final = "static"  # how the numbers call the files of the browser client
ROUTES: Final = (*(door.path for door in DOORS), STATIC)
SOCKET: Final = re.compile(rf"{API}/tables/([^/]+)/socket")
UNCOUNTED: Final = ("/healthz", "/readyz")  # whoever looks after the server asks often


def now_ms() -> int:
    """Give the time that all workers share."""
    return time_ns() // 1_000_000


class App:
    """Sorts what comes: sockets here, requests there."""

    def __init__(self, edge: Edge) -> None:
        self._edge = edge
        self._site = Site.read(edge.config.web or WEB)
        self._router = Router(routes(edge, DOORS), redirect_slashes=False, default=self._serve_file)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request or a socket."""
        if scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        elif scope["type"] == "http":
            await self._request(scope, receive, send)

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = SOCKET.fullmatch(scope["path"])
        if found is None or scope["query_string"]:
            problem = Problem(404, "http.unknown", "there is no socket here")
            await reply(problem)(scope, receive, send)
        else:
            await serve_socket(self._edge, found[1], scope, receive, send)

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        edge, address = self._edge, self._edge.address(scope)
        scope[ADDRESS] = address
        try:
            if scope["path"] not in UNCOUNTED:
                edge.books.request(address)
            self._check_head(scope)
        except (Limited, Problem) as error:
            edge.turned_away("rate" if isinstance(error, Limited) else "too_large", address)
            await reply(error)(scope, receive, counted(edge, STATIC, send))
            return
        await self._router(scope, receive, send)

    def _check_head(self, scope: Scope) -> None:
        size = len(scope["raw_path"]) + len(scope["query_string"])
        size += sum(len(name) + len(value) for name, value in scope["headers"])
        if size > self._edge.limits.head_bytes:
            raise Problem(431, "http.too_large", "the headers are too large")

    async def _serve_file(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._site(scope, receive, counted(self._edge, STATIC, send))


def application(edge: Edge) -> ASGIApp:
    """Give the whole application, with the guards at its doors."""

    def turned(reason: Reason) -> None:
        edge.metrics.turned_away[reason].value += 1
        edge.logs.warning("turned_away", reason=reason)

    return guarded(App(edge), edge.config.doors, edge.limits, turned)


# ── From opening to closing ──────────────────────────────────────────────────────────────────


class Employed(Thinkers, Protocol):
    """Bots that are started and ended with a server."""

    async def start(self) -> None:
        """Begin."""

    async def close(self) -> None:
        """End."""


@asynccontextmanager
async def opened(
    config: Config, logs: Logs, bots: Employed | None = None, chance: Chance | None = None
) -> AsyncIterator[Edge]:
    """Open a server without its sockets: the store, the bots, the tables."""
    bots = bots or Bots(config.processes, most_waiting=config.limits.bots_waiting)
    store = await asyncio.to_thread(open_store, config.db)
    try:
        async with _working(config, logs, store, bots, chance) as edge:
            yield edge
    finally:
        await asyncio.to_thread(store.close)


@asynccontextmanager
async def _working(
    config: Config, logs: Logs, store: Store, bots: Employed, chance: Chance | None
) -> AsyncIterator[Edge]:
    metrics = Metrics(ROUTES)
    hub = Hub(
        *(store, now_ms, bots),
        chance=chance,
        pace=config.pace,
        most=config.limits.tables,
        metrics=metrics,
    )
    edge = Edge(config, hub, metrics, logs, monotonic)
    await bots.start()
    try:
        await hub.open()
        watching = asyncio.create_task(edge.watch.keep())
        edge.started = True
        try:
            yield edge
        finally:
            watching.cancel()
            with suppress(asyncio.CancelledError):
                await watching
            await edge.close()
    finally:
        await bots.close()
