"""Compiled perft: the same counts, at a depth the interpreter would not reach."""

from __future__ import annotations

from pathlib import Path

import pytest

from catinthebox.cli import main
from catinthebox.fast import perft
from catinthebox.game import vectors
from catinthebox.rules import perft as columns

VECTORS = Path(__file__).parents[2] / "vectors"


def test_compiled_counts_are_the_published_ones() -> None:
    """Every vector with counts, column by column."""
    checked = 0
    for path in sorted(VECTORS.glob("*.txt")):
        for vector in vectors.parse(path.read_text("utf-8")):
            if vector.depths:
                round = vector.round()
                rows = perft.count(round.vector, len(vector.depths), round.face.touch)
                assert vectors.in_words(rows, round.players) == vector.depths
                checked += 1
    assert checked > 300


@pytest.mark.long
@pytest.mark.clause("F5")
def test_all_deals_at_three_players_give_the_published_sums() -> None:
    """1,114,623 deals, to depth 2 here; `catinthebox perft --all-deals` shows depth 3."""
    lines = (VECTORS / "all-deals-3p.perft").read_text("utf-8").splitlines()[2:]
    published = [line.split() for line in lines]
    deals, rows = perft.all_deals(2, threads=2)
    assert published[0] == ["deals", str(deals)]
    for row, words in zip(rows, published[1:], strict=False):
        assert words[3::2] == [str(row[columns.NODES]), str(row[columns.CHECK])]


def test_the_command_counts_at_machine_speed(capsys: pytest.CaptureFixture[str]) -> None:
    """`--compiled` prints the table of the interpreter."""
    words = ["perft", "--hands", "223345566", "223344556", "112344566", "--depth", "3"]
    assert main(words) == 0
    interpreted = capsys.readouterr().out
    assert main([*words, "--compiled"]) == 0
    assert capsys.readouterr().out == interpreted
    assert main([*words, "--compiled", "--divide"]) == 0
    assert capsys.readouterr().out.endswith("total 6270\n")
