"""The words of the protocol: what a client may send, and what it is sent, on a line and over HTTP.

Everything is JSON, read strictly: a field that is not described here is an error. The JSON Schema
of the stream and the OpenAPI document are made from these classes, so their texts are written for
whoever writes a client (docs/protocol.md).

>>> read_message('{"type": "Do", "id": "m1", "command": {"type": "Act", "action": "5b"}}').id
'm1'
>>> read_message('{"type": "Do", "id": "m1", "command": {"type": "Gone"}}')
Traceback (most recent call last):
    ...
catinthebox.game.errors.NotUnderstood: command.type: 'Gone' is none of Sit, Leave, ...
>>> readable_id('{"type": "Do", "id": "m1", "command": 5}')
'm1'
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias, get_args

import msgspec
from msgspec import Meta, Struct

from ..game import Action
from .codec import Codec, decoded_action
from .commands import ID, ClientCommand, checked_id
from .fields import Count, Digits, Millis, Part, SeatNumber, Tagged, Version
from .messages import Done, Frame, Refused, Snapshot, Why
from .parts import GameShown, Own, RoundShown, Turn
from .settings import Settings

TOKEN_PATTERN: Final = "^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$"

Id: TypeAlias = Annotated[
    str,
    Meta(
        description="the sender's name for a command; sent again with it, it is not done again",
        extra_json_schema={"pattern": f"^{ID.pattern}$"},
    ),
]
Code: TypeAlias = Annotated[str, Meta(description="for programs; stable")]
Sentence: TypeAlias = Annotated[str, Meta(description="for people")]


# ── A line: what clients send ────────────────────────────────────────────────────────────────


class Hello(Tagged, frozen=True):
    """Say who is there; the first message on a line."""

    token: Annotated[
        str,
        Meta(
            description="the secret token of a person; empty for a spectator without a name",
            extra_json_schema={"pattern": f"{TOKEN_PATTERN}|^$"},
        ),
    ]
    version: Annotated[
        Version | None,
        Meta(description="the last version that was seen; what came after it is sent again"),
    ] = None


class Do(Tagged, frozen=True):
    """Ask for something; it is answered by exactly one `Done` or `Refused` with the same id."""

    id: Id
    command: ClientCommand


class Ask(Tagged, frozen=True):
    """Ask why an action is not legal now; it is answered by a `Why`, or a `Refused`."""

    id: Id
    action: Action


class Resync(Tagged, frozen=True):
    """Ask for a `Snapshot`: everything that may be known."""


class Ping(Tagged, frozen=True):
    """Ask for a `Pong`, to see whether the line is alive."""


FromClient: TypeAlias = Hello | Do | Ask | Resync | Ping


# ── A line: what the server sends ────────────────────────────────────────────────────────────


class Pong(Tagged, frozen=True):
    """The answer to a `Ping`."""


class Beat(Tagged, frozen=True):
    """Nothing has happened for a while, and the line is alive."""

    at: Annotated[Millis, Meta(description="the server's clock")]


class Bye(Tagged, frozen=True):
    """The last message on a line, and why it is the last."""

    code: Code
    message: Sentence


FromServer: TypeAlias = Snapshot | Frame | Done | Refused | Why | Pong | Beat | Bye


# ── HTTP: what clients send ──────────────────────────────────────────────────────────────────


class WantedBot(Part, frozen=True):
    """A bot for a new table."""

    level: Annotated[str, Meta(description="one of GET /levels, or a player with parameters")]
    seat: Annotated[SeatNumber | None, Meta(description="null: the first free one")] = None


class OpenTable(Part, frozen=True):
    """Open a table, perhaps sit down, bring bots and begin: all of it, or nothing."""

    settings: Settings
    name: Annotated[str | None, Meta(description="sit down under this name; null: do not")] = None
    seat: Annotated[
        SeatNumber | None, Meta(description="the own seat; null: the first free one")
    ] = None
    nonce: Annotated[Digits, Meta(description="the own part of the chance, if one sits down")] = ""
    bots: Annotated[tuple[WantedBot, ...], Meta(max_length=5)] = ()
    start: Annotated[bool, Meta(description="begin at once, which needs every seat taken")] = False


class CommandBody(Part, frozen=True):
    """A command to a table, as the body of a POST."""

    id: Id
    command: ClientCommand


class ToReplay(Part, frozen=True):
    """A record of a game, out of a file."""

    record: Annotated[str, Meta(description="in either form (docs/records.md)")]


# ── HTTP: what the server answers ────────────────────────────────────────────────────────────


class Token(Part, frozen=True):
    """A new secret token: 256 bits of chance that nobody else knows."""

    token: Annotated[str, Meta(pattern=TOKEN_PATTERN)]


class Summary(msgspec.Struct, frozen=True):
    """What everybody may know of a table before they come to it."""

    stage: Annotated[str, Meta(description="lobby, play, between or over")]
    players: int
    face: Annotated[str, Meta(description="the face of the board by name; empty: the usual one")]
    clock: bool
    spectators: bool
    seats: Annotated[tuple[str, ...], Meta(description="names by seat; empty for a free seat")]
    people: int
    since: Annotated[int, Meta(description="when it became so, in milliseconds")]


class Listed(Summary, frozen=True):
    """A table in the lobby."""

    table: Annotated[str, Meta(description="the key to play there, for paths")]


class Tables(Part, frozen=True):
    """The tables that everybody may find."""

    tables: tuple[Listed, ...]


class ReplayLink(Part, frozen=True):
    """The key to the record of a finished game, and to nothing else."""

    game: Annotated[Count, Meta(description="its number at the table, from 1")]
    key: Annotated[str, Meta(description="of /g/KEY, from the second game on /g/KEY.GAME")]


class Links(Part, frozen=True):
    """What the holder of a key may pass on, each for a purpose of its own."""

    id: Annotated[str, Meta(description="the table's name, as in records; it opens nothing")]
    play: Annotated[
        str | None,
        Meta(
            description="the key of /t/KEY, to sit down; null with a link that is only for watching"
        ),
    ]
    watch: Annotated[
        str | None, Meta(description="the key of /w/KEY, to watch; null without spectators")
    ]
    replays: Annotated[
        tuple[ReplayLink, ...], Meta(description="the games that are over, the last ones")
    ]


class Opened(Part, frozen=True):
    """A table was opened."""

    table: Annotated[str, Meta(description="the key to play there, for paths; as links.play")]
    seat: Annotated[SeatNumber | None, Meta(description="the own seat there")]
    commitment: Annotated[Digits, Meta(description="to the secret behind its deals")]
    links: Links


class LevelShown(Part, frozen=True):
    """How well a bot plays."""

    name: str
    sentence: Annotated[str, Meta(description="what to expect of it")]


class Levels(Part, frozen=True):
    """The bots that are offered, the gentlest first."""

    levels: tuple[LevelShown, ...]


class Addresses(Part, frozen=True):
    """Where others find this server; told on its own machine only."""

    addresses: Annotated[tuple[str, ...], Meta(description="http://…, the most likely first")]


class Position(Part, frozen=True):
    """A moment of a game: what led to it, what everybody sees, what each seat holds."""

    move: Annotated[str, Meta(description="a seat and its action, 0:5b; empty for a deal")]
    game: Annotated[GameShown | None, Meta(description="null: as before")]
    round: RoundShown
    turn: Turn
    own: Annotated[tuple[Own, ...], Meta(description="what each seat knows, by seat")]


class Replayed(Part, frozen=True):
    """A whole game: its record, and every position of it."""

    record: Annotated[dict[str, Any], Meta(description="docs/records.md has its fields")]
    positions: tuple[Position, ...]


class Health(Part, frozen=True):
    """Whether the server is alive, and whether it takes part."""

    status: Literal["ok", "starting", "closing", "store"]


# ── Reading and writing ──────────────────────────────────────────────────────────────────────


class _Named(Struct):
    """As much of a message as can be answered by name."""

    id: str = ""


MESSAGES: Final = Codec[FromClient](FromClient)
COMMANDS: Final = Codec[CommandBody](CommandBody)
TABLES: Final = Codec[OpenTable](OpenTable)
RECORDS: Final = Codec[ToReplay](ToReplay)
_NAMED: Final = msgspec.json.Decoder(_Named)
_KEYS: Final = {
    kind: tuple(f'"{name}"' for name in kind.__struct_fields__)
    for kind in (*get_args(FromClient), *get_args(ClientCommand))
}

encode: Final = msgspec.json.Encoder(order="deterministic").encode


def read_message(text: str) -> FromClient:
    """Read a message of a client.

    Quickly, if nothing is wrong with it. Whatever the quick way cannot explain, or would let pass
    (a key that appears twice), is read once more the slow way, which says what is wrong.
    """
    try:
        message = _QUICK.decode(text)
        doubtful = not _plain(text, message)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        doubtful = True
    if doubtful:
        message = MESSAGES.read_loosely(text.encode("utf-8", "replace"))
    if isinstance(message, Do | Ask):
        checked_id(message.id)
    return message


def _plain(text: str, message: FromClient) -> bool:
    """Whether no key of a message can appear twice in its text."""
    if "\\" in text:
        return False
    kind: type[Struct] = type(message)
    if type(message) is Do:
        kind = type(message.command)
        if text.count('"type"') != 2 or text.count('"id"') != 1 or text.count('"command"') != 1:
            return False
    elif text.count('"type"') != 1:
        return False
    return max(map(text.count, _KEYS[kind]), default=1) <= 1


def read_command(body: bytes) -> CommandBody:
    """Read the body of a POST that asks for something."""
    sent = COMMANDS.read_loosely(body)
    checked_id(sent.id)
    return sent


def read_table(body: bytes) -> OpenTable:
    """Read the body of a POST that opens a table."""
    return TABLES.read_loosely(body)


def read_record(body: bytes) -> ToReplay:
    """Read the body of a POST that brings a record along."""
    return RECORDS.read_loosely(body)


_QUICK: Final[msgspec.json.Decoder[FromClient]] = msgspec.json.Decoder(
    FromClient, dec_hook=decoded_action
)


def readable_id(line: str | bytes) -> str:
    """Return the id of a message that was not understood; nothing if it has none."""
    try:
        id = _NAMED.decode(line).id
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return ""
    return id if ID.fullmatch(id) else ""
