"""Replays of finished games: rendered once, kept, and never at the expense of those who play.

Rendering a replay is tens of milliseconds of pure Python, far more than a move. So finished replays
are kept in a cache; many who ask for the same one at once wait for one rendering; one is rendered
at a time, and the renderer then rests as long as it worked; and only a few wait for it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from hashlib import sha256
from typing import Final, TypeAlias

from ..errors import Limited, Overloaded
from ..ops.limits import Limits
from ..ops.throttling import HeldCount
from ..single_flight import LruCache, SingleFlight

ReplayKey: TypeAlias = str
"""What a replay is kept under: one key never stands for two different replays."""
REST_S: Final = 5.0  # at most: a store that hangs is no work


def game_key(table: str, number: int, *, keyed: bool = True) -> ReplayKey:
    """Return the key of a table's game that is over; it does not change any more.

    What was asked for with a key of a link (`keyed`) is not found by the table's id alone.
    """
    return f"{'game' if keyed else 'bare'} {table} {number}"


def record_key(record: str) -> ReplayKey:
    """Return the key of a record that somebody brought along: the hash of its text."""
    return f"record {sha256(record.encode()).hexdigest()}"


class Replays:
    """Renders replays, few at a time, and keeps them packed (gzip)."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._cache = LruCache[ReplayKey, bytes](limits.replays_bytes, cost=len)
        self._rendering = SingleFlight[ReplayKey, bytes]()
        self._held = HeldCount[str](limits.replays_per_address, limits.replays_waiting)
        self._renderer = asyncio.Semaphore(1)

    async def get(
        self, key: ReplayKey, address: str, render: Callable[[], Awaitable[bytes]]
    ) -> bytes:
        """Return a packed replay: the one that is kept, or what `render` makes of it now.

        An error of `render` is raised to all who wait for it, and is not kept.
        """
        kept = self._cache.get(key)
        if kept is not None:
            return kept
        if key not in self._rendering:
            self._enter(address)
        return await self._rendering.result(key, partial(self._render, key, address, render))

    def _enter(self, address: str) -> None:
        """Count a replay that is to be rendered, unless too many wait already."""
        wait = self._limits.retry_after_s
        if self._held.full:
            raise Overloaded("too many replays are being made just now", wait)
        if not self._held.enter(address):
            raise Limited("limit.replays", "other replays for this address are being made", wait)

    async def _render(
        self, key: ReplayKey, address: str, render: Callable[[], Awaitable[bytes]]
    ) -> bytes:
        """Render a replay as soon as it is its turn."""
        try:
            async with self._renderer_free():
                rendered = await render()
        finally:
            self._held.leave(address)
        self._cache.put(key, rendered)
        return rendered

    @asynccontextmanager
    async def _renderer_free(self) -> AsyncIterator[None]:
        """Wait for the renderer. It then rests as long as it worked: half of the time is left."""
        await self._renderer.acquire()
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            yield
        finally:
            loop.call_later(min(loop.time() - began, REST_S), self._renderer.release)
