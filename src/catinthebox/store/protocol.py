"""What every store promises: one protocol, whatever keeps the events.

A game is an id, an event is bytes; what they mean is the caller's affair. The events of a game are
numbered from 1 without gaps. Whoever appends says how many there are, and is refused if that is no
longer true. Calls that write give a `concurrent.futures.Future` at once, which is done when the
disk has it (`await asyncio.wrap_future(…)` from a coroutine). Calls that read wait for the answer.
Everything may be called from any thread. Appends to one game keep their order; other requests that
are under way at the same time may take effect in any order.

Time is an argument: whole milliseconds of any clock that all owners of leases share. That clock may
have been set back. Nobody plans work, or holds a lease, for more than `FAR` ms ahead; so a
time that is farther ahead was written by a clock that was wrong, and counts as past.

Everything that is read is compared with checksums (`checksums.py`). A game of which something was
changed is `Damaged`: it is read by nobody and takes no more events, and every other game goes on.

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
PAGE: Final = 1000  # the most games or leases that one call lists
TIME: Final = 2**62  # every moment is before this one
FAR: Final = 180_000  # milliseconds: what lies farther ahead was never meant so

Told = Callable[[str, int], None]
"""Called with a game and the number of its last event, after they are durable."""


class Stored(NamedTuple):
    """An event and its place in the game."""

    seq: int
    event: bytes


class About(NamedTuple):
    """What the index says about a game: a word to filter by, and a text (JSON by custom)."""

    state: str = ""
    summary: str = ""


class IndexEntry(NamedTuple):
    """A game in the index."""

    game: str
    last: int
    about: About


class Work(NamedTuple):
    """Something to do, and when."""

    key: str
    due: int


class Store(Protocol):
    """An append-only log of events for each game, an index of games, and leases for work."""

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
        """Add events after the first `expected` ones; the answer is the new last number.

        All or none of it happens, the index and the plans (see `plan`) with the events. The
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
        """List games by id, after an id, of any state or one; those found damaged are left out."""
        ...

    def survey(self) -> Iterator[IndexEntry | Damaged]:
        """Return the entries of all games by id, and in their places those that are damaged.

        The logs are not read: a game may still turn out to be damaged.
        """
        ...

    def damaged(self) -> list[Damaged]:
        """List the games that were found damaged since the store was opened."""
        ...

    def subscribe(self, told: Told) -> Callable[[], None]:
        """Be told of every append from now on, also of other processes where they share a store.

        Per game the numbers only grow; several appends may be told as one. `told` runs in a
        thread of the store and should return at once. The answer ends the subscription.
        """
        ...

    # ── Leases ───────────────────────────────────────────────────────────────────────────────

    def plan(self, key: str, due: int | None) -> Future[None]:
        """Put work on the list, due at a time, at most `FAR` ahead; `None` takes it off.

        A plan is new work: whoever held a lease on the old one has lost it.
        """
        ...

    def take(self, key: str, owner: str, until: int, now: int) -> Future[bool]:
        """Take the lease on a key, planned or not, unless somebody else holds it.

        `until` is at most `FAR` after `now`, here and below; more is `NotStorable`.
        """
        ...

    def claim(self, owner: str, until: int, now: int, limit: int = 1) -> Future[list[str]]:
        """Take the leases on work that is due and that nobody holds, the longest due first."""
        ...

    def renew(self, key: str, owner: str, until: int, now: int) -> Future[bool]:
        """Hold a lease longer; false if it ran out or is somebody else's."""
        ...

    def release(self, key: str, owner: str, due: int | None = None) -> Future[bool]:
        """Release a lease: the work is done, or due again. False if it was not the owner's."""
        ...

    def due(self, now: int = TIME, limit: int = PAGE) -> list[Work]:
        """List the work that is due by `now` and that nobody holds then, the longest due first."""
        ...

    # ── Health ───────────────────────────────────────────────────────────────────────────────

    def probe(self) -> Future[None]:
        """Make something small durable, as an append would be: it fails if appends would."""
        ...

    # ── The end ──────────────────────────────────────────────────────────────────────────────

    def close(self) -> None:
        """Write what was accepted, answer it, and let go of files and connections."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...
