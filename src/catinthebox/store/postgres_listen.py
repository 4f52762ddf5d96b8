"""Listens for commits of all processes, and catches up after a lost connection.

Notifications come in the order of the commits. Some are missed while the connection is lost; every
game stores the transaction that changed it last, so those changed since the last mark can be found.
A mark is the oldest transaction that was unfinished at some moment. It becomes valid when the next
mark has come over the same connection: by then all notifications of finished ones have come, too.

>>> list(parsed("cheshire 7,tabby 2"))
[('cheshire', 7), ('tabby', 2)]
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Iterator
from threading import Event, Thread
from typing import Final, cast

import psycopg

from .errors import StoreFailed
from .postgres_connection import connect
from .postgres_schema import PostgresConnection
from .postgres_write import CHANNEL

GLANCE: Final = 0.25  # seconds between checks for the closing of the store
HEARTBEAT: Final = 5.0  # seconds between marks
REMEMBERED: Final = 50_000  # games whose last announced number is remembered
_LOG: Final = logging.getLogger(__name__)

_MARK: Final = "SELECT pg_snapshot_xmin(pg_current_snapshot())::text"
_MISSED: Final = "SELECT game, last FROM games WHERE touched >= %s::xid8 ORDER BY touched, game"

Notify = Callable[[Iterable[tuple[str, int]]], None]


class Listener:
    """A thread with its own connection that passes notifications on."""

    def __init__(self, url: str, notify: Notify) -> None:
        self._url = url
        self._notify = notify
        self._sent: dict[str, int] = {}
        self._caught_up: str | None = None  # the mark before which everything was announced
        self._mark: str | None = None  # the next mark
        self._listening, self._closing = Event(), Event()
        self._thread = Thread(target=self._run, name="store listener", daemon=True)
        self._thread.start()

    def wait(self, seconds: float) -> None:
        """Wait until the listener is connected."""
        if not self._listening.wait(seconds):
            raise StoreFailed(
                "PostgreSQL does not answer; its commits cannot be followed", settled=True
            )

    def close(self) -> None:
        """Stop the thread."""
        self._closing.set()
        self._thread.join()

    def _run(self) -> None:
        pause = 0.05
        while not self._closing.is_set():
            try:
                with connect(self._url, "catinthebox listener", readonly=True) as connection:
                    self._start(connection)
                    pause = 0.05
                    self._listen(connection)
            except psycopg.Error as error:
                _LOG.warning("the listener lost PostgreSQL: %s", str(error).strip())
                self._closing.wait(pause)
                pause = min(2 * pause, 1.0)

    def _start(self, connection: PostgresConnection) -> None:
        """Listen, set a mark, then look for missed commits: in this order none is lost."""
        connection.execute(f"LISTEN {CHANNEL}")
        mark = _marked(connection)
        if self._caught_up is not None:
            rows = connection.execute(_MISSED, [self._caught_up]).fetchall()
            self._pass_on(cast("Iterable[tuple[str, int]]", rows))
        self._caught_up, self._mark = mark, None
        self._listening.set()

    def _listen(self, connection: PostgresConnection) -> None:
        marked = time.monotonic()
        while not self._closing.is_set():
            for note in connection.notifies(timeout=GLANCE):
                self._pass_on(parsed(note.payload))
            if time.monotonic() - marked > HEARTBEAT:
                mark = _marked(connection)
                self._caught_up, self._mark = self._mark or self._caught_up, mark
                marked = time.monotonic()

    def _pass_on(self, news: Iterable[tuple[str, int]]) -> None:
        """Pass on what is new; late notifications are dropped, since numbers only grow."""
        fresh = []
        for game, seq in news:
            known = self._sent.pop(game, 0)  # moved to the end: the most recent are remembered
            self._sent[game] = max(seq, known)
            if seq > known:
                fresh.append((game, seq))
        while len(self._sent) > REMEMBERED:
            del self._sent[next(iter(self._sent))]
        self._notify(fresh)


def _marked(connection: PostgresConnection) -> str | None:
    row = connection.execute(_MARK).fetchone()
    return row[0] if row else None


def parsed(payload: str) -> Iterator[tuple[str, int]]:
    """Read a notification; foreign ones are ignored."""
    for word in payload.split(","):
        game, _, seq = word.partition(" ")
        if game and seq.isdecimal():
            yield game, int(seq)
