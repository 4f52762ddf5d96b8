"""Every distinct deal at three players, and perft over all of them (F5).

A deal is a way to split the five copies of each of six ranks into three hands of ten. There are 21
ways to split a rank, so a deal is six of them; 1,114,623 of the 21**6 combinations fill the hands.
"""

from collections.abc import Sequence
from typing import Final

from .counts import DEALT, RANKS
from .layout import *
from .marker import rule
from .perft import walk
from .round import give_hand, open_round

SPLITS: Final = 21  # ways to give five equal cards to three seats
LEADING: Final = SPLITS**3  # combinations of the first three ranks: the unit in which work is cut
TRIO: Final = 3


@rule
def split(number: int) -> int:
    """Return way number 0 … 20 to split a rank: copies per seat, COUNT_BITS each."""
    first = 0
    while number > COPIES - first:
        number -= COPIES - first + 1
        first += 1
    return first | number << COUNT_BITS | (COPIES - first - number) << 2 * COUNT_BITS


@rule
def add_rank(hands: list[int], sizes: list[int], place: int, number: int, sign: int) -> None:
    """Put a rank, split in this way, into the hands; with sign -1 take it back."""
    copies = split(number)
    for seat in range(TRIO):
        held = copies >> COUNT_BITS * seat & COUNT
        hands[seat] += sign * (held << COUNT_BITS * place)
        sizes[seat] += sign * held


@rule
def too_many(sizes: list[int]) -> bool:
    """Whether some hand has more cards than are dealt."""
    return sizes[0] > DEALT[TRIO] or sizes[1] > DEALT[TRIO] or sizes[2] > DEALT[TRIO]


@rule
def perft_deal(
    hands: list[int],
    stack: list[State],
    todo: list[int],
    rows: list[list[int]],
    depth: int,
    touch: Sequence[int],
) -> None:
    """Add the counts of one deal to the rows."""
    open_round(stack[0], TRIO, RANKS[TRIO], DEALT[TRIO] - 2, 0)
    for seat in range(TRIO):
        give_hand(stack[0], seat, hands[seat])
    walk(stack, todo, rows, depth, touch)


@rule
def perft_deals(
    begin: int,
    end: int,
    hands: list[int],
    sizes: list[int],
    stack: list[State],
    todo: list[int],
    rows: list[list[int]],
    depth: int,
    touch: Sequence[int],
) -> int:
    """Count all deals whose first three ranks are split in the ways begin … end - 1; how many."""
    deals = 0
    for leading in range(begin, end):
        for seat in range(TRIO):
            hands[seat] = 0
            sizes[seat] = 0
        rest = leading
        for place in range(TRIO):
            add_rank(hands, sizes, place, rest % SPLITS, 1)
            rest //= SPLITS
        for fourth in range(SPLITS):
            add_rank(hands, sizes, 3, fourth, 1)
            for fifth in range(0 if too_many(sizes) else SPLITS):
                add_rank(hands, sizes, 4, fifth, 1)
                for sixth in range(0 if too_many(sizes) else SPLITS):
                    add_rank(hands, sizes, 5, sixth, 1)
                    if not too_many(sizes):  # thirty cards in hands of ten at most
                        perft_deal(hands, stack, todo, rows, depth, touch)
                        deals += 1
                    add_rank(hands, sizes, 5, sixth, -1)
                add_rank(hands, sizes, 4, fifth, -1)
            add_rank(hands, sizes, 3, fourth, -1)
    return deals
