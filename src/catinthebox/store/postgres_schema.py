"""The tables in PostgreSQL, in their own schema, and their migrations.

>>> len(MIGRATIONS)
3
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import psycopg

from .checksums import Head, extended, of_head
from .errors import StoreError, older
from .protocol import About

PostgresConnection = psycopg.Connection[tuple[Any, ...]]

SCHEMA: Final = "catinthebox"
_ALONE: Final = 0x43424F58  # the advisory lock under which tables are changed

PostgresStep = str | Callable[[PostgresConnection], None]


def _add_checksums(connection: PostgresConnection) -> None:
    """Add checksums to games that were written without them."""
    with connection.cursor("games") as games:
        games.execute("SELECT game, last, state, summary FROM games")
        for game, last, state, summary in games:
            _seal(connection, game, last, About(state, summary))


def _seal(connection: PostgresConnection, game: str, last: int, about: About) -> None:
    """Add checksums to one game; one with gaps gets none, and so counts as damaged."""
    rows = connection.execute("SELECT seq, event FROM events WHERE game = %s ORDER BY seq", [game])
    log: list[tuple[int, bytes]] = rows.fetchall()
    if [seq for seq, _ in log] == list(range(1, last + 1)):
        head, sealed = extended(game, Head(), [event for _, event in log], about)
        checksums = ",".join(str(checksum) for _, _, checksum in sealed)
        connection.execute(_SEAL_EVENTS, [checksums, game])
        connection.execute(_SEAL_GAME, [head.size, head.checksum, of_head(game, head), game])


_SEAL_EVENTS: Final = """UPDATE events SET checksum = new.checksum
FROM unnest(string_to_array(%s, ',')::bigint[]) WITH ORDINALITY AS new (checksum, seq)
WHERE events.game = %s AND events.seq = new.seq"""
_SEAL_GAME: Final = "UPDATE games SET size = %s, checksum = %s, seal = %s WHERE game = %s"

MIGRATIONS: Final[tuple[tuple[PostgresStep, ...], ...]] = (
    (  # 1
        """CREATE TABLE games (
            game text COLLATE "C" PRIMARY KEY,
            last bigint NOT NULL,
            size bigint NOT NULL,
            state text COLLATE "C" NOT NULL DEFAULT '',
            summary text NOT NULL DEFAULT '',
            touched xid8 NOT NULL DEFAULT pg_current_xact_id()
        ) WITH (fillfactor = 70)""",  # leaves room to update rows in place
        "CREATE INDEX games_by_state ON games (state, game)",
        """CREATE TABLE events (
            game text COLLATE "C" NOT NULL,
            seq bigint NOT NULL CHECK (seq >= 1),
            event bytea NOT NULL,
            PRIMARY KEY (game, seq)
        )""",  # no foreign key: writers lock the row of the game, and it would cost a sixth
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
    (  # 2: checksums (see `checksums.py`), and games that nobody may append to
        "ALTER TABLE games ADD COLUMN checksum bigint NOT NULL DEFAULT 0",
        "ALTER TABLE games ADD COLUMN seal bigint NOT NULL DEFAULT 0",
        "ALTER TABLE games ADD COLUMN damaged boolean NOT NULL DEFAULT false",
        "ALTER TABLE events ADD COLUMN checksum bigint NOT NULL DEFAULT 0",
        "CREATE INDEX games_damaged ON games (game) WHERE damaged",
        _add_checksums,
        # Programs of an older version that are still connected cannot write events without one.
        "ALTER TABLE events ALTER COLUMN checksum DROP DEFAULT",
    ),
    (  # 3: lists
        """CREATE TABLE entries (
            list text COLLATE "C" NOT NULL,
            key text COLLATE "C" NOT NULL,
            entry text NOT NULL,
            checksum bigint NOT NULL,
            PRIMARY KEY (list, key)
        )""",
    ),
)


def migrate(connection: PostgresConnection) -> None:
    """Migrate the tables, one process at a time, in one transaction."""
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", [_ALONE])
        connection.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
        connection.execute("CREATE TABLE IF NOT EXISTS migrations (version integer PRIMARY KEY)")
        found = version(connection)
        for number, steps in enumerate(MIGRATIONS[found:], found + 1):
            for step in steps:
                connection.execute(step) if isinstance(step, str) else step(connection)
            connection.execute("INSERT INTO migrations VALUES (%s)", [number])
        connection.execute("DELETE FROM writers WHERE seen < now() - interval '7 days'")


def readable(connection: PostgresConnection) -> None:
    """Raise an error if the tables need a migration, which only a writer can do."""
    if (found := version(connection)) < len(MIGRATIONS):
        raise StoreError(older(found, len(MIGRATIONS)))


def version(connection: PostgresConnection) -> int:
    """Return the version of the tables; raise an error if they are newer than this program."""
    row = connection.execute("SELECT coalesce(max(version), 0) FROM migrations").fetchone()
    found, known = int(row[0]) if row else 0, len(MIGRATIONS)
    if found > known:
        raise StoreError(f"the database has tables of version {found}; this program knows {known}")
    return found
