"""What the two stores have in common: requests are checked, queued, written, answered, told."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from typing import Self, cast

from . import statements
from .errors import NotStorable
from .protocol import GAME_EVENTS, PAGE, TIME, About, Entry, Stored, Told, Work
from .requests import (
    Answer,
    Append,
    Claim,
    Plan,
    Release,
    Renew,
    Request,
    Take,
    checked,
    checked_game,
)
from .subscribers import Subscribers
from .writer import Writer

Row = Sequence[object]


class LogStore(ABC):
    """A store over SQL."""

    shared: bool

    def __init__(self) -> None:
        self._subscribers = Subscribers()

    @abstractmethod
    def _rows(self, statement: str, values: statements.Values) -> list[Row]:
        """Read with one of the shared statements."""

    @abstractmethod
    def _lane(self, request: Request) -> Writer | None:
        """Give the writer for a request; none if the store was opened to be read only."""

    def _put(self, request: Request) -> Future[Answer]:
        lane = self._lane(checked(request))
        if lane is None:
            raise NotStorable("this store was opened to be read only")
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
        return cast("Future[int]", self._put(request))

    def plan(self, key: str, due: int | None) -> Future[None]:
        """Put work on the list (see `Store.plan`)."""
        return cast("Future[None]", self._put(Plan(key, due)))

    def take(self, key: str, owner: str, until: int, now: int) -> Future[bool]:
        """Take a lease (see `Store.take`)."""
        return cast("Future[bool]", self._put(Take(key, owner, until, now)))

    def claim(self, owner: str, until: int, now: int, limit: int = 1) -> Future[list[str]]:
        """Take leases on work that is due (see `Store.claim`)."""
        return cast("Future[list[str]]", self._put(Claim(owner, until, now, limit)))

    def renew(self, key: str, owner: str, until: int, now: int) -> Future[bool]:
        """Hold a lease longer (see `Store.renew`)."""
        return cast("Future[bool]", self._put(Renew(key, owner, until, now)))

    def release(self, key: str, owner: str, due: int | None = None) -> Future[bool]:
        """Give a lease back (see `Store.release`)."""
        return cast("Future[bool]", self._put(Release(key, owner, due)))

    # ── Reading ──────────────────────────────────────────────────────────────────────────────

    def read(self, game: str, after: int = 0, limit: int | None = None) -> list[Stored]:
        """Give the events after a number (see `Store.read`)."""
        most = GAME_EVENTS if limit is None else max(0, min(limit, GAME_EVENTS))
        values: statements.Values = {"game": checked_game(game), "after": after, "limit": most}
        rows = cast("Iterable[tuple[int, bytes]]", self._rows(statements.READ, values))
        return [Stored(seq, bytes(event)) for seq, event in rows]

    def last(self, game: str) -> int:
        """Give the number of the last event (see `Store.last`)."""
        rows = self._rows(statements.LAST, {"game": checked_game(game)})
        return cast("int", rows[0][0]) if rows else 0

    def games(self, state: str | None = None, after: str = "", limit: int = PAGE) -> list[Entry]:
        """List games by id (see `Store.games`)."""
        values: statements.Values = {"after": after, "limit": max(0, min(limit, PAGE))}
        if state is None:
            found = self._rows(statements.GAMES, values)
        else:
            found = self._rows(statements.GAMES_OF, values | {"state": state})
        rows = cast("Iterable[tuple[str, int, str, str]]", found)
        return [Entry(game, last, About(state, text)) for game, last, state, text in rows]

    def due(self, now: int = TIME, limit: int = PAGE) -> list[Work]:
        """List the work that is due (see `Store.due`)."""
        values: statements.Values = {"now": now, "limit": max(0, min(limit, PAGE))}
        rows = cast("Iterable[tuple[str, int]]", self._rows(statements.DUE, values))
        return [Work(key, due) for key, due in rows]

    def subscribe(self, told: Told) -> Callable[[], None]:
        """Be told of every append (see `Store.subscribe`)."""
        return self._subscribers.add(told)

    # ── The end ──────────────────────────────────────────────────────────────────────────────

    @abstractmethod
    def close(self) -> None:
        """Write what was accepted, and let go of everything."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
