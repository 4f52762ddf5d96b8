"""What can happen at a table. The log of these, folded, is the table; there is nothing else.

An event says what a fold needs and nothing that follows from it: the end of a trick, of a round or
of the game is in the rules. The log is the host's secret: `Dealt` holds every hand.

>>> encode(Entry(1000, Acted(0, Action("5b"))))
b'{"at":1000,"event":{"action":"5b","bot":false,"seat":0,"type":"Acted"},"receipt":null}'
>>> decode(encode(Entry(1000, Paused(2), Receipt("ab", "7")))).event
Paused(seat=2)
>>> decode(b'{"at":1,"event":{"type":"Won"},"receipt":null}')
Traceback (most recent call last):
    ...
catinthebox.game.errors.NotUnderstood: event.type: 'Won' is none of Created, Sat, ...
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from ..game import Action
from . import codec
from .settings import Settings


@dataclass(frozen=True)
class Created:
    """A table was opened by its host, and its chance committed to."""

    table: str
    host: str  # the SHA-256 of the host's token
    commitment: str
    settings: Settings


# ── Seats ────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Sat:
    """A person took an empty seat."""

    seat: int
    name: str
    token: str  # its SHA-256; the token itself is nowhere
    nonce: str


@dataclass(frozen=True)
class Left:
    """A person gave up a seat, or had to; during a game a bot takes it."""

    seat: int
    kicked: bool = False


@dataclass(frozen=True)
class BotSat:
    """A bot took a seat, or another bot's seat."""

    seat: int
    level: str


@dataclass(frozen=True)
class BotLeft:
    """A bot's seat is empty again."""

    seat: int


@dataclass(frozen=True)
class Came:
    """A person is here again; a covering bot hands the seat back."""

    seat: int


@dataclass(frozen=True)
class Went:
    """A person's connection is gone."""

    seat: int


@dataclass(frozen=True)
class Covered:
    """A person was away for too long; a bot plays until they come back."""

    seat: int


# ── The game ─────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Started:
    """A game began; the starter was drawn by lot."""

    starter: int


@dataclass(frozen=True)
class Rematched:
    """Another game began, under the commitment that was made when the last one ended."""

    starter: int


@dataclass(frozen=True)
class Dealt:
    """A round was dealt (R5, R6)."""

    hands: tuple[str, ...]
    aside: str


@dataclass(frozen=True)
class Acted:
    """A seat discarded, bid or played; `bot` if a bot did it."""

    seat: int
    action: Action
    bot: bool = False


@dataclass(frozen=True)
class Readied:
    """A person wants the next round; after a game, the next game, with a nonce for it."""

    seat: int
    nonce: str = ""


@dataclass(frozen=True)
class ClockRanOut:
    """A seat has no time left for this move; a bot will make this one."""

    seat: int


@dataclass(frozen=True)
class Revealed:
    """The game is over and its secret is shown, so that everybody can check the deals.

    The next game has another secret; its commitment comes before the nonces for it.
    """

    secret: str
    commitment: str


# ── People ───────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Paused:
    """A person stopped the time."""

    seat: int


@dataclass(frozen=True)
class Resumed:
    """A person let it go on."""

    seat: int


@dataclass(frozen=True)
class UndoAsked:
    """A person asked to take back their last action."""

    seat: int


@dataclass(frozen=True)
class UndoAgreed:
    """Another person agreed."""

    seat: int


@dataclass(frozen=True)
class UndoRefused:
    """Another person refused, the asker thought better of it, or time went by (None)."""

    seat: int | None


@dataclass(frozen=True)
class Undone:
    """Everybody agreed: the last action of a seat did not happen."""

    seat: int


@dataclass(frozen=True)
class Said:
    """A person said something: a preset phrase by its name, or a text."""

    seat: int
    text: str
    preset: bool


TableEvent: TypeAlias = (
    Created
    | Sat
    | Left
    | BotSat
    | BotLeft
    | Came
    | Went
    | Covered
    | Started
    | Rematched
    | Dealt
    | Acted
    | Readied
    | ClockRanOut
    | Revealed
    | Paused
    | Resumed
    | UndoAsked
    | UndoAgreed
    | UndoRefused
    | Undone
    | Said
)


# ── The log ──────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Receipt:
    """Whose command it was, and the id by which they will know that it was done."""

    who: str
    command: str


@dataclass(frozen=True)
class Entry:
    """A line of the log: when, what, and on the last line of a command its receipt."""

    at: int  # milliseconds; never falls in a log
    event: TableEvent
    receipt: Receipt | None = None


def encode(entry: Entry) -> bytes:
    """Write an entry as a line of canonical JSON."""
    return codec.write(Entry, entry)


def decode(line: bytes) -> Entry:
    """Read an entry; whatever is wrong with it is `NotUnderstood`."""
    entry: Entry = codec.read(Entry, line)
    return entry
