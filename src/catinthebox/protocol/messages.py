"""Messages about a table, as they are sent to a seat or to spectators.

There is one `Frame` for every event of the log, so a client notices a gap in the versions. A frame
holds announcements, in the order to show them, and then every part of the table that has changed,
as a whole: a client needs no rules and computes nothing. All of this is the same for everybody.
What only one seat may know is in `own`, and nowhere else.

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
from .codec import Codec, encode
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
    """One event of the table, as a seat or a spectator sees it."""

    version: Version
    at: Millis
    news: Annotated[tuple[News, ...], Meta(description="the same for everybody")]
    own: Annotated[
        Own | None, Meta(description="your own cards, if they have changed; null for spectators")
    ]
    ack: Annotated[
        str, Meta(description="the id of your command that caused it; empty if it was not yours")
    ]


class Snapshot(Tagged, frozen=True):
    """Everything a seat or a spectator may know: for a new connection, or after `Resync`."""

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
    seat: Annotated[SeatNumber | None, Meta(description="your seat; null for spectators")]
    own: Own | None


class Done(Tagged, frozen=True):
    """A command was carried out, now or when it was sent before."""

    id: str
    version: Version


class Refused(Tagged, frozen=True):
    """A command was refused, and why; nothing has changed."""

    id: str
    code: str
    clause: Annotated[str, Meta(description="the clause of the rules that decides, if one does")]
    message: str
    retry_ms: Annotated[
        Millis | None,
        Meta(description="how long to wait before sending it again; null: waiting does not help"),
    ]


class Why(Tagged, frozen=True):
    """Why an action is not legal now; code, clause and message are empty if it is."""

    id: Annotated[str, Meta(description="the id of the question; empty over HTTP")]
    action: Notation
    code: str
    clause: str
    message: str


Message: TypeAlias = Frame | Snapshot | Done | Refused | Why

MESSAGES: Final = Codec[Message](Message)


def decode(text: bytes) -> Message:
    """Read a message in canonical JSON; anything else raises `NotUnderstood`."""
    return MESSAGES.read(text)
