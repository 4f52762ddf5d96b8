"""From the key in a link to the table that it opens."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final

from ...game import CatInTheBoxError
from ..errors import unknown
from ..live.hub import Hub
from ..live.links import Access, Opens, admitted
from .rate_limits import RateLimits

KEY: Final = re.compile(r"[A-Za-z0-9-][A-Za-z0-9_-]{0,63}", re.ASCII)


class TableAccess:
    """Opens tables by their keys.

    A wrong key, a bare id and a table that does not exist are answered alike, and each is counted
    against the client's address: guessing is slow.
    """

    def __init__(self, hub: Hub, rate_limits: RateLimits) -> None:
        self._hub = hub
        self._rate_limits = rate_limits

    @asynccontextmanager
    async def open(self, key: str, address: str, game: int | None = None) -> AsyncIterator[Access]:
        """Hold the table of a key in memory; the key of a game's replay opens that game only."""
        async with AsyncExitStack() as stack:
            try:
                opens = self._read(key, game)
                live = await stack.enter_async_context(self._hub.table(opens.table))
                access = admitted(live, opens.purpose)
            except CatInTheBoxError as error:
                if error.code == "table.unknown":
                    self._rate_limits.missed(address)
                raise
            yield access

    def check(self, key: str, address: str, game: int) -> Opens:
        """Return what a key opens, without loading the table.

        An id without a code may still be wrong: only the table knows whether it has keys.
        """
        try:
            return self._read(key, game)
        except CatInTheBoxError:
            self._rate_limits.missed(address)
            raise

    def _read(self, key: str, game: int | None) -> Opens:
        """Read a key; a wrong one is refused without asking the store."""
        opens = self._hub.links.read(key, game) if KEY.fullmatch(key) else None
        if opens is None:
            raise unknown()
        return opens
