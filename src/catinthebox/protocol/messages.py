"""What is sent to a seat or a spectator, with a strict JSON codec.

An audience gets one `Frame` for every event of the log, so that a gap in the versions shows. A
frame holds happenings, to be shown one after the other, and then the parts of the table that are
different now, whole: a client needs no rules and keeps no books. All that is the same for
everybody. What one seat alone may know is in `own`, and nowhere else.

>>> encode(Done("3", 8))
b'{"type":"Done","id":"3","version":8}'
>>> decode(encode(Done("3", 8)))
Done(id='3', version=8)
"""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias

from msgspec import Meta

from .announcements import (
    Announcement,
    BidShown,
    BotMoved,
    CardDiscarded,
    CardPlayed,
    GameBegan,
    GameOver,
    ParadoxRevealed,
    RoundDealt,
    RoundEnded,
    SeatLeft,
    SecretShown,
    Spoken,
    TakenBack,
    TimeOut,
    TrickShown,
    UndoEnded,
)
from .codec import Codec
from .fields import Millis, Notation, SeatNumber, Tagged, Version
from .parts import (
    Card,
    Ending,
    GameShown,
    Held,
    Own,
    Request,
    Room,
    RoundShown,
    Seats,
    SeatShown,
    Shared,
    Turn,
)
from .settings import Settings

__all__ = [
    "Announcement",
    "BidShown",
    "BotMoved",
    "Card",
    "CardDiscarded",
    "CardPlayed",
    "Done",
    "Ending",
    "Frame",
    "GameBegan",
    "GameOver",
    "GameShown",
    "Held",
    "Message",
    "News",
    "Own",
    "ParadoxRevealed",
    "Refused",
    "Request",
    "Room",
    "RoundDealt",
    "RoundEnded",
    "RoundShown",
    "SeatLeft",
    "SeatShown",
    "Seats",
    "SecretShown",
    "Shared",
    "Snapshot",
    "Spoken",
    "TakenBack",
    "TimeOut",
    "TrickShown",
    "Turn",
    "UndoEnded",
    "Why",
    "decode",
    "encode",
]

News: TypeAlias = Announcement | Shared


class Frame(Tagged, frozen=True):
    """What an audience learns of one event."""

    version: Version
    at: Millis
    news: Annotated[tuple[News, ...], Meta(description="the same for everybody")]
    own: Annotated[
        Own | None, Meta(description="the own cards if they are different; null for spectators")
    ]
    ack: Annotated[str, Meta(description="the id of the own command that led to this, or nothing")]


class Snapshot(Tagged, frozen=True):
    """Everything an audience may know: for whoever comes, or comes back."""

    version: Version
    at: Millis
    table: str
    settings: Settings
    seats: Seats
    room: Room
    game: GameShown | None
    round: RoundShown | None
    turn: Turn
    chat: tuple[Spoken, ...]
    seat: Annotated[SeatNumber | None, Meta(description="the own seat; null for spectators")]
    own: Own | None


class Done(Tagged, frozen=True):
    """A command was carried out, now or before."""

    id: str
    version: Version


class Refused(Tagged, frozen=True):
    """A command was not carried out, and why; nothing has changed."""

    id: str
    code: str
    clause: Annotated[str, Meta(description="of the rules, where one decides")]
    message: str
    retry_ms: Annotated[
        Millis | None,
        Meta(description="after which the same may be sent again, where waiting helps"),
    ]


class Why(Tagged, frozen=True):
    """Why an action is not legal now; code, clause and message are empty if it is."""

    id: Annotated[str, Meta(description="of the question; empty over HTTP")]
    action: Notation
    code: str
    clause: str
    message: str


Message: TypeAlias = Frame | Snapshot | Done | Refused | Why

MESSAGES: Final = Codec[Message](Message)


def encode(message: Message) -> bytes:
    """Write a message as canonical JSON."""
    return MESSAGES.write(message)


def decode(line: bytes) -> Message:
    """Read a message; whatever is wrong with it is `NotUnderstood`."""
    return MESSAGES.read(line)
