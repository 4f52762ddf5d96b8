"""Routes of finished games: their records (docs/records.md) and replays.

A replay is a game with all its positions, for clients that know no rules. It is made for the holder
of a game's key, or from a record that a client sends, which is read strictly and not stored.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from json import loads
from time import sleep
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from ...game import Game, NotUnderstood
from ...game.record import read_any, write_json
from ...protocol.codec import encode
from ...protocol.replays import Replayed, ToReplay, read_record
from ...table import Table, record
from ...table.positions import positions
from ..access.rate_limits import RateLimits
from ..access.refusals import RefusalLog
from ..access.tables import TableAccess
from ..errors import Limited, Overloaded
from ..live.finished_games import FinishedGames
from ..live.replays import ReplayKey, Replays, game_key, record_key
from .compression import compressed, compressed_response
from .responses import JSON, PLAIN
from .routing import API, AT_TABLE, Answer, ApiRoute, client_address
from .schema import Schema

GAME: Final = f"{API}/tables/{{key}}/games/{{number}}"
YIELD: Final = 0.0002  # seconds of sleep after each of the 30 to 170 positions of a replay
MAX_GAMES: Final = 9999  # games at a table, far beyond what a log can hold


@dataclass(frozen=True)
class RecordEndpoints:
    """Handlers of the routes of finished games."""

    tables: TableAccess
    finished_games: FinishedGames
    replays: Replays
    rate_limits: RateLimits
    refusals: RefusalLog

    async def read_record_text(self, request: Request) -> Response:
        """Answer with a record as text."""
        with self._rate_limited(request):
            table = await self._finished(request)
        return _file(await asyncio.to_thread(record.write, table), PLAIN, table, "cat")

    async def read_record_json(self, request: Request) -> Response:
        """Answer with a record as JSON."""
        with self._rate_limited(request):
            table = await self._finished(request)
        return _file(await asyncio.to_thread(record.write_json, table), JSON, table, "json")

    async def replay_game(self, request: Request) -> Response:
        """Answer with a finished game, position by position."""

        async def render() -> bytes:
            table = await self._finished(request)
            return await asyncio.to_thread(rendered, record.game_over(table), table.games)

        number = _number(request)
        opens = self.tables.check(request.path_params["key"], client_address(request), number)
        key = game_key(opens.table, number, keyed=opens.purpose != "bare")
        return await self._replay(request, key, render)

    async def replay_record(self, request: Request) -> Response:
        """Answer with the game of a record that the client sends, position by position."""
        given = read_record(await request.body()).record

        async def render() -> bytes:
            return await asyncio.to_thread(lambda: rendered(read_any(given)))

        return await self._replay(request, record_key(given), render)

    async def _finished(self, request: Request) -> Table:
        """Return the table as it was at the end of the game that a request names."""
        key, number = request.path_params["key"], _number(request)
        async with self.tables.open(key, client_address(request), number) as access:
            return await self.finished_games.find(access.live, number)

    async def _replay(
        self, request: Request, key: ReplayKey, render: Callable[[], Awaitable[bytes]]
    ) -> Response:
        with self._rate_limited(request):
            found = await self.replays.get(key, client_address(request), render)
        return compressed_response(found, JSON, request.scope)

    @contextmanager
    def _rate_limited(self, request: Request) -> Iterator[None]:
        """Apply the rate limit on replays, and count the requests that it refuses."""
        try:
            self.rate_limits.replay(client_address(request))
            yield
        except (Limited, Overloaded) as error:
            self.refusals.rejected_by_limit(error, client_address(request))
            raise


def _number(request: Request) -> int:
    text: str = request.path_params["number"]
    if not (text.isascii() and text.isdigit() and len(text) < 5 and not text.startswith("0")):
        raise NotUnderstood("input.query", f"games have numbers from 1 to {MAX_GAMES}")
    return int(text)


def rendered(game: Game, number: int = 1) -> bytes:
    """Return the replay of a game as compressed JSON; to be run in a thread, as it takes long.

    The interpreter takes the lock from a busy thread only after 5 ms, which is as long as two moves
    take. So this one sleeps for a moment after every position, which releases the lock.
    """
    written = []
    for position in positions(game, number):
        written.append(position)
        sleep(YIELD)
    text: dict[str, Any] = loads(write_json(game))
    return compressed(encode(Replayed(text, tuple(written))))


def _file(text: str, media: str, table: Table, ending: str) -> Response:
    name = f"{table.id}-{table.games}.{ending}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, headers=headers, media_type=media)


RECORD: Final[Schema] = {"type": "object", "description": "docs/records.md describes the fields"}
ROUTES: Final = (
    ApiRoute(
        "GET",
        f"{GAME}/record.cat",
        RecordEndpoints.read_record_text,
        id="readRecord",
        summary="Read the record of a finished game as text",
        answers=(Answer("The record as text (docs/records.md).", {"type": "string"}, PLAIN),),
        errors=AT_TABLE | {409},
    ),
    ApiRoute(
        "GET",
        f"{GAME}/record.json",
        RecordEndpoints.read_record_json,
        id="readJsonRecord",
        summary="Read the record of a finished game as JSON",
        answers=(Answer("The record as JSON.", RECORD),),
        errors=AT_TABLE | {409},
    ),
    ApiRoute(
        "GET",
        f"{GAME}/replay.json",
        RecordEndpoints.replay_game,
        id="replayGame",
        summary="Replay a finished game",
        answers=(Answer("The record as JSON, and every position.", Replayed),),
        errors=AT_TABLE | {409},
    ),
    ApiRoute(
        "POST",
        f"{API}/replay",
        RecordEndpoints.replay_record,
        id="replayRecord",
        summary="Replay the game of a record",
        answers=(Answer("The record as JSON, and every position.", Replayed),),
        body=ToReplay,
        errors=frozenset({503}),
    ),
)
