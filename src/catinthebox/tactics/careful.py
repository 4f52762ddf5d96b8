"""`careful`: a policy made by hand. It looks at its own cards and the open table, nothing else.

Cards compete for cells only within their rank, so whether a whole hand can still be placed is an
exact matching that can be counted: for every rank, copies held against open cells (`pressure`).
Every action is rated in sixty-fourths of a point; `taste` says how much each consideration weighs.

The functions read, of all hidden slots, only those of the seat that decides: they do the same on
its view and on any world that agrees with it.

>>> from catinthebox.rules.faces import touching, white
>>> from catinthebox.rules.chance import seeded
>>> from catinthebox.rules.playout import shuffled_deal
>>> from .taste import TASTES
>>> s = [0] * SIZE
>>> g = shuffled_deal(s, 3, 0, seeded(7, 1))
>>> careful_discard(s, 0, TASTES[3], g)
1
"""

from collections.abc import Sequence
from typing import Final

from ..rules.actions import FIRST_BID, FIRST_DISCARD, action_of_cell
from ..rules.chance import LOW, below, scramble
from ..rules.counts import BIDS, MODEST, RANKS
from ..rules.layout import *
from ..rules.marker import popcount, rule
from .horizon import bonus_possible
from .taste import *

UNIT: Final = 64  # of a point, of a trick, of a chance
WORST: Final = -(1 << 40)
RATINGS: Final = 4 * LANE  # room for a rating of every cell
SALT: Final = 0x9E37_79B1


@rule
def whim(g: int, number: int, taste: Taste) -> int:
    """Give a small part of a rating that is left to chance: one for each number."""
    return below(scramble((g ^ number * SALT) & LOW), taste[WHIM] * UNIT + 1)


# ── Being able to play on ────────────────────────────────────────────────────────────────────


@rule
def pressure(copies: int, cells: int, contested: int, rivals: int, taste: Taste) -> int:
    """Rate how hard it is to place all copies of a rank on so many cells.

    Others hold `rivals` more cards of it, and may take the `contested` cells (R12, R13).
    """
    spare = max(cells - copies, 0)
    threatened = min(min(rivals, contested) - spare, copies)
    if threatened <= 0 or spare > 2:
        return 0
    return taste[TIGHT_0 + spare] * threatened


@rule
def rivals(s: State, seat: int, place: int) -> int:
    """How many cards of a rank this seat sees neither in its hand nor on the board."""
    taken = popcount(~s[FREE] >> place & COLUMN)
    held = s[HAND + seat] >> COUNT_BITS * place & COUNT
    return COPIES - taken - held - (1 if s[DISCARD + seat] == place + 1 else 0)


@rule
def others_rows(s: State, seat: int) -> int:
    """Give the rows that some other seat may still declare (R13)."""
    rows = 0
    for other in range(s[PLAYERS]):
        if other != seat:
            rows |= s[MAY + other]
    return rows


@rule
def strain(s: State, seat: int, cells: int, shared: int, taste: Taste) -> int:
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
            total += pressure(copies, popcount(column), contested, others, taste)
    if dead > 0:
        paradox = taste[STUCK_MORE] + taste[STUCK_WON] * s[WON + seat]  # R24
        total += taste[STUCK] + (dead - 1) * paradox
    return total


@rule
def relief(s: State, seat: int, place: int, cells: int, shared: int, taste: Taste) -> int:
    """Rate how much easier a rank gets when one copy of it is played."""
    copies = s[HAND + seat] >> COUNT_BITS * place & COUNT
    column = cells >> place & COLUMN
    contested = popcount(column & shared >> place)
    others = rivals(s, seat, place)
    before = pressure(copies, popcount(column), contested, others, taste)
    return before - pressure(copies - 1, popcount(column) - 1, contested, others, taste)


@rule
def price_of_straying(s: State, seat: int, shared: int, taste: Taste) -> int:
    """Rate what it costs to declare another color than the led one (R16)."""
    mine = s[FREE] & s[MAY + seat]
    lost = mine & s[LED]
    if s[TRICK] == 0 or lost == 0 or s[LEGAL] & ~lost == 0:
        return 0
    poorer = strain(s, seat, mine ^ lost, shared, taste)
    return poorer - strain(s, seat, mine, shared, taste) + taste[COLOR]


# ── The trick ────────────────────────────────────────────────────────────────────────────────


@rule
def needed(s: State, seat: int) -> int:
    """How many more tricks a seat would like; below 0 its bonus is lost."""
    if s[PLAYERS] == 2:
        return MODEST - s[WON + seat]  # R26
    return s[BID + seat] - s[WON + seat]  # R25


@rule
def worth_of_trick(s: State, seat: int, taste: Taste) -> int:
    """Rate winning this trick."""
    if not bonus_possible(s, seat):
        return taste[PLAIN]
    need = needed(s, seat)
    if need == 0:
        return -taste[SPOIL]
    if need == s[LEFT] and s[PLAYERS] != 2:
        return taste[WANT] + taste[HURRY]
    return taste[WANT]


@rule
def beaters(s: State, cell: int, led: int) -> int:
    """Give the open cells that would beat a card."""
    above = s[FREE] & ROW << (cell & LANE_START) & -2 << cell
    if cell < LANE:
        return above
    red = s[FREE] & ROW  # R18
    return red | above & led


@rule
def chance_to_win(s: State, seat: int, cell: int, led: int, taste: Taste) -> int:
    """Guess the chance that a card wins the trick, in parts of `UNIT`."""
    card = (TRUMP if cell < LANE else 0) | (cell & IN_LANE) << 3 | seat
    if card < s[BEST] or (cell >= LANE and led >> cell & 1 == 0):
        return 0
    chance = UNIT
    threats = beaters(s, cell, led)
    other = after(seat, s[PLAYERS])
    leader = seat if s[TRICK] == 0 else s[LEADER]
    while other != leader:
        keen = taste[KEEN] if needed(s, other) > 0 else taste[IDLE]
        risk = min(popcount(threats & s[MAY + other]) * keen, UNIT)
        chance -= chance * risk // UNIT
        other = after(other, s[PLAYERS])
    return chance


# ── Rating a play ────────────────────────────────────────────────────────────────────────────


@rule
def hopeful_tokens(s: State, seat: int) -> int:
    """Give the tokens of all other seats that may still earn the bonus."""
    tokens = 0
    for other in range(s[PLAYERS]):
        if other != seat and bonus_possible(s, other):
            tokens |= s[OWN + other]
    return tokens


@rule
def rate_trick(s: State, seat: int, cell: int, worth: int, taste: Taste) -> int:
    """Rate a card by the trick: what winning it is worth, and how likely it is."""
    rating = 0
    led = s[LED]
    if s[TRICK] == 0:
        led = ROW << (cell & LANE_START)
        rating = taste[LONG_LEAD] * popcount(s[FREE] & led)
    if cell < LANE:
        rating -= taste[TRUMP_USED]
    return rating + worth * chance_to_win(s, seat, cell, led, taste) // UNIT


@rule
def rate_cells(s: State, seat: int, taste: Taste, touch: Sequence[int], ratings: list[int]) -> None:
    """Rate every legal declaration: the hand that remains, the trick, the board."""
    mine = s[FREE] & s[MAY + seat]
    shared = others_rows(s, seat)
    led = s[LED] if s[TRICK] != 0 else BOARD
    price = price_of_straying(s, seat, shared, taste)
    worth = worth_of_trick(s, seat, taste)
    per_rank = -taste[KEEP_HIGH] if worth > 0 else taste[SHED_HIGH]
    rivals_near = hopeful_tokens(s, seat)
    hopes = bonus_possible(s, seat)
    own_near = s[OWN + seat] if hopes else 0
    room_near = mine & s[HELD + seat] if hopes else 0
    for place in range(MAX_RANK):
        cells = s[LEGAL] & COLUMN << place
        if cells != 0:
            shed = per_rank * (place + 1)
            following = shed + relief(s, seat, place, mine, shared, taste)
            straying = following
            if cells & ~led != 0:
                straying = shed + relief(s, seat, place, mine & led ^ mine, shared, taste) - price
            while cells != 0:
                bit = cells & -cells
                cells ^= bit
                cell = popcount(bit - 1)
                rating = following if bit & led != 0 else straying
                rating += rate_trick(s, seat, cell, worth, taste)
                rating += taste[JOIN] * popcount(touch[cell] & own_near)
                rating += taste[ROOM] * popcount(touch[cell] & room_near)
                rating += taste[DENY] * popcount(touch[cell] & rivals_near)
                if bit & shared == 0:
                    rating -= taste[RESERVE]
                ratings[cell] = rating


@rule
def careful_cell(
    s: State, seat: int, taste: Taste, touch: Sequence[int], ratings: list[int], g: int
) -> int:
    """Give the cell that a careful seat declares; `ratings` is scratch, a slot for every cell."""
    rate_cells(s, seat, taste, touch, ratings)
    best = 0
    best_rating = WORST
    cells = s[LEGAL]
    while cells != 0:
        bit = cells & -cells
        cells ^= bit
        cell = popcount(bit - 1)
        rating = ratings[cell] * UNIT + whim(g, cell, taste)
        if rating > best_rating:
            best_rating = rating
            best = cell
    return best


# ── Discard and bid ──────────────────────────────────────────────────────────────────────────


@rule
def rate_discard(players: int, place: int, copies: int, taste: Taste) -> int:
    """Rate setting aside a card of rank place + 1, of which so many copies are held."""
    away = abs(2 * place + 1 - RANKS[players])
    rating = taste[COPIES_ASIDE] * copies + taste[HIGH_ASIDE] * (place + 1)
    return rating - taste[MIDDLE_ASIDE] * away // 2


@rule
def careful_discard(s: State, seat: int, taste: Taste, g: int) -> int:
    """Give the rank that a careful seat sets aside: one of several equals (F2)."""
    best = 0
    best_rating = WORST
    for place in range(MAX_RANK):
        copies = s[HAND + seat] >> COUNT_BITS * place & COUNT
        if copies != 0:
            rating = rate_discard(s[PLAYERS], place, copies, taste) * UNIT + whim(g, place, taste)
            if rating > best_rating:
                best_rating = rating
                best = place + 1
    return best


@rule
def expected_tricks(s: State, seat: int, taste: Taste) -> int:
    """Guess how many tricks a hand will win, in parts of `UNIT`."""
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
    rating = taste[BASE] + taste[SLOPE] * above // 2 + taste[TOP] * high
    rating += taste[PAIRED] * (cards - held) + taste[OTHERS] * bids
    if seat == s[STARTER]:
        rating += taste[FIRST]
    return rating


@rule
def careful_bid(s: State, seat: int, taste: Taste) -> int:
    """Give the allowed bid that is nearest to the tricks expected."""
    expected = expected_tricks(s, seat, taste)
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
    s: State, seat: int, taste: Taste, touch: Sequence[int], ratings: list[int], g: int
) -> int:
    """Give the action id that a careful seat chooses."""
    if s[PHASE] == DISCARDING:
        return FIRST_DISCARD - 1 + careful_discard(s, seat, taste, g)
    if s[PHASE] == BIDDING:
        return FIRST_BID - 1 + careful_bid(s, seat, taste)
    return action_of_cell(careful_cell(s, seat, taste, touch, ratings, g))


@rule
def rate_actions(
    s: State, seat: int, taste: Taste, touch: Sequence[int], ratings: list[int], rated: list[int]
) -> None:
    """Rate every legal action, by its id; `ratings` is scratch, a slot for every cell."""
    if s[PHASE] == PLAYING:
        rate_cells(s, seat, taste, touch, ratings)
        for color in range(RED, GREEN + 1):
            for place in range(MAX_RANK):
                rated[color * MAX_RANK + place] = ratings[color * LANE + place]
    elif s[PHASE] == BIDDING:
        expected = expected_tricks(s, seat, taste)
        for number in range(1, 5):
            rated[FIRST_BID - 1 + number] = -abs(number * UNIT - expected)
    else:
        for place in range(MAX_RANK):
            copies = s[HAND + seat] >> COUNT_BITS * place & COUNT
            rated[FIRST_DISCARD + place] = rate_discard(s[PLAYERS], place, copies, taste)
