"""Many rounds side by side: a row of a table is a round. Deal, ask, act, deal anew when it is over.

Row i plays the rounds i, i + stride, i + 2 * stride … of a seed, so that its rounds do not depend
on how fast other rows are, or on how many threads share the work.
"""

from collections.abc import Sequence

from .actions import act, legal_actions
from .chance import seeded, step
from .encode import encode
from .layout import *
from .marker import popcount, rule
from .playout import choose_action, random_round, shuffled_deal
from .score import seat_score
from .sight import observe

Table = list[State]


@rule
def deal_row(s: State, seed: int, index: int, players: int) -> None:
    """Deal round number `index` of a seed; the start card goes round with the number (R2)."""
    shuffled_deal(s, players, index % players, seeded(seed, index))


@rule
def legal_row(s: State) -> int:
    """What the seat to act may do, as a set of action ids."""
    return legal_actions(s, s[TURN])


@rule
def observe_row(s: State, v: State, numbers: list[int]) -> None:
    """Encode what the seat to act sees; `v` is scratch for its view."""
    observe(s, s[TURN], v)
    encode(v, s[TURN], numbers)


@rule
def step_row(s: State, action: int, scores: list[int], touch: Sequence[int]) -> bool:
    """Act for the seat to act; when that ends the round, write its scores and say so."""
    act(s, s[TURN], action)
    over = s[PHASE] == OVER
    for seat in range(s[PLAYERS]):
        scores[seat] = seat_score(s, seat, touch) if over else 0
    return over


@rule
def playout_row(
    s: State,
    seed: int,
    index: int,
    players: int,
    policy: int,
    scores: list[int],
    touch: Sequence[int],
) -> None:
    """Play round number `index` of a seed to its end under a policy."""
    random_round(s, players, index % players, policy, seeded(seed, index))
    for seat in range(players):
        scores[seat] = seat_score(s, seat, touch)


@rule
def add_up(s: State, sums: list[int], touch: Sequence[int]) -> None:
    """Add a round that is over to the sums: points and tricks per seat, plays, paradoxes."""
    for seat in range(s[PLAYERS]):
        sums[seat] += seat_score(s, seat, touch)
        sums[MAX_SEATS + seat] += s[WON + seat]
        sums[2 * MAX_SEATS] += popcount(s[OWN + seat])
    sums[2 * MAX_SEATS + 1] += s[PARADOX] != NOBODY


# ── Loops over rows ──────────────────────────────────────────────────────────────────────────


@rule
def deal_rows(table: Table, rounds: list[int], seed: int, players: int) -> None:
    """Deal every row its round."""
    for row in range(len(rounds)):
        deal_row(table[row], seed, rounds[row], players)


@rule
def legal_rows(table: Table, masks: list[int]) -> None:
    """Write what the seat to act may do in every row."""
    for row in range(len(masks)):
        masks[row] = legal_row(table[row])


@rule
def observe_rows(table: Table, views: Table, numbers: Table) -> None:
    """Write what the seat to act sees in every row."""
    for row in range(len(numbers)):
        observe_row(table[row], views[0], numbers[row])


@rule
def choose_rows(
    table: Table, actions: list[int], policy: int, seed: int, number: int, first: int
) -> None:
    """Write a policy's action for every row; `number` counts the steps, `first` is row 0's own."""
    for row in range(len(actions)):
        g = step(seeded(seed + number, first + row))
        actions[row] = choose_action(table[row], policy, g)


@rule
def refused_row(masks: list[int], actions: list[int]) -> int:
    """Return the first row whose action is not in its legal set, or NOBODY."""
    for row in range(len(masks)):
        if actions[row] < 0 or actions[row] > 48 or masks[row] >> actions[row] & 1 == 0:
            return row
    return NOBODY


@rule
def step_rows(
    table: Table,
    actions: list[int],
    scores: Table,
    over: list[bool],
    rounds: list[int],
    stride: int,
    seed: int,
    touch: Sequence[int],
) -> None:
    """Act in every row; a row whose round is over is dealt its next round."""
    for row in range(len(actions)):
        s = table[row]
        over[row] = step_row(s, actions[row], scores[row], touch)
        if over[row]:
            rounds[row] += stride
            deal_row(s, seed, rounds[row], s[PLAYERS])


@rule
def playout_rows(
    table: Table,
    scores: Table,
    seed: int,
    first: int,
    players: int,
    policy: int,
    touch: Sequence[int],
) -> None:
    """Play the rounds from number `first` on, one per row, and keep how they ended."""
    for row in range(len(table)):
        playout_row(table[row], seed, first + row, players, policy, scores[row], touch)


@rule
def playout_sums(
    s: State,
    sums: list[int],
    seed: int,
    first: int,
    count: int,
    players: int,
    policy: int,
    touch: Sequence[int],
) -> None:
    """Play many rounds and keep sums only."""
    for index in range(first, first + count):
        random_round(s, players, index % players, policy, seeded(seed, index))
        add_up(s, sums, touch)
