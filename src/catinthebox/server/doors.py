"""HTTP, door by door: a path, what may be asked there by which method, and with which words.

A handler gives a response or raises an error; here errors become answers, and all answers are
counted. Query parameters and methods that a door does not know are refused.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import Message, Receive, Scope, Send

from ..game import CatInTheBoxError, NotUnderstood
from ..game.errors import quoted
from .answers import Failure, Problem, reply
from .edge import Edge
from .errors import NoToken, Unavailable
from .metrics import OTHER

API: Final = "/api/v1"
ADDRESS: Final = "catinthebox.address"  # where a scope keeps who is asking

Handler: TypeAlias = Callable[[Edge, Request], Awaitable[Response]]


@dataclass(frozen=True)
class Door:
    """A path and its handlers by method; GET answers HEAD, too."""

    path: str
    handlers: Mapping[str, Handler]
    query: frozenset[str] = field(default_factory=frozenset)

    @property
    def methods(self) -> list[str]:
        """Everything that may be asked here."""
        found = {"OPTIONS", *self.handlers, *({"HEAD"} if "GET" in self.handlers else ())}
        return sorted(found)


def routes(edge: Edge, doors: Iterable[Door]) -> list[BaseRoute]:
    """Give the doors as routes of Starlette."""
    return [Route(door.path, Endpoint(edge, door)) for door in doors]


class Endpoint:
    """A door as an application."""

    def __init__(self, edge: Edge, door: Door) -> None:
        self._edge = edge
        self._door = door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        request = Request(scope, receive)
        response = await self._answer(request)
        await response(scope, receive, counted(self._edge, self._door.path, send))

    async def _answer(self, request: Request) -> Response:
        try:
            if request.method == "OPTIONS":
                return Response(status_code=204, headers={"Allow": self._allowed})
            handler = self._handler(request.method)
            self._check_query(request)
            return await handler(self._edge, request)
        except (CatInTheBoxError, Unavailable) as error:
            return reply(error)
        except Exception as error:  # a mistake of ours
            self._edge.logs.failure(error)
            return reply(Failure())

    @property
    def _allowed(self) -> str:
        return ", ".join(self._door.methods)

    def _handler(self, method: str) -> Handler:
        handler = self._door.handlers.get("GET" if method == "HEAD" else method)
        if handler is None:
            sentence = f"here are {self._allowed}"
            headers = {"Allow": self._allowed, "Connection": "close"}
            raise Problem(405, "http.method", sentence, headers)
        return handler

    def _check_query(self, request: Request) -> None:
        given = [name for name, _ in request.query_params.multi_items()]
        unknown = [quoted(name) for name in given if name not in self._door.query]
        if unknown:
            raise NotUnderstood("input.query", f"unknown parameters: {', '.join(unknown)[:80]}")
        if len(set(given)) < len(given):
            raise NotUnderstood("input.query", "a parameter appears twice")


def counted(edge: Edge, route: str, send: Send) -> Send:
    """Count what is answered."""

    async def counting(message: Message) -> None:
        if message["type"] == "http.response.start":
            edge.metrics.http(route, message["status"]).value += 1
        await send(message)

    return counting


async def nowhere(edge: Edge, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer a request for something that does not exist."""
    response = reply(Problem(404, "http.unknown", "there is nothing here by this name"))
    await response(scope, receive, counted(edge, OTHER, send))


# ── What handlers ask of a request ───────────────────────────────────────────────────────────


def address(request: Request) -> str:
    """Give where a request comes from."""
    found: str = request.scope[ADDRESS]
    return found


def visitor(edge: Edge, request: Request) -> str:
    """Give who asks; nothing if the request does not say."""
    return edge.bearer(request.scope, address(request))


def somebody(edge: Edge, request: Request) -> str:
    """Give who asks; a request that does not say is refused."""
    who = visitor(edge, request)
    if not who:
        raise NoToken("this needs a token: Authorization: Bearer TOKEN")
    return who


def number(request: Request, name: str) -> int | None:
    """Give a parameter that is a number from 0; None if it is not there."""
    text = request.query_params.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 16):
        raise NotUnderstood("input.query", f"{name}: a number from 0, not {quoted(text)}")
    return int(text)
