"""Finished games, for the holders of their keys: records (docs/records.md), and films of them.

A film is a game with all its positions, for clients that know no rules. A record that somebody
brings along becomes one, too; it is read strictly and kept nowhere.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from json import loads
from time import sleep
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from ..game import Game, NotUnderstood
from ..game.record import read_any, write_json
from ..table import Table, record
from ..table.film import film
from .answers import JSON
from .doors import API, Door, address
from .edge import Edge
from .errors import Limited, Overloaded
from .packed import answer, packed
from .replays import Key, game_key, record_key
from .wire import Replayed, encode, read_record

GAME: Final = f"{API}/tables/{{key}}/games/{{number}}"
YIELD: Final = (
    0.0002  # seconds that rendering sleeps after each position, of which it has 30 to 170
)
MOST: Final = 9999  # games at a table, far beyond what a log can hold


def _number(request: Request) -> int:
    text: str = request.path_params["number"]
    if not (text.isascii() and text.isdigit() and len(text) < 5 and not text.startswith("0")):
        raise NotUnderstood("input.query", f"games are counted from 1 to {MOST}")
    return int(text)


async def _end(edge: Edge, request: Request) -> Table:
    key, number = request.path_params["key"], _number(request)
    async with edge.table(key, address(request), number) as access:
        return await edge.ends.find(access.live, number)


async def cat(edge: Edge, request: Request) -> Response:
    """Give the record as people read it."""
    with _metered(edge, request):
        table = await _end(edge, request)
    return _file(await asyncio.to_thread(record.write, table), "text/plain", table, "cat")


async def json(edge: Edge, request: Request) -> Response:
    """Give the record as programs read it."""
    with _metered(edge, request):
        table = await _end(edge, request)
    return _file(await asyncio.to_thread(record.write_json, table), JSON, table, "json")


async def replay(edge: Edge, request: Request) -> Response:
    """Give the game position by position."""

    async def render() -> bytes:
        table = await _end(edge, request)
        return await asyncio.to_thread(rendered, record.game_over(table), table.games)

    number = _number(request)
    opens = edge.opens(request.path_params["key"], address(request), number)
    key = game_key(opens.table, number, keyed=opens.purpose != "bare")
    return await _replay(edge, request, key, render)


async def replay_record(edge: Edge, request: Request) -> Response:
    """Give a game position by position that somebody has a record of."""
    brought = read_record(await request.body()).record

    async def render() -> bytes:
        return await asyncio.to_thread(lambda: rendered(read_any(brought)))

    return await _replay(edge, request, record_key(brought), render)


async def _replay(
    edge: Edge, request: Request, key: Key, render: Callable[[], Awaitable[bytes]]
) -> Response:
    with _metered(edge, request):
        found = await edge.replays.get(key, address(request), render)
    return answer(found, JSON, request.scope)


@contextmanager
def _metered(edge: Edge, request: Request) -> Iterator[None]:
    """Keep to the limits on finished games, and count those who are told to wait."""
    try:
        edge.books.replay(address(request))
        yield
    except (Limited, Overloaded) as error:
        edge.turn_away(error, address(request))
        raise


def rendered(game: Game, number: int = 1) -> bytes:
    """Write every position of a game, packed; for a thread, as it takes tens of milliseconds.

    Threads share one processor, and the interpreter takes it from a busy one only after 5 ms, which
    is as long as two moves take. So this one gives it up after every position.
    """
    positions = []
    for position in film(game, number):
        positions.append(position)
        sleep(YIELD)
    told: dict[str, Any] = loads(write_json(game))
    return packed(encode(Replayed(told, tuple(positions))))


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
