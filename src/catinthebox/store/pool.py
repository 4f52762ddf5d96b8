"""A pool of connections for reading, each used by one thread at a time.

>>> class Connection:
...     def close(self) -> None: print("closed")
>>> pool = Pool(Connection, size=1)
>>> with pool.use() as connection:
...     pass
>>> pool.close()
closed
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Condition
from typing import Final, Generic, Protocol, TypeVar

from .errors import Busy, StoreClosed

PATIENCE: Final = 30.0  # seconds to wait for a connection


class Closable(Protocol):
    """Anything that can be closed."""

    def close(self) -> None: ...  # noqa: D102


C = TypeVar("C", bound=Closable)


class Pool(Generic[C]):
    """At most `size` connections, opened when needed; one that had an error is not reused."""

    def __init__(self, connect: Callable[[], C], size: int = 4) -> None:
        self._connect = connect
        self._idle: list[C] = []
        self._free = size
        self._changed = Condition()
        self._closed = False

    @contextmanager
    def use(self) -> Iterator[C]:
        """Borrow a connection for the block."""
        connection = self._lend()
        try:
            yield connection
        except BaseException:
            self._back(connection, good=False)
            raise
        self._back(connection, good=True)

    def _lend(self) -> C:
        with self._changed:
            if not self._changed.wait_for(lambda: self._free or self._closed, PATIENCE):
                raise Busy("all connections are reading; try again later")
            if self._closed:
                raise StoreClosed("the store is closed")
            self._free -= 1
            if self._idle:
                return self._idle.pop()
        try:
            return self._connect()
        except BaseException:
            self._back(None, good=False)
            raise

    def _back(self, connection: C | None, *, good: bool) -> None:
        with self._changed:
            self._free += 1
            keep = good and not self._closed and connection is not None
            if keep and connection is not None:
                self._idle.append(connection)
            self._changed.notify()
        if connection is not None and not keep:
            connection.close()

    def drop(self) -> None:
        """Close idle connections, since the server is gone."""
        with self._changed:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def close(self) -> None:
        """Lend no more connections; those in use are closed when they come back."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self.drop()
