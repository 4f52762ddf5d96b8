"""What is sent to a seat or a spectator, as plain dataclasses with a strict JSON codec.

An audience gets one `Frame` for every event of the log, so that a gap in the versions shows. A
frame holds happenings, to be shown one after the other, and then the parts of the table that are
different now, whole: a client needs no rules and keeps no books.

>>> decode(encode(Done("3", 8)))
Done(id='3', version=8)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from . import codec
from .settings import Settings

# ── Happenings ───────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class GameBegan:
    """A game began; its chance was committed to before anybody sat down."""

    number: int
    starter: int


@dataclass(frozen=True)
class RoundDealt:
    """A round was dealt (R5)."""

    number: int
    starter: int


@dataclass(frozen=True)
class CardDiscarded:
    """A seat set a card aside; the rank is the own seat's to know (R7, R33)."""

    seat: int
    rank: int | None


@dataclass(frozen=True)
class BidMade:
    """A seat predicted its tricks (R8)."""

    seat: int
    number: int


@dataclass(frozen=True)
class CardPlayed:
    """A seat declared a card (R11)."""

    seat: int
    action: str


@dataclass(frozen=True)
class TrickWon:
    """A seat won a trick (R18)."""

    seat: int


@dataclass(frozen=True)
class ParadoxShown:
    """A seat could declare nothing and showed its hand (R20, R22)."""

    seat: int
    hand: tuple[int, ...]


@dataclass(frozen=True)
class RoundOver:
    """A round ended (R19, R21)."""

    scores: tuple[int, ...]


@dataclass(frozen=True)
class GameOver:
    """The game ended (R3)."""

    totals: tuple[int, ...]
    winners: tuple[int, ...]


@dataclass(frozen=True)
class BotMoved:
    """The next happening is a bot's doing."""

    seat: int


@dataclass(frozen=True)
class TimeOut:
    """A seat's time ran out."""

    seat: int


@dataclass(frozen=True)
class TakenBack:
    """The last action of a seat did not happen."""

    seat: int


@dataclass(frozen=True)
class UndoEnded:
    """A request to take back came to nothing; None: nobody answered in time."""

    seat: int | None


@dataclass(frozen=True)
class SecretShown:
    """The game is over; whoever kept its commitment can check every deal."""

    secret: str
    next_commitment: str


@dataclass(frozen=True)
class Spoken:
    """Somebody said something."""

    seat: int
    name: str
    text: str
    preset: bool
    at: int


@dataclass(frozen=True)
class SeatLeft:
    """Somebody gave up a seat, or had to."""

    seat: int
    name: str
    kicked: bool


# ── Parts of the table ───────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class SeatShown:
    """Who sits in a seat, as everybody sees it."""

    kind: Literal["empty", "bot", "person"]
    name: str
    here: bool
    covered: bool


@dataclass(frozen=True)
class Seats:
    """Who sits where."""

    seats: tuple[SeatShown, ...]
    host: int | None  # the host's seat


@dataclass(frozen=True)
class Request:
    """A request to take back, and who has agreed."""

    seat: int
    agreed: tuple[int, ...]


@dataclass(frozen=True)
class Room:
    """Where the table stands."""

    stage: Literal["lobby", "play", "between", "over"]
    ready: tuple[int, ...]
    paused: int | None
    undo: Request | None
    commitment: str  # to the secret of this game; after it, of the next one


@dataclass(frozen=True)
class GameShown:
    """The game so far, apart from the round in play."""

    number: int  # of the game at this table
    names: tuple[str, ...]
    face: str
    house_rules: tuple[str, ...]
    starter: int  # of the first round
    round: int
    scores: tuple[tuple[int, ...], ...]
    totals: tuple[int, ...]
    winners: tuple[int, ...]
    commitment: str
    nonces: tuple[str, ...]
    secret: str  # empty until the game is over


@dataclass(frozen=True)
class Token:
    """A token on a cell; the seat is -1 for a neutral one (R6)."""

    cell: str
    seat: int


@dataclass(frozen=True)
class Card:
    """A card on the table."""

    seat: int
    action: str


@dataclass(frozen=True)
class Held:
    """A rank in the own hand, how often, and the colors it could still be (R12, R13)."""

    rank: int
    copies: int
    colors: str


@dataclass(frozen=True)
class RoundShown:
    """The round as a seat, or everybody, sees it (R32, R33)."""

    phase: Literal["discard", "bid", "play", "over"]
    starter: int
    hand: tuple[Held, ...]
    discard: int | None
    legal: tuple[str, ...]
    turned_up: tuple[int, ...]
    discarded: tuple[int, ...]  # seats that have
    hand_sizes: tuple[int, ...]
    bids: tuple[int | None, ...]
    won: tuple[int, ...]
    tokens: tuple[str, ...]
    board: tuple[Token, ...]
    groups: tuple[int, ...]
    leader: int
    winning: int | None
    red_open: bool
    trick: tuple[Card, ...]
    last_trick: tuple[Card, ...]
    moves: str  # everything the audience saw, in notation
    paradox: int | None
    reasons: tuple[str, ...]  # why the causer could play nothing (R22)
    scores: tuple[int, ...] | None


@dataclass(frozen=True)
class Turn:
    """Whose move is due, which decision it is, and until when."""

    turn: int  # to be given back with an action
    to_act: tuple[int, ...]
    deadlines: tuple[int | None, ...]  # by seat; None where no clock runs
    bank: tuple[int, ...]  # by seat, in milliseconds


News: TypeAlias = (
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
    | Seats
    | Room
    | GameShown
    | RoundShown
    | Turn
)


# ── Messages ─────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Frame:
    """What an audience learns of one event; `ack` is the id of its own command, if it was one."""

    version: int
    at: int
    news: tuple[News, ...]
    ack: str


@dataclass(frozen=True)
class Snapshot:
    """Everything an audience may know: for whoever comes, or comes back."""

    version: int
    at: int
    table: str
    seat: int | None
    settings: Settings
    seats: Seats
    room: Room
    game: GameShown | None
    round: RoundShown | None
    turn: Turn
    chat: tuple[Spoken, ...]


@dataclass(frozen=True)
class Done:
    """A command was carried out, now or before."""

    id: str
    version: int


@dataclass(frozen=True)
class Refused:
    """A command was not carried out, and why; nothing has changed."""

    id: str
    code: str
    clause: str
    message: str


@dataclass(frozen=True)
class Why:
    """Why an action is not legal now; all texts are empty if it is."""

    action: str
    code: str
    clause: str
    message: str


Message: TypeAlias = Frame | Snapshot | Done | Refused | Why


def encode(message: Message) -> bytes:
    """Write a message as canonical JSON."""
    return codec.write(Message, message)


def decode(line: bytes) -> Message:
    """Read a message; whatever is wrong with it is `NotUnderstood`."""
    message: Message = codec.read(Message, line)
    return message
