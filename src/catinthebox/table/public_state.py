"""The public state of a table, and what of it changes with an event.

A part that did not change stays the same object, so that most of them are compared at a glance.
"""

from __future__ import annotations

from typing import NamedTuple, TypeVar

from ..game import Game
from ..protocol.parts import GameShown, Room, RoundShown, Seats, Shared, Turn
from . import render
from .live_views import LiveViews
from .state import Table

Part = TypeVar("Part", bound="Shared | None")


class PublicState(NamedTuple):
    """The shared parts of a table; a part is None as long as there is nothing to show."""

    seats: Seats | None
    room: Room | None
    game: GameShown | None
    round: RoundShown | None
    turn: Turn | None

    def changes(self, old: PublicState) -> list[Shared]:
        """Return the parts that are different from what was shown before."""
        return [
            part
            for part, known in zip(self, old, strict=True)
            if part is not known and part is not None
        ]


def public(table: Table, seen: LiveViews | None) -> PublicState:
    """Return the public state; `seen` is what everybody has seen of the round."""
    return PublicState(
        render.seats(table),
        render.room(table),
        render.game(table),
        _round(table, seen),
        render.turn(table),
    )


def public_after(
    old: PublicState, before: Table, table: Table, seen: LiveViews | None
) -> PublicState:
    """Return the public state after an event; unchanged parts are reused."""
    room = old.room if _same_room(before, table) else _kept(old.room, render.room(table))
    goes_on = room is old.room and _goes_on(before.game, table.game)
    return PublicState(
        old.seats if _same_seats(before, table) else _kept(old.seats, render.seats(table)),
        room,
        old.game if goes_on else _kept(old.game, render.game(table)),
        old.round if before.round is table.round else _round(table, seen),
        _kept(old.turn, render.turn(table)),
    )


def _kept(old: Part, new: Part) -> Part:
    return old if new == old else new


def _same_seats(before: Table, table: Table) -> bool:
    return table.seats is before.seats and table.host == before.host


def _same_room(before: Table, table: Table) -> bool:
    """Whether nothing that `Room` shows can have changed; the stage follows from the game."""
    return (
        table.ready is before.ready
        and table.paused is before.paused
        and table.undo is before.undo
        and table.commitment is before.commitment
        and table.closed is before.closed
        and table.stage == before.stage
    )


def _goes_on(old: Game | None, new: Game | None) -> bool:
    """Whether a game differs in the round in play at most; its promise is made anew for each."""
    if old is None or new is None:
        return old is new
    return old.fairness is new.fairness and old.number == new.number


def _round(table: Table, seen: LiveViews | None) -> RoundShown | None:
    if seen is None or table.game is None:
        return None
    return render.round_of(seen, table.game.names)
