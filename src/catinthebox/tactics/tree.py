"""The notebook of a search: where it stands, what is left to try, what it remembers.

A search that keeps all of this in arrays can stop after any node and go on later.

>>> memory = [[0, 0] for _ in range(4)]
>>> remember(memory, 9, 5)
>>> recall(memory, 9), recall(memory, 13)
(5, 0)
"""

from typing import Final

from ..rules.layout import *
from ..rules.marker import popcount, rule

# Slots of the control vector.
MODE: Final = 0
LEVEL: Final = 1  # of the open frame; -1 when the search is done
NODES: Final = 2  # positions reached so far
TARGET: Final = 3  # two seats: the question is whether the margin is at least this
VALUE: Final = 4  # of the position left last
SALT: Final = 5  # makes the codes of one round strange to every other round
CONTROL: Final = 6

# Modes: what a seat wants.
DUEL: Final = 0  # two seats: the margin
POINTS: Final = 1  # its own points
AHEAD: Final = 2  # to be ahead of the mean: players * own points - the sum of all points

# Slots of a frame, an open position. Its moves are cells, with anything above CELL for the order.
NEXT: Final = 0
END: Final = 1  # the frame is done when NEXT is here
TOP: Final = 2  # the best value so far
CHOICE: Final = 3  # and the cell that leads to it
KEY: Final = 4
LOW: Final = 5  # two seats: the margin is at least this
HIGH: Final = 6  # two seats: and at most this. More seats: what the seat can hope for
MOVES: Final = 7
FRAME: Final = MOVES + 4 * MAX_RANK
CELL: Final = 0x3F

# Memory: a row is a code and a word; an older row gives way.
WORDS: Final = 2
FAR: Final = 63  # no margin and no score is this far from 0
NO_CELL: Final = -1


@rule
def list_moves(cells: int, f: State) -> None:
    """Note the moves of a frame in the order of their action ids."""
    f[NEXT] = 0
    f[END] = 0
    while cells != 0:
        f[MOVES + f[END]] = popcount((cells & -cells) - 1)
        f[END] += 1
        cells &= cells - 1


@rule
def recall(memory: list[State], code: int) -> int:
    """Return the word remembered with a code; 0 if there is none."""
    row = memory[code & len(memory) - 1]
    return row[1] if row[0] == code else 0


@rule
def remember(memory: list[State], code: int, word: int) -> None:
    """Keep a word; words are never 0."""
    row = memory[code & len(memory) - 1]
    row[0] = code
    row[1] = word
