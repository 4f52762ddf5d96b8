"""Which connections are accepted at a limit: players first, then visitors, evenly by address.

A person with a seat at a table, or its host, is a player there; everybody else is a visitor. At a
limit, a player replaces a visitor. A visitor replaces another one whose address has more
connections, so that nobody can shut others out with many of them: an invited person is a visitor,
too, until they sit down.

Whether a client is a player is known only after its `Hello`. Until then a few connections beyond
the limit are accepted, if there is a visitor who could be replaced.

>>> full = [Outbox("", address="a"), Outbox("", address="a"), Outbox("", address="b")]
>>> replaceable(full, Outbox("", address="c")) is full[1]  # the newest one of the fullest address
True
>>> replaceable(full, Outbox("", address="b")) is None  # one and two are even
True
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final

from ..errors import Limited, Overloaded
from ..live.outbox import Outbox
from ..ops.limits import Limits
from ..ops.throttling import HeldCount

REPLACED: Final = "limit.spectators"


def replaceable(outboxes: Iterable[Outbox], newcomer: Outbox) -> Outbox | None:
    """Return the connection that `newcomer` replaces, by its outbox; None if there is none.

    It is the newest visitor of the address that has the most. A visitor replaces nobody whose
    address would then have fewer than the visitor's own.
    """
    visitors = [outbox for outbox in outboxes if not (outbox.player or outbox.ended)]
    counts = Counter(outbox.address for outbox in visitors)
    fullest, most = max(counts.items(), key=lambda one: one[1], default=("", 0))
    if not most or not (newcomer.player or most > counts[newcomer.address] + 1):
        return None
    return next(outbox for outbox in reversed(visitors) if outbox.address == fullest)


def replace(outbox: Outbox) -> None:
    """End a connection that another one replaces."""
    outbox.end(REPLACED)


class Admission:
    """The connections of one kind: at most `each` for an address, and `total` in all."""

    def __init__(self, what: str, each: int, total: int, limits: Limits) -> None:
        self._what = what
        self._each = each
        self._most = total
        self._wait = limits.retry_after_s
        self._open = HeldCount[str](each + limits.arriving_per_address, total + limits.arriving)
        self._admitted = HeldCount[str](each, total)
        self._outboxes: dict[Outbox, None] = {}  # of admitted connections, the oldest first

    @property
    def total(self) -> int:
        """The number of open connections, admitted or not."""
        return self._open.total

    # ── Before the Hello ─────────────────────────────────────────────────────────────────────

    @contextmanager
    def arriving(self, address: str) -> Iterator[None]:
        """Count a connection from its first moment to its last."""
        if self._open.full or (self._open.total >= self._most and not self._visitors()):
            raise self._server_full()
        with self._open.inside(address) as entered:
            if not entered or (
                self._open.count(address) > self._each and not self._visitors(address)
            ):
                raise self._address_full()
            yield

    def _visitors(self, address: str | None = None) -> bool:
        """Whether there is a visitor, of an address or of any, whom a player could replace."""
        return any(
            not (outbox.player or outbox.ended) and address in (None, outbox.address)
            for outbox in self._outboxes
        )

    # ── After the Hello ──────────────────────────────────────────────────────────────────────

    @contextmanager
    def admitted(self, outbox: Outbox) -> Iterator[None]:
        """Count a connection as admitted; it replaces another one if need be."""
        self._make_room(outbox)
        self._admitted.enter(outbox.address)
        self._outboxes[outbox] = None
        try:
            yield
        finally:
            self._forget(outbox)

    def _make_room(self, outbox: Outbox) -> None:
        if self._admitted.count(outbox.address) >= self._each:
            own = (other for other in self._outboxes if other.address == outbox.address)
            self._replace(replaceable(own, outbox) if outbox.player else None, self._address_full())
        if self._admitted.full:
            self._replace(replaceable(self._outboxes, outbox), self._server_full())

    def _replace(self, visitor: Outbox | None, error: Limited | Overloaded) -> None:
        if visitor is None:
            raise error
        replace(visitor)
        self._forget(visitor)  # at once: to close it may take a while

    def _forget(self, outbox: Outbox) -> None:
        if outbox in self._outboxes:
            del self._outboxes[outbox]
            self._admitted.leave(outbox.address)

    # ── Errors ───────────────────────────────────────────────────────────────────────────────

    def _server_full(self) -> Overloaded:
        sentence = f"this server has too many {self._what} just now; wait {self._wait:g} s"
        return Overloaded(sentence, self._wait)

    def _address_full(self) -> Limited:
        sentence = f"too many {self._what} are open from this address; close one"
        return Limited(f"limit.{self._what}", sentence, self._wait)
