"""`catinthebox check-store`: every problem is printed, and nothing is changed."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from catinthebox.cli import main
from catinthebox.cli.check_store import WHAT_TO_DO
from catinthebox.store import open_store

ROOT = Path(__file__).resolve().parents[2]


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
    verdict = (0, "3 games, 6 events: no damage\n", "")
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
        "3 problems; without damage: 0 games, 0 events",
        WHAT_TO_DO,
    ]
    assert games.read_bytes() == before


def test_a_file_that_cannot_be_opened(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Damage is a finding, a wrong name is a mistake."""
    content = bytearray(games.read_bytes())
    content[:16] = bytes(16)
    (games.parent / "bad.db").write_bytes(content)
    assert run(capsys, "check-store", "--db", "bad.db") == (
        1,
        "bad.db is not a store of games, or its beginning is damaged (file is not a database)\n"
        f"{WHAT_TO_DO}\n",
        "",
    )
    (games.parent / "empty.db").touch()
    for name, complaint in (
        ("none.db", "there is no file none.db"),
        ("empty.db", "empty.db is not a store of games: it is empty"),
    ):
        said = run(capsys, "check-store", "--db", name)
        assert said == (2, "", f"catinthebox: --db: {complaint}\n")


def test_a_store_without_games(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The key of a server is looked at, and is no game; damage of it is told all the same."""
    with open_store("new.db") as store:
        store.append("_keys", 0, [b"k" * 32]).result()
    verdict = (0, "0 games, 0 events: no damage\n", "")
    assert run(capsys, "check-store", "--db", "new.db") == verdict
    spoil(games.parent / "new.db", "UPDATE events SET event = 'x'")
    status, output, _ = run(capsys, "check-store", "--db", "new.db")
    assert (status, output.splitlines()[0]) == (1, "_keys, event 1: it does not fit its checksum")


def test_what_to_do_is_there() -> None:
    """The section that the last line names exists."""
    path, _, title = WHAT_TO_DO.removeprefix("What to do: ").partition(", section ")
    page = (ROOT / path).read_text("utf-8")
    assert f"\n## {title.strip('“”')}\n" in page


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
