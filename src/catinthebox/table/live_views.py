"""Views of the round in play, kept up to date: each move is processed once.

Everybody sees the same things happen, but for the rank of a discard (R7). So one list of events
serves all audiences: a view is brought up to date when somebody asks for it.

>>> from catinthebox.game import Round
>>> before = Round.deal(("1223345566", "1123344556", "1122344566"))
>>> views = LiveViews(before)
>>> after = before.play("-3", seat=1)
>>> views.see(before, after.actions[-1], after)
(Discarded(seat=1),)
>>> views.of(1).discard, views.of(0).moves
(3, '1:-?')
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from ..game import Play, Round
from ..views import (
    Discarded,
    Event,
    MyDiscard,
    ParadoxShown,
    View,
    mine,
    opening,
    visible,
)
from ..views.notation import HIDDEN
from .state import Table

Audience: TypeAlias = int | None  # a seat, or None for a spectator
ViewOf: TypeAlias = Callable[[Audience], View | None]


class LiveViews:
    """What every audience has seen of one round."""

    def __init__(self, round: Round, totals: tuple[int, ...] = (), rounds_left: int = 0) -> None:
        self._game = totals, rounds_left
        self.round = round  # with every hand: see `views.public_round` for what everybody may know
        self._events: list[Event] = []  # as everybody sees them
        self._views: dict[Audience, tuple[View, int]] = {}  # and how many events each has seen
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
        """Add an action; return the events that everybody saw of it."""
        events = visible(before, played, after, None)
        self.round = after
        self._events += events
        self.moves = self._moves_after(events)
        return events

    def _moves_after(self, events: tuple[Event, ...]) -> str:
        """Return the moves after an action: discards by seat (R7), then bids, plays, a paradox."""
        actions = self.round.actions
        if isinstance(events[0], Discarded):
            moves = " ".join([f"{seat}{HIDDEN}" for seat, _ in actions])
        elif self.moves:
            moves = f"{self.moves} {actions[-1].action.notation}"
        else:
            return self.of(None).moves
        if len(events) > 1 and isinstance(events[-2], ParadoxShown):
            moves += f" {events[-2].seat}!{''.join(map(str, events[-2].hand))}"
        return moves

    def of(self, audience: Audience) -> View:
        """Return what an audience has seen."""
        if audience in self._views:
            view, known = self._views[audience]
        else:
            view, known = View(opening(self.round, audience, *self._game)), 0
        view = view.see(*(self._to(event, audience) for event in self._events[known:]))
        self._views[audience] = view, len(self._events)
        return view

    def _to(self, event: Event, seat: Audience) -> Event:
        """Return an event as a seat sees it: it knows its own discard."""
        if isinstance(event, Discarded) and event.seat == seat:
            return MyDiscard(event.seat, mine(self.round)[event.seat].discard)
        return event


def live_views(table: Table) -> LiveViews | None:
    """Return the views of a table's round; None before the first deal."""
    return None if table.round is None else LiveViews(table.round, table.totals, table.rounds_left)


def seen(table: Table, audience: Audience) -> View | None:
    """Return the round as an audience sees it; None before the first deal."""
    if table.round is None:
        return None
    return View.of(table.round, audience, table.totals, table.rounds_left)
