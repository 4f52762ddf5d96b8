"""What of an event is worth showing by itself, in order; the same for everybody."""

from __future__ import annotations

from ..views import events
from . import happenings
from .events import (
    Acted,
    ClockRanOut,
    Dealt,
    Left,
    Rematched,
    Revealed,
    Said,
    Started,
    TableEvent,
    Undone,
    UndoRefused,
)
from .happenings import Happening, Spoken
from .state import Table
from .talk import Line


def happened(
    before: Table, event: TableEvent, after: Table, seen: tuple[events.Event, ...]
) -> list[Happening]:
    """Tell of an event; `seen` is what everybody saw of an action."""
    match event:
        case Acted():
            return _acted(event, after, seen)
        case Started(starter) | Rematched(starter):
            return [happenings.GameBegan(after.games, starter)]
        case Dealt() if after.game is not None:
            return [happenings.RoundDealt(after.game.number, after.game.starter)]
        case Left(seat, kicked):
            return [happenings.SeatLeft(seat, before.seats[seat].name, kicked)]
        case Said():
            return [spoken(after.chat[-1])]
    return _ended(event)


def _ended(event: TableEvent) -> list[Happening]:
    match event:
        case ClockRanOut(seat):
            return [happenings.TimeOut(seat)]
        case Undone(seat):
            return [happenings.TakenBack(seat)]
        case UndoRefused(by):
            return [happenings.UndoEnded(by)]
        case Revealed(secret, commitment):
            return [happenings.SecretShown(secret, commitment)]
    return []


def spoken(line: Line) -> Spoken:
    """Tell what somebody said."""
    return Spoken(*line)


def _acted(event: Acted, after: Table, seen: tuple[events.Event, ...]) -> list[Happening]:
    told: list[Happening] = [happenings.BotMoved(event.seat)] if event.bot else []
    told += map(_news, seen)
    if isinstance(seen[-1], events.RoundOver) and after.game is not None and after.game.over:
        told.append(happenings.GameOver(after.game.totals, after.game.winners))
    return told


def _news(event: events.Event) -> Happening:
    match event:
        case events.Played(seat, action):
            return happenings.CardPlayed(seat, action.notation)
        case events.Discarded(seat):
            return happenings.CardDiscarded(seat)
        case events.BidMade(seat, number):
            return happenings.BidMade(seat, number)
        case events.TrickWon(seat):
            return happenings.TrickWon(seat)
        case events.ParadoxShown(seat, hand):
            return happenings.ParadoxShown(seat, hand)
        case events.RoundOver(scores):
            return happenings.RoundOver(scores)
    raise AssertionError(f"{event!r} is no event of a round that everybody sees")
