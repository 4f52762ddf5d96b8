"""What is durable in a simulated world: the logs, the index and the leases, as the protocol says.

A disk answers at once and never fails; `simulation.store` puts time and faults in between. Any
number of stores may share one, as workers share a PostgreSQL.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from catinthebox.store.checksums import Head
from catinthebox.store.protocol import FAR, PAGE, TIME, About, IndexEntry, ListEntry, Stored, Work
from catinthebox.store.requests import (
    Append,
    Claim,
    DropLists,
    Enter,
    Lease,
    Plan,
    Probe,
    Quarantine,
    Release,
    Renew,
    StoreAnswer,
    StoreRequest,
    Take,
    check_append,
)

LONG_AGO: Final = -TIME


class LeaseRow(NamedTuple):
    """Work that is due at a time, if at all, and who has it until when."""

    due: int | None = None
    owner: str = ""
    until: int = LONG_AGO


class Disk:
    """The truth. Tests may look at it at any time; only `carry` changes it."""

    def __init__(self) -> None:
        self.logs: dict[str, list[bytes]] = {}
        self.opened = 0  # stores, so far
        self.listeners: dict[object, Callable[[str, int], None]] = {}
        self._sizes: dict[str, int] = {}
        self._abouts: dict[str, About] = {}
        self._leases: dict[str, LeaseRow] = {}
        self._lists: dict[str, dict[str, str]] = {}

    def carry(self, request: StoreRequest) -> StoreAnswer:
        """Carry a request out, whole or not at all, and let every listener hear of it."""
        if isinstance(request, Append):
            return self._append(request)
        if isinstance(request, Claim):
            return self._claim(request)
        if isinstance(request, Probe | Quarantine):
            return None
        if isinstance(request, Enter):
            keys = self._lists.setdefault(request.name, {})
            fresh = request.key not in keys
            keys.setdefault(request.key, request.entry)
            return fresh
        if isinstance(request, DropLists):
            kept = {name: keys for name, keys in self._lists.items() if name >= request.before}
            self._lists = kept
            return None
        return self._lease(request)

    def _append(self, append: Append) -> StoreAnswer:
        game = append.game
        log = self.logs.get(game, [])
        size = self._sizes.get(game, 0)
        if refusal := check_append(Head(len(log), size), append):
            return refusal
        self.logs.setdefault(game, log).extend(append.events)
        self._sizes[game] = size + append.size
        self._abouts[game] = append.about or self._abouts.get(game, About())
        for key, due in append.plans:
            self._plan(key, due)
        for receive in list(self.listeners.values()):
            receive(game, len(self.logs[game]))
        return len(self.logs[game])

    def _claim(self, claim: Claim) -> list[str]:
        keys = [work.key for work in self.due(claim.now, claim.limit)]
        for key in keys:
            self._leases[key] = LeaseRow(self._leases[key].due, claim.owner, claim.until)
        return keys

    def _lease(self, request: Lease) -> bool | None:
        row = self._leases.get(request.key, LeaseRow())
        match request:
            case Plan(key, due):
                self._plan(key, due)
                return None
            case Take(key, owner, until, now):
                yes = row.owner == owner or past(row.until, now)
            case Renew(key, owner, until, now):
                yes = row.owner == owner and row.until > now
            case Release(key, owner, due):
                if yes := key in self._leases and row.owner == owner:
                    self._plan(key, due)
                return yes
        if yes:
            self._leases[key] = LeaseRow(row.due, owner, until)
        return yes

    def _plan(self, key: str, due: int | None) -> None:
        if due is None:
            self._leases.pop(key, None)
        else:
            self._leases[key] = LeaseRow(due)

    # ── Reading ──────────────────────────────────────────────────────────────────────────────

    def read(self, game: str, after: int = 0, limit: int | None = None) -> list[Stored]:
        """Return the events after a number."""
        log = self.logs.get(game, [])
        end = len(log) if limit is None else min(len(log), after + limit)
        return [Stored(place + 1, log[place]) for place in range(max(0, after), end)]

    def last(self, game: str) -> int:
        """Return the number of the last event."""
        return len(self.logs.get(game, ()))

    def games(
        self, state: str | None = None, after: str = "", limit: int = PAGE
    ) -> list[IndexEntry]:
        """List games by id."""
        found = [
            IndexEntry(game, len(self.logs[game]), about)
            for game, about in sorted(self._abouts.items())
            if game > after and state in (None, about.state)
        ]
        return found[: max(0, min(limit, PAGE))]

    def entries(self, name: str, after: str = "", limit: int = PAGE) -> list[ListEntry]:
        """Return the entries of a list."""
        found = sorted(self._lists.get(name, {}).items())
        return [ListEntry(key, entry) for key, entry in found if key > after][: max(0, limit)]

    def due(self, now: int = TIME, limit: int = PAGE) -> list[Work]:
        """List the work that is due, and free."""
        rows = sorted(
            (row.due, key)
            for key, row in self._leases.items()
            if row.due is not None and past(row.due, now) and past(row.until, now)
        )
        return [Work(key, due) for due, key in rows[: max(0, min(limit, PAGE))]]


def past(time: int, now: int) -> bool:
    """Whether a time is over, or was written by a clock that was ahead."""
    return not now < time <= now + FAR
