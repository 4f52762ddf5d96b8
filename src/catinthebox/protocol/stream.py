"""The messages of a connection: what a client may send, and what it is sent.

A connection is a WebSocket, or a stream of lines of JSON. Everything is read strictly: a field that
is not described here is an error. The JSON Schema of the stream is generated from these classes, so
their texts are written for authors of clients (docs/protocol.md).

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

from typing import Annotated, Final, TypeAlias, get_args

import msgspec
from msgspec import Meta, Struct

from ..game import Action
from .codec import Codec, decoded_action
from .commands import ID, ClientCommand, CommandId, checked_id
from .fields import TOKEN_PATTERN, Millis, Tagged, Version
from .messages import Done, Frame, Refused, Snapshot, Why

# ── From the client ──────────────────────────────────────────────────────────────────────────


class Hello(Tagged, frozen=True):
    """Identify yourself; the first message on a connection."""

    token: Annotated[
        str,
        Meta(
            description="the secret token of a person; empty for a spectator without a name",
            extra_json_schema={"pattern": f"{TOKEN_PATTERN}|^$"},
        ),
    ]
    version: Annotated[
        Version | None,
        Meta(description="the last version you have; the frames after it are sent again"),
    ] = None


class Do(Tagged, frozen=True):
    """Send a command; the answer is exactly one `Done` or `Refused` with the same id."""

    id: CommandId
    command: ClientCommand


class Ask(Tagged, frozen=True):
    """Ask why an action is not legal now; the answer is a `Why`, or a `Refused`."""

    id: CommandId
    action: Action


class Resync(Tagged, frozen=True):
    """Ask for a `Snapshot`."""


class Ping(Tagged, frozen=True):
    """Ask for a `Pong`, to check that the connection is alive."""


FromClient: TypeAlias = Hello | Do | Ask | Resync | Ping


# ── From the server ──────────────────────────────────────────────────────────────────────────


class Pong(Tagged, frozen=True):
    """The answer to a `Ping`."""


class Beat(Tagged, frozen=True):
    """A heartbeat: nothing has happened for a while, and the connection is alive."""

    at: Annotated[Millis, Meta(description="the server's clock")]


class Bye(Tagged, frozen=True):
    """The last message on a connection, and why the server closes it."""

    code: Annotated[str, Meta(description="a stable code for programs")]
    message: Annotated[str, Meta(description="a sentence for people")]


FromServer: TypeAlias = Snapshot | Frame | Done | Refused | Why | Pong | Beat | Bye


# ── Reading ──────────────────────────────────────────────────────────────────────────────────


class _Identified(Struct):
    """The part of a message that says which command an error answers; other fields are ignored."""

    id: str = ""


CODEC: Final = Codec[FromClient](FromClient)
DECODER: Final[msgspec.json.Decoder[FromClient]] = msgspec.json.Decoder(
    FromClient, dec_hook=decoded_action
)
ID_DECODER: Final = msgspec.json.Decoder(_Identified)
KEYS: Final = {
    kind: tuple(f'"{name}"' for name in kind.__struct_fields__)
    for kind in (*get_args(FromClient), *get_args(ClientCommand))
}


def read_message(text: str) -> FromClient:
    """Read a message of a client.

    The fast path decodes it and makes sure that no key appears twice, which msgspec would accept.
    Any doubt is left to the codec, which is slower and explains what is wrong.
    """
    try:
        message = DECODER.decode(text)
        certain = _has_no_key_twice(text, message)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        certain = False
    if not certain:
        message = CODEC.read_loosely(text.encode("utf-8", "replace"))
    if isinstance(message, Do | Ask):
        checked_id(message.id)
    return message


def _has_no_key_twice(text: str, message: FromClient) -> bool:
    """Whether every key is in the text at most once; False also if a value looks like a key."""
    if "\\" in text:  # a key could be written with escapes
        return False
    kind: type[Struct] = type(message)
    if type(message) is Do:
        kind = type(message.command)
        if text.count('"type"') != 2 or text.count('"id"') != 1 or text.count('"command"') != 1:
            return False
    elif text.count('"type"') != 1:
        return False
    return max(map(text.count, KEYS[kind]), default=1) <= 1


def readable_id(text: str | bytes) -> str:
    """Return the id of a message that was not understood; empty if it has none."""
    try:
        id = ID_DECODER.decode(text).id
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return ""
    return id if ID.fullmatch(id) else ""
