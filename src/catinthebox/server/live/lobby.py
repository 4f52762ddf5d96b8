"""The open tables as they were a moment ago."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from msgspec import MsgspecError

from ...protocol.codec import encode
from ...protocol.lobby import Listed, Tables
from ...store import IndexEntry, Store, StoreError
from ..errors import Unavailable
from ..single_flight import FreshValue
from . import lobby_index

FRESH_S: Final = 1.0  # how old a list may be


class Lobby:
    """Lists the open tables by the index of a store; `latest` asks the store.

    `link` gives the key by which anybody may join a table, by its id and whether it has keys.
    """

    def __init__(
        self, store: Store, clock: Callable[[], float], link: Callable[[str, bool], str]
    ) -> None:
        self.latest = FreshValue(self._look, clock, FRESH_S)
        self._store = store
        self._link = link

    async def tables(self) -> bytes:
        """Return the list, as it is sent."""
        return await self.latest.get()

    async def _look(self) -> bytes:
        try:
            return await asyncio.to_thread(self._read)
        except StoreError as error:
            raise Unavailable("the games cannot be read just now") from error

    def _read(self) -> bytes:
        found = [self._listed(entry) for entry in self._store.games(lobby_index.OPEN)]
        return encode(Tables(tuple(table for table in found if table is not None)))

    def _listed(self, entry: IndexEntry) -> Listed | None:
        """Read an entry; None if it cannot be read, for the others can."""
        try:
            return lobby_index.listed(entry.game, entry.about, self._link)
        except MsgspecError:
            return None
