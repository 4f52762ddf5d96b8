"""`catinthebox review`: text, JSON and a page; records that do not check are not analysed."""

from __future__ import annotations

import json
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest

from catinthebox import Game
from catinthebox.cli import main
from catinthebox.cli.files import read_game
from catinthebox.game import record

EXAMPLES = Path(__file__).parents[2] / "examples"
TWO, FOUR = EXAMPLES / "two-players.cat", EXAMPLES / "four-players.cat"
FEW = ("--worlds", "12")


def run(capsys: pytest.CaptureFixture[str], *words: str | Path) -> tuple[int, str, str]:
    """The exit status, the review, the complaints."""
    status = main(["review", *map(str, words)])
    return status, *capsys.readouterr()


@pytest.mark.long
def test_a_review_names_every_round_and_seat(capsys: pytest.CaptureFixture[str]) -> None:
    """Rounds, turning points, and how often each seat found the best."""
    status, text, complaints = run(capsys, TWO, *FEW)
    assert (status, complaints) == (0, "")
    assert "Round 1" in text
    assert "Turning points" in text
    assert all(name in text for name in read_game(TWO).names)


@pytest.mark.long
def test_json_has_every_decision(capsys: pytest.CaptureFixture[str]) -> None:
    """With its actions, verdict and reasons; the same again with the same seed."""
    words = (FOUR, "--seat", "0", "2", "--json", *FEW)
    status, text, _ = run(capsys, *words)
    assert status == 0
    found, game = json.loads(text), read_game(FOUR)
    decisions = [one for round in found["rounds"] for one in round["decisions"]]
    played = [play for round in game.rounds for play in round.actions if play.seat in (0, 2)]
    assert [one["action"] for one in decisions] == [play.action.notation for play in played]
    assert run(capsys, *words)[1] == text


class Page(HTMLParser):
    """Collects the tags of a page, and what it would load."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.loads: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag."""
        self.tags.append(tag)
        self.loads += [value or "" for name, value in attrs if name in ("src", "href")]


@pytest.mark.long
def test_a_page_stands_alone(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Nothing is loaded, and a name cannot write into it."""
    game = read_game(TWO)
    bad = record.write(game).replace(game.names[0], "<script>alert(1)</script>")
    path, target = tmp_path / "game.cat", tmp_path / "review.html"
    path.write_text(bad)
    assert run(capsys, path, "--html", target, *FEW)[0] == 0
    page = Page()
    page.feed(target.read_text("utf-8"))
    assert "script" not in page.tags
    assert page.loads == []
    asked = sum(len(round.actions) for round in game.rounds)
    assert page.tags.count("details") == asked


@pytest.mark.long
def test_text_page_and_json_agree(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """About accuracies, the bid's worth, hindsight, and the points that were expected."""
    target = tmp_path / "review.html"
    words = (FOUR, "--worlds", "4")
    text = run(capsys, *words)[1]
    found = json.loads(run(capsys, *words, "--json", "--html", target)[1])
    page = unescape(target.read_text("utf-8"))
    rows = text.splitlines()
    names = read_game(FOUR).names
    for name, accuracy in zip(names, found["accuracy"], strict=True):
        assert next(row for row in reversed(rows) if row.startswith(name)).endswith(f" {accuracy}")
        assert f'<tr><td>{name}\n<td class="n">{accuracy}\n' in page
    hindsight = [row.strip() for row in rows if row.startswith("  With hindsight: ")]
    late = [round["paradox_unavoidable_after"] for round in found["rounds"]]
    assert len(hindsight) == sum(after is not None for after in late) > 0
    assert all(f"<p>{line}</p>" in page for line in hindsight)
    assert page.count("<polyline") == sum(len(round["seats"]) for round in found["rounds"]) == 16
    for round in found["rounds"]:
        for seat in round["seats"]:
            one = next(each for each in round["decisions"] if each["seat"] == seat["seat"])
            points = next(a["points"] for a in one["actions"] if a["action"] == one["action"])
            name = f"  {names[seat['seat']]}"
            mine = [row.split() for row in rows if row.startswith(name)]
            ends = [f"{points:.1f}", f"{seat['points']}"]
            assert ends in [[row[1], row[-1]] for row in mine]
            assert f"{seat['bid_worth']:.1f}" in [row[-1] for row in mine]


def test_a_record_that_does_not_check_is_not_analysed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The line, and the reason."""
    lines = TWO.read_text("utf-8").splitlines()
    place = next(number for number, line in enumerate(lines) if line.startswith("trick"))
    lines[place] = lines[place][:-1] + ("1" if lines[place][-1] == "0" else "0")
    path = tmp_path / "broken.cat"
    path.write_text("\n".join(lines) + "\n")
    status, text, complaints = run(capsys, path)
    assert (status, text) == (2, "")
    assert f"line {place + 1}" in complaints


def test_what_cannot_be_reviewed_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A game that is not over would show what is still hidden."""
    path = tmp_path / "begun.cat"
    path.write_text(record.write(Game.new(3)))
    for words, complaint in (
        ((path,), "this game is not over"),
        ((TWO, "--seat", "2"), "no seat 2; 0 to 1"),
        ((TWO, "--worlds", "1"), "--worlds 1; 2 to 1024"),
        ((TWO, "--seed", "-1"), "--seed -1"),
    ):
        status, text, complaints = run(capsys, *words)
        assert (status, text) == (2, "")
        assert complaint in complaints
