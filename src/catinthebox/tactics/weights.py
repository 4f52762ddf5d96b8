"""The weights of a careful player: one for each consideration, a row for each table size.

All are in sixty-fourths of a point, roughly. `bench/tune.py` found the numbers by letting rows play
against each other (decision 0034, docs/strength.md); the names say how they are read.
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
SOON: Final = 6  # … more, per trick left; half of it for each cell to spare
ONE_OF_SEVERAL: Final = 7  # playing a card while another copy of its rank stays in the hand
COLOR: Final = 8  # a color given up (R16), beside what it does to the hand
COLOR_LEFT: Final = 9  # … more, per trick left
# The others' being able to play on.
CHOKE_1: Final = 10  # the last cell of a rank that another seat may declare, per unseen card
CHOKE_2: Final = 11  # … the last but one
CHOKE_3: Final = 12
CHOKE_4: Final = 13
# The trick.
WANT: Final = 14  # winning a trick that is needed
HURRY: Final = 15  # … more, if every trick left is needed
SPOIL: Final = 16  # minus: winning one more than was bid
PLAIN: Final = 17  # winning one when the bonus is lost
KEEN: Final = 18  # chance that a later seat in need of tricks beats a card, per cell that would
IDLE: Final = 19  # … a later seat that needs none
TRUMP_USED: Final = 20  # minus: spending a red cell
LONG_LEAD: Final = 21  # per open cell in the color that is led
OWN_LEAD: Final = 22  # … of a rank in the own hand
# The ranks that remain.
KEEP_HIGH: Final = 23  # minus: per rank spent, while tricks are wanted
SHED_HIGH: Final = 24  # per rank shed, while they are not
# The board.
JOIN: Final = 25  # each own token beside the cell
ROOM: Final = 26  # each open cell beside it
DENY: Final = 27  # each token beside it of a seat that may still earn the bonus
# The discard.
COPIES_ASIDE: Final = 28  # per copy held of the rank set aside
HIGH_ASIDE: Final = 29  # per rank
MIDDLE_ASIDE: Final = 30  # minus: per step away from the middle rank
# The bid, in sixty-fourths of a trick.
BASE: Final = 31  # tricks expected of an average hand
SLOPE: Final = 32  # per rank above the average hand
TOP: Final = 33  # each card of the two highest ranks
PAIRED: Final = 34  # each card beyond the first of its rank
OTHERS: Final = 35  # per trick others have bid above two
FIRST: Final = 36  # leading the first trick
# Chance.
WHIM: Final = 37  # up to this much is added at random
CONSIDERATIONS: Final = 38

Weights = Sequence[int]

TWO: Final[Weights] = (
    *(141, 225, 125, 126, 44, -48, 0, 77, 157, 3),
    *(184, 71, 52, 17),
    *(18, 180, 406, 1153, 4, 4, 95, 55, 3),
    *(0, 12),
    *(10, 12, 15),
    *(85, -6, 2),
    *(74, 3, 20, 5, -9, 8),
    *(0,),
)
THREE: Final[Weights] = (
    *(403, 478, 166, 202, 94, 15, 16, 123, 59, 18),
    *(98, 49, 36, 24),
    *(215, 152, 361, 55, 13, 6, 9, -20, 35),
    *(-6, 24),
    *(19, -8, -16),
    *(139, 7, 5),
    *(126, 13, 11, 3, -8, 5),
    *(5,),
)
FOUR: Final[Weights] = (
    *(231, 410, 135, 148, 61, 25, 6, 44, 71, 12),
    *(61, 22, 13, 9),
    *(308, -120, 431, 277, 20, 6, 3, 32, 4),
    *(-1, 3),
    *(44, 12, 12),
    *(189, 8, 0),
    *(81, 5, 21, -9, -6, 0),
    *(6,),
)
FIVE: Final[Weights] = (
    *(229, 745, 67, 147, 67, 37, 3, 24, 56, 6),
    *(19, 6, 2, -1),
    *(698, 117, 330, 168, 42, 2, -3, 20, 17),
    *(0, 5),
    *(58, 19, 12),
    *(113, -3, 3),
    *(81, 3, 7, -10, -8, -14),
    *(3,),
)
WEIGHTS: Final[Sequence[Weights]] = ((), (), TWO, THREE, FOUR, FIVE)  # by the number of players
