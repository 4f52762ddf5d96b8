"""At a table over HTTP: how it stands, what to do there, why not, and the stream."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from ..game import Action, CatInTheBoxError, NotUnderstood
from .answers import JSON, Problem, reply, said
from .doors import API, Door, address, number, somebody, visitor
from .edge import Edge
from .errors import Unavailable
from .line import Line
from .ndjson import MEDIA, Stream
from .wire import Command, read_command, readable_id

TABLE: Final = f"{API}/tables/{{id}}"


def _id(request: Request) -> str:
    id: str = request.path_params["id"]
    return id


async def snapshot(edge: Edge, request: Request) -> Response:
    """Show everything that whoever asks may know."""
    who = visitor(edge, request)
    async with edge.table(_id(request), address(request)) as live:
        await edge.hub.refresh(live)
        line = Line(who)
        live.admit(line)
        edge.hub.errands.seen(live, who)
        return Response(live.teller.snapshot(line.audience), media_type=JSON)


async def command(edge: Edge, request: Request) -> Response:
    """Carry a command out."""
    who, body = somebody(edge, request), await request.body()
    try:
        sent = read_command(body)
    except NotUnderstood as error:
        edge.refused(error, address(request))
        return reply(error, readable_id(body))
    try:
        return await _carried(edge, request, who, sent)
    except (CatInTheBoxError, Unavailable) as error:
        edge.refused(error, address(request))
        return reply(error, sent.id)


async def _carried(edge: Edge, request: Request, who: str, sent: Command) -> Response:
    async with edge.table(_id(request), address(request)) as live:
        done = await edge.do(live, who, address(request), sent.id, sent.command)
        edge.hub.errands.seen(live, who)
    edge.metrics.commands["done"].value += 1
    return said(done)


async def why(edge: Edge, request: Request) -> Response:
    """Say why an action is not legal now."""
    who = somebody(edge, request)
    text = request.query_params.get("action")
    if text is None:
        raise NotUnderstood("input.query", "action: which one? ?action=5b")
    async with edge.table(_id(request), address(request)) as live:
        return said(edge.why(live, who, address(request), Action(text)))


async def events(edge: Edge, request: Request) -> Response:
    """Tell everything that happens, for as long as somebody listens."""
    who, version = visitor(edge, request), number(request, "version")
    if request.method == "HEAD":
        return Response(media_type=MEDIA)
    return Stream(edge, _id(request), who, address(request), version)


async def socket(edge: Edge, request: Request) -> Response:
    """Refuse a plain request where a WebSocket belongs."""
    headers = {"Upgrade": "websocket", "Connection": "Upgrade"}
    raise Problem(426, "http.upgrade", "here is a WebSocket", headers)


DOORS: Final = (
    Door(TABLE, {"GET": snapshot}),
    Door(f"{TABLE}/commands", {"POST": command}),
    Door(f"{TABLE}/why", {"GET": why}, frozenset({"action"})),
    Door(f"{TABLE}/events", {"GET": events}, frozenset({"version"})),
    Door(f"{TABLE}/socket", {"GET": socket}),
)
