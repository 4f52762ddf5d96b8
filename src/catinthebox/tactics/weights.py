"""The weights of a careful player: one for each consideration, a row for each table size.

All are in sixty-fourths of a point, roughly. `bench/tune.py` found the numbers by letting rows play
against each other (docs/strength.md); the names say how they are read.
"""

from collections.abc import Sequence
from typing import Final

# Being able to play on: what the hand that remains costs.
STUCK: Final = 0  # a first card without any open cell; the last card need not be played (R19)
STUCK_MORE: Final = 1  # each further one: a paradox to come
STUCK_WON: Final = 2  # … more, for each trick won: a paradox takes it back twice (R24)
TIGHT_0: Final = 3  # a card whose rank has no open cell to spare, while others hold that rank
TIGHT_1: Final = 4  # … one cell to spare
TIGHT_2: Final = 5  # … two
COLOR: Final = 6  # a color given up (R16), beside what it does to the hand
RESERVE: Final = 7  # minus: spending a cell that no other seat could take
# The trick.
WANT: Final = 8  # winning a trick that is needed
HURRY: Final = 9  # … more, if every trick left is needed
SPOIL: Final = 10  # minus: winning one more than was bid
PLAIN: Final = 11  # winning one when the bonus is lost
KEEN: Final = 12  # chance that a later seat in need of tricks beats a card, per cell that would
IDLE: Final = 13  # … a later seat that needs none
TRUMP_USED: Final = 14  # minus: spending a red cell
LONG_LEAD: Final = 15  # per open cell in the color that is led
# The ranks that remain.
KEEP_HIGH: Final = 16  # minus: per rank spent, while tricks are wanted
SHED_HIGH: Final = 17  # per rank shed, while they are not
# The board.
JOIN: Final = 18  # each own token beside the cell
ROOM: Final = 19  # each open cell beside it
DENY: Final = 20  # each token beside it of a seat that may still earn the bonus
# The discard.
COPIES_ASIDE: Final = 21  # per copy held of the rank set aside
HIGH_ASIDE: Final = 22  # per rank
MIDDLE_ASIDE: Final = 23  # minus: per step away from the middle rank
# The bid, in sixty-fourths of a trick.
BASE: Final = 24  # tricks expected of an average hand
SLOPE: Final = 25  # per rank above the average hand
TOP: Final = 26  # each card of the two highest ranks
PAIRED: Final = 27  # each card beyond the first of its rank
OTHERS: Final = 28  # per trick others have bid above two
FIRST: Final = 29  # leading the first trick
# Chance.
WHIM: Final = 30  # up to this much is added at random
CONSIDERATIONS: Final = 31

Weights = Sequence[int]

TWO: Final[Weights] = (
    *(73, 265, 41, 97, 27, -62, 84, 15),
    *(6, 129, 200, 1089, 4, 3, 34, 5),
    *(-5, 9),
    *(19, 20, 20),
    *(135, -5, 2),
    *(89, 2, 24, 0, -8, 3),
    *(1,),
)
THREE: Final[Weights] = (
    *(83, 296, 12, 119, 52, 9, 12, 29),
    *(134, 86, 126, 185, 8, 5, 2, 5),
    *(-1, 19),
    *(5, 0, 0),
    *(139, -15, 1),
    *(125, 14, 16, -1, -10, 3),
    *(5,),
)
FOUR: Final[Weights] = (
    *(81, 260, 29, 74, 31, 13, -5, 64),
    *(169, 61, 55, 97, 21, 6, -3, 17),
    *(-4, 8),
    *(13, 6, 0),
    *(206, -10, -4),
    *(84, 1, 16, -7, -6, -6),
    *(6,),
)
FIVE: Final[Weights] = (
    *(124, 744, 9, 133, 66, 31, 17, 2),
    *(457, 87, 138, 133, 42, 3, -6, 4),
    *(1, 5),
    *(29, 8, 0),
    *(125, -1, 6),
    *(88, 1, 4, -5, -7, -8),
    *(3,),
)
WEIGHTS: Final[Sequence[Weights]] = ((), (), TWO, THREE, FOUR, FIVE)  # by the number of players
