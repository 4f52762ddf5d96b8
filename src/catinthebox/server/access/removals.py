"""Addresses of people whom a host has removed: for a while nobody new sits down from there.

A table stores the hash of the token of a removed person. Tokens cost nothing, so the address is
refused as well, at that table and for some minutes only, since a family or a school class has one
address. It is not refused if the host has the same address, nor after the host has readmitted the
person. Addresses are kept in the memory of this process and are never stored.

>>> from catinthebox.table.state import Removed
>>> removals = Removals(Limits(removal_s=600), clock=lambda: 0.0)
>>> removals.seen("t1", "host", "192.0.2.1"), removals.seen("t1", "rude", "192.0.2.2")
(None, None)
>>> removals.add("t1", [Removed("rude", "Mallory")], host="host")
>>> removals.check("t1", "192.0.2.3"), removals.check("t2", "192.0.2.2")
(None, None)
>>> removals.check("t1", "192.0.2.2")
Traceback (most recent call last):
    ...
catinthebox.server.errors.Limited: Mallory was removed from this table and has your address; \
wait 600 s, or let the host readmit Mallory
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import ceil
from typing import NamedTuple, TypeVar

from ...table.state import Removed
from ..errors import Limited
from ..ops.limits import Limits

V = TypeVar("V")


class Removal(NamedTuple):
    """The name of a removed person, and until when their address is refused."""

    name: str
    until: float


class Removals:
    """The removals that one process knows of; an address is what `address_key` returns."""

    def __init__(self, limits: Limits, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._seconds = limits.removal_s
        self._most = limits.buckets
        self._addresses: dict[tuple[str, str], str] = {}  # by table and person
        self._removals: dict[tuple[str, str], Removal] = {}  # by table and address

    def __len__(self) -> int:
        return len(self._addresses) + len(self._removals)

    def seen(self, table: str, who: str, address: str) -> None:
        """Note the address of a person at a table, as often as it changes or was dropped."""
        if self._addresses.get((table, who)) != address:
            self._put(self._addresses, (table, who), address)

    def add(self, table: str, people: Iterable[Removed], host: str) -> None:
        """Note the people whom the host has removed; those noted before stay as they are."""
        for who, name in people:
            address = self._addresses.pop((table, who), None)
            if address is not None and address != self._addresses.get((table, host)):
                removal = Removal(name, self._clock() + self._seconds)
                self._put(self._removals, (table, address), removal)

    def lift(self, table: str, name: str) -> None:
        """Forget the removals of people of a name, whom the host has readmitted."""
        lifted = [
            key
            for key, removal in self._removals.items()
            if key[0] == table and removal.name == name
        ]
        for key in lifted:
            del self._removals[key]

    def check(self, table: str, address: str) -> None:
        """Refuse a new person from an address whose owner was removed lately."""
        removal = self._removals.get((table, address))
        if removal is None:
            return
        wait = removal.until - self._clock()
        if wait <= 0:
            del self._removals[table, address]
            return
        name = removal.name
        sentence = f"{name} was removed from this table and has your address"
        hint = f"wait {ceil(wait)} s, or let the host readmit {name}"
        raise Limited("limit.removed", f"{sentence}; {hint}", wait)

    def _put(self, kept: dict[tuple[str, str], V], key: tuple[str, str], value: V) -> None:
        """Add an entry as the newest; drop the oldest if there are too many."""
        kept.pop(key, None)
        kept[key] = value
        if len(kept) > self._most:
            del kept[next(iter(kept))]
