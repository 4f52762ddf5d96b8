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
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from itertools import chain
from pathlib import Path
from typing import Final, TypeVar, cast

from . import statements
from .base import LogStore
from .checksums import Head, Row, extended, of_head, verified_head
from .errors import Damaged, Malformed, StoreError, StoreFailed, older
from .pool import Pool
from .requests import (
    Append,
    Claim,
    Plan,
    Probe,
    Quarantine,
    StoreAnswer,
    StoreRequest,
    check_append,
)
from .sqlite_schema import (
    COMPLAINTS,
    MIGRATIONS,
    complaints,
    examine,
    incomplete_games,
    is_malformed,
    migrate,
    renew_short_lived,
    version,
)
from .writer import Writer, damaged, isolated
from .writer_lock import Identity, Locked, WriterLock

BUSY_SECONDS: Final = 5.0  # seconds to wait for another program's lock
ROWS: Final = 100  # inserted by one statement at most
STATEMENTS: Final = 300  # prepared statements: one for each number of rows, and others
HEADS: Final = 10_000  # games whose heads are remembered
T = TypeVar("T")

_SETTINGS: Final = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",  # a commit waits for the disk
    "PRAGMA fullfsync = ON",  # and, on macOS, for the disk's own cache
    "PRAGMA checkpoint_fullfsync = ON",
    "PRAGMA foreign_keys = ON",
    "PRAGMA journal_size_limit = 67108864",
)
_HEAD: Final = """SELECT damaged, checksum, last, size, state, summary, seal
FROM games WHERE game = ?"""
_GROW: Final = """INSERT INTO games (game, last, size, checksum, seal) VALUES {rows}
ON CONFLICT (game) DO UPDATE SET last = excluded.last, size = excluded.size,
checksum = excluded.checksum, seal = excluded.seal"""
_ABOUT: Final = "UPDATE games SET state = ?, summary = ? WHERE game = ?"
_EVENTS: Final = "INSERT INTO events (game, seq, event, checksum) VALUES {rows}"
_HOLD: Final = "UPDATE leases SET owner = ?, until = ? WHERE key = ?"


class SqliteStore(LogStore):
    """A store in a file, written by one process (and one store object) at a time."""

    shared = False

    def __init__(self, path: Path, *, readonly: bool = False) -> None:
        super().__init__()
        self.path = path.resolve()  # SQLite derives the names of its other files from it
        self._given = path.absolute()
        self._name = str(path)
        self._lock_path = self.path.with_name(f"{self.path.name}-writer")
        self._log_path = self.path.with_name(f"{self.path.name}-wal")
        self._watched = str(self._given), str(self._log_path)
        self._writer: Writer | None = None
        self._lock: sqlite3.Connection | None = None  # by name …
        self._file_lock: WriterLock | None = None  # … and on the file itself
        self._log: Identity | None = None  # the write-ahead log
        self._connection: sqlite3.Connection | None = None  # the writer's own
        self._batch = 0
        self._heads: dict[str, Head] = {}  # valid because there is no other writer
        self._pool = Pool(self._reader)
        try:
            self._translate_errors(self._open_to_read if readonly else self._open_to_write)
        except BaseException:
            self.close()
            raise

    def _translate_errors(self, action: Callable[[], T]) -> T:
        try:
            return action()
        except (sqlite3.Error, OSError, UnicodeDecodeError) as error:
            raise self._failure(error, f"{self._name}{_complaint(error)}") from error

    def _failure(self, error: Exception, sentence: str) -> StoreFailed:
        """Translate an error of SQLite after which nothing was written."""
        damage = is_malformed(error)
        return (Malformed if damage else StoreFailed)(sentence, settled=True)

    # ── Opening and closing ──────────────────────────────────────────────────────────────────

    def _open_to_read(self) -> None:
        if not self.path.is_file():
            raise StoreError(f"there is no file {self._name}")
        with self._pool.use() as connection:
            if (found := version(connection, self._name)) == 0:
                raise StoreError(f"{self._name} is not a store of games: it is empty")
            if found < len(MIGRATIONS):
                raise StoreError(f"{self._name}: {older(found, len(MIGRATIONS))}")

    def _open_to_write(self) -> None:
        self.path.parent.mkdir(0o700, parents=True, exist_ok=True)
        for path in (self._lock_path, self.path):
            _create(path)
        try:
            self._lock = _locked(self._lock_path)
            self._file_lock = WriterLock(self.path)
        except Locked:
            raise StoreError(
                f"{self._name} is being written by another process, perhaps under another name; "
                "end that one first, choose another file, or use PostgreSQL"
            ) from None
        self._connection = self._connected()
        examine(self._connection, self._name)
        migrate(self._connection, self._name)
        renew_short_lived(self._connection)
        (self._batch,) = self._connection.execute("SELECT batch FROM writer").fetchone()
        commit = partial(isolated, transaction=self._transaction, blamed=self._blamed)
        self._writer = Writer(self.path.name, commit, self._subscribers.notify)
        for damage in incomplete_games(self._connection):
            self._found(damage)
        for (game,) in self._readable(statements.STRAYS):
            self._found(Damaged(str(game), None, "it has events, but no entry in the index"))
        self._review()

    def _connected(self) -> sqlite3.Connection:
        connection = _connect(self.path, "rw")  # does not create a file that is gone
        try:
            for setting in _SETTINGS:
                connection.execute(setting)
            (mode,) = connection.execute("PRAGMA journal_mode").fetchone()
            if mode != "wal":
                raise StoreError(f"{self._name} cannot have a write-ahead log there, only {mode!r}")
            connection.execute("SELECT count(*) FROM sqlite_master")  # the log is opened with it
            if self._file_lock is not None:
                self._file_lock.hold()
        except BaseException:
            connection.close()
            raise
        (self._log,) = _identities([str(self._log_path)])
        return connection

    def _reader(self) -> sqlite3.Connection:
        return _connect(self.path, "ro")

    def _check_files(self, *, settled: bool = True) -> None:
        """Raise an error if the files were deleted or replaced while they are open."""
        expected = self._file_lock and self._file_lock.identity, self._log
        found = _identities(self._watched)
        for path, known, now in zip(self._watched, expected, found, strict=True):
            if known is not None and now != known:
                raise StoreFailed(
                    f"{path} was deleted or replaced while it was written: put the same file back,"
                    " or restart",
                    settled=settled,
                )

    def close(self) -> None:
        """Write what was accepted, and close the file."""
        if self._writer is not None:
            self._writer.close()
        self._pool.close()
        for each in (self._connection, self._lock, self._file_lock):  # locks last
            if each is not None:
                with suppress(sqlite3.Error):
                    each.close()
        self._connection = self._lock = self._file_lock = None

    # ── Reading ──────────────────────────────────────────────────────────────────────────────

    def _rows(self, statement: str, values: statements.Values) -> list[Row]:
        def rows() -> list[Row]:
            self._check_files()
            with self._pool.use() as connection:
                return connection.execute(_sql(statement), values).fetchall()

        return self._translate_errors(rows)

    def _readable(self, statement: str) -> Iterator[Row]:
        rows: list[Row] = []
        with suppress(sqlite3.DatabaseError), self._pool.use() as connection:
            for row in connection.execute(_sql(statement)):
                rows.append(row)  # one by one: rows before an error count
        return iter(rows)

    def engine_problems(self) -> list[str]:
        """Let SQLite check its pages and indexes."""
        with self._pool.use() as connection:
            return complaints(connection, f"integrity_check({COMPLAINTS})")

    # ── Writing ──────────────────────────────────────────────────────────────────────────────

    def _lane(self, _: StoreRequest) -> Writer | None:
        return self._writer

    def _blamed(self, append: Append, error: Malformed) -> StoreError:
        """Return the error for what is unreadable: the game, or the plans of the append."""
        if self._cannot_grow(append):
            return self._found(damaged(append, error))
        return error

    def _cannot_grow(self, append: Append) -> bool:
        """Whether it is the game and not the plans: try without plans, and roll back."""
        try:
            connection = self._connection = self._connection or self._connected()
            connection.execute("BEGIN IMMEDIATE")
            SqliteBatch(connection, {}).answers([replace(append, plans=())])
        except sqlite3.Error as error:
            return is_malformed(error)
        finally:
            self._undo()
        return False

    def _transaction(self, requests: Sequence[StoreRequest]) -> Sequence[StoreAnswer]:
        answers: Sequence[StoreAnswer] = ()
        self._check_files()
        self._batch += 1
        try:
            connection = self._connection = self._connection or self._connected()
            connection.execute("BEGIN IMMEDIATE")
            answers = SqliteBatch(connection, self._heads).answers(requests)
            connection.execute("UPDATE writer SET batch = ?", (self._batch,))
            connection.execute("COMMIT")
        except (sqlite3.Error, StoreError) as error:
            self._heads.clear()
            if not self._committed(error):
                sentence = f"{self._name}: {error}; nothing of it was written"
                raise self._failure(error, sentence) from error
        try:
            self._check_files(settled=False)
        except StoreFailed:  # the file was deleted during the commit
            self._heads.clear()
            raise
        for answer in answers:
            if isinstance(answer, Damaged):
                self._found(answer)
        return answers

    def _committed(self, trouble: Exception) -> bool:
        """Whether the batch is in the file in spite of an error, by the number of its commit.

        What SQLite returns has been synced, and a batch is visible completely or not at all. If it
        is not visible, a failed sync may still have left it after the end of the log, where
        recovery after a crash would find it; another commit in its place prevents that.
        """
        self._undo()
        number = self._batch
        try:
            connection = self._connection = self._connection or self._connected()
            (found,) = connection.execute("SELECT batch FROM writer").fetchone()
            if found != number:
                self._batch += 1
                connection.execute("UPDATE writer SET batch = ?", (self._batch,))
        except (sqlite3.Error, StoreError) as error:
            self._drop()
            sentence = f"{self._name}: {trouble}, then {error}; it may or may not be written"
            raise StoreFailed(sentence, settled=False) from error
        return bool(found == number)

    def _undo(self) -> None:
        """Roll back; drop the connection if that fails."""
        try:
            if self._connection is not None and self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        except sqlite3.Error:
            self._drop()

    def _drop(self) -> None:
        if self._connection is not None:
            with suppress(sqlite3.Error):
                self._connection.close()
        self._connection = self._log = None  # the last connection deletes the log


def _complaint(error: Exception) -> str:
    """Describe an error of SQLite or the system; follows the name of the file."""
    if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_NOTADB:
        return f" is not a store of games, or its beginning is damaged ({error})"
    return f": {error}"


def _identities(paths: Iterable[str]) -> list[Identity | None]:
    """Return the identities of the files at some paths; None where there is no file."""
    found: list[Identity | None] = []
    for path in paths:
        try:
            file = os.stat(path)  # noqa: PTH116 (often called: a Path takes longer)
        except OSError:
            found.append(None)
        else:
            found.append((file.st_dev, file.st_ino))
    return found


def _create(path: Path) -> None:
    """Create a file that only its owner can read, unless it exists.

    It will hold every hand, and the key to future deals. SQLite gives its log the same mode. An
    existing file is not even opened, since closing it would release this process's locks on it.
    """
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def _connect(path: Path, mode: str, wait: float = BUSY_SECONDS) -> sqlite3.Connection:
    """Connect; the caller ensures that only one thread uses the connection at a time."""
    connection = sqlite3.connect(
        f"{path.as_uri()}?mode={mode}",
        uri=True,
        timeout=wait,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=STATEMENTS,
    )
    connection.text_factory = _text
    return connection


def _text(content: bytes) -> str:
    """Decode a text; a damaged one is decoded, too, and fails its checksum."""
    return content.decode("utf-8", "replace")


def _locked(path: Path) -> sqlite3.Connection:
    """Lock a file beside the database until the process ends.

    The lock is an empty SQLite database, since SQLite can lock files on every system.
    """
    lock = _connect(path, "rwc", wait=0)
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        lock.close()
        if "locked" not in str(error):
            raise
        raise Locked from None
    return lock


# ── Requests, within a transaction ───────────────────────────────────────────────────────────


class SqliteBatch:
    """Writes the rows of many requests together.

    Every call of SQLite releases the GIL, and a busy thread is slow to give it back: with one
    statement per event, the requests would wait for each other.
    """

    def __init__(self, connection: sqlite3.Connection, heads: dict[str, Head]) -> None:
        self._connection = connection
        self._heads = heads  # of known games
        self._grown: dict[str, Head] = {}
        self._events: list[tuple[object, ...]] = []
        self._abouts: list[tuple[object, ...]] = []

    def answers(self, requests: Sequence[StoreRequest]) -> list[StoreAnswer]:
        """Carry requests out; return an answer for each."""
        answers = list(map(self._answer, requests))
        heads: list[tuple[object, ...]] = []
        for game, head in self._grown.items():
            heads.append((game, head.last, head.size, head.checksum, of_head(game, head)))
        self._insert(_GROW, heads)
        self._insert(_EVENTS, self._events)
        if self._abouts:
            self._connection.executemany(_ABOUT, self._abouts)
        if len(self._heads) + len(self._grown) > HEADS:
            self._heads.clear()
        self._heads |= self._grown
        return answers

    def _insert(self, statement: str, rows: list[tuple[object, ...]]) -> None:
        for at in range(0, len(rows), ROWS):
            some = rows[at : at + ROWS]
            values = tuple(chain.from_iterable(some))
            self._connection.execute(_of_rows(statement, len(some), len(some[0])), values)

    def _answer(self, request: StoreRequest) -> StoreAnswer:
        if isinstance(request, Append):
            return self._append(request)
        if isinstance(request, Claim):
            return _claim(self._connection, request)
        if isinstance(request, Probe):
            return None  # only the commit was asked for
        if isinstance(request, Quarantine):
            self._quarantine(request)
            return None
        statement, values = statements.keyed(request)
        return statements.answer(
            request, self._connection.execute(_sql(statement), values).rowcount
        )

    def _append(self, append: Append) -> StoreAnswer:
        game = append.game
        try:
            head = self._grown.get(game) or self._heads.get(game) or self._head(game)
        except Damaged as damage:
            return damage
        if refusal := check_append(head, append):
            return refusal
        self._grown[game], rows = extended(game, head, append.events, append.about)
        if append.about is not None:
            self._abouts.append((*append.about, game))
        for row in rows:
            self._events.append((game, *row))
        for key, due in append.plans:
            self._answer(Plan(key, due))
        return self._grown[game].last

    def _head(self, game: str) -> Head:
        row = self._connection.execute(_HEAD, (game,)).fetchone()
        if row is None:
            return Head()
        if row[0]:
            raise Damaged(game, None, "it is in quarantine")
        return verified_head(game, row[1:])

    def _quarantine(self, request: Quarantine) -> None:
        values = {"game": request.game, "damaged": not request.lifted}
        self._connection.execute(_sql(statements.QUARANTINE), values)
        self._heads.pop(request.game, None)


@cache
def _of_rows(statement: str, count: int, columns: int) -> str:
    one = f"({', '.join('?' * columns)})"
    return statement.format(rows=", ".join([one] * count))


@cache
def _sql(statement: str) -> str:
    return statements.for_sqlite(statement)


def _claim(connection: sqlite3.Connection, claim: Claim) -> list[str]:
    values: statements.Values = {**statements.moment(claim.now), "limit": claim.limit}
    rows = connection.execute(_sql(statements.DUE), values).fetchall()
    keys = [cast("str", key) for key, _ in rows]
    connection.executemany(_HOLD, ((claim.owner, claim.until, key) for key in keys))
    return keys
