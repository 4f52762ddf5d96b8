"""Tables as they were when a game was over: what records are made from."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable
from typing import Final

from ..table import Entry, Rematched, Table, apply
from ..table.errors import not_now
from ..table.record import game_over
from .live import Live

KEPT: Final = 64  # of them, in memory: what is over does not change


class Ends:
    """Finds the end of every game of a table; `log` reads its whole log."""

    def __init__(self, log: Callable[[str], Awaitable[list[Entry]]]) -> None:
        self._log = log
        self._kept: OrderedDict[tuple[str, int], Table] = OrderedDict()

    async def find(self, live: Live, number: int) -> Table:
        """Give a table as it was when a game was over; an error if it is not over."""
        if number == live.table.games:
            game_over(live.table)
            return live.table
        if not 1 <= number < live.table.games:
            raise not_now("table.not_begun", f"there is no game {number} at this table")
        key = live.id, number
        if key not in self._kept:
            log = await self._log(live.id)
            self._kept[key] = await asyncio.to_thread(end_of_game, log, number)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return self._kept[key]


def end_of_game(log: Iterable[Entry], number: int) -> Table:
    """Replay a log up to the end of a game that another one follows."""
    table: Table | None = None
    for entry in log:
        if table is not None and isinstance(entry.event, Rematched) and table.games == number:
            return table
        table = apply(table, entry)
    raise AssertionError("no other game has begun")
