"""The rest of a round with open hands, solved exactly (docs/endgame.md).

Two seats: `endgame_two` decides whether the margin reaches a target; a few targets find it. More
seats: every seat takes what is best for itself (max^n), and of equal plays the one with the
lowest action id, so that there is exactly one solution. Written without recursion over a stack
of states, like `rules.perft`: `stack[level]` is a state, `frames[level]` what is left to try.

>>> scores = 5 + FAR | FAR - 2 << SCORE_BITS
>>> score_in(scores, 0), score_in(scores, 1), worth(scores, 0, 2, AHEAD)
(5, -2, 7)
"""

from collections.abc import Sequence
from typing import Final

from ..rules.layout import *
from ..rules.marker import rule
from ..rules.round import play
from ..rules.score import seat_score
from . import endgame_two
from .reachable import HORIZON, LATER, SLOTS, bonus_possible, summarize
from .tree import *

SCORE_BITS: Final = 7
SCORE: Final = 127
SCRATCH: Final = max(HORIZON, 64)


# ── Many seats ───────────────────────────────────────────────────────────────────────────────


@rule
def packed_scores(s: State, touch: Sequence[int]) -> int:
    """Return the scores of a round that is over as one number."""
    scores = 0
    for seat in range(s[PLAYERS]):
        scores |= seat_score(s, seat, touch) + FAR << SCORE_BITS * seat
    return scores


@rule
def score_in(scores: int, seat: int) -> int:
    """Return the score of a seat out of that number."""
    return (scores >> SCORE_BITS * seat & SCORE) - FAR


@rule
def worth(scores: int, seat: int, players: int, mode: int) -> int:
    """Return what a result is worth to a seat."""
    own = score_in(scores, seat)
    if mode == POINTS:
        return own
    others = 0
    for other in range(players):
        others += score_in(scores, other)
    return players * own - others


@rule
def hope(s: State, h: State, seat: int, mode: int) -> int:
    """Return an upper bound of what a result is worth to a seat."""
    own = s[WON + seat] + s[LEFT]
    if bonus_possible(s, seat):
        own = max(own, s[BID + seat] + h[SLOTS * seat + LATER])
    if mode == POINTS:
        return own
    others = 0
    most = 0
    for other in range(s[PLAYERS]):
        if other != seat:
            others += s[WON + other]
            most = max(most, s[WON + other])
    return (s[PLAYERS] - 1) * own - others + 2 * most + s[LEFT]  # R24: one of them causes a paradox


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
    """Open a frame for a position of many seats, unless its result is known at once."""
    if s[PHASE] == OVER:
        c[VALUE] = packed_scores(s, touch)
        return True
    code = summarize(s, touch, codes, h) ^ c[SALT]
    word = recall(memory, code)
    if word != 0 and not root:
        c[VALUE] = word
        return True
    f[KEY] = code
    f[HIGH] = hope(s, h, s[TURN], c[MODE])
    f[TOP] = 0
    f[LOW] = 0
    f[CHOICE] = NO_CELL
    list_moves(s[LEGAL], f)
    return False


@rule
def absorb(s: State, f: State, c: State) -> None:
    """Update a frame with the result of the play tried last, if it is better."""
    value = worth(c[VALUE], s[TURN], s[PLAYERS], c[MODE])
    if f[CHOICE] == NO_CELL or value > f[LOW]:
        f[TOP] = c[VALUE]
        f[LOW] = value
        f[CHOICE] = f[MOVES + f[NEXT] - 1]
        if value >= f[HIGH]:  # nothing can be better, and equal plays come later
            f[END] = f[NEXT]


@rule
def close(f: State, memory: list[State], c: State) -> None:
    """Leave a frame with its result."""
    c[VALUE] = f[TOP]
    remember(memory, f[KEY], f[TOP])


# ── The walk ─────────────────────────────────────────────────────────────────────────────────


@rule
def begin(
    stack: list[State],
    frames: list[State],
    memory: list[State],
    codes: Sequence[int],
    touch: Sequence[int],
    h: State,
    c: State,
) -> None:
    """Open the frame of `stack[0]`, a position in the play phase."""
    c[LEVEL] = 0
    if c[MODE] == DUEL:
        endgame_two.visit(stack[0], frames[0], memory, codes, touch, h, c, True)
    else:
        visit(stack[0], frames[0], memory, codes, touch, h, c, True)


@rule
def run(
    stack: list[State],
    frames: list[State],
    memory: list[State],
    codes: Sequence[int],
    touch: Sequence[int],
    h: State,
    c: State,
    limit: int,
) -> None:
    """Search until the root is solved, or for up to `limit` nodes; call it again to continue."""
    level = c[LEVEL]
    nodes = c[NODES]
    stop = nodes + limit
    two = c[MODE] == DUEL
    while level >= 0 and nodes < stop:
        s = stack[level]
        f = frames[level]
        known = True
        if f[NEXT] < f[END]:
            child = stack[level + 1]
            for slot in range(DISCARD):
                child[slot] = s[slot]
            play(child, f[MOVES + f[NEXT]] & CELL)
            f[NEXT] += 1
            nodes += 1
            below = frames[level + 1]
            if two:
                known = endgame_two.visit(child, below, memory, codes, touch, h, c, False)
            else:
                known = visit(child, below, memory, codes, touch, h, c, False)
            level += not known
        else:
            if two:
                endgame_two.close(f, memory, c)
            else:
                close(f, memory, c)
            level -= 1
        if known and level >= 0:
            if two:
                endgame_two.absorb(stack[level], frames[level], c)
            else:
                absorb(stack[level], frames[level], c)
    c[NODES] = nodes
    c[LEVEL] = level
