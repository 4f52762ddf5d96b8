"""`catinthebox check-store`: every problem is printed, and nothing is changed."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from catinthebox.cli import main
from catinthebox.store import open_store


@pytest.fixture
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store with three games, and the key of a server."""
    monkeypatch.chdir(tmp_path)
    with open_store("games.db") as store:
        for game in ("cheshire", "manx", "tabby", "_keys"):
            store.append(game, 0, [b"sit down", b"deal"]).result()
    return tmp_path / "games.db"


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """The exit status, the results, the complaints."""
    status = main(words)
    return status, *capsys.readouterr()


def spoil(path: Path, *statements: str) -> None:
    """Change a store behind its back."""
    line = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        line.execute(statement)
    line.close()


def test_a_whole_store(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also one that is in use."""
    verdict = (0, "3 games, 8 events: no damage\n", "")
    assert run(capsys, "check-store", "--db", "games.db") == verdict
    with open_store(games):
        assert run(capsys, "check-store", "--db", "games.db") == verdict


def test_every_problem_is_printed(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the game and the event; the file stays as it is."""
    spoil(
        games,
        "UPDATE events SET event = 'x' WHERE game = 'manx' AND seq = 2",
        "UPDATE games SET last = 7 WHERE game = 'cheshire'",
        "DELETE FROM games WHERE game = 'tabby'",
    )
    before = games.read_bytes()
    status, output, complaint = run(capsys, "check-store", "--db", "games.db")
    assert (status, complaint) == (1, "")
    assert output.splitlines() == [
        "cheshire: its entry in the index does not fit its checksum",
        "manx, event 2: it does not fit its checksum",
        "tabby: it has events, but no entry in the index",
        "1 game, 2 events: 3 problems",
    ]
    assert games.read_bytes() == before


def test_a_file_that_cannot_be_opened(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Damage is a finding, a wrong name is a mistake."""
    content = bytearray(games.read_bytes())
    content[:16] = bytes(16)
    (games.parent / "bad.db").write_bytes(content)
    assert run(capsys, "check-store", "--db", "bad.db") == (
        1,
        "bad.db: file is not a database\n",
        "",
    )
    status, _, complaint = run(capsys, "check-store", "--db", "none.db")
    assert (status, complaint[:40]) == (2, "catinthebox: --db: none.db: unable to op")


def test_export_leaves_damaged_games_out(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And says which; one that is asked for by name is refused, and nothing is written."""
    spoil(games, "UPDATE events SET event = 'x' WHERE game = 'manx' AND seq = 2")
    status, output, complaint = run(capsys, "export", "--db", "games.db", "some.jsonl")
    assert (status, output) == (1, "some.jsonl: 2 games\n")
    assert complaint == (
        "manx: left out: the stored log of manx is damaged at event 2: "
        "it does not fit its checksum\n"
    )
    assert run(capsys, "import", "--db", "new.db", "some.jsonl")[0] == 0
    with open_store("new.db") as store:
        assert [entry.game for entry in store.games()] == ["_keys", "cheshire", "tabby"]
    status, _, complaint = run(capsys, "export", "--db", "games.db", "one.jsonl", "--game", "manx")
    assert status == 2
    assert "the stored log of manx is damaged" in complaint
    assert not Path("one.jsonl").exists()
