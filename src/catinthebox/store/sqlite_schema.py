"""The tables in SQLite, and how an older file becomes a newer one.

>>> import sqlite3
>>> connection = sqlite3.connect(":memory:", isolation_level=None)
>>> migrate(connection, "example")
>>> connection.execute("PRAGMA user_version").fetchone()
(1,)
>>> connection.close()
"""

from __future__ import annotations

import sqlite3
from typing import Final

from .errors import StoreError

MARK: Final = 0x43424F58  # "CBOX": the file says whose it is

MIGRATIONS: Final = (
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
        """CREATE TABLE leases (
            key TEXT PRIMARY KEY,
            due INTEGER,
            owner TEXT NOT NULL,
            until INTEGER NOT NULL
        ) WITHOUT ROWID""",
        "CREATE INDEX leases_by_due ON leases (due, key) WHERE due IS NOT NULL",
        "CREATE TABLE writer (batch INTEGER NOT NULL)",  # one row: the number of the last commit
        "INSERT INTO writer VALUES (0)",
    ),
)

_TORN: Final = """SELECT game FROM games WHERE last <> (
    SELECT count(*) FROM events WHERE events.game = games.game
) OR last <> (SELECT max(seq) FROM events WHERE events.game = games.game) LIMIT 1"""
_STRAY: Final = "SELECT game FROM events WHERE game NOT IN (SELECT game FROM games) LIMIT 1"


def migrate(connection: sqlite3.Connection, name: str) -> None:
    """Bring the tables up to date: every step, or none."""
    if version(connection, name) == len(MIGRATIONS):
        return
    connection.execute("BEGIN EXCLUSIVE")
    try:
        for steps in MIGRATIONS[version(connection, name) :]:
            for step in steps:
                connection.execute(step)
        connection.execute(f"PRAGMA application_id = {MARK}")
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def version(connection: sqlite3.Connection, name: str) -> int:
    """Give the version of the tables; refuse what is not a store, or newer than this program."""
    (mark,) = connection.execute("PRAGMA application_id").fetchone()
    (found,) = connection.execute("PRAGMA user_version").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if mark != MARK and (mark or found or tables):
        raise StoreError(f"{name} is a data base of another program")
    if found > len(MIGRATIONS):
        raise StoreError(
            f"{name} has tables of version {found}; this program knows {len(MIGRATIONS)}"
        )
    return int(found)


def examine(connection: sqlite3.Connection, name: str) -> None:
    """Refuse a damaged file: its pages, and logs that have gaps."""
    (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        raise StoreError(f"{name} is damaged: {verdict}; restore a backup")
    for question in (_TORN, _STRAY):
        if row := connection.execute(question).fetchone():
            raise StoreError(f"{name} is damaged: the log of {row[0]} has gaps; restore a backup")
