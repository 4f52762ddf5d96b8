"""The ASGI application of a server: middleware, routes, WebSockets, files of the browser client."""

from __future__ import annotations

from collections.abc import Container
from typing import Final

from starlette.middleware import Middleware
from starlette.routing import BaseRoute, Router, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send

from ..access.clients import ClientIdentity
from ..access.rate_limits import RateLimits
from ..access.refusals import RefusalLog
from ..composition import ServerParts
from ..errors import Limited
from ..ops.metrics import Metrics
from ..transport.ndjson import NdjsonTransport
from ..transport.websocket import WebSocketTransport
from . import documents, routes_about, routes_daily, routes_lobby, routes_records, routes_tables
from .documents import STATIC, DocumentEndpoints
from .middleware import BodyLimit, HostOriginGuard, SecurityHeaders
from .responses import HttpError, error_response
from .routes_about import AboutEndpoints
from .routes_daily import DailyEndpoints
from .routes_lobby import LobbyEndpoints
from .routes_records import RecordEndpoints
from .routes_tables import SOCKET, TableEndpoints
from .routing import ADDRESS, counted, starlette_routes
from .static import WEB, Site

# Health checks come often.
UNLIMITED: Final = frozenset(route.path for route in documents.ROUTES if not route.rate_limited)


def application(parts: ServerParts) -> ASGIApp:
    """Return the whole application of a server."""
    limits, refusals, metrics = parts.config.limits, parts.refusals, parts.metrics
    site = Site.read(parts.config.web or WEB)
    limiting = parts.clients, parts.rate_limits, refusals, metrics, limits.head_bytes
    return Router(
        [*_api(parts), WebSocketRoute(SOCKET, websockets(parts).serve)],
        redirect_slashes=False,
        default=Fallback(site, metrics),
        middleware=[
            Middleware(SecurityHeaders),
            Middleware(HostOriginGuard, parts.config.allowed_origins, refusals.rejected),
            Middleware(BodyLimit, limits.body_bytes, limits.body_s, refusals.rejected),
            Middleware(RequestLimit, *limiting, site.files),
        ],
    )


def _api(parts: ServerParts) -> list[BaseRoute]:
    """Return all routes of the API, each class of endpoints made from the parts that it uses."""
    counters = parts.metrics, parts.logs
    lobby = LobbyEndpoints(
        parts.hub,
        parts.clients,
        parts.lobby,
        parts.policy,
        parts.opener,
        parts.invitations,
        parts.rate_limits,
    )
    records = RecordEndpoints(
        parts.tables, parts.finished_games, parts.replays, parts.rate_limits, parts.refusals
    )
    daily = DailyEndpoints(parts.clients, parts.day_tables, parts.rate_limits, parts.refusals)
    about = AboutEndpoints(
        parts.config,
        parts.clients,
        parts.lifecycle,
        parts.store_health,
        parts.hub,
        parts.metrics,
    )
    return [
        *starlette_routes(lobby, routes_lobby.ROUTES, *counters),
        *starlette_routes(table_endpoints(parts), routes_tables.ROUTES, *counters),
        *starlette_routes(daily, routes_daily.ROUTES, *counters),
        *starlette_routes(records, routes_records.ROUTES, *counters),
        *starlette_routes(about, routes_about.ROUTES, *counters),
        *starlette_routes(DocumentEndpoints(), documents.DOCUMENT_ROUTES, *counters),
    ]


def table_endpoints(parts: ServerParts) -> TableEndpoints:
    """Return the handlers of the routes of one table."""
    streams = NdjsonTransport(
        parts.tables, parts.connector, parts.refusals, parts.metrics, parts.logs, parts.clock
    )
    return TableEndpoints(
        parts.hub, parts.clients, parts.tables, parts.commands, parts.refusals, streams
    )


def websockets(parts: ServerParts) -> WebSocketTransport:
    """Return the handler of WebSockets."""
    return WebSocketTransport(
        clients=parts.clients,
        tables=parts.tables,
        connector=parts.connector,
        commands=parts.commands,
        rate_limits=parts.rate_limits,
        refusals=parts.refusals,
        metrics=parts.metrics,
        logs=parts.logs,
        clock=parts.clock,
        hello_s=parts.config.limits.hello_s,
    )


class RequestLimit:
    """Middleware that limits the rate of requests per address, and the size of their headers."""

    def __init__(
        self,
        app: ASGIApp,
        clients: ClientIdentity,
        rate_limits: RateLimits,
        refusals: RefusalLog,
        metrics: Metrics,
        head_bytes: int,
        files: Container[str],
    ) -> None:
        self._app = app
        self._clients = clients
        self._rate_limits = rate_limits
        self._refusals = refusals
        self._metrics = metrics
        self._head_bytes = head_bytes
        self._files = files  # the paths of the browser client's files

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it; WebSockets have limits of their own."""
        if scope["type"] == "http":
            scope[ADDRESS] = address = self._clients.address(scope)
            try:
                if (path := scope["path"]) not in UNLIMITED:
                    self._rate_limits.request(address, file=path in self._files)
                self._check_size(scope)
            except (Limited, HttpError) as error:
                reason = "rate" if isinstance(error, Limited) else "too_large"
                self._refusals.rejected(reason, address)
                counting = counted(self._metrics, STATIC, send)
                await error_response(error)(scope, receive, counting)
                return
        await self._app(scope, receive, send)

    def _check_size(self, scope: Scope) -> None:
        size = len(scope["raw_path"]) + len(scope["query_string"])
        size += sum(len(name) + len(value) for name, value in scope["headers"])
        if size > self._head_bytes:
            raise HttpError(431, "http.too_large", "the headers are too large")


class Fallback:
    """Serves what no route matches: files of the browser client, and errors."""

    def __init__(self, site: Site, metrics: Metrics) -> None:
        self._site = site
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request with a file; refuse a WebSocket."""
        if scope["type"] == "websocket":
            error = HttpError(404, "http.unknown", "there is no socket here")
            await error_response(error)(scope, receive, send)
        else:
            await self._site(scope, receive, counted(self._metrics, STATIC, send))
