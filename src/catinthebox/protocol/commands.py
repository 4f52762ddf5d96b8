"""What people and bots can ask of a table, and how a program writes it down.

>>> read_command(b'{"id": "7", "command": {"type": "Act", "action": "5b"}}')
CommandBody(id='7', command=Act(action=Action('5b'), seat=None, turn=None))
>>> read_command(b'{"id": "7", "command": {"type": "Cheat"}}')
Traceback (most recent call last):
    ...
catinthebox.game.errors.NotUnderstood: command.type: 'Cheat' is none of Sit, Leave, ...
"""

from __future__ import annotations

import re
from typing import Annotated, Final, TypeAlias

from msgspec import Meta

from ..game import Action, NotUnderstood
from ..game.errors import quoted
from .codec import Codec
from .fields import Digits, Part, SeatNumber, Tagged, Version

ID: Final = re.compile(r"[A-Za-z0-9_.:-]{1,64}")
PRESETS: Final = (
    *("hello", "thanks", "sorry", "well_played", "good_game", "your_turn", "thinking", "back_soon"),
    *("laugh", "wow", "oops", "paradox"),
)
TEXT_SIZE: Final = 200

CommandId: TypeAlias = Annotated[
    str,
    Meta(
        description="the sender's name for a command; sent again with it, it is not done again",
        extra_json_schema={"pattern": f"^{ID.pattern}$"},
    ),
]


class Sit(Tagged, frozen=True):
    """Take an empty seat, the first one if none is named."""

    name: str
    seat: SeatNumber | None = None
    nonce: Annotated[Digits, Meta(description="the person's part of the chance")] = ""


class Leave(Tagged, frozen=True):
    """Give the own seat up."""


class AddBot(Tagged, frozen=True):
    """Put a bot on an empty seat, or another one in a bot's place (host)."""

    seat: SeatNumber
    level: str


class RemoveBot(Tagged, frozen=True):
    """Send a bot away (host)."""

    seat: SeatNumber


class Kick(Tagged, frozen=True):
    """Send a person away (host)."""

    seat: SeatNumber


class Readmit(Tagged, frozen=True):
    """Let everybody who was sent away under a name sit down again (host)."""

    name: str


class Host(Tagged, frozen=True):
    """Let another person arrange the table (host)."""

    seat: SeatNumber


class Close(Tagged, frozen=True):
    """End the table for good (host); not while other people play."""


class Start(Tagged, frozen=True):
    """Begin the game (host); the starter is drawn by lot (R1)."""


class Act(Tagged, frozen=True):
    """Discard, bid or play. `turn` is the decision it answers: a late answer does no harm.

    A bot names the seat it acts for; a person acts for their own.
    """

    action: Action
    seat: Annotated[SeatNumber | None, Meta(description="the own seat, unless a bot acts")] = None
    turn: Annotated[Version | None, Meta(description="the `turn` of the last `Turn`")] = None


class Ready(Tagged, frozen=True):
    """Go on to the next round."""


class Rematch(Tagged, frozen=True):
    """Play another game with the same people."""

    nonce: Digits = ""


class Say(Tagged, frozen=True):
    """Say a preset phrase by its name, or a text."""

    text: str
    preset: Annotated[bool, Meta(description="whether it is a phrase")] = True


class Pause(Tagged, frozen=True):
    """Stop the time."""


class Resume(Tagged, frozen=True):
    """Let it go on."""


class AskUndo(Tagged, frozen=True):
    """Ask to take back the own last action."""


class AgreeUndo(Tagged, frozen=True):
    """Agree to somebody's request."""


class RefuseUndo(Tagged, frozen=True):
    """Refuse somebody's request, or drop the own one."""


class Here(Tagged, frozen=True):
    """Be here again: the first connection of a person opened."""


class Gone(Tagged, frozen=True):
    """Be away: the last connection of a person closed."""


ClientCommand: TypeAlias = (
    Sit
    | Leave
    | AddBot
    | RemoveBot
    | Kick
    | Readmit
    | Host
    | Close
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
)
"""Every command but coming and going, which a server sees for itself."""
Command: TypeAlias = ClientCommand | Here | Gone


class Sent(Part, frozen=True):
    """A command and the id that its sender gave it; sent again, it is not done again."""

    id: str
    command: Command


class CommandBody(Part, frozen=True):
    """A command to a table, as the body of a POST."""

    id: CommandId
    command: ClientCommand


COMMANDS: Final = Codec[CommandBody](CommandBody)


def read_command(body: bytes) -> CommandBody:
    """Read the body of a request; fields that have a default may be left out."""
    sent = COMMANDS.read_loosely(body)
    checked_id(sent.id)
    return sent


def write_command(sent: CommandBody) -> bytes:
    """Write the body of a request."""
    return COMMANDS.write(sent)


def checked_id(id: str) -> str:
    """Return a command's id if it can be one."""
    if not ID.fullmatch(id):
        sentence = f"{quoted(id)} is not an id: 1 to 64 letters, digits or _ . : -"
        raise NotUnderstood("input.id", sentence)
    return id
