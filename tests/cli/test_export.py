"""`catinthebox export` and `catinthebox import`: games from one store to another."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from catinthebox.cli import main
from catinthebox.store import open_store


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with a store in the user's data folder."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    with open_store() as store:
        store.append("cheshire", 0, [b"sit down", b"deal"]).result()
        store.append("tabby", 0, [b"sit down"]).result()
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """The exit status, the results, the complaints."""
    status = main(words)
    return status, *capsys.readouterr()


def test_from_one_store_to_another(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All games go over; a second import finds them there."""
    assert run(capsys, "export", "games.jsonl") == (0, "games.jsonl: 2 games\n", "")
    said = "games.jsonl: {} added, 0 continued, {} already there, 0 in conflict\n"
    assert run(capsys, "import", "--db", "new.db", "games.jsonl") == (0, said.format(2, 0), "")
    assert run(capsys, "import", "--db", "new.db", "games.jsonl") == (0, said.format(0, 2), "")
    with open_store("new.db") as store, open_store() as old:
        assert store.games() == old.games()
    assert sorted(path.name for path in home.iterdir() if path.name[0] == ".") == []


def test_a_store_without_games(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A server's key is no game: nobody counts it, and it is in nobody's way."""
    for name, key in (("empty.db", b"k" * 32), ("used.db", b"x" * 32)):
        with open_store(name) as store:
            store.append("_keys", 0, [key]).result()
    assert run(capsys, "export", "--db", "empty.db", "none") == (0, "none: 0 games\n", "")
    for where in ("new.db", "new.db", "used.db"):
        assert run(capsys, "import", "--db", where, "none") == (
            0,
            "none: 0 added, 0 continued, 0 already there, 0 in conflict\n",
            "",
        )
    with open_store("used.db") as store:
        assert store.read("_keys")[0].event == b"x" * 32


def test_the_key_travels_with_all_games_only(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It cannot be asked for; a store that has another key keeps it, and says so."""
    with open_store() as store:
        store.append("_keys", 0, [b"k" * 32]).result()
    assert run(capsys, "export", "all")[:2] == (0, "all: 2 games\n")
    assert run(capsys, "export", "one", "--game", "tabby")[:2] == (0, "one: 1 game\n")
    assert b"kkkk" in (home / "all").read_bytes()
    assert b"kkkk" not in (home / "one").read_bytes()
    status, _, complaint = run(capsys, "export", "key", "--game", "_keys")
    assert (status, complaint) == (2, "catinthebox: --db: no such game: _keys\n")
    with open_store("new.db") as store:
        store.append("_keys", 0, [b"x" * 32]).result()
    status, output, complaint = run(capsys, "import", "--db", "new.db", "all")
    assert (status, output) == (0, "all: 2 added, 0 continued, 0 already there, 0 in conflict\n")
    assert "the store has a key of its own and keeps it" in complaint
    with open_store("third.db") as store:
        store.append("_keys", 0, [b"x" * 32]).result()
    assert "all links to these tables change" in run(capsys, "import", "--db", "third.db", "one")[2]


def test_nobody_else_on_the_machine_reads_an_export(home: Path) -> None:
    """It holds every hand."""
    before = os.umask(0o022)
    try:
        assert main(["export", "games.jsonl"]) == 0
    finally:
        os.umask(before)
    assert (home / "games.jsonl").stat().st_mode & 0o777 == 0o600


def test_one_game(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--game` picks one; one that is not there is named."""
    assert run(capsys, "export", "one", "--game", "tabby") == (0, "one: 1 game\n", "")
    status, _, complaint = run(capsys, "export", "none", "--game", "manx")
    assert (status, complaint) == (2, "catinthebox: --db: no such game: manx\n")
    assert not (home / "none").exists()


def test_while_a_server_writes(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A store that is in use can be exported, but not imported into."""
    with open_store():
        assert run(capsys, "export", "games.jsonl")[0] == 0
        status, _, complaint = run(capsys, "import", "games.jsonl")
    assert status == 2
    assert "is being written by another process" in complaint


def test_conflicts(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Another game of the same name is told, and the status is 1."""
    run(capsys, "export", "games.jsonl")
    with open_store("new.db") as store:
        store.append("tabby", 0, [b"another"]).result()
    status, output, complaint = run(capsys, "import", "--db", "new.db", "games.jsonl")
    assert (status, complaint) == (
        1,
        "tabby: the store has another game of this name; left unchanged\n",
    )
    assert output == "games.jsonl: 1 added, 0 continued, 0 already there, 1 in conflict\n"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["export", "--db", "none.db", "x"], "--db: there is no file none.db"),
        (["export", "no/where"], "no/where: No such file"),
        (["export", "--db", "mysql://x/y", "x"], "neither a file nor an address"),
        (["import", "none"], "none: No such file"),
        (["import", "story.txt"], "story.txt: line 1: the file was cut or changed; nothing was"),
        (["import", "other.jsonl"], "other.jsonl: this is not a file of games"),
    ],
)
def test_what_is_refused(
    home: Path, capsys: pytest.CaptureFixture[str], words: list[str], complaint: str
) -> None:
    """A sentence that names the file or the option, and status 2."""
    (home / "story.txt").write_text("Once upon a time\n")
    (home / "other.jsonl").write_text('{"dogs": 7}\n')
    status, output, said = run(capsys, *words)
    assert (status, output) == (2, "")
    assert complaint in said
