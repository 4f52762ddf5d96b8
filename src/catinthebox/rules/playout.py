"""Whole rounds at random: shuffle, deal, and play to the end under a policy with a name.

Everything here is a function of a generator (`chance`), so that a round is known by its seed and
its index alone, on every target.

>>> from .chance import seeded
>>> s = [0] * SIZE
>>> _ = random_round(s, 4, 0, UNIFORM, seeded(7, 0))
>>> s[PHASE] == OVER, s[PARADOX], s[WON : WON + 4]
(True, 2, [0, 3, 0, 0])
"""

from typing import Final

from .actions import FIRST_BID, FIRST_DISCARD, action_of_cell
from .chance import below, step
from .counts import ASIDE, BIDS, DEALT, RANKS, TURNED_UP
from .layout import *
from .marker import nth_bit, popcount, rule
from .round import bid, discard, open_round, play, turn_up

# Policies.
UNIFORM: Final = 0  # any legal action, all equally likely
FOLLOW: Final = 1  # discard a card held most often, follow the led color when possible

# While dealing, a pile has eight bits: the seats, then (two players) the cards turned up and the
# hidden ones. ONES is one card on each pile, TOPS the highest bit of each.
PILE: Final = 8
ONES: Final = 0x0101_0101_0101
TOPS: Final = 0x8080_8080_8080


# ── Dealing ──────────────────────────────────────────────────────────────────────────────────


@rule
def room_on_piles(players: int) -> int:
    """Room on each pile and all piles before it, as running sums."""
    room = 0
    for seat in range(players):
        room += DEALT[players] * ONES << PILE * seat
    if ASIDE[players] != 0:
        room += TURNED_UP * ONES << PILE * players
        room += (ASIDE[players] - TURNED_UP) * ONES << PILE * (players + 1)
    return room & (1 << PILE * (players + (2 if ASIDE[players] != 0 else 0))) - 1


@rule
def shuffled_deal(s: State, players: int, starter: int, g: int) -> int:
    """Deal at random (R5, R6): each card in turn goes to a pile as likely as the room on it."""
    open_round(s, players, RANKS[players], DEALT[players] - 2, starter)
    room = room_on_piles(players)
    cards = RANKS[players] * COPIES
    for place in range(RANKS[players]):
        dealt = 0  # copies of this rank on each pile
        for _ in range(COPIES):
            g = step(g)
            reached = (room | TOPS) - (below(g, cards) + 1) * ONES & TOPS  # piles up to that card
            room -= reached >> 7
            dealt += (reached & -reached) >> 7
            cards -= 1
        for seat in range(players):
            copies = dealt >> PILE * seat & COUNT
            s[HAND + seat] |= copies << COUNT_BITS * place
            s[HELD + seat] |= (COLUMN << place) * (copies != 0)
        if ASIDE[players] != 0:
            for _ in range(dealt >> PILE * players & COUNT):
                turn_up(s, place + 1)
    return g


# ── Playing ──────────────────────────────────────────────────────────────────────────────────


@rule
def most_held(hand: int) -> int:
    """Ranks with the most copies in a hand, as bits rank - 1."""
    ranks = 0
    most = 1
    for place in range(MAX_RANK):
        copies = hand >> COUNT_BITS * place & COUNT
        if copies > most:
            most = copies
            ranks = 0
        if copies == most:
            ranks |= 1 << place
    return ranks


@rule
def choose_discard(s: State, seat: int, policy: int, g: int) -> int:
    """Return the rank a policy sets aside."""
    ranks = s[HELD + seat] & ROW
    if policy == FOLLOW:
        ranks = most_held(s[HAND + seat])
    return nth_bit(ranks, below(g, popcount(ranks))) + 1


@rule
def choose_cell(s: State, policy: int, g: int) -> int:
    """Return the cell a policy declares."""
    cells = s[LEGAL]
    if policy == FOLLOW and cells & s[LED] != 0:
        cells &= s[LED]
    return nth_bit(cells, below(g, popcount(cells)))


@rule
def choose_bid(players: int, g: int) -> int:
    """Return any of the allowed bids."""
    bids = BIDS[players]
    return nth_bit(bids, below(g, popcount(bids)))


@rule
def choose_action(s: State, policy: int, g: int) -> int:
    """Return the action id a policy chooses for the seat to act."""
    if s[PHASE] == DISCARDING:
        return FIRST_DISCARD - 1 + choose_discard(s, s[TURN], policy, g)
    if s[PHASE] == BIDDING:
        return FIRST_BID - 1 + choose_bid(s[PLAYERS], g)
    return action_of_cell(choose_cell(s, policy, g))


@rule
def playout(s: State, policy: int, g: int) -> int:
    """Play on from any moment to the end of the round."""
    while s[PHASE] == DISCARDING:
        g = step(g)
        discard(s, s[TURN], choose_discard(s, s[TURN], policy, g))
    while s[PHASE] == BIDDING:
        g = step(g)
        bid(s, choose_bid(s[PLAYERS], g))
    while s[PHASE] == PLAYING:
        g = step(g)
        play(s, choose_cell(s, policy, g))
    return g


@rule
def random_round(s: State, players: int, starter: int, policy: int, g: int) -> int:
    """Deal a round and play it to its end; return the generator that is left."""
    return playout(s, policy, shuffled_deal(s, players, starter, g))
