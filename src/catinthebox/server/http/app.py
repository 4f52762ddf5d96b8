"""The ASGI application of a server, and its life from opening the store to closing it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from time import monotonic, time_ns
from typing import Final, Protocol

from starlette.middleware import Middleware
from starlette.routing import Router, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send

from ...store import Store, open_store
from ..bots.pool import BotPool
from ..context import ServerContext
from ..errors import Limited
from ..live.hub import Hub
from ..live.randomness import Randomness
from ..live.scheduler import BotPlayers, Scheduler
from ..ops.config import Config
from ..ops.logs import Logs
from ..ops.metrics import Metrics
from ..transport.websocket import serve_websocket
from . import documents
from .middleware import BodyLimit, HostOriginGuard, RejectReason, SecurityHeaders
from .responses import HttpError, error_response
from .routes_tables import SOCKET
from .routing import ADDRESS, counted, starlette_routes
from .static import WEB, Site

STATIC: Final = "static"  # the label of the browser client's files in the metrics
ROUTES: Final = (*dict.fromkeys(route.path for route in documents.ROUTES), STATIC)
"""The labels of all routes in metrics and logs."""
UNLIMITED: Final = frozenset(
    route.path for route in documents.ROUTES if not route.rate_limited
)  # health checks ask often


def application(context: ServerContext) -> ASGIApp:
    """Return the whole application: middleware, routes, WebSocket, files of the browser client."""
    config, limits = context.config, context.limits
    rejected = partial(_rejected, context)
    return Router(
        [
            *starlette_routes(context, documents.ROUTES),
            WebSocketRoute(SOCKET, partial(serve_websocket, context)),
        ],
        redirect_slashes=False,
        default=Fallback(context, Site.read(config.web or WEB)),
        middleware=[
            Middleware(SecurityHeaders),
            Middleware(HostOriginGuard, config.allowed_origins, rejected),
            Middleware(BodyLimit, limits.body_bytes, limits.body_s, rejected),
            Middleware(RequestLimit, context),
        ],
    )


def _rejected(context: ServerContext, reason: RejectReason) -> None:
    context.metrics.turned_away[reason].value += 1
    context.logs.warning("turned_away", reason=reason)


class RequestLimit:
    """Middleware that limits the rate of requests per address, and the size of their headers."""

    def __init__(self, app: ASGIApp, context: ServerContext) -> None:
        self._app = app
        self._context = context

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it; WebSockets have limits of their own."""
        if scope["type"] == "http":
            context, address = self._context, self._context.address(scope)
            scope[ADDRESS] = address
            try:
                if scope["path"] not in UNLIMITED:
                    context.rate_limits.request(address)
                self._check_size(scope)
            except (Limited, HttpError) as error:
                context.turned_away("rate" if isinstance(error, Limited) else "too_large", address)
                await error_response(error)(scope, receive, counted(context, STATIC, send))
                return
        await self._app(scope, receive, send)

    def _check_size(self, scope: Scope) -> None:
        size = len(scope["raw_path"]) + len(scope["query_string"])
        size += sum(len(name) + len(value) for name, value in scope["headers"])
        if size > self._context.limits.head_bytes:
            raise HttpError(431, "http.too_large", "the headers are too large")


class Fallback:
    """Serves what no route matches: files of the browser client, and errors."""

    def __init__(self, context: ServerContext, site: Site) -> None:
        self._context = context
        self._site = site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request with a file; refuse a WebSocket."""
        if scope["type"] == "websocket":
            error = HttpError(404, "http.unknown", "there is no socket here")
            await error_response(error)(scope, receive, send)
        else:
            await self._site(scope, receive, counted(self._context, STATIC, send))


# ── From opening to closing ──────────────────────────────────────────────────────────────────


def now_ms() -> int:
    """Return the wall-clock time in milliseconds, which all workers share."""
    return time_ns() // 1_000_000


class ManagedBots(BotPlayers, Protocol):
    """Bots that are started and stopped with a server."""

    async def start(self) -> None:
        """Start the processes in which bots think."""

    async def close(self) -> None:
        """Stop them."""


@asynccontextmanager
async def opened(
    config: Config, logs: Logs, bots: ManagedBots | None = None, chance: Randomness | None = None
) -> AsyncIterator[ServerContext]:
    """Open everything of a server but its network sockets: the store, the bots, the tables."""
    bots = bots or BotPool(config.processes, most_waiting=config.limits.bots_waiting)
    store = await asyncio.to_thread(open_store, config.db)
    try:
        async with _running(config, logs, store, bots, chance) as context:
            yield context
    finally:
        await asyncio.to_thread(store.close)


@asynccontextmanager
async def _running(
    config: Config, logs: Logs, store: Store, bots: ManagedBots, chance: Randomness | None
) -> AsyncIterator[ServerContext]:
    metrics = Metrics(ROUTES)
    hub = Hub(*(store, now_ms), chance=chance, most=config.limits.tables, metrics=metrics)
    Scheduler(hub, bots, config.pace)
    context = ServerContext(config, hub, metrics, logs, monotonic)
    await bots.start()
    try:
        await hub.open()
        monitoring = asyncio.create_task(context.monitor.keep())
        context.started = True
        try:
            yield context
        finally:
            monitoring.cancel()
            with suppress(asyncio.CancelledError):
                await monitoring
            await context.close()
    finally:
        await bots.close()
