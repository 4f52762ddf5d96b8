"""Before there is a table: a token, the open tables, and opening another one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from ..game import NotUnderstood
from ..table import AddBot, Sit, Start
from ..table import Command as TableCommand
from .answers import JSON, said
from .doors import API, Door, address, somebody
from .edge import Edge
from .who import fresh
from .wire import Opened, OpenTable, Token, read_table


async def token(edge: Edge, request: Request) -> Response:
    """Draw a token for somebody who cannot."""
    if (await request.body()).strip() not in (b"", b"{}"):
        raise NotUnderstood("input.field", "nothing needs to be said here: {}")
    return said(Token(fresh(edge.hub.chance)), 201)


# ── The list ─────────────────────────────────────────────────────────────────────────────────


async def tables(edge: Edge, request: Request) -> Response:
    """List the open tables."""
    return Response(await edge.lobby.tables(), media_type=JSON)


# ── A new table ──────────────────────────────────────────────────────────────────────────────


async def open_table(edge: Edge, request: Request) -> Response:
    """Open a table, with everything that was wished for or not at all."""
    who, wanted = somebody(edge, request), read_table(await request.body())
    edge.permit_settings(wanted.settings)
    wishes = list(wishes_of(wanted))
    for wish in wishes:
        edge.permit(wish)
    edge.opening(address(request))  # counted once nothing else is wrong with it
    id = await edge.hub.create(wanted.settings, who, wishes, address(request))
    edge.opened(address(request), id)
    async with edge.hub.table(id) as live:
        edge.hub.errands.seen(live, who)
        links = edge.hub.links.told(live.table, "play")
        assert links.play is not None
        seat, commitment = live.table.seat_of(who), live.table.commitment
        return said(Opened(links.play, seat, commitment, links), 201)


def wishes_of(wanted: OpenTable) -> Iterator[TableCommand]:
    """Give what is to be done at a new table, in order.

    >>> from catinthebox.table import Settings
    >>> from catinthebox.server.wire import WantedBot
    >>> bots = (WantedBot("gentle"), WantedBot("sharp", 0))
    >>> list(wishes_of(OpenTable(Settings(3), "Ada", bots=bots)))[1:]
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


DOORS: Final = (
    Door(f"{API}/token", {"POST": token}),
    Door(f"{API}/tables", {"GET": tables, "POST": open_table}),
)
