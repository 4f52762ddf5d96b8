"""What people and bots can ask of a table, and how a program writes it down.

>>> read_command(b'{"id": "7", "command": {"type": "Act", "action": "5b"}}')
Sent(id='7', command=Act(action=Action('5b'), seat=None, turn=None))
>>> read_command(b'{"id": "7", "command": {"type": "Cheat"}}')
Traceback (most recent call last):
    ...
catinthebox.game.errors.NotUnderstood: command.type: 'Cheat' is none of Sit, Leave, ...
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, TypeAlias

from ..game import Action, NotUnderstood
from ..game.errors import quoted
from . import codec

ID: Final = re.compile(r"[A-Za-z0-9_.:-]{1,64}")
PRESETS: Final = (
    *("hello", "thanks", "sorry", "well_played", "good_game", "your_turn", "thinking", "back_soon"),
    *("laugh", "wow", "oops", "paradox"),
)
TEXT_SIZE: Final = 200


@dataclass(frozen=True)
class Sit:
    """Take an empty seat, the first one if none is named."""

    name: str
    seat: int | None = None
    nonce: str = ""  # the person's part of the chance, in hexadecimal digits


@dataclass(frozen=True)
class Leave:
    """Give the own seat up."""


@dataclass(frozen=True)
class AddBot:
    """Put a bot on an empty seat, or another one in a bot's place (host)."""

    seat: int
    level: str


@dataclass(frozen=True)
class RemoveBot:
    """Send a bot away (host)."""

    seat: int


@dataclass(frozen=True)
class Kick:
    """Send a person away (host)."""

    seat: int


@dataclass(frozen=True)
class Start:
    """Begin the game (host); the starter is drawn by lot (R1)."""


@dataclass(frozen=True)
class Act:
    """Discard, bid or play. `turn` is the decision it answers: a late answer does no harm.

    A bot names the seat it acts for; a person acts for their own.
    """

    action: Action
    seat: int | None = None
    turn: int | None = None


@dataclass(frozen=True)
class Ready:
    """Go on to the next round."""


@dataclass(frozen=True)
class Rematch:
    """Play another game with the same people."""

    nonce: str = ""


@dataclass(frozen=True)
class Say:
    """Say a preset phrase by its name, or a text."""

    text: str
    preset: bool = True


@dataclass(frozen=True)
class Pause:
    """Stop the time."""


@dataclass(frozen=True)
class Resume:
    """Let it go on."""


@dataclass(frozen=True)
class AskUndo:
    """Ask to take back the own last action."""


@dataclass(frozen=True)
class AgreeUndo:
    """Agree to somebody's request."""


@dataclass(frozen=True)
class RefuseUndo:
    """Refuse somebody's request, or drop the own one."""


@dataclass(frozen=True)
class Here:
    """Be here again: the first connection of a person opened."""


@dataclass(frozen=True)
class Gone:
    """Be away: the last connection of a person closed."""


Command: TypeAlias = (
    Sit
    | Leave
    | AddBot
    | RemoveBot
    | Kick
    | Start
    | Act
    | Ready
    | Rematch
    | Say
    | Pause
    | Resume
    | AskUndo
    | AgreeUndo
    | RefuseUndo
    | Here
    | Gone
)


@dataclass(frozen=True)
class Sent:
    """A command and the id that its sender gave it; sent again, it is not done again."""

    id: str
    command: Command


def read_command(line: bytes) -> Sent:
    """Read what a program sent; fields that have a default may be left out."""
    sent: Sent = codec.read(Sent, line, canonical=False)
    checked_id(sent.id)
    return sent


def write_command(sent: Sent) -> bytes:
    """Write a command."""
    return codec.write(Sent, sent)


def checked_id(id: str) -> str:
    """Give a command's id back if it can be one."""
    if not ID.fullmatch(id):
        sentence = f"{quoted(id)} is not an id: 1 to 64 letters, digits or _ . : -"
        raise NotUnderstood("input.id", sentence)
    return id
