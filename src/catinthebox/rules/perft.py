"""Perft: count every sequence of actions to a depth, and what happens along the way.

Written without recursion over a stack of states, so that it compiles like every other rule:
`stack[level]` is a state, `rows[level]` the counts of the sequences of that length.

>>> from .round import give_hand, open_round, open_tricks
>>> s = [0] * SIZE
>>> open_round(s, 3, 6, 8, 0)
>>> for seat, hand in enumerate(("223345566", "223344556", "112344566")):
...     give_hand(s, seat, sum(1 << 3 * int(rank) - 3 for rank in hand))
>>> open_tricks(s)
>>> [row[NODES] for row in count(s, 3, [0] * 64)]
[15, 285, 6270]
"""

from collections.abc import Sequence
from typing import Final

from .actions import FIRST_DISCARD, act, cell_of_action, legal_actions
from .fingerprint import fingerprint
from .layout import *
from .marker import popcount, rule
from .score import seat_score

# Columns of a row.
NODES: Final = 0
LEADS: Final = 1
FOLLOWS: Final = 2
OFF: Final = 3
RED_PLAYS: Final = 4
RED_LEADS: Final = 5
TRICKS: Final = 6
PARADOXES: Final = 7
ENDED: Final = 8
CHECK: Final = 9
TRICKS_WON: Final = 10  # + seat
SCORES: Final = 15  # + seat
COLUMNS: Final = 20


def count(s: State, depth: int, touch: Sequence[int]) -> list[list[int]]:
    """Return the rows for depths 1 … depth of a state."""
    stack = [list(s) for _ in range(depth + 1)]
    rows = [[0] * COLUMNS for _ in range(depth + 1)]
    walk(stack, [0] * (depth + 1), rows, depth, touch)
    return rows[1:]


@rule
def walk(
    stack: list[State], todo: list[int], rows: list[list[int]], depth: int, touch: Sequence[int]
) -> None:
    """Visit every sequence of up to `depth` actions from `stack[0]`, depth first."""
    level = 0
    todo[0] = legal_actions(stack[0], stack[0][TURN]) if depth > 0 else 0
    while level >= 0:
        if todo[level] == 0:
            level -= 1
            continue
        choice = todo[level] & -todo[level]
        todo[level] ^= choice
        before = stack[level]
        after_it = stack[level + 1]
        for slot in range(SIZE):
            after_it[slot] = before[slot]
        action = popcount(choice - 1)
        act(after_it, before[TURN], action)
        tally(rows[level + 1], before, after_it, action, touch)
        if level + 1 < depth and after_it[PHASE] != OVER:
            level += 1
            todo[level] = legal_actions(after_it, after_it[TURN])


@rule
def tally(
    row: list[int], before: State, after_it: State, action: int, touch: Sequence[int]
) -> None:
    """Count one action and the state it led to."""
    row[NODES] += 1
    row[CHECK] += fingerprint(after_it)
    if action < FIRST_DISCARD:
        tally_play(row, before, cell_of_action(action))
        row[TRICKS] += after_it[LEFT] < before[LEFT]
    over = after_it[PHASE] == OVER
    row[PARADOXES] += after_it[PARADOX] != NOBODY
    row[ENDED] += over and after_it[PARADOX] == NOBODY
    for seat in range(after_it[PLAYERS]):
        row[TRICKS_WON + seat] += after_it[WON + seat]
        if over:
            row[SCORES + seat] += seat_score(after_it, seat, touch)


@rule
def tally_play(row: list[int], before: State, cell: int) -> None:
    """Count what kind of declaration it was."""
    red = cell < LANE
    lead = before[TRICK] == 0
    follow = before[LED] >> cell & 1
    row[LEADS] += lead
    row[FOLLOWS] += follow
    row[OFF] += not lead and not follow
    row[RED_PLAYS] += red
    row[RED_LEADS] += red and lead
