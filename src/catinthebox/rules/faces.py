"""The faces of the research board, as data: a place (row, column) for every cell (R28).

>>> touch = touching(white())
>>> touch[0] == 1 << 1 | 1 << LANE          # red 1 touches red 2 and blue 1 (R29)
True
"""

from collections.abc import Mapping, Sequence

from .layout import BLUE, GREEN, IN_LANE, LANE, MAX_RANK, RED, YELLOW

Place = tuple[int, int]
Places = Mapping[int, Place]  # cell → (row, column)

CELLS: Sequence[int] = tuple(
    color * LANE + place for color in (RED, BLUE, YELLOW, GREEN) for place in range(MAX_RANK)
)
NEIGHBOURS = ((-1, 0), (1, 0), (0, -1), (0, 1))  # R27: no diagonals, no wrap-around


def white() -> Places:
    """Four straight rows (R29)."""
    return {cell: (cell // LANE, cell & IN_LANE) for cell in CELLS}


def purple() -> Places:
    """Rows shifted one column to the right of the row above (R30; the print is unverified)."""
    return {cell: (cell // LANE, (cell & IN_LANE) + cell // LANE) for cell in CELLS}


def touching(places: Places) -> list[int]:
    """For every cell the set of cells whose places touch its place orthogonally."""
    at = {place: cell for cell, place in places.items()}
    touch = [0] * (GREEN * LANE + LANE)
    for cell, (row, column) in places.items():
        for down, right in NEIGHBOURS:
            neighbour = at.get((row + down, column + right))
            if neighbour is not None:
                touch[cell] |= 1 << neighbour
    return touch
