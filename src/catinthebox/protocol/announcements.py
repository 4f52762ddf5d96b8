"""Things that happen at a table, as everybody sees them: to be shown one after the other.

What a seat alone may know of them is in its `Own`: that a card was discarded is news for
everybody, which one is in the own discard.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta

from .fields import Count, Digits, Integer, Millis, Notation, Rank, SeatNumber, Tagged


class GameBegan(Tagged, frozen=True):
    """A game began; its chance was committed to before anybody sat down."""

    number: Annotated[Count, Meta(description="of the game at this table, from 1")]
    starter: SeatNumber


class RoundDealt(Tagged, frozen=True):
    """A round was dealt (R5)."""

    number: Annotated[Count, Meta(description="of the round in its game, from 1")]
    starter: SeatNumber


class CardDiscarded(Tagged, frozen=True):
    """A seat set a card aside, unseen by others (R7)."""

    seat: SeatNumber


class BidShown(Tagged, frozen=True, tag="BidMade"):
    """A seat predicted its tricks (R8)."""

    seat: SeatNumber
    number: Count


class CardPlayed(Tagged, frozen=True):
    """A seat declared a card (R11)."""

    seat: SeatNumber
    action: Notation


class TrickShown(Tagged, frozen=True, tag="TrickWon"):
    """A seat won a trick (R18)."""

    seat: SeatNumber


class ParadoxRevealed(Tagged, frozen=True, tag="ParadoxShown"):
    """A seat could declare nothing and showed its hand (R20, R22)."""

    seat: SeatNumber
    hand: tuple[Rank, ...]


class RoundEnded(Tagged, frozen=True, tag="RoundOver"):
    """A round ended (R19, R21)."""

    scores: Annotated[tuple[Integer, ...], Meta(description="of this round, by seat")]


class GameOver(Tagged, frozen=True):
    """The game ended (R3)."""

    totals: Annotated[tuple[Integer, ...], Meta(description="of all rounds, by seat")]
    winners: tuple[SeatNumber, ...]


class BotMoved(Tagged, frozen=True):
    """The next happening is a bot's doing."""

    seat: SeatNumber


class TimeOut(Tagged, frozen=True):
    """A seat's time ran out; a bot makes this one move."""

    seat: SeatNumber


class TakenBack(Tagged, frozen=True):
    """The last action of a seat did not happen."""

    seat: SeatNumber


class UndoEnded(Tagged, frozen=True):
    """A request to take back came to nothing."""

    seat: Annotated[
        SeatNumber | None, Meta(description="who refused; null: nobody answered in time")
    ]


class SecretShown(Tagged, frozen=True):
    """The game is over; whoever kept its commitment can check every deal."""

    secret: Digits
    next_commitment: Annotated[Digits, Meta(description="to the secret of the next game")]


class Spoken(Tagged, frozen=True):
    """Somebody said something."""

    seat: SeatNumber
    name: str
    text: Annotated[str, Meta(description="the name of a phrase, or a text")]
    preset: Annotated[bool, Meta(description="whether it is a phrase")]
    at: Millis


class SeatLeft(Tagged, frozen=True):
    """Somebody gave up a seat, or had to."""

    seat: SeatNumber
    name: str
    kicked: bool


Announcement: TypeAlias = (
    GameBegan
    | RoundDealt
    | CardDiscarded
    | BidShown
    | CardPlayed
    | TrickShown
    | ParadoxRevealed
    | RoundEnded
    | GameOver
    | BotMoved
    | TimeOut
    | TakenBack
    | UndoEnded
    | SecretShown
    | Spoken
    | SeatLeft
)
