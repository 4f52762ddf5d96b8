"""Finished games, for everybody who knows the table: records (docs/records.md), and films of them.

A film is a game with all its positions, for clients that know no rules. A record that somebody
brings along becomes one, too; it is read strictly and kept nowhere.
"""

from __future__ import annotations

import asyncio
from json import loads
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Scope

from ..game import Game, NotUnderstood
from ..game.record import read_any, write_json
from ..table import Table, record
from ..table.film import film
from .answers import JSON
from .doors import API, Door, address
from .edge import Edge
from .packed import answer
from .wire import Replayed, encode, read_record

GAME: Final = f"{API}/tables/{{id}}/games/{{number}}"
MOST: Final = 9999  # games at a table, far beyond what a log can hold


async def _end(edge: Edge, request: Request) -> Table:
    text: str = request.path_params["number"]
    if not (text.isascii() and text.isdigit() and len(text) < 5 and not text.startswith("0")):
        raise NotUnderstood("input.query", f"games are counted from 1 to {MOST}")
    async with edge.table(request.path_params["id"], address(request)) as live:
        return await edge.ends.find(live, int(text))


async def cat(edge: Edge, request: Request) -> Response:
    """Give the record as people read it."""
    table = await _end(edge, request)
    return _file(await asyncio.to_thread(record.write, table), "text/plain", table, "cat")


async def json(edge: Edge, request: Request) -> Response:
    """Give the record as programs read it."""
    table = await _end(edge, request)
    return _file(await asyncio.to_thread(record.write_json, table), JSON, table, "json")


async def replay(edge: Edge, request: Request) -> Response:
    """Give the game position by position."""
    table = await _end(edge, request)
    return await _film(request, record.game_over(table), table.games)


async def replay_record(edge: Edge, request: Request) -> Response:
    """Give a game position by position that somebody has a record of."""
    brought = read_record(await request.body())
    return await _film(request, await asyncio.to_thread(read_any, brought.record))


async def _film(request: Request, game: Game, number: int = 1) -> Response:
    return await asyncio.to_thread(_replayed, request.scope, game, number)


def _replayed(scope: Scope, game: Game, number: int) -> Response:
    told: dict[str, Any] = loads(write_json(game))
    return answer(encode(Replayed(told, tuple(film(game, number)))), JSON, scope)


def _file(text: str, media: str, table: Table, ending: str) -> Response:
    name = f"{table.id}-{table.games}.{ending}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, headers=headers, media_type=media)


DOORS: Final = (
    Door(f"{GAME}/record.cat", {"GET": cat}),
    Door(f"{GAME}/record.json", {"GET": json}),
    Door(f"{GAME}/replay.json", {"GET": replay}),
    Door(f"{API}/replay", {"POST": replay_record}),
)
