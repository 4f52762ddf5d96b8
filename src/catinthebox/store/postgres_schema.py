"""The tables in PostgreSQL, in a schema of their own, and how older ones become newer ones.

>>> len(MIGRATIONS)
2
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import psycopg

from .checksums import Head, extended, of_head
from .errors import StoreError, older
from .protocol import About

Line = psycopg.Connection[tuple[Any, ...]]

SCHEMA: Final = "catinthebox"
_ALONE: Final = 0x43424F58  # the advisory lock under which tables are changed

Step = str | Callable[[Line], None]


def _add_checksums(line: Line) -> None:
    """Compute the checksums of games that were written without."""
    with line.cursor("games") as games:
        games.execute("SELECT game, last, state, summary FROM games")
        for game, last, state, summary in games:
            _seal(line, game, last, About(state, summary))


def _seal(line: Line, game: str, last: int, about: About) -> None:
    """Compute the checksums of one game. One that has gaps gets none, and so is damaged."""
    rows = line.execute("SELECT seq, event FROM events WHERE game = %s ORDER BY seq", [game])
    log: list[tuple[int, bytes]] = rows.fetchall()
    if [seq for seq, _ in log] == list(range(1, last + 1)):
        head, sealed = extended(game, Head(), [event for _, event in log], about)
        checksums = ",".join(str(checksum) for _, _, checksum in sealed)
        line.execute(_SEAL_EVENTS, [checksums, game])
        line.execute(_SEAL_GAME, [head.size, head.checksum, of_head(game, head), game])


_SEAL_EVENTS: Final = """UPDATE events SET checksum = new.checksum
FROM unnest(string_to_array(%s, ',')::bigint[]) WITH ORDINALITY AS new (checksum, seq)
WHERE events.game = %s AND events.seq = new.seq"""
_SEAL_GAME: Final = "UPDATE games SET size = %s, checksum = %s, seal = %s WHERE game = %s"

MIGRATIONS: Final[tuple[tuple[Step, ...], ...]] = (
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
    (  # 2: checksums (see `checksums.py`), and games that nobody may append to
        "ALTER TABLE games ADD COLUMN checksum bigint NOT NULL DEFAULT 0",
        "ALTER TABLE games ADD COLUMN seal bigint NOT NULL DEFAULT 0",
        "ALTER TABLE games ADD COLUMN damaged boolean NOT NULL DEFAULT false",
        "ALTER TABLE events ADD COLUMN checksum bigint NOT NULL DEFAULT 0",
        "CREATE INDEX games_damaged ON games (game) WHERE damaged",
        _add_checksums,
        # Older programs that are still connected are refused, and write no event without one.
        "ALTER TABLE events ALTER COLUMN checksum DROP DEFAULT",
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
                line.execute(step) if isinstance(step, str) else step(line)
            line.execute("INSERT INTO migrations VALUES (%s)", [number])
        line.execute("DELETE FROM writers WHERE seen < now() - interval '7 days'")


def readable(line: Line) -> None:
    """Refuse tables that only a writer can bring up to date."""
    if (found := version(line)) < len(MIGRATIONS):
        raise StoreError(older(found, len(MIGRATIONS)))


def version(line: Line) -> int:
    """Return the version of the tables; refuse those that are newer than this program."""
    row = line.execute("SELECT coalesce(max(version), 0) FROM migrations").fetchone()
    found, known = int(row[0]) if row else 0, len(MIGRATIONS)
    if found > known:
        raise StoreError(f"the database has tables of version {found}; this program knows {known}")
    return found
