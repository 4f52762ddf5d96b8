"""Being told of every commit, by whichever process, and catching up after a broken line.

Notes come in the order of the commits. While the line was broken some were missed; every game
remembers the transaction that touched it last, so that those touched since the last mark can be
found. A mark is the oldest transaction that was not finished at some moment. It counts once the
next one has come over the same line, for by then the notes of all that was finished have come, too.

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
from .postgres_schema import Line
from .postgres_write import CHANNEL

GLANCE: Final = 0.25  # seconds between looks at whether the store is being closed
HEARTBEAT: Final = 5.0  # seconds between marks
REMEMBERED: Final = 50_000  # games whose last told number is known
_LOG: Final = logging.getLogger(__name__)

_MARK: Final = "SELECT pg_snapshot_xmin(pg_current_snapshot())::text"
_MISSED: Final = "SELECT game, last FROM games WHERE touched >= %s::xid8 ORDER BY touched, game"

Tell = Callable[[Iterable[tuple[str, int]]], None]


class Listener:
    """A thread with a connection of its own."""

    def __init__(self, url: str, tell: Tell) -> None:
        self._url = url
        self._tell = tell
        self._told: dict[str, int] = {}
        self._told_before: str | None = None  # the mark before which everything was told
        self._mark: str | None = None  # the next one
        self._listening, self._closing = Event(), Event()
        self._thread = Thread(target=self._run, name="store listener", daemon=True)
        self._thread.start()

    def wait(self, seconds: float) -> None:
        """Wait until notes arrive here for sure."""
        if not self._listening.wait(seconds):
            raise StoreFailed("PostgreSQL does not answer; nothing can be told", settled=True)

    def close(self) -> None:
        """Stop telling."""
        self._closing.set()
        self._thread.join()

    def _run(self) -> None:
        pause = 0.05
        while not self._closing.is_set():
            try:
                with connect(self._url, "catinthebox listener", readonly=True) as line:
                    self._start(line)
                    pause = 0.05
                    self._listen(line)
            except psycopg.Error as error:
                _LOG.warning("the listener lost PostgreSQL: %s", str(error).strip())
                self._closing.wait(pause)
                pause = min(2 * pause, 1.0)

    def _start(self, line: Line) -> None:
        """Listen, mark, look for what was missed: in this order nothing falls between."""
        line.execute(f"LISTEN {CHANNEL}")
        mark = _marked(line)
        if self._told_before is not None:
            rows = line.execute(_MISSED, [self._told_before]).fetchall()
            self._pass_on(cast("Iterable[tuple[str, int]]", rows))
        self._told_before, self._mark = mark, None
        self._listening.set()

    def _listen(self, line: Line) -> None:
        marked = time.monotonic()
        while not self._closing.is_set():
            for note in line.notifies(timeout=GLANCE):
                self._pass_on(parsed(note.payload))
            if time.monotonic() - marked > HEARTBEAT:
                mark = _marked(line)
                self._told_before, self._mark = self._mark or self._told_before, mark
                marked = time.monotonic()

    def _pass_on(self, news: Iterable[tuple[str, int]]) -> None:
        """Tell what is new: numbers of a game only grow, also when a note comes late."""
        fresh = []
        for game, seq in news:
            known = self._told.pop(game, 0)  # put back at the end: the last touched are remembered
            self._told[game] = max(seq, known)
            if seq > known:
                fresh.append((game, seq))
        while len(self._told) > REMEMBERED:
            del self._told[next(iter(self._told))]
        self._tell(fresh)


def _marked(line: Line) -> str | None:
    row = line.execute(_MARK).fetchone()
    return row[0] if row else None


def parsed(payload: str) -> Iterator[tuple[str, int]]:
    """Read a note; what is not ours says nothing."""
    for word in payload.split(","):
        game, _, seq = word.partition(" ")
        if game and seq.isdecimal():
            yield game, int(seq)
