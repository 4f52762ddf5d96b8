"""Simple players: `follow` and `modest`, by their own cards and the open trick alone.

Both set aside a rank that they hold most often and bid by their high cards. `follow` then plays any
card that follows the led color; `modest` also avoids plays that would leave one of its cards
without a color, and plays high while it needs tricks, low when it has enough.

`seed` is the only source of chance: an integer from 0 to 2**62 - 1, a new one for each decision.

>>> from catinthebox.rules.chance import seeded
>>> from catinthebox.rules.playout import shuffled_deal
>>> s = [0] * SIZE
>>> g = shuffled_deal(s, 3, 0, seeded(7, 1))
>>> modest_action(s, 0, 5) - FIRST_DISCARD + 1, modest_action(s, 0, 6) - FIRST_DISCARD + 1
(5, 3)
"""

from ..rules.actions import FIRST_BID, FIRST_DISCARD, action_of_cell
from ..rules.chance import below, seeded, step
from ..rules.counts import BIDS, MODEST
from ..rules.layout import *
from ..rules.marker import nth_bit, popcount, rule
from ..rules.playout import FOLLOW, choose_cell, choose_discard

# ── The bid ──────────────────────────────────────────────────────────────────────────────────


@rule
def excess(s: State, seat: int, number: int) -> int:
    """How far a bid is above the tricks to expect, in parts of one by players and ranks.

    To expect are a fair share of the tricks (R19: one card stays in the hand), and more for each
    rank above the middle of the deck.
    """
    ends = popcount(s[FREE] & ROW) + 1  # lowest rank plus highest: all are free before the bids
    cards = 0
    doubled = 0
    for place in range(MAX_RANK):
        copies = s[HAND + seat] >> COUNT_BITS * place & COUNT
        cards += copies
        doubled += 2 * copies * (place + 1)
    expected = (cards - 1) * ends + s[PLAYERS] * (doubled - cards * ends)
    return number * s[PLAYERS] * ends - expected


@rule
def modest_bid(s: State, seat: int) -> int:
    """Return the allowed bid that is nearest to the tricks to expect; of two, the lower one."""
    best = 0
    nearest = 0
    for number in range(1, 5):
        if BIDS[s[PLAYERS]] >> number & 1:
            away = abs(excess(s, seat, number))
            if best == 0 or away < nearest:
                best = number
                nearest = away
    return best


# ── The play ─────────────────────────────────────────────────────────────────────────────────


@rule
def dead_ends(s: State, seat: int, bit: int) -> int:
    """Count the cards of a hand without a possible color after a play."""
    ways = s[LEGAL] & ~bit
    if bit & s[LED] == 0:
        ways &= ~s[LED]  # R16
    dead = 0
    for place in range(MAX_RANK):
        copies = s[HAND + seat] >> COUNT_BITS * place & COUNT
        if bit >> place & COLUMN:
            copies -= 1
        dead += max(0, copies - popcount(ways >> place & COLUMN))
    return dead


@rule
def would_win(s: State, seat: int, cell: int) -> bool:
    """Whether a card would win the trick as it stands (R18)."""
    if s[TRICK] == 0:
        return True
    if cell >= LANE and s[LED] >> cell & 1 == 0:
        return False
    return (TRUMP if cell < LANE else 0) | (cell & IN_LANE) << 3 | seat > s[BEST]


@rule
def unwelcome(s: State, seat: int, cell: int) -> int:
    """Rate a play by the bid: high and red to win, low and not red to lose."""
    strength = (cell & IN_LANE) + 1 + (MAX_RANK if cell < LANE else 0)
    wanted = s[BID + seat] if s[BID + seat] != 0 else MODEST  # R26
    if s[WON + seat] < wanted and would_win(s, seat, cell):
        return -strength
    return strength


@rule
def modest_cell(s: State, seat: int, g: int) -> int:
    """Return the cell that a modest seat declares: it follows if it can, and stays safe."""
    cells = s[LEGAL]
    if cells & s[LED] != 0:
        cells &= s[LED]
    equals = 0  # the cells that are as good as the best so far
    least = 0
    while cells != 0:
        bit = cells & -cells
        cells ^= bit
        trouble = dead_ends(s, seat, bit) * 64 + unwelcome(s, seat, popcount(bit - 1))
        if equals == 0 or trouble < least:
            equals = 0
            least = trouble
        if trouble == least:
            equals |= bit
    return nth_bit(equals, below(g, popcount(equals)))


# ── Decisions ────────────────────────────────────────────────────────────────────────────────


@rule
def follow_action(s: State, seat: int, seed: int) -> int:
    """Return the action id that the player `follow` chooses."""
    g = step(seeded(seed, 0))
    if s[PHASE] == DISCARDING:
        return FIRST_DISCARD - 1 + choose_discard(s, seat, FOLLOW, g)
    if s[PHASE] == BIDDING:
        return FIRST_BID - 1 + modest_bid(s, seat)
    return action_of_cell(choose_cell(s, FOLLOW, g))


@rule
def modest_action(s: State, seat: int, seed: int) -> int:
    """Return the action id that the player `modest` chooses."""
    g = step(seeded(seed, 0))
    if s[PHASE] == DISCARDING:
        return FIRST_DISCARD - 1 + choose_discard(s, seat, FOLLOW, g)
    if s[PHASE] == BIDDING:
        return FIRST_BID - 1 + modest_bid(s, seat)
    return action_of_cell(modest_cell(s, seat, g))
