"""The round as a flat vector of integers: what each slot means and where it lies.

A cell of the research board is `color << 4 | rank - 1`, so a color's row is a 16-bit lane and a
set of cells is one integer of 57 bits:

    rank            9  8  7  6  5  4  3  2  1
    red     bits    8  7  6  5  4  3  2  1  0
    blue           24 23 22 21 20 19 18 17 16
    yellow         40 39 38 37 36 35 34 33 32
    green          56 55 54 53 52 51 50 49 48

Every value stays below 2**63: the same function means the same thing on a `list[int]`, on an
int64 array and on a GPU.

>>> bin(cell_bit(BLUE, 1)), cell_bit(BLUE, 1) & ROW << LANE * BLUE == cell_bit(BLUE, 1)
('0b10000000000000000', True)
"""

from typing import Final

from .marker import rule

State = list[int]

# Colors, from the top row of the board down. Red is trump (R18).
RED: Final = 0
BLUE: Final = 1
YELLOW: Final = 2
GREEN: Final = 3

LANE: Final = 16
ROW: Final = 0x1FF  # the nine cells of red; ROW << LANE * color is that color's row
COLUMN: Final = 0x0001_0001_0001_0001  # rank 1 in every color; COLUMN << rank - 1 is any column
BOARD: Final = ROW * COLUMN  # all 36 cells
LANE_START: Final = 0x30  # cell & LANE_START is LANE * color: where the cell's row begins
IN_LANE: Final = 0xF  # cell & IN_LANE is rank - 1

MAX_RANK: Final = 9
MAX_SEATS: Final = 5
COPIES: Final = 5  # of each rank in a deck
NOBODY: Final = -1

# A hand is a count of 0..5 per rank, three bits each: rank r sits at bits 3r-3 .. 3r-1.
COUNT_BITS: Final = 3
COUNT: Final = 7

# BEST, the card that is winning a trick, compares as a number.
TRUMP: Final = 1 << 7
SEAT: Final = 7

# Phases of a round.
DISCARDING: Final = 0
BIDDING: Final = 1
PLAYING: Final = 2
OVER: Final = 3

# Slots of the round.
PLAYERS: Final = 0
STARTER: Final = 1
PHASE: Final = 2
TURN: Final = 3  # the seat to act; while discarding the lowest seat still to discard
LEADER: Final = 4
LED: Final = 5  # the row of the led color, 0 while the trick is empty
BEST: Final = 6  # TRUMP if it is red | rank - 1 << 3 | seat of the card that is winning the trick
LEFT: Final = 7  # tricks still to be completed
FREE: Final = 8  # cells without any token
TRICK: Final = 9  # cells of the cards in the current (or interrupted) trick
RED_OPEN: Final = 10  # 1 once a player's token lies in the red row
PARADOX: Final = 11  # the seat that caused it, or NOBODY
LEGAL: Final = 12  # cells that the seat to act may declare; 0 outside the play phase

# Slots of a seat: slot + seat.
HAND: Final = 13  # counts per rank
HELD: Final = 18  # cells whose rank is in the hand
MAY: Final = 23  # rows whose color token the seat still has
OWN: Final = 28  # cells with the seat's tokens
WON: Final = 33
BID: Final = 38  # 0 = none
DISCARD: Final = 43  # the rank set aside, 0 = none yet
SIZE: Final = 48


@rule
def cell_of(color: int, rank: int) -> int:
    """Return the number of a cell."""
    return color * LANE + rank - 1


@rule
def cell_bit(color: int, rank: int) -> int:
    """Return a cell as a set of one."""
    return 1 << cell_of(color, rank)


@rule
def after(seat: int, players: int) -> int:
    """Return the next seat clockwise."""
    return seat + 1 if seat + 1 < players else 0
