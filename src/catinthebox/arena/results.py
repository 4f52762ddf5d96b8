"""Result rows, one for each seat in a round or game, and the files that hold them.

A file of results begins with its settings, so that a run can continue where it stopped and is
never mixed with another one. Rows are added by whole deals; a line that a crash cut off is dropped,
and so is an incomplete deal.

>>> key = "2p follow vs random one"
>>> row = SeatResult(key, 2, 0, 0, 0, "follow", 7, 1, 4, 0, 1, 0, 10, 1.5, 0.5)
>>> row.player, row.points
('follow', 7)
"""

from __future__ import annotations

import csv
import io
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from time import monotonic
from typing import Final, TextIO

from ..files import replacing
from ..game import NotUnderstood
from .lock import Lock

RunSettings = Mapping[str, str]
Unit = tuple[str, int]  # a match and a deal

HEADLINE: Final = "# catinthebox arena "
PARQUET: Final = ".parquet"
PART: Final = ".part.csv"  # beside a Parquet file, which cannot be appended to
SYNC_EVERY: Final = 1.0  # seconds between two syncs


@dataclass(frozen=True, slots=True)
class SeatResult:
    """One seat in one round, or in one game: everything the statistics need."""

    match: str  # the key of the match
    players: int
    deal: int  # its number, from 0: the unit of the bootstrap
    seating: int  # the rotation of the players over the seats
    seat: int
    player: str  # by its name, such as "search:rollouts=1000"
    points: int  # of the round, or of the whole game
    share: float  # 1 for the only winner, 1/k for k winners, 0 for the others
    tricks: int
    bids: int  # how many bids it made; none at two players (R9)
    hits: int  # rounds in which its tricks earned the bonus (R25, R26)
    paradoxes: int  # how many it caused
    decisions: int
    ms: float  # all its decisions together
    slowest_ms: float

    @property
    def unit(self) -> Unit:
        """The match and the deal that the row belongs to."""
        return self.match, self.deal

    @property
    def place(self) -> tuple[str, int, int, int]:
        """The sort key of the row."""
        return self.match, self.deal, self.seating, self.seat


NAMES: Final = tuple(field.name for field in fields(SeatResult))
KINDS: Final = tuple(
    {"str": str, "int": int, "float": float}[str(field.type)] for field in fields(SeatResult)
)


def complete(rows: Iterable[SeatResult]) -> list[SeatResult]:
    """Return the rows of complete deals: every seat of every seating."""
    rows = list(rows)
    found = Counter(row.unit for row in rows)
    return [row for row in rows if found[row.unit] == row.players**2]


# ── Files ────────────────────────────────────────────────────────────────────────────────────


def write(rows: Iterable[SeatResult], path: Path, settings: RunSettings | None = None) -> None:
    """Write a whole file, as Parquet or CSV by its extension."""
    if path.suffix == PARQUET:
        from .parquet import content  # noqa: PLC0415 (pyarrow only where it is used)

        _replace(path, content(list(rows), dict(settings or {})))
    else:
        text = "".join([_headline(settings), _line(NAMES), *(_line(astuple(row)) for row in rows)])
        _replace(path, text.encode("utf-8"))


def read(path: Path) -> list[SeatResult]:
    """Read the rows of a file; a line that a crash cut off is dropped."""
    return load(path)[1]


def load(path: Path) -> tuple[RunSettings | None, list[SeatResult]]:
    """Read the settings of a file, if it has any, and its rows."""
    with named(path):
        content = path.read_bytes()
    if path.suffix == PARQUET:
        from .parquet import parsed  # noqa: PLC0415 (pyarrow only where it is used)

        return parsed(content, path)
    return _parsed(content, path)


def _headline(settings: RunSettings | None) -> str:
    return "" if settings is None else f"{HEADLINE}{json.dumps(dict(settings))}\n"


def _line(values: Iterable[object]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(values)
    return line.getvalue()


def _parsed(content: bytes, path: Path) -> tuple[RunSettings | None, list[SeatResult]]:
    whole = content[: content.rfind(b"\n") + 1]  # an incomplete last line is dropped
    try:
        lines = whole.decode("utf-8").splitlines()
        settings = None
        if lines and lines[0].startswith(HEADLINE):
            settings = json.loads(lines.pop(0).removeprefix(HEADLINE))
        if not content or lines[:1] == [",".join(NAMES)]:
            return settings, list(_rows(lines[1:]))
    except ValueError:
        pass
    raise NotUnderstood("input.file", f"{path} is not a file of results")


def _rows(lines: Sequence[str]) -> Iterator[SeatResult]:
    for words in csv.reader(lines):
        yield SeatResult(*(kind(word) for kind, word in zip(KINDS, words, strict=True)))


@contextmanager
def named(path: Path) -> Iterator[None]:
    """Turn system errors in the block into errors that name the file."""
    try:
        yield
    except OSError as error:
        raise NotUnderstood("input.file", f"{path}: {error.strerror or error}") from None


def _replace(path: Path, content: bytes) -> None:
    with named(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as file:
            file.write(content)


# ── Going on where a run stopped ─────────────────────────────────────────────────────────────


class Results:
    """A growing file of results: finished deals are kept and not played again.

    Parquet cannot be appended to, so its rows wait in a CSV file beside it until `finish`. The
    file is locked until `close` or `finish`.
    """

    def __init__(self, path: Path, settings: RunSettings) -> None:
        self.path = path
        self.settings = dict(settings)
        if path.suffix == PARQUET:
            from . import parquet  # noqa: F401, PLC0415 (missed now, not after hours of play)
        self.growing = path.with_name(path.name + PART) if path.suffix == PARQUET else path
        self._file: TextIO | None = None
        self._synced = monotonic() - SYNC_EVERY
        with named(path):
            path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = Lock(path)
        try:
            self.rows: list[SeatResult] = self._found()
        except BaseException:
            self._lock.release()
            raise

    def _found(self) -> list[SeatResult]:
        """Return the rows of an earlier run; raise an error if its settings differ."""
        path = next((path for path in (self.growing, self.path) if path.exists()), None)
        if path is None:
            return []
        settings, rows = load(path)
        different = _differences(settings, self.settings)
        if different:
            sentence = f"{path} belongs to another run: {'; '.join(different)}"
            raise NotUnderstood("input.option", sentence)
        return complete(rows)

    @property
    def done(self) -> set[Unit]:
        """The deals that are finished."""
        return {row.unit for row in self.rows}

    @property
    def waiting(self) -> bool:
        """Whether rows wait beside a Parquet file, as after a run that died before `finish`."""
        return self.growing != self.path and self.growing.exists()

    def add(self, rows: Sequence[SeatResult]) -> None:
        """Append the rows of whole deals."""
        if self._file is None:
            write(self.rows, self.growing, self.settings)  # without a line that a crash cut off
        with named(self.growing):
            self._file = self._file or self.growing.open("a", encoding="utf-8", newline="")
            self._file.write("".join(_line(astuple(row)) for row in rows))
            self._file.flush()
            if monotonic() - self._synced >= SYNC_EVERY:
                self._sync(self._file)
        self.rows.extend(rows)

    def _sync(self, file: TextIO) -> None:
        """Flush the rows to the disk, so that they survive a power failure."""
        os.fsync(file.fileno())
        self._synced = monotonic()

    def close(self) -> None:
        """Close the file; another run can continue it."""
        try:
            self._end()
        finally:
            self._lock.release()

    def _end(self) -> None:
        """Stop writing rows."""
        if self._file is not None:
            with named(self.growing), self._file as file:
                self._file = None
                self._sync(file)

    def finish(self) -> None:
        """Sort the rows, and write Parquet if the file is one."""
        try:
            self._end()
            self.rows.sort(key=lambda row: row.place)
            write(self.rows, self.path, self.settings)
            if self.growing != self.path:
                with named(self.growing):
                    self.growing.unlink(missing_ok=True)
        finally:
            self._lock.release()


def _differences(found: RunSettings | None, wanted: RunSettings) -> list[str]:
    if found is None:
        return ["it has no settings"]
    return [
        f"{name} there {found.get(name, 'none')}, here {wanted.get(name, 'none')}"
        for name in sorted({*found, *wanted})
        if found.get(name) != wanted.get(name)
    ]
