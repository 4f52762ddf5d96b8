"""Commands: what people and bots can ask of a table, and their JSON.

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
from .fields import Cat, Digits, Part, SeatNumber, Tagged, Version

ID: Final = re.compile(r"[A-Za-z0-9_.:-]{1,64}")

CommandId: TypeAlias = Annotated[
    str,
    Meta(
        description="the sender's name for a command; a repeated one is not carried out again",
        extra_json_schema={"pattern": f"^{ID.pattern}$"},
    ),
]


class Sit(Tagged, frozen=True):
    """Take an empty seat; the first one, if no seat is named."""

    name: str
    seat: SeatNumber | None = None
    nonce: Annotated[
        Digits, Meta(description="the person's share in the randomness of the deals")
    ] = ""
    cat: Cat = ""


class Leave(Tagged, frozen=True):
    """Leave your seat."""


class AddBot(Tagged, frozen=True):
    """Put a bot on an empty seat, or replace a bot (host only)."""

    seat: SeatNumber
    level: str


class RemoveBot(Tagged, frozen=True):
    """Remove a bot from its seat (host only)."""

    seat: SeatNumber


class Kick(Tagged, frozen=True):
    """Remove a person from their seat and keep them from returning (host only)."""

    seat: SeatNumber


class Readmit(Tagged, frozen=True):
    """Let everybody who was removed under a name take a seat again (host only)."""

    name: str


class Host(Tagged, frozen=True):
    """Make another person the host (host only)."""

    seat: SeatNumber


class Close(Tagged, frozen=True):
    """Close the table for good (host only); not while other people play."""


class Start(Tagged, frozen=True):
    """Begin the game (host only); the starter is drawn at random (R1)."""


class Act(Tagged, frozen=True):
    """Discard, bid or play. `turn` is the decision that it answers: a late answer is refused.

    A bot names the seat that it acts for; a person acts for their own seat.
    """

    action: Action
    seat: Annotated[
        SeatNumber | None, Meta(description="the seat that a bot acts for; null: your own")
    ] = None
    turn: Annotated[Version | None, Meta(description="the `turn` of the last `Turn`")] = None


class Ready(Tagged, frozen=True):
    """Be ready for the next round."""


class Rematch(Tagged, frozen=True):
    """Play another game with the same people."""

    nonce: Digits = ""


class Say(Tagged, frozen=True):
    """Write in the chat: a preset phrase by its name, or a text."""

    text: str
    preset: Annotated[bool, Meta(description="whether it is a preset phrase")] = True


class Pause(Tagged, frozen=True):
    """Pause the game."""


class Resume(Tagged, frozen=True):
    """Resume the game."""


class AskUndo(Tagged, frozen=True):
    """Ask to take back your last action."""


class AgreeUndo(Tagged, frozen=True):
    """Agree to a request to undo."""


class RefuseUndo(Tagged, frozen=True):
    """Refuse a request to undo, or withdraw your own."""


class Here(Tagged, frozen=True):
    """The first connection of a person opened; sent by the server only."""


class Gone(Tagged, frozen=True):
    """The last connection of a person closed; sent by the server only."""


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
"""Every command that a client may send: all but `Here` and `Gone`."""
Command: TypeAlias = ClientCommand | Here | Gone


class Sent(Part, frozen=True):
    """A command and the id that its sender gave it; a repeated one is not carried out again."""

    id: str
    command: Command


class CommandBody(Part, frozen=True):
    """A command to a table, as the body of a POST request."""

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
    """Return the id of a command, or raise `NotUnderstood` if it is not well-formed."""
    if not ID.fullmatch(id):
        sentence = f"{quoted(id)} is not an id: 1 to 64 letters, digits or _ . : -"
        raise NotUnderstood("input.id", sentence)
    return id
