"""Opens tables, within the limits of the server and of each address."""

from __future__ import annotations

from collections.abc import Sequence

from ...table import Command, Settings
from ..errors import Limited, Overloaded
from ..live.hub import Hub
from ..ops.limits import Limits
from ..ops.logs import Logs
from .rate_limits import RateLimits


class TableOpener:
    """Opens tables within the limits, and remembers which address opened which."""

    def __init__(self, hub: Hub, limits: Limits, rate_limits: RateLimits, logs: Logs) -> None:
        self._hub = hub
        self._limits = limits
        self._rate_limits = rate_limits
        self._logs = logs
        self._opened: dict[str, set[str]] = {}  # tables by the address that opened them

    async def open(
        self, settings: Settings, host: str, commands: Sequence[Command], address: str
    ) -> str:
        """Open a table and carry out its host's first commands, all or none; return its id."""
        self._check(address)
        id = await self._hub.create(settings, host, commands, address)
        if len(self._opened) >= self._limits.buckets:
            self._opened.clear()  # too many addresses to count their tables
        self._opened.setdefault(address, set()).add(id)
        self._logs.info("table_opened", table=id)
        return id

    def _check(self, address: str) -> None:
        """Refuse another table if the server, or this address, has too many."""
        wait, tables = self._limits.retry_after_s, self._hub.tables.values()
        if len(tables) >= self._limits.tables and not any(live.unused for live in tables):
            raise Overloaded("this server has too many tables just now", wait)
        active = {id for id in self._opened.pop(address, ()) if self._is_active(id)}
        if active:
            self._opened[address] = active
        if len(active) >= self._limits.tables_per_address:
            raise Limited("limit.tables", "too many tables of this address are in use", wait)
        self._rate_limits.table(address)

    def _is_active(self, id: str) -> bool:
        """Whether a table is in memory, as all tables in use are, and not over."""
        live = self._hub.tables.get(id)
        return live is not None and live.table.stage not in ("over", "closed")
