"""Every I/O call of the SQLite writer fails once, and the power goes at every commit.

What is acknowledged is there, whole and once; what was refused for certain is not; what is neither
is there whole or not at all. The store goes on as soon as the disk does.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from store.disk import FAULTS, NAME, Disk, faulty

from catinthebox.store import Store, StoreFailed, open_store

LARGE = b"x" * 60_000  # some of them fill the log of SQLite, so that it is copied to the file


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Disk]:
    """A disk under every store that is opened while it fails nothing itself."""
    connect = sqlite3.connect

    def through(address: str, **options: Any) -> sqlite3.Connection:
        line: sqlite3.Connection = connect(f"{address}&vfs={NAME}", **options)
        line.execute("PRAGMA wal_autocheckpoint = 20")  # so that copying the log is seen, too
        return line

    with faulty() as disk:
        monkeypatch.setattr(sqlite3, "connect", through)
        yield disk


class Player:
    """Appends to one game, and keeps what it was told about each event."""

    def __init__(self) -> None:
        self.kept: list[bytes] = []  # acknowledged
        self.refused: list[bytes] = []  # certainly not written
        self.unsure: list[bytes] = []  # not acknowledged

    def play(
        self, store: Store, events: list[bytes], arm: Callable[[], None] = lambda: None
    ) -> None:
        """Append some events, one by one, without waiting: they may share a commit."""
        futures: list[tuple[bytes, Future[int]]] = []
        last = store.last("tabby")
        arm()  # from here on only the writer uses the disk
        for n, event in enumerate(events):
            futures.append((event, store.append("tabby", last + n, [event])))
        for event, future in futures:
            error = future.exception()
            if error is None:
                self.kept.append(event)
            else:
                settled = not isinstance(error, StoreFailed) or error.settled
                (self.refused if settled else self.unsure).append(event)

    def check(self, store: Store) -> None:
        """Compare the log with what was said."""
        stored = store.read("tabby")
        events = [event for _, event in stored]
        assert [seq for seq, _ in stored] == list(range(1, len(stored) + 1))
        assert len(events) == len(set(events)), "an event is there twice"
        assert [event for event in events if event not in self.unsure] == self.kept
        assert not set(events) & set(self.refused)


def session(player: Player, path: Path, disk: Disk, arm: Callable[[], None]) -> int:
    """A short life of a store; returns the calls it made. Errors are noted, not raised."""
    with open_store(path) as store:
        player.play(store, [b"before"])
        player.play(store, [b"1", b"2", b"3" + LARGE], arm)
        calls = disk.calls
        disk.heal()
        player.play(store, [b"after"])
        assert player.kept[-1] == b"after", "the disk is well, but the store is not"
        player.check(store)
    return calls


@pytest.mark.long
@pytest.mark.parametrize("fault", FAULTS)
def test_every_call_of_the_writer_fails_once(disk: Disk, tmp_path: Path, fault: str) -> None:
    """Wherever it fails, nothing is lost, doubled or half-written, also after a power cut."""
    calls = session(Player(), tmp_path / "well.db", disk, disk.heal)
    assert calls > 20
    outcomes = set()
    for number in range(1, calls + 1):
        folder = tmp_path / str(number)
        folder.mkdir()
        player = Player()

        session(player, folder / "games.db", disk, partial(disk.fail, number, fault))
        outcomes.add((bool(player.refused), bool(player.unsure)))
        disk.heal()
        with open_store(folder / "games.db") as store:
            player.check(store)
    assert {(False, False), (True, False)} <= outcomes


@pytest.mark.parametrize("fault", ["full", "error"])
def test_a_disk_that_stays_broken(disk: Disk, tmp_path: Path, fault: str) -> None:
    """Every append fails until the disk is well; then the same store goes on."""
    player = Player()
    with open_store(tmp_path / "games.db") as store:
        player.play(store, [b"before"])
        for number in range(1, 12):
            lost = [b"%d lost %d" % (n, number) for n in range(3)]
            player.play(store, lost, partial(disk.fail_from, number, fault))
            disk.heal()
            player.play(store, [b"again %d" % number])
            player.check(store)
            assert player.kept[-1] == b"again %d" % number
    assert len({*player.refused, *player.unsure}) > 20


@pytest.mark.parametrize("fault", ["full", "error"])
def test_a_probe_fails_as_an_append_would(disk: Disk, tmp_path: Path, fault: str) -> None:
    """It needs the disk, and succeeds as soon as the disk does; a disk that is full can be read."""
    with open_store(tmp_path / "games.db") as store:
        store.append("tabby", 0, [b"x"]).result()
        disk.fail_from(1, fault)
        assert isinstance(store.probe().exception(), StoreFailed)
        disk.heal()
        assert store.probe().result() is None
        assert store.append("tabby", 1, [b"y"]).result() == 2


def test_a_store_that_cannot_be_opened_says_so(disk: Disk, tmp_path: Path) -> None:
    """A fault while opening is a clear error, and the next attempt succeeds."""
    with open_store(tmp_path / "well.db") as store:
        calls = disk.calls
        store.append("tabby", 0, [b"x"]).result()
    openings = 0
    for number in range(1, calls + 1):
        path = tmp_path / f"{number}.db"
        disk.fail(number, "error")
        with suppress(StoreFailed):
            open_store(path).close()
            openings += 1
        disk.heal()
        with open_store(path) as store:
            assert store.append("tabby", 0, [b"x"]).result() == 1
    assert openings < calls // 2


@pytest.mark.long
def test_power_cuts(disk: Disk, tmp_path: Path) -> None:
    """At any moment, with any part of the unsynced writes, all that was acknowledged is there."""
    rng = Random(7)
    player = Player()
    with open_store(tmp_path / "games.db") as store:
        for number in range(120):
            event = b"%d" % number + (LARGE if number % 2 else b"")
            player.play(store, [event])
            if number % 5 == 4:
                for chance in (None, rng, rng):
                    after_power_cut(disk, tmp_path, player, chance)
    assert len(player.kept) == 120


def test_power_cuts_after_faults(disk: Disk, tmp_path: Path) -> None:
    """What was refused for certain stays away, even if its failed write is on the disk."""
    rng = Random(11)
    with open_store(tmp_path / "games.db") as store:
        player = Player()
        player.play(store, [b"before"])
        for number in range(1, 25):
            call, fault = number % 8 + 1, rng.choice(FAULTS)
            events = [b"%d" % number, b"and %d" % number]
            player.play(store, events, partial(disk.fail, call, fault))
            disk.heal()
            for chance in (None, rng, rng):
                after_power_cut(disk, tmp_path, player, chance)
            player.play(store, [b"well %d" % number])
    assert player.refused


def after_power_cut(disk: Disk, tmp_path: Path, player: Player, chance: Random | None) -> None:
    """Open what a power cut would have left, and compare."""
    folder = tmp_path / f"cut{len(list(tmp_path.iterdir()))}"
    disk.after_power_cut(folder, chance)
    synced, since = dict(disk.synced), {name: [*list_] for name, list_ in disk.since.items()}
    with open_store(folder / "games.db") as store:
        player.check(store)
    disk.synced, disk.since = synced, since  # the copy has the same names
