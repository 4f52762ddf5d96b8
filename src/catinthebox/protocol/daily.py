"""The table of the day over HTTP: an entry goes in, with the record of the game; points come out.

>>> read_entry(b'{"name": "Ada", "record": "..."}').cat
''
"""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta

from .codec import Codec
from .fields import Cat, Count, Integer, Part

RECORD_SIZE: Final = 8 * 1024  # characters; a record of three rounds has two thousand

Day = Annotated[str, Meta(description="a date in UTC, such as 2026-11-15")]

# ── Requests ─────────────────────────────────────────────────────────────────────────────────


class NewDayEntry(Part, frozen=True):
    """Somebody who wants to be on the table of a day, and the game that they played."""

    name: Annotated[str, Meta(description="as at a table")]
    record: Annotated[
        str,
        Meta(
            description="the game, as in docs/records.md; it is checked, and not stored",
            max_length=RECORD_SIZE,
        ),
    ]
    cat: Cat = ""


ENTRIES: Final = Codec[NewDayEntry](NewDayEntry)


def read_entry(body: bytes) -> NewDayEntry:
    """Read the body of a request that adds an entry."""
    return ENTRIES.read_loosely(body)


# ── Answers ──────────────────────────────────────────────────────────────────────────────────


class DayRow(Part, frozen=True):
    """A row of the table of a day."""

    place: Annotated[Count, Meta(description="the number of the row, from 1")]
    rank: Annotated[Count, Meta(description="from 1; rows with the same points share a rank")]
    name: str
    cat: Cat
    points: Integer
    own: Annotated[bool, Meta(description="whether it is the entry of this token")]


class DayResult(Part, frozen=True):
    """How many entries have so many points."""

    points: Integer
    entries: Count


class DayTable(Part, frozen=True):
    """The table of a day: the best rows, and those around your own."""

    date: Day
    open: Annotated[bool, Meta(description="whether entries are accepted now")]
    entries: Annotated[Count, Meta(description="how many there are in all")]
    results: Annotated[tuple[DayResult, ...], Meta(description="all results, the lowest first")]
    rows: Annotated[
        tuple[DayRow, ...], Meta(description="by place; between two of them others may be left out")
    ]
