"""A view as numbers for learning: one fixed vector for every player count (docs/environments.md).

`encode` reads a view (`sight.observe`) and nothing else, so that it cannot reveal what a seat may
not know. Seats are relative: 0 is the seat that looks, then clockwise. `FIELDS` names every number.

>>> from .chance import seeded
>>> from .playout import shuffled_deal
>>> from .sight import observe
>>> s, v, numbers = [0] * SIZE, [0] * SIZE, [0] * WIDTH
>>> _ = shuffled_deal(s, 3, 0, seeded(7, 0))
>>> observe(s, 1, v)
>>> encode(v, 1, numbers)
>>> numbers[AT_PLAYERS : AT_PLAYERS + 4], sum(numbers[AT_HAND : AT_HAND + 9])
([0, 1, 0, 0], 10)
"""

from typing import Final

from .actions import play_ids
from .fingerprint import led_color, tokens
from .layout import *
from .marker import popcount, rule
from .sight import hand_size

CELLS: Final = 36
FIELDS: Final = (
    ("players", 4),  # one-hot: 2, 3, 4, 5
    ("phase", 3),  # one-hot: discard, bid, play
    ("hand", 9),  # copies of each rank in the own hand
    ("discard", 9),  # one-hot: the rank the own seat set aside
    ("free", CELLS),  # cells without a token, red 1 … green 9, as action ids count them
    ("own", 5 * CELLS),  # cells of each seat
    ("neutral", CELLS),  # cells with a neutral token
    ("trick", CELLS),  # cells of the current trick
    ("led", 4),  # one-hot: the led color
    ("red_open", 1),
    ("tokens", 5 * 4),  # color tokens of each seat: red, blue, yellow, green
    ("bid", 5),  # 0 = none yet
    ("won", 5),
    ("cards", 5),  # hand sizes
    ("discarded", 5),  # 1 if a seat has set its card aside
    ("leader", 5),  # one-hot
    ("starter", 5),  # one-hot
    ("turn", 5),  # one-hot; while discarding, the lowest seat still to discard
    ("winning", 5),  # one-hot: the seat whose card is winning the current trick
    ("left", 1),  # tricks still to be completed
)

AT_PLAYERS: Final = 0
AT_PHASE: Final = 4
AT_HAND: Final = 7
AT_DISCARD: Final = 16
AT_FREE: Final = 25
AT_OWN: Final = 61
AT_NEUTRAL: Final = 241
AT_TRICK: Final = 277
AT_LED: Final = 313
AT_RED_OPEN: Final = 317
AT_TOKENS: Final = 318
AT_BID: Final = 338
AT_WON: Final = 343
AT_CARDS: Final = 348
AT_DISCARDED: Final = 353
AT_LEADER: Final = 358
AT_STARTER: Final = 363
AT_TURN: Final = 368
AT_WINNING: Final = 373
AT_LEFT: Final = 378
WIDTH: Final = 379


@rule
def encode(v: State, seat: int, numbers: list[int]) -> None:
    """Write the numbers of a view for the seat that looks."""
    players = v[PLAYERS]
    for at in range(WIDTH):
        numbers[at] = 0
    numbers[AT_PLAYERS + players - 2] = 1
    if v[PHASE] != OVER:
        numbers[AT_PHASE + v[PHASE]] = 1
    for place in range(MAX_RANK):
        numbers[AT_HAND + place] = v[HAND + seat] >> COUNT_BITS * place & COUNT
    if v[DISCARD + seat] != 0:
        numbers[AT_DISCARD + v[DISCARD + seat] - 1] = 1
    encode_board(v, seat, numbers)
    for step in range(players):
        other = relative(seat + step, players)
        encode_seat(v, other, step, numbers)
    numbers[AT_LEADER + relative(v[LEADER] - seat, players)] = 1
    numbers[AT_STARTER + relative(v[STARTER] - seat, players)] = 1
    if v[TURN] != NOBODY:
        numbers[AT_TURN + relative(v[TURN] - seat, players)] = 1
    if v[TRICK] != 0:
        numbers[AT_LED + led_color(v[LED]) - 1] = 1
    if v[TRICK] != 0 and v[PHASE] == PLAYING:  # R21: nobody wins an interrupted trick
        numbers[AT_WINNING + relative((v[BEST] & SEAT) - seat, players)] = 1
    numbers[AT_RED_OPEN] = v[RED_OPEN]
    numbers[AT_LEFT] = v[LEFT]


@rule
def encode_seat(v: State, other: int, step: int, numbers: list[int]) -> None:
    """Write what is public about a seat, `step` seats clockwise of the one that looks."""
    held = tokens(v[MAY + other])
    for color in range(4):
        numbers[AT_TOKENS + 4 * step + color] = held >> color & 1
    numbers[AT_BID + step] = v[BID + other]
    numbers[AT_WON + step] = v[WON + other]
    numbers[AT_CARDS + step] = hand_size(v, other)
    numbers[AT_DISCARDED + step] = v[DISCARD + other] != 0


@rule
def encode_board(v: State, seat: int, numbers: list[int]) -> None:
    """Write the board: free cells, everybody's cells, neutral tokens, the current trick."""
    seen = v[FREE]
    write_cells(v[FREE], AT_FREE, numbers)
    write_cells(v[TRICK], AT_TRICK, numbers)
    for step in range(v[PLAYERS]):
        own = v[OWN + relative(seat + step, v[PLAYERS])]
        seen |= own
        write_cells(own, AT_OWN + CELLS * step, numbers)
    in_play = (seen & ROW) * COLUMN  # R6: no neutral token lies on red, so red shows the ranks
    write_cells(in_play & ~seen, AT_NEUTRAL, numbers)


@rule
def write_cells(cells: int, at: int, numbers: list[int]) -> None:
    """Write a set of cells as 36 numbers, which are 0 so far."""
    ids = play_ids(cells)
    while ids != 0:
        numbers[at + popcount((ids & -ids) - 1)] = 1
        ids &= ids - 1


@rule
def relative(seat: int, players: int) -> int:
    """Bring a seat, at most one round of the table off, back among the seats."""
    if seat < 0:
        return seat + players
    return seat - players if seat >= players else seat
