"""Events in PostgreSQL, written and read by any number of processes.

Needs psycopg 3 (`pip install 'catinthebox[postgres]'`).

    with PostgresStore("postgresql://ada@db.example/games") as store:
        store.append("cheshire", 0, [b"sit down", b"deal"]).result()
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from threading import Lock
from typing import Final, TypeVar
from uuid import uuid4
from zlib import crc32

import psycopg

from . import statements
from .base import LogStore
from .checksums import Row
from .errors import Damaged, Malformed, StoreFailed
from .pool import Pool
from .postgres_connection import CORRUPTED, connect, hidden
from .postgres_listen import Listener
from .postgres_schema import PostgresConnection, migrate, readable
from .postgres_write import PATIENCE, PostgresWriter
from .protocol import Subscriber
from .requests import Append, Quarantine, StoreAnswer, StoreRequest
from .writer import Commit, Writer

T = TypeVar("T")
LISTEN_SECONDS: Final = 15.0
LANES: Final = 2


class PostgresStore(LogStore):
    """A store in PostgreSQL; writes fail after an outage of `patience` seconds."""

    shared = True

    def __init__(self, url: str, *, readonly: bool = False, patience: float = PATIENCE) -> None:
        super().__init__()
        self._url = url
        self._name = hidden(url)
        self._writers: list[PostgresWriter] = []
        self._lanes: list[Writer] = []
        self._listener: Listener | None = None
        self._starting = Lock()
        self._pool: Pool[PostgresConnection] = Pool(
            lambda: connect(url, "catinthebox reader", readonly=True)
        )
        try:
            self._translate_errors(self._check_version if readonly else self._prepare)
        except BaseException:
            self.close()
            raise
        if not readonly:
            self._writers = [PostgresWriter(url, uuid4().hex, patience) for _ in range(LANES)]
            self._lanes = [
                Writer(self._name, self._commit_with(writer)) for writer in self._writers
            ]
            self._review()

    def _commit_with(self, writer: PostgresWriter) -> Commit:
        """Return a commit function that also remembers the games found damaged."""

        def commit(requests: Sequence[StoreRequest]) -> Sequence[StoreAnswer]:
            answers = writer.commit(requests)
            for answer in answers:
                if isinstance(answer, Damaged):
                    self._found(answer)
            return answers

        return commit

    def _translate_errors(self, action: Callable[[], T]) -> T:
        try:
            return action()
        except psycopg.Error as error:
            raise self._failure(error) from error

    def _failure(self, error: psycopg.Error) -> StoreFailed:
        kind = Malformed if isinstance(error, CORRUPTED) else StoreFailed
        return kind(f"{self._name}: {str(error).strip()}", settled=True)

    def _check_version(self) -> None:
        with self._pool.use() as connection:
            readable(connection)

    def _prepare(self) -> None:
        with connect(self._url, "catinthebox migration") as connection:
            migrate(connection)

    def _lane(self, request: StoreRequest) -> Writer | None:
        """Pick a writer by game or lease, so that their requests keep their order.

        While one writer waits for the disk, the others work.
        """
        if not self._lanes:
            return None
        if isinstance(request, Append | Quarantine):
            name = request.game
        else:
            name = getattr(request, "key", "")
        return self._lanes[crc32(name.encode()) % len(self._lanes)]

    def close(self) -> None:
        """Write what was accepted, and close all connections."""
        for lane in self._lanes:
            lane.close()
        for writer in self._writers:
            writer.close()
        if self._listener is not None:
            self._listener.close()
        self._pool.close()

    def subscribe(self, callback: Subscriber) -> Callable[[], None]:
        """Call a function after every append of any process (see `Store.subscribe`)."""
        leave = super().subscribe(callback)
        with self._starting:
            if self._listener is None:
                self._listener = Listener(self._url, self._subscribers.notify)
        self._listener.wait(LISTEN_SECONDS)
        return leave

    def _rows(self, statement: str, values: statements.Values) -> list[Row]:
        def rows() -> list[Row]:
            with self._pool.use() as connection:
                return [*connection.execute(statement, values).fetchall()]

        try:
            return rows()
        except psycopg.OperationalError:  # perhaps an idle connection, and a restarted server
            self._pool.drop()
            return self._translate_errors(rows)
        except psycopg.Error as error:
            raise self._failure(error) from error

    def _readable(self, statement: str) -> Iterator[Row]:
        rows: list[Row] = []
        with suppress(Malformed):
            rows = self._rows(statement, {})
        return iter(rows)

    def engine_problems(self) -> list[str]:
        """Return nothing: the server checks its pages itself (`data_checksums`)."""
        return []
