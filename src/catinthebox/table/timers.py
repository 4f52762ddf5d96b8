"""Timers: what time alone causes, when that is due, and which moves bots are to make.

The server calls `elapse` at `wake(table)`, appends its entries to the log, and lets a bot answer
each of `needs(table)` with an `Act` command. Time is an argument, in milliseconds: an earlier `now`
counts as the time of the last event. During a pause, or while people play here and none of them is
present, time stands still.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from ..views import View
from . import undo
from .dealer import Dealer
from .draft import Draft
from .events import ClockRanOut, Covered, Entry, Left, TableEvent, Undone, UndoRefused
from .live_views import ViewOf, seen
from .seats import Bot, Person
from .state import Table

Due = tuple[int, TableEvent | None]  # at what time, and what then; None is the next deal


def tick(table: Table, now: int, dealer: Dealer) -> list[Entry]:
    """Return everything that is due by now; the time of the entries is now."""
    return elapse(table, now, dealer).entries


def elapse(table: Table, now: int, dealer: Dealer) -> Draft:
    """Return everything that is due by now, and the table after it."""
    draft = Draft(table, "", now, dealer)
    while due := sorted(
        (found for found in _dues(draft.table) if found[0] <= draft.now), key=lambda due: due[0]
    ):
        event = due[0][1]
        if event is None:
            draft.deal()
        elif isinstance(event, Left):
            draft.leave(event.seat)
        else:
            draft.add(event)
    return draft


def wake(table: Table) -> int | None:
    """Return the next time at which something is due by itself; None if never."""
    dues = _dues(table)
    return min([at for at, _ in dues]) if dues else None


def _dues(table: Table) -> list[Due]:
    """Return everything that time alone will cause, as things stand."""
    dues: list[Due] = []
    if table.still is not None or table.closed:
        return dues
    for seat, who in enumerate(table.seats):
        if isinstance(who, Person) and not who.here and not who.covered:
            dues.append(_absence(table, seat, who))
    if table.settings.clock:
        ends = [(table.deadline(seat), seat) for seat in table.to_act]
        dues += [(end, ClockRanOut(seat)) for end, seat in ends if end is not None]
    if table.undo is not None:
        lapsed = table.undo.since + table.settings.undo_ms
        done = not undo.awaited(table)
        dues.append((table.at, Undone(table.undo.seat)) if done else (lapsed, UndoRefused(None)))
    if table.stage == "between":
        dues.append((table.at if table.all_ready else table.since + table.settings.look_ms, None))
    return dues


def _absence(table: Table, seat: int, who: Person) -> Due:
    """Return the end of an absence: a bot covers the seat in a game; before one, it is free."""
    event = Covered(seat) if table.playing else Left(seat)
    return who.since + table.settings.grace_ms, event


# ── Bots ─────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class BotTurn:
    """A move that a bot is to make: its seat, level, view and deadline."""

    seat: int
    level: str
    view: View
    turn: int  # to be given back with the move
    deadline: int | None  # None: there is no hurry


def needs(table: Table, view: ViewOf | None = None) -> list[BotTurn]:
    """Return the moves that bots are to make now. They wait while people decide about taking back.

    `view` gives the view of a seat, where somebody keeps it (`Broadcaster.view`).
    """
    view_of = view or partial(seen, table)
    return [_bot_turn(table, seat, view_of) for seat in bots_due(table)]


def bots_due(table: Table) -> list[int]:
    """Return the seats whose move is due and a bot's to make."""
    if table.still is not None or table.undo is not None:
        return []
    return list(filter(table.bot_decides, table.to_act))


def _bot_turn(table: Table, seat: int, view_of: ViewOf) -> BotTurn:
    who, view = table.seats[seat], view_of(seat)
    assert view is not None
    level = who.level if isinstance(who, Bot) else table.settings.cover
    move = table.settings.move_ms
    return BotTurn(seat, level, view, table.turn, table.since + move if move else None)
