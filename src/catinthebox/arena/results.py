"""What the seats did, row by row, and the files that keep it.

A file of results begins with its settings, so that a run can go on where it stopped and never
mixes with another one. Rows are added one whole deal at a time; a line that a crash has torn is
dropped, and so is a deal of which rows are missing.

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

Settings = Mapping[str, str]
Unit = tuple[str, int]  # a match and a deal: what is played, or is not

HEADLINE: Final = "# catinthebox arena "
PARQUET: Final = ".parquet"
PART: Final = ".part.csv"  # beside a Parquet file, which can only be written whole
SYNC_EVERY: Final = 1.0  # seconds: a disk that is asked more often does little else


@dataclass(frozen=True, slots=True)
class SeatResult:
    """One seat in one round, or in one game: everything the statistics need."""

    match: str  # the key of the match
    players: int
    deal: int  # its number, from 0: the unit of the bootstrap
    seating: int  # which rotation of the players over the seats
    seat: int
    player: str  # as it was named: "search:rollouts=1000"
    points: int  # of the round, or of the whole game
    share: float  # 1 for the only winner, 1/k for k winners, 0 for the others
    tricks: int
    bids: int  # how many it made; none at two players (R9)
    hits: int  # rounds in which its tricks earned the bonus (R25, R26)
    paradoxes: int  # that it caused
    decisions: int
    ms: float  # all its decisions together
    slowest_ms: float

    @property
    def unit(self) -> Unit:
        """The match and the deal that the row belongs to."""
        return self.match, self.deal

    @property
    def place(self) -> tuple[str, int, int, int]:
        """Where the row stands among all rows."""
        return self.match, self.deal, self.seating, self.seat


NAMES: Final = tuple(field.name for field in fields(SeatResult))
KINDS: Final = tuple(
    {"str": str, "int": int, "float": float}[str(field.type)] for field in fields(SeatResult)
)


def complete(rows: Iterable[SeatResult]) -> list[SeatResult]:
    """Keep the deals of which every seat of every seating is there."""
    rows = list(rows)
    found = Counter(row.unit for row in rows)
    return [row for row in rows if found[row.unit] == row.players**2]


# ── Files ────────────────────────────────────────────────────────────────────────────────────


def write(rows: Iterable[SeatResult], path: Path, settings: Settings | None = None) -> None:
    """Write a file whole, as Parquet if its name ends so, else as CSV."""
    if path.suffix == PARQUET:
        from .parquet import content  # noqa: PLC0415 (pyarrow only where it is used)

        _replace(path, content(list(rows), dict(settings or {})))
    else:
        text = "".join([_headline(settings), _line(NAMES), *(_line(astuple(row)) for row in rows)])
        _replace(path, text.encode("utf-8"))


def read(path: Path) -> list[SeatResult]:
    """Read the rows of a file; a line that a crash has torn is dropped."""
    return load(path)[1]


def load(path: Path) -> tuple[Settings | None, list[SeatResult]]:
    """Read the settings of a file, if it has any, and its rows."""
    with named(path):
        content = path.read_bytes()
    if path.suffix == PARQUET:
        from .parquet import parsed  # noqa: PLC0415 (pyarrow only where it is used)

        return parsed(content, path)
    return _parsed(content, path)


def _headline(settings: Settings | None) -> str:
    return "" if settings is None else f"{HEADLINE}{json.dumps(dict(settings))}\n"


def _line(values: Iterable[object]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(values)
    return line.getvalue()


def _parsed(content: bytes, path: Path) -> tuple[Settings | None, list[SeatResult]]:
    whole = content[: content.rfind(b"\n") + 1]  # what follows the last line break is torn
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
    """Do something with a file; what the system has against it becomes a sentence that names it."""
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
    """A file of results that grows: what is finished is kept, and is not played again.

    Parquet cannot grow, so its rows wait in a CSV file beside it until `finish`. Nobody else may
    work on the file until `close` or `finish`.
    """

    def __init__(self, path: Path, settings: Settings) -> None:
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
        """Return the rows of an earlier run with these settings; another run's are an error."""
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
        """Whether rows wait beside a Parquet file, as when a run died before its `finish`."""
        return self.growing != self.path and self.growing.exists()

    def add(self, rows: Sequence[SeatResult]) -> None:
        """Keep the rows of whole deals."""
        if self._file is None:
            write(self.rows, self.growing, self.settings)  # without what a crash has torn
        with named(self.growing):
            self._file = self._file or self.growing.open("a", encoding="utf-8", newline="")
            self._file.write("".join(_line(astuple(row)) for row in rows))
            self._file.flush()
            if monotonic() - self._synced >= SYNC_EVERY:
                self._sync(self._file)
        self.rows.extend(rows)

    def _sync(self, file: TextIO) -> None:
        """Wait until the rows lie on the disk, where a power cut does not reach them."""
        os.fsync(file.fileno())
        self._synced = monotonic()

    def close(self) -> None:
        """Leave the file as it is; another run can go on."""
        try:
            self._end()
        finally:
            self._lock.release()

    def _end(self) -> None:
        """Write no more rows."""
        if self._file is not None:
            with named(self.growing), self._file as file:
                self._file = None
                self._sync(file)

    def finish(self) -> None:
        """Put the rows in order, and write Parquet if that is wanted."""
        try:
            self._end()
            self.rows.sort(key=lambda row: row.place)
            write(self.rows, self.path, self.settings)
            if self.growing != self.path:
                with named(self.growing):
                    self.growing.unlink(missing_ok=True)
        finally:
            self._lock.release()


def _differences(found: Settings | None, wanted: Settings) -> list[str]:
    if found is None:
        return ["it has no settings"]
    return [
        f"{name} there {found.get(name, 'none')}, here {wanted.get(name, 'none')}"
        for name in sorted({*found, *wanted})
        if found.get(name) != wanted.get(name)
    ]
