"""The tables in SQLite, and how an older file becomes a newer one.

>>> import sqlite3
>>> connection = sqlite3.connect(":memory:", isolation_level=None)
>>> migrate(connection, "example")
>>> connection.execute("PRAGMA user_version").fetchone()
(2,)
>>> connection.close()
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final

from .checksums import Head, extended, of_head
from .errors import Damaged, StoreError
from .protocol import About

MARK: Final = 0x43424F58  # "CBOX": the file says whose it is

# Of a page that makes no sense; of a row that should not be there, or should.
_MALFORMED: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CONSTRAINT)


def is_malformed(error: Exception) -> bool:
    """Say whether SQLite complains of what is in the file, and not of the disk or of us."""
    if isinstance(error, UnicodeDecodeError):  # it quotes a damaged text
        return True
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _MALFORMED


Step = str | Callable[[sqlite3.Connection], None]


def _add_checksums(line: sqlite3.Connection) -> None:
    """Compute the checksums of games that were written without."""
    for (game,) in line.execute("SELECT game FROM games").fetchall():
        try:
            _seal(line, game)
        except sqlite3.DatabaseError as error:
            if not is_malformed(error):  # a game of which a page cannot be read stays without
                raise


def _seal(line: sqlite3.Connection, game: str) -> None:
    """Compute the checksums of one game. One that has gaps gets none, and so is damaged."""
    entry = line.execute(_ENTRY, (game,)).fetchone()
    rows = line.execute("SELECT event FROM events WHERE game = ? ORDER BY seq", (game,))
    events = [event for (event,) in rows]
    last, state, summary = entry or (0, "", "")
    head, sealed = extended(game, Head(), events, About(state, summary))
    if head.last == last:
        line.executemany(_SEAL_EVENT, ((checksum, game, seq) for seq, _, checksum in sealed))
        line.execute(_SEAL_GAME, (head.size, head.checksum, of_head(game, head), game))


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
MIGRATIONS: Final[tuple[tuple[Step, ...], ...]] = (
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
)

COMPLAINTS: Final = 100  # of SQLite that are looked at
_UNSOUND: Final = re.compile(r"freelist|2nd reference|multiple uses", re.IGNORECASE)
_TORN: Final = """SELECT game FROM games WHERE last <> (
    SELECT count(*) FROM events WHERE events.game = games.game
) OR last <> (SELECT max(seq) FROM events WHERE events.game = games.game)"""


def migrate(connection: sqlite3.Connection, name: str) -> None:
    """Bring the tables up to date: every step, or none."""
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
    """Return the version of the tables; refuse what is not a store, or newer than this program."""
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
    """Let SQLite check its pages by a pragma: what is wrong with them."""
    try:
        rows = connection.execute(f"PRAGMA {check}").fetchall()
    except sqlite3.DatabaseError as error:
        return [str(error)]
    return [line for (text,) in rows for line in str(text).splitlines() if _says_something(line)]


def _says_something(line: str) -> bool:
    return line != "ok" and not line.startswith("***")  # "*** in database main ***"


def examine(connection: sqlite3.Connection, name: str) -> None:
    """Refuse a file that must not be written any more: others than the damaged games would suffer.

    SQLite notices a broken page when it reads it, and refuses what needs that page. But where it
    is wrong about which pages are free or whose they are, writing one game destroys another.
    """
    found = complaints(connection, f"quick_check({COMPLAINTS})")
    unsound = [line for line in found if _UNSOUND.search(line)]
    if unsound:
        raise StoreError(
            f"{name} is damaged: {unsound[0]}; to write it would harm more games. Restore a backup,"
            " or export the games that are whole and import them into a new file"
        )


def renew_leases(connection: sqlite3.Connection) -> None:
    """Make the table of leases anew if it is damaged: every table that is read plans again."""
    try:
        connection.execute("SELECT key, due, owner, until FROM leases LIMIT 1")
        found = complaints(connection, "integrity_check(leases)")
    except sqlite3.DatabaseError as error:
        found = [str(error)]
    if found:
        connection.execute("BEGIN IMMEDIATE")
        try:
            for step in ("DROP TABLE leases", *_LEASES):
                connection.execute(step)
            connection.execute("COMMIT")
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")


def torn(connection: sqlite3.Connection) -> Iterator[Damaged]:
    """Find the games whose logs have gaps, or another length than the index says."""
    with suppress(sqlite3.DatabaseError):  # a page that cannot be read is noticed when needed
        for (game,) in connection.execute(_TORN):
            yield Damaged(str(game), None, "events are missing, or are too many")
