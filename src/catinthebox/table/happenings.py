"""Things that happen at a table, as everybody sees them: to be shown one after the other.

What a seat alone may know of them is in its `Own`: that a card was discarded is news for
everybody, which one is in the own discard.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta

from .wire import Count, Digits, Millis, Notation, Number, Rank, Seat, Tagged


class GameBegan(Tagged, frozen=True):
    """A game began; its chance was committed to before anybody sat down."""

    number: Annotated[Count, Meta(description="of the game at this table, from 1")]
    starter: Seat


class RoundDealt(Tagged, frozen=True):
    """A round was dealt (R5)."""

    number: Annotated[Count, Meta(description="of the round in its game, from 1")]
    starter: Seat


class CardDiscarded(Tagged, frozen=True):
    """A seat set a card aside, unseen by others (R7)."""

    seat: Seat


class BidMade(Tagged, frozen=True):
    """A seat predicted its tricks (R8)."""

    seat: Seat
    number: Count


class CardPlayed(Tagged, frozen=True):
    """A seat declared a card (R11)."""

    seat: Seat
    action: Notation


class TrickWon(Tagged, frozen=True):
    """A seat won a trick (R18)."""

    seat: Seat


class ParadoxShown(Tagged, frozen=True):
    """A seat could declare nothing and showed its hand (R20, R22)."""

    seat: Seat
    hand: tuple[Rank, ...]


class RoundOver(Tagged, frozen=True):
    """A round ended (R19, R21)."""

    scores: Annotated[tuple[Number, ...], Meta(description="of this round, by seat")]


class GameOver(Tagged, frozen=True):
    """The game ended (R3)."""

    totals: Annotated[tuple[Number, ...], Meta(description="of all rounds, by seat")]
    winners: tuple[Seat, ...]


class BotMoved(Tagged, frozen=True):
    """The next happening is a bot's doing."""

    seat: Seat


class TimeOut(Tagged, frozen=True):
    """A seat's time ran out; a bot makes this one move."""

    seat: Seat


class TakenBack(Tagged, frozen=True):
    """The last action of a seat did not happen."""

    seat: Seat


class UndoEnded(Tagged, frozen=True):
    """A request to take back came to nothing."""

    seat: Annotated[Seat | None, Meta(description="who refused; null: nobody answered in time")]


class SecretShown(Tagged, frozen=True):
    """The game is over; whoever kept its commitment can check every deal."""

    secret: Digits
    next_commitment: Annotated[Digits, Meta(description="to the secret of the next game")]


class Spoken(Tagged, frozen=True):
    """Somebody said something."""

    seat: Seat
    name: str
    text: Annotated[str, Meta(description="the name of a phrase, or a text")]
    preset: Annotated[bool, Meta(description="whether it is a phrase")]
    at: Millis


class SeatLeft(Tagged, frozen=True):
    """Somebody gave up a seat, or had to."""

    seat: Seat
    name: str
    kicked: bool


Happening: TypeAlias = (
    GameBegan
    | RoundDealt
    | CardDiscarded
    | BidMade
    | CardPlayed
    | TrickWon
    | ParadoxShown
    | RoundOver
    | GameOver
    | BotMoved
    | TimeOut
    | TakenBack
    | UndoEnded
    | SecretShown
    | Spoken
    | SeatLeft
)
