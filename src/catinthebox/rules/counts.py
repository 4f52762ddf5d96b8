"""The table of player counts, as data.

>>> [(RANKS[n], DEALT[n], DEALT[n] - 2) for n in (2, 3, 4, 5)]
[(5, 10, 8), (6, 10, 8), (8, 10, 8), (9, 9, 7)]
>>> TRICKS
(0, 0, 8, 8, 8, 7)
"""

from typing import Final

#                         players:    0  1   2   3   4  5
RANKS: Final[tuple[int, ...]] = (0, 0, 5, 6, 8, 9)
DEALT: Final[tuple[int, ...]] = (0, 0, 10, 10, 10, 9)
TRICKS: Final[tuple[int, ...]] = (0, 0, 8, 8, 8, 7)  # a discard and a last card are not played
COVERED: Final[tuple[int, ...]] = (0, 0, 6, 0, 9, 0)  # the rank of a column that is not used
ASIDE: Final[tuple[int, ...]] = (0, 0, 5, 0, 0, 0)  # R6: cards left over at two players
TURNED_UP: Final = 3  # R6: how many of them are shown

# R8, R9: bit b is set if b may be bid. Two players do not bid.
BIDS: Final[tuple[int, ...]] = (0, 0, 0, 0b11010, 0b01110, 0b01110)
MODEST: Final = 4  # R26: the bonus at two players asks for this many tricks or fewer
