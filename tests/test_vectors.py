"""The published vectors: the oracle's figures, met by the engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from catinthebox import Setup
from catinthebox.game.round import Round
from catinthebox.game.vectors import Vector, check, count, parse

FILES = sorted((Path(__file__).parents[1] / "vectors").glob("*.txt"))


def vectors(path: Path) -> list[Vector]:
    """The vectors of a file."""
    return parse(path.read_text("utf-8"))


@pytest.mark.long
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_engine_agrees_with_every_vector(path: Path) -> None:
    """Counts, checksums, refusals and scores are the oracle's."""
    assert [sentence for vector in vectors(path) for sentence in check(vector)] == []


def test_enough_is_published() -> None:
    """At least 400 vectors over 2 to 5 players and both faces, 80 of them hand-made."""
    everything = [vector for path in FILES for vector in vectors(path)]
    assert len(everything) >= 400
    assert len({vector.name for vector in everything}) == len(everything)
    tables = {(v.fields["players"][0], v.fields["face"][0]) for v in everything}
    assert {
        ("2", "white"),
        ("3", "white"),
        ("3", "purple"),
        ("4", "white"),
        ("4", "purple"),
    } < tables
    assert ("5", "purple") in tables
    assert sum(len(vectors(path)) for path in FILES if path.stem == "tricky") >= 80


def test_a_vector_that_lies_is_noticed() -> None:
    """One figure changed, one sentence about it."""
    vector = vectors(FILES[0])[0]
    vector.depths[0]["nodes"] = "1"
    (sentence,) = check(vector)
    assert sentence.startswith(f"{vector.name}: depth 1 nodes should be 1, not ")


@pytest.mark.long
@pytest.mark.parametrize(
    ("hands", "nodes"),
    [
        ("223345566 223344556 112344566", [15, 285, 6270, 81660]),
        ("122345678 455567788 123334468 224566778", [24, 465, 10530]),
        ("22335679 45566789 13345699 23478889 22456778", [18, 420, 9522]),
    ],
)
def test_known_node_counts_from_the_first_lead(hands: str, nodes: list[int]) -> None:
    """Counts that were computed independently, before this engine existed."""
    round = Round(Setup(tuple(hands.split()), discarded=True))
    assert [int(row["nodes"]) for row in count(round, len(nodes))] == nodes
