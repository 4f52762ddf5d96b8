"""`catinthebox play`: whole games through stdin, answers to bad input, and records that stay."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import pytest

from catinthebox import Game, NotUnderstood
from catinthebox.cli import main
from catinthebox.cli.files import read_face, read_game
from catinthebox.cli.play.command import new_names
from catinthebox.cli.play.opponents import Opponents
from catinthebox.cli.play.save_file import SaveFile, default_path
from catinthebox.cli.play.session import PlaySession
from catinthebox.cli.terminal import ESCAPE, Terminal, wide
from catinthebox.fast.warm import Warmup
from catinthebox.game import record

EVERYTHING = [f"{rank}{color}" for rank in range(9, 0, -1) for color in "bygr"]


class FakeTerminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        """Pretend."""
        return True


class Ready(Warmup):
    """Everything is compiled already: the tests that are not about it need not wait for it."""

    def __init__(self, module: str, steps: Sequence[str]) -> None:
        super().__init__(module, [])


@pytest.fixture(autouse=True)
def quiet_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Records go to a temporary home; the tester's own terminal does not matter."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    for name in ("NO_COLOR", "COLORTERM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setattr("catinthebox.cli.play.opponents.Warmup", Ready)


def typed(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Type a text, then close the input."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))


def clueless(lines: int = 4000) -> str:
    """A person who tries everything until something is legal: slow, but it gets there."""
    rng = Random(5)

    def tries() -> Iterator[str]:
        while True:
            yield from ("1", "2", "3")
            yield from rng.sample(EVERYTHING, len(EVERYTHING))

    source = tries()
    return "\n".join(next(source) for _ in range(lines)) + "\n"


def play(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], text: str, *options: str
) -> str:
    """Play with this input against the gentlest; return what was printed."""
    typed(monkeypatch, text)
    assert main(["play", "--seed", "7", "--level", "gentle", *options]) == 0
    return capsys.readouterr().out


@pytest.mark.long
@pytest.mark.parametrize("players", range(2, 6))
@pytest.mark.parametrize("style", ["drawn", "plain", "colored"])
def test_a_whole_game_can_be_played(
    players: int,
    style: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    """Every player count, drawn, in sentences and in color; the record holds the finished game."""
    out = FakeTerminal()
    if style == "colored":
        monkeypatch.setattr(sys, "stdout", out)
    path = tmp_path / "game.cat"
    options = ["--players", str(players), "--record", str(path)]
    options += ["--plain"] if style == "plain" else []
    text = play(monkeypatch, capsys, clueless(), *options) + out.getvalue()
    game = read_game(path)
    assert game.over
    assert len(game.rounds) == players
    assert "The game is over" in text
    assert ("\x1b[" in text) == (style == "colored")
    if style != "plain":
        assert max(wide(line) for line in text.splitlines() if str(path) not in line) <= 80
    else:
        assert not set(text) & set("─│╭╰▸★→Ψħ[]")


def test_the_same_seed_is_the_same_game(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Cards, starter and opponents follow from the seed and from what the person does."""
    first, again, other = (tmp_path / name for name in ("1.cat", "2.cat", "3.cat"))
    play(monkeypatch, capsys, clueless(), "--players", "3", "--record", str(first))
    play(monkeypatch, capsys, clueless(), "--players", "3", "--record", str(again))
    assert first.read_text() == again.read_text()
    options = ("--players", "3", "--seed", "8", "--record", str(other))
    play(monkeypatch, capsys, clueless(), *options)
    assert other.read_text() != first.read_text()


def test_a_random_seed_is_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A game can be repeated even if nobody thought of a seed."""
    typed(monkeypatch, "quit\n")
    assert main(["play"]) == 0
    assert re.search(r"seed \d+", capsys.readouterr().out)


@pytest.mark.parametrize("typing", ["", "2\n", "2\n2\n", "2\n2\nquit\n"])
def test_leaving_saves_an_unfinished_game(
    typing: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The end of the input is a polite good-bye: the record is good, and says how to go on."""
    path = tmp_path / "my game.cat"
    text = play(monkeypatch, capsys, typing, "--record", str(path))
    game = read_game(path)
    assert not game.over
    assert game.rounds
    assert f"--resume '{path}' --seat 0 --seed 7 --level gentle" in text
    assert [found.name for found in tmp_path.iterdir()] == ["my game.cat"]


def test_a_game_left_and_resumed_is_the_same_game(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """With its seed, a game goes on as if nobody had left."""
    through, broken = tmp_path / "through.cat", tmp_path / "broken.cat"
    lines = clueless().splitlines(keepends=True)
    play(monkeypatch, capsys, "".join(lines), "--players", "3", "--record", str(through))
    for part in ("".join(lines[:60]), "".join(lines[60:])):
        options = ["--resume"] if broken.exists() else ["--players", "3", "--record"]
        play(monkeypatch, capsys, part, *options, str(broken))
    assert broken.read_text() == through.read_text()


def test_without_a_name_the_record_goes_to_the_data_folder(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Nobody has to think of a file; the place is printed."""
    text = play(monkeypatch, capsys, "quit\n")
    (found,) = (tmp_path / "data" / "catinthebox" / "games").iterdir()
    assert str(found) in text
    assert re.fullmatch(r"\d{8}-\d{6}\.cat", found.name)


def test_two_games_in_one_second_have_two_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A record is never overwritten by the next game."""
    from datetime import datetime

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    now = datetime(2024, 5, 6)
    first = default_path(now)
    first.parent.mkdir(parents=True)
    first.touch()
    assert default_path(now) != first


ANSWERS = {
    "7x": "'7x' is not an action",
    "5b": "everybody sets one card aside first",
    "8 9": "'8 9' is not an action",
    "=9": "nobody may bid 9",
    "-9": "you hold no 9",
    "why": "why what?",
    "why 5b": "everybody sets one card aside first",
    "why 1": "You can discard 1",
    "rules R99": "there is no rule R99",
    "rules r14": "Red may not be led",
    "rules": "R34",
    "?": "What you can type",
    "HELP": "What you can type",
    "hint": "The coach would discard",
    "hint all": "verdict",
    "hint 5": "Write: hint, or hint all",
    "legal": "discard 1",
    "": "discard 1",
    "board": "5b",
    "hand": "rbyg",
    "last": "No trick is complete yet",
    "scores": "everybody has 0 points",
    "x" * 500: "xxx",
    "\x1b[2J": "is not an action",
}


@pytest.mark.long
@pytest.mark.parametrize("line", ANSWERS, ids=lambda line: ascii(line[:9]))
def test_every_input_has_an_answer(
    line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Commands are obeyed, mistakes explained, and the question is asked again."""
    text = play(monkeypatch, capsys, f"{line}\n")
    answer = text.split("Set aside: ")[1]
    assert ANSWERS[line].lower() in " ".join(answer.lower().split())
    assert text.count("Set aside: ") == 2


def test_refusals_speak_of_names(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The rules count seats; people have names."""
    tries = "\n".join(EVERYTHING)
    text = play(monkeypatch, capsys, f"7\n2\n{tries}\n", "--names", "Zoë", "Max")
    refusals = re.findall(r"is already on the board \((\w+)\)", text)
    assert set(refusals) <= {"you", "Max", "Curie", "Dirac"}
    assert refusals
    assert not re.search(r"[^-]\bseat \d", text)


def test_a_play_can_be_explained_before_it_is_made(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`why` names the price of another color."""
    options = ("--starter", "1", "--players", "3")
    questions = "\n".join(f"why {cell}" for cell in EVERYTHING)
    text = play(monkeypatch, capsys, f"1\n2\n3\n4\n{questions}\n", *options)
    assert "costs you no color" in text
    assert "gives up" in text
    assert "you keep" in text


def table(players: int = 3) -> PlaySession:
    """A session whose record goes nowhere."""
    game = Game.new(players)
    save_file, opponents = SaveFile(Path("/dev/null/game.cat")), Opponents(["gentle"], 0, players)
    return PlaySession(game, 0, "7", Terminal(), save_file, opponents, slow=False)


def test_a_failing_disk_is_reported_once_and_the_game_continues(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Playing matters more than saving."""
    typed(monkeypatch, clueless())
    assert table().run() == 0
    text = capsys.readouterr().out
    assert text.count("cannot write") == 1
    assert "The game is over" in text
    assert "Saved" not in text


def test_an_interrupt_is_a_good_bye_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ctrl-C ends the program with the status that shells expect."""

    def interrupt(prompt: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupt)
    assert main(["play"]) == 130
    assert "Go on with it" in capsys.readouterr().out


def test_pauses_are_for_people_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """A slow session sleeps between moves; a fast one never does."""
    slept: list[float] = []
    monkeypatch.setattr("time.sleep", slept.append)
    session = table()
    session.pause(1.0)
    assert slept == []
    session.slow = True
    session.pause(1.0)
    assert slept == [1.0]


BAD_OPTIONS = {
    ("--players", "6"): "for 2, 3, 4, 5 players",
    ("--players", "0"): "not 0",
    ("--seat", "4"): "no seat 4",
    ("--starter", "9"): "starter 9 is not a seat",
    ("--face", "mauve"): "no face 'mauve'",
    ("--edition", "first", "--players", "5"): "not 5",
    ("--names", "A", "B", "C", "D", "E"): "5 names for 4 players",
    ("--level", "meek"): "no player meek; there are gentle, steady, sharp, fierce, uncanny",
    ("--level", "gentle", "sharp"): "2 levels for 3 opponents",
    ("--level", "search:ms=soon"): "should be a number",
    ("--resume", "/nowhere.cat"): "No such file",
    ("--resume", "/nowhere.cat", "--players", "3"): "the record decides",
}


@pytest.mark.parametrize("options", BAD_OPTIONS, ids=" ".join)
def test_bad_options_are_explained(
    options: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """One sentence, exit status 2, no game."""
    assert main(["play", *options]) == 2
    assert BAD_OPTIONS[options] in capsys.readouterr().err


def test_a_record_of_another_game_is_not_overwritten(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """`--record` makes a new file."""
    path = tmp_path / "old.cat"
    path.write_text("precious")
    assert main(["play", "--record", str(path)]) == 2
    assert "exists already" in capsys.readouterr().err
    assert path.read_text() == "precious"


def test_a_finished_game_cannot_be_resumed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """It can be replayed, and the answer says so."""
    path = tmp_path / "game.json"
    play(monkeypatch, capsys, clueless(), "--players", "2", "--record", str(path))
    assert record.read_json(path.read_text()).over
    assert main(["play", "--resume", str(path)]) == 2
    assert "replay" in capsys.readouterr().err


def test_a_face_comes_from_a_file_as_a_house_rule(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Owners can describe the board they own; everybody is told."""
    path = tmp_path / "tall.face"
    path.write_text("face tall\n" + "\n".join(f"r{n} b{n} y{n} g{n}" for n in range(1, 10)))
    text = play(monkeypatch, capsys, "board\n", "--face", str(path))
    assert "House rule: the tall face" in text
    assert "1r    1b    1y    1g" in text
    with pytest.raises(NotUnderstood, match="face file"):
        read_face("nowhere")


def test_names_are_filled_up() -> None:
    """Nobody has to think of four names, and no name is given twice."""
    assert new_names(3, []) == ("Ada", "Bohr", "Curie")
    assert new_names(3, ["Bohr"]) == ("Bohr", "Curie", "Dirac")
    assert len(set(new_names(5, ["Emmy", "Dirac"]))) == 5


@pytest.mark.process
def test_a_terminal_without_unicode_gets_letters() -> None:
    """The program as people start it, on an ASCII terminal."""
    command = [sys.executable, "-m", "catinthebox", "play", "--seed", "7", "--names", "Zoë"]
    command += ["--level", "gentle"]
    done = subprocess.run(
        command,
        input=b"7\n2\n2b\n",
        capture_output=True,
        check=True,
        env={"PYTHONIOENCODING": "ascii", "HOME": "/nonexistent"},
    )
    text = done.stdout.decode("ascii")
    assert "[2bA]" in text
    assert ESCAPE.search(text) is None
