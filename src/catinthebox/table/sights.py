"""Views of the round in play, kept up to date: each move is looked at once.

Everybody sees the same things happen, but for the rank of a discard (R7). So one story serves all
audiences: the public view follows it move by move, a seat's view when somebody asks for it.

>>> from catinthebox.game import Round
>>> before = Round.deal(("1223345566", "1123344556", "1122344566"))
>>> sights = Sights(before)
>>> after = before.play("-3", seat=1)
>>> sights.see(before, after.actions[-1], after)
(Discarded(seat=1),)
>>> sights.of(1).discard, sights.of(0).moves
(3, '1:-?')
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from ..game import Play, Round
from ..views import (
    BidMade,
    Discarded,
    Event,
    MyDiscard,
    ParadoxShown,
    Played,
    View,
    mine,
    opening,
    visible,
)
from .state import Table

Audience: TypeAlias = int | None  # a seat, or None for a spectator
Sight: TypeAlias = Callable[[Audience], View | None]


class Sights:
    """What every audience has seen of one round."""

    def __init__(self, round: Round, totals: tuple[int, ...] = (), rounds_left: int = 0) -> None:
        self._game = totals, rounds_left
        self._round = round
        self._story: list[Event] = []  # as everybody sees it
        self._seats: dict[int, tuple[View, int]] = {}  # and how much of the story it has seen
        self.public = View(opening(round, None, totals, rounds_left))
        self.moves = ""  # what everybody has seen, in notation
        self._catch_up(round)

    def _catch_up(self, round: Round) -> None:
        if not round.actions:
            return
        before = Round(round.setup)
        for played in round.actions:
            after = before.play(played.action, played.seat)
            self.see(before, played, after)
            before = after

    def see(self, before: Round, played: Play, after: Round) -> tuple[Event, ...]:
        """Let everybody see an action; give what there was to see."""
        events = visible(before, played, after, None)
        self._round = after
        self._story += events
        self.public = self.public.see(*events)
        self.moves = self._moves_after(events)
        return events

    def _moves_after(self, events: tuple[Event, ...]) -> str:
        """Bids and plays stand at the end; discards stand in the order of seats (R7)."""
        done = events[0]
        shown = any(isinstance(event, ParadoxShown) for event in events[1:])  # a word of its own
        if not self.moves or shown or not isinstance(done, BidMade | Played):
            return self.public.moves
        return f"{self.moves} {done.play.action.notation}"

    def of(self, audience: Audience) -> View:
        """Give what an audience has seen."""
        if audience is None:
            return self.public
        if audience in self._seats:
            view, known = self._seats[audience]
        else:
            view, known = View(opening(self._round, audience, *self._game)), 0
        view = view.see(*(self._to(event, audience) for event in self._story[known:]))
        self._seats[audience] = view, len(self._story)
        return view

    def _to(self, event: Event, seat: int) -> Event:
        """An event as a seat sees it: its own discard lies open to it."""
        if isinstance(event, Discarded) and event.seat == seat:
            return MyDiscard(seat, mine(self._round)[seat].discard)
        return event


def sights(table: Table) -> Sights | None:
    """Begin to look at the round of a table; None before the first deal."""
    return None if table.round is None else Sights(table.round, table.totals, table.rounds_left)


def seen(table: Table, audience: Audience) -> View | None:
    """Give the round as an audience sees it; None before the first deal."""
    if table.round is None:
        return None
    return View.of(table.round, audience, table.totals, table.rounds_left)
