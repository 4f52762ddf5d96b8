"""What a table refuses by itself: no clause of the rules decides, but house order does.

>>> refused("table.full", "every seat is taken").code
'table.full'
"""

from __future__ import annotations

from ..game import CatInTheBoxError, NotLegal, NotYourTurn, Refusal


def refused(code: str, message: str) -> NotLegal:
    """Make an error for what this table, or this person, may not do."""
    return NotLegal(Refusal(code, "", message))


def not_now(code: str, message: str) -> NotYourTurn:
    """Make an error for what may be right at another moment."""
    return NotYourTurn(Refusal(code, "", message))


class BrokenLog(CatInTheBoxError):
    """An event that cannot have happened: the place in the log, and why."""

    def __init__(self, version: int, event: object, why: str) -> None:
        super().__init__("table.log", f"event {version}, {event!r:.120}: {why}")
        self.version = version


class Impossible(Exception):
    """Why an event cannot have happened; `apply` says where."""


def must(condition: bool, why: str) -> None:
    """Insist on what every true log keeps."""
    if not condition:
        raise Impossible(why)
