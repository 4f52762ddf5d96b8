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
from .postgres_schema import Line, migrate, readable
from .postgres_write import PATIENCE, PostgresWriter
from .protocol import Told
from .requests import Answer, Append, Quarantine, Request
from .writer import Commit, Writer

T = TypeVar("T")
LISTEN_SECONDS: Final = 15.0
LANES: Final = 2


class PostgresStore(LogStore):
    """A store in a database. `patience` is how long, in seconds, it may be away unnoticed."""

    shared = True

    def __init__(self, url: str, *, readonly: bool = False, patience: float = PATIENCE) -> None:
        super().__init__()
        self._url = url
        self._name = hidden(url)
        self._scribes: list[PostgresWriter] = []
        self._lanes: list[Writer] = []
        self._listener: Listener | None = None
        self._starting = Lock()
        self._pool: Pool[Line] = Pool(lambda: connect(url, "catinthebox reader", readonly=True))
        try:
            self._said_clearly(self._look if readonly else self._prepare)
        except BaseException:
            self.close()
            raise
        if not readonly:
            self._scribes = [PostgresWriter(url, uuid4().hex, patience) for _ in range(LANES)]
            self._lanes = [Writer(self._name, self._noting(scribe)) for scribe in self._scribes]
            self._review()

    def _noting(self, scribe: PostgresWriter) -> Commit:
        """Let a writer commit, and remember the games that it found damaged."""

        def commit(requests: Sequence[Request]) -> Sequence[Answer]:
            answers = scribe.commit(requests)
            for answer in answers:
                if isinstance(answer, Damaged):
                    self._found(answer)
            return answers

        return commit

    def _said_clearly(self, action: Callable[[], T]) -> T:
        try:
            return action()
        except psycopg.Error as error:
            raise self._failure(error) from error

    def _failure(self, error: psycopg.Error) -> StoreFailed:
        kind = Malformed if isinstance(error, CORRUPTED) else StoreFailed
        return kind(f"{self._name}: {str(error).strip()}", settled=True)

    def _look(self) -> None:
        with self._pool.use() as line:
            readable(line)

    def _prepare(self) -> None:
        with connect(self._url, "catinthebox migration") as line:
            migrate(line)

    def _lane(self, request: Request) -> Writer | None:
        """Pick a lane: one for each game and each lease, so that their requests keep their order.

        While one lane waits for the disk, the other ones work.
        """
        if not self._lanes:
            return None
        if isinstance(request, Append | Quarantine):
            name = request.game
        else:
            name = getattr(request, "key", "")
        return self._lanes[crc32(name.encode()) % len(self._lanes)]

    def close(self) -> None:
        """Write what was accepted, and hang up."""
        for lane in self._lanes:
            lane.close()
        for scribe in self._scribes:
            scribe.close()
        if self._listener is not None:
            self._listener.close()
        self._pool.close()

    def subscribe(self, told: Told) -> Callable[[], None]:
        """Be told of every append by any process (see `Store.subscribe`)."""
        leave = super().subscribe(told)
        with self._starting:
            if self._listener is None:
                self._listener = Listener(self._url, self._subscribers.tell)
        self._listener.wait(LISTEN_SECONDS)
        return leave

    def _rows(self, statement: str, values: statements.Values) -> list[Row]:
        def rows() -> list[Row]:
            with self._pool.use() as line:
                return [*line.execute(statement, values).fetchall()]

        try:
            return rows()
        except psycopg.OperationalError:  # idle lines may be of a server that was restarted
            self._pool.drop()
            return self._said_clearly(rows)
        except psycopg.Error as error:
            raise self._failure(error) from error

    def _readable(self, statement: str) -> Iterator[Row]:
        rows: list[Row] = []
        with suppress(Malformed):
            rows = self._rows(statement, {})
        return iter(rows)

    def engine_problems(self) -> list[str]:
        """Leave it to the server, which has checksums of its own (`data_checksums`)."""
        return []
