"""The SQL that both stores share, written once with named parameters.

>>> for_sqlite("SELECT last FROM games WHERE game = %(game)s")
'SELECT last FROM games WHERE game = :game'
"""

from __future__ import annotations

import re
from typing import Final

from .checksums import of_entry
from .protocol import FAR
from .requests import DropLists, Enter, Keyed, Lease, Plan, Release, Renew, Take

Values = dict[str, object]

_HEAD: Final = "checksum, last, size, state, summary, seal"  # as in `checksums.head_row`
READ: Final = f"""SELECT -1 AS seq, CAST(NULL AS bytea) AS event, {_HEAD}
FROM games WHERE game = %(game)s
UNION ALL SELECT * FROM (
    SELECT seq, event, checksum, CAST(NULL AS bigint), CAST(NULL AS bigint),
        CAST(NULL AS text), CAST(NULL AS text), CAST(NULL AS bigint)
    FROM events WHERE game = %(game)s AND seq >= %(after)s ORDER BY seq LIMIT %(limit)s
) AS log ORDER BY seq"""  # one statement, so that the game and its events are consistent
ONE: Final = f"SELECT game, {_HEAD} FROM games WHERE game = %(game)s"
GAMES: Final = f"""SELECT game, {_HEAD} FROM games
WHERE game > %(after)s ORDER BY game LIMIT %(limit)s"""
GAMES_OF: Final = f"""SELECT game, {_HEAD} FROM games
WHERE state = %(state)s AND game > %(after)s ORDER BY game LIMIT %(limit)s"""
STRAYS: Final = """SELECT game FROM (SELECT DISTINCT game FROM events) AS found
WHERE NOT EXISTS (SELECT 1 FROM games WHERE games.game = found.game) ORDER BY game"""
QUARANTINED: Final = "SELECT game FROM games WHERE damaged ORDER BY game"
QUARANTINE: Final = "UPDATE games SET damaged = %(damaged)s WHERE game = %(game)s"
EVERY_ID: Final = (  # different query plans, in case a page of one is unreadable
    "SELECT game FROM games ORDER BY game",
    "SELECT game FROM games ORDER BY game DESC",
    "SELECT DISTINCT game FROM events ORDER BY game",
    "SELECT DISTINCT game FROM events ORDER BY game DESC",
)
FREE: Final = """(due <= %(now)s OR due > %(far)s) AND (until <= %(now)s OR until > %(far)s)"""
DUE: Final = f"""SELECT key, due FROM leases
WHERE {FREE} ORDER BY due, key LIMIT %(limit)s"""

ENTRIES: Final = """SELECT key, entry, checksum FROM entries
WHERE list = %(name)s AND key > %(after)s ORDER BY key LIMIT %(limit)s"""

_PLAN: Final = """INSERT INTO leases (key, due, owner, until)
VALUES (%(key)s, %(due)s, '', %(never)s)
ON CONFLICT (key) DO UPDATE SET due = excluded.due, owner = '', until = excluded.until"""
_FORGET: Final = "DELETE FROM leases WHERE key = %(key)s"
_TAKE: Final = """INSERT INTO leases (key, owner, until) VALUES (%(key)s, %(owner)s, %(until)s)
ON CONFLICT (key) DO UPDATE SET owner = excluded.owner, until = excluded.until
WHERE leases.until <= %(now)s OR leases.until > %(far)s OR leases.owner = excluded.owner"""
_RENEW: Final = """UPDATE leases SET until = %(until)s
WHERE key = %(key)s AND owner = %(owner)s AND until > %(now)s"""
_DONE: Final = "DELETE FROM leases WHERE key = %(key)s AND owner = %(owner)s"
_AGAIN: Final = """UPDATE leases SET due = %(due)s, owner = '', until = %(never)s
WHERE key = %(key)s AND owner = %(owner)s"""
_ENTER: Final = """INSERT INTO entries (list, key, entry, checksum)
VALUES (%(name)s, %(key)s, %(entry)s, %(checksum)s) ON CONFLICT DO NOTHING"""
_DROP: Final = "DELETE FROM entries WHERE list < %(before)s"
_NEVER: Final = -(2**62)  # a time before all others: the lease is free


def for_sqlite(statement: str) -> str:
    """Convert the parameters to SQLite's notation."""
    return re.sub(r"%\((\w+)\)s", r":\1", statement)


def keyed(request: Keyed) -> tuple[str, Values]:
    """Return the statement for a request; it changes a row if the request succeeds."""
    match request:
        case Enter(name, key, entry):
            checksum = of_entry(name, key, entry)
            return _ENTER, {"name": name, "key": key, "entry": entry, "checksum": checksum}
        case DropLists(before):
            return _DROP, {"before": before}
    return _lease(request)


def _lease(request: Lease) -> tuple[str, Values]:
    match request:
        case Plan(key, None):
            return _FORGET, {"key": key}
        case Plan(key, due):
            return _PLAN, {"key": key, "due": due, "never": _NEVER}
        case Take(key, owner, until, now):
            return _TAKE, {"key": key, "owner": owner, "until": until, **moment(now)}
        case Renew(key, owner, until, now):
            return _RENEW, {"key": key, "owner": owner, "until": until, "now": now}
        case Release(key, owner, None):
            return _DONE, {"key": key, "owner": owner}
        case Release(key, owner, due):
            return _AGAIN, {"key": key, "owner": owner, "due": due, "never": _NEVER}


def moment(now: int) -> Values:
    """Return the parameters of a query for what is due or free at a time."""
    return {"now": now, "far": now + FAR}


def answer(request: Keyed, changed: int) -> bool | None:
    """Return the answer to a request by the number of rows that changed."""
    return None if isinstance(request, Plan | DropLists) else changed > 0
