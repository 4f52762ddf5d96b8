"""Games go from one store to another and are the same there; nothing else gets in."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from catinthebox.store import About, Store, StoreError, open_store
from catinthebox.store.protocol import EVENT_BYTES
from catinthebox.store.transfer import (
    LINE_BYTES,
    BadFile,
    Report,
    encoded,
    export,
    import_games,
    line,
)

EVENTS = [b"", b'{"type":"deal"}', bytes(range(256)), "Schrödinger 🐈".encode(), b'\0\n\r\\"']


def filled(store: Store) -> Store:
    """A store with some games."""
    store.append("cheshire", 0, EVENTS, About("open", '{"seats":3}')).result()
    store.append("tabby", 0, [b"1"]).result()
    store.append("tabby", 1, [b"2", b"3"], About("over", "ü")).result()
    store.append("Abyss", 0, [b"\xff" * EVENT_BYTES, b"\0" * EVENT_BYTES]).result()
    return store


def shown(store: Store) -> list[object]:
    """Everything about the games of a store."""
    return [(entry, store.read(entry.game)) for entry in store.games()]


def exported(store: Store, *games: str) -> bytes:
    file = io.BytesIO()
    export(store, file, games)
    return file.getvalue()


@pytest.fixture
def full(tmp_path: Path) -> bytes:
    """A file with the games of `filled`."""
    with open_store(tmp_path / "full.db") as store:
        return exported(filled(store))


def test_there_and_back(tmp_path: Path, postgres_url: str) -> None:
    """From SQLite to PostgreSQL to SQLite, the file is the same, byte by byte."""
    with open_store(tmp_path / "one.db") as one, open_store(postgres_url) as two:
        file = exported(filled(one))
        report = import_games(two, io.BytesIO(file))
        assert report == Report(added=["Abyss", "cheshire", "tabby"])
        assert shown(two) == shown(one)
        with open_store(tmp_path / "three.db") as three:
            import_games(three, io.BytesIO(exported(two)))
            assert exported(three) == exported(two) == file


def test_importing_again_changes_nothing(sqlite_path: Path, full: bytes) -> None:
    """Games that are there are left as they are, also those that have gone on."""
    with open_store(sqlite_path) as store:
        import_games(store, io.BytesIO(full))
        store.append("tabby", 3, [b"4"]).result()
        before = shown(store)
        report = import_games(store, io.BytesIO(full))
        assert report == Report(present=["Abyss", "cheshire", "tabby"])
        assert shown(store) == before


def test_a_game_that_has_gone_on_is_continued(sqlite_path: Path, full: bytes) -> None:
    """If the store has the beginning, the rest is added, with the newer entry."""
    with open_store(sqlite_path) as store:
        store.append("tabby", 0, [b"1", b"2"], About("open")).result()
        report = import_games(store, io.BytesIO(full))
        assert report == Report(added=["Abyss", "cheshire"], continued=["tabby"])
        assert [event for _, event in store.read("tabby")] == [b"1", b"2", b"3"]
        assert store.games(state="over")[0].about == About("over", "ü")


def test_another_game_of_the_same_name(sqlite_path: Path, full: bytes) -> None:
    """It is reported and left alone; the others are imported."""
    with open_store(sqlite_path) as store:
        store.append("tabby", 0, [b"1", b"other"]).result()
        report = import_games(store, io.BytesIO(full))
        assert report == Report(added=["Abyss", "cheshire"], conflicts=["tabby"])
        assert [event for _, event in store.read("tabby")] == [b"1", b"other"]


def test_some_games(tmp_path: Path, sqlite_path: Path) -> None:
    """An export may name the games; one that does not exist is an error."""
    with open_store(tmp_path / "one.db") as one, open_store(sqlite_path) as two:
        filled(one)
        assert import_games(two, io.BytesIO(exported(one, "tabby"))) == Report(added=["tabby"])
        with pytest.raises(StoreError, match="no such game: manx"):
            exported(one, "manx", "tabby")


def test_texts_can_be_read(full: bytes) -> None:
    """An event that is a text stands in the file as one."""
    lines = [json.loads(line) for line in full.splitlines()]
    assert {"seq": 2, "text": '{"type":"deal"}'} in lines
    assert lines[0] == {"catinthebox": "games", "version": 1}
    assert lines[-1]["games"] == 3


def test_the_longest_line(full: bytes) -> None:
    """No event is too long for the reader, however much of it is escaped."""
    worst = line({"seq": 10**9, **encoded(b"\0" * EVENT_BYTES)})
    assert EVENT_BYTES * 6 < len(worst) < LINE_BYTES


@pytest.mark.parametrize("share", [0.0, 0.001, 0.2, 0.5, 0.9, 0.9999])
def test_a_file_that_was_cut(sqlite_path: Path, full: bytes, share: float) -> None:
    """Nothing of it is imported."""
    cut = full[: int(share * len(full))]
    with open_store(sqlite_path) as store:
        with pytest.raises(BadFile):
            import_games(store, io.BytesIO(cut))
        assert store.games() == []


def test_a_file_that_was_changed(sqlite_path: Path, full: bytes) -> None:
    """Any changed, missing, doubled or added line is noticed before anything is imported."""
    small = b"".join(part for part in full.splitlines(keepends=True) if len(part) < 1000)
    lines = full.splitlines(keepends=True)
    places = [n for n, part in enumerate(lines) if len(part) < 1000]
    assert len(small) < len(full)
    with open_store(sqlite_path) as store:
        for place in places:
            one = lines[place]
            for other in (b"", one + one, one.replace(b'"', b"'", 1), one[:-2] + b"\n", b"{}\n"):
                changed = b"".join([*lines[:place], other, *lines[place + 1 :]])
                with pytest.raises(BadFile):
                    import_games(store, io.BytesIO(changed))
        for more in (b"\n", b"x", lines[-1]):
            with pytest.raises(BadFile):
                import_games(store, io.BytesIO(full + more))
        assert store.games() == []
