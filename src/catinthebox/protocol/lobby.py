"""Opening and finding tables over HTTP: tokens, new tables, the list of open ones, links.

>>> read_table(b'{"settings": {"players": 3}, "name": "Ada"}').settings.players
3
"""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta, Struct

from .codec import Codec
from .fields import TOKEN_PATTERN, Count, Digits, Part, SeatNumber
from .settings import Settings

# ── Requests ─────────────────────────────────────────────────────────────────────────────────


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


TABLES: Final = Codec[OpenTable](OpenTable)


def read_table(body: bytes) -> OpenTable:
    """Read the body of a request that opens a table."""
    return TABLES.read_loosely(body)


# ── Answers ──────────────────────────────────────────────────────────────────────────────────


class Token(Part, frozen=True):
    """A new secret token: 256 bits of chance that nobody else knows."""

    token: Annotated[str, Meta(pattern=TOKEN_PATTERN)]


class Summary(Struct, frozen=True):
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
