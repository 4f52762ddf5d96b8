"""`catinthebox replay`: forward, back, and all at once."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from random import Random

import pytest
from sample_rounds import game_moments

from catinthebox import Game
from catinthebox.cli import main
from catinthebox.cli.replay import frames
from catinthebox.cli.terminal import wide
from catinthebox.game import record


class Keyboard(io.StringIO):
    """An input that says it is a terminal."""

    def isatty(self) -> bool:
        """Pretend."""
        return True


@pytest.fixture
def game() -> Game:
    return list(game_moments(Game.new(3), Random(3)))[-1]


@pytest.fixture
def file(game: Game, tmp_path: Path) -> Path:
    path = tmp_path / "game.cat"
    path.write_text(record.write(game), encoding="utf-8")
    return path


def replayed(capsys: pytest.CaptureFixture[str], *options: str) -> str:
    """What `replay` prints."""
    assert main(["replay", *options]) == 0
    return capsys.readouterr().out


def walked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], keys: str, *options: str
) -> str:
    """What `replay` prints when somebody presses these keys."""
    monkeypatch.setattr(sys, "stdin", Keyboard("\n".join(keys.split(",")) + "\n"))
    return replayed(capsys, *options)


def test_a_game_is_taken_apart_and_is_still_the_game(game: Game) -> None:
    """A frame for every deal and every action; the last one is the whole game."""
    steps = frames(game)
    assert len(steps) == sum(1 + len(round.actions) for round in game.rounds)
    assert steps[-1].game == game
    assert sum(step.before is None for step in steps) == 3


def test_a_pipe_gets_every_step(
    game: Game, file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """All discards, bids, plays, winners and scores in a row, 80 columns wide."""
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    text = replayed(capsys, str(file))
    assert text.count("aside.") == 9
    assert text.count(" bids ") == 9
    plays = sum(len(trick.plays) for round in game.rounds for trick in round.tricks)
    assert text.count(" leads ") + text.count(" plays ") == plays
    assert "The game is over" in text
    assert max(map(wide, text.splitlines())) < 80
    plain = replayed(capsys, str(file), "--plain")
    assert "red: 1 free" in plain
    assert not set(plain) & set("─│▸★→Ψħ")


def test_a_person_walks_through_it(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Next, previous, next trick, next round, a jump, the ends, quit."""
    text = walked(monkeypatch, capsys, ",n,p,p,p,t,r,5,x,999999999999999,n,q", str(file))
    prompts = [line.split(" of ")[0] for line in text.splitlines() if line.startswith("Step ")]
    numbers = [int(prompt.split()[1]) for prompt in prompts]
    assert numbers[:6] == [0, 1, 2, 1, 0, 0]
    assert "This is the beginning." in text
    assert "wins trick 1" in text
    assert "Round 2 of 3" in text
    assert "Step 5 of" in text
    assert text.count("t next trick") == 2
    assert "This is the end of the record." in text


def test_it_can_begin_anywhere(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--step` says where; the end of the input ends it."""
    assert "\nStep 7 of" in walked(monkeypatch, capsys, "", str(file), "--step", "6")
    assert main(["replay", str(file), "--step", "9999"]) == 2
    assert "no step 9999" in capsys.readouterr().err


@pytest.mark.clause("R33")
def test_hands_are_open_after_the_end_only(
    game: Game, file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A game in play keeps its secrets, unless one seat or all are asked for."""
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    hands = game.rounds[0].setup.hands
    text = replayed(capsys, str(file))
    assert all(hand in text for hand in hands)
    one = replayed(capsys, str(file), "--seat", "1")
    assert [hand in one for hand in hands] == [False, True, False]
    unfinished = Game.new(3).deal(hands).play("-" + hands[0][0])
    file.write_text(record.write(unfinished))
    closed = replayed(capsys, str(file))
    assert not any(hand in closed for hand in hands)
    assert "sets a card aside" in closed
    assert all(hand in replayed(capsys, str(file), "--open") for hand in hands)


BAD_FILES = {
    "": "line 1",
    "catinthebox 1\nplayers 3\n": "line",
    "hello\n": "line 1, column 1",
    "\xff\xfe": "line 1",
}


@pytest.mark.parametrize("content", BAD_FILES, ids=ascii)
def test_a_bad_file_is_refused_with_its_place(
    content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """File, line and column; exit status 2."""
    path = tmp_path / "bad.cat"
    path.write_text(content, encoding="utf-8")
    assert main(["replay", str(path)]) == 2
    error = capsys.readouterr().err
    assert str(path) in error
    assert BAD_FILES[content] in error


def test_a_lie_is_refused(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A record that breaks the rules is not shown."""
    file.write_text(file.read_text().replace("scores ", "scores 9", 1))
    assert main(["replay", str(file)]) == 2
    assert "line" in capsys.readouterr().err


def test_a_missing_file_or_seat_is_reported(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One sentence, exit status 2."""
    assert main(["replay", str(tmp_path / "nowhere.cat")]) == 2
    assert "No such file" in capsys.readouterr().err
    assert main(["replay", str(file), "--seat", "3"]) == 2
    assert "no seat 3" in capsys.readouterr().err


def test_a_game_that_has_not_begun_has_nothing_to_show(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A record without a deal."""
    path = tmp_path / "new.cat"
    path.write_text(record.write(Game.new(3)))
    assert main(["replay", str(path)]) == 2
    assert "has not begun" in capsys.readouterr().err
