"""The events that a seat sees; only `opening` and `visible` turn a round into events.

>>> from catinthebox.game import Round
>>> before = Round.deal(("1223345566", "1123344556", "1122344566"))
>>> after = before.play("-3", seat=1)
>>> visible(before, after.actions[-1], after, seat=0)
(Discarded(seat=1),)
>>> visible(before, after.actions[-1], after, seat=1)
(MyDiscard(seat=1, rank=3),)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from ..game import Action, Deck, Face, Phase, Play, Round
from ..game.face import WHITE
from ..game.round import Seat
from ..rules.layout import LEADER, LEFT, OVER, PHASE


@dataclass(frozen=True, repr=False)
class Dealt:
    """A round was dealt: everything public about it, and the own hand (R5, R6).

    `face_down` is how many cards lie aside unseen (R6). With `discarded` it is a position for
    study, just before the first lead: nobody knows the discards, and `bids` may be made.
    """

    players: int
    seat: Seat | None = None  # None: a spectator
    hand: str = ""
    starter: Seat = 0
    face: Face = WHITE
    turned_up: str = ""
    face_down: int = 0
    deck: Deck | None = None
    discarded: bool = False
    bids: tuple[int, ...] = ()
    totals: tuple[int, ...] = ()  # points before this round; empty: a round by itself
    rounds_left: int = 0  # of the game, after this one

    def __repr__(self) -> str:
        shown = [repr(self.players)]
        for name, field in self.__dataclass_fields__.items():
            if name != "players" and getattr(self, name) != field.default:
                shown.append(f"{name}={getattr(self, name)!r}")
        return f"Dealt({', '.join(shown)})"

    def __reduce__(self) -> tuple[Callable[..., Dealt], tuple[object, ...]]:
        """Pickle the deal without what its face has cached."""
        values = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return _on_face, (str(self.face), *(v for name, v in values.items() if name != "face"))


def _on_face(
    face: str,
    players: int,
    seat: Seat | None,
    hand: str,
    starter: Seat,
    *rest: Any,
) -> Dealt:
    """Rebuild a deal on a face given as text."""
    return Dealt(players, seat, hand, starter, Face.parse(face), *rest)


@dataclass(frozen=True, slots=True)
class Discarded:
    """Another seat set a card aside, face down (R7)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class MyDiscard:
    """The own seat set a card aside (R7)."""

    seat: Seat
    rank: int


@dataclass(frozen=True, slots=True)
class BidMade:
    """A seat predicted its tricks (R8)."""

    seat: Seat
    number: int

    @property
    def play(self) -> Play:
        """The same as an entry of a log."""
        return Play(self.seat, Action.bid(self.number))


@dataclass(frozen=True, slots=True)
class Played:
    """A seat declared a card (R11)."""

    seat: Seat
    action: Action

    @property
    def play(self) -> Play:
        """The same as an entry of a log."""
        return Play(self.seat, self.action)


@dataclass(frozen=True, slots=True)
class TrickWon:
    """A trick was completed (R18)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class ParadoxShown:
    """A seat could declare nothing and showed its hand (R20, R22)."""

    seat: Seat
    hand: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RoundOver:
    """The round has ended (R19, R21)."""

    scores: tuple[int, ...]


Event: TypeAlias = (
    Dealt | Discarded | MyDiscard | BidMade | Played | TrickWon | ParadoxShown | RoundOver
)


def opening(
    round: Round, seat: Seat | None, totals: tuple[int, ...] = (), rounds_left: int = 0
) -> Dealt:
    """Return what a seat sees when a round begins; None is a spectator.

    `totals` and `rounds_left` describe the game, if the round is part of one.
    """
    setup = round.setup
    return Dealt(
        setup.players,
        seat,
        "" if seat is None else setup.hands[seat],
        setup.starter,
        setup.face,
        setup.turned_up,
        len(setup.aside) - len(setup.turned_up),
        setup.deck,
        setup.discarded,
        setup.bids,
        totals,
        rounds_left,
    )


def visible(before: Round, played: Play, after: Round, seat: Seat | None) -> tuple[Event, ...]:
    """Return what a seat sees of an action that leads from a round to the next."""
    s = after.vector
    events: tuple[Event, ...] = (_done(played, seat),)
    if s[LEFT] < before.vector[LEFT]:
        events = (*events, TrickWon(s[LEADER]))
    return (*events, *_ending(after)) if s[PHASE] == OVER else events


def _done(played: Play, seat: Seat | None) -> Event:
    who, action = played
    if action.phase is Phase.BID:
        return BidMade(who, action.number)
    if action.phase is Phase.PLAY:
        return Played(who, action)
    return MyDiscard(who, action.rank) if who == seat else Discarded(who)  # R7, R33


def _ending(after: Round) -> tuple[Event, ...]:
    shown = after.paradox
    events: tuple[Event, ...] = ()
    if shown is not None:
        events = (ParadoxShown(shown, after.hands[shown]),)  # R22: the one hand ever shown
    return events if after.scores is None else (*events, RoundOver(after.scores))
