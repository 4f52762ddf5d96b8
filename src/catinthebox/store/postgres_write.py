"""Writes a batch of requests in one transaction, and recovers from lost connections.

It takes two round trips: the first locks the games (in order, so that writers never deadlock) and
reads their heads; the second writes and commits. The first one also stores the number of the batch
in this writer's row of `writers`. If the connection is lost after the COMMIT was sent, that row
shows whether it was carried out: reading it waits for the end of the old transaction, which has
locked the row.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import accumulate
from typing import Final, cast

import psycopg
from psycopg.pq import TransactionStatus

from . import statements
from .checksums import Head, Row, extended, of_head, verified_head
from .errors import Damaged, Malformed, StoreFailed
from .postgres_connection import CORRUPTED, RETRY_AT_ONCE, connect
from .postgres_schema import PostgresConnection
from .requests import (
    Append,
    Claim,
    Keyed,
    Plan,
    Probe,
    Quarantine,
    StoreAnswer,
    StoreRequest,
    check_append,
)
from .writer import isolated

CHANNEL: Final = "catinthebox"
PAYLOAD: Final = 7900  # bytes; PostgreSQL takes less than 8000
PATIENCE: Final = 30.0  # seconds for the database to come back before a batch fails

_NUMBER: Final = """INSERT INTO writers (writer, batch) VALUES (%s, %s)
ON CONFLICT (writer) DO UPDATE SET batch = excluded.batch, seen = now()"""
_ASK: Final = """INSERT INTO writers (writer, batch) VALUES (%s, 0)
ON CONFLICT (writer) DO UPDATE SET seen = now() RETURNING batch"""
_END: Final = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = %s"
# Columns are sent as one text, joined by commas: three times as fast as psycopg's lists, and ids
# and numbers have no commas. Events are sent as one string of bytes with their offsets.
_CREATE: Final = """INSERT INTO games (game, last, size)
SELECT game, 0, 0 FROM unnest(string_to_array(%s, ',')) AS game ORDER BY game COLLATE "C"
ON CONFLICT DO NOTHING"""
_HEADS: Final = """SELECT game, damaged, checksum, last, size, state, summary, seal FROM games
WHERE game = ANY(string_to_array(%s, ',')) ORDER BY game FOR UPDATE"""
_GROW: Final = """UPDATE games SET last = new.last, size = new.size, checksum = new.checksum,
    seal = new.seal, touched = pg_current_xact_id()
FROM unnest(string_to_array(%s, ','), string_to_array(%s, ',')::bigint[],
    string_to_array(%s, ',')::bigint[], string_to_array(%s, ',')::bigint[],
    string_to_array(%s, ',')::bigint[]) AS new (game, last, size, checksum, seal)
WHERE games.game = new.game"""
_ABOUT: Final = "UPDATE games SET state = %s, summary = %s WHERE game = %s"
_EVENTS: Final = """INSERT INTO events (game, seq, event, checksum)
SELECT game, seq, substring(%b::bytea FROM place FOR length), checksum
FROM unnest(string_to_array(%s, ','), string_to_array(%s, ',')::bigint[],
    string_to_array(%s, ',')::bigint[], string_to_array(%s, ',')::int[],
    string_to_array(%s, ',')::int[])
AS new (game, seq, checksum, place, length)"""
_CLAIM: Final = f"""WITH free AS MATERIALIZED (
    SELECT key FROM leases WHERE {statements.FREE}
    ORDER BY due, key LIMIT %(limit)s FOR UPDATE SKIP LOCKED
) UPDATE leases SET owner = %(owner)s, until = %(until)s FROM free WHERE leases.key = free.key
RETURNING leases.due, leases.key"""
_NOTIFY: Final = "SELECT pg_notify(%s, %s)"


Grown = tuple[str, int, int, int, int]
"""A game with its new end: last, size, checksum, seal."""


class PostgresBatch:
    """The result of a batch: an answer for each append, and the rows to write."""

    def __init__(self, found: Iterable[Row]) -> None:
        self._damaged: dict[str, Damaged] = {}
        self._before: dict[str, Head] = {}
        for row in found:
            self._enter(cast("str", row[0]), row[1], row[2:])
        self._heads = dict(self._before)
        self.rows: list[tuple[str, int, bytes, int]] = []
        self.abouts: list[tuple[str, str, str]] = []
        self.plans: list[Plan] = []

    def _enter(self, game: str, damaged: object, row: Row) -> None:
        """Read the row of a game; a new one has no checksum yet."""
        try:
            if damaged:
                raise Damaged(game, None, "it is in quarantine")
            self._before[game] = verified_head(game, row) if row[1] else Head()
        except Damaged as damage:
            self._damaged[game] = damage

    def append(self, append: Append) -> StoreAnswer:
        """Decide on an append, after those before it in the batch."""
        game = append.game
        if game in self._damaged:
            return self._damaged[game]
        head = self._heads.get(game, Head())
        if refusal := check_append(head, append):
            return refusal
        self._heads[game], rows = extended(game, head, append.events, append.about)
        self.rows += [(game, *row) for row in rows]
        if append.about is not None:
            self.abouts.append((*append.about, game))
        self.plans += [Plan(key, due) for key, due in append.plans]
        return self._heads[game].last

    def grown(self) -> list[Grown]:
        """Return the games that have new events, with their new heads."""
        before = self._before.get
        return [
            (game, head.last, head.size, head.checksum, of_head(game, head))
            for game, head in self._heads.items()
            if before(game) != head
        ]


class PostgresWriter:
    """A writer's connection, which reconnects after an outage of the database."""

    def __init__(self, url: str, writer: str, patience: float = PATIENCE) -> None:
        self._url = url
        self._writer = writer
        self._name = f"catinthebox {writer}"
        self._patience = patience
        self._connection: PostgresConnection | None = None
        self._batch = 0

    def commit(self, requests: Sequence[StoreRequest]) -> Sequence[StoreAnswer]:
        """Carry a batch out exactly once, or raise an error."""
        return isolated(requests, self._transaction)

    def _transaction(self, requests: Sequence[StoreRequest]) -> Sequence[StoreAnswer]:
        self._batch += 1
        deadline, pause = time.monotonic() + self._patience, 0.05
        answers: Sequence[StoreAnswer] | None = None  # set once the COMMIT may have been sent
        while True:
            try:
                if answers is not None and self._committed():
                    return answers
                answers = None
                connection = self._connected()
                batch, judged = self._begin(connection, requests)
                answers = judged
                return self._finish(connection, batch, requests, judged)
            except CORRUPTED as error:
                self._disconnect()
                raise Malformed(f"PostgreSQL: {str(error).strip()}", settled=True) from error
            except psycopg.Error as error:
                refused = self._refused()
                answers = None if refused else answers
                again = not refused or isinstance(error, RETRY_AT_ONCE)
                if not again or time.monotonic() + pause > deadline:
                    raise StoreFailed(
                        f"PostgreSQL: {str(error).strip()}", settled=answers is None
                    ) from error
            time.sleep(pause)
            pause = min(2 * pause, 1.0)

    def close(self) -> None:
        """Delete this writer's row, if the database can be reached, and disconnect."""
        if self._connection is not None:
            with suppress(psycopg.Error):
                self._connection.execute("DELETE FROM writers WHERE writer = %s", [self._writer])
            self._connection.close()

    # ── Connection ───────────────────────────────────────────────────────────────────────────

    def _connected(self) -> PostgresConnection:
        if self._connection is None or self._connection.closed:
            self._connection = connect(self._url, self._name)
        return self._connection

    def _refused(self) -> bool:
        """Whether the server reported that the transaction failed; disconnects otherwise.

        Only then is it certain, because the session with the failed transaction still exists.
        """
        connection = self._connection
        if connection is None or connection.info.transaction_status != TransactionStatus.INERROR:
            self._disconnect()
            return False
        try:
            connection.rollback()
        except psycopg.Error:
            self._disconnect()
        return True

    def _disconnect(self) -> None:
        if self._connection is not None:
            with suppress(psycopg.Error):
                self._connection.close()
        self._connection = None

    def _committed(self) -> bool:
        """Whether the batch was committed before the connection was lost; ends the old session."""
        connection = connect(self._url, f"{self._name} again")
        with connection:
            connection.execute(_END, [self._name])
            row = connection.execute(_ASK, [self._writer]).fetchone()
        return bool(row and row[0] == self._batch)

    # ── The two round trips ──────────────────────────────────────────────────────────────────

    def _begin(
        self, connection: PostgresConnection, requests: Sequence[StoreRequest]
    ) -> tuple[PostgresBatch, list[StoreAnswer]]:
        appends = [each for each in requests if isinstance(each, Append)]
        new = sorted({append.game for append in appends if append.expected == 0})
        marked = {each.game for each in requests if isinstance(each, Quarantine)}
        games = sorted({append.game for append in appends} | marked)
        with connection.pipeline():
            connection.execute("BEGIN")
            connection.execute(_NUMBER, [self._writer, self._batch])
            if new:
                connection.execute(_CREATE, [joined(new)])
            found = connection.execute(_HEADS, [joined(games)])
        batch = PostgresBatch(found.fetchall())
        judged = [batch.append(each) if isinstance(each, Append) else None for each in requests]
        return batch, judged

    def _finish(
        self,
        connection: PostgresConnection,
        batch: PostgresBatch,
        requests: Sequence[StoreRequest],
        answers: list[StoreAnswer],
    ) -> Sequence[StoreAnswer]:
        with connection.pipeline():
            grown = batch.grown()
            _write(connection, batch, grown)
            for mark in requests:
                if isinstance(mark, Quarantine):
                    values = {"game": mark.game, "damaged": not mark.lifted}
                    connection.execute(statements.QUARANTINE, values)
            cursors = list(_keyed(connection, batch, requests))
            for payload in payloads(row[:2] for row in grown):
                connection.execute(_NOTIFY, [CHANNEL, payload])
            connection.execute("COMMIT")
        for place, cursor in cursors:
            answers[place] = _answer(requests[place], cursor)
        return answers


def _write(connection: PostgresConnection, batch: PostgresBatch, grown: Sequence[Grown]) -> None:
    if grown:
        connection.execute(_GROW, [joined(column) for column in zip(*grown, strict=True)])
        games, seqs, events, checksums = zip(*batch.rows, strict=True)
        lengths = list(map(len, events))
        places = accumulate(lengths[:-1], initial=1)
        columns = map(joined, (games, seqs, checksums, places, lengths))
        connection.execute(_EVENTS, [b"".join(events), *columns])
    for about in batch.abouts:
        connection.execute(_ABOUT, about)


Cursor = psycopg.Cursor[tuple[object, ...]]


def _keyed(
    connection: PostgresConnection, batch: PostgresBatch, requests: Sequence[StoreRequest]
) -> Iterator[tuple[int, Cursor]]:
    """Write plans, leases and entries in the order of their keys, so that writers never deadlock.

    Claims come last, and skip rows that others have locked.
    """
    keyed: list[tuple[int, Keyed]] = [(-1, plan) for plan in batch.plans]
    unkeyed = Append | Claim | Probe | Quarantine
    keyed += [(n, each) for n, each in enumerate(requests) if not isinstance(each, unkeyed)]
    for place, request in sorted(keyed, key=lambda pair: pair[1].key):
        cursor = connection.execute(*statements.keyed(request))
        if place >= 0:
            yield place, cursor
    for place, each in enumerate(requests):
        if isinstance(each, Claim):
            values = {"owner": each.owner, "until": each.until, "limit": each.limit}
            yield place, connection.execute(_CLAIM, values | statements.moment(each.now))


def _answer(request: StoreRequest, cursor: Cursor) -> StoreAnswer:
    if isinstance(request, Claim):
        rows = cast("Iterable[tuple[int, str]]", cursor.fetchall())
        return [key for _, key in sorted(rows)]
    assert not isinstance(request, Append | Probe | Quarantine)
    return statements.answer(request, cursor.rowcount)


def joined(column: Iterable[object]) -> str:
    """Join a column of ids or numbers.

    >>> joined([3, 4, 5])
    '3,4,5'
    """
    return ",".join(map(str, column))


def payloads(grown: Iterable[tuple[str, int]]) -> Iterator[str]:
    """Write which games grew, in as few notifications as possible.

    >>> list(payloads([("cheshire", 7), ("tabby", 2)]))
    ['cheshire 7,tabby 2']
    """
    note = ""
    for game, last in grown:
        word = f"{game} {last}"
        if note and len(note) + 1 + len(word) > PAYLOAD:
            yield note
            note = ""
        note = f"{note},{word}" if note else word
    if note:
        yield note
