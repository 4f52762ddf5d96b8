"""The protocol of stores: what every event log guarantees.

A game is an id, an event is bytes; their meaning is up to the caller. The events of a game are
numbered from 1 without gaps. An append names the number of events so far, and is refused if that is
no longer true. Calls that write return a `concurrent.futures.Future` at once, which is done when
the data is durable (`await asyncio.wrap_future(…)` from a coroutine). Calls that read block.
All methods are thread-safe. Appends to one game keep their order; other concurrent requests may
take effect in any order.

Time is an argument: whole milliseconds of a clock that all owners of leases share. That clock may
be set back. Work is planned and leases are held for at most `FAR` ms ahead, so a time that is
farther ahead came from a wrong clock, and counts as past.

Besides logs there are lists: short texts, each under a key that is unique in its list. An entry is
never changed. Lists are deleted whole, those first whose names sort first.

Everything that is read is verified by checksums (`checksums.py`). A game that was changed is
`Damaged`: it can be neither read nor continued, and no other game is affected.

>>> IndexEntry("cheshire", 12, About("open", '{"seats": 3}')).about.state
'open'
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from typing import Final, NamedTuple, Protocol, Self

from .errors import Damaged

EVENT_BYTES: Final = 64 * 1024  # the longest event
GAME_EVENTS: Final = 100_000  # the longest log …
GAME_BYTES: Final = 64 * 1024 * 1024  # … and the largest, so that a game fits into one append
SUMMARY_BYTES: Final = 4096
ENTRY_BYTES: Final = 1024  # the longest entry of a list
PAGE: Final = 1000  # the most games or leases that one call returns
TIME: Final = 2**62  # times are less than this
FAR: Final = 180_000  # milliseconds: the farthest that a time may lie ahead

Subscriber = Callable[[str, int], None]
"""Called with a game and the number of its last event, after they are durable."""


class Stored(NamedTuple):
    """An event and its number in the game."""

    seq: int
    event: bytes


class About(NamedTuple):
    """A game's data in the index: a state to filter by, and a text (usually JSON)."""

    state: str = ""
    summary: str = ""


class IndexEntry(NamedTuple):
    """A game in the index."""

    game: str
    last: int
    about: About


class Work(NamedTuple):
    """Scheduled work, and when it is due."""

    key: str
    due: int


class ListEntry(NamedTuple):
    """An entry of a list."""

    key: str
    entry: str


class Store(Protocol):
    """An append-only log of events for each game, an index of games, leases for work, and lists."""

    shared: bool
    """Whether other processes may write it at the same time."""

    # ── Games ────────────────────────────────────────────────────────────────────────────────

    def append(
        self,
        game: str,
        expected: int,
        events: Sequence[bytes],
        about: About | None = None,
        plans: Mapping[str, int | None] | None = None,
    ) -> Future[int]:
        """Add events after the first `expected` ones; the result is the new last number.

        The events, the index and the plans (see `plan`) are written together or not at all. The
        future fails with `Conflict` if `expected` is not the last number, with `Full` at the
        limits, with `Damaged` if the game is, with `StoreFailed` if it could not be made durable.
        `NotStorable`, `Busy` and `Closed` are raised at once.
        """
        ...

    def read(self, game: str, after: int = 0, limit: int | None = None) -> list[Stored]:
        """Return the events after a number, in order; none for a game that does not exist.

        `Damaged` is raised if what is stored is not what was written.
        """
        ...

    def last(self, game: str) -> int:
        """Return the number of the last event, 0 for a game that does not exist."""
        ...

    def games(
        self, state: str | None = None, after: str = "", limit: int = PAGE
    ) -> list[IndexEntry]:
        """List games by id, after an id, of any or one state, without those found damaged."""
        ...

    def survey(self) -> Iterator[IndexEntry | Damaged]:
        """Return the entries of all games by id, with a `Damaged` in place of each damaged one.

        The logs are not read: a game may still turn out to be damaged.
        """
        ...

    def damaged(self) -> list[Damaged]:
        """List the games that were found damaged since the store was opened."""
        ...

    def subscribe(self, callback: Subscriber) -> Callable[[], None]:
        """Call a function after every append from now on, also by processes that share the store.

        Per game the numbers only grow; several appends may share one call. The callback runs in
        a thread of the store and should return at once. The result ends the subscription.
        """
        ...

    # ── Leases ───────────────────────────────────────────────────────────────────────────────

    def plan(self, key: str, due: int | None) -> Future[None]:
        """Schedule work for a time, at most `FAR` ahead; `None` cancels it.

        A plan is new work: a lease on the old one is lost.
        """
        ...

    def take(self, key: str, owner: str, until: int, now: int) -> Future[bool]:
        """Take the lease on a key, planned or not, unless it is held by another owner.

        `until` is at most `FAR` after `now`, here and below; more is `NotStorable`.
        """
        ...

    def claim(self, owner: str, until: int, now: int, limit: int = 1) -> Future[list[str]]:
        """Take the leases on work that is due and free, the longest due first."""
        ...

    def renew(self, key: str, owner: str, until: int, now: int) -> Future[bool]:
        """Extend a lease; false if it has expired or belongs to another owner."""
        ...

    def release(self, key: str, owner: str, due: int | None = None) -> Future[bool]:
        """Release a lease: the work is done, or due again; false if it was not the owner's."""
        ...

    def due(self, now: int = TIME, limit: int = PAGE) -> list[Work]:
        """List the work that is due and free at `now`, the longest due first."""
        ...

    # ── Lists ────────────────────────────────────────────────────────────────────────────────

    def enter(self, name: str, key: str, entry: str) -> Future[bool]:
        """Add an entry to a list; false, and nothing changes, if the key is there already."""
        ...

    def entries(self, name: str, after: str = "", limit: int = PAGE) -> Sequence[ListEntry]:
        """Return the entries of a list by key, after a key, without those that were damaged.

        None are returned for a list that does not exist.
        """
        ...

    def drop_lists(self, before: str) -> Future[None]:
        """Delete all lists whose names sort before a text."""
        ...

    # ── Health ───────────────────────────────────────────────────────────────────────────────

    def probe(self) -> Future[None]:
        """Write something small durably; fails if appends would fail."""
        ...

    # ── The end ──────────────────────────────────────────────────────────────────────────────

    def close(self) -> None:
        """Write and answer what was accepted, and close files and connections."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...
