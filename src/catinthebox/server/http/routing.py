"""Routes of the HTTP API, each declared once.

An `ApiRoute` says everything about one method at one path: its handler, what it takes, what it
answers, how it may fail. Starlette's routes are made from these declarations (`starlette_routes`),
and so is the OpenAPI document (`openapi.py`), so the two cannot disagree.

A handler is a method of a class of endpoints (`routes_tables.TableEndpoints` and its like), whose
fields are the parts of the server that its handlers use. It returns a response or raises an error;
`Endpoint` turns errors into responses, counts all responses, and refuses methods and query
parameters that were not declared.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Generic, Literal, TypeAlias, TypeVar

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from ...game import CatInTheBoxError, NotUnderstood
from ...game.errors import quoted
from ..access.clients import ClientIdentity
from ..errors import NoToken, Unavailable
from ..ops.logs import Logs
from ..ops.metrics import Metrics
from .responses import JSON, HttpError, InternalError, error_response
from .schema import Schema

API: Final = "/api/v1"
ADDRESS: Final = "catinthebox.address"  # the key of the client's address in an ASGI scope

E = TypeVar("E")  # a class of endpoints


# ── Declarations ─────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Answer:
    """A response of a route that is not an error."""

    description: str
    body: type[Struct] | Schema | None = None
    media: str = JSON
    status: int = 200


ALWAYS: Final = frozenset({400, 408, 413, 415, 421, 431, 500})  # errors of the middleware
AT_TABLE: Final = frozenset({404, 410, 503})  # errors of every route of a table


@dataclass(frozen=True)
class ApiRoute(Generic[E]):
    """One operation of the API: a method at a path, its handler, and its description.

    >>> class Nothing:
    ...     async def respond(self, request: Request) -> Response:
    ...         return Response()
    >>> done = Answer("Done.", status=201)
    >>> route = ApiRoute("POST", "/x", Nothing.respond, "doX", "Do x", (done,))
    >>> sorted(route.error_statuses)
    [400, 403, 408, 413, 415, 421, 429, 431, 500]
    """

    method: str  # GET stands for HEAD, too
    path: str
    handler: Callable[[E, Request], Awaitable[Response]]
    id: str  # a name for generated clients
    summary: str
    answers: tuple[Answer, ...]
    token: Literal["no", "may", "must"] = "no"
    errors: frozenset[int] = frozenset()  # besides those that the other fields imply
    query: Mapping[str, Schema] = field(default_factory=dict)  # parameters, as in OpenAPI
    body: type[Struct] | Schema | None = None
    rate_limited: bool = True

    @property
    def error_statuses(self) -> frozenset[int]:
        """Every status of an error that the route may answer with."""
        found = ALWAYS | self.errors
        found |= {403} if self.method == "POST" else set()  # pages of other sites
        found |= {401} if self.token != "no" else set()
        found |= {429} if self.rate_limited else set()
        return found - {answer.status for answer in self.answers}


AnyRoute: TypeAlias = ApiRoute[Any]  # of whatever class its handler is


# ── From declarations to Starlette's routes ──────────────────────────────────────────────────


def starlette_routes(
    endpoints: E, routes: Iterable[ApiRoute[E]], metrics: Metrics, logs: Logs
) -> list[Route]:
    """Make Starlette's routes: one for each path, with all its methods."""
    by_path: dict[str, dict[str, ApiRoute[E]]] = {}
    for route in routes:
        by_path.setdefault(route.path, {})[route.method] = route
    return [
        Route(path, Endpoint(endpoints, path, methods, metrics, logs))
        for path, methods in by_path.items()
    ]


class Endpoint(Generic[E]):
    """The ASGI application at one path."""

    def __init__(
        self,
        endpoints: E,
        path: str,
        methods: Mapping[str, ApiRoute[E]],
        metrics: Metrics,
        logs: Logs,
    ) -> None:
        self._endpoints = endpoints
        self._path = path
        self._methods = methods
        self._metrics = metrics
        self._logs = logs
        allowed = {"OPTIONS", *methods, *({"HEAD"} if "GET" in methods else ())}
        self._allowed = ", ".join(sorted(allowed))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request and count the response."""
        response = await self._respond(Request(scope, receive))
        await response(scope, receive, counted(self._metrics, self._path, send))

    async def _respond(self, request: Request) -> Response:
        try:
            if request.method == "OPTIONS":
                return Response(status_code=204, headers={"Allow": self._allowed})
            route = self._route(request.method)
            _check_query(request, route)
            return await route.handler(self._endpoints, request)
        except (CatInTheBoxError, Unavailable) as error:
            return error_response(error)
        except Exception as error:  # a bug: logged without the values that were involved
            self._logs.failure(error)
            return error_response(InternalError())

    def _route(self, method: str) -> ApiRoute[E]:
        route = self._methods.get("GET" if method == "HEAD" else method)
        if route is None:
            headers = {"Allow": self._allowed, "Connection": "close"}
            raise HttpError(
                405, "http.method", f"the methods of this path are {self._allowed}", headers
            )
        return route


def _check_query(request: Request, route: AnyRoute) -> None:
    """Refuse query parameters that the route does not declare, or that appear twice."""
    given = [name for name, _ in request.query_params.multi_items()]
    unknown = [quoted(name) for name in given if name not in route.query]
    if unknown:
        raise NotUnderstood("input.query", f"unknown parameters: {', '.join(unknown)[:80]}")
    if len(set(given)) < len(given):
        raise NotUnderstood("input.query", "a parameter appears twice")


def counted(metrics: Metrics, path: str, send: Send) -> Send:
    """Wrap `send` so that the status of a response is counted under a route's path."""

    async def counting(message: Message) -> None:
        if message["type"] == "http.response.start":
            metrics.http(path, message["status"]).value += 1
        await send(message)

    return counting


# ── Reading a request ────────────────────────────────────────────────────────────────────────


def client_address(request: Request) -> str:
    """Return the address that rate limits count a request under."""
    found: str = request.scope[ADDRESS]
    return found


def optional_person(clients: ClientIdentity, request: Request) -> str:
    """Return the hash of a request's token; an empty text if it carries none."""
    return clients.bearer(request.scope, client_address(request))


def required_person(clients: ClientIdentity, request: Request) -> str:
    """Return the hash of a request's token; without one the request is refused."""
    person = optional_person(clients, request)
    if not person:
        raise NoToken("this needs a token: Authorization: Bearer TOKEN")
    return person


def query_number(request: Request, name: str) -> int | None:
    """Return a query parameter that is a whole number from 0; None if it is absent."""
    text = request.query_params.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 16):
        raise NotUnderstood("input.query", f"{name}: a number from 0, not {quoted(text)}")
    return int(text)
