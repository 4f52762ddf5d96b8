"""What a hub reports about its tables, and to whom.

A hub decides, stores and broadcasts. Everything that follows from that without a request (timers,
bots' moves, presence) is the work of a listener: the `Scheduler`. All methods return at once.
"""

from __future__ import annotations

from typing import TypeAlias

from ...table import Table
from .live_table import LiveTable

Plans: TypeAlias = dict[str, int | None]
"""Entries for the work list of the store: a key, and when it is due; None removes it."""


class TableListener:
    """Ignores every report; subclasses override what they need."""

    def open(self) -> None:
        """React to the start of the hub."""

    async def close(self) -> None:
        """Stop all work before the hub closes."""

    def plans(self, live: LiveTable, after: Table) -> Plans:
        """Return what to put on the work list in the commit that leads to the table `after`."""
        return {}

    def loaded(self, live: LiveTable) -> None:
        """React to a table that was read from its log."""

    def changed(self, live: LiveTable, stored: Plans | None) -> None:
        """React to new events; `stored` are the plans of their commit.

        None means that another process made the change.
        """

    def dropped(self, live: LiveTable) -> None:
        """React to a table that leaves the memory."""

    def connected(self, live: LiveTable, who: str) -> None:
        """React to a new connection of a person."""

    def disconnected(self, live: LiveTable, who: str) -> None:
        """React to the end of a connection."""

    def seen(self, live: LiveTable, who: str) -> None:
        """React to an HTTP request of a person, who may have no connection."""
