"""Announcements: what happened at a table, as everybody sees it, in the order to show it.

Secrets are in `Own`: that a seat discarded a card is announced to everybody, and its rank is sent
to that seat alone.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta

from .fields import Count, Digits, Integer, Millis, Notation, Rank, SeatNumber, Tagged


class GameBegan(Tagged, frozen=True):
    """A game began; its secret was committed to before anybody took a seat."""

    number: Annotated[Count, Meta(description="the number of the game at this table, from 1")]
    starter: SeatNumber


class RoundDealt(Tagged, frozen=True):
    """A round was dealt (R5)."""

    number: Annotated[Count, Meta(description="the number of the round in its game, from 1")]
    starter: SeatNumber


class CardDiscarded(Tagged, frozen=True):
    """A seat discarded a card face down (R7)."""

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
    """A seat could not declare any card and showed its hand (R20, R22)."""

    seat: SeatNumber
    hand: tuple[Rank, ...]


class RoundEnded(Tagged, frozen=True, tag="RoundOver"):
    """A round ended (R19, R21)."""

    scores: Annotated[tuple[Integer, ...], Meta(description="the points of this round, by seat")]


class GameOver(Tagged, frozen=True):
    """The game ended (R3)."""

    totals: Annotated[tuple[Integer, ...], Meta(description="the points of all rounds, by seat")]
    winners: tuple[SeatNumber, ...]


class BotMoved(Tagged, frozen=True):
    """A bot made the move that is announced next."""

    seat: SeatNumber


class TimeOut(Tagged, frozen=True):
    """The time of a seat ran out; a bot makes this one move for it."""

    seat: SeatNumber


class TakenBack(Tagged, frozen=True):
    """The last action of a seat was taken back."""

    seat: SeatNumber


class UndoEnded(Tagged, frozen=True):
    """A request to undo was refused, withdrawn or not answered in time."""

    seat: Annotated[
        SeatNumber | None,
        Meta(description="the seat that refused or withdrew it; null: not answered in time"),
    ]


class SecretShown(Tagged, frozen=True):
    """The game is over and its secret public: with the commitment, every deal can be verified."""

    secret: Digits
    next_commitment: Annotated[
        Digits, Meta(description="the commitment to the secret of the next game")
    ]


class Spoken(Tagged, frozen=True):
    """Somebody wrote in the chat."""

    seat: SeatNumber
    name: str
    text: Annotated[str, Meta(description="the name of a preset phrase, or a text")]
    preset: Annotated[bool, Meta(description="whether it is a preset phrase")]
    at: Millis


class SeatLeft(Tagged, frozen=True):
    """A person left a seat, or was removed from it."""

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
