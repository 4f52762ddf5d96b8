"""Tables as they were when a game was over: what records are made from."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable
from typing import Final, TypeAlias

from ...table import Entry, Rematched, Table, apply
from ...table.errors import not_now
from ...table.record import game_over
from ..errors import hide_log_errors
from .live_table import LiveTable

KEPT: Final = 64  # of them, in memory: what is over does not change
AT_ONCE: Final = 1  # logs that are replayed: it is long work, and threads share one processor

GameKey: TypeAlias = tuple[str, int]  # a table, and the number of a game


class FinishedGames:
    """Finds the end of every game of a table; `log` reads its whole log.

    Many who ask for the same game at once are one question, and those that nobody has asked for
    in the longest time are forgotten first.
    """

    def __init__(self, log: Callable[[str], Awaitable[list[Entry]]]) -> None:
        self._log = log
        self._kept: OrderedDict[GameKey, Table] = OrderedDict()
        self._looking: dict[GameKey, asyncio.Task[Table]] = {}
        self._room = asyncio.Semaphore(AT_ONCE)

    async def find(self, live: LiveTable, number: int) -> Table:
        """Return a table as it was when a game was over; an error if it is not over."""
        if number == live.table.games:
            game_over(live.table)
            return live.table
        if not 1 <= number < live.table.games:
            raise not_now("table.not_begun", f"there is no game {number} at this table")
        key = live.id, number
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        return await asyncio.shield(self._question(key))

    def _question(self, key: GameKey) -> asyncio.Task[Table]:
        """Look, or wait for whoever looks already; it goes on if those who asked have gone."""
        looking = self._looking.get(key)
        if looking is None:
            looking = self._looking[key] = asyncio.create_task(self._look(key))
            looking.add_done_callback(lambda _: self._looking.pop(key))
        return looking

    async def _look(self, key: GameKey) -> Table:
        id, number = key
        async with self._room:
            log = await self._log(id)
            with hide_log_errors():
                table = await asyncio.to_thread(end_of_game, log, number)
        self._kept[key] = table
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return table


def end_of_game(log: Iterable[Entry], number: int) -> Table:
    """Replay a log up to the end of a game that another one follows."""
    table: Table | None = None
    for entry in log:
        if table is not None and isinstance(entry.event, Rematched) and table.games == number:
            return table
        table = apply(table, entry)
    raise AssertionError("no other game has begun")
