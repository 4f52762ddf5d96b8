"""Where everything lies in the state vector."""

from __future__ import annotations

import pytest
from sample_rounds import cell, cells, positions

from catinthebox.rules import layout
from catinthebox.rules.layout import (
    BLUE,
    BOARD,
    COLUMN,
    GREEN,
    IN_LANE,
    LANE,
    LANE_START,
    MAX_RANK,
    MAX_SEATS,
    RED,
    ROW,
    SIZE,
    YELLOW,
    after,
    cell_bit,
)

COLORS = (RED, BLUE, YELLOW, GREEN)
EVERY = [(color, rank) for color in COLORS for rank in range(1, MAX_RANK + 1)]


@pytest.mark.clause("R11")
def test_every_cell_has_a_bit_of_its_own() -> None:
    """The 36 cells are 36 different bits, and together they are the board."""
    bits = {cell_bit(color, rank) for color, rank in EVERY}
    assert len(bits) == 36
    assert sum(bits) == BOARD


@pytest.mark.parametrize(("color", "rank"), EVERY)
def test_a_cell_lies_where_its_row_and_column_cross(color: int, rank: int) -> None:
    """Masks for a row, a column and a lane agree with the number of the cell."""
    place = color * LANE + rank - 1
    assert cell_bit(color, rank) == (ROW << LANE * color) & (COLUMN << rank - 1) == 1 << place
    assert (place & LANE_START, place & IN_LANE) == (LANE * color, rank - 1)


def test_the_builder_of_tests_and_the_rules_number_cells_alike() -> None:
    """`5b` is blue 5, on both sides."""
    assert cell("5b") == 20
    assert cells("1r 9r 1b 9g") == 1 | 1 << 8 | 1 << 16 | 1 << 56


def test_no_two_slots_of_the_state_overlap() -> None:
    """Thirteen slots of the table, then seven groups with a slot for every seat."""
    table = [
        *("PLAYERS", "STARTER", "PHASE", "TURN", "LEADER", "LED", "BEST", "LEFT", "FREE"),
        *("TRICK", "RED_OPEN", "PARADOX", "LEGAL"),
    ]
    seats = ["HAND", "HELD", "MAY", "OWN", "WON", "BID", "DISCARD"]
    used = [getattr(layout, name) for name in table]
    used += [getattr(layout, name) + seat for name in seats for seat in range(MAX_SEATS)]
    assert sorted(used) == list(range(SIZE))


def test_every_value_fits_a_signed_word_of_64_bits() -> None:
    """No slot of any state reaches 2**63, so arrays of int64 can hold it."""
    assert max(value for round in positions() for value in round.vector) < 2**57
    assert min(value for round in positions() for value in round.vector) == -1


@pytest.mark.clause("R10")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_turn_goes_clockwise_and_comes_back(players: int) -> None:
    """After the last seat comes seat 0."""
    assert [after(seat, players) for seat in range(players)] == [*range(1, players), 0]
