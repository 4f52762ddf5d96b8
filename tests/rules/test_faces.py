"""Places of the two faces, and which cells touch."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sample_rounds import cell, cells

from catinthebox.rules.faces import CELLS, Places, purple, touching, white

FACES = pytest.mark.parametrize("face", [white, purple])


@pytest.mark.clause("R29")
def test_white_has_four_straight_rows_with_red_on_top() -> None:
    """Rows red, blue, yellow, green; ranks ascend from left to right; column = rank."""
    places = white()
    assert [places[cell(f"1{color}")] for color in "rbyg"] == [(0, 0), (1, 0), (2, 0), (3, 0)]
    assert [places[cell(f"{rank}y")] for rank in range(1, 10)] == [(2, c) for c in range(9)]


@pytest.mark.clause("R30")
def test_purple_shifts_each_row_one_column_to_the_right() -> None:
    """Every row begins under the second cell of the row above: twelve columns in all."""
    places = purple()
    assert [places[cell(f"1{color}")] for color in "rbyg"] == [(0, 0), (1, 1), (2, 2), (3, 3)]
    assert [places[cell(f"{rank}g")] for rank in range(1, 10)] == [(3, c) for c in range(3, 12)]


@pytest.mark.clause("R27", "R28", "R29")
@pytest.mark.parametrize(
    ("word", "near"),
    [
        ("1r", "2r 1b"),
        ("9r", "8r 9b"),
        ("5b", "4b 6b 5r 5y"),
        ("1g", "1y 2g"),
        ("9g", "9y 8g"),
    ],
)
def test_on_white_a_cell_touches_its_four_neighbours(word: str, near: str) -> None:
    """Up, down, left, right: no diagonals, no way round an edge."""
    assert touching(white())[cell(word)] == cells(near)


@pytest.mark.clause("R27", "R28", "R30")
@pytest.mark.parametrize(
    ("word", "near"),
    [
        ("1r", "2r"),
        ("2r", "1r 3r 1b"),
        ("9r", "8r 8b"),
        ("1b", "2b 2r"),
        ("5b", "4b 6b 6r 4y"),
        ("9g", "8g"),
    ],
)
def test_on_purple_a_cell_touches_the_shifted_neighbours(word: str, near: str) -> None:
    """Blue 5 lies under red 6 and over yellow 4."""
    assert touching(purple())[cell(word)] == cells(near)


@pytest.mark.clause("R28")
@FACES
def test_touching_is_mutual_and_never_of_oneself(face: Callable[[], Places]) -> None:
    """If a touches b then b touches a, and lanes hold nothing but the 36 cells."""
    touch = touching(face())
    assert [i for i, near in enumerate(touch) if near] == list(CELLS)
    for one in CELLS:
        assert touch[one] >> one & 1 == 0
        assert [touch[other] >> one & 1 for other in CELLS] == [
            touch[one] >> other & 1 for other in CELLS
        ]


@pytest.mark.clause("R28")
@FACES
def test_cells_touch_exactly_if_their_places_are_one_step_apart(
    face: Callable[[], Places],
) -> None:
    """Adjacency is computed from the places and from nothing else."""
    places, touch = face(), touching(face())
    for one in CELLS:
        near = {b for b in CELLS if _steps(places[one], places[b]) == 1}
        assert touch[one] == sum(1 << other for other in near)


def _steps(one: tuple[int, int], other: tuple[int, int]) -> int:
    return abs(one[0] - other[0]) + abs(one[1] - other[1])
