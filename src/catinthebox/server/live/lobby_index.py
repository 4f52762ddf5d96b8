"""A table's entry in the index of the store: enough for the lobby, without secrets.

>>> from catinthebox.table import Settings, create, replay
>>> table = replay([create("t1", Settings(3, visibility="open"), "ab" * 32, "cd" * 32, now=5)])
>>> about(table).state  # nobody sits there yet
'idle'
>>> listed("t1", about(table), lambda id, keyed: id).seats
('', '', '')
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from ...protocol.lobby import Listed, Summary
from ...store import About
from ...table import Table

OPEN: Final = "open"  # the state of the tables that a lobby lists
WAITING: Final = "waiting"  # of those that are not listed, and whose game has not begun


class StoredSummary(Summary, frozen=True):
    """The summary of a table, as it is stored."""

    keyed: bool = False  # not in older entries


def about(table: Table) -> About:
    """Return the entry of a table."""
    face = table.settings.face
    summary = StoredSummary(
        stage=table.stage,
        players=table.settings.players,
        face="" if face.startswith("face ") else face,
        clock=table.settings.clock,
        spectators=table.settings.spectators,
        seats=tuple(seat.name for seat in table.seats),
        people=len(table.people),
        since=table.at,
        keyed=table.keyed,
    )
    return About(_state(table), msgspec.json.encode(summary).decode())


def _state(table: Table) -> str:
    """Return the state to filter by."""
    if table.present and table.stage not in ("over", "closed") and _is_listed(table):
        return OPEN
    if table.people and table.stage == "lobby":
        return WAITING  # also while its people are away, perhaps to send somebody the code
    return "idle" if table.stage in ("over", "closed") or not table.present else "link"


def _is_listed(table: Table) -> bool:
    return table.settings.visibility == "open"


def about_after(before: Table, after: Table) -> About | None:
    """Return the new entry of a table; None if nothing of what it says has changed."""
    same = before.stage == after.stage and _people(before) == _people(after)
    return None if same else about(after)


def _people(table: Table) -> tuple[object, ...]:
    """Return who sits where, and which of them are present."""
    return table.present, [(seat.name, type(seat)) for seat in table.seats]


def waits(entry: About) -> bool:
    """Whether people may come to a table by its short code: its game has not begun."""
    summary = msgspec.json.decode(entry.summary, type=StoredSummary)
    return summary.keyed and summary.stage == "lobby"


def listed(table: str, entry: About, link: Callable[[str, bool], str]) -> Listed:
    """Read an entry; `link` gives the key by which anybody may join, `keyed` or not."""
    summary = msgspec.structs.asdict(msgspec.json.decode(entry.summary, type=StoredSummary))
    return Listed(table=link(table, summary.pop("keyed")), **summary)
