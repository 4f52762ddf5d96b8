"""The requests that a writer carries out, and their validation.

>>> checked(Append("cheshire", 0, (b"sit down", b"deal"))).size
12
>>> checked(Append("no spaces", -1, ()))
Traceback (most recent call last):
    ...
catinthebox.store.errors.NotStorable: 'no spaces' is not an id of a game, which has 1 to 64 of \
A-Z a-z 0-9 _ -; -1 is not a number of events; there are no events
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, TypeVar

from .checksums import Head
from .errors import Conflict, Full, NotStorable, StoreError
from .protocol import (
    ENTRY_BYTES,
    EVENT_BYTES,
    FAR,
    GAME_BYTES,
    GAME_EVENTS,
    PAGE,
    SUMMARY_BYTES,
    TIME,
    About,
)

_GAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
_KEY: Final = re.compile(r"[A-Za-z0-9_:./-]{1,128}")
_STATE: Final = re.compile(r"[a-z-]{0,16}")


@dataclass(frozen=True, slots=True)
class Append:
    """Events to add to a game, its new index data, and work to plan."""

    game: str
    expected: int
    events: tuple[bytes, ...]
    about: About | None = None
    plans: tuple[tuple[str, int | None], ...] = ()
    size: int = field(init=False)  # the bytes of all events, which every limit asks for

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", sum(map(len, self.events)))


@dataclass(frozen=True, slots=True)
class Plan:
    """Work to schedule, or with `None` to cancel."""

    key: str
    due: int | None


@dataclass(frozen=True, slots=True)
class Take:
    """A lease to take."""

    key: str
    owner: str
    until: int
    now: int


@dataclass(frozen=True, slots=True)
class Renew:
    """A lease to extend."""

    key: str
    owner: str
    until: int
    now: int


@dataclass(frozen=True, slots=True)
class Release:
    """A lease to give back."""

    key: str
    owner: str
    due: int | None


@dataclass(frozen=True, slots=True)
class Enter:
    """An entry to add to a list."""

    name: str
    key: str
    entry: str


@dataclass(frozen=True, slots=True)
class DropLists:
    """Lists to delete: those whose names sort before a text."""

    before: str
    key: str = ""  # requests are carried out in the order of their keys


@dataclass(frozen=True, slots=True)
class Claim:
    """Leases to take on work that is due."""

    owner: str
    until: int
    now: int
    limit: int


@dataclass(frozen=True, slots=True)
class Probe:
    """An empty commit, to test the store."""


@dataclass(frozen=True, slots=True)
class Quarantine:
    """A damaged game that no process may append to, or the end of that."""

    game: str
    lifted: bool = False


Lease = Plan | Take | Renew | Release
Keyed = Lease | Enter | DropLists
StoreRequest = Append | Keyed | Claim | Probe | Quarantine
R = TypeVar("R", bound=StoreRequest)

StoreAnswer = int | bool | list[str] | StoreError | None
"""What becomes of a request: the value of its future, or the error."""


def size_of(request: StoreRequest) -> int:
    """Return the approximate memory of a waiting request, in bytes."""
    if isinstance(request, Enter):
        return 200 + len(request.entry)
    return 200 + (request.size + 50 * len(request.events) if isinstance(request, Append) else 0)


# ── What can be stored ───────────────────────────────────────────────────────────────────────


def checked(request: R) -> R:
    """Return the request; raise `NotStorable` with everything that is wrong with it."""
    problems: list[str] = []
    if isinstance(request, Append):
        problems += _of_append(request)
    elif isinstance(request, Enter):
        problems += _of_entry(request)
    elif isinstance(request, DropLists):
        problems += _of_list(request.before)
    elif not isinstance(request, Probe | Quarantine):
        problems += _of_lease(request)
    if problems:
        raise NotStorable("; ".join(problems))
    return request


def checked_game(game: str) -> str:
    """Return an id; raise `NotStorable` if it is not valid."""
    if problem := _of_id(game):
        raise NotStorable(problem)
    return game


def _of_id(game: str) -> str:
    fits = _GAME.fullmatch(game)
    return (
        "" if fits else f"{game!r:.80} is not an id of a game, which has 1 to 64 of A-Z a-z 0-9 _ -"
    )


def _of_append(append: Append) -> Iterator[str]:
    if not _GAME.fullmatch(append.game):
        yield _of_id(append.game)
    if not 0 <= append.expected <= GAME_EVENTS:
        yield f"{append.expected} is not a number of events"
    if not append.events:
        yield "there are no events"
    longest = max(map(len, append.events), default=0)
    if longest > EVENT_BYTES:
        yield f"an event has {longest} bytes; {EVENT_BYTES} are the limit"
    if len(append.events) > GAME_EVENTS or append.size > GAME_BYTES:
        yield f"a game has at most {GAME_EVENTS} events and {GAME_BYTES} bytes"
    if append.about is not None:
        yield from _of_about(append.about)
    for key, due in append.plans:
        yield from _of_lease(Plan(key, due))


def _of_about(about: About) -> Iterator[str]:
    if not _STATE.fullmatch(about.state):
        yield f"{about.state!r:.80} is not a state, which has up to 16 of a-z -"
    if not _fits(about.summary, SUMMARY_BYTES):
        yield f"a summary is a text of up to {SUMMARY_BYTES} bytes in UTF-8, without NUL"


def _fits(text: str, most: int) -> bool:
    """Whether both databases can store a text, and it is not too long."""
    try:
        return len(text.encode()) <= most and "\0" not in text
    except UnicodeEncodeError:
        return False


def _of_entry(request: Enter) -> Iterator[str]:
    yield from _of_list(request.name)
    if not _KEY.fullmatch(request.key):
        yield f"{request.key!r:.80} is not a key, which has 1 to 128 of A-Z a-z 0-9 _ : . / -"
    if not _fits(request.entry, ENTRY_BYTES):
        yield f"an entry is a text of up to {ENTRY_BYTES} bytes in UTF-8, without NUL"


def _of_list(name: str) -> Iterator[str]:
    if not _GAME.fullmatch(name):
        yield f"{name!r:.80} is not the name of a list, which has 1 to 64 of A-Z a-z 0-9 _ -"


def _of_lease(lease: Lease | Claim) -> Iterator[str]:
    for name, word in (
        ("key", getattr(lease, "key", "-")),
        ("owner", getattr(lease, "owner", "-")),
    ):
        if not _KEY.fullmatch(word):
            yield f"{word!r:.80} is not a {name}, which has 1 to 128 of A-Z a-z 0-9 _ : . / -"
    for name in ("due", "until", "now"):
        moment = getattr(lease, name, None)
        if moment is not None and not -TIME <= moment <= TIME:
            yield f"{name} is {moment}, which is no time"
    if isinstance(lease, Take | Renew | Claim) and lease.until - lease.now > FAR:
        yield f"a lease is held for at most {FAR} ms, not {lease.until - lease.now}"
    if isinstance(lease, Claim) and not 1 <= lease.limit <= PAGE:
        yield f"a limit is from 1 to {PAGE}, not {lease.limit}"


# ── The law of appending ─────────────────────────────────────────────────────────────────────


def check_append(head: Head, append: Append) -> Conflict | Full | None:
    """Return why an append to a game is refused, if it is; the same in every store.

    >>> check_append(Head(2, 9), Append("cheshire", 2, (b"bid",)))
    >>> check_append(Head(2, 9), Append("cheshire", 1, (b"bid",)))
    Conflict('cheshire', expected=1, actual=2)
    """
    if append.expected != head.last:
        return Conflict(append.game, append.expected, head.last)
    if head.last + len(append.events) > GAME_EVENTS or head.size + append.size > GAME_BYTES:
        return Full(f"{append.game} would pass {GAME_EVENTS} events or {GAME_BYTES} bytes")
    return None
