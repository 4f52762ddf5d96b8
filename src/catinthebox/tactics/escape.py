"""Can a round with open hands still end without a paradox? An exhaustive search says so.

All seats together try to avoid it. A seat that needs to play more cards than cells are left for is
proof enough, so the search mostly ends soon.

>>> from catinthebox.rules.chance import seeded
>>> from catinthebox.rules.faces import touching, white
>>> from catinthebox.rules.playout import shuffled_deal
>>> from catinthebox.rules.round import discard, open_tricks
>>> s = [0] * SIZE
>>> g = shuffled_deal(s, 2, 0, seeded(7, 1))
>>> for seat in range(2):
...     place = 0
...     while s[HAND + seat] >> COUNT_BITS * place & COUNT == 0:
...         place += 1
...     discard(s, seat, place + 1)
>>> stack = [[0] * SIZE for _ in range(PLAYS)]
>>> escape(s, stack, [0] * PLAYS, 100_000)
1
"""

from typing import Final

from ..rules.layout import *
from ..rules.marker import popcount, rule
from ..rules.round import play
from ..rules.worlds import cards
from .reachable import playable, played, reach

Table = list[State]

PLAYS: Final = 48  # rows of a stack: more than a round has plays
NONE: Final = 0
FOUND: Final = 1
UNKNOWN: Final = -1


@rule
def doomed(s: State) -> bool:
    """Whether some seat has fewer cards that it could play than plays to make."""
    for seat in range(s[PLAYERS]):
        if cards(playable(s[HAND + seat], reach(s, seat))) < s[LEFT] - played(s, seat):
            return True
    return False


@rule
def escape(s: State, stack: Table, untried: State, limit: int) -> int:
    """Search for plays after which the round ends without a paradox, in its play phase.

    Returns FOUND; or NONE if there are none; or UNKNOWN after `limit` positions. The other rows
    are scratch.
    """
    if doomed(s):
        return NONE
    for slot in range(SIZE):
        stack[0][slot] = s[slot]
    untried[0] = s[LEGAL]
    depth = 0
    positions = 0
    while depth >= 0:
        cells = untried[depth]
        if cells == 0:
            depth -= 1
        elif positions >= limit:
            return UNKNOWN
        else:
            positions += 1
            bit = cells & -cells
            untried[depth] = cells ^ bit
            u = stack[depth + 1]
            w = stack[depth]
            for slot in range(SIZE):
                u[slot] = w[slot]
            play(u, popcount(bit - 1))
            if u[PHASE] == OVER:
                if u[PARADOX] == NOBODY:
                    return FOUND
            elif not doomed(u):
                depth += 1
                untried[depth] = u[LEGAL]
    return NONE
