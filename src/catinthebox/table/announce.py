"""Which parts of an event are announced, in order; the same for everybody."""

from __future__ import annotations

from ..protocol import announcements
from ..protocol.announcements import Announcement, Spoken
from ..protocol.chat import ChatMessage
from ..views import events
from .events import (
    Acted,
    CardsDealt,
    ClockRanOut,
    Left,
    Rematched,
    Revealed,
    Said,
    Started,
    TableEvent,
    Undone,
    UndoRefused,
)
from .state import Table


def happened(
    before: Table, event: TableEvent, after: Table, seen: tuple[events.Event, ...]
) -> list[Announcement]:
    """Return the announcements of an event; `seen` is what everybody saw of an action."""
    match event:
        case Acted():
            return _acted(event, after, seen)
        case Started(starter) | Rematched(starter):
            return [announcements.GameBegan(after.games, starter)]
        case CardsDealt() if after.game is not None:
            return [announcements.RoundDealt(after.game.number, after.game.starter)]
        case Left(seat, kicked):
            return [announcements.SeatLeft(seat, before.seats[seat].name, kicked)]
        case Said():
            return [spoken(after.chat[-1])]
    return _ended(event)


def _ended(event: TableEvent) -> list[Announcement]:
    match event:
        case ClockRanOut(seat):
            return [announcements.TimeOut(seat)]
        case Undone(seat):
            return [announcements.TakenBack(seat)]
        case UndoRefused(by):
            return [announcements.UndoEnded(by)]
        case Revealed(secret, commitment):
            return [announcements.SecretShown(secret, commitment)]
    return []


def spoken(message: ChatMessage) -> Spoken:
    """Announce a chat message."""
    return Spoken(*message)


def _acted(event: Acted, after: Table, seen: tuple[events.Event, ...]) -> list[Announcement]:
    found: list[Announcement] = [announcements.BotMoved(event.seat)] if event.bot else []
    found += map(_news, seen)
    if isinstance(seen[-1], events.RoundOver) and after.game is not None and after.game.over:
        found.append(announcements.GameOver(after.game.totals, after.game.winners))
    return found


def _news(event: events.Event) -> Announcement:
    match event:
        case events.Played(seat, action):
            return announcements.CardPlayed(seat, action.notation)
        case events.Discarded(seat):
            return announcements.CardDiscarded(seat)
        case events.BidMade(seat, number):
            return announcements.BidShown(seat, number)
        case events.TrickWon(seat):
            return announcements.TrickShown(seat)
        case events.ParadoxShown(seat, hand):
            return announcements.ParadoxRevealed(seat, hand)
        case events.RoundOver(scores):
            return announcements.RoundEnded(scores)
    raise AssertionError(f"{event!r} is no event of a round that everybody sees")
