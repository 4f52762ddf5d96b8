"""Errors of a table for what is not about the rules of the game.

>>> refused("table.full").message
'every seat is taken'
"""

from __future__ import annotations

from ..game import CatInTheBoxError, NotLegal, NotYourTurn, Refusal
from ..protocol.refusals import sentence


def refused(code: str, message: str = "") -> NotLegal:
    """Return an error for what this table, or this person, may not do.

    Without a message that has details, its sentence is that of the list (`protocol.refusals`).
    """
    return NotLegal(Refusal(code, "", message or sentence(code)))


def not_now(code: str, message: str = "") -> NotYourTurn:
    """Return an error for what may be right at another moment; its sentence as in `refused`."""
    return NotYourTurn(Refusal(code, "", message or sentence(code)))


class BrokenLog(CatInTheBoxError):
    """An event that cannot have happened: the place in the log, and why."""

    def __init__(self, version: int, event: object, why: str) -> None:
        super().__init__("table.log", f"event {version}, {event!r:.120}: {why}")
        self.version = version


class Impossible(Exception):
    """Why an event cannot have happened; `apply` says where."""


def must(condition: bool, why: str) -> None:
    """Raise `Impossible` unless a condition holds, as in every valid log."""
    if not condition:
        raise Impossible(why)
