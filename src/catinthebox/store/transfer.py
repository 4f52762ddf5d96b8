r"""Exports games from a store to a file of JSON lines, and imports them.

The first line names the format. Each game is a line with its id, its length and its entry in
the index, a line for each event (as `text` if it is UTF-8, else as `base64`), and a line with the
SHA-256 of all these. The last line counts the games and has the SHA-256 of everything above it, so
that a truncated or changed file is detected before anything is imported.

Logs whose id begins with `_` belong to the program, such as the key behind the deals, which is
exported with the games. They do not count as games.

>>> line({"seq": 1, "text": "deal"})
b'{"seq":1,"text":"deal"}\n'
>>> decoded(encoded(b"\xff\x00")), decoded(encoded(b"deal"))
(b'\xff\x00', b'deal')
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from typing import BinaryIO, Final

from .errors import Conflict, Damaged, StoreError
from .protocol import EVENT_BYTES, GAME_BYTES, GAME_EVENTS, About, IndexEntry, Store, Stored

HEADER: Final = {"catinthebox": "games", "version": 1}
LINE_BYTES: Final = 8 * EVENT_BYTES  # fits an event whose characters are all escaped

Fields = dict[str, object]


class BadFile(ValueError):
    """The file is not a complete, unchanged export of games."""


@dataclass(frozen=True, slots=True)
class GameDump:
    """A game with its events and its index entry."""

    game: str
    about: About
    events: tuple[bytes, ...]


@dataclass(slots=True)
class Report:
    """The result of an import: game ids by what happened."""

    added: list[str] = field(default_factory=list)
    continued: list[str] = field(default_factory=list)  # the store had the beginning
    present: list[str] = field(default_factory=list)  # the store had all events, or more
    conflicts: list[str] = field(default_factory=list)  # another game of the same name
    damaged: list[str] = field(default_factory=list)  # the store's copy is damaged
    other_key: bool = False  # the games were dealt with another key than the store has
    no_key: bool = field(default=False, compare=False)  # and the file holds no key

    @property
    def games(self) -> int:
        """The number of games in the file."""
        lists = (self.added, self.continued, self.present, self.conflicts, self.damaged)
        return sum(map(len, lists))


def is_game(id: str) -> bool:
    """Whether a log is a game, and not one of the program's own.

    >>> is_game("cheshire"), is_game("_keys")
    (True, False)
    """
    return not id.startswith("_")


# ── Lines ────────────────────────────────────────────────────────────────────────────────────


def line(fields: Fields) -> bytes:
    """Encode a line."""
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def encoded(event: bytes) -> Fields:
    """Encode an event, as readable text if possible."""
    try:
        return {"text": event.decode()}
    except UnicodeDecodeError:
        return {"base64": b64encode(event).decode()}


def decoded(fields: Fields) -> bytes:
    """Decode an event."""
    if "text" in fields:
        return str(fields["text"]).encode()
    return b64decode(str(fields["base64"]), validate=True)


# ── Out ──────────────────────────────────────────────────────────────────────────────────────


@dataclass(slots=True)
class Exported:
    """The result of an export."""

    games: int = 0
    damaged: list[Damaged] = field(default_factory=list)  # damaged, and left out


def export(store: Store, file: BinaryIO, only: Iterable[str] = ()) -> Exported:
    """Write all games, or some, each as of one moment; damaged ones are left out.

    Raise an error if a game that was asked for by name is damaged.
    """
    wanted = sorted(set(only))
    missing = [game for game in wanted if not (is_game(game) and store.last(game))]
    if missing:
        raise StoreError(f"no such game: {', '.join(missing)}")
    whole, logs, done = sha256(), 0, Exported()

    def put(content: bytes) -> None:
        whole.update(content)
        file.write(content)

    put(line(HEADER))
    for found in store.survey():
        if not wanted or found.game in wanted:
            content = _content(store, found)
            if isinstance(content, bytes):
                put(content)
                logs += 1
                done.games += is_game(found.game)
            elif wanted:
                raise content
            else:
                done.damaged.append(content)
    file.write(line({"games": logs, "sha256": whole.hexdigest()}))
    return done


def _content(store: Store, found: IndexEntry | Damaged) -> bytes | Damaged:
    """Return the lines of a game, or its damage."""
    if isinstance(found, Damaged):
        return found
    try:
        return _written(found, store.read(found.game, limit=found.last))
    except Damaged as damage:
        return damage


def _written(entry: IndexEntry, events: list[Stored]) -> bytes:
    fields: Fields = {"game": entry.game, "events": len(events)}
    lines = [line(fields | {"state": entry.about.state, "summary": entry.about.summary})]
    lines += [line({"seq": seq, **encoded(event)}) for seq, event in events]
    content = b"".join(lines)
    return content + line({"end": entry.game, "sha256": sha256(content).hexdigest()})


# ── In ───────────────────────────────────────────────────────────────────────────────────────


def load(file: BinaryIO) -> Iterator[GameDump]:
    """Yield the games of a file; raise `BadFile` at the first line that was changed."""
    lines = _Lines(file)
    if lines.next() != HEADER:
        raise BadFile("this is not a file of games, or one of a newer version")
    count = 0
    while "game" in (head := lines.next()):
        yield _dump(lines, head)
        count += 1
    if head != {"games": count, "sha256": lines.before_last} or file.read(1):
        raise BadFile(f"line {lines.number}: the file was cut or changed")


def import_games(
    store: Store, file: BinaryIO, each: Callable[[GameDump], None] = lambda _: None
) -> Report:
    """Import games, each completely or not at all, after checking the whole file."""
    start = file.tell()
    for _ in load(file):
        pass
    file.seek(start)
    report = Report()
    own = Report()  # for the program's logs
    for dump in load(file):
        _place(store, dump, report if is_game(dump.game) else own).append(dump.game)
        each(dump)
    report.other_key = bool(own.conflicts)
    report.no_key = not own.games and bool(report.added and store.last("_keys"))
    return report


def _place(store: Store, dump: GameDump, report: Report) -> list[str]:
    """Import a game; return the list of the report that it belongs to."""
    try:
        there = [stored.event for stored in store.read(dump.game)]
    except Damaged:
        return report.damaged
    common = min(len(there), len(dump.events))
    if there[:common] != [*dump.events[:common]]:
        return report.conflicts
    rest = dump.events[common:]
    if not rest:
        return report.present
    try:
        store.append(dump.game, common, rest, dump.about).result()
    except Conflict:  # the game continued during the import
        return report.conflicts
    except Damaged:
        return report.damaged
    return report.continued if there else report.added


class _Lines:
    """Reads the lines of a file, with a checksum of all but the last."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._whole = sha256()
        self.before_last = ""
        self.number = 0
        self.raw = b""

    def next(self) -> Fields:
        """Read a line."""
        self.raw = self._file.readline(LINE_BYTES)
        self.number += 1
        self.before_last = self._whole.hexdigest()
        self._whole.update(self.raw)
        try:
            fields = json.loads(self.raw) if self.raw.endswith(b"\n") else None
        except ValueError:
            fields = None
        if not isinstance(fields, dict):
            raise BadFile(f"line {self.number}: the file was cut or changed")
        return fields


def _dump(lines: _Lines, head: Fields) -> GameDump:
    """Read one game, after its first line."""
    part = sha256(lines.raw)
    events: list[bytes] = []
    size = 0
    try:
        count = int(str(head["events"]))
        while len(events) < count <= GAME_EVENTS and size <= GAME_BYTES:
            fields = lines.next()
            part.update(lines.raw)
            if fields["seq"] != len(events) + 1:
                raise BadFile(f"line {lines.number}: event {len(events) + 1} is missing")
            events.append(decoded(fields))
            size += len(events[-1])
        if lines.next() != {"end": head["game"], "sha256": part.hexdigest()}:
            raise BadFile(f"line {lines.number}: the game {head['game']} was changed")
        about = About(str(head["state"]), str(head["summary"]))
    except BadFile:
        raise
    except (KeyError, ValueError) as error:
        raise BadFile(f"line {lines.number}: {error} is not as it was written") from None
    return GameDump(str(head["game"]), about, tuple(events))
