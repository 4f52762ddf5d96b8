"""The parts of a table that are sent: each as a whole, and again whenever it changes.

`Seats`, `Room`, `GameShown`, `RoundShown` and `Turn` are the same for everybody. `Own` is what one
seat knows beyond them (R33), and the only part that is sent to that seat alone.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from .fields import (
    Cat,
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
    """Who has a seat."""

    kind: Literal["empty", "bot", "person"]
    name: str
    here: bool
    covered: Annotated[
        bool, Meta(description="whether a bot plays for a person who is disconnected")
    ]
    cat: Cat = ""


class Seats(Tagged, frozen=True):
    """Who has which seat."""

    seats: tuple[SeatShown, ...]
    host: Annotated[SeatNumber | None, Meta(description="the host's seat")]


class Request(Part, frozen=True):
    """A request to undo, and the seats that have agreed."""

    seat: SeatNumber
    agreed: tuple[SeatNumber, ...]


class Room(Tagged, frozen=True):
    """The stage of the table, who is ready, who has paused it, and a request to undo."""

    stage: Stage
    ready: Annotated[tuple[SeatNumber, ...], Meta(description="the seats that are ready to go on")]
    paused: Annotated[SeatNumber | None, Meta(description="the seat that paused the game")]
    undo: Request | None
    commitment: Annotated[
        Digits,
        Meta(description="the commitment to the secret of this game; after it, of the next one"),
    ]


class GameShown(Tagged, frozen=True):
    """The game so far, apart from the round in play."""

    number: Annotated[Count, Meta(description="the number of the game at this table, from 1")]
    names: tuple[str, ...]
    face: Annotated[str, Meta(description="the research board, as the text of a face file")]
    house_rules: tuple[str, ...]
    starter: Annotated[SeatNumber, Meta(description="the starter of the first round")]
    round: Annotated[Count, Meta(description="the number of the round, from 1")]
    scores: Annotated[
        tuple[tuple[Integer, ...], ...],
        Meta(description="the points of each finished round, by seat"),
    ]
    totals: tuple[Integer, ...]
    winners: tuple[SeatNumber, ...]
    commitment: Digits
    nonces: tuple[Digits, ...]
    secret: Annotated[Digits, Meta(description="empty until the game is over")]


class Card(Part, frozen=True):
    """A card that was played."""

    seat: SeatNumber
    action: Notation


class Ending(Part, frozen=True):
    """How a round ended: with a paradox or without one (R19 to R27)."""

    scores: Annotated[tuple[Integer, ...], Meta(description="the points of this round, by seat")]
    paradox: Annotated[SeatNumber | None, Meta(description="the seat that caused a paradox")]
    hand: Annotated[tuple[Rank, ...], Meta(description="the hand of that seat")]
    reasons: Annotated[
        tuple[str, ...], Meta(description="why it could not declare any of these cards")
    ]


class RoundShown(Tagged, frozen=True):
    """The round as everybody sees it (R32)."""

    phase: Literal["discard", "bid", "play", "over"]
    starter: SeatNumber
    leader: Annotated[
        SeatNumber, Meta(description="the seat that leads, or led, the current trick")
    ]
    red_open: Annotated[
        bool, Meta(description="whether red may be led, since it has been declared")
    ]
    trick: Annotated[
        tuple[Card, ...], Meta(description="the current trick, starting with the lead")
    ]
    winning: Annotated[
        SeatNumber | None, Meta(description="the seat whose card is winning the current trick")
    ]
    last_trick: Annotated[tuple[Card, ...], Meta(description="the last complete trick")]
    board: Annotated[
        tuple[str, ...],
        Meta(
            description="rows red, blue, yellow, green; in each a character for every rank from 1: "
            "'.' is an empty cell, a digit the seat whose token lies there, '*' a neutral token"
        ),
    ]
    groups: Annotated[tuple[Count, ...], Meta(description="the largest group of every seat")]
    tokens: Annotated[
        tuple[Colors, ...], Meta(description="the color tokens that every seat still has")
    ]
    hand_sizes: tuple[Count, ...]
    discarded: Annotated[tuple[SeatNumber, ...], Meta(description="the seats that have discarded")]
    bids: tuple[Count | None, ...]
    won: Annotated[tuple[Count, ...], Meta(description="the tricks that every seat has won")]
    turned_up: Annotated[tuple[Rank, ...], Meta(description="the cards turned up at two players")]
    end: Annotated[Ending | None, Meta(description="how the round ended; null while it is played")]
    moves: Annotated[str, Meta(description="all moves in notation; 1:-? is a hidden discard")]


class Turn(Tagged, frozen=True):
    """Who is to act, on which decision, and until when."""

    turn: Annotated[
        Version, Meta(description="the number of the decision; send it back with an action")
    ]
    to_act: tuple[SeatNumber, ...]
    deadlines: Annotated[
        tuple[Millis | None, ...], Meta(description="by seat; null where no clock runs")
    ]
    bank: Annotated[tuple[Millis, ...], Meta(description="the time bank of every seat")]


Shared: TypeAlias = Seats | Room | GameShown | RoundShown | Turn


class Held(Part, frozen=True):
    """The cards of one rank in your hand, and the colors they could still be (R12, R13)."""

    rank: Rank
    copies: Count
    colors: Colors


class Own(Part, frozen=True):
    """What only you know of the round: your cards, and what you may do with them now (R33)."""

    hand: tuple[Held, ...]
    discard: Annotated[Rank | None, Meta(description="the rank that you discarded")]
    legal: Annotated[
        tuple[Notation, ...], Meta(description="your legal actions; empty if it is not your turn")
    ]
