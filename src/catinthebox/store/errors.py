"""What a store refuses, and what it could not do.

>>> Conflict("cheshire", expected=4, actual=6)
Conflict('cheshire', expected=4, actual=6)
>>> print(Conflict("cheshire", expected=4, actual=6))
cheshire has 6 events, not 4: somebody else was first; read on from there and try again
"""

from __future__ import annotations


class StoreError(Exception):
    """Anything that a store refuses or fails to do."""


class NotStorable(StoreError, ValueError):
    """A request that no store takes: a bad name, an event too large, a read-only store."""


class Busy(StoreError):
    """Too much is waiting to be written. Nothing was accepted; try again a little later."""


class StoreClosed(StoreError):
    """The store is closed and takes nothing more."""


class StoreFailed(StoreError):
    """A disk or a database did not do its part; the request is not acknowledged.

    `settled` says that the request certainly had no effect. Otherwise nobody could be asked:
    read the game again. A request is never carried out in part, and the same append tried
    again is never carried out twice, since `expected` fits only once.
    """

    def __init__(self, message: str, *, settled: bool) -> None:
        super().__init__(message)
        self.settled = settled


class Malformed(StoreFailed):
    """The database itself cannot read a part of what it holds. A store turns it into `Damaged`."""


class Damaged(StoreError):
    """What is stored of a game is not what was written; nobody can go on from it.

    `seq` is the first event that is wrong, if it is one. What the event says is not told: it may
    be a hand.

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
    """Say what to do with a store of an older version that is to be read only."""
    return (
        f"its tables are of version {found}, and this program reads version {known}; "
        "start a server on it once, or import into it: that brings it up to date (a damaged file "
        "that cannot be brought up to date can be exported by the release that wrote it)"
    )
