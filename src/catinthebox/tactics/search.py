"""Search by imagining: worlds that agree with a view, each action tried in each of them.

All actions meet the same worlds and the same chance afterwards, so their differences show early.
Whoever drives this (`players.search`) drops the worse half of the actions again and again.
"""

from collections.abc import Sequence
from typing import Final

from ..rules.actions import act
from ..rules.chance import seeded
from ..rules.layout import *
from ..rules.marker import popcount, rule
from ..rules.score import seat_score, winners
from ..rules.worlds import complete
from .beliefs import draw, likelihood
from .rollout import finish
from .taste import Taste

Table = list[State]

VICTORY: Final = 60 * 20  # 60 parts are shared without rest; a margin is far below 1200


# ── What an end is worth ─────────────────────────────────────────────────────────────────────


@rule
def margin(s: State, seat: int, touch: Sequence[int]) -> int:
    """Own score minus the mean of the others', times the number of others."""
    total = 0
    for other in range(s[PLAYERS]):
        total += seat_score(s, other, touch)
    return s[PLAYERS] * seat_score(s, seat, touch) - total


@rule
def victory(
    s: State, seat: int, touch: Sequence[int], totals: Sequence[int], ends: list[int]
) -> int:
    """Give the share in the victory of the game that ends with this round (R3); `ends` is scratch.

    `ends` has room for two rows of seats: the final round's scores, and the totals with them.
    """
    for other in range(s[PLAYERS]):
        ends[other] = seat_score(s, other, touch)
        ends[MAX_SEATS + other] = totals[other] + ends[other]
    champions = winners(ends[MAX_SEATS:], ends, s[PLAYERS])
    if champions >> seat & 1 == 0:
        return 0
    return VICTORY // popcount(champions)


@rule
def utility(
    s: State, seat: int, touch: Sequence[int], totals: Sequence[int], last: bool, ends: list[int]
) -> int:
    """Rate how a round ended: the margin, and in the last round of a game first the victory."""
    rating = margin(s, seat, touch)
    if last:
        rating += victory(s, seat, touch, totals, ends)
    return rating


# ── Worlds ───────────────────────────────────────────────────────────────────────────────────


@rule
def imagine(v: State, proved: int, seed: int, worlds: Table) -> None:
    """Fill a table with worlds that agree with a view, all equally likely."""
    for row in range(len(worlds)):
        complete(v, proved, seeded(seed, row), worlds[row])


@rule
def believe(
    worlds: Table,
    weights: list[float],
    u: State,
    seat: int,
    actions: Sequence[int],
    taste: Taste,
    touch: Sequence[int],
    ratings: list[int],
) -> None:
    """Weigh worlds by what the others were seen to do."""
    for row in range(len(worlds)):
        weights[row] = likelihood(worlds[row], u, seat, actions, taste, touch, ratings)


@rule
def gather(
    weights: Sequence[float], worlds: Table, chosen: list[int], number: int, seed: int
) -> None:
    """Choose worlds by weight."""
    draw(weights, len(worlds), chosen, number, seeded(seed, len(worlds)))


# ── Trying actions ───────────────────────────────────────────────────────────────────────────


@rule
def try_actions(
    worlds: Table,
    chosen: Sequence[int],
    first: int,
    count: int,
    seat: int,
    actions: Sequence[int],
    policy: int,
    taste: Taste,
    touch: Sequence[int],
    totals: Sequence[int],
    last: bool,
    seed: int,
    u: State,
    ends: list[int],
    ratings: list[int],
    sums: list[int],
) -> None:
    """Try every action in the worlds number first … first + count - 1, and add up the utilities.

    Worlds are taken in the order of `chosen`, again from its start when it is used up.
    """
    for number in range(first, first + count):
        w = worlds[chosen[number % len(chosen)]]
        for place in range(len(actions)):
            for slot in range(SIZE):
                u[slot] = w[slot]
            act(u, seat, actions[place])
            finish(u, policy, taste, touch, ratings, seeded(seed, number))
            sums[place] += utility(u, seat, touch, totals, last, ends)
