"""What can happen at a table. The log of these, folded, is the table; there is nothing else.

An event says what a fold needs and nothing that follows from it: the end of a trick, of a round or
of the game is in the rules. The log is the host's secret: `CardsDealt` holds every hand.

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

from typing import Final, TypeAlias

from ..game import Action
from ..protocol.codec import Codec
from ..protocol.fields import Cat, Digits, Integer, Millis, Part, Tagged
from ..protocol.settings import Settings


class Created(Tagged, frozen=True, omit_defaults=True):
    """A table was opened by its host, with a commitment to its secret."""

    table: str
    host: str  # the SHA-256 of the host's token
    commitment: Digits
    settings: Settings
    keyed: bool = False  # whether its links have keys; not in older logs, whose id is the link


# ── Seats ────────────────────────────────────────────────────────────────────────────────────


class Sat(Tagged, frozen=True):
    """A person took an empty seat."""

    seat: Integer
    name: str
    token: str  # its SHA-256; the token itself is nowhere
    nonce: Digits
    cat: Cat = ""  # not in older events


class Left(Tagged, frozen=True):
    """A person left a seat, or was removed; during a game a bot takes it."""

    seat: Integer
    kicked: bool = False


class Readmitted(Tagged, frozen=True):
    """People whom the host had removed under a name may sit down again."""

    name: str


class BotSat(Tagged, frozen=True):
    """A bot took a seat, or another bot's seat."""

    seat: Integer
    level: str


class BotLeft(Tagged, frozen=True):
    """A bot's seat is empty again."""

    seat: Integer


class Came(Tagged, frozen=True):
    """A person is here again; a covering bot hands the seat back."""

    seat: Integer


class Went(Tagged, frozen=True):
    """A person's connection is gone."""

    seat: Integer


class Covered(Tagged, frozen=True):
    """A person was away for too long; a bot plays until they come back."""

    seat: Integer


class HostChanged(Tagged, frozen=True):
    """Another person is the host from now on."""

    seat: Integer


class TableClosed(Tagged, frozen=True, tag="Closed"):
    """The table was closed for good."""


# ── The game ─────────────────────────────────────────────────────────────────────────────────


class Started(Tagged, frozen=True):
    """A game began; the starter was drawn by lot."""

    starter: Integer


class Rematched(Tagged, frozen=True):
    """Another game began, under the commitment that was made when the last one ended."""

    starter: Integer


class CardsDealt(Tagged, frozen=True, tag="Dealt"):
    """A round was dealt (R5, R6)."""

    hands: tuple[str, ...]
    aside: str


class Acted(Tagged, frozen=True):
    """A seat discarded, bid or played; `bot` if a bot did it."""

    seat: Integer
    action: Action
    bot: bool = False


class Readied(Tagged, frozen=True):
    """A person wants the next round; after a game, the next game, with a nonce for it."""

    seat: Integer
    nonce: Digits = ""


class ClockRanOut(Tagged, frozen=True):
    """A seat has no time left for this move; a bot will make this one."""

    seat: Integer


class Revealed(Tagged, frozen=True):
    """The game is over and its secret is shown, so that everybody can check the deals.

    The next game has another secret; its commitment comes before the nonces for it.
    """

    secret: Digits
    commitment: Digits


# ── People ───────────────────────────────────────────────────────────────────────────────────


class Paused(Tagged, frozen=True):
    """A person paused the game."""

    seat: Integer


class Resumed(Tagged, frozen=True):
    """A person resumed the game."""

    seat: Integer


class UndoAsked(Tagged, frozen=True):
    """A person asked to take back their last action."""

    seat: Integer


class UndoAgreed(Tagged, frozen=True):
    """Another person agreed."""

    seat: Integer


class UndoRefused(Tagged, frozen=True):
    """Another person refused, the asker withdrew the request, or it timed out (None)."""

    seat: Integer | None


class Undone(Tagged, frozen=True):
    """Everybody agreed: the last action of a seat was taken back."""

    seat: Integer


class Said(Tagged, frozen=True):
    """A person wrote in the chat: a preset phrase by its name, or a text."""

    seat: Integer
    text: str
    preset: bool


TableEvent: TypeAlias = (
    Created
    | Sat
    | Left
    | Readmitted
    | BotSat
    | BotLeft
    | Came
    | Went
    | Covered
    | HostChanged
    | TableClosed
    | Started
    | Rematched
    | CardsDealt
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


class Receipt(Part, frozen=True):
    """Who sent the command, and its id, by which it is acknowledged."""

    who: str
    command: str


class Entry(Part, frozen=True):
    """An entry of the log: when, what, and on the last entry of a command its receipt."""

    at: Millis  # never falls in a log
    event: TableEvent
    receipt: Receipt | None = None


LOG: Final = Codec[Entry](Entry, "sorted")


encode: Final = LOG.write
"""Write an entry as canonical JSON."""


def decode(text: bytes) -> Entry:
    """Read an entry; raise `NotUnderstood` if anything is wrong with it."""
    return LOG.read(text)
