"""What a table shows beside the rules: what a play does, what a card could be, who touches whom.

None of this decides anything. A client asks it in order to explain a position, from a view of its
seat alone (`sight.observe`); LEGAL, BEST and the hands of others are not read.

>>> s = [0] * SIZE
>>> s[LED], s[TRICK], s[MAY] = ROW << LANE * BLUE, 1 << LANE * BLUE, BOARD
>>> play_effects(s, 0, cell_of(RED, 5)) == TRUMPS | GIVES_UP | TOPS
True
"""

from collections.abc import Sequence
from typing import Final

from .layout import *
from .marker import popcount, rule
from .score import largest_group

# What a play does, as bits of `play_effects`.
LEADS: Final = 1
OPENS_RED: Final = 2  # R14
FOLLOWS: Final = 4
TRUMPS: Final = 8  # R18: red on another color
GIVES_UP: Final = 16  # R16: the token of the led color is lost
TOPS: Final = 32  # R18: no card of the trick is stronger so far


@rule
def play_effects(s: State, seat: int, cell: int) -> int:
    """Return what it means that a seat declares a cell now, as a set of the bits above."""
    row = ROW << (cell & LANE_START)
    if s[TRICK] == 0:
        opens = row == ROW and s[RED_OPEN] == 0
        return LEADS | OPENS_RED * opens
    tops = TOPS * tops_trick(s, cell)
    if row == s[LED]:
        return FOLLOWS | tops
    lost = s[MAY + seat] & s[LED] != 0
    return TRUMPS * (row == ROW) | GIVES_UP * lost | tops


@rule
def tops_trick(s: State, cell: int) -> bool:
    """Return whether a card declared as a cell would be the strongest of the trick so far (R18)."""
    row = ROW << (cell & LANE_START)
    if row == ROW:
        rivals = s[TRICK] & ROW
    elif row == s[LED] and s[TRICK] & ROW == 0:
        rivals = s[TRICK] & row
    else:
        return False
    return rivals >> cell == 0


@rule
def group_with(s: State, seat: int, cell: int, touch: Sequence[int]) -> int:
    """Return the size of a seat's largest group once its token lies on a cell (R27)."""
    return largest_group(s[OWN + seat] | 1 << cell, touch)


@rule
def open_cells(s: State, seat: int, rank: int) -> int:
    """Return the cells that a card of a seat could still be: empty (R12), with a token (R13)."""
    return s[MAY + seat] & s[FREE] & COLUMN << rank - 1


@rule
def lost_in_trick(s: State, cells: Sequence[int], count: int, seat: int, color: int) -> int:
    """Return the number of the trick, from 1, in which a seat lost a color token (R16), or 0.

    `cells` are the declarations of the round in order; whose each was, their tokens say.
    """
    row = ROW << LANE * color
    led = 0
    number = 0
    place = 0
    for play in range(count):
        cell = cells[play]
        declared = ROW << (cell & LANE_START)
        if place == 0:
            led = declared
            number += 1
        if led == row and declared != row and s[OWN + seat] >> cell & 1:
            return number
        place = after(place, s[PLAYERS])
    return 0


@rule
def group_cells(tokens: int, touch: Sequence[int]) -> int:
    """Return the tokens of the largest group (R27); of equal ones, that with the lowest cell."""
    best = 0
    while tokens != 0:
        fresh = tokens & -tokens
        group = fresh
        tokens ^= fresh
        while fresh != 0:
            token = fresh & -fresh
            near = touch[popcount(token - 1)] & tokens
            fresh ^= token | near
            tokens ^= near
            group |= near
        if popcount(group) > popcount(best):
            best = group
    return best
