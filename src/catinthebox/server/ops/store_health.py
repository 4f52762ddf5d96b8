"""The health check of the store: whether it can be read and written."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Final

from ...store import Store, StoreError
from ..live.deal_secret import GAME
from ..single_flight import FreshValue, SingleFlight

FRESH_S: Final = 1.0  # for which a result is used again
TIMEOUT_S: Final = 2.0  # after which a store that has not answered is unavailable


class StoreHealth:
    """Checks a store with a small read and write, at most once in `FRESH_S` for all callers."""

    def __init__(
        self,
        store: Store,
        clock: Callable[[], float],
        changed: Callable[[bool], None] = lambda _: None,
    ) -> None:
        """`changed` is called with False when the store begins to fail, with True when it works."""
        self._store = store
        self._changed = changed
        self._available = True  # until the first check
        self._latest = FreshValue(self._check, clock, FRESH_S)
        self._probing = SingleFlight[None, None]()

    async def available(self) -> bool:
        """Return whether the store can be read and written."""
        return await self._latest.get()

    async def _check(self) -> bool:
        before, self._available = self._available, await self._answers()
        if self._available != before:
            self._changed(self._available)
        return self._available

    async def _answers(self) -> bool:
        """Return whether the store answers in time.

        One that hangs is probed only once: every probe holds a thread for as long as it hangs.
        """
        try:
            async with asyncio.timeout(TIMEOUT_S):
                await self._probing.result(None, partial(asyncio.to_thread, self._probe))
        except (StoreError, TimeoutError):
            return False
        return True

    def _probe(self) -> None:
        """Read and commit: a full disk, or a deleted file, can still be read."""
        self._store.last(GAME)
        self._store.probe().result()
