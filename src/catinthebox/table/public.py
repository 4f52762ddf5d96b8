"""Everything that everybody is shown of a table, and what of it is different after an event.

A part that did not change stays the same object, so that most of them are compared at a glance.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeVar

from ..game import Game
from . import shown
from .parts import GameShown, Room, RoundShown, Seats, Shared, Turn
from .sights import Sights
from .state import Table

Part = TypeVar("Part", bound="Shared | None")


class Public(NamedTuple):
    """The shared parts of a table; a part is None as long as there is nothing to show."""

    seats: Seats | None
    room: Room | None
    game: GameShown | None
    round: RoundShown | None
    turn: Turn | None

    def changes(self, old: Public) -> list[Shared]:
        """Give the parts that are different from what was shown before."""
        return [
            part
            for part, known in zip(self, old, strict=True)
            if part is not known and part is not None
        ]


NOTHING: Final = Public(None, None, None, None, None)


def public(table: Table, seen: Sights | None) -> Public:
    """Show everything; `seen` is what everybody has seen of the round."""
    return Public(
        shown.seats(table),
        shown.room(table),
        shown.game(table),
        _round(table, seen),
        shown.turn(table),
    )


def public_after(old: Public, before: Table, table: Table, seen: Sights | None) -> Public:
    """Show everything again after an event: what is as it was is not made again."""
    room = _kept(old.room, shown.room(table))
    goes_on = room is old.room and _goes_on(before.game, table.game)
    return Public(
        old.seats if _same_seats(before, table) else _kept(old.seats, shown.seats(table)),
        room,
        old.game if goes_on else _kept(old.game, shown.game(table)),
        old.round if before.round is table.round else _round(table, seen),
        _kept(old.turn, shown.turn(table)),
    )


def _kept(old: Part, new: Part) -> Part:
    return old if new == old else new


def _same_seats(before: Table, table: Table) -> bool:
    return table.seats is before.seats and table.host == before.host


def _goes_on(old: Game | None, new: Game | None) -> bool:
    """Whether a game differs in the round in play at most; its promise is made anew for each."""
    if old is None or new is None:
        return old is new
    return old.fairness is new.fairness and old.number == new.number


def _round(table: Table, seen: Sights | None) -> RoundShown | None:
    if seen is None or table.game is None:
        return None
    return shown.round_of(seen.public, seen.moves, table.game.names)
