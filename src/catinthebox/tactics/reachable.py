"""What is still reachable from a position: cells, plays, groups that can still grow.

Two positions of one round with the same horizon have the same future, action by action and point
by point, however they came about. `code` folds a horizon into 62 bits: the key of `endgame`.

>>> cells = cell_bit(RED, 1) | cell_bit(BLUE, 4) | cell_bit(GREEN, 4)
>>> oct(playable(0o3011, cells))  # of a 1, a 2 and three 4s
'0o2001'
"""

from collections.abc import MutableSequence, Sequence
from typing import Final

from ..rules.chance import HALF, LOW, seeded, step
from ..rules.counts import MODEST
from ..rules.layout import *
from ..rules.marker import popcount, rule
from ..rules.score import largest_group
from ..rules.worlds import cards

# Codes are random numbers of 62 bits, one for every value of a chunk of nine bits. A seat has
# sixteen chunks; what is common to all seats stands where a sixth seat would.
CHUNK: Final = 9
CHUNKS: Final = 16
CODES: Final = (MAX_SEATS + 1) * CHUNKS << CHUNK
CODE: Final = (1 << 62) - 1
COMMON: Final = MAX_SEATS * CHUNKS
CARDS: Final = 4  # chunks 0 to 3 are the rows within reach, 4 to 6 the cards
TRICKS: Final = 7
LARGEST: Final = 8
TOKENS: Final = 9  # 9 to 12: the rows of tokens whose groups can still count

# Slots of a seat in a horizon: slot + SLOTS * seat.
SLOTS: Final = 8
REACH: Final = 0  # cells that the seat can still declare
PLAYS: Final = 1  # the most cards that it can still play
NEED: Final = 2  # and the fewest
NOW: Final = 3  # its bonus, if it gets one at once
LATER: Final = 4  # its bonus at most; 0 if it gets none
HORIZON: Final = SLOTS * MAX_SEATS


def fill_codes(codes: MutableSequence[int]) -> None:
    """Draw the random numbers; they are the same everywhere."""
    g = seeded(2020, 0)
    for place in range(CODES):
        g = step(g)
        high = g & LOW
        g = step(g)
        codes[place] = (high << HALF | g & LOW) & CODE


@rule
def code_of(codes: Sequence[int], chunk: int, value: int) -> int:
    """Return the random number of a value of a chunk."""
    return codes[(chunk << CHUNK) + value]


@rule
def code_of_cells(codes: Sequence[int], chunk: int, cells: int) -> int:
    """Return the code of a set of cells: four chunks, a row each."""
    code = codes[(chunk << CHUNK) + (cells & ROW)]
    for color in range(BLUE, GREEN + 1):
        code ^= codes[(chunk + color << CHUNK) + (cells >> LANE * color & ROW)]
    return code


# ── Cells and cards ──────────────────────────────────────────────────────────────────────────


@rule
def reach(s: State, seat: int) -> int:
    """Cells that a seat could declare, now or later: its cells can only become fewer."""
    return s[HELD + seat] & s[MAY + seat] & s[FREE]


@rule
def playable(hand: int, cells: int) -> int:
    """Return the cards of a hand that there is a cell for: more copies than cells are useless."""
    usable = 0
    ranks = (cells | cells >> LANE | cells >> 2 * LANE | cells >> 3 * LANE) & ROW
    while ranks != 0:
        place = popcount((ranks & -ranks) - 1)
        ranks &= ranks - 1
        copies = hand >> COUNT_BITS * place & COUNT
        room = popcount(cells >> place & COLUMN)
        usable |= min(copies, room) << COUNT_BITS * place
    return usable


@rule
def played(s: State, seat: int) -> int:
    """Whether a seat has a card in the current trick, as 0 or 1."""
    return 1 if s[TRICK] & s[OWN + seat] != 0 else 0


# ── Groups ───────────────────────────────────────────────────────────────────────────────────


@rule
def bonus_possible(s: State, seat: int) -> bool:
    """Whether a seat can still end with the tricks that earn the bonus (R25, R26)."""
    if s[PLAYERS] == 2:
        return s[WON + seat] <= MODEST
    missing = s[BID + seat] - s[WON + seat]
    return s[BID + seat] > 0 and 0 <= missing <= s[LEFT]


@rule
def connected(seed: int, cells: int, touch: Sequence[int]) -> int:
    """Return all cells of a set that are connected with one of them (R27)."""
    fresh = seed
    group = seed
    while fresh != 0:
        cell = fresh & -fresh
        near = touch[popcount(cell - 1)] & cells & ~group
        fresh ^= cell | near
        group |= near
    return group


# ── The whole table ──────────────────────────────────────────────────────────────────────────


@rule
def led_number(led: int) -> int:
    """Color of the led row + 1, or 0 if nothing is led."""
    if led == 0:
        return 0
    return (popcount((led & -led) - 1) >> 4) + 1


@rule
def code_of_table(s: State, cells: int, codes: Sequence[int]) -> int:
    """Fold what is common to all seats; `cells` are those within anybody's reach."""
    open_red = s[RED_OPEN] if cells & ROW != 0 else 1  # R14 matters while somebody can be red
    turns = s[TURN] | s[LEADER] << 3 | led_number(s[LED]) << 6
    code = code_of(codes, COMMON, turns)
    code ^= code_of(codes, COMMON + 1, s[BEST])
    return code ^ code_of(codes, COMMON + 2, s[LEFT] << 1 | open_red)


@rule
def code_of_seat(s: State, seat: int, cells: int, usable: int, codes: Sequence[int]) -> int:
    """Fold what a seat can play and what it has won."""
    chunk = CHUNKS * seat
    code = code_of_cells(codes, chunk, cells)
    for third in range(3):
        code ^= code_of(codes, chunk + CARDS + third, usable >> CHUNK * third & ROW)
    return code ^ code_of(codes, chunk + TRICKS, s[WON + seat])


@rule
def summarize_groups(
    s: State, seat: int, touch: Sequence[int], codes: Sequence[int], h: State
) -> int:
    """Note what the bonus of a seat can be; return the code of the tokens it depends on."""
    at = SLOTS * seat
    chunk = CHUNKS * seat
    h[at + NOW] = 0
    h[at + LATER] = 0
    if not bonus_possible(s, seat):
        return code_of(codes, chunk + LARGEST, 0)
    own = s[OWN + seat]
    plays = min(h[at + PLAYS], h[at + NEED])
    largest = largest_group(own, touch)
    later = largest
    live = 0
    places = own | h[at + REACH]
    while places != 0:
        part = connected(places & -places, places, touch)
        places ^= part
        tokens = popcount(part & own)
        size = tokens + min(plays, popcount(part) - tokens)
        if size > largest:  # here a group may outgrow the largest one
            live |= part & own
            later = max(later, size)
    h[at + NOW] = largest
    h[at + LATER] = later
    code = code_of(codes, chunk + LARGEST, largest + 1)
    return code ^ code_of_cells(codes, chunk + TOKENS, live)


@rule
def summarize(s: State, touch: Sequence[int], codes: Sequence[int], h: State) -> int:
    """Fill `h` with the horizon of a position in the play phase; return its code."""
    code = 0
    anybody = 0
    for seat in range(s[PLAYERS]):
        cells = reach(s, seat)
        usable = playable(s[HAND + seat], cells)
        h[SLOTS * seat + REACH] = cells
        h[SLOTS * seat + PLAYS] = cards(usable)
        h[SLOTS * seat + NEED] = s[LEFT] - played(s, seat)
        anybody |= cells
        code ^= code_of_seat(s, seat, cells, usable, codes)
        code ^= summarize_groups(s, seat, touch, codes, h)
    return code ^ code_of_table(s, anybody, codes)
