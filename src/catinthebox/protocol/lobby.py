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
    """Open a table; optionally take a seat, add bots and begin the game. All of it, or nothing."""

    settings: Settings
    name: Annotated[str | None, Meta(description="take a seat under this name; null: do not")] = (
        None
    )
    seat: Annotated[SeatNumber | None, Meta(description="your seat; null: the first free one")] = (
        None
    )
    nonce: Annotated[
        Digits, Meta(description="your share in the randomness of the deals, if you take a seat")
    ] = ""
    bots: Annotated[tuple[WantedBot, ...], Meta(max_length=5)] = ()
    start: Annotated[bool, Meta(description="begin at once; every seat must be taken")] = False


TABLES: Final = Codec[OpenTable](OpenTable)


def read_table(body: bytes) -> OpenTable:
    """Read the body of a request that opens a table."""
    return TABLES.read_loosely(body)


# ── Answers ──────────────────────────────────────────────────────────────────────────────────


class Token(Part, frozen=True):
    """A new secret token of 256 random bits."""

    token: Annotated[str, Meta(pattern=TOKEN_PATTERN)]


class Summary(Struct, frozen=True):
    """What everybody may know of a table without a link to it."""

    stage: Annotated[str, Meta(description="lobby, play, between or over")]
    players: int
    face: Annotated[str, Meta(description="the name of the face; empty: the default")]
    clock: bool
    spectators: bool
    seats: Annotated[tuple[str, ...], Meta(description="names by seat; empty for a free seat")]
    people: int
    since: Annotated[int, Meta(description="the time of the last change, in milliseconds")]


class Listed(Summary, frozen=True):
    """A table in the lobby."""

    table: Annotated[str, Meta(description="the key to play there, for use in paths")]


class Tables(Part, frozen=True):
    """The tables in the lobby."""

    tables: tuple[Listed, ...]


class ReplayLink(Part, frozen=True):
    """The key to the record of a finished game, and to nothing else."""

    game: Annotated[Count, Meta(description="the number of the game at its table, from 1")]
    key: Annotated[str, Meta(description="of /g/KEY, from the second game on /g/KEY.GAME")]


class Links(Part, frozen=True):
    """The links that you may share, each for one purpose."""

    id: Annotated[str, Meta(description="the id of the table, as in records; it gives no access")]
    play: Annotated[
        str | None,
        Meta(
            description="the key of /t/KEY, to take a seat; null if your link is only for watching"
        ),
    ]
    watch: Annotated[
        str | None, Meta(description="the key of /w/KEY, to watch; null without spectators")
    ]
    replays: Annotated[tuple[ReplayLink, ...], Meta(description="the latest finished games")]
    code: Annotated[
        str | None,
        Meta(
            description="a short code to type instead of a link to play; null unless the table "
            "is waiting for its game to begin"
        ),
    ] = None


class Invitation(Part, frozen=True):
    """The table that a short code is for."""

    table: Annotated[str, Meta(description="the key to play there, for use in paths")]


class Opened(Part, frozen=True):
    """A table was opened."""

    table: Annotated[
        str, Meta(description="the key to play there, for use in paths; the same as links.play")
    ]
    seat: Annotated[SeatNumber | None, Meta(description="your seat")]
    commitment: Annotated[Digits, Meta(description="the commitment to the secret behind the deals")]
    links: Links
