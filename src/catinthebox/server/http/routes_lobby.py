"""Routes of the lobby: draw a token, list the open tables, open a table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from ...game import NotUnderstood
from ...protocol.lobby import Invitation, Opened, OpenTable, Tables, Token, read_table
from ...table import AddBot, Sit, Start
from ...table import Command as TableCommand
from ..access.clients import ClientIdentity
from ..access.opener import TableOpener
from ..access.policy import TablePolicy
from ..access.rate_limits import RateLimits
from ..access.tokens import new_token
from ..errors import unknown
from ..live.hub import Hub
from ..live.invitations import Invitations
from ..live.lobby import Lobby
from .responses import JSON, json_response
from .routing import API, Answer, ApiRoute, client_address, required_person
from .schema import Schema


@dataclass(frozen=True)
class LobbyEndpoints:
    """Handlers of the lobby's routes."""

    hub: Hub
    clients: ClientIdentity
    lobby: Lobby
    policy: TablePolicy
    opener: TableOpener
    invitations: Invitations
    rate_limits: RateLimits

    async def draw_token(self, request: Request) -> Response:
        """Draw a random token for a client that cannot draw one itself."""
        if (await request.body()).strip() not in (b"", b"{}"):
            raise NotUnderstood("input.field", "this request takes no fields; send {} or nothing")
        return json_response(Token(new_token(self.hub.chance)), 201)

    async def list_tables(self, request: Request) -> Response:
        """List the open tables."""
        return Response(await self.lobby.tables(), media_type=JSON)

    async def find_table(self, request: Request) -> Response:
        """Answer with the key of the table that a short code is for."""
        key = await self.invitations.key(request.path_params["code"])
        if key is None:
            self.rate_limits.missed(client_address(request))
            raise unknown()
        return json_response(Invitation(key))

    async def open_table(self, request: Request) -> Response:
        """Open a table and carry out the commands that come with it: all of them, or none."""
        who, wanted = required_person(self.clients, request), read_table(await request.body())
        self.policy.check_settings(wanted.settings)
        commands = list(first_commands(wanted))
        for command in commands:
            self.policy.check_command(command)
        id = await self.opener.open(wanted.settings, who, commands, client_address(request))
        async with self.hub.table(id) as live:
            self.hub.seen(live, who)
            links = self.hub.links.links_for(live.table, "play")
            assert links.play is not None
            seat, commitment = live.table.seat_of(who), live.table.commitment
            return json_response(Opened(links.play, seat, commitment, links), 201)


def first_commands(wanted: OpenTable) -> Iterator[TableCommand]:
    """Iterate over the commands that a new table begins with, in order.

    >>> from catinthebox.table import Settings
    >>> from catinthebox.protocol.lobby import WantedBot
    >>> bots = (WantedBot("gentle"), WantedBot("sharp", 0))
    >>> list(first_commands(OpenTable(Settings(3), "Ada", bots=bots)))[1:]
    [AddBot(seat=2, level='gentle'), AddBot(seat=0, level='sharp')]
    """
    if wanted.name is None and (wanted.seat is not None or wanted.nonce):
        raise NotUnderstood("input.field", "a seat and a nonce need a name")
    taken = [bot.seat for bot in wanted.bots if bot.seat is not None]
    taken += [wanted.seat] if wanted.seat is not None else []
    if len(set(taken)) < len(taken):
        raise NotUnderstood("input.seat", "two people or bots have the same seat")
    free = (seat for seat in range(wanted.settings.players) if seat not in taken)
    if wanted.name is not None:
        yield Sit(wanted.name, _seat(wanted.seat, free), wanted.nonce)
    for bot in wanted.bots:
        yield AddBot(_seat(bot.seat, free), bot.level)
    if wanted.start:
        yield Start()


def _seat(wanted: int | None, free: Iterator[int]) -> int:
    seat = next(free, None) if wanted is None else wanted
    if seat is None:
        raise NotUnderstood("input.seat", "there are more people and bots than seats")
    return seat


NOTHING: Final[Schema] = {"type": "object", "additionalProperties": False}
ROUTES: Final = (
    ApiRoute(
        "POST",
        f"{API}/token",
        LobbyEndpoints.draw_token,
        id="drawToken",
        summary="Draw a secret token",
        answers=(Answer("A new token.", Token, status=201),),
        body=NOTHING,
    ),
    ApiRoute(
        "GET",
        f"{API}/tables",
        LobbyEndpoints.list_tables,
        id="listTables",
        summary="List the open tables",
        answers=(Answer("The tables that are public.", Tables),),
        errors=frozenset({503}),
    ),
    ApiRoute(
        "GET",
        f"{API}/codes/{{code}}",
        LobbyEndpoints.find_table,
        id="findTable",
        summary="Find a table by its short code",
        answers=(Answer("The table that is waiting there.", Invitation),),
        errors=frozenset({404, 503}),
    ),
    ApiRoute(
        "POST",
        f"{API}/tables",
        LobbyEndpoints.open_table,
        id="openTable",
        summary="Open a table",
        answers=(Answer("The table is open, and all commands are done.", Opened, status=201),),
        token="must",
        errors=frozenset({409, 503}),
        body=OpenTable,
    ),
)
