"""Routes of one table: its snapshot, commands, links, and its stream of messages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from ...game import Action, CatInTheBoxError, NotUnderstood
from ...protocol.commands import CommandBody, read_command
from ...protocol.fields import schema_of
from ...protocol.lobby import Links
from ...protocol.messages import Done, Snapshot, Why
from ...protocol.stream import readable_id
from ..access.clients import ClientIdentity
from ..access.commands import CommandRunner
from ..access.refusals import RefusalLog
from ..access.tables import TableAccess
from ..errors import Unavailable
from ..live.hub import Hub
from ..live.outbox import Outbox
from ..transport.ndjson import MEDIA, NdjsonTransport, Stream
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


@dataclass(frozen=True)
class TableEndpoints:
    """Handlers of the routes of one table."""

    hub: Hub
    clients: ClientIdentity
    tables: TableAccess
    commands: CommandRunner
    refusals: RefusalLog
    streams: NdjsonTransport

    async def get_snapshot(self, request: Request) -> Response:
        """Answer with everything that the requester may know of a table."""
        who = optional_person(self.clients, request)
        async with self.tables.open(_key(request), client_address(request)) as access:
            live, outbox = access.live, Outbox(access.person(who))
            await self.hub.refresh(live)
            live.admit(outbox)
            self.hub.seen(live, outbox.who)
            return Response(live.broadcaster.snapshot(outbox.audience), media_type=JSON)

    async def send_command(self, request: Request) -> Response:
        """Carry a command out."""
        who, body = required_person(self.clients, request), await request.body()
        try:
            sent = read_command(body)
        except NotUnderstood as error:
            self.refusals.command(error, client_address(request))
            return error_response(error, readable_id(body))
        try:
            return await self._carry_out(request, who, sent)
        except (CatInTheBoxError, Unavailable) as error:
            self.refusals.command(error, client_address(request))
            return error_response(error, sent.id)

    async def _carry_out(self, request: Request, who: str, sent: CommandBody) -> Response:
        address = client_address(request)
        async with self.tables.open(_key(request), address) as access:
            done = await self.commands.run(access, who, address, sent.id, sent.command)
            self.hub.seen(access.live, who)
        return json_response(done)

    async def ask_why(self, request: Request) -> Response:
        """Answer why an action is not legal now."""
        who, address = required_person(self.clients, request), client_address(request)
        text = request.query_params.get("action")
        if text is None:
            raise NotUnderstood("input.query", "action is missing: ?action=5b")
        async with self.tables.open(_key(request), address) as access:
            why = self.commands.why(access.live, access.person(who), address, Action(text))
            return json_response(why)

    async def list_links(self, request: Request) -> Response:
        """List the links that the holder of a key may share."""
        async with self.tables.open(_key(request), client_address(request)) as access:
            await self.hub.refresh(access.live)
            return json_response(self.hub.links.links_for(access.live.table, access.purpose))

    async def read_events(self, request: Request) -> Response:
        """Stream everything that happens, for as long as the client reads."""
        who, version = optional_person(self.clients, request), query_number(request, "version")
        if request.method == "HEAD":
            return Response(media_type=MEDIA)
        return Stream(self.streams, _key(request), who, client_address(request), version)

    async def refuse_plain_request(self, request: Request) -> Response:
        """Refuse a request at the path of the WebSocket that does not ask for an upgrade."""
        headers = {"Upgrade": "websocket", "Connection": "Upgrade"}
        raise HttpError(426, "http.upgrade", "this path is a WebSocket", headers)


def _key(request: Request) -> str:
    key: str = request.path_params["key"]
    return key


NDJSON: Final[Schema] = {
    "type": "string",
    "description": "a `FromServer` of stream.schema.json on each line",
}
VERSION: Final[Schema] = {
    "description": "the last version that the client has; later frames are sent again",
    "schema": {"type": "integer", "minimum": 0, "maximum": 10**15 - 1},
}
ACTION: Final[Schema] = {"required": True, "schema": schema_of(Action)}

ROUTES: Final = (
    ApiRoute(
        "GET",
        TABLE,
        TableEndpoints.get_snapshot,
        id="showTable",
        summary="Get a snapshot of a table",
        answers=(Answer("Everything that this client may know.", Snapshot),),
        token="may",
        errors=AT_TABLE | {403},
    ),
    ApiRoute(
        "POST",
        f"{TABLE}/commands",
        TableEndpoints.send_command,
        id="sendCommand",
        summary="Send a command",
        answers=(
            Answer("The command is done, now or by an earlier request with the same id.", Done),
        ),
        token="must",
        errors=AT_TABLE | {409},
        body=CommandBody,
    ),
    ApiRoute(
        "GET",
        f"{TABLE}/why",
        TableEndpoints.ask_why,
        id="askWhy",
        summary="Ask why an action is not legal now",
        answers=(Answer("The reason; empty if the action is legal.", Why),),
        token="must",
        errors=AT_TABLE | {403},
        query={"action": ACTION},
    ),
    ApiRoute(
        "GET",
        f"{TABLE}/links",
        TableEndpoints.list_links,
        id="listLinks",
        summary="List the links of a table",
        answers=(Answer("The links that the holder of this key may share.", Links),),
        errors=AT_TABLE,
    ),
    ApiRoute(
        "GET",
        f"{TABLE}/events",
        TableEndpoints.read_events,
        id="readEvents",
        summary="Read the stream as NDJSON",
        answers=(Answer("One message on each line, without an end.", NDJSON, MEDIA),),
        token="may",
        errors=AT_TABLE | {403},
        query={"version": VERSION},
    ),
    ApiRoute(
        "GET",
        SOCKET,
        TableEndpoints.refuse_plain_request,
        id="openSocket",
        summary="Open a WebSocket",
        answers=(
            Answer(
                "Messages of stream.schema.json in both directions; the first one is a `Hello`.",
                status=101,
            ),
        ),
        errors=AT_TABLE | {403, 426},
    ),
)
