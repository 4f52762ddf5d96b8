"""What follows from each action: rounds played to their ends, and what is noted about each of them.

The coach compares all legal actions of a seat in the same worlds with the same chance. A row of
`ends` belongs to a world and an action; the rows of a world follow one another. All columns are
integers, so sums over rows are the same on every machine.

A caller with careful rollouts calls `try_all` for some worlds at a time. One whose rounds go on
side by side, since a network decides in them, calls `open_ends`, `note_rows` before every action,
and `close_rows`. Both then add up with `sum_column`, and with `sum_squares` and `sum_by_world` for
the errors of means.

>>> from catinthebox.rules.chance import seeded
>>> from catinthebox.rules.faces import touching, white
>>> from catinthebox.rules.playout import shuffled_deal
>>> from .careful import RATINGS
>>> from .weights import WEIGHTS
>>> world = [0] * SIZE
>>> g = shuffled_deal(world, 3, 0, seeded(7, 1))
>>> ends = [[0] * COLUMNS for _ in range(4)]
>>> model = WEIGHTS[3], touching(white()), [0] * RATINGS
>>> try_all([world], [0], 1, 0, 2, 0, [36, 40], 2, *model, 8, [0] * SIZE, ends)
>>> [row[POINTS] for row in ends], sum_column(ends, 2, 2, 1, POINTS)
([2, 2, 5, 2], 4)
>>> sum_squares(ends, 2, 2, 0, 1, POINTS)
9
>>> sum_by_world(ends, 2, 2, 0, 1, POINTS, 3, [0, 1], [0, 0])
18
>>> sum_by_world(ends, 2, 2, 0, 1, POINTS, 3, [0, 0], [0, 0])  # the same world twice
0
"""

from collections.abc import Sequence
from typing import Final

from ..rules.actions import act
from ..rules.chance import seeded
from ..rules.layout import *
from ..rules.marker import rule
from ..rules.score import bonus_earned, largest_group, seat_score
from ..rules.worlds import cards
from .careful import needed
from .reachable import playable, reach
from .rollout import CAREFUL, act_once
from .weights import Weights

Table = list[State]

# Columns of an end; all but the last few are about the deciding seat.
POINTS: Final = 0
AHEAD: Final = 1  # own points less the mean of the others', times the number of others
TRICKS: Final = 2
KEPT: Final = 3  # 1 if it earned the bonus
CAUSED: Final = 4  # 1 if it caused a paradox
GROUP: Final = 5  # tokens of its largest group, with or without a bonus
DEAD: Final = 6  # its cards that nothing can be declared with, when it had to play next
WINS: Final = 7  # 1 if it won the next trick that was completed
PARADOX_SEEN: Final = 8  # 1 if anybody caused a paradox
DENIED: Final = 9  # bonus points of all others
SCORE: Final = 10  # and following: the points of every seat
COLUMNS: Final = SCORE + MAX_SEATS

OPEN: Final = -1  # nothing is noted yet


# ── Noting ───────────────────────────────────────────────────────────────────────────────────


@rule
def dead_cards(s: State, seat: int) -> int:
    """How many cards of a seat no cell is left for: it cannot play them any more."""
    hand = s[HAND + seat]
    return cards(hand) - cards(playable(hand, reach(s, seat)))


@rule
def bonus_lost(s: State, seat: int) -> bool:
    """Whether the bonus is out of reach, whatever happens; before a seat has bid, it is not."""
    need = needed(s, seat)
    return need < 0 or (s[PLAYERS] != 2 and need > cards(s[HAND + seat]) - 1)  # R19: one card stays


@rule
def open_end(e: State) -> None:
    """Begin the notes about a round."""
    for column in range(COLUMNS):
        e[column] = 0
    e[DEAD] = OPEN
    e[WINS] = OPEN


@rule
def note(s: State, seat: int, left: int, won: int, e: State) -> None:
    """Note what is known once somebody has acted.

    `left` and `won` are the tricks still to be completed, and the seat's, before its decision.
    """
    if e[WINS] == OPEN and s[LEFT] < left:
        e[WINS] = 1 if s[WON + seat] > won else 0
    if e[DEAD] == OPEN and s[PHASE] == PLAYING and s[TURN] == seat:
        e[DEAD] = dead_cards(s, seat)


@rule
def close_end(s: State, seat: int, won: int, touch: Sequence[int], e: State) -> None:
    """Note how a round ended."""
    total = 0
    denied = 0
    for other in range(s[PLAYERS]):
        score = seat_score(s, other, touch)
        e[SCORE + other] = score
        total += score
        if other != seat and bonus_earned(s, other):
            denied += largest_group(s[OWN + other], touch)
    e[POINTS] = e[SCORE + seat]
    e[AHEAD] = s[PLAYERS] * e[POINTS] - total
    e[TRICKS] = s[WON + seat]
    e[KEPT] = 1 if bonus_earned(s, seat) else 0
    e[CAUSED] = 1 if s[PARADOX] == seat else 0
    e[GROUP] = largest_group(s[OWN + seat], touch)
    e[PARADOX_SEEN] = 1 if s[PARADOX] != NOBODY else 0
    e[DENIED] = denied
    if e[WINS] == OPEN:
        e[WINS] = 1 if s[WON + seat] > won else 0
    if e[DEAD] == OPEN:  # R19: without a paradox, what is left in the hand would not be played
        e[DEAD] = dead_cards(s, seat) if s[PARADOX] != NOBODY else 0


# ── Careful rollouts ─────────────────────────────────────────────────────────────────────────


@rule
def try_all(
    worlds: Table,
    chosen: Sequence[int],
    drawn: int,
    first: int,
    count: int,
    seat: int,
    actions: Sequence[int],
    options: int,
    weights: Weights,
    touch: Sequence[int],
    ratings: list[int],
    seed: int,
    u: State,
    ends: Table,
) -> None:
    """Try the first `options` actions in the worlds number first … first + count - 1.

    Worlds are taken in the order of the first `drawn` places of `chosen`, again from its start when
    it is used up. Row 0 of `ends` is the first action in the first of these worlds; `u` is scratch.
    """
    for number in range(count):
        w = worlds[chosen[(first + number) % drawn]]
        left = w[LEFT]
        won = w[WON + seat]
        for place in range(options):
            for slot in range(SIZE):
                u[slot] = w[slot]
            e = ends[number * options + place]
            open_end(e)
            g = seeded(seed, first + number)
            act(u, seat, actions[place])
            note(u, seat, left, won, e)
            while u[PHASE] != OVER:
                g = act_once(u, CAREFUL, weights, touch, ratings, g)
                note(u, seat, left, won, e)
            close_end(u, seat, won, touch, e)


# ── Rounds side by side ──────────────────────────────────────────────────────────────────────


@rule
def open_ends(ends: Table, count: int) -> None:
    """Begin the notes about the first `count` rounds."""
    for row in range(count):
        open_end(ends[row])


@rule
def note_rows(table: Table, count: int, seat: int, left: int, won: int, ends: Table) -> None:
    """Note what is known about the first `count` rounds; see `note`."""
    for row in range(count):
        note(table[row], seat, left, won, ends[row])


@rule
def finish_rows(
    table: Table,
    count: int,
    seat: int,
    left: int,
    won: int,
    luck: list[int],
    weights: Weights,
    touch: Sequence[int],
    ratings: list[int],
    ends: Table,
) -> None:
    """Let careful seats play the first `count` rounds to their ends."""
    for row in range(count):
        s = table[row]
        g = luck[row]
        while s[PHASE] != OVER:
            g = act_once(s, CAREFUL, weights, touch, ratings, g)
            note(s, seat, left, won, ends[row])
        luck[row] = g


@rule
def close_rows(
    table: Table, count: int, seat: int, won: int, touch: Sequence[int], ends: Table
) -> None:
    """Note how the first `count` rounds ended."""
    for row in range(count):
        close_end(table[row], seat, won, touch, ends[row])


# ── Adding up ────────────────────────────────────────────────────────────────────────────────


@rule
def sum_column(ends: Table, worlds: int, options: int, option: int, column: int) -> int:
    """Add up a column of an action over the first `worlds` worlds."""
    total = 0
    for world in range(worlds):
        total += ends[world * options + option][column]
    return total


@rule
def sum_squares(
    ends: Table, worlds: int, options: int, option: int, other: int, column: int
) -> int:
    """Add up the squares of a column, or of its difference to another action unless NOBODY."""
    total = 0
    for world in range(worlds):
        number = ends[world * options + option][column]
        if other != NOBODY:
            number -= ends[world * options + other][column]
        total += number * number
    return total


@rule
def sum_by_world(
    ends: Table,
    tries: int,
    options: int,
    option: int,
    other: int,
    column: int,
    total: int,
    origins: Sequence[int],
    sums: list[int],
) -> int:
    """Add up squares as `sum_squares` does, but about the mean, by world, times `tries` squared.

    A world may be tried more than once, and its tries are alike. So what they are off the mean is
    added up before it is squared. `total` is the sum of the column over all tries, `origins` has
    the world of every try, and `sums` a zero for every world, before and afterwards.
    """
    for place in range(tries):
        number = ends[place * options + option][column]
        if other != NOBODY:
            number -= ends[place * options + other][column]
        sums[origins[place]] += tries * number - total
    squares = 0
    for place in range(tries):
        own = sums[origins[place]]
        squares += own * own
        sums[origins[place]] = 0  # a world counts once
    return squares
