"""Search over sampled worlds that agree with a view; each action is tried in each of them.

All actions meet the same worlds and the same chance afterwards, so their differences show early.
The driver (`thought`) drops the worse half of the actions after every stage.

The tree and its bounds are those of `ismcts`. Beyond a branch a node first has the answer of a
careful seat alone, and gets others as it is visited: few visits are spent on silly answers.
"""

from collections.abc import Sequence
from typing import Final

from ..rules.actions import act, legal_actions
from ..rules.chance import seeded
from ..rules.layout import *
from ..rules.marker import popcount, rule
from ..rules.score import seat_score, winners
from ..rules.worlds import complete
from .beliefs import draw, likelihood
from .careful import rate_actions
from .ismcts import (
    GAIN,
    MOVE,
    RANGE,
    ROOT,
    VISITS,
    back_up,
    clear,
    favourite,
    grow,
    learn,
    untried,
)
from .rollout import act_once, finish
from .weights import Weights

Table = list[State]

WIDTH: Final = 2  # visits of a node for its second answer, four times as many for its third, …

# What to play for.
POINTS: Final = 0  # own points
AHEAD: Final = 1  # own points less the mean of the others'
WIN: Final = 2  # in the last round of a game: the victory, and then as far ahead as possible
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
    """Return the share in the victory if the game ends with this round (R3); `ends` is scratch.

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
    s: State, seat: int, touch: Sequence[int], totals: Sequence[int], aim: int, ends: list[int]
) -> int:
    """Rate how a round ended: own points, the margin, or before the margin the victory."""
    if aim == POINTS:
        return (s[PLAYERS] - 1) * seat_score(s, seat, touch)
    rating = margin(s, seat, touch)
    if aim == WIN:
        rating += victory(s, seat, touch, totals, ends)
    return rating


# ── Worlds ───────────────────────────────────────────────────────────────────────────────────


@rule
def imagine(v: State, proved: int, seed: int, worlds: Table, first: int, count: int) -> None:
    """Fill rows of a table with worlds that agree with a view, all equally likely."""
    for row in range(first, first + count):
        complete(v, proved, seeded(seed, row), worlds[row])


@rule
def believe(
    worlds: Table,
    first: int,
    count: int,
    likelihoods: list[float],
    u: State,
    seat: int,
    actions: Sequence[int],
    weights: Weights,
    touch: Sequence[int],
    ratings: list[int],
) -> None:
    """Weigh rows of worlds by what the others were seen to do."""
    for row in range(first, first + count):
        likelihoods[row] = likelihood(worlds[row], u, seat, actions, weights, touch, ratings)


@rule
def gather(
    likelihoods: Sequence[float], worlds: int, chosen: list[int], number: int, seed: int
) -> None:
    """Choose some of the first `worlds` worlds by their likelihoods."""
    draw(likelihoods, worlds, chosen, number, seeded(seed, 0))


# ── Trying actions ───────────────────────────────────────────────────────────────────────────


@rule
def open_branches(
    tree: State, seat: int, actions: Sequence[int], branches: list[int], options: int
) -> None:
    """Make a tree with a branch for each of the first `options` actions of the deciding seat."""
    clear(tree)
    for place in range(options):
        branches[place] = grow(tree, ROOT, actions[place], seat)


@rule
def best_rated(
    u: State, actor: int, fresh: int, weights: Weights, touch: Sequence[int], ratings: list[int]
) -> int:
    """Return the action that a careful seat would choose from a set of action ids."""
    rate_actions(u, actor, weights, touch, ratings, ratings)  # an id is never above its cell
    best = NOBODY
    while fresh != 0:
        action = popcount((fresh & -fresh) - 1)
        fresh &= fresh - 1
        if best == NOBODY or ratings[action] > ratings[best]:
            best = action
    return best


@rule
def explore(
    u: State,
    node: int,
    tree: State,
    roots: State,
    weights: Weights,
    touch: Sequence[int],
    ratings: list[int],
) -> int:
    """Act in a world from a branch down the tree and one step beyond it; return the node reached.

    A node begins with the answer of a careful seat; others are added as its visits grow.
    """
    grown = False
    while u[PHASE] != OVER and not grown:
        actor = u[TURN] & SEAT
        legal = legal_actions(u, actor)
        fresh = untried(tree, node, legal)
        known = popcount(legal ^ fresh)
        if known == 0 or (fresh != 0 and known * known * WIDTH < tree[node + VISITS]):
            action = best_rated(u, actor, fresh, weights, touch, ratings)
            node = grow(tree, node, action, actor)
            grown = True
        else:
            node = favourite(tree, roots, node, legal)
        act(u, actor, tree[node + MOVE] >> 3)
    return node


@rule
def try_actions(
    worlds: Table,
    chosen: Sequence[int],
    drawn: int,
    first: int,
    count: int,
    seat: int,
    branches: Sequence[int],
    options: int,
    policy: int,
    weights: Weights,
    touch: Sequence[int],
    totals: Sequence[int],
    aim: int,
    exploration: int,
    seed: int,
    tree: State,
    roots: State,
    u: State,
    ends: list[int],
    ratings: list[int],
) -> None:
    """Try the first `options` branches in the worlds number first … first + count - 1.

    Worlds are taken in the order of the first `drawn` places of `chosen`, again from its start when
    it is used up. Beyond a branch the tree grows, so that the seats learn to answer each other.
    """
    scale = VICTORY if aim == WIN else (worlds[0][PLAYERS] - 1) * RANGE
    for number in range(first, first + count):
        w = worlds[chosen[number % drawn]]
        for place in range(options):
            for slot in range(SIZE):
                u[slot] = w[slot]
            node = branches[place]
            g = seeded(seed, number)
            act(u, seat, tree[node + MOVE] >> 3)
            if exploration != 0:
                learn(tree, roots, tree[ROOT + VISITS] + 1, exploration)
                while u[PHASE] == DISCARDING:
                    g = act_once(u, policy, weights, touch, ratings, g)
                node = explore(u, node, tree, roots, weights, touch, ratings)
            finish(u, policy, weights, touch, ratings, g)
            for other in range(u[PLAYERS]):
                tree[GAIN + other] = utility(u, other, touch, totals, aim, ends)
            back_up(tree, node, scale)
