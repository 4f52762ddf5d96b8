"""`catinthebox check`: good records get a verdict, bad ones a place and a clause."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random

import pytest

from catinthebox import Game
from catinthebox.cli import main
from catinthebox.cli.check import verdict
from catinthebox.cli.files import MAX_BYTES
from catinthebox.game import record
from catinthebox.players import Budget
from catinthebox.players.modest import Modest
from catinthebox.views import View


def played(players: int, seed: int, actions: int = 1_000) -> Game:
    """A game between simple players, cut after so many actions."""
    rng = Random(seed)
    game = Game.new(players)
    while not game.over:
        if game.round is None or game.round.over:
            game = game.shuffle(rng)
        round = game.rounds[-1]
        if sum(len(each.actions) for each in game.rounds) >= actions or round.turn is None:
            break
        game = game.play(Modest().choose(View.of(round, round.turn), Budget(), rng))
    return game


def run(capsys: pytest.CaptureFixture[str], *words: str | Path) -> tuple[int, str, str]:
    """The exit status, the verdicts, the complaints."""
    status = main(["check", *map(str, words)])
    return status, *capsys.readouterr()


def saved(folder: Path, text: str, name: str = "game.cat") -> Path:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("form", ["cat", "json"])
def test_good_record(
    players: int, form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A whole game is good in either form, whatever the file is called."""
    game = played(players, seed=players)
    text = record.write(game) if form == "cat" else record.write_json(game)
    file = saved(tmp_path, text, "game.txt")
    status, output, complaints = run(capsys, file)
    assert (status, complaints) == (0, "")
    assert output == f"{file}: {verdict(game)}\n"
    assert f"good, {players} rounds" in output
    assert all(name in output for name in game.names)


@pytest.mark.long
def test_verdict_names_the_winners() -> None:
    """A shared victory names both."""
    text = "\n".join(
        [
            "catinthebox 1",
            "players 2",
            "names Ada | Ben",
            "edition standard",
            "face white",
            "starter 0",
        ]
    )
    assert verdict(record.read(text)) == "good, unfinished, 0 of 2 rounds"
    games = [played(2, seed) for seed in range(60)]
    shared = next(game for game in games if len(game.winners) == 2)
    assert verdict(shared).endswith("; won by Ada and Bohr")


@pytest.mark.parametrize("actions", [0, 1, 7, 20, 31, 50])
def test_unfinished_record(
    actions: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A game that is not over is good as well."""
    game = played(3, seed=1, actions=actions)
    status, output, _ = run(capsys, saved(tmp_path, record.write(game)))
    assert status == 0
    assert output.endswith(f": good, unfinished, {len(game.finished)} of 3 rounds\n")


@pytest.mark.parametrize("form", ["cat", "json"])
def test_conversion(form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """--to prints the record in the form asked for, and nothing else."""
    game = played(4, seed=2)
    for text in (record.write(game), record.write_json(game)):
        status, output, complaints = run(capsys, saved(tmp_path, text), "--to", form)
        assert (status, complaints) == (0, "")
        assert output == (record.write(game) if form == "cat" else record.write_json(game))


def test_lie_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A false score is refused with file, line, column and clause; the verdict is silent."""
    text = record.write(played(3, seed=1))
    number, line = next((n, line) for n, line in enumerate(text.split("\n"), 1) if "scores" in line)
    lie = text.replace(line, "scores 99" + line[line.index(" ", 7) :], 1)
    file = saved(tmp_path, lie)
    status, output, complaints = run(capsys, file)
    assert (status, output) == (1, "")
    assert complaints.startswith(f"{file}: line {number}, column 8: the score of seat 0 is ")
    assert re.search(r", not 99 \(R2[3-6]\)\n$", complaints)


def test_illegal_play_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A red lead at the start breaks R14."""
    text = record.write(played(3, seed=1, actions=6))
    hand = played(3, seed=1, actions=6).rounds[0].hands[0]
    status, _, complaints = run(capsys, saved(tmp_path, f"{text}trick 0: {hand[0]}r\n"))
    assert status == 1
    assert "line 12, column 10: red may not be led" in complaints
    assert complaints.endswith("(R14)\n")


def test_json_error_has_a_path(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In JSON the place is a path."""
    game = json.loads(record.write_json(played(3, seed=1)))
    game["rounds"][1]["tricks"][0]["leader"] = 2
    status, _, complaints = run(capsys, saved(tmp_path, json.dumps(game)))
    assert status == 1
    assert "rounds[1].tricks[0].leader: the leader of this trick is 1, not 2 (R10)" in complaints


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "'catinthebox' is missing"),
        (b"{", "not JSON"),
        (b"[]", "expected 'catinthebox' here, found '[]'"),
        (b"catinthebox 2\n", "version 2 is unknown"),
        (b"\xff\xfe", "is not a text in UTF-8"),
        (b"#\n" * 3_000, "at most 2000 lines"),
        (b"# " + b"x" * 2_000, "at most 1000 characters"),
        (b"\n" * (MAX_BYTES + 1), f"is larger than {MAX_BYTES} bytes"),
        (b"[" * 100_000, "at most 1000 characters"),
        (b'{"a":' * 100_000, "not JSON"),
    ],
)
def test_unreadable_file(
    content: bytes, complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is not a record is refused in a sentence."""
    file = tmp_path / "broken.cat"
    file.write_bytes(content)
    status, output, complaints = run(capsys, file)
    assert (status, output) == (1, "")
    assert complaint in complaints
    assert len(complaints) < 500


def test_missing_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that is not there is refused like a bad one."""
    status, output, complaints = run(capsys, tmp_path / "none.cat")
    assert (status, output) == (1, "")
    assert "No such file" in complaints


def test_several_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every file gets its line; one bad file among them decides the status."""
    good = saved(tmp_path, record.write(played(2, seed=1)))
    bad = saved(tmp_path, "nonsense", "bad.cat")
    status, output, complaints = run(capsys, good, bad, good)
    assert status == 1
    assert output.count(": good, ") == 2
    assert complaints.count("\n") == 1


@pytest.mark.parametrize("players", [2, 3])
def test_every_prefix_of_lines(
    players: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Cut after any line behind the header, a record is good."""
    lines = record.write(played(players, seed=4)).splitlines(keepends=True)
    for end in range(6, len(lines) + 1):
        status, _, complaints = run(capsys, saved(tmp_path, "".join(lines[:end])))
        assert (status, complaints) == (0, "")


def test_complaint_does_not_write_to_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Control characters of a hostile record do not reach the screen."""
    text = record.write(played(3, seed=1, actions=6))
    _, _, complaints = run(capsys, saved(tmp_path, f"{text}trick \x1b[2J: 5b\n"))
    assert complaints.rstrip("\n").isprintable()
