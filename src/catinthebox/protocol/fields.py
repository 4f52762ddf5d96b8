"""How things are written: structs with strict JSON, and the words that many of them share.

Every description ends up in the JSON Schema that other languages make their types from.

>>> import msgspec
>>> class Spoke(Tagged, frozen=True):
...     "Somebody spoke."
...     seat: SeatNumber
>>> msgspec.json.encode(Spoke(2))
b'{"type":"Spoke","seat":2}'
"""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias

from msgspec import Meta, Struct

from ..game import Action

MAX_INT: Final = 2**53  # what every JSON reader can hold
TOKEN_PATTERN: Final = "^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$"
AN_ACTION: Final = "an action: -5 discards a 5, =2 bids 2, 5b plays a 5 as blue"


class Part(Struct, frozen=True, forbid_unknown_fields=True):
    """A part of something larger; its place says what it is."""


class Tagged(Part, frozen=True, tag=True):
    """One of several things that may stand in a place: `"type"` says which."""


Integer: TypeAlias = Annotated[int, Meta(ge=-MAX_INT, le=MAX_INT)]
Count: TypeAlias = Annotated[int, Meta(ge=0, le=MAX_INT)]
SeatNumber: TypeAlias = Annotated[
    int, Meta(ge=0, le=4, description="a seat, counted clockwise from 0")
]
Rank: TypeAlias = Annotated[int, Meta(ge=1, le=9, description="a rank")]
Millis: TypeAlias = Annotated[
    int, Meta(ge=-MAX_INT, le=MAX_INT, description="a time or a span of time in milliseconds")
]
Version: TypeAlias = Annotated[
    int, Meta(ge=0, le=MAX_INT, description="how many events there were at the table")
]
Colors: TypeAlias = Annotated[
    str, Meta(pattern="^r?b?y?g?$", description="letters of colors: red, blue, yellow, green")
]
Notation: TypeAlias = Annotated[str, Meta(description=AN_ACTION)]
Digits: TypeAlias = Annotated[str, Meta(description="64 hexadecimal digits, or nothing")]


def schema_of(kind: type) -> dict[str, object]:
    """Return the JSON Schema of a type that is no struct: of an action."""
    if kind is not Action:
        raise NotImplementedError
    return {"type": "string", "description": AN_ACTION, "pattern": "^(-[1-9]|=[1-4]|[1-9][rbyg])$"}
