"""Counts and logs every client that is rejected and every command that is refused."""

from __future__ import annotations

from typing import Final

from ...game import CatInTheBoxError, NotUnderstood
from ..errors import Limited, Overloaded, Unavailable
from ..ops.logs import Logs
from ..ops.metrics import Metrics

ADDRESS_FULL: Final = {"limit.sockets", "limit.streams", "limit.lines", "limit.spectators"}


class RefusalLog:
    """The metrics and log entries about whatever the server refuses."""

    def __init__(self, metrics: Metrics, logs: Logs) -> None:
        self.store_failing = False  # whether the last command could not be stored
        self._metrics = metrics
        self._logs = logs

    # ── Clients ──────────────────────────────────────────────────────────────────────────────

    def rejected(self, reason: str, address: str | None = None) -> None:
        """Count and log a client that was rejected before it reached a table."""
        self._metrics.turned_away[reason].value += 1
        fields = {} if address is None else {"address": address}
        self._logs.warning("turned_away", reason=reason, **fields)

    def rejected_by_limit(self, error: CatInTheBoxError, address: str) -> None:
        """Count and log a client that was rejected because a limit is reached."""
        reason = "address_full" if error.code in ADDRESS_FULL else "rate"
        self.rejected("server_full" if isinstance(error, Overloaded) else reason, address)

    # ── Commands ─────────────────────────────────────────────────────────────────────────────

    def command(self, error: Exception, address: str) -> None:
        """Count and log a command that was refused."""
        if isinstance(error, Limited):
            self._metrics.commands["limited"].value += 1
            self._logs.warning("limited", limit=error.code.removeprefix("limit."), address=address)
            return
        if isinstance(error, Unavailable):
            self.store_failing = True
            self._logs.error("store_failed")
        outcome = "not_understood" if isinstance(error, NotUnderstood) else "refused"
        self._metrics.commands[outcome].value += 1

    def store_recovered(self) -> None:
        """Log that a command was stored again after others could not be."""
        self.store_failing = False
        self._logs.info("store_recovered")
