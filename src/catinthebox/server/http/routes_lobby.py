"""Routes of the lobby: draw a token, list the open tables, open a table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from ...game import NotUnderstood
from ...protocol.api import Opened, OpenTable, Tables, Token, read_table
from ...table import AddBot, Sit, Start
from ...table import Command as TableCommand
from ..context import ServerContext
from ..live.tokens import fresh
from .responses import JSON, json_response
from .routing import API, Answer, ApiRoute, client_address, required_person
from .schema import Schema


async def draw_token(context: ServerContext, request: Request) -> Response:
    """Draw a random token for a client that cannot draw one itself."""
    if (await request.body()).strip() not in (b"", b"{}"):
        raise NotUnderstood("input.field", "nothing needs to be said here: {}")
    return json_response(Token(fresh(context.hub.chance)), 201)


async def list_tables(context: ServerContext, request: Request) -> Response:
    """List the open tables."""
    return Response(await context.lobby.tables(), media_type=JSON)


async def open_table(context: ServerContext, request: Request) -> Response:
    """Open a table and carry out the commands that come with it: all of them, or none."""
    who, wanted = required_person(context, request), read_table(await request.body())
    context.permit_settings(wanted.settings)
    commands = list(first_commands(wanted))
    for command in commands:
        context.permit(command)
    context.opening(client_address(request))  # counted once nothing else is wrong with it
    id = await context.hub.create(wanted.settings, who, commands, client_address(request))
    context.opened(client_address(request), id)
    async with context.hub.table(id) as live:
        context.hub.seen(live, who)
        links = context.hub.links.told(live.table, "play")
        assert links.play is not None
        seat, commitment = live.table.seat_of(who), live.table.commitment
        return json_response(Opened(links.play, seat, commitment, links), 201)


def first_commands(wanted: OpenTable) -> Iterator[TableCommand]:
    """Iterate over the commands that a new table begins with, in order.

    >>> from catinthebox.table import Settings
    >>> from catinthebox.protocol.api import WantedBot
    >>> bots = (WantedBot("gentle"), WantedBot("sharp", 0))
    >>> list(first_commands(OpenTable(Settings(3), "Ada", bots=bots)))[1:]
    [AddBot(seat=2, level='gentle'), AddBot(seat=0, level='sharp')]
    """
    if wanted.name is None and (wanted.seat is not None or wanted.nonce):
        raise NotUnderstood("input.field", "a seat and a nonce are for those who give a name")
    taken = [bot.seat for bot in wanted.bots if bot.seat is not None]
    taken += [wanted.seat] if wanted.seat is not None else []
    if len(set(taken)) < len(taken):
        raise NotUnderstood("input.seat", "a seat is wanted twice")
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
        raise NotUnderstood("input.seat", "more people and bots than seats")
    return seat


NOTHING: Final[Schema] = {"type": "object", "additionalProperties": False}
ROUTES: Final = (
    ApiRoute(
        *("POST", f"{API}/token", draw_token),
        *("drawToken", "Draw a secret token"),
        (Answer("A new token.", Token, status=201),),
        body=NOTHING,
    ),
    ApiRoute(
        *("GET", f"{API}/tables", list_tables),
        *("listTables", "List the open tables"),
        (Answer("Those that everybody may find.", Tables),),
        errors=frozenset({503}),
    ),
    ApiRoute(
        *("POST", f"{API}/tables", open_table),
        *("openTable", "Open a table"),
        (Answer("It is open, and everything that was wished for is done.", Opened, status=201),),
        token="must",
        errors=frozenset({409, 503}),
        body=OpenTable,
    ),
)
