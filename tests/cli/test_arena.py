"""`catinthebox arena`: what it prints, what it keeps, what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from catinthebox.arena import Match, read
from catinthebox.cli import main

PAIR = ("--a", "follow", "--b", "random")


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """The exit status of an arena, what it printed, what it complained about."""
    status = main(["arena", *words])
    return status, *capsys.readouterr()


def test_two_players_in_both_directions(capsys: pytest.CaptureFixture[str]) -> None:
    """A table for each direction, then the verdict."""
    status, printed, complaints = run(capsys, *PAIR, "--players", "3", "--deals", "20")
    first, second, verdict = printed.split("\n\n")
    assert (status, complaints) == (0, "")
    assert first.startswith("3 players, one follow among random: 20 deals × 3 seatings\n")
    assert second.startswith("3 players, one random among follow: 20 deals × 3 seatings\n")
    for table in (first, second):
        names, a, b, difference, share = table.splitlines()[1:]
        assert names.split()[0] == "points"
        assert (a[:8], b[:8]) == ("A follow", "B random")
        assert len(names) == len(a) == len(b)
        assert difference.startswith("A − B: +")
        assert share.endswith("33.3 % would be fair")
    assert verdict.startswith("follow wins ")
    assert " points per round more than random, 95 % interval " in verdict


def test_the_worse_one_first(capsys: pytest.CaptureFixture[str]) -> None:
    """The verdict turns the sentence round; at two players there is one direction and no bid."""
    words = ("--a", "random", "--b", "follow", "--players", "2", "--deals", "20")
    _, printed, _ = run(capsys, *words)
    table, verdict = printed.split("\n\n")
    assert table.startswith("2 players, random against follow: ")
    assert "bonus" in table
    assert "bids" not in table
    assert verdict.startswith("follow wins ")


def test_equals_and_few_deals(capsys: pytest.CaptureFixture[str]) -> None:
    """No verdict where there is none."""
    words = ("--a", "random", "--b", "random", "--players", "2")
    _, printed, _ = run(capsys, *words, "--deals", "20")
    assert "no difference between random and random shows: 0.00 points per round" in printed
    _, printed, _ = run(capsys, *words, "--deals", "1")
    assert printed.endswith("random against random: too few deals to say, 1 of at least 20\n")


def test_a_table_and_whole_games(capsys: pytest.CaptureFixture[str]) -> None:
    """Everybody's lead, the best first."""
    _, printed, _ = run(capsys, "--table", "random", "follow", "--games", "--deals", "4")
    lines = printed.splitlines()
    assert lines[0] == "2 players, whole games, random, follow: 4 deals × 2 seatings"
    assert [line.split()[0] for line in lines[2:4]] == ["follow", "random"]
    assert lines[-2].startswith("  follow: +")


def test_a_ladder_with_a_report(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Every pairing in one file, a verdict each, and pages to read."""
    out = tmp_path / "rows.csv"
    words = ("--ladder", "follow", "random", "--players", "3", "--deals", "2", "--out", str(out))
    _, printed, _ = run(capsys, *words, "--report", str(tmp_path / "report"))
    verdict, *pages = printed.splitlines()
    assert verdict.startswith("follow against random: too few deals")
    assert pages
    assert all(Path(page).stat().st_size for page in pages)
    kinds = {Match.of_key(row.match).kind for row in read(out)}
    assert kinds == {"one", "many"}


def test_going_on(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The same command again prints the same, from the file; another one is refused."""
    out = tmp_path / "rows.parquet"
    words = (*PAIR, "--players", "2", "--deals", "3", "--out", str(out))
    first = run(capsys, *words, "--quiet")
    kept = out.read_bytes()
    assert run(capsys, *words) == first
    assert out.read_bytes() == kept
    status, printed, complaints = run(capsys, *words, "--seed", "x", "--face", "purple")
    assert (status, printed) == (2, "")
    assert "face there white, here purple; seed there 0, here x" in complaints


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ((), "name --a and --b, or a --table, or a --ladder"),
        (("--a", "follow"), "name --a and --b"),
        ((*PAIR, "--table", "follow", "random"), "name --a and --b"),
        (("--a", "nobody", "--b", "random"), "no player nobody"),
        ((*PAIR, "--players", "6"), "6 players; 2 to 5 can play"),
        (("--table", "follow", "random", "--players", "3"), "2 players named; this match needs 3"),
        (("--table", "follow"), "1 players; 2 to 5 can play"),
        (("--ladder", "follow", "follow"), "each one once"),
        ((*PAIR, "--face", "pink"), "no face 'pink'"),
    ],
)
def test_what_cannot_be_played(
    words: tuple[str, ...], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """One sentence, and status 2."""
    status, printed, complaints = run(capsys, *words)
    assert (status, printed) == (2, "")
    assert complaint in complaints


@pytest.mark.parametrize("place", ["taken", "taken/report"])
def test_a_report_that_has_no_place(
    place: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """It is said before anything is played, and the file in the way stays as it is."""
    (tmp_path / "taken").write_text("mine", encoding="utf-8")
    out = tmp_path / "rows.csv"
    words = (*PAIR, "--deals", "1", "--out", str(out), "--report", str(tmp_path / place))
    status, printed, complaints = run(capsys, *words)
    assert (status, printed) == (2, "")
    assert complaints.startswith(f"catinthebox: --report {tmp_path / place}: ")
    assert complaints.endswith("; name a folder that can be written to\n")
    assert not out.exists()
    assert (tmp_path / "taken").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--deals", "0"), "'0' is not a number of deals, 1 to 10000000"),
        (("--jobs", "x"), "'x' is not a number of processes, 1 to 256"),
        (("--jobs", "257"), "'257' is not a number of processes, 1 to 256"),
        (("--jobs", "9" * 5000), "is not a number of processes, 1 to 256"),
        (("--out", "rows.txt"), "'rows.txt' should end in .csv or .parquet"),
    ],
)
def test_what_cannot_be_parsed(
    words: tuple[str, ...], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Numbers and names of files are checked by the parser, each with a sentence."""
    with pytest.raises(SystemExit):
        main(["arena", *PAIR, *words])
    assert f"argument {words[0]}: " in (complaints := capsys.readouterr().err)
    assert complaint in complaints
