"""Rate limits and connection counts of one process, by address, person and seat.

Each method counts one thing. If that is too much, it raises a `Limited`, which says how long to
wait; if the whole server is full, an `Overloaded`. The numbers are in `limits.py`.

>>> rate_limits = RateLimits(Limits(address_misses=Rate(1, 2)), clock=lambda: 0.0)
>>> rate_limits.missed("ada"), rate_limits.missed("ada")
(None, None)
>>> rate_limits.missed("ada")
Traceback (most recent call last):
    ...
catinthebox.server.errors.Limited: too many wrong tokens or unknown tables; wait 1 s
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, inf
from typing import Final

from ..errors import Limited
from ..ops.limits import Limits, Rate
from ..ops.throttling import Bucket, Buckets
from .admission import Admission

REFUSED_MESSAGES: Final = Rate(0.5, 20)  # on one connection; more than these close it


class RateLimits:
    """The counters of one process; an address is what `address_key` returns."""

    def __init__(self, limits: Limits, clock: Callable[[], float]) -> None:
        self.limits = limits
        self.clock = clock
        most = limits.buckets
        self._seat_moves = Buckets[tuple[str, str]](limits.seat_moves, most, clock)
        self._person_chat = Buckets[tuple[str, str]](limits.seat_chat, most, clock)
        self._seat_chat = Buckets[tuple[str, int]](limits.seat_chat, most, clock)
        self._chat = Buckets[str](limits.address_chat, most, clock)
        self._sits = Buckets[tuple[str, str]](limits.table_sits, most, clock)
        self._moves = Buckets[str](limits.address_moves, most, clock)
        self._requests = Buckets[str](limits.address_requests, most, clock)
        self._files = Buckets[str](limits.address_files, most, clock)
        self._sockets = Buckets[str](limits.address_sockets, most, clock)
        self._misses = Buckets[str](limits.address_misses, most, clock)
        self._tables = Buckets[str](limits.address_tables, most, clock)
        self._days = Buckets[str](limits.address_days, most, clock)
        self._replays = Buckets[str](limits.address_replays, most, clock)
        self.sockets = Admission("sockets", limits.sockets_per_address, limits.sockets, limits)
        self.streams = Admission("streams", limits.streams_per_address, limits.streams, limits)

    def socket(self) -> Bucket:
        """Return a new bucket for the messages of one WebSocket."""
        return Bucket(self.limits.socket_moves.rate, self.limits.socket_moves.burst)

    def refused_messages(self) -> Bucket:
        """Return a new bucket for the refused messages of one WebSocket."""
        return Bucket(REFUSED_MESSAGES.rate, REFUSED_MESSAGES.burst)

    def move(self, table: str, who: str, address: str) -> None:
        """Count a command or a question of a person at a table."""
        now = self.clock()
        if wait := self._seat_moves[table, who].take(now):
            raise limited("limit.seat", "too many commands from this seat", wait)
        if wait := self._moves[address].take(now):
            raise limited("limit.address", "too many commands from this address", wait)

    def chat(self, table: str, seat: int, who: str, address: str) -> None:
        """Count a chat message for its seat, which others may take, its person and its address."""
        now = self.clock()
        wait = (
            self._seat_chat[table, seat].take(now)
            or self._person_chat[table, who].take(now)
            or self._chat[address].take(now)
        )
        if wait:
            raise limited("limit.chat", "nobody reads that fast", wait)

    def sit(self, table: str, address: str) -> None:
        """Count a person who sits down: one who keeps coming back could not be removed."""
        if wait := self._sits[table, address].take(self.clock()):
            raise limited(
                "limit.sits", "too many tries to sit down at this table from your address", wait
            )

    def request(self, address: str, *, file: bool = False) -> None:
        """Count an HTTP request; files of the browser client have a limit of their own."""
        buckets = self._files if file else self._requests
        if wait := buckets[address].take(self.clock()):
            raise limited("limit.requests", "too many requests from this address", wait)

    def missed(self, address: str) -> None:
        """Count a wrong token, or a table that does not exist."""
        if wait := self._misses[address].take(self.clock()):
            raise limited("limit.misses", "too many wrong tokens or unknown tables", wait)

    def table(self, address: str) -> None:
        """Count a new table."""
        if wait := self._tables[address].take(self.clock()):
            raise limited("limit.tables", "too many new tables from this address", wait)

    def replay(self, address: str) -> None:
        """Count a request for a record or a replay."""
        if wait := self._replays[address].take(self.clock()):
            raise limited("limit.replays", "too many replays for this address", wait)

    def day_entry(self, address: str) -> None:
        """Count a game for the table of the day, which is checked at some cost."""
        if wait := self._days[address].take(self.clock()):
            raise limited("limit.days", "too many games of the day from this address", wait)

    def upgrade(self, address: str) -> None:
        """Count a request for a WebSocket."""
        if wait := self._sockets[address].take(self.clock()):
            raise limited("limit.upgrades", "too many new sockets from this address", wait)


def limited(code: str, message: str, wait: float) -> Limited:
    """Return the error for an empty bucket; `wait` is in seconds."""
    hint = f"; wait {ceil(wait)} s" if wait < inf else ""
    return Limited(code, f"{message}{hint}", wait)
