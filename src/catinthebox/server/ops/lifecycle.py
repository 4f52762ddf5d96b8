"""Whether a server is starting, running or closing, and how it closes."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from ..live.connection import ConnectionMonitor
from ..live.hub import Hub


class Lifecycle:
    """The state of a server; `closing_s` is how many seconds it may take to close."""

    def __init__(self, hub: Hub, monitor: ConnectionMonitor, closing_s: float) -> None:
        self.started = False
        self.closing = False
        self._hub = hub
        self._monitor = monitor
        self._closing_s = closing_s

    async def close(self) -> None:
        """Accept no new connection, finish running commands, and end all connections, in time."""
        if self.closing:
            return
        self.closing = True
        with suppress(TimeoutError):  # a store that hangs does not delay the rest
            async with asyncio.timeout(self._closing_s / 3):
                await self._hub.close()
        await self._monitor.end_all(self._closing_s / 4)
