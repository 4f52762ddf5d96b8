"""What the two stores share: requests are checked, queued, written, answered and announced."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from threading import Lock
from typing import Final, NamedTuple, Self, TypeGuard, cast

from . import statements
from .checksums import Row, of_entry, verified, verified_entry
from .errors import Damaged, Malformed, NotStorable, StoreError
from .protocol import (
    GAME_EVENTS,
    PAGE,
    TIME,
    About,
    IndexEntry,
    ListEntry,
    Stored,
    Subscriber,
    Work,
)
from .requests import (
    Append,
    Claim,
    DropLists,
    Enter,
    Plan,
    Probe,
    Quarantine,
    Release,
    Renew,
    StoreAnswer,
    StoreRequest,
    Take,
    checked,
    checked_game,
)
from .writer import Writer

_LOG: Final = logging.getLogger(__name__)


class Page(NamedTuple):
    """A page of the list of games, and the id after which the next page begins, if any."""

    entries: list[IndexEntry | Damaged]
    next: str | None


class Subscribers:
    """Callbacks that run after every commit; an exception in one is logged, and it stays.

    >>> said = []
    >>> subscribers = Subscribers()
    >>> leave = subscribers.add(lambda game, seq: said.append((game, seq)))
    >>> subscribers.notify([("cheshire", 3)])
    >>> leave()
    >>> subscribers.notify([("cheshire", 4)])
    >>> said
    [('cheshire', 3)]
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._all: dict[int, Subscriber] = {}
        self._number = 0

    def __bool__(self) -> bool:
        return bool(self._all)

    def add(self, callback: Subscriber) -> Callable[[], None]:
        """Add a callback; return a function that removes it."""
        with self._lock:
            number = self._number = self._number + 1
            self._all = {**self._all, number: callback}  # a new dict: readers take no lock

        def leave() -> None:
            with self._lock:
                self._all = {key: each for key, each in self._all.items() if key != number}

        return leave

    def notify(self, news: Iterable[tuple[str, int]]) -> None:
        """Call every subscriber for each game."""
        for game, seq in news:
            for callback in self._all.values():
                try:
                    callback(game, seq)
                except Exception:
                    _LOG.exception("a subscriber failed on %s %d", game, seq)


class LogStore(ABC):
    """A store on an SQL database."""

    shared: bool

    def __init__(self) -> None:
        self._subscribers = Subscribers()
        self._damaged: dict[str, Damaged] = {}  # damage found so far, by game

    @abstractmethod
    def _rows(self, statement: str, values: statements.Values) -> list[Row]:
        """Run one of the shared queries; raise `Malformed` if its pages are unreadable."""

    @abstractmethod
    def _readable(self, statement: str) -> Iterable[Row]:
        """Read as many rows of a statement as can be read."""

    @abstractmethod
    def _lane(self, request: StoreRequest) -> Writer | None:
        """Return the writer for a request; None if the store is read-only."""

    @abstractmethod
    def engine_problems(self) -> list[str]:
        """Let the database check its own pages; return the problems it reports."""

    def _put(self, request: StoreRequest) -> Future[StoreAnswer]:
        lane = self._lane(checked(request))
        if lane is None:
            raise NotStorable("this store was opened read-only")
        return lane.put(request)

    # ── Writing ──────────────────────────────────────────────────────────────────────────────

    def append(
        self,
        game: str,
        expected: int,
        events: Sequence[bytes],
        about: About | None = None,
        plans: Mapping[str, int | None] | None = None,
    ) -> Future[int]:
        """Add events to a game (see `Store.append`)."""
        copies = tuple(map(bytes, events))
        request = Append(game, expected, copies, about, tuple((plans or {}).items()))
        if game in self._damaged:
            refused: Future[int] = Future()
            refused.set_exception(self._damaged[game])
            return refused
        return cast("Future[int]", self._put(request))

    def plan(self, key: str, due: int | None) -> Future[None]:
        """Schedule work (see `Store.plan`)."""
        return cast("Future[None]", self._put(Plan(key, due)))

    def take(self, key: str, owner: str, until: int, now: int) -> Future[bool]:
        """Take a lease (see `Store.take`)."""
        return cast("Future[bool]", self._put(Take(key, owner, until, now)))

    def claim(self, owner: str, until: int, now: int, limit: int = 1) -> Future[list[str]]:
        """Take leases on work that is due (see `Store.claim`)."""
        return cast("Future[list[str]]", self._put(Claim(owner, until, now, limit)))

    def renew(self, key: str, owner: str, until: int, now: int) -> Future[bool]:
        """Extend a lease (see `Store.renew`)."""
        return cast("Future[bool]", self._put(Renew(key, owner, until, now)))

    def release(self, key: str, owner: str, due: int | None = None) -> Future[bool]:
        """Release a lease (see `Store.release`)."""
        return cast("Future[bool]", self._put(Release(key, owner, due)))

    def enter(self, name: str, key: str, entry: str) -> Future[bool]:
        """Add an entry to a list (see `Store.enter`)."""
        return cast("Future[bool]", self._put(Enter(name, key, entry)))

    def drop_lists(self, before: str) -> Future[None]:
        """Delete lists (see `Store.drop_lists`)."""
        return cast("Future[None]", self._put(DropLists(before)))

    def probe(self) -> Future[None]:
        """Make a commit (see `Store.probe`)."""
        return cast("Future[None]", self._put(Probe()))

    # ── Reading ──────────────────────────────────────────────────────────────────────────────

    def read(self, game: str, after: int = 0, limit: int | None = None) -> list[Stored]:
        """Return the events after a number (see `Store.read`)."""
        after = max(0, after)
        most = GAME_EVENTS if limit is None else max(0, min(limit, GAME_EVENTS))
        values: statements.Values = {"game": checked_game(game), "after": after}
        values["limit"] = most + 2  # with the event before them, and one that should not exist
        try:
            return verified(game, self._rows(statements.READ, values), after, most)
        except Malformed as error:
            raise self._found(Damaged(game, None, str(error))) from error
        except Damaged as damage:
            raise self._found(damage) from None

    def last(self, game: str) -> int:
        """Return the number of the last event (see `Store.last`)."""
        entry = self._entry(checked_game(game))
        if isinstance(entry, Damaged):
            raise entry
        if entry is None:
            self.read(game, limit=0)  # events without an index entry are damage
        return entry.last if entry else 0

    def games(
        self, state: str | None = None, after: str = "", limit: int = PAGE
    ) -> list[IndexEntry]:
        """List games by id (see `Store.games`)."""
        limit = max(0, min(limit, PAGE))
        found: list[IndexEntry] = []
        start: str | None = after
        while start is not None and len(found) < limit:
            page = self._page(state, start, limit - len(found))
            found += [entry for entry in page.entries if self._may_go_on(entry)]
            start = page.next
        return found

    def _may_go_on(self, entry: IndexEntry | Damaged) -> TypeGuard[IndexEntry]:
        return isinstance(entry, IndexEntry) and entry.game not in self._damaged

    def survey(self) -> Iterator[IndexEntry | Damaged]:
        """Return all games, and what is damaged (see `Store.survey`)."""
        start: str | None = ""
        while start is not None:
            page = self._page(None, start, PAGE)
            yield from page.entries
            start = page.next
        for (game,) in self._readable(statements.STRAYS):
            yield self._found(Damaged(str(game), None, "it has events, but no entry in the index"))

    def entries(self, name: str, after: str = "", limit: int = PAGE) -> Sequence[ListEntry]:
        """Return the entries of a list (see `Store.entries`)."""
        values: statements.Values = {"name": name, "after": after, "limit": max(0, limit)}
        rows = cast("Iterable[tuple[str, str, int]]", self._rows(statements.ENTRIES, values))
        return [
            ListEntry(key, entry)
            for key, entry, checksum in rows
            if checksum == of_entry(name, key, entry)
        ]

    def _page(self, state: str | None, after: str, limit: int) -> Page:
        values: statements.Values = {"after": after, "limit": limit}
        statement = statements.GAMES if state is None else statements.GAMES_OF
        try:
            rows = self._rows(statement, values if state is None else values | {"state": state})
        except Malformed:
            return self._page_by_id(state, after, limit)
        ids = [row[0] for row in rows]
        if any(type(id) is not str or id <= after for id in ids):  # no order, no next page
            return self._page_by_id(state, after, limit)
        more = cast("str", ids[-1]) if len(rows) == limit and rows else None
        return Page([self._listed(row) for row in rows], more)

    def _page_by_id(self, state: str | None, after: str, limit: int) -> Page:
        """List games one by one, by any query that still returns ids: some page is unreadable."""
        found = {row[0] for way in statements.EVERY_ID for row in self._readable(way)}
        ids = sorted(id for id in found if isinstance(id, str) and id > after)
        entries = [self._entry(id) for id in ids[:limit]]
        wanted = [
            entry
            for entry in entries
            if isinstance(entry, Damaged) or (entry and state in (None, entry.about.state))
        ]
        return Page(wanted, ids[limit - 1] if len(ids) > limit else None)

    def _entry(self, game: str) -> IndexEntry | Damaged | None:
        try:
            rows = self._rows(statements.ONE, {"game": game})
        except Malformed as error:
            return self._found(Damaged(game, None, str(error)))
        return self._listed(rows[0]) if rows else None

    def _listed(self, row: Row) -> IndexEntry | Damaged:
        try:
            return verified_entry(row)
        except Damaged as damage:
            return self._found(damage)

    # ── Damage ───────────────────────────────────────────────────────────────────────────────

    def damaged(self) -> list[Damaged]:
        """List the games that were found damaged (see `Store.damaged`)."""
        return [*self._damaged.values()]

    def _found(self, damage: Damaged) -> Damaged:
        """Quarantine a game: here at once, and soon in every process that shares the store."""
        if self._damaged.setdefault(damage.game, damage) is damage:
            mark = Quarantine(damage.game)
            if (lane := self._lane(mark)) is not None:
                about = {"event": "table_damaged", "table": damage.game}
                _LOG.error("%s; it is in quarantine", damage, extra=about)
                with suppress(StoreError):  # then the next process finds it itself
                    lane.put(mark)
        return damage

    def _review(self) -> None:
        """Check quarantined games again: a repaired log can be continued."""
        for (game,) in self._readable(statements.QUARANTINED):
            with suppress(StoreError):
                self.read(str(game))
                self._put(Quarantine(str(game), lifted=True)).result()

    def due(self, now: int = TIME, limit: int = PAGE) -> list[Work]:
        """List the work that is due (see `Store.due`)."""
        values = {**statements.moment(now), "limit": max(0, min(limit, PAGE))}
        rows = cast("Iterable[tuple[str, int]]", self._rows(statements.DUE, values))
        return [Work(key, due) for key, due in rows]

    def subscribe(self, callback: Subscriber) -> Callable[[], None]:
        """Call a function after every append (see `Store.subscribe`)."""
        return self._subscribers.add(callback)

    # ── The end ──────────────────────────────────────────────────────────────────────────────

    @abstractmethod
    def close(self) -> None:
        """Write what was accepted, and release all resources."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
