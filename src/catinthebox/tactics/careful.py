"""`careful`: a hand-written policy that uses only its own cards and what is public.

Cards compete for cells only within their rank, so whether a whole hand can still be placed is an
exact matching that can be counted: for every rank, copies held against open cells (`pressure`).
Every action is rated in sixty-fourths of a point; `weights` says how much each aspect counts.

Of all hidden slots, the functions read only those of the deciding seat, so they do the same on its
view and on any world that agrees with it.

>>> from catinthebox.rules.faces import touching, white
>>> from catinthebox.rules.chance import seeded
>>> from catinthebox.rules.playout import shuffled_deal
>>> from .weights import WEIGHTS
>>> s = [0] * SIZE
>>> g = shuffled_deal(s, 3, 0, seeded(7, 1))
>>> careful_discard(s, 0, WEIGHTS[3], g)
5
"""

from collections.abc import Sequence
from typing import Final

from ..rules.actions import FIRST_BID, FIRST_DISCARD, action_of_cell, legal_actions
from ..rules.chance import LOW, below, scramble, seeded, step
from ..rules.counts import BIDS, MODEST, RANKS
from ..rules.layout import *
from ..rules.marker import nth_bit, popcount, rule
from .reachable import bonus_possible
from .weights import *

UNIT: Final = 64  # of a point, of a trick, of a chance
WORST: Final = -(1 << 40)
RATINGS: Final = 4 * LANE  # room for a rating of every cell
SALT: Final = 0x9E37_79B1
NEAR: Final = 2 * UNIT  # a slip costs at most two points by its own rating
ALWAYS: Final = 1 << 16  # slips are a share in parts of this


@rule
def whim(g: int, number: int, weights: Weights) -> int:
    """Return a small random part of a rating, one for each number."""
    return below(scramble((g ^ number * SALT) & LOW), weights[WHIM] * UNIT + 1)


# ── Being able to play on ────────────────────────────────────────────────────────────────────


@rule
def pressure(
    copies: int, cells: int, contested: int, rivals: int, left: int, weights: Weights
) -> int:
    """Rate how hard it is to place all copies of a rank on a number of cells.

    Others hold `rivals` more cards of it, and may take the `contested` cells (R12, R13); with many
    tricks left there is time for it.
    """
    spare = max(cells - copies, 0)
    threatened = min(min(rivals, contested) - spare, copies)
    if threatened <= 0 or spare > 2:
        return 0
    return (weights[TIGHT_0 + spare] + (weights[SOON] * left >> spare)) * threatened


@rule
def rivals(s: State, seat: int, place: int) -> int:
    """How many cards of a rank this seat sees neither in its hand nor on the board."""
    taken = popcount(~s[FREE] >> place & COLUMN)
    held = s[HAND + seat] >> COUNT_BITS * place & COUNT
    return COPIES - taken - held - (1 if s[DISCARD + seat] == place + 1 else 0)


@rule
def others_rows(s: State, seat: int) -> int:
    """Return the rows that some other seat may still declare (R13)."""
    rows = 0
    for other in range(s[PLAYERS]):
        if other != seat:
            rows |= s[MAY + other]
    return rows


@rule
def strain(s: State, seat: int, cells: int, shared: int, weights: Weights) -> int:
    """Rate a hand that is to be placed on some cells: stuck cards and tight ranks."""
    total = 0
    dead = 0
    for place in range(MAX_RANK):
        copies = s[HAND + seat] >> COUNT_BITS * place & COUNT
        if copies != 0:
            column = cells >> place & COLUMN
            contested = popcount(column & shared >> place)
            dead += max(0, copies - popcount(column))
            others = rivals(s, seat, place)
            total += pressure(copies, popcount(column), contested, others, s[LEFT], weights)
    if dead > 0:
        paradox = weights[STUCK_MORE] + weights[STUCK_WON] * s[WON + seat]  # R24
        total += weights[STUCK] + (dead - 1) * paradox
    return total


@rule
def relief(s: State, seat: int, place: int, cells: int, shared: int, weights: Weights) -> int:
    """Rate how much easier a rank gets when one copy of it is played."""
    copies = s[HAND + seat] >> COUNT_BITS * place & COUNT
    column = cells >> place & COLUMN
    contested = popcount(column & shared >> place)
    others = rivals(s, seat, place)
    room = popcount(column)
    before = pressure(copies, room, contested, others, s[LEFT], weights)
    return before - pressure(copies - 1, room - 1, contested, others, s[LEFT], weights)


@rule
def price_of_straying(s: State, seat: int, shared: int, weights: Weights) -> int:
    """Rate what it costs to declare another color than the led one (R16)."""
    mine = s[FREE] & s[MAY + seat]
    lost = mine & s[LED]
    if s[TRICK] == 0 or lost == 0 or s[LEGAL] & ~lost == 0:
        return 0
    poorer = strain(s, seat, mine ^ lost, shared, weights)
    price = weights[COLOR] + weights[COLOR_LEFT] * s[LEFT]
    return price + poorer - strain(s, seat, mine, shared, weights)


@rule
def choke(s: State, seat: int, cell: int, rivals: int, weights: Weights) -> int:
    """Rate what a declaration takes from the other seats: a cell of a rank that they hold.

    The fewer cells of that rank a seat may still declare, the nearer it comes to a paradox.
    """
    total = 0
    column = s[FREE] & COLUMN << (cell & IN_LANE)
    for other in range(s[PLAYERS]):
        if other != seat and s[MAY + other] >> cell & 1 != 0:
            total += weights[CHOKE_1 + popcount(column & s[MAY + other]) - 1]
    return total * min(rivals, 3)


# ── The trick ────────────────────────────────────────────────────────────────────────────────


@rule
def needed(s: State, seat: int) -> int:
    """How many more tricks a seat would like; below 0 its bonus is lost."""
    if s[PLAYERS] == 2:
        return MODEST - s[WON + seat]  # R26
    return s[BID + seat] - s[WON + seat]  # R25


@rule
def worth_of_trick(s: State, seat: int, weights: Weights) -> int:
    """Rate winning this trick."""
    if not bonus_possible(s, seat):
        return weights[PLAIN]
    need = needed(s, seat)
    if need == 0:
        return -weights[SPOIL]
    if need == s[LEFT] and s[PLAYERS] != 2:
        return weights[WANT] + weights[HURRY]
    return weights[WANT]


@rule
def beaters(s: State, cell: int, led: int) -> int:
    """Return the open cells that would beat a card."""
    above = s[FREE] & ROW << (cell & LANE_START) & -2 << cell
    if cell < LANE:
        return above
    red = s[FREE] & ROW  # R18
    return red | above & led


@rule
def chance_to_win(s: State, seat: int, cell: int, led: int, weights: Weights) -> int:
    """Estimate the chance that a card wins the trick, in parts of `UNIT`."""
    card = (TRUMP if cell < LANE else 0) | (cell & IN_LANE) << 3 | seat
    if card < s[BEST] or (cell >= LANE and led >> cell & 1 == 0):
        return 0
    chance = UNIT
    threats = beaters(s, cell, led)
    other = after(seat, s[PLAYERS])
    leader = seat if s[TRICK] == 0 else s[LEADER]
    while other != leader:
        keen = weights[KEEN] if needed(s, other) > 0 else weights[IDLE]
        risk = min(popcount(threats & s[MAY + other]) * keen, UNIT)
        chance -= chance * risk // UNIT
        other = after(other, s[PLAYERS])
    return chance


# ── Rating a play ────────────────────────────────────────────────────────────────────────────


@rule
def hopeful_tokens(s: State, seat: int) -> int:
    """Return the tokens of all other seats that may still earn the bonus."""
    tokens = 0
    for other in range(s[PLAYERS]):
        if other != seat and bonus_possible(s, other):
            tokens |= s[OWN + other]
    return tokens


@rule
def rate_trick(s: State, seat: int, cell: int, worth: int, weights: Weights) -> int:
    """Rate a card by the trick: what winning it is worth, and how likely it is."""
    rating = 0
    led = s[LED]
    if s[TRICK] == 0:
        led = ROW << (cell & LANE_START)
        rating = weights[LONG_LEAD] * popcount(s[FREE] & led)
        rating += weights[OWN_LEAD] * popcount(s[FREE] & led & s[HELD + seat])
    if cell < LANE:
        rating -= weights[TRUMP_USED]
    return rating + worth * chance_to_win(s, seat, cell, led, weights) // UNIT


@rule
def rate_cells(
    s: State, seat: int, weights: Weights, touch: Sequence[int], ratings: list[int]
) -> None:
    """Rate every legal declaration: the hand that remains, the trick, the board."""
    mine = s[FREE] & s[MAY + seat]
    shared = others_rows(s, seat)
    led = s[LED] if s[TRICK] != 0 else BOARD
    price = price_of_straying(s, seat, shared, weights)
    worth = worth_of_trick(s, seat, weights)
    per_rank = -weights[KEEP_HIGH] if worth > 0 else weights[SHED_HIGH]
    rivals_near = hopeful_tokens(s, seat)
    hopes = bonus_possible(s, seat)
    own_near = s[OWN + seat] if hopes else 0
    room_near = mine & s[HELD + seat] if hopes else 0
    for place in range(MAX_RANK):
        cells = s[LEGAL] & COLUMN << place
        if cells != 0:
            copies = s[HAND + seat] >> COUNT_BITS * place & COUNT
            others = rivals(s, seat, place)
            shed = per_rank * (place + 1)
            if copies > 1:
                shed += weights[ONE_OF_SEVERAL]
            following = shed + relief(s, seat, place, mine, shared, weights)
            straying = following
            if cells & ~led != 0:
                straying = shed + relief(s, seat, place, mine & led ^ mine, shared, weights) - price
            while cells != 0:
                bit = cells & -cells
                cells ^= bit
                cell = popcount(bit - 1)
                rating = following if bit & led != 0 else straying
                rating += rate_trick(s, seat, cell, worth, weights)
                rating += weights[JOIN] * popcount(touch[cell] & own_near)
                rating += weights[ROOM] * popcount(touch[cell] & room_near)
                rating += weights[DENY] * popcount(touch[cell] & rivals_near)
                ratings[cell] = rating + choke(s, seat, cell, others, weights)


@rule
def careful_cell(
    s: State, seat: int, weights: Weights, touch: Sequence[int], ratings: list[int], g: int
) -> int:
    """Return the cell that a careful seat declares; `ratings` is scratch, a slot for every cell."""
    rate_cells(s, seat, weights, touch, ratings)
    best = 0
    best_rating = WORST
    cells = s[LEGAL]
    while cells != 0:
        bit = cells & -cells
        cells ^= bit
        cell = popcount(bit - 1)
        rating = ratings[cell] * UNIT + whim(g, cell, weights)
        if rating > best_rating:
            best_rating = rating
            best = cell
    return best


# ── Discard and bid ──────────────────────────────────────────────────────────────────────────


@rule
def rate_discard(players: int, place: int, copies: int, weights: Weights) -> int:
    """Rate setting aside a card of rank place + 1, of which `copies` are held."""
    away = abs(2 * place + 1 - RANKS[players])
    rating = weights[COPIES_ASIDE] * copies + weights[HIGH_ASIDE] * (place + 1)
    return rating - weights[MIDDLE_ASIDE] * away // 2


@rule
def careful_discard(s: State, seat: int, weights: Weights, g: int) -> int:
    """Return the rank that a careful seat sets aside: one of several equals (F2)."""
    best = 0
    best_rating = WORST
    for place in range(MAX_RANK):
        copies = s[HAND + seat] >> COUNT_BITS * place & COUNT
        if copies != 0:
            rating = rate_discard(s[PLAYERS], place, copies, weights) * UNIT + whim(
                g, place, weights
            )
            if rating > best_rating:
                best_rating = rating
                best = place + 1
    return best


@rule
def expected_tricks(s: State, seat: int, weights: Weights) -> int:
    """Estimate how many tricks a hand will win, in parts of `UNIT`."""
    players = s[PLAYERS]
    top = RANKS[players]
    held = 0
    doubled = 0
    high = 0
    cards = 0
    for place in range(MAX_RANK):
        copies = s[HAND + seat] >> COUNT_BITS * place & COUNT
        cards += copies
        doubled += 2 * copies * (place + 1)
        held += 1 if copies != 0 else 0
        high += copies if place + 3 > top else 0
    above = doubled - cards * (top + 1)
    bids = 0
    for other in range(players):
        if s[BID + other] != 0:
            bids += s[BID + other] - 2
    rating = weights[BASE] + weights[SLOPE] * above // 2 + weights[TOP] * high
    rating += weights[PAIRED] * (cards - held) + weights[OTHERS] * bids
    if seat == s[STARTER]:
        rating += weights[FIRST]
    return rating


@rule
def careful_bid(s: State, seat: int, weights: Weights) -> int:
    """Return the allowed bid that is nearest to the tricks expected."""
    expected = expected_tricks(s, seat, weights)
    best = 0
    best_away = 1 << 40
    for number in range(1, 5):
        away = abs(number * UNIT - expected)
        if BIDS[s[PLAYERS]] >> number & 1 and away < best_away:
            best_away = away
            best = number
    return best


@rule
def careful_action(
    s: State, seat: int, weights: Weights, touch: Sequence[int], ratings: list[int], g: int
) -> int:
    """Return the action id that a careful seat chooses."""
    if s[PHASE] == DISCARDING:
        return FIRST_DISCARD - 1 + careful_discard(s, seat, weights, g)
    if s[PHASE] == BIDDING:
        return FIRST_BID - 1 + careful_bid(s, seat, weights)
    return action_of_cell(careful_cell(s, seat, weights, touch, ratings, g))


@rule
def rate_actions(
    s: State,
    seat: int,
    weights: Weights,
    touch: Sequence[int],
    ratings: list[int],
    rated: list[int],
) -> None:
    """Rate every legal action, by its id; `ratings` is scratch, a slot for every cell."""
    if s[PHASE] == PLAYING:
        rate_cells(s, seat, weights, touch, ratings)
        for color in range(RED, GREEN + 1):
            for place in range(MAX_RANK):
                rated[color * MAX_RANK + place] = ratings[color * LANE + place]
    elif s[PHASE] == BIDDING:
        expected = expected_tricks(s, seat, weights)
        for number in range(1, 5):
            rated[FIRST_BID - 1 + number] = -abs(number * UNIT - expected)
    else:
        for place in range(MAX_RANK):
            copies = s[HAND + seat] >> COUNT_BITS * place & COUNT
            rated[FIRST_DISCARD + place] = rate_discard(s[PLAYERS], place, copies, weights)


# ── Slips ────────────────────────────────────────────────────────────────────────────────────


@rule
def nearly_best(
    s: State, seat: int, best: int, weights: Weights, touch: Sequence[int], ratings: list[int]
) -> int:
    """Return the other legal actions that rate nearly as well as the best, as a set of ids."""
    rate_actions(s, seat, weights, touch, ratings, ratings)  # an id is never above its cell
    others = legal_actions(s, seat) & ~(1 << best)
    near = 0
    while others != 0:
        bit = others & -others
        others ^= bit
        if ratings[popcount(bit - 1)] >= ratings[best] - NEAR:
            near |= bit
    return near


@rule
def slipping_action(
    s: State,
    seat: int,
    slips: int,
    weights: Weights,
    touch: Sequence[int],
    ratings: list[int],
    seed: int,
) -> int:
    """Return the action id that a careful seat chooses if it slips now and then.

    A slip takes another action that rates nearly as well as the best, never a much worse one.
    `slips` is the share of slips, from 0 to `ALWAYS`; `seed` is an integer from 0 to 2**62 - 1.
    """
    best = careful_action(s, seat, weights, touch, ratings, seed)
    g = step(seeded(seed, 0))
    if below(g, ALWAYS) >= slips:
        return best
    near = nearly_best(s, seat, best, weights, touch, ratings)
    if near == 0:
        return best
    return nth_bit(near, below(step(g), popcount(near)))
