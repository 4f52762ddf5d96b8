"""A process that is killed under load: whatever it was told is there, once and in order."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from random import Random
from uuid import uuid4

import pytest
from store.cluster import start
from waiting import line_of

from catinthebox.store import Store, open_store

pytestmark = pytest.mark.timing

KILLS = 20
CHILD = """
import sys
from catinthebox.store import open_store
store = open_store(sys.argv[1])
life = sys.argv[2]

def go(game, last):
    def landed(future):
        # told as soon as it is acknowledged, one write per line
        sys.stdout.write(f"{game} {future.result()}\\n")
        sys.stdout.flush()
        go(game, future.result())
    event = f"{game} {last + 1} of life {life}".encode()
    store.append(game, last, [event]).add_done_callback(landed)

for n in range(20):
    go(f"game{n}", store.last(f"game{n}"))
print("ready", flush=True)
import time
time.sleep(600)
"""


def live_and_die(where: str, life: int, lines: int) -> dict[str, int]:
    """Start a writer, kill it after some lines; return the last number that each game was told."""
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, where, str(life)], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    with child, child.stdout as pipe:
        said = [line_of(child) for _ in range(lines)]
        child.kill()
        said += pipe.read().splitlines(keepends=True)
    notified: dict[str, int] = {}
    for line in said:
        if match := re.fullmatch(r"(game\d+) (\d+)\n", line):  # the last line may be torn
            notified[match[1]] = int(match[2])
    return notified


def check(store: Store, notified: dict[str, int]) -> None:
    """Everything that was told is there; every event is the one of its number."""
    for game, last in notified.items():
        events = store.read(game)
        assert len(events) >= last, f"{game}: told {last}, found {len(events)}"
        for number, (seq, event) in enumerate(events, 1):
            assert seq == number
            assert event.startswith(f"{game} {number} of life ".encode())


@pytest.mark.process
def test_sqlite_survives_kills(sqlite_path: Path) -> None:
    """Twenty times in a row on the same file."""
    rng = Random(3)
    notified: dict[str, int] = defaultdict(int)
    for life in range(KILLS):
        notified |= live_and_die(str(sqlite_path), life, rng.randint(1, 200))
        with open_store(sqlite_path, readonly=True) as store:
            check(store, notified)
    with open_store(sqlite_path) as store:  # which also examines the whole file
        check(store, notified)
    assert len(notified) == 20
    assert sum(notified.values()) > 20 * KILLS


def test_postgres_survives_kills_of_writers(postgres_url: str) -> None:
    """The server lives, the process dies; what it had sent is there whole or not at all."""
    rng = Random(4)
    notified: dict[str, int] = defaultdict(int)
    with open_store(postgres_url) as store:
        for life in range(5):
            notified |= live_and_die(postgres_url, life, rng.randint(1, 200))
            check(store, notified)
    assert sum(notified.values()) > 20


@pytest.mark.process
def test_postgres_survives_its_own_crash() -> None:
    """The server goes down without a checkpoint under load and comes back; the store goes on."""
    cluster = start(f"crash-{uuid4().hex[:8]}")
    last: dict[str, int] = {}
    try:
        with open_store(cluster.url) as store:
            futures = {f"game{n}": store.append(f"game{n}", 0, [b"0"]) for n in range(30)}
            for _ in range(50):
                last |= {game: future.result() for game, future in futures.items()}
                futures = {g: store.append(g, n, [b"%d" % n]) for g, n in last.items()}
            cluster.crash()
            cluster.start()
            last |= {game: future.result() for game, future in futures.items()}
            for game, count in last.items():
                assert [event for _, event in store.read(game)] == [b"%d" % n for n in range(count)]
    finally:
        cluster.stop()
