"""Errors of a store.

>>> Conflict("cheshire", expected=4, actual=6)
Conflict('cheshire', expected=4, actual=6)
>>> print(Conflict("cheshire", expected=4, actual=6))
cheshire has 6 events, not 4: somebody else was first; read on from there and try again
"""

from __future__ import annotations


class StoreError(Exception):
    """Anything that a store refuses or fails to do."""


class NotStorable(StoreError, ValueError):
    """A request that cannot be stored: a bad name, an event too large, a read-only store."""


class Busy(StoreError):
    """Too much is waiting to be written. Nothing was accepted; try again a little later."""


class StoreClosed(StoreError):
    """The store is closed and accepts no requests."""


class StoreFailed(StoreError):
    """The disk or the database failed; the request is not acknowledged.

    `settled` means that the request certainly had no effect. Otherwise it is unknown: read the
    game again. A request is never carried out in part, and repeating an append never carries it
    out twice, since `expected` matches only once.
    """

    def __init__(self, message: str, *, settled: bool) -> None:
        super().__init__(message)
        self.settled = settled


class Malformed(StoreFailed):
    """The database cannot read some of its own pages. A store turns it into `Damaged`."""


class Damaged(StoreError):
    """A game's stored data is not what was written, so the game cannot be continued.

    `seq` is the first wrong event, if known. The message leaves out its contents, which may be a
    secret hand.

    >>> print(Damaged("cheshire", 7, "it is missing"))
    the stored log of cheshire is damaged at event 7: it is missing
    """

    def __init__(self, game: str, seq: int | None, what: str) -> None:
        place = "" if seq is None else f" at event {seq}"
        super().__init__(f"the stored log of {game} is damaged{place}: {what}")
        self.game = game
        self.seq = seq
        self.what = what


class Conflict(StoreError):
    """Somebody else appended first; nothing of this append was written."""

    def __init__(self, game: str, expected: int, actual: int) -> None:
        super().__init__(
            f"{game} has {actual} events, not {expected}: "
            "somebody else was first; read on from there and try again"
        )
        self.game = game
        self.expected = expected
        self.actual = actual

    def __repr__(self) -> str:
        return f"Conflict({self.game!r}, expected={self.expected}, actual={self.actual})"


class Full(StoreError):
    """The game's log has reached its limit; nothing of this append was written."""


def older(found: int, known: int) -> str:
    """Explain how to read a store of an older version."""
    return (
        f"its tables are of version {found}, and this program reads version {known}; "
        "start a server on it once, or import into it: that brings it up to date (a damaged file "
        "that cannot be brought up to date can be exported by the release that wrote it)"
    )
