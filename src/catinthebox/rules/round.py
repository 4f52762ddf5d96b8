"""One round: deal, discard, bid, play. Legality is `legal_cells`, and it is all of it.

The functions change the state vector in place and trust their arguments: `reason.broken` says
whether an action is legal, `game` asks it before it acts.

>>> s = [0] * SIZE
>>> open_round(s, 3, 6, 8, 0)
>>> s[PHASE] == DISCARDING, s[FREE].bit_count()
(True, 24)
"""

from .counts import BIDS
from .layout import *
from .marker import rule

# ── What is legal ────────────────────────────────────────────────────────────────────────────


@rule
def legal_cells(s: State, seat: int) -> int:
    """Cells that a seat on turn may declare. None at all means a paradox (R20)."""
    cells = s[HELD + seat] & s[MAY + seat] & s[FREE]  # R11 a card, R13 a token, R12 an empty cell
    closed = s[TRICK] == 0 and s[RED_OPEN] == 0  # R14a: a lead, and nobody has declared red yet
    if closed and cells & ~ROW != 0:  # R14b: nothing but red left opens it
        cells &= ~ROW
    return cells  # R15: a follower may declare any of them


@rule
def legal_discards(s: State, seat: int) -> int:
    """Ranks a seat may set aside, as bits rank - 1: any card, once (R7)."""
    if s[DISCARD + seat] != 0:
        return 0
    return s[HELD + seat] & ROW


@rule
def legal_bids(players: int) -> int:
    """Bids a seat may make, as bits of the numbers (R8, R9)."""
    return BIDS[players]


# ── Small steps ──────────────────────────────────────────────────────────────────────────────


@rule
def take_card(s: State, seat: int, place: int) -> None:
    """Remove one card of rank place + 1 from a hand."""
    s[HAND + seat] -= 1 << COUNT_BITS * place
    gone = s[HAND + seat] >> COUNT_BITS * place & COUNT == 0
    s[HELD + seat] &= ~((COLUMN << place) * gone)


@rule
def close(s: State) -> None:
    """End the round; an interrupted trick stays on the table, won by nobody (R21)."""
    s[PHASE] = OVER
    s[TURN] = NOBODY
    s[LEGAL] = 0


@rule
def pass_turn(s: State, seat: int) -> None:
    """Pass the turn to a seat; if it can declare nothing, that is a paradox (R20, R21)."""
    s[TURN] = seat
    s[LEGAL] = legal_cells(s, seat)
    if s[LEGAL] == 0:
        s[PARADOX] = seat
        close(s)


@rule
def open_tricks(s: State) -> None:
    """Let the starter lead the first trick (R10)."""
    s[PHASE] = PLAYING
    pass_turn(s, s[STARTER])


# ── Preparation ──────────────────────────────────────────────────────────────────────────────


@rule
def open_round(s: State, players: int, ranks: int, tricks: int, starter: int) -> None:
    """Clear the table: an empty board and four color tokens for every seat (R4)."""
    for slot in range(SIZE):
        s[slot] = 0
    s[PLAYERS] = players
    s[STARTER] = starter
    s[LEADER] = starter
    s[LEFT] = tricks
    s[FREE] = ((1 << ranks) - 1) * COLUMN
    s[PARADOX] = NOBODY
    for seat in range(players):
        s[MAY + seat] = BOARD


@rule
def give_hand(s: State, seat: int, hand: int) -> None:
    """Deal a hand, given as counts per rank (R5)."""
    present = 0
    for place in range(MAX_RANK):
        if hand >> COUNT_BITS * place & COUNT:
            present |= 1 << place
    s[HAND + seat] = hand
    s[HELD + seat] = present * COLUMN


@rule
def turn_up(s: State, rank: int) -> None:
    """Put a neutral token on green; a second copy goes on yellow, a third on blue (R6)."""
    cell = GREEN * LANE + rank - 1
    while s[FREE] >> cell & 1 == 0:
        cell -= LANE
    s[FREE] ^= 1 << cell


@rule
def discard(s: State, seat: int, rank: int) -> None:
    """Set one card aside, unseen (R7); the last one to do so opens the bidding."""
    take_card(s, seat, rank - 1)
    s[DISCARD + seat] = rank
    waiting = 0
    while waiting < s[PLAYERS] and s[DISCARD + waiting] != 0:
        waiting += 1
    if waiting < s[PLAYERS]:
        s[TURN] = waiting
    elif legal_bids(s[PLAYERS]) == 0:  # R9
        open_tricks(s)
    else:
        s[PHASE] = BIDDING
        s[TURN] = s[STARTER]  # R8


@rule
def bid(s: State, number: int) -> None:
    """Predict the number of tricks; bidding goes once round the table (R8)."""
    s[BID + s[TURN]] = number
    seat = after(s[TURN], s[PLAYERS])
    s[TURN] = seat
    if seat == s[STARTER]:
        open_tricks(s)


# ── Tricks ───────────────────────────────────────────────────────────────────────────────────


@rule
def end_trick(s: State) -> None:
    """Award the trick to the strongest card (R18); its seat leads the next (R10)."""
    winner = s[BEST] & SEAT
    s[WON + winner] += 1
    s[LEADER] = winner
    s[TRICK] = 0
    s[LED] = 0
    s[BEST] = 0
    s[LEFT] -= 1
    if s[LEFT] == 0:  # R19: every seat holds exactly one card
        close(s)
    else:
        pass_turn(s, winner)


@rule
def play(s: State, cell: int) -> None:
    """Declare a card of the seat on turn: its token goes on the cell (R11)."""
    seat = s[TURN] & SEAT  # so that a compiler knows it for no negative index
    token = 1 << cell
    row = ROW << (cell & LANE_START)
    led = row if s[TRICK] == 0 else s[LED]
    card = (row == ROW) * TRUMP | (cell & IN_LANE) << 3 | seat
    s[LED] = led
    s[TRICK] |= token
    s[FREE] ^= token
    s[OWN + seat] |= token
    s[RED_OPEN] |= row == ROW  # R14a
    s[MAY + seat] &= ~led | row  # R16: not declaring the led color loses its token
    s[BEST] = max(s[BEST], card * (row & (led | ROW) != 0))  # R18: red, or else the led color
    take_card(s, seat, cell & IN_LANE)
    seat = after(seat, s[PLAYERS])
    if seat == s[LEADER]:
        end_trick(s)
    else:
        pass_turn(s, seat)
