"""Events in one SQLite file, written by one process, read by any.

>>> from tempfile import TemporaryDirectory
>>> with TemporaryDirectory() as folder, SqliteStore(Path(folder) / "games.db") as store:
...     store.append("cheshire", 0, [b"sit down", b"deal"]).result()
...     store.read("cheshire", after=1)
...     store.append("cheshire", 1, [b"too late"]).exception()
2
[Stored(seq=2, event=b'deal')]
Conflict('cheshire', expected=1, actual=2)
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Final, TypeVar, cast

from . import statements
from .base import LogStore, Row
from .errors import StoreError, StoreFailed
from .pool import Pool
from .requests import Answer, Append, Claim, Head, Plan, Request, judge
from .sqlite_schema import examine, migrate, version
from .writer import Writer

BUSY_SECONDS: Final = 5.0  # how long to wait for another program's lock
ROWS: Final = 100  # that one statement inserts at most
STATEMENTS: Final = 300  # that SQLite keeps ready: one for each number of rows, and others
HEADS: Final = 10_000  # games whose heads are remembered
T = TypeVar("T")

_SETTINGS: Final = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",  # a commit waits for the disk
    "PRAGMA fullfsync = ON",  # and on macOS for the disk's own cache
    "PRAGMA checkpoint_fullfsync = ON",
    "PRAGMA foreign_keys = ON",
    "PRAGMA journal_size_limit = 67108864",
)
_HEAD: Final = "SELECT last, size FROM games WHERE game = ?"
_GROW: Final = """INSERT INTO games (game, last, size) VALUES {rows}
ON CONFLICT (game) DO UPDATE SET last = excluded.last, size = excluded.size"""
_ABOUT: Final = "UPDATE games SET state = ?, summary = ? WHERE game = ?"
_EVENTS: Final = "INSERT INTO events (game, seq, event) VALUES {rows}"
_HOLD: Final = "UPDATE leases SET owner = ?, until = ? WHERE key = ?"


class SqliteStore(LogStore):
    """A store in a file. Only one process (and in it one store) may write it at a time."""

    shared = False

    def __init__(self, path: Path, *, readonly: bool = False) -> None:
        super().__init__()
        self.path = path.absolute()
        self._name = str(path)
        self._lock_path = self.path.with_name(f"{self.path.name}-writer")
        self._writer: Writer | None = None
        self._lock: sqlite3.Connection | None = None
        self._line: sqlite3.Connection | None = None  # the writer's own
        self._batch = 0
        self._heads: dict[str, Head] = {}  # nobody else writes, so they are as we left them
        self._pool = Pool(self._reader)
        try:
            self._said_clearly(self._open_to_read if readonly else self._open_to_write)
        except BaseException:
            self.close()
            raise

    def _said_clearly(self, action: Callable[[], T]) -> T:
        try:
            return action()
        except (sqlite3.Error, OSError) as error:
            raise StoreFailed(f"{self._name}: {error}", settled=True) from error

    # ── Opening and closing ──────────────────────────────────────────────────────────────────

    def _open_to_read(self) -> None:
        with self._pool.use() as line:
            if version(line, self._name) == 0:
                raise StoreError(f"{self._name} has no games in it")

    def _open_to_write(self) -> None:
        self.path.parent.mkdir(0o700, parents=True, exist_ok=True)
        for path in (self._lock_path, self.path):
            _create(path)
        self._lock = self._locked()
        self._line = self._connected()
        migrate(self._line, self._name)
        examine(self._line, self._name)
        (self._batch,) = self._line.execute("SELECT batch FROM writer").fetchone()
        self._writer = Writer(self.path.name, self._commit, self._subscribers.tell)

    def _locked(self) -> sqlite3.Connection:
        """Lock a file beside ours for as long as we live; the system unlocks it after a crash.

        SQLite knows how to lock a file on every system, so an empty data base is our lock.
        """
        lock = _connect(self._lock_path, "rwc", wait=0)
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            lock.close()
            if "locked" not in str(error):
                raise
            raise StoreError(
                f"{self._name} is being written by another process; end that one first, "
                "open the file to read only, or use PostgreSQL"
            ) from None
        return lock

    def _connected(self) -> sqlite3.Connection:
        line = _connect(self.path, "rwc")
        try:
            for setting in _SETTINGS:
                line.execute(setting)
            (mode,) = line.execute("PRAGMA journal_mode").fetchone()
            if mode != "wal":
                raise StoreError(f"{self._name} cannot have a write-ahead log there, only {mode!r}")
        except BaseException:
            line.close()
            raise
        return line

    def _reader(self) -> sqlite3.Connection:
        return _connect(self.path, "ro")

    def close(self) -> None:
        """Write what was accepted, and let go of the file."""
        if self._writer is not None:
            self._writer.close()
        self._pool.close()
        for connection in (self._line, self._lock):
            if connection is not None:
                with suppress(sqlite3.Error):
                    connection.close()
        self._line = self._lock = None

    # ── Reading ──────────────────────────────────────────────────────────────────────────────

    def _rows(self, statement: str, values: statements.Values) -> list[Row]:
        def rows() -> list[Row]:
            with self._pool.use() as line:
                return line.execute(_sql(statement), values).fetchall()

        return self._said_clearly(rows)

    # ── Writing ──────────────────────────────────────────────────────────────────────────────

    def _lane(self, _: Request) -> Writer | None:
        return self._writer

    def _commit(self, requests: Sequence[Request]) -> Sequence[Answer]:
        """Carry a batch out in one transaction. Any error is an answer for all of it."""
        answers: Sequence[Answer] = ()
        self._batch += 1
        try:
            line = self._line = self._line or self._connected()
            line.execute("BEGIN IMMEDIATE")
            answers = Batch(line, self._heads).answers(requests)
            line.execute("UPDATE writer SET batch = ?", (self._batch,))
            line.execute("COMMIT")
        except (sqlite3.Error, StoreError) as error:
            self._heads.clear()
            if not self._happened(error):
                sentence = f"{self._name}: {error}; nothing of it was written"
                raise StoreFailed(sentence, settled=True) from error
        return answers

    def _happened(self, trouble: Exception) -> bool:
        """After an error: is the batch in the file all the same? The number of its commit tells.

        What SQLite shows has been synced, and a batch is shown whole or not at all. If it is not
        shown, a sync that failed may still have left it behind the end of the log, where recovery
        after a crash would find it; a commit in its place rules that out.
        """
        self._undo()
        number = self._batch
        try:
            line = self._line = self._line or self._connected()
            (found,) = line.execute("SELECT batch FROM writer").fetchone()
            if found != number:
                self._batch += 1
                line.execute("UPDATE writer SET batch = ?", (self._batch,))
        except (sqlite3.Error, StoreError) as error:
            self._drop()
            sentence = f"{self._name}: {trouble}, then {error}; it may or may not be written"
            raise StoreFailed(sentence, settled=False) from error
        return bool(found == number)

    def _undo(self) -> None:
        """Roll back; a connection that cannot even do that is given up."""
        try:
            if self._line is not None and self._line.in_transaction:
                self._line.execute("ROLLBACK")
        except sqlite3.Error:
            self._drop()

    def _drop(self) -> None:
        if self._line is not None:
            with suppress(sqlite3.Error):
                self._line.close()
        self._line = None


def _create(path: Path) -> None:
    """Create a file that nobody else on the machine may read, unless there is one.

    It holds every hand, and the key to those to come. SQLite gives its log the same mode. A file
    that is there is not even opened: to close it would undo the locks that this process has on it.
    """
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def _connect(path: Path, mode: str, wait: float = BUSY_SECONDS) -> sqlite3.Connection:
    """Connect; whoever uses the connection makes sure that it is one thread at a time."""
    return sqlite3.connect(
        f"{path.as_uri()}?mode={mode}",
        uri=True,
        timeout=wait,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=STATEMENTS,
    )


# ── Requests, within a transaction ───────────────────────────────────────────────────────────


class Batch:
    """The rows of many requests, put in together.

    Every call of SQLite lets other threads of this process run, and a busy one is slow to let us
    go on: a statement for each event would make all of them wait for each other.
    """

    def __init__(self, line: sqlite3.Connection, heads: dict[str, Head]) -> None:
        self._line = line
        self._heads = heads  # of games that are known
        self._grown: dict[str, Head] = {}
        self._events: list[tuple[object, ...]] = []
        self._abouts: list[tuple[object, ...]] = []

    def answers(self, requests: Sequence[Request]) -> list[Answer]:
        """Carry requests out."""
        answers = [self._answer(request) for request in requests]
        self._insert(_GROW, [(game, *head) for game, head in self._grown.items()])
        self._insert(_EVENTS, self._events)
        if self._abouts:
            self._line.executemany(_ABOUT, self._abouts)
        if len(self._heads) + len(self._grown) > HEADS:
            self._heads.clear()
        self._heads |= self._grown
        return answers

    def _insert(self, statement: str, rows: list[tuple[object, ...]]) -> None:
        for at in range(0, len(rows), ROWS):
            some = rows[at : at + ROWS]
            values = tuple(chain.from_iterable(some))
            self._line.execute(_of_rows(statement, len(some)), values)

    def _answer(self, request: Request) -> Answer:
        if isinstance(request, Append):
            return self._append(request)
        if isinstance(request, Claim):
            return _claim(self._line, request)
        statement, values = statements.lease(request)
        return statements.answer(request, self._line.execute(_sql(statement), values).rowcount)

    def _append(self, append: Append) -> Answer:
        game = append.game
        head = self._grown.get(game) or self._heads.get(game) or self._head(game)
        grown = judge(head, append)
        if isinstance(grown, StoreError):
            return grown
        self._grown[game] = grown
        if append.about is not None:
            self._abouts.append((*append.about, game))
        self._events += [
            (game, seq, event) for seq, event in enumerate(append.events, head.last + 1)
        ]
        for key, due in append.plans:
            self._answer(Plan(key, due))
        return grown.last

    def _head(self, game: str) -> Head:
        return Head(*(self._line.execute(_HEAD, (game,)).fetchone() or ()))


@cache
def _of_rows(statement: str, count: int) -> str:
    return statement.format(rows=", ".join(["(?, ?, ?)"] * count))


@cache
def _sql(statement: str) -> str:
    return statements.for_sqlite(statement)


def _claim(line: sqlite3.Connection, claim: Claim) -> list[str]:
    values: statements.Values = {"now": claim.now, "limit": claim.limit}
    rows = line.execute(_sql(statements.DUE), values).fetchall()
    keys = [cast("str", key) for key, _ in rows]
    line.executemany(_HOLD, ((claim.owner, claim.until, key) for key in keys))
    return keys
