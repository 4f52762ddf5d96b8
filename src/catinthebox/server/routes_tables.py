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

TABLE: Final = f"{API}/tables/{{key}}"


def _key(request: Request) -> str:
    key: str = request.path_params["key"]
    return key


async def snapshot(edge: Edge, request: Request) -> Response:
    """Show everything that whoever asks may know."""
    who = visitor(edge, request)
    async with edge.table(_key(request), address(request)) as access:
        live, line = access.live, Line(access.person(who))
        await edge.hub.refresh(live)
        live.admit(line)
        edge.hub.errands.seen(live, line.who)
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
    async with edge.table(_key(request), address(request)) as access:
        done = await edge.do(access, who, address(request), sent.id, sent.command)
        edge.hub.errands.seen(access.live, who)
    edge.metrics.commands["done"].value += 1
    return said(done)


async def why(edge: Edge, request: Request) -> Response:
    """Say why an action is not legal now."""
    who = somebody(edge, request)
    text = request.query_params.get("action")
    if text is None:
        raise NotUnderstood("input.query", "action: which one? ?action=5b")
    async with edge.table(_key(request), address(request)) as access:
        asker = access.person(who)
        return said(edge.why(access.live, asker, address(request), Action(text)))


async def links(edge: Edge, request: Request) -> Response:
    """List the links that the holder of a key may pass on."""
    async with edge.table(_key(request), address(request)) as access:
        await edge.hub.refresh(access.live)
        return said(edge.hub.links.told(access.live.table, access.purpose))


async def events(edge: Edge, request: Request) -> Response:
    """Tell everything that happens, for as long as somebody listens."""
    who, version = visitor(edge, request), number(request, "version")
    if request.method == "HEAD":
        return Response(media_type=MEDIA)
    return Stream(edge, _key(request), who, address(request), version)


async def socket(edge: Edge, request: Request) -> Response:
    """Refuse a plain request where a WebSocket belongs."""
    headers = {"Upgrade": "websocket", "Connection": "Upgrade"}
    raise Problem(426, "http.upgrade", "here is a WebSocket", headers)


DOORS: Final = (
    Door(TABLE, {"GET": snapshot}),
    Door(f"{TABLE}/commands", {"POST": command}),
    Door(f"{TABLE}/why", {"GET": why}, frozenset({"action"})),
    Door(f"{TABLE}/links", {"GET": links}),
    Door(f"{TABLE}/events", {"GET": events}, frozenset({"version"})),
    Door(f"{TABLE}/socket", {"GET": socket}),
)
