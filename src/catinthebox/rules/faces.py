"""The faces of the research board, as data: a place (row, column) for every cell (R28).

>>> touch = touching(white())
>>> touch[0] == 1 << 1 | 1 << LANE          # red 1 touches red 2 and blue 1 (R29)
True
"""

from collections.abc import Mapping, Sequence

from .layout import BLUE, GREEN, IN_LANE, LANE, MAX_RANK, RED, YELLOW
from .marker import rule

Place = tuple[int, int]
Places = Mapping[int, Place]  # cell → (row, column)

CELLS: Sequence[int] = tuple(
    color * LANE + place for color in (RED, BLUE, YELLOW, GREEN) for place in range(MAX_RANK)
)
LANES = GREEN * LANE + LANE  # numbers that a cell may have; only nine of each lane are cells
NOWHERE = -2  # row and column of a number that is no cell: it touches nothing


def white() -> Places:
    """Four straight rows (R29)."""
    return {cell: (cell // LANE, cell & IN_LANE) for cell in CELLS}


def purple() -> Places:
    """Rows shifted one column to the right of the row above (R30; the print is unverified)."""
    return {cell: (cell // LANE, (cell & IN_LANE) + cell // LANE) for cell in CELLS}


def touching(places: Places) -> list[int]:
    """For every cell the set of cells whose places touch its place orthogonally."""
    rows, columns, touch = [NOWHERE] * LANES, [NOWHERE] * LANES, [0] * LANES
    for cell, (row, column) in places.items():
        rows[cell], columns[cell] = row, column
    touch_places(rows, columns, touch)
    return touch


@rule
def touch_places(rows: Sequence[int], columns: Sequence[int], touch: list[int]) -> None:
    """Write for every cell the cells that it touches: no diagonals, no wrap-around (R27, R28).

    `rows` and `columns` have the place of each cell, both NOWHERE for a number that is no cell.
    """
    for cell in range(LANES):
        near = 0
        for other in range(LANES):
            down = rows[other] - rows[cell]
            right = columns[other] - columns[cell]
            if down * down + right * right == 1:
                near |= 1 << other
        touch[cell] = near
