"""The tables in SQLite, their migrations, and checks of a file.

>>> import sqlite3
>>> connection = sqlite3.connect(":memory:", isolation_level=None)
>>> migrate(connection, "example")
>>> connection.execute("PRAGMA user_version").fetchone()
(3,)
>>> connection.close()
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Final

from .checksums import Head, extended, of_head
from .errors import Damaged, StoreError
from .protocol import About

MARK: Final = 0x43424F58  # "CBOX": marks the file as ours

# Messages about a malformed page, or about a row that is missing or should not exist.
_MALFORMED: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CONSTRAINT)


def is_malformed(error: Exception) -> bool:
    """Whether an error is about the file's contents, not about the disk or the program."""
    if isinstance(error, UnicodeDecodeError):  # the message quotes a damaged text
        return True
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _MALFORMED


SqliteStep = str | Callable[[sqlite3.Connection], None]


def _add_checksums(connection: sqlite3.Connection) -> None:
    """Add checksums to games that were written without them."""
    for (game,) in connection.execute("SELECT game FROM games").fetchall():
        try:
            _seal(connection, game)
        except sqlite3.DatabaseError as error:
            if not is_malformed(error):  # a game with an unreadable page gets none
                raise


def _seal(connection: sqlite3.Connection, game: str) -> None:
    """Add checksums to one game; one with gaps gets none, and so counts as damaged."""
    entry = connection.execute(_ENTRY, (game,)).fetchone()
    rows = connection.execute("SELECT event FROM events WHERE game = ? ORDER BY seq", (game,))
    events = [event for (event,) in rows]
    last, state, summary = entry or (0, "", "")
    head, sealed = extended(game, Head(), events, About(state, summary))
    if head.last == last:
        connection.executemany(_SEAL_EVENT, ((checksum, game, seq) for seq, _, checksum in sealed))
        connection.execute(_SEAL_GAME, (head.size, head.checksum, of_head(game, head), game))


_ENTRY: Final = """SELECT last, state, summary FROM games WHERE game = ? AND last = (
    SELECT max(seq) FROM events WHERE events.game = games.game
)"""
_SEAL_EVENT: Final = "UPDATE events SET checksum = ? WHERE game = ? AND seq = ?"
_SEAL_GAME: Final = "UPDATE games SET size = ?, checksum = ?, seal = ? WHERE game = ?"

_LEASES: Final = (
    """CREATE TABLE leases (
            key TEXT PRIMARY KEY,
            due INTEGER,
            owner TEXT NOT NULL,
            until INTEGER NOT NULL
        ) WITHOUT ROWID""",
    "CREATE INDEX leases_by_due ON leases (due, key) WHERE due IS NOT NULL",
)
_ENTRIES: Final = (
    """CREATE TABLE entries (
            list TEXT NOT NULL,
            key TEXT NOT NULL,
            entry TEXT NOT NULL,
            checksum INTEGER NOT NULL,
            PRIMARY KEY (list, key)
        ) WITHOUT ROWID""",
)
MIGRATIONS: Final[tuple[tuple[SqliteStep, ...], ...]] = (
    (  # 1
        """CREATE TABLE games (
            game TEXT PRIMARY KEY,
            last INTEGER NOT NULL CHECK (last >= 1),
            size INTEGER NOT NULL,
            state TEXT NOT NULL DEFAULT '',
            summary TEXT NOT NULL DEFAULT ''
        ) WITHOUT ROWID""",
        "CREATE INDEX games_by_state ON games (state, game)",
        """CREATE TABLE events (
            game TEXT NOT NULL REFERENCES games,
            seq INTEGER NOT NULL CHECK (seq >= 1),
            event BLOB NOT NULL,
            PRIMARY KEY (game, seq)
        ) WITHOUT ROWID""",
        *_LEASES,
        "CREATE TABLE writer (batch INTEGER NOT NULL)",  # one row: the number of the last commit
        "INSERT INTO writer VALUES (0)",
    ),
    (  # 2: checksums (see `checksums.py`), and games that nobody may append to
        "ALTER TABLE games ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE games ADD COLUMN seal INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE games ADD COLUMN damaged INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE events ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0",
        "CREATE INDEX games_damaged ON games (game) WHERE damaged",
        _add_checksums,
    ),
    _ENTRIES,  # 3: lists
)

COMPLAINTS: Final = 100  # the most that are read
_UNSOUND: Final = re.compile(r"freelist|2nd reference|multiple uses", re.IGNORECASE)
_TORN: Final = """SELECT game FROM games WHERE last <> (
    SELECT count(*) FROM events WHERE events.game = games.game
) OR last <> (SELECT max(seq) FROM events WHERE events.game = games.game)"""


def migrate(connection: sqlite3.Connection, name: str) -> None:
    """Migrate the tables in one transaction."""
    if version(connection, name) == len(MIGRATIONS):
        return
    connection.execute("BEGIN EXCLUSIVE")
    try:
        for steps in MIGRATIONS[version(connection, name) :]:
            for step in steps:
                connection.execute(step) if isinstance(step, str) else step(connection)
        connection.execute(f"PRAGMA application_id = {MARK}")
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def version(connection: sqlite3.Connection, name: str) -> int:
    """Return the version of the tables; raise an error if they are foreign or too new."""
    (mark,) = connection.execute("PRAGMA application_id").fetchone()
    (found,) = connection.execute("PRAGMA user_version").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if mark != MARK and (mark or found or tables):
        raise StoreError(f"{name} is not a store of games, but a database of another program")
    if found > len(MIGRATIONS):
        raise StoreError(
            f"{name} has tables of version {found}; this program knows {len(MIGRATIONS)}"
        )
    return int(found)


def complaints(connection: sqlite3.Connection, check: str) -> list[str]:
    """Return the problems that one of SQLite's checks reports."""
    try:
        rows = connection.execute(f"PRAGMA {check}").fetchall()
    except sqlite3.DatabaseError as error:
        return [str(error)]
    return [line for (text,) in rows for line in str(text).splitlines() if _says_something(line)]


def _says_something(line: str) -> bool:
    return line != "ok" and not line.startswith("***")  # "*** in database main ***"


def examine(connection: sqlite3.Connection, name: str) -> None:
    """Raise an error if writing to a damaged file could harm undamaged games.

    SQLite detects a malformed page when it reads it, and refuses what needs that page. But if its
    records of free or used pages are wrong, writing one game can destroy another.
    """
    found = complaints(connection, f"quick_check({COMPLAINTS})")
    unsound = [line for line in found if _UNSOUND.search(line)]
    if unsound:
        raise StoreError(
            f"{name} is damaged: {unsound[0]}; writing to it could harm more games. Restore a"
            " backup, or export the undamaged games and import them into a new file"
        )


def renew_short_lived(connection: sqlite3.Connection) -> None:
    """Recreate the tables of leases and of lists, each if it is damaged.

    A game plans its work again when it is read; lists are kept for days only.
    """
    _renew(connection, "leases", "SELECT key, due, owner, until FROM leases LIMIT 1", _LEASES)
    with suppress(sqlite3.DatabaseError):  # beyond repair: lists fail, and games go on
        query = "SELECT list, key, entry, checksum FROM entries LIMIT 1"
        _renew(connection, "entries", query, _ENTRIES)


def _renew(connection: sqlite3.Connection, table: str, query: str, steps: Sequence[str]) -> None:
    try:
        connection.execute(query)
        found = complaints(connection, f"integrity_check({table})")
    except sqlite3.DatabaseError as error:
        found = [str(error)]
    if found:
        connection.execute("BEGIN IMMEDIATE")
        try:
            for step in (f"DROP TABLE {table}", *steps):
                connection.execute(step)
            connection.execute("COMMIT")
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")


def incomplete_games(connection: sqlite3.Connection) -> Iterator[Damaged]:
    """Find games whose logs have gaps, or differ in length from the index."""
    with suppress(sqlite3.DatabaseError):  # an unreadable page is reported when it is needed
        for (game,) in connection.execute(_TORN):
            yield Damaged(str(game), None, "events are missing, or are too many")
