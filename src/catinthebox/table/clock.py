"""Time at a table: until when somebody may think, and what is due without anybody acting.

Time is an argument, in milliseconds: an earlier `now` counts as the time of the last event. During
a pause, or while people play here and none of them is here, time stands still.
"""

from __future__ import annotations

from .seats import Person
from .state import Table


def runs(table: Table, seat: int) -> bool:
    """Whether the clock of a seat runs: its move is due, and a person is to make it."""
    if not table.settings.clock or table.still is not None or table.stage != "play":
        return False
    who = table.seat(seat)
    deciding = seat in table.to_act and seat not in table.lent
    return deciding and isinstance(who, Person) and not who.covered


def deadline(table: Table, seat: int) -> int | None:
    """Give the time at which a bot will make the move that is due; None if no clock runs."""
    if not runs(table, seat):
        return None
    return table.since + table.settings.move_ms + table.bank[seat]


def bank_after(table: Table, seat: int, at: int) -> tuple[int, ...]:
    """Give what every seat has left in the bank once a seat has made its move."""
    if not runs(table, seat):
        return table.bank
    over = max(0, at - table.since - table.settings.move_ms)
    return tuple(
        max(0, left - over) if other == seat else left for other, left in enumerate(table.bank)
    )
