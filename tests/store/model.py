"""The oracle: a store so simple that it is right, in memory and without threads.

It follows the words of `catinthebox.store.protocol`, shares no line with the stores but the checks
of what can be stored, and answers at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from typing import Self, TypeVar

from catinthebox.store import (
    About,
    Conflict,
    Damaged,
    IndexEntry,
    ListEntry,
    StoreClosed,
    Stored,
    StoreError,
    Subscriber,
    Work,
)
from catinthebox.store.protocol import FAR
from catinthebox.store.requests import (
    Append,
    Claim,
    DropLists,
    Enter,
    Plan,
    Release,
    Renew,
    Take,
    checked,
)

T = TypeVar("T")
LONG_AGO = -(2**62)


def done(answer: T | StoreError) -> Future[T]:
    future: Future[T] = Future()
    if isinstance(answer, StoreError):
        future.set_exception(answer)
    else:
        future.set_result(answer)
    return future


class Model:
    """Games as lists, leases as rows of (due, owner, until)."""

    shared = False

    def __init__(self) -> None:
        self.logs: dict[str, list[bytes]] = {}
        self.abouts: dict[str, About] = {}
        self.leases: dict[str, tuple[int | None, str, int]] = {}
        self.lists: dict[str, dict[str, str]] = {}
        self.subscribers: list[Subscriber] = []
        self.closed = False

    def open(self) -> None:
        if self.closed:
            raise StoreClosed("closed")

    def append(
        self,
        game: str,
        expected: int,
        events: Sequence[bytes],
        about: About | None = None,
        plans: Mapping[str, int | None] | None = None,
    ) -> Future[int]:
        self.open()
        checked(Append(game, expected, tuple(events), about, tuple((plans or {}).items())))
        log = self.logs.get(game, [])
        if len(log) != expected:
            return done(Conflict(game, expected, len(log)))
        self.logs[game] = [*log, *events]
        self.abouts[game] = self.abouts.get(game, About()) if about is None else about
        for key, due in (plans or {}).items():
            self.plan(key, due)
        for callback in [*self.subscribers]:
            callback(game, len(self.logs[game]))
        return done(len(self.logs[game]))

    def read(self, game: str, after: int = 0, limit: int | None = None) -> list[Stored]:
        events = [Stored(seq, event) for seq, event in enumerate(self.logs.get(game, []), 1)]
        return [event for event in events if event.seq > after][:limit]

    def last(self, game: str) -> int:
        return len(self.logs.get(game, []))

    def games(
        self, state: str | None = None, after: str = "", limit: int = 1000
    ) -> list[IndexEntry]:
        entries = [
            IndexEntry(game, self.last(game), self.abouts[game]) for game in sorted(self.logs)
        ]
        right = [e for e in entries if e.game > after and state in (None, e.about.state)]
        return right[:limit]

    def survey(self) -> Iterator[IndexEntry | Damaged]:
        yield from self.games()

    def damaged(self) -> list[Damaged]:
        return []

    def probe(self) -> Future[None]:
        self.open()
        return done(None)

    def subscribe(self, callback: Subscriber) -> Callable[[], None]:
        self.subscribers.append(callback)
        return lambda: self.subscribers.remove(callback)

    def plan(self, key: str, due: int | None) -> Future[None]:
        self.open()
        checked(Plan(key, due))
        if due is None:
            self.leases.pop(key, None)
        else:
            self.leases[key] = (due, "", LONG_AGO)
        return done(None)

    def take(self, key: str, owner: str, until: int, now: int) -> Future[bool]:
        self.open()
        checked(Take(key, owner, until, now))
        due, holder, end = self.leases.get(key, (None, "", LONG_AGO))
        if holder != owner and now < end <= now + FAR:
            return done(answer=False)
        self.leases[key] = (due, owner, until)
        return done(answer=True)

    def claim(self, owner: str, until: int, now: int, limit: int = 1) -> Future[list[str]]:
        self.open()
        checked(Claim(owner, until, now, limit))
        keys = [key for key, _ in self.due(now, limit)]
        self.leases |= {key: (self.leases[key][0], owner, until) for key in keys}
        return done(keys)

    def renew(self, key: str, owner: str, until: int, now: int) -> Future[bool]:
        self.open()
        checked(Renew(key, owner, until, now))
        due, holder, end = self.leases.get(key, (None, "", LONG_AGO))
        mine = holder == owner and end > now
        if mine:
            self.leases[key] = (due, owner, until)
        return done(mine)

    def release(self, key: str, owner: str, due: int | None = None) -> Future[bool]:
        self.open()
        checked(Release(key, owner, due))
        mine = key in self.leases and self.leases[key][1] == owner
        if mine:
            self.plan(key, due)
        return done(mine)

    def due(self, now: int = 2**62, limit: int = 1000) -> list[Work]:
        rows = ((due, key, end) for key, (due, _, end) in self.leases.items() if due is not None)
        return [
            Work(key, due)
            for due, key, end in sorted(rows)
            if not any(now < time <= now + FAR for time in (due, end))
        ][:limit]

    def enter(self, name: str, key: str, entry: str) -> Future[bool]:
        self.open()
        checked(Enter(name, key, entry))
        keys = self.lists.setdefault(name, {})
        fresh = key not in keys
        keys.setdefault(key, entry)
        return done(fresh)

    def entries(self, name: str, after: str = "", limit: int = 1000) -> list[ListEntry]:
        found = sorted(self.lists.get(name, {}).items())
        return [ListEntry(key, entry) for key, entry in found if key > after][:limit]

    def drop_lists(self, before: str) -> Future[None]:
        self.open()
        checked(DropLists(before))
        self.lists = {name: keys for name, keys in self.lists.items() if name >= before}
        return done(None)

    def close(self) -> None:
        self.closed = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
