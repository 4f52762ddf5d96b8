"""`catinthebox puzzles`: an answer in the terminal, files that are checked, errors that help."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from catinthebox.cli import main
from catinthebox.cli.puzzles import read_puzzles

SHIPPED = read_puzzles(None)
FIRST = SHIPPED.puzzles[0]


def run(capsys: pytest.CaptureFixture[str], *words: str | Path) -> tuple[int, str, str]:
    """The exit status, the output, the complaints."""
    status = main(["puzzles", *map(str, words)])
    return status, *capsys.readouterr()


def answers(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    """Type some lines."""
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def test_the_best_answer_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A word that is no action is asked for again; every action is in the table."""
    answers(monkeypatch, "what", FIRST.best.action.notation.upper())
    status, text, _ = run(capsys, "show")
    assert status == 0
    assert "One of " in text
    assert f"Best: {FIRST.best.action.words} leads by" in text
    assert all(f"\n{one.action.words}" in text for one in FIRST.actions)


def test_a_wrong_answer_is_explained(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Against the action that was chosen; puzzles are found by id or by number."""
    worst = FIRST.actions[-1]
    answers(monkeypatch, worst.action.notation)
    _, text, _ = run(capsys, "show", FIRST.id)
    assert f"Against {worst.action.words}, which costs {worst.loss:.1f}" in text
    answers(monkeypatch)
    _, text, _ = run(capsys, "show", "1")
    assert "Best: " not in text
    assert f"Against {FIRST.tempting.action.words}" in text


def test_a_good_file_is_fine_and_a_bad_one_is_not(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The status says so; every problem is a line."""
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text(SHIPPED.text, "utf-8")
    assert run(capsys, "check", good)[:2] == (
        0,
        f"{len(SHIPPED.puzzles)} puzzles, all as they should be\n",
    )
    bad.write_text(SHIPPED.text.replace(f'"rating":{FIRST.rating}', '"rating":1', 1), "utf-8")
    status, text, _ = run(capsys, "check", bad)
    assert status == 1
    assert text == f"puzzle {FIRST.id}: its rating is 1; 800 to 2200\n"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("show", "zzzzzzzz"), "no puzzle 'zzzzzzzz'"),
        (("show", "0"), "no puzzle '0'"),
        (("check", "missing.json"), "missing.json: No such file"),
        (("check",), "check needs a file"),
        (("make",), "make needs --out FILE"),
        (("make", "a.json", "--out", "a.json"), "nothing else"),
        (("make", "--out", "a.json", "--count", "0"), "--count 0; 1 to 100000"),
        (("make", "--out", "a.json", "--jobs", "0"), "--jobs 0; 1 to 256"),
        (("make", "--out", "a.json", "--worlds", "401"), "--worlds 401; 4 to 400"),
    ],
)
def test_errors_say_what_would_be_right(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], says: str
) -> None:
    """Status 2, and nothing is done."""
    status, text, complaints = run(capsys, *words)
    assert (status, text) == (2, "")
    assert says in complaints


def test_an_error_names_the_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """And what is wrong with it."""
    path = tmp_path / "a.json"
    path.write_text("{}")
    status, _, complaints = run(capsys, "check", path)
    assert status == 2
    assert f"{path}: this is not a file of puzzles" in complaints


@pytest.mark.long
def test_make_writes_a_file_that_checks(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A puzzle of few worlds, and what was found on the way beside it."""
    out = tmp_path / "few.json"
    words = ("make", "--count", "1", "--worlds", "4", "--seed", "7", "--out", out)
    assert run(capsys, *words)[:2] == (0, f"Written: {out}, 1 puzzles\n")
    assert run(capsys, "check", out)[0] == 0
    written = out.read_bytes()
    assert run(capsys, *words)[0] == 0
    assert out.read_bytes() == written
    status, _, complaints = run(capsys, *words[:-4], "--seed", "8", "--out", out)
    assert status == 2
    assert "belongs to another run: seed is '7', not '8'" in complaints
