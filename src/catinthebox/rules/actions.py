"""Actions as integers, one space for every player count.

     0 … 35   play      color * 9 + rank - 1
    36 … 44   discard   36 + rank - 1
    45 … 48   bid       44 + number

>>> bin(play_ids(1 << 16))               # blue 1 is action 9
'0b1000000000'
"""

from typing import Final

from .layout import *
from .marker import rule
from .round import bid, discard, legal_bids, legal_discards, play

FIRST_DISCARD: Final = 36
FIRST_BID: Final = 45
ACTIONS: Final = 49


@rule
def action_of_cell(cell: int) -> int:
    """Return the action id of a declaration: lanes of sixteen cells become rows of nine."""
    return (cell >> 4) * MAX_RANK + (cell & IN_LANE)


@rule
def cell_of_action(action: int) -> int:
    """Return the cell of a play."""
    color = action * 57 >> 9  # action // 9, without a division
    return action + 7 * color


@rule
def play_ids(cells: int) -> int:
    """Return a set of cells as a set of action ids: each row moves down by seven per color."""
    return (
        cells & ROW
        | cells >> 7 & ROW << MAX_RANK
        | cells >> 14 & ROW << 2 * MAX_RANK
        | cells >> 21 & ROW << 3 * MAX_RANK
    )


@rule
def legal_actions(s: State, seat: int) -> int:
    """Return everything a seat may do now, as a set of action ids."""
    if s[PHASE] == DISCARDING:
        return legal_discards(s, seat) << FIRST_DISCARD
    if s[TURN] != seat:
        return 0
    if s[PHASE] == BIDDING:
        return legal_bids(s[PLAYERS]) << (FIRST_BID - 1)
    return play_ids(s[LEGAL])


@rule
def act(s: State, seat: int, action: int) -> None:
    """Carry out a legal action of a seat."""
    if action < FIRST_DISCARD:
        play(s, cell_of_action(action))
    elif action < FIRST_BID:
        discard(s, seat, action - FIRST_DISCARD + 1)
    else:
        bid(s, action - FIRST_BID + 1)


@rule
def kind_phase(action: int) -> int:
    """Return the phase an action belongs to."""
    if action < FIRST_DISCARD:
        return PLAYING
    return DISCARDING if action < FIRST_BID else BIDDING
