"""Why an action is refused: the first clause it breaks, as a number with a name.

The law that ties this file to `legal_actions`: for every state, seat and action,
`broken(...) == FINE` exactly if the action is in the legal set.
"""

from typing import Final

from .actions import FIRST_BID, FIRST_DISCARD, cell_of_action, kind_phase
from .layout import *
from .marker import rule
from .round import legal_bids

FINE: Final = 0
ROUND_ENDED: Final = 1  # R19
PARADOX_ENDED: Final = 2  # R21
DISCARD_NOW: Final = 3  # R7: not the kind of action this phase asks for
BID_NOW: Final = 4  # R8
PLAY_NOW: Final = 5  # R11
NO_BIDS_AT_TWO: Final = 6  # R9
ALREADY_DISCARDED: Final = 7  # R7
NO_CARD_TO_DISCARD: Final = 8  # R7
OTHERS_BID: Final = 9  # R8
BID_NOT_ALLOWED: Final = 10  # R8
OTHERS_TURN: Final = 11  # R10
NO_CARD: Final = 12  # R11
CELL_TAKEN: Final = 13  # R12
TOKEN_LOST: Final = 14  # R13
RED_CLOSED: Final = 15  # R14


@rule
def broken(s: State, seat: int, action: int) -> int:
    """Return the reason why a seat may not do this now, or FINE."""
    if s[PHASE] == OVER:
        return ROUND_ENDED if s[PARADOX] == NOBODY else PARADOX_ENDED
    if s[PHASE] != DISCARDING and s[TURN] != seat:
        return OTHERS_BID if s[PHASE] == BIDDING else OTHERS_TURN
    if kind_phase(action) != s[PHASE]:
        return wrong_kind(s, action)
    if action >= FIRST_BID:
        return broken_bid(s, action - FIRST_BID + 1)
    if action >= FIRST_DISCARD:
        return broken_discard(s, seat, action - FIRST_DISCARD)
    return broken_play(s, seat, cell_of_action(action))


@rule
def wrong_kind(s: State, action: int) -> int:
    """Return what the phase asks for instead."""
    if s[PHASE] == DISCARDING:
        return DISCARD_NOW
    if s[PHASE] == BIDDING:
        return BID_NOW
    if s[PLAYERS] == 2 and kind_phase(action) == BIDDING:
        return NO_BIDS_AT_TWO
    return PLAY_NOW


@rule
def broken_discard(s: State, seat: int, place: int) -> int:
    """One card that is in the hand, once (R7)."""
    if s[DISCARD + seat] != 0:
        return ALREADY_DISCARDED
    return FINE if s[HAND + seat] >> COUNT_BITS * place & COUNT else NO_CARD_TO_DISCARD


@rule
def broken_bid(s: State, number: int) -> int:
    """One of the allowed numbers (R8)."""
    return FINE if legal_bids(s[PLAYERS]) >> number & 1 else BID_NOT_ALLOWED


@rule
def broken_play(s: State, seat: int, cell: int) -> int:
    """A card in hand, an empty cell, a color token, and red only when it may be led."""
    if s[HAND + seat] >> COUNT_BITS * (cell & IN_LANE) & COUNT == 0:
        return NO_CARD
    if s[FREE] >> cell & 1 == 0:
        return CELL_TAKEN
    if s[MAY + seat] >> cell & 1 == 0:
        return TOKEN_LOST
    return FINE if s[LEGAL] >> cell & 1 else RED_CLOSED
