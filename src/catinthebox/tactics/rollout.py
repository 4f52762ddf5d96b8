"""From any moment to the end of the round: every seat plays by the same policy."""

from collections.abc import Sequence
from typing import Final

from ..rules.chance import step
from ..rules.layout import *
from ..rules.marker import rule
from ..rules.playout import FOLLOW, UNIFORM, choose_bid, choose_cell, choose_discard
from ..rules.round import bid, discard, play
from .careful import careful_bid, careful_cell, careful_discard
from .weights import Weights

CAREFUL: Final = 2
POLICIES: Final = {"random": UNIFORM, "follow": FOLLOW, "careful": CAREFUL}


@rule
def act_once(
    s: State, policy: int, weights: Weights, touch: Sequence[int], ratings: list[int], g: int
) -> int:
    """Let the seat to act do what the policy says; return the generator after it."""
    seat = s[TURN] & SEAT
    g = step(g)
    if s[PHASE] == PLAYING:
        if policy == CAREFUL:
            play(s, careful_cell(s, seat, weights, touch, ratings, g))
        else:
            play(s, choose_cell(s, policy, g))
    elif s[PHASE] == BIDDING:
        bid(s, careful_bid(s, seat, weights) if policy == CAREFUL else choose_bid(s[PLAYERS], g))
    elif policy == CAREFUL:
        discard(s, seat, careful_discard(s, seat, weights, g))
    else:
        discard(s, seat, choose_discard(s, seat, policy, g))
    return g


@rule
def finish(
    s: State, policy: int, weights: Weights, touch: Sequence[int], ratings: list[int], g: int
) -> int:
    """Play on to the end of the round under a policy; return the generator after it."""
    while s[PHASE] != OVER:
        g = act_once(s, policy, weights, touch, ratings, g)
    return g
