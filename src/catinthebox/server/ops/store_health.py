"""Whether the store can be read and written, as it was a moment ago."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Final

from ...store import Store, StoreError
from ..live.deal_secret import GAME
from ..single_flight import FreshValue, SingleFlight

FRESH_S: Final = 1.0  # how old an answer may be
PATIENCE: Final = 2.0  # seconds in which a store that is well answers


class StoreHealth:
    """Asks a store something small, at most once in a while, however many want to know."""

    def __init__(
        self,
        store: Store,
        clock: Callable[[], float],
        changed: Callable[[bool], None] = lambda _: None,
    ) -> None:
        """`changed` is called with False when the store begins to fail, with True after that."""
        self._store = store
        self._changed = changed
        self._well = True  # until it was asked
        self._latest = FreshValue(self._look, clock, FRESH_S)
        self._asking = SingleFlight[None, None]()

    async def beats(self) -> bool:
        """Say whether the store is well."""
        return await self._latest.get()

    async def _look(self) -> bool:
        before, self._well = self._well, await self._answers()
        if self._well != before:
            self._changed(self._well)
        return self._well

    async def _answers(self) -> bool:
        """Say whether the store answers in time.

        One that hangs is asked once: every question holds a thread for as long as it hangs.
        """
        try:
            async with asyncio.timeout(PATIENCE):
                await self._asking.result(None, partial(asyncio.to_thread, self._ask))
        except (StoreError, TimeoutError):
            return False
        return True

    def _ask(self) -> None:
        """Read, and make a commit: a full disk can be read, and a deleted file, too."""
        self._store.last(GAME)
        self._store.probe().result()
