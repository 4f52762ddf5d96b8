"""Whether the store can be read and written, as it was a moment ago."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from ...store import Store, StoreError
from ..live.deal_secret import GAME

FRESH_S: Final = 1.0  # how old an answer may be
PATIENCE: Final = 2.0  # seconds in which a store that is well answers


class StoreHealth:
    """Asks a store something small now and then; many who want to know at once are one question."""

    def __init__(
        self,
        store: Store,
        clock: Callable[[], float],
        changed: Callable[[bool], None] = lambda _: None,
    ) -> None:
        """`changed` is called with False when the store begins to fail, with True after that."""
        self._store = store
        self._clock = clock
        self._changed = changed
        self._well = True  # until it was asked
        self._until = float("-inf")
        self._asking = asyncio.Lock()
        self._question: asyncio.Task[None] | None = None

    async def beats(self) -> bool:
        """Say whether the store is well."""
        async with self._asking:
            if self._clock() >= self._until:
                before, self._well = self._well, await self._answered()
                self._until = self._clock() + FRESH_S
                if self._well != before:
                    self._changed(self._well)
        return self._well

    def _ask(self) -> None:
        """Read, and make a commit: a full disk can be read, and a deleted file, too."""
        self._store.last(GAME)
        self._store.probe().result()

    async def _answered(self) -> bool:
        # A store that hangs is asked once: every question holds a thread for as long as it hangs.
        if self._question is None:
            self._question = asyncio.create_task(asyncio.to_thread(self._ask))
        question = self._question
        if not (await asyncio.wait({question}, timeout=PATIENCE))[0]:
            return False
        self._question = None
        try:
            await question
        except StoreError:
            return False
        return True
