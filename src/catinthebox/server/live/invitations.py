"""Short codes: what people type to come to a table whose game has not begun yet.

A code is computed from the id of its table (`links.py`), so nothing is stored, and every worker
knows all of them: the index of the store lists the tables that are waiting.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Final

from msgspec import MsgspecError

from ...store import IndexEntry, Store, StoreError
from ...store.protocol import PAGE
from ..errors import Unavailable
from ..single_flight import FreshValue
from . import lobby_index
from .links import LinkKeys

FRESH_S: Final = 1.0  # how old the list of codes may be


class Invitations:
    """Finds tables by their short codes; `waiting` asks the store which there are.

    `links` gives the keys of the store, which are known once it is in use.
    """

    def __init__(
        self, store: Store, clock: Callable[[], float], links: Callable[[], LinkKeys]
    ) -> None:
        self.waiting = FreshValue(self._look, clock, FRESH_S)
        self._store = store
        self._links = links

    async def key(self, code: str) -> str | None:
        """Return the key to play at the table with a code; None if there is none.

        Two tables with the same code are very unlikely; then it opens neither of them.
        """
        tables = (await self.waiting.get()).get(code.upper(), ())
        return self._links().play(tables[0]) if len(tables) == 1 else None

    async def _look(self) -> dict[str, tuple[str, ...]]:
        try:
            return await asyncio.to_thread(self._read)
        except StoreError as error:
            raise Unavailable("the games cannot be read just now") from error

    def _read(self) -> dict[str, tuple[str, ...]]:
        codes: dict[str, tuple[str, ...]] = {}
        for state in (lobby_index.OPEN, lobby_index.WAITING):
            for entry in filter(_waits, self._entries(state)):
                code = self._links().short_code(entry.game)
                codes[code] = (*codes.get(code, ()), entry.game)
        return codes

    def _entries(self, state: str) -> Iterator[IndexEntry]:
        page = self._store.games(state)
        yield from page
        while len(page) == PAGE:
            page = self._store.games(state, after=page[-1].game)
            yield from page


def _waits(entry: IndexEntry) -> bool:
    """Whether a table is waiting; an entry that cannot be read is left out."""
    try:
        return lobby_index.waits(entry.about)
    except MsgspecError:
        return False
