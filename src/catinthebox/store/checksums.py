"""Checksums over everything that a store keeps of a game, verified whenever it is read.

Every event has a checksum over the game's id, its own number, the checksum of the event before it
and its bytes. An event that was changed, lost, added, moved or put into another game breaks the
chain. The game's row in the index has one over all its fields, among them the checksum of the last
event: with it the end of the log is known, too.

They detect accidents, such as a failing disk or another program that wrote into the file. They do
not stop somebody with write access, who can compute them anew. For accidents, 64 bits of SHA-256
are enough: damage goes unnoticed once in 18 quintillion times.

>>> head, rows = extended("cheshire", Head(), (b"sit down", b"deal"), About("open"))
>>> [row[:2] for row in rows], head.last, head.size
([(1, b'sit down'), (2, b'deal')], 2, 12)
>>> read = [(-1, None, *head_row("cheshire", head)), *((*row, *[None] * 5) for row in rows)]
>>> verified("cheshire", read)
[Stored(seq=1, event=b'sit down'), Stored(seq=2, event=b'deal')]
>>> verified("cheshire", [*read[:2], (2, b"seal", *read[2][2:])])
Traceback (most recent call last):
    ...
catinthebox.store.errors.Damaged: the stored log of cheshire is damaged at event 2: it does not \
fit its checksum
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Final, NamedTuple, cast

from .errors import Damaged
from .protocol import GAME_EVENTS, About, IndexEntry, Stored

BYTES: Final = 8
FIRST: Final = 0  # stands for the event before the first one
HEAD: Final = -1  # the number of the game's own row, see `statements.READ`

Row = Sequence[object]
EventRow = tuple[int, bytes, int]
"""A number, an event, its checksum."""


class Head(NamedTuple):
    """The end of a game's log: last number, size, last checksum, and index entry."""

    last: int = 0
    size: int = 0
    checksum: int = FIRST
    about: About = About()


def of_event(game: str, seq: int, previous: int, event: bytes) -> int:
    """Return the checksum of an event that follows one with the checksum `previous`."""
    return _shortened(f"{game} {seq} {previous} ".encode() + event)


def of_head(game: str, head: Head) -> int:
    """Return the checksum of a game's row in the index."""
    last, size, checksum, (state, summary) = head
    text = f"{game} {last} {size} {checksum} {state} {summary}"
    return _shortened(text.encode("utf-8", "replace"))  # a damaged text may be anything


def of_entry(name: str, key: str, entry: str) -> int:
    """Return the checksum of an entry of a list."""
    return _shortened(f"{name} {key} {entry}".encode("utf-8", "replace"))


def _shortened(content: bytes) -> int:
    """Return 64 bits of the SHA-256 as a number that fits a column of both databases."""
    return int.from_bytes(sha256(content).digest()[:BYTES], "big", signed=True)


# ── Writing ──────────────────────────────────────────────────────────────────────────────────


def extended(
    game: str, head: Head, events: Sequence[bytes], about: About | None = None
) -> tuple[Head, list[EventRow]]:
    """Return the head of a game after more events, and their rows."""
    rows: list[EventRow] = []
    checksum = head.checksum
    for seq, event in enumerate(events, head.last + 1):
        checksum = of_event(game, seq, checksum, event)
        rows.append((seq, event, checksum))
    size = head.size + sum(map(len, events))
    return Head(head.last + len(rows), size, checksum, about or head.about), rows


def head_row(game: str, head: Head) -> tuple[int, int, int, str, str, int]:
    """Return the columns of a game's row: checksum, last, size, state, summary, seal."""
    return (head.checksum, head.last, head.size, *head.about, of_head(game, head))


# ── Reading ──────────────────────────────────────────────────────────────────────────────────


def verified_head(game: str, row: Row) -> Head:
    """Read a game's row (the columns of `head_row`), or raise `Damaged`."""
    checksum, last, size, state, summary, seal = row
    numbers, texts = (last, size, checksum, seal), (state, summary)
    if all(type(number) is int for number in numbers) and all(type(text) is str for text in texts):
        head = Head(
            *cast("tuple[int, int, int]", numbers[:3]), About(*cast("tuple[str, str]", texts))
        )
        if seal == of_head(game, head):
            return head
    raise Damaged(game, None, "its entry in the index does not fit its checksum")


def verified_entry(row: Row) -> IndexEntry:
    """Read a row of the list of games: its id, and the columns of `head_row`."""
    game = row[0] if isinstance(row[0], str) else repr(row[0])
    head = verified_head(game, row[1:])
    return IndexEntry(game, head.last, head.about)


def verified(
    game: str, rows: Sequence[Row], after: int = 0, limit: int = GAME_EVENTS
) -> list[Stored]:
    """Return the events in rows of `statements.READ`; raise `Damaged` if they were changed."""
    if not rows:
        return []
    if rows[0][0] != HEAD:
        raise Damaged(game, None, "it has events, but no entry in the index")
    head, log = verified_head(game, rows[0][2:]), rows[1:]
    end = min(head.last, after + limit)
    previous = FIRST
    if 0 < after <= head.last:
        previous, log = _anchor(game, after, log), log[1:]
    count = max(0, end - after)
    stored, checksum = _chained(game, after, previous, log[:count])
    if end == head.last and len(log) > count:
        raise Damaged(game, end + 1, "it is beyond the end of the log")
    if after + len(stored) < end:
        raise Damaged(game, after + len(stored) + 1, "it is missing")
    if after <= end == head.last and checksum != head.checksum:
        raise Damaged(game, end, "it is not the last one that was written")
    return stored


def _anchor(game: str, seq: int, log: Sequence[Row]) -> int:
    """Return the checksum of the event before those that are read."""
    if not log or log[0][0] != seq:
        raise Damaged(game, seq, "it is missing")
    return cast("int", log[0][2])


def _chained(game: str, seq: int, checksum: int, log: Sequence[Row]) -> tuple[list[Stored], int]:
    """Check the events after number `seq`; return them and the last checksum."""
    stored: list[Stored] = []
    for found, event, claimed, *_ in log:
        seq += 1
        if found != seq:
            raise Damaged(game, seq, "it is missing")
        if not isinstance(event, bytes) or claimed != of_event(game, seq, checksum, event):
            raise Damaged(game, seq, "it does not fit its checksum")
        checksum = claimed
        stored.append(Stored(seq, event))
    return stored, checksum
