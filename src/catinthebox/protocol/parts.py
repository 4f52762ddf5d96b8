"""The parts of a table as they are shown: each of them whole, and told again when it changes.

`Seats`, `Room`, `GameShown`, `RoundShown` and `Turn` are the same for everybody. `Own` is what one
seat knows on top of them (R33), and the only thing that is told to it alone.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from .fields import (
    Colors,
    Count,
    Digits,
    Integer,
    Millis,
    Notation,
    Part,
    Rank,
    SeatNumber,
    Tagged,
    Version,
)

Stage: TypeAlias = Literal["lobby", "play", "between", "over", "closed"]


class SeatShown(Part, frozen=True):
    """Who sits in a seat, as everybody sees it."""

    kind: Literal["empty", "bot", "person"]
    name: str
    here: bool
    covered: Annotated[bool, Meta(description="whether a bot plays for a person who is away")]


class Seats(Tagged, frozen=True):
    """Who sits where."""

    seats: tuple[SeatShown, ...]
    host: Annotated[SeatNumber | None, Meta(description="the host's seat")]


class Request(Part, frozen=True):
    """A request to take back, and who has agreed."""

    seat: SeatNumber
    agreed: tuple[SeatNumber, ...]


class Room(Tagged, frozen=True):
    """Where the table stands: before a game, in a round, after one, after a game, or closed."""

    stage: Stage
    ready: Annotated[tuple[SeatNumber, ...], Meta(description="who wants to go on")]
    paused: Annotated[SeatNumber | None, Meta(description="who stopped the time")]
    undo: Request | None
    commitment: Annotated[
        Digits, Meta(description="to the secret of this game; after it, of the next one")
    ]


class GameShown(Tagged, frozen=True):
    """The game so far, apart from the round in play."""

    number: Annotated[Count, Meta(description="of the game at this table, from 1")]
    names: tuple[str, ...]
    face: Annotated[str, Meta(description="the research board, as a face file draws it")]
    house_rules: tuple[str, ...]
    starter: Annotated[SeatNumber, Meta(description="of the first round")]
    round: Annotated[Count, Meta(description="the number of the round, from 1")]
    scores: Annotated[
        tuple[tuple[Integer, ...], ...], Meta(description="of the rounds that are over, by seat")
    ]
    totals: tuple[Integer, ...]
    winners: tuple[SeatNumber, ...]
    commitment: Digits
    nonces: tuple[Digits, ...]
    secret: Annotated[Digits, Meta(description="empty until the game is over")]


class Card(Part, frozen=True):
    """A card on the table."""

    seat: SeatNumber
    action: Notation


class Ending(Part, frozen=True):
    """How a round ended, by a paradox or without one (R19 to R27)."""

    scores: Annotated[tuple[Integer, ...], Meta(description="of this round, by seat")]
    paradox: Annotated[SeatNumber | None, Meta(description="who could declare nothing")]
    hand: Annotated[tuple[Rank, ...], Meta(description="and the cards that were left")]
    reasons: Annotated[tuple[str, ...], Meta(description="why none of them could be declared")]


class RoundShown(Tagged, frozen=True):
    """The round as everybody sees it (R32)."""

    phase: Literal["discard", "bid", "play", "over"]
    starter: SeatNumber
    leader: Annotated[SeatNumber, Meta(description="leads, or led, the current trick")]
    red_open: Annotated[bool, Meta(description="whether red was declared, so that all may lead it")]
    trick: Annotated[tuple[Card, ...], Meta(description="the current trick, from the lead on")]
    winning: Annotated[
        SeatNumber | None, Meta(description="whose card is winning the current trick")
    ]
    last_trick: Annotated[tuple[Card, ...], Meta(description="the last trick that was won")]
    board: Annotated[
        tuple[str, ...],
        Meta(
            description="rows red, blue, yellow, green; in each a character for every rank from 1: "
            "'.' is an empty cell, a digit the seat whose token lies there, '*' a neutral token"
        ),
    ]
    groups: Annotated[tuple[Count, ...], Meta(description="the largest group of every seat")]
    tokens: Annotated[tuple[Colors, ...], Meta(description="the color tokens every seat has left")]
    hand_sizes: tuple[Count, ...]
    discarded: Annotated[tuple[SeatNumber, ...], Meta(description="who has set a card aside")]
    bids: tuple[Count | None, ...]
    won: Annotated[tuple[Count, ...], Meta(description="tricks of every seat")]
    turned_up: Annotated[tuple[Rank, ...], Meta(description="the open cards at two players")]
    end: Annotated[Ending | None, Meta(description="once the round is over")]
    moves: Annotated[
        str, Meta(description="everything that happened, in notation; 1:-? is a hidden discard")
    ]


class Turn(Tagged, frozen=True):
    """Whose move is due, which decision it is, and until when."""

    turn: Annotated[Version, Meta(description="to be given back with an action")]
    to_act: tuple[SeatNumber, ...]
    deadlines: Annotated[
        tuple[Millis | None, ...], Meta(description="by seat; null where no clock runs")
    ]
    bank: Annotated[tuple[Millis, ...], Meta(description="time left beyond each move, by seat")]


Shared: TypeAlias = Seats | Room | GameShown | RoundShown | Turn


class Held(Part, frozen=True):
    """A rank in the own hand, how often, and the colors it could still be (R12, R13)."""

    rank: Rank
    copies: Count
    colors: Colors


class Own(Part, frozen=True):
    """What a seat alone knows of the round: its cards, and what it may do with them now (R33)."""

    hand: tuple[Held, ...]
    discard: Annotated[Rank | None, Meta(description="the card set aside")]
    legal: Annotated[tuple[Notation, ...], Meta(description="everything the seat may do now")]
