"""Tables as they were when a game was over: what records are made from."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import Final, TypeAlias

from ...table import Entry, Rematched, Table, apply
from ...table.errors import not_now
from ...table.record import game_over
from ..errors import hide_log_errors
from ..single_flight import LruCache, SingleFlight
from .live_table import LiveTable

KEPT: Final = 64  # of them, in memory: what is over does not change
AT_ONCE: Final = 1  # logs that are replayed: it is long work, and threads share one processor

GameKey: TypeAlias = tuple[str, int]  # a table, and the number of a game


class FinishedGames:
    """Finds the end of every game of a table; `log` reads its whole log."""

    def __init__(self, log: Callable[[str], Awaitable[list[Entry]]]) -> None:
        self._log = log
        self._kept = LruCache[GameKey, Table](KEPT)
        self._looking = SingleFlight[GameKey, Table]()
        self._room = asyncio.Semaphore(AT_ONCE)

    async def find(self, live: LiveTable, number: int) -> Table:
        """Return a table as it was when a game was over; an error if it is not over."""
        if number == live.table.games:
            game_over(live.table)
            return live.table
        if not 1 <= number < live.table.games:
            raise not_now("table.not_begun", f"there is no game {number} at this table")
        key = live.id, number
        kept = self._kept.get(key)
        if kept is not None:
            return kept
        return await self._looking.result(key, partial(self._look, key))

    async def _look(self, key: GameKey) -> Table:
        id, number = key
        async with self._room:
            log = await self._log(id)
            with hide_log_errors():
                table = await asyncio.to_thread(end_of_game, log, number)
        self._kept.put(key, table)
        return table


def end_of_game(log: Iterable[Entry], number: int) -> Table:
    """Replay a log up to the end of a game that another one follows."""
    table: Table | None = None
    for entry in log:
        if table is not None and isinstance(entry.event, Rematched) and table.games == number:
            return table
        table = apply(table, entry)
    raise AssertionError("no other game has begun")
