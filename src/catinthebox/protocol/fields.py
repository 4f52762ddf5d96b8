"""Base classes and field types of all structs that travel.

Descriptions appear in the JSON Schema, from which clients in other languages generate their types.

>>> import msgspec
>>> class Waved(Tagged, frozen=True):
...     seat: SeatNumber
>>> msgspec.json.encode(Waved(2))
b'{"type":"Waved","seat":2}'
"""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias

from msgspec import Meta, Struct

from ..game import Action

MAX_INT: Final = 2**53  # every JSON reader represents integers up to here exactly
TOKEN_PATTERN: Final = "^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$"
AN_ACTION: Final = "an action: -5 discards a 5, =2 bids 2, 5b plays a 5 as blue"


class Part(Struct, frozen=True, forbid_unknown_fields=True):
    """A struct without a tag: the field that holds it says what it is."""


class Tagged(Part, frozen=True, tag=True):
    """A struct with its name in the field `type`, for unions."""


Integer: TypeAlias = Annotated[int, Meta(ge=-MAX_INT, le=MAX_INT)]
Count: TypeAlias = Annotated[int, Meta(ge=0, le=MAX_INT)]
SeatNumber: TypeAlias = Annotated[
    int, Meta(ge=0, le=4, description="a seat, counted clockwise from 0")
]
Rank: TypeAlias = Annotated[int, Meta(ge=1, le=9, description="a rank")]
Millis: TypeAlias = Annotated[
    int, Meta(ge=-MAX_INT, le=MAX_INT, description="a time or a duration in milliseconds")
]
Version: TypeAlias = Annotated[
    int, Meta(ge=0, le=MAX_INT, description="the number of events of the table so far")
]
Colors: TypeAlias = Annotated[
    str,
    Meta(
        pattern="^r?b?y?g?$",
        description="colors by their letters, in this order: red, blue, yellow, green",
    ),
]
Notation: TypeAlias = Annotated[str, Meta(description=AN_ACTION)]
Digits: TypeAlias = Annotated[str, Meta(description="64 hexadecimal digits, or empty")]
Cat: TypeAlias = Annotated[
    str,
    Meta(
        pattern="^[A-Za-z0-9_-]{0,16}$",
        description="what a client draws a person's cat from; empty: no choice",
    ),
]


def schema_of(kind: type) -> dict[str, object]:
    """Return the JSON Schema of an action, the only type that msgspec does not know."""
    if kind is not Action:
        raise NotImplementedError
    return {"type": "string", "description": AN_ACTION, "pattern": "^(-[1-9]|=[1-4]|[1-9][rbyg])$"}
