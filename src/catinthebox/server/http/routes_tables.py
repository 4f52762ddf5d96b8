"""Routes of one table: its snapshot, commands, links, and its stream of messages."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from ...game import Action, CatInTheBoxError, NotUnderstood
from ...protocol.api import CommandBody, Links, read_command, readable_id
from ...protocol.fields import schema_of
from ...protocol.messages import Done, Snapshot, Why
from ..context import ServerContext
from ..errors import Unavailable
from ..live.outbox import Outbox
from ..transport.ndjson import MEDIA, Stream
from .responses import JSON, HttpError, error_response, json_response
from .routing import (
    API,
    AT_TABLE,
    Answer,
    ApiRoute,
    client_address,
    optional_person,
    query_number,
    required_person,
)
from .schema import Schema

TABLE: Final = f"{API}/tables/{{key}}"
SOCKET: Final = f"{TABLE}/socket"


def _key(request: Request) -> str:
    key: str = request.path_params["key"]
    return key


async def get_snapshot(context: ServerContext, request: Request) -> Response:
    """Answer with everything that the requester may know of a table."""
    who = optional_person(context, request)
    async with context.table(_key(request), client_address(request)) as access:
        live, line = access.live, Outbox(access.person(who))
        await context.hub.refresh(live)
        live.admit(line)
        context.hub.seen(live, line.who)
        return Response(live.broadcaster.snapshot(line.audience), media_type=JSON)


async def send_command(context: ServerContext, request: Request) -> Response:
    """Carry a command out."""
    who, body = required_person(context, request), await request.body()
    try:
        sent = read_command(body)
    except NotUnderstood as error:
        context.refused(error, client_address(request))
        return error_response(error, readable_id(body))
    try:
        return await _carry_out(context, request, who, sent)
    except (CatInTheBoxError, Unavailable) as error:
        context.refused(error, client_address(request))
        return error_response(error, sent.id)


async def _carry_out(
    context: ServerContext, request: Request, who: str, sent: CommandBody
) -> Response:
    async with context.table(_key(request), client_address(request)) as access:
        done = await context.do(access, who, client_address(request), sent.id, sent.command)
        context.hub.seen(access.live, who)
    context.metrics.commands["done"].value += 1
    return json_response(done)


async def ask_why(context: ServerContext, request: Request) -> Response:
    """Answer why an action is not legal now."""
    who = required_person(context, request)
    text = request.query_params.get("action")
    if text is None:
        raise NotUnderstood("input.query", "action: which one? ?action=5b")
    async with context.table(_key(request), client_address(request)) as access:
        asker = access.person(who)
        return json_response(context.why(access.live, asker, client_address(request), Action(text)))


async def list_links(context: ServerContext, request: Request) -> Response:
    """List the links that the holder of a key may pass on."""
    async with context.table(_key(request), client_address(request)) as access:
        await context.hub.refresh(access.live)
        return json_response(context.hub.links.told(access.live.table, access.purpose))


async def read_events(context: ServerContext, request: Request) -> Response:
    """Stream everything that happens, for as long as the client reads."""
    who, version = optional_person(context, request), query_number(request, "version")
    if request.method == "HEAD":
        return Response(media_type=MEDIA)
    return Stream(context, _key(request), who, client_address(request), version)


async def refuse_plain_request(context: ServerContext, request: Request) -> Response:
    """Refuse a request at the path of the WebSocket that does not ask for an upgrade."""
    headers = {"Upgrade": "websocket", "Connection": "Upgrade"}
    raise HttpError(426, "http.upgrade", "here is a WebSocket", headers)


LINES: Final[Schema] = {
    "type": "string",
    "description": "a `FromServer` of stream.schema.json on each line",
}
VERSION: Final[Schema] = {
    "description": "the last version that was seen; what came after it is sent again",
    "schema": {"type": "integer", "minimum": 0, "maximum": 10**15 - 1},
}
ACTION: Final[Schema] = {"required": True, "schema": schema_of(Action)}

ROUTES: Final = (
    ApiRoute(
        *("GET", TABLE, get_snapshot),
        *("showTable", "Show a table as it stands"),
        (Answer("Everything that whoever asks may know.", Snapshot),),
        token="may",
        errors=AT_TABLE | {403},
    ),
    ApiRoute(
        *("POST", f"{TABLE}/commands", send_command),
        *("sendCommand", "Ask something of a table"),
        (Answer("It is done, now or before.", Done),),
        token="must",
        errors=AT_TABLE | {409},
        body=CommandBody,
    ),
    ApiRoute(
        *("GET", f"{TABLE}/why", ask_why),
        *("askWhy", "Ask why an action is not legal now"),
        (Answer("Why; nothing if it is legal.", Why),),
        token="must",
        errors=AT_TABLE | {403},
        query={"action": ACTION},
    ),
    ApiRoute(
        *("GET", f"{TABLE}/links", list_links),
        *("listLinks", "List the links of a table"),
        (Answer("Those that the holder of this key may pass on.", Links),),
        errors=AT_TABLE,
    ),
    ApiRoute(
        *("GET", f"{TABLE}/events", read_events),
        *("readEvents", "Read what happens, line by line"),
        (Answer("A stream without an end.", LINES, MEDIA),),
        token="may",
        errors=AT_TABLE | {403},
        query={"version": VERSION},
    ),
    ApiRoute(
        *("GET", SOCKET, refuse_plain_request),
        *("openSocket", "Open a WebSocket"),
        (Answer("Messages of stream.schema.json, both ways; a `Hello` is the first.", status=101),),
        errors=AT_TABLE | {403, 426},
    ),
)
