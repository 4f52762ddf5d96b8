"""Frames, snapshots and answers as structs, for whoever has a table and no `Teller` at hand.

All of them are made by a teller, or out of a seat's view. A server that follows a table keeps a
teller instead: it looks at each move once.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..game import Action, CatInTheBoxError
from .events import Entry
from .fold import apply
from .messages import Done, Frame, Refused, Snapshot, Why
from .sights import Audience, Sight, seen
from .state import Table
from .teller import Teller, opened

# ── Events ───────────────────────────────────────────────────────────────────────────────────


def told(before: Table | None, entry: Entry, after: Table, audience: Audience) -> Frame:
    """Give what an audience learns of an event that leads from a table to the next."""
    if before is None:
        return opened(entry, after).message(audience)
    return Teller(before).step(entry, after).message(audience)


def tell(table: Table, entries: Iterable[Entry], audience: Audience) -> list[Frame]:
    """Give the frames of some entries that were just written down."""
    teller = Teller(table)
    return [teller.step(entry, apply(teller.table, entry)).message(audience) for entry in entries]


def resend(log: Iterable[Entry], version: int, audience: Audience) -> list[Frame]:
    """Give the frames after a version again, from the whole log."""
    first, *entries = log
    table = apply(None, first)
    frames = [told(None, first, table, audience)] if version < table.version else []
    missed = max(0, version - table.version)
    for entry in entries[:missed]:
        table = apply(table, entry)
    return frames + tell(table, entries[missed:], audience)


def snapshot(table: Table, audience: Audience) -> Snapshot:
    """Give everything an audience may know."""
    return Teller(table).message(audience)


# ── Answers ──────────────────────────────────────────────────────────────────────────────────


def done(table: Table, who: str, id: str) -> Done:
    """Acknowledge a command; one without any effect is done at the present version."""
    version = table.answer(who, id)
    return Done(id, table.version if version is None else version)


def not_done(id: str, error: CatInTheBoxError) -> Refused:
    """Say why a command was not carried out."""
    return Refused(id, error.code, error.clause, error.message, None)


def why(
    table: Table, audience: Audience, action: Action, view: Sight | None = None, id: str = ""
) -> Why:
    """Say why an action is not legal for a seat now, by what the seat may know.

    `view` gives the view of a seat, where somebody keeps it (`Teller.view`). `id` names the
    question.
    """
    sight = seen(table, audience) if view is None else view(audience)
    refusal = None if sight is None else sight.why(action)
    if refusal is None:
        return Why(id, str(action), "", "", "")
    return Why(id, str(action), refusal.code, refusal.clause, str(refusal))
