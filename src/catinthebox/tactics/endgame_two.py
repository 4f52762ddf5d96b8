"""Two seats, open hands: whether seat 0's margin reaches a target; bounds and move order.

Margins are always seat 0's points minus seat 1's: seat 0 wants them high, seat 1 low.

>>> beats(cell_of(RED, 1), cell_of(BLUE, 5)), beats(cell_of(GREEN, 5), cell_of(BLUE, 1))
(True, False)
"""

from collections.abc import Sequence
from typing import Final

from ..rules.counts import MODEST
from ..rules.layout import *
from ..rules.marker import popcount, rule
from ..rules.score import largest_group, seat_score
from .reachable import (
    LATER,
    NEED,
    NOW,
    PLAYS,
    REACH,
    SLOTS,
    played,
    reach,
    summarize,
)
from .tree import *

QUIET: Final = 3  # with this few tricks left, positions inside a trick are not stored


@rule
def margin(s: State, touch: Sequence[int]) -> int:
    """Return the margin of a round that is over."""
    return seat_score(s, 0, touch) - seat_score(s, 1, touch)


@rule
def modest(won: int, bonus: int) -> int:
    """Return the bonus if the number of tricks earns it (R26)."""
    return bonus if won <= MODEST else 0


# ── Bounds ───────────────────────────────────────────────────────────────────────────────────


@rule
def cost_of_trouble(hand: int, cells: int, theirs: int, spare: int) -> int:
    """How many plays the other seat needs to leave this one a card short.

    A seat that follows whenever it can loses no cell by R16. Then each of its own plays uses one
    card and one cell of a rank, and the cells of a rank beyond its cards are the other's to waste.
    """
    first = FAR  # the two cheapest ranks to take one card from
    second = FAR
    both = FAR  # the cheapest rank to take two cards from
    ranks = (cells | cells >> LANE | cells >> 2 * LANE | cells >> 3 * LANE) & ROW
    while ranks != 0:
        place = popcount((ranks & -ranks) - 1)
        ranks &= ranks - 1
        column = cells >> place & COLUMN
        copies = hand >> COUNT_BITS * place & COUNT
        room = popcount(column)
        cost = max(room - copies, 0) + 1
        exposed = popcount(column & theirs >> place)
        if cost <= exposed:
            second = min(second, max(first, cost))
            first = min(first, cost)
            if cost < exposed and copies > 1:
                both = min(both, cost + 1)
    return first if spare == 0 else min(both, first + second)


@rule
def safe(s: State, h: State, seat: int) -> bool:
    """Whether a seat can make sure that it causes no paradox."""
    at = SLOTS * seat
    other = SLOTS - at
    spare = h[at + PLAYS] - h[at + NEED]
    if h[at + NEED] == 0:
        return True
    if spare < 0:
        return False
    cost = cost_of_trouble(s[HAND + seat], h[at + REACH], h[other + REACH], spare)
    return cost > h[other + NEED]


@rule
def most(s: State, h: State, me: int) -> int:
    """Return a margin over the other seat that this seat cannot exceed."""
    you = 1 - me
    mine = s[WON + me]
    yours = s[WON + you]
    left = s[LEFT]
    bonus = h[SLOTS * me + LATER]
    theirs = h[SLOTS * you + NOW]
    plays = min(
        h[SLOTS * me + PLAYS] + played(s, me),
        h[SLOTS * you + PLAYS] + played(s, you),
    )
    best = -FAR
    if plays >= left:  # the round may end normally, k tricks more for this seat
        for k in range(left + 1):
            high = mine + k + modest(mine + k, bonus)
            low = yours + left - k + modest(yours + left - k, theirs)
            best = max(best, high - low)
    tricks = min(left - 1, plays)  # whole tricks before a paradox
    if not safe(s, h, you):  # R24
        best = max(best, mine + yours + tricks + modest(mine, bonus))
    for k in range(tricks + 1):
        best = max(best, -mine - yours - k - modest(yours + k, theirs))
    return best


# ── The last trick ───────────────────────────────────────────────────────────────────────────


@rule
def beats(card: int, best: int) -> bool:
    """Whether a follower's cell takes the trick from the leader's (R18)."""
    if card >> 4 == best >> 4:
        return card > best
    return card < LANE


@rule
def grown(s: State, seat: int, cell: int, touch: Sequence[int]) -> int:
    """Return a seat's largest group with one more token; 0 if its tricks earn no bonus anyway."""
    if s[WON + seat] > MODEST:
        return 0
    return largest_group(s[OWN + seat] | 1 << cell, touch)


@rule
def last_trick(s: State, touch: Sequence[int], h: State) -> int:
    """Return the margin of a round before the lead to its last trick; uses 64 slots of `h`."""
    me = s[TURN]
    you = 1 - me
    mine = s[WON + me]
    yours = s[WON + you]
    answers = reach(s, you)
    cells = answers
    while cells != 0:
        cell = popcount((cells & -cells) - 1)
        cells &= cells - 1
        h[cell] = grown(s, you, cell, touch)
    best = -FAR
    leads = s[LEGAL]
    while leads != 0:
        lead = popcount((leads & -leads) - 1)
        leads &= leads - 1
        group = grown(s, me, lead, touch)
        cells = answers & ~(1 << lead)
        worst = FAR
        if cells == 0:  # R24: the follower is stuck
            worst = mine + yours + modest(mine, group)
        while cells != 0:
            cell = popcount((cells & -cells) - 1)
            cells &= cells - 1
            if beats(cell, lead):
                high = mine + modest(mine, group)
                low = yours + 1 + modest(yours + 1, h[cell])
            else:
                high = mine + 1 + modest(mine + 1, group)
                low = yours + modest(yours, h[cell])
            worst = min(worst, high - low)
        best = max(best, worst)
    return best if me == 0 else -best


# ── Searching ────────────────────────────────────────────────────────────────────────────────


@rule
def promise(s: State, bit: int, mine: int, yours: int, touch: Sequence[int]) -> int:
    """Estimate how good a play is: take cells that the other seat needs, give up few of one's own.

    The weights were fitted to solved positions. They decide how long a search takes, and never
    what it finds.
    """
    me = s[TURN]
    you = 1 - me
    cell = popcount(bit - 1)
    place = cell & IN_LANE
    copies = s[HAND + me] >> COUNT_BITS * place & COUNT
    room = popcount(mine >> place & COLUMN)
    near = touch[cell]
    guess = 256
    if bit & yours != 0:
        guess += 10
        if popcount(yours >> place & COLUMN) <= s[HAND + you] >> COUNT_BITS * place & COUNT:
            guess += 8
        if near & s[OWN + you] != 0:
            guess += 1
    guess -= 5 * max(room - copies, 0) + 2 * copies
    if copies == 1:
        guess -= 3 * room
    guess += popcount(near & s[OWN + me])
    if s[LED] == 0:
        guess += popcount(yours & ROW << (cell & LANE_START))
    elif bit & s[LED] == 0:
        guess -= 6 * popcount(mine & s[LED]) + 6
    return guess


@rule
def order_moves(s: State, f: State, touch: Sequence[int], first: int) -> None:
    """Note the moves of a frame, the most promising first."""
    mine = reach(s, s[TURN])
    yours = reach(s, 1 - s[TURN])
    cells = s[LEGAL]
    number = 0
    while cells != 0:
        bit = cells & -cells
        cells ^= bit
        cell = popcount(bit - 1)
        guess = promise(s, bit, mine, yours, touch)
        if cell == first:
            guess = 1 << 50
        word = guess << 6 | cell
        place = MOVES + number
        while place > MOVES and f[place - 1] < word:
            f[place] = f[place - 1]
            place -= 1
        f[place] = word
        number += 1
    f[NEXT] = 0
    f[END] = number


@rule
def settled(f: State, c: State) -> bool:
    """Whether the bounds of a frame answer the question; the value is then the nearer bound."""
    if f[LOW] >= c[TARGET]:
        c[VALUE] = f[LOW]
        return True
    if f[HIGH] < c[TARGET]:
        c[VALUE] = f[HIGH]
        return True
    return False


@rule
def visit(
    s: State,
    f: State,
    memory: list[State],
    codes: Sequence[int],
    touch: Sequence[int],
    h: State,
    c: State,
    root: bool,
) -> bool:
    """Open a frame for a position, unless its value is known at once."""
    if s[PHASE] == OVER:
        c[VALUE] = margin(s, touch)
        return True
    lead = s[TRICK] == 0
    if lead and s[LEFT] == 1 and not root:
        c[VALUE] = last_trick(s, touch, h)
        return True
    f[KEY] = NOBODY
    f[LOW] = -FAR
    f[HIGH] = FAR
    first = NO_CELL
    if lead or s[LEFT] > QUIET:
        code = summarize(s, touch, codes, h) ^ c[SALT]
        f[KEY] = code
        word = recall(memory, code)
        if word == 0:
            f[LOW] = -most(s, h, 1)
            f[HIGH] = most(s, h, 0)
        else:  # these bounds are in it
            f[LOW] = (word & 127) - FAR
            f[HIGH] = (word >> 7 & 127) - FAR
            first = (word >> 14) + NO_CELL
        if not root and settled(f, c):
            return True
    f[CHOICE] = NO_CELL
    f[TOP] = -FAR if s[TURN] == 0 else FAR
    order_moves(s, f, touch, first)
    return False


@rule
def absorb(s: State, f: State, c: State) -> None:
    """Update a frame with the value of the play tried last; end the frame if that decides."""
    cell = f[MOVES + f[NEXT] - 1] & CELL
    value = c[VALUE]
    better = value > f[TOP] if s[TURN] == 0 else value < f[TOP]
    if better or f[CHOICE] == NO_CELL:
        f[TOP] = value
        f[CHOICE] = cell
    reached = value >= c[TARGET]
    if reached == (s[TURN] == 0):
        f[END] = f[NEXT]


@rule
def close(f: State, memory: list[State], c: State) -> None:
    """Leave a frame with what has been found."""
    if f[TOP] >= c[TARGET]:
        f[LOW] = max(f[LOW], f[TOP])
        c[VALUE] = f[LOW]
    else:
        f[HIGH] = min(f[HIGH], f[TOP])
        c[VALUE] = f[HIGH]
    if f[KEY] != NOBODY:
        word = f[LOW] + FAR | f[HIGH] + FAR << 7 | f[CHOICE] - NO_CELL << 14
        remember(memory, f[KEY], word)
