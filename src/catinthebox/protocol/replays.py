"""Replays over HTTP: a record goes in, or is found by its link; every position comes out.

>>> read_record(b'{"record": "..."}').record
'...'
"""

from __future__ import annotations

from typing import Annotated, Any, Final

from msgspec import Meta

from .codec import Codec
from .fields import Part
from .parts import GameShown, Own, RoundShown, Turn


class ToReplay(Part, frozen=True):
    """The record of a game, from a file."""

    record: Annotated[str, Meta(description="text or JSON, as in docs/records.md")]


RECORDS: Final = Codec[ToReplay](ToReplay)


def read_record(body: bytes) -> ToReplay:
    """Read the body of a request that brings a record."""
    return RECORDS.read_loosely(body)


class Position(Part, frozen=True):
    """A position of a game: the move that led to it, what everybody sees, what each seat holds."""

    move: Annotated[
        str, Meta(description="a seat and its action, such as 0:5b; empty after a deal")
    ]
    game: Annotated[GameShown | None, Meta(description="null: the same as before")]
    round: RoundShown
    turn: Turn
    own: Annotated[tuple[Own, ...], Meta(description="what each seat knows, by seat")]


class Replayed(Part, frozen=True):
    """A whole game: its record, and every position of it."""

    record: Annotated[
        dict[str, Any], Meta(description="the fields are described in docs/records.md")
    ]
    positions: tuple[Position, ...]
