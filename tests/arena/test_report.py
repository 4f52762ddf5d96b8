"""Reports: complete, escaped, and the same bytes for the same rows."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from arena.made_up import by_strength, everybody, match

from catinthebox import NotUnderstood
from catinthebox.arena import plots
from catinthebox.arena.numbers import milliseconds, percent, plain, signed, span
from catinthebox.arena.plots import Dot, shortened, ticks
from catinthebox.arena.report import write
from catinthebox.arena.results import SeatResult

STRENGTHS = {"careful": 2.0, "follow": 0.0, "random": -2.0}
HOSTILE = '<script>alert("1")</script>&\'|`*_[x](y)`\n# h\x07'
VOID = {"meta", "wbr", "line", "circle"}


class Balanced(HTMLParser):
    """Checks that every tag is closed in its turn, and collects what stands where."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A tag opens; nothing in it runs or leads away."""
        self.tags.append(tag)
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attrs:
            assert not name.startswith("on"), name
            assert name not in {"src", "style"}, name
            if name == "href":
                assert value is not None
                assert value.startswith("#")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A mark of a drawing."""
        assert tag in VOID
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """The tag that was opened last is closed."""
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Text between tags."""
        self.text.append(data)


def parsed(page: Path) -> Balanced:
    """Read a page to its end."""
    reader = Balanced()
    reader.feed(page.read_text(encoding="utf-8"))
    reader.close()
    assert reader.open == []
    return reader


@pytest.fixture(scope="module")
def rows() -> list[SeatResult]:
    """Two table sizes."""
    names, edge = [*STRENGTHS], by_strength(STRENGTHS)
    return everybody(2, names, edge, 25) + everybody(3, names, edge, 25)


def test_two_files(rows: list[SeatResult], tmp_path: Path) -> None:
    """A page to read, and one to show; the folder is made."""
    files = write(rows, tmp_path / "new" / "folder", "A title")
    assert [file.name for file in files] == ["report.md", "report.html"]
    assert all(file.read_text(encoding="utf-8") for file in files)


@pytest.mark.long
def test_the_same_rows_give_the_same_bytes(rows: list[SeatResult], tmp_path: Path) -> None:
    """In whatever order they come."""
    one = write(rows, tmp_path / "one", "A title")
    two = write(Random(1).sample(rows, len(rows)), tmp_path / "two", "A title")
    assert [file.read_bytes() for file in one] == [file.read_bytes() for file in two]


def test_everything_is_in_it(rows: list[SeatResult], tmp_path: Path) -> None:
    """Sections for each table, tables, plots, notes; both files tell the same."""
    md, page = write(rows, tmp_path, "A title")
    reader, text = parsed(page), md.read_text(encoding="utf-8")
    said = " ".join(reader.text)
    for words in ("2 players, rounds", "3 players, rounds", "Ladder", "Payoff", "How they play"):
        assert words in said
        assert words in text
    assert reader.tags.count("svg") == 4  # ratings and differences, at two tables
    assert reader.tags.count("table") == 6
    assert "careful beats random" in said
    assert "careful invades random" in said
    assert "None: the clear differences fit on one ladder." in text
    assert "▲ +" in said
    assert "▼ −" in said


def test_it_stands_by_itself(rows: list[SeatResult], tmp_path: Path) -> None:
    """No script, nothing from elsewhere, both color schemes, a phone's width."""
    _, page = write(rows, tmp_path, "A title")
    text = page.read_text(encoding="utf-8")
    assert not {"script", "link", "img", "iframe"} & set(parsed(page).tags)
    assert not re.search(r"https?:|url\(|@import", text)
    assert "prefers-color-scheme: dark" in text
    assert 'name="viewport"' in text


def test_hostile_names_are_only_text(tmp_path: Path) -> None:
    """Whatever a player is called, it opens no tag and breaks no table."""
    met = match(3, "a", "b", by_strength({"a": 1.0, "b": 0.0}), 25)
    rows = [replace(row, player=HOSTILE) if row.player == "a" else row for row in met]
    md, page = write(rows, tmp_path, HOSTILE)
    reader = parsed(page)
    assert "script" not in reader.tags
    assert any("<script>" in piece for piece in reader.text)
    text = md.read_text(encoding="utf-8")
    assert "<script" not in text
    tables = [line for line in text.splitlines() if line.startswith("|")]
    assert all(line.endswith("|") for line in tables)
    assert not re.search(r"(?<!\\)[`*_]", text)


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    """A sentence, not a traceback."""
    (tmp_path / "taken").write_text("mine", encoding="utf-8")
    with pytest.raises(NotUnderstood, match="taken: File exists"):
        write([], tmp_path / "taken", "No folder")
    assert (tmp_path / "taken").read_text(encoding="utf-8") == "mine"


def test_cycles_are_listed(tmp_path: Path) -> None:
    """A planted one is shown as it goes round."""
    wins = {("rock", "scissors"), ("scissors", "paper"), ("paper", "rock")}
    rows = everybody(3, ["rock", "paper", "scissors"], lambda a, b: 3 if (a, b) in wins else -3, 25)
    md, page = write(rows, tmp_path, "RPS")
    assert "paper > rock > scissors > paper" in " ".join(parsed(page).text)
    assert "paper &gt; rock &gt; scissors &gt; paper" in md.read_text(encoding="utf-8")
    assert "1 cycle of clear differences" in md.read_text(encoding="utf-8")


@pytest.mark.parametrize("deals", [0, 1, 2])
def test_little_is_reported_too(deals: int, tmp_path: Path) -> None:
    """Nothing, or so little that there is no interval."""
    md, page = write([*match(3, "a", "b", lambda *_: 0.0, deals)], tmp_path, "Little")
    parsed(page)
    wanted = "too few to tell" if deals else "Nothing has been played"
    assert wanted in md.read_text(encoding="utf-8")


def test_a_player_that_met_only_itself(tmp_path: Path) -> None:
    """It has no rating and no payoff, but it has played."""
    md, page = write([*match(3, "a", "a", lambda *_: 0.0, 3)], tmp_path, "Alone")
    parsed(page)
    assert "no two different players have met" in md.read_text(encoding="utf-8")


def test_games_are_counted_as_games(tmp_path: Path) -> None:
    """Points are per game; hits and paradoxes stay per round."""
    rounds = [*match(3, "a", "b", lambda *_: 0.0, 25)]
    games = [replace(row, match=f"{row.match} games", hits=3, paradoxes=0) for row in rounds]
    md, _ = write(rounds + games, tmp_path, "Both")
    text = md.read_text(encoding="utf-8")
    assert "## 3 players, rounds" in text
    assert "Points a game" in text
    assert "| 100.0 % |" in text


def test_without_openskill_the_rest_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The ladder says what is missing."""
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    md, page = write([*match(3, "a", "b", lambda *_: 0.0, 3)], tmp_path, "Plain")
    parsed(page)
    assert "No ratings: this needs openskill" in md.read_text(encoding="utf-8")
    assert "### Payoff" in md.read_text(encoding="utf-8")


def test_numbers() -> None:
    """One way to write each kind."""
    assert [signed(value) for value in (1.005, -0.001, 0.0, -12.345)] == [
        "+1.00",
        "0.00",
        "0.00",
        "−12.35",
    ]
    assert plain(float("inf")) == "–"
    assert span(float("-inf"), float("inf")) == "unknown"
    assert percent(0.12345) == "12.3 %"
    assert [milliseconds(ms) for ms in (0.0421, 12.34, 1234.5)] == ["0.042", "12.3", "1,234"]


@pytest.mark.parametrize(("low", "high"), [(-1.0, 1.0), (0.001, 0.0017), (-1e6, 3e6), (24, 25)])
def test_ticks_are_few_and_inside(low: float, high: float) -> None:
    """At least two, at most eight, evenly apart."""
    found = ticks(low, high)
    assert 2 <= len(found) <= 8
    assert all(low <= value <= high for value in found)
    steps = {round((b - a) / (high - low), 6) for a, b in pairwise(found)}
    assert len(steps) == 1


def test_long_names_keep_both_ends() -> None:
    """Names of players differ at the end as often as at the beginning."""
    assert shortened("short", 10) == "short"
    for room in (7, 8):
        cut = shortened("search:rollouts=1000", room)
        assert len(cut) == room
        assert cut.startswith("sea")
        assert cut.endswith("000")


def test_infinite_whiskers_end_at_the_edge() -> None:
    """One deal has no interval; the plot still has numbers in it."""
    svg = plots.differences([Dot("a", 1.0, float("-inf"), float("inf"), "+1")], "about", "points")
    assert "inf" not in svg
    assert "nan" not in svg
