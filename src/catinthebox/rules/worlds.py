"""Worlds: complete states that agree with what a seat knows, every arrangement equally likely.

An arrangement says which of the unseen cards lies in which hidden pile: a hand, a discard, the
cards left aside. Public play excludes some arrangements in two ways and no other (docs/views.md):

- a red lead while red was closed (R14b) proves that the leader held no rank it could have declared
  in another color. It happens once a round at most; `barred` carries it, since a state has no
  history: start with 0 and call `bar` before every play.
- the seat on turn can declare something, or the round would be over (R20).

>>> from catinthebox.rules.chance import seeded
>>> from catinthebox.rules.round import open_round
>>> from catinthebox.rules.sight import observe
>>> s, v, w = [0] * SIZE, [0] * SIZE, [0] * SIZE
>>> open_round(s, 3, 6, 8, 0)
>>> give_hand(s, 1, 0o211222)  # ranks 1 1 2 2 3 3 4 5 6 6
>>> observe(s, 1, v)
>>> g = complete(v, 0, seeded(1, 1), w)
>>> w[HAND + 1] == v[HAND + 1], cards(w[HAND]), cards(w[HAND + 2]), unseen(w)
(True, 10, 10, 0)
"""

from typing import Final

from .chance import HALF, LOW, below, step
from .layout import *
from .marker import popcount, rule
from .round import give_hand, legal_cells
from .sight import FACE_DOWN, hand_size

ONES: Final = 0o111_111_111  # one card of every rank
RUNG: Final = 7  # bits: six for a number of cards, one that says which of two is larger
STEPS: Final = 0x0102_0408_1020_4081  # one on every rung
GUARDS: Final = STEPS << RUNG - 1
BARRED: Final = 3  # `barred` is the seat in three bits, above it the ranks as full counts


# ── Sets of cards: counts per rank, three bits each ──────────────────────────────────────────


@rule
def spread(ranks: int) -> int:
    """Return one card of each rank in a set of ranks (bits rank - 1)."""
    ranks = (ranks | ranks << 16) & 0x0300_00FF
    ranks = (ranks | ranks << 8) & 0x0300_F00F
    ranks = (ranks | ranks << 4) & 0x030C_30C3
    return (ranks | ranks << 2) & 0x0924_9249


@rule
def columns(cells: int) -> int:
    """Return the ranks of a set of cells, as full counts: a mask for sets of cards."""
    return spread((cells | cells >> LANE | cells >> 2 * LANE | cells >> 3 * LANE) & ROW) * COUNT


@rule
def cards(hand: int) -> int:
    """How many cards a set has."""
    twos = hand >> 1
    fours = hand >> 2
    return popcount(hand & ONES) + 2 * popcount(twos & ONES) + 4 * popcount(fours & ONES)


@rule
def ladder(hand: int) -> int:
    """Return a set of cards as a ladder: rung r - 1 counts its cards of rank r or less."""
    rungs = 0
    so_far = 0
    for place in range(MAX_RANK):
        so_far += hand >> COUNT_BITS * place & COUNT
        rungs |= so_far << RUNG * place
    return rungs


@rule
def nth(rungs: int, number: int) -> int:
    """Return rank - 1 of a card of a ladder, counted from the lowest: all rungs at once."""
    return popcount((number * STEPS | GUARDS) - rungs & GUARDS)


@rule
def without(rungs: int, place: int) -> int:
    """Take a card of rank place + 1 from a ladder."""
    return rungs - (STEPS >> RUNG * place << RUNG * place)


# ── What is unseen, and what play has proved ─────────────────────────────────────────────────


@rule
def unseen(v: State) -> int:
    """Return the cards of the deck that a view shows nowhere."""
    in_play = v[FREE]
    hidden = 0
    for seat in range(v[PLAYERS]):
        in_play |= v[OWN + seat]
        hidden -= v[HAND + seat]
        if 0 < v[DISCARD + seat] < FACE_DOWN:
            hidden -= 1 << COUNT_BITS * (v[DISCARD + seat] - 1)
    ranks = in_play & ROW  # R6: a neutral token never lies on red
    taken = ranks * COLUMN & ~v[FREE]  # R11, R6: under each token lies, or lay, a card
    hidden += spread(ranks) * COPIES
    for color in range(RED, GREEN + 1):
        hidden -= spread(taken >> LANE * color & ROW)
    return hidden


@rule
def bar(v: State, cell: int, barred: int) -> int:
    """Return what is proved once the seat on turn declares a cell: call it before the play."""
    if cell >= LANE or v[TRICK] != 0 or v[RED_OPEN] != 0:
        return barred
    seat = v[TURN]  # R14b: it had no card for any of these
    return columns(v[FREE] & v[MAY + seat] & ~ROW) << BARRED | seat


@rule
def missing(v: State, seat: int) -> int:
    """How many cards of a hand a view does not show."""
    return hand_size(v, seat) if v[HAND + seat] == 0 else 0


@rule
def uncertain(v: State, hidden: int) -> int:
    """Return the seat on turn if its unseen hand might hold nothing to declare, else NOBODY."""
    seat = v[TURN]
    if v[PHASE] != PLAYING or missing(v, seat) == 0:
        return NOBODY
    dead = hidden & ~columns(v[FREE] & v[MAY + seat])
    return seat if cards(dead) >= missing(v, seat) else NOBODY


# ── Counting arrangements ────────────────────────────────────────────────────────────────────


@rule
def choose(n: int, k: int) -> int:
    """How many ways there are to choose k of n."""
    if k < 0 or k > n:
        return 0
    ways = 1
    for i in range(k):
        ways = ways * (n - i) // (i + 1)
    return ways


@rule
def weight(good: int, other: int, size: int, number: int, left: int, dead: int, later: int) -> int:
    """Count the hands of `size` cards, `number` of them good, times the ways to go on.

    Good are the cards that the seat on turn could declare; it needs one. If this is its own hand,
    `later` is 0. Otherwise it takes `later` of the `left` cards afterwards; `dead` of all cards
    are not good.
    """
    ways = choose(good, number) * choose(other, size - number)
    if later == 0:
        return ways if number > 0 else 0
    return ways * (choose(left, later) - choose(dead - size + number, later))


@rule
def happens(g: int, ways: int, total: int) -> bool:
    """Read from a generator a chance of ways in total, to 32 binary places; total < 2**62."""
    share = 0
    for _ in range(HALF):
        ways <<= 1
        share <<= 1
        if ways >= total:
            ways -= total
            share |= 1
    return ways >= total or g & LOW < share


# ── Dealing ──────────────────────────────────────────────────────────────────────────────────


@rule
def deal(w: State, seat: int, hidden: int, number: int, g: int) -> int:
    """Deal a seat some of a set of cards, any of them equally likely; return the generator."""
    left = cards(hidden)
    if number == left:  # the last one takes what is left
        w[HAND + seat] += hidden
        return g
    rungs = ladder(hidden)
    for taken in range(number):
        g = step(g)
        place = nth(rungs, below(g, left - taken))
        rungs = without(rungs, place)
        w[HAND + seat] += 1 << COUNT_BITS * place
    return g


@rule
def deal_mixed(
    w: State, seat: int, hidden: int, lively: int, left: int, dead: int, later: int, g: int
) -> int:
    """Deal a hand such that the seat on turn can declare something (see `weight`)."""
    size = hand_size(w, seat)
    good = cards(hidden & lively)
    other = cards(hidden & ~lively)
    total = 0
    for number in range(size + 1):
        total += weight(good, other, size, number, left, dead, later)
    number = 0
    ways = weight(good, other, size, number, left, dead, later)
    g = step(g)
    while not happens(g, ways, total):
        total -= ways
        number += 1
        ways = weight(good, other, size, number, left, dead, later)
        g = step(g)
    g = deal(w, seat, hidden & lively, number, g)
    return deal(w, seat, hidden & ~lively, size - number, g)


@rule
def deal_barred(w: State, hidden: int, barred: int, turn: int, g: int) -> int:
    """Deal the hand that a red lead restricts; `turn` is the uncertain seat on turn."""
    seat = barred & SEAT
    allowed = hidden & ~(barred >> BARRED)
    size = hand_size(w, seat)
    if turn == NOBODY:
        return deal(w, seat, allowed, size, g)
    lively = columns(w[FREE] & w[MAY + turn])
    later = 0 if turn == seat else hand_size(w, turn)
    dead = cards(hidden & ~lively)
    return deal_mixed(w, seat, allowed, lively, cards(hidden) - size, dead, later, g)


@rule
def deal_rest(w: State, hidden: int, g: int) -> int:
    """Deal discards and hands about which nothing is known; what is left over lies aside."""
    rungs = ladder(hidden)
    left = cards(hidden)
    for seat in range(w[PLAYERS]):
        if w[DISCARD + seat] == FACE_DOWN:
            g = step(g)
            place = nth(rungs, below(g, left))
            rungs = without(rungs, place)
            left -= 1
            hidden -= 1 << COUNT_BITS * place
            w[DISCARD + seat] = place + 1
    for seat in range(w[PLAYERS]):
        if w[HAND + seat] == 0:
            g = deal(w, seat, hidden, hand_size(w, seat), g)
            hidden -= w[HAND + seat]
    return g


@rule
def complete(v: State, barred: int, g: int, w: State) -> int:
    """Fill `w` with a world that agrees with the view `v`; return the generator after it."""
    for slot in range(SIZE):
        w[slot] = v[slot]
    hidden = unseen(v)
    turn = uncertain(v, hidden)
    proved = barred & SEAT
    if barred >> BARRED != 0 and missing(v, proved) != 0:
        g = deal_barred(w, hidden, barred, turn, g)
        hidden -= w[HAND + proved]
        if proved == turn:
            turn = NOBODY
    if turn != NOBODY:
        g = deal_mixed(w, turn, hidden, columns(v[FREE] & v[MAY + turn]), 0, 0, 0, g)
        hidden -= w[HAND + turn]
    g = deal_rest(w, hidden, g)
    for seat in range(v[PLAYERS]):
        give_hand(w, seat, w[HAND + seat])
    if v[PHASE] == PLAYING:
        w[LEGAL] = legal_cells(w, v[TURN])
    return g
