"""The tables in PostgreSQL, in a schema of their own, and how older ones become newer ones.

>>> len(MIGRATIONS)
1
"""

from __future__ import annotations

from typing import Any, Final

import psycopg

from .errors import StoreError

Line = psycopg.Connection[tuple[Any, ...]]

SCHEMA: Final = "catinthebox"
_ALONE: Final = 0x43424F58  # the advisory lock under which tables are changed

MIGRATIONS: Final = (
    (  # 1
        """CREATE TABLE games (
            game text COLLATE "C" PRIMARY KEY,
            last bigint NOT NULL,
            size bigint NOT NULL,
            state text COLLATE "C" NOT NULL DEFAULT '',
            summary text NOT NULL DEFAULT '',
            touched xid8 NOT NULL DEFAULT pg_current_xact_id()
        ) WITH (fillfactor = 70)""",  # room to update a row where it is
        "CREATE INDEX games_by_state ON games (state, game)",
        """CREATE TABLE events (
            game text COLLATE "C" NOT NULL,
            seq bigint NOT NULL CHECK (seq >= 1),
            event bytea NOT NULL,
            PRIMARY KEY (game, seq)
        )""",  # no foreign key: writers hold the row of the game, and it would cost a sixth
        """CREATE TABLE leases (
            key text COLLATE "C" PRIMARY KEY,
            due bigint,
            owner text COLLATE "C" NOT NULL,
            until bigint NOT NULL
        )""",
        "CREATE INDEX leases_by_due ON leases (due, key) WHERE due IS NOT NULL",
        """CREATE TABLE writers (
            writer text PRIMARY KEY,
            batch bigint NOT NULL,
            seen timestamptz NOT NULL DEFAULT now()
        ) WITH (fillfactor = 50)""",
    ),
)


def migrate(line: Line) -> None:
    """Bring the tables up to date, one process at a time: every step, or none."""
    with line.transaction():
        line.execute("SELECT pg_advisory_xact_lock(%s)", [_ALONE])
        line.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
        line.execute("CREATE TABLE IF NOT EXISTS migrations (version integer PRIMARY KEY)")
        found = version(line)
        for number, steps in enumerate(MIGRATIONS[found:], found + 1):
            for step in steps:
                line.execute(step)
            line.execute("INSERT INTO migrations VALUES (%s)", [number])
        line.execute("DELETE FROM writers WHERE seen < now() - interval '7 days'")


def version(line: Line) -> int:
    """Give the version of the tables; refuse those that are newer than this program."""
    row = line.execute("SELECT coalesce(max(version), 0) FROM migrations").fetchone()
    found, known = int(row[0]) if row else 0, len(MIGRATIONS)
    if found > known:
        raise StoreError(f"the data base has tables of version {found}; this program knows {known}")
    return found
