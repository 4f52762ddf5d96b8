"""What only a file has: one writer, a lock, versions, damage, statements that fail."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from waiting import completed

from catinthebox.store import Busy, NotStorable, StoreError, StoreFailed, default_path, open_store
from catinthebox.store import sqlite as sqlite_store
from catinthebox.store.requests import StoreAnswer, StoreRequest
from catinthebox.store.sqlite_schema import MIGRATIONS


def direct(path: Path, *statements: str) -> list[Any]:
    """Change or ask a file behind the back of any store."""
    line = sqlite3.connect(path, isolation_level=None)
    try:
        return [line.execute(statement).fetchone() for statement in statements]
    finally:
        line.close()


# ── Opening ──────────────────────────────────────────────────────────────────────────────────


def test_settings(sqlite_path: Path) -> None:
    """The log is written ahead, and a commit waits for the disk."""
    with sqlite_store.SqliteStore(sqlite_path) as store:
        line = store._connection
        assert line is not None
        asked = ("journal_mode", "synchronous", "foreign_keys", "user_version")
        values = [line.execute(f"PRAGMA {name}").fetchone()[0] for name in asked]
        assert values == ["wal", 2, 1, len(MIGRATIONS)]


@pytest.mark.process
def test_one_writer(sqlite_path: Path) -> None:
    """A second one is refused with a way out; after the first has gone it may come."""
    with open_store(sqlite_path) as store:
        with pytest.raises(
            StoreError, match=r"is being written by another process, .*; end that one"
        ):
            open_store(sqlite_path)
        store.append("tabby", 0, [b"x"]).result()
        code = f"from catinthebox.store import open_store; open_store({str(sqlite_path)!r})"
        other = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=False
        )
        assert "is being written by another process" in other.stderr
    with open_store(sqlite_path) as store:
        assert store.last("tabby") == 1


def test_where_games_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without an address: in the user's data folder, which is made."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    with open_store() as store:
        store.append("tabby", 0, [b"x"]).result()
    assert (tmp_path / "data" / "catinthebox" / "games.db").exists()
    assert default_path().parts[-2:] == ("catinthebox", "games.db")


@pytest.fixture
def usual_umask() -> Iterator[None]:
    """New files may be read by everybody."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, int]:
    """The files in a folder, and who may read them."""
    return {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()}


@pytest.mark.usefixtures("usual_umask")
def test_nobody_else_on_the_machine_reads_games(tmp_path: Path) -> None:
    """They hold every hand: the file, what SQLite puts beside it, and the folder."""
    folder = tmp_path / "new"
    with open_store(folder / "games.db") as store:
        store.append("tabby", 0, [b"x"]).result()
        found = modes(folder)
        assert {"games.db", "games.db-shm", "games.db-wal", "games.db-writer"} <= found.keys()
        assert {*found.values()} == {0o600}
    assert modes(tmp_path) == {"new": 0o700}


@pytest.mark.usefixtures("usual_umask")
def test_a_file_that_exists_keeps_its_mode(sqlite_path: Path) -> None:
    """Somebody may have meant it."""
    sqlite_path.touch(0o640)
    before = sqlite_path.parent.stat().st_mode
    with open_store(sqlite_path):
        assert modes(sqlite_path.parent)["games.db"] == 0o640
    assert sqlite_path.parent.stat().st_mode == before


@pytest.mark.parametrize("where", ["mysql://host/games", "https://host/games"])
def test_unknown_addresses(where: str) -> None:
    """An address that is neither is no file name."""
    with pytest.raises(NotStorable, match="neither a file nor an address"):
        open_store(where)


def test_psycopg_may_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names what to install."""
    monkeypatch.setitem(sys.modules, "psycopg", None)
    monkeypatch.delitem(sys.modules, "catinthebox.store.postgres", raising=False)
    for name in [name for name in sys.modules if name.startswith("catinthebox.store.postgres")]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(StoreError, match=r"psycopg is missing; install catinthebox\[postgres\]"):
        open_store("postgresql://nowhere/games")


def test_a_foreign_file(sqlite_path: Path) -> None:
    """A file of another program is left alone."""
    direct(sqlite_path, "CREATE TABLE cats (name)")
    with pytest.raises(
        StoreError, match="is not a store of games, but a database of another program"
    ):
        open_store(sqlite_path)
    sqlite_path.write_text("these are not the bytes you are looking for" * 100)
    with pytest.raises(
        StoreFailed, match=r"is not a store of games, or its beginning .* \(file is not a database"
    ):
        open_store(sqlite_path)


def test_a_newer_file(sqlite_path: Path) -> None:
    """Tables of a later program are not touched."""
    open_store(sqlite_path).close()
    direct(sqlite_path, "PRAGMA user_version = 99")
    with pytest.raises(StoreError, match=f"version 99; this program knows {len(MIGRATIONS)}"):
        open_store(sqlite_path)


def test_nothing_to_read(sqlite_path: Path) -> None:
    """A file that is to be read must be there, and one that is empty has no games."""
    with pytest.raises(StoreError, match=r"there is no file .*games\.db"):
        open_store(sqlite_path, readonly=True)
    sqlite_path.touch()
    with pytest.raises(StoreError, match="is not a store of games: it is empty"):
        open_store(sqlite_path, readonly=True)


def test_migration_is_all_or_nothing(sqlite_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A step that fails leaves the older tables as they were; a good one keeps the games."""
    with open_store(sqlite_path) as store:
        store.append("tabby", 0, [b"x"]).result()
    good, bad = "ALTER TABLE games ADD COLUMN color TEXT", "CREATE TABLE games (again)"
    monkeypatch.setattr("catinthebox.store.sqlite_schema.MIGRATIONS", (*MIGRATIONS, (good, bad)))
    with pytest.raises(StoreFailed, match="already exists"):
        open_store(sqlite_path)
    (version,) = direct(sqlite_path, "PRAGMA user_version")
    assert version == (len(MIGRATIONS),)
    monkeypatch.setattr("catinthebox.store.sqlite_schema.MIGRATIONS", (*MIGRATIONS, (good,)))
    with open_store(sqlite_path) as store:
        assert store.last("tabby") == 1
    assert direct(sqlite_path, "SELECT color FROM games", "PRAGMA user_version") == [
        (None,),
        (len(MIGRATIONS) + 1,),
    ]


def test_damaged_pages(sqlite_path: Path) -> None:
    """So are pages that something else has written over."""
    with open_store(sqlite_path) as store:
        for n in range(60):
            store.append(f"game{n}", 0, [b"x" * 1000]).result()
    content = bytearray(sqlite_path.read_bytes())
    content[12_000:60_000] = b"?" * 48_000
    sqlite_path.write_bytes(content)
    with pytest.raises(StoreError, match=r"games\.db"):
        open_store(sqlite_path)


def test_backup_of_a_live_store(sqlite_path: Path, tmp_path: Path) -> None:
    """A copy made by SQLite while games go on is a store, with every log up to some moment."""
    with open_store(sqlite_path) as store:
        before = [store.append("tabby", n, [b"%d" % n]) for n in range(100)][-1].result()
        later = [store.append("tabby", n, [b"%d" % n]) for n in range(100, 400)]
        line, copy = sqlite3.connect(sqlite_path), sqlite3.connect(tmp_path / "copy.db")
        line.backup(copy)
        line.close()
        copy.close()
        assert later[-1].result() == 400
    with open_store(tmp_path / "copy.db") as restored:
        events = [event for _, event in restored.read("tabby")]
        assert before <= len(events) <= 400
        assert events == [b"%d" % n for n in range(len(events))]


# ── One writer, whatever the file is called ──────────────────────────────────────────────────


def symbolic(path: Path, other: Path) -> None:
    other.symlink_to(path)


def hard(path: Path, other: Path) -> None:
    other.hardlink_to(path)


def renamed(path: Path, other: Path) -> None:
    path.rename(other)


Link = Callable[[Path, Path], None]
LINKS: dict[Link, str] = {
    symbolic: "is being written",
    hard: "has 2 names",
    renamed: "is being written",
}


@pytest.mark.process
@pytest.mark.parametrize("link", LINKS, ids=["symbolic", "hard", "renamed"])
@pytest.mark.parametrize("elsewhere", [False, True], ids=["beside", "elsewhere"])
def test_another_name_is_not_another_file(sqlite_path: Path, link: Link, elsewhere: bool) -> None:
    """Neither in this process nor in another one; the first writer goes on."""
    other = sqlite_path.with_name("other.db")
    if elsewhere:
        other = sqlite_path.parent / "folder" / "other.db"
        other.parent.mkdir()
    with open_store(sqlite_path) as store:
        store.append("tabby", 0, [b"x"]).result()
        link(sqlite_path, other)
        with pytest.raises(StoreError, match=LINKS[link]):
            open_store(other)
        code = f"from catinthebox.store import open_store; open_store({str(other)!r})"
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=False
        )
        assert LINKS[link] in done.stderr
        if link is renamed:
            other.rename(sqlite_path)
        assert store.append("tabby", 1, [b"y"]).result() == 2


def test_a_file_may_be_opened_by_a_symbolic_link(sqlite_path: Path, tmp_path: Path) -> None:
    """It is the same store, with everything that belongs to it beside the file itself."""
    link = tmp_path / "link.db"
    link.symlink_to(sqlite_path)
    with open_store(link) as store:
        store.append("tabby", 0, [b"x"]).result()
        assert not (tmp_path / "link.db-wal").exists()
    with open_store(sqlite_path, readonly=True) as store:
        assert store.last("tabby") == 1


@pytest.mark.process
def test_the_lock_outlives_other_connections(sqlite_path: Path) -> None:
    """Closing another descriptor of the file gives no lock up; closing the store does."""
    with open_store(sqlite_path) as store:
        store.append("tabby", 0, [b"x"]).result()
        sqlite3.connect(sqlite_path).close()
        sqlite_path.open("rb").close()
        code = f"from catinthebox.store import open_store; open_store({str(sqlite_path)!r}).close()"
        sqlite_path.with_name("games.db-writer").unlink()  # the lock that goes by name
        command = [sys.executable, "-c", code]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert "is being written by another process" in done.stderr
    assert subprocess.run(command, check=False).returncode == 0


# ── Files that go away ───────────────────────────────────────────────────────────────────────


def deleted(path: Path) -> None:
    path.unlink()


def replaced(path: Path) -> None:
    content = path.read_bytes()
    path.unlink()
    path.write_bytes(content)


@pytest.mark.parametrize("fate", [deleted, replaced], ids=lambda fate: str(fate.__name__))
@pytest.mark.parametrize("ending", ["", "-wal"])
def test_nothing_is_acknowledged_into_a_file_that_is_gone(
    sqlite_path: Path, fate: Callable[[Path], None], ending: str
) -> None:
    """Neither the file nor its log; no new file appears, and what comes back is used again."""
    path = sqlite_path.with_name(f"games.db{ending}")
    with open_store(sqlite_path) as store:
        store.append("tabby", 0, [b"x"]).result()
        kept = path.with_name("kept")
        kept.hardlink_to(path)
        fate(path)
        for future in (store.append("tabby", 1, [b"y"]), store.probe()):
            error = future.exception()
            assert isinstance(error, StoreFailed)
            assert error.settled
            assert "was deleted or replaced while it was written" in str(error)
        with pytest.raises(StoreFailed, match="deleted or replaced"):
            store.read("tabby")
        assert path.exists() is (fate is replaced)
        kept.replace(path)
        assert store.append("tabby", 1, [b"y"]).result() == 2
        assert len(store.read("tabby")) == 2


def test_a_file_that_goes_away_during_a_commit(
    sqlite_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not acknowledged, and nobody claims that it was not written."""
    answers = sqlite_store.SqliteBatch.answers

    def slow(self: sqlite_store.SqliteBatch, requests: Sequence[StoreRequest]) -> list[StoreAnswer]:
        found = answers(self, requests)
        sqlite_path.unlink()
        return found

    with open_store(sqlite_path) as store:
        monkeypatch.setattr(sqlite_store.SqliteBatch, "answers", slow)
        error = store.append("tabby", 0, [b"x"]).exception()
        assert isinstance(error, StoreFailed)
        assert not error.settled


# ── Statements that fail ─────────────────────────────────────────────────────────────────────


class Trouble:
    """Which statement of a connection fails, and whether before or after it is carried out."""

    calls = 0
    failing = 0
    late = False


class Fragile(sqlite3.Connection):
    """A connection whose n-th statement fails."""

    def execute(self, *arguments: Any) -> sqlite3.Cursor:
        """Carry a statement out, or not."""
        Trouble.calls += 1
        if Trouble.calls == Trouble.failing and not Trouble.late:
            raise sqlite3.OperationalError("disk I/O error, as it were")
        cursor = super().execute(*arguments)
        if Trouble.calls == Trouble.failing:
            raise sqlite3.OperationalError("disk I/O error, too late")
        return cursor


@pytest.mark.parametrize("late", [False, True])
def test_every_statement_fails_once(
    sqlite_path: Path, monkeypatch: pytest.MonkeyPatch, late: bool
) -> None:
    """Also an error after a COMMIT that happened: then the events count as written."""
    connect = sqlite3.connect

    def fragile(*arguments: Any, **options: Any) -> sqlite3.Connection:
        line: sqlite3.Connection = connect(*arguments, factory=Fragile, **options)
        return line

    monkeypatch.setattr(sqlite3, "connect", fragile)
    monkeypatch.setattr(Trouble, "late", late)
    answers: list[object] = []
    with open_store(sqlite_path) as store:
        store.append("tabby", 0, [b"first"]).result()
        last = 1
        for number in range(1, 12):
            Trouble.calls, Trouble.failing = 0, number
            future = store.append("tabby", last, [b"%d" % number])
            error = future.exception()
            Trouble.failing = 0
            found = store.last("tabby")
            assert found == (last + 1 if error is None else last), (number, error)
            assert error is None or (isinstance(error, StoreFailed) and error.settled)
            answers.append(error)
            last = store.append("tabby", found, [b"and on"]).result()
    assert any(answers)
    assert not all(answers)


def test_a_full_disk(sqlite_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that may not grow refuses, and takes more once it may."""
    settings = (*sqlite_store._SETTINGS, "PRAGMA max_page_count = 40")
    monkeypatch.setattr(sqlite_store, "_SETTINGS", settings)
    with sqlite_store.SqliteStore(sqlite_path) as store:
        last, error = 0, None
        while error is None and last < 100:
            future = store.append("tabby", last, [b"x" * 9000])
            error = future.exception()
            last = store.last("tabby")
        assert isinstance(error, StoreFailed)
        assert "disk is full" in str(error)
        assert 0 < last < 40
        assert store._connection is not None
        store._connection.execute("PRAGMA max_page_count = 4000")
        assert store.append("tabby", last, [b"x" * 9000]).result() == last + 1


@pytest.mark.process
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs limits on the size of files")
def test_a_file_that_may_not_grow(sqlite_path: Path) -> None:
    """The system's own limit gives real short writes; what was acknowledged before is there."""
    code = """
import resource, signal, sys
from catinthebox.store import StoreFailed, open_store
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
store = open_store(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (200_123, resource.RLIM_INFINITY))
last = 0
while True:
    try:
        last = store.append("tabby", last, [b"x" * 3000]).result()
    except StoreFailed as error:
        break
assert last == store.last("tabby") > 3
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
last = store.append("tabby", last, [b"y" * 3000]).result()
store.close()
print(last)
"""
    said = completed([sys.executable, "-c", code, str(sqlite_path)])
    with open_store(sqlite_path) as store:
        assert store.last("tabby") == len(store.read("tabby")) == int(said)
        assert store.read("tabby")[-1].event == b"y" * 3000


def test_another_program_holds_the_file(sqlite_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A lock that is not let go is told after a while, and does no harm."""
    monkeypatch.setattr(sqlite_store, "BUSY_SECONDS", 0.05)
    monkeypatch.setattr(sqlite_store._connect, "__defaults__", (0.05,))
    with open_store(sqlite_path) as store:
        store.append("tabby", 0, [b"x"]).result()
        other = sqlite3.connect(sqlite_path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        error = store.append("tabby", 1, [b"y"]).exception()
        assert isinstance(error, StoreFailed)
        assert "locked" in str(error)
        other.execute("ROLLBACK")
        other.close()
        assert store.append("tabby", 1, [b"z"]).result() == 2


def test_readers_wait_for_a_connection(sqlite_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not for ever: a reader that gets none is told that the store is busy."""
    monkeypatch.setattr("catinthebox.store.pool.PATIENCE", 0.01)
    with sqlite_store.SqliteStore(sqlite_path) as store:
        store._pool._free = 0
        with pytest.raises(Busy, match="all connections are reading"):
            store.last("tabby")
        store._pool._free = 4
        assert store.last("tabby") == 0
