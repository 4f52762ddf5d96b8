"""`catinthebox verify`: what is proven, what is not, and what was not understood."""

from __future__ import annotations

from pathlib import Path

import pytest
from fair_games import fair_game, moments, noise, nonces_of

from catinthebox import Game
from catinthebox.cli import main
from catinthebox.cli.verify import NOT_SHOWN, SHOWN
from catinthebox.game import record


def run(
    capsys: pytest.CaptureFixture[str], folder: Path, text: str, *options: str
) -> tuple[int, str, str]:
    """The exit status, the findings, the complaints."""
    file = folder / "game.cat"
    file.write_text(text, encoding="utf-8")
    status = main(["verify", str(file), *options])
    output, complaints = capsys.readouterr()
    return status, output.replace(f"{folder}/", ""), complaints


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_proven(players: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Either form: what was looked at, what it shows and what not."""
    game = fair_game(players, bots=1)
    answers = [
        run(capsys, tmp_path, text) for text in (record.write(game), record.write_json(game))
    ]
    assert answers[0] == answers[1]
    status, output, complaints = answers[0]
    assert (status, complaints) == (0, "")
    assert output.startswith("game.cat: proven\nyes  nonces: given by seat 0 (Ada)")
    assert f"yes  round {players}: every card is where" in output
    assert "NO" not in output
    assert SHOWN in output
    assert NOT_SHOWN in output
    assert game.fairness is not None
    assert output.endswith(f"one you were shown:\n{game.fairness.commitment}\n")


def test_not_proven(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A wrong secret: everything that differs, and not a word about what it would have shown."""
    game = fair_game(3)
    text = record.write(game)
    status, output, complaints = run(capsys, tmp_path, text[:-65] + "0" * 64 + "\n")
    assert (status, complaints) == (1, "")
    assert output.startswith("game.cat: NOT proven\n")
    assert "NO   commitment: the revealed secret is another one than promised" in output
    assert "NO   round 2: seat 1 (Bohr) was dealt " in output
    assert SHOWN not in output


@pytest.mark.parametrize(
    ("game", "sentence"),
    [
        (Game.new(3), "says nothing about how its cards were shuffled"),
        (moments(2)[5], "the game is not over"),
        (moments(2)[-2], "it was not revealed"),
        (fair_game(2, bots=2), "no seat gave one"),
    ],
    ids=["no promise", "in play", "not revealed", "no nonce"],
)
def test_nothing_to_prove(
    game: Game, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Good records that prove nothing: status 1, and why."""
    status, output, complaints = run(capsys, tmp_path, record.write(game))
    assert (status, complaints) == (1, "")
    assert output.startswith("game.cat: NOT proven\n")
    assert sentence in output


def test_what_was_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The commitment and the nonce that a player noted, in small or large letters."""
    game = fair_game(3)
    assert game.fairness is not None
    text, kept = record.write(game), game.fairness.commitment
    mine = nonces_of(3)[2].hex().upper()
    status, output, _ = run(capsys, tmp_path, text, "--commitment", kept, "--nonce", mine)
    assert (status, "to compare" in output) == (0, False)
    assert "yes  your commitment: it is the one in the record\nyes  your nonce: it is in" in output
    status, output, _ = run(capsys, tmp_path, text, "--nonce", noise("other").hex())
    assert (status, "NO   your nonce: it is not in the record" in output) == (1, True)
    status, output, _ = run(capsys, tmp_path, text, "--commitment", "0" * 64)
    assert (status, "NO   your commitment: the record has another one" in output) == (1, True)


@pytest.mark.parametrize("option", ["--commitment", "--nonce"])
@pytest.mark.parametrize("value", ["", "abc", "x" * 64, "0" * 66])
def test_options_that_are_not_understood(
    option: str, value: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Status 2, and what belongs there."""
    status, output, complaints = run(capsys, tmp_path, record.write(fair_game(2)), option, value)
    assert (status, output) == (2, "")
    assert complaints == f"catinthebox: {option}: 64 hexadecimal digits belong here\n"


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("catinthebox 1", "catinthebox 2", "version 2 is unknown"),
        ("fair 1", "fair 2", "fair deals of version 2 are unknown; this reads 1"),
        ("table lab-7", "table lab:7", "a table id is"),
        ("\nsecret ", "\nsecret 0", "is not 64 hexadecimal digits"),
        ("\nwinners ", "\nwinners 9 ", "the list of winners"),
    ],
)
def test_records_that_are_not_understood(
    old: str, new: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What cannot be read, or lies about the game itself: status 2, with the place."""
    text = record.write(fair_game(2)).replace(old, new)
    status, output, complaints = run(capsys, tmp_path, text)
    assert (status, output) == (2, "")
    assert "game.cat: line " in complaints
    assert sentence in complaints
    assert main(["verify", str(tmp_path / "none.cat")]) == 2
