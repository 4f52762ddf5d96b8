"""Information Set Monte Carlo Tree Search with a single observer (Cowling et al. 2012).

The tree branches on what the searching seat can see: its own actions, and the bids and plays of the
others. What another seat sets aside is hidden (R7): such a discard is sampled and makes no branch.
Every iteration imagines a world, walks down among the children that are legal in it, adds one
node, plays the round to its end and tells every node on the way what its actor gained.

The tree is one vector. Eight slots make a node; the first eight are the head, so that node 0 is
"none", and the root is node 8. All numbers are integers, fractions have 16 binary places: the
search is the same on every target.

>>> from catinthebox.rules.actions import FIRST_DISCARD
>>> from catinthebox.rules.faces import touching, white
>>> from catinthebox.rules.playout import FOLLOW, shuffled_deal
>>> from catinthebox.rules.sight import observe
>>> s, v, w = [0] * SIZE, [0] * SIZE, [0] * SIZE
>>> g = shuffled_deal(s, 3, 0, seeded(7, 1))
>>> observe(s, 1, v)
>>> tree, roots = [0] * tree_slots(50), [0] * root_slots(50)
>>> search(v, 0, 1, touching(white()), tree, roots, w, FOLLOW, (), [], ONE // 2, 5, 0, 50)
>>> chosen(tree) - FIRST_DISCARD + 1, tree[ROOT + VISITS]
(3, 50)
"""

from collections.abc import Sequence
from typing import Final

from ..rules.actions import act, legal_actions
from ..rules.chance import below, seeded, step
from ..rules.layout import *
from ..rules.marker import nth_bit, popcount, rule
from ..rules.score import seat_score
from ..rules.worlds import complete
from .rollout import act_once, finish
from .weights import Weights

# The head of a tree.
USED: Final = 0  # slots in use
LOG: Final = 1  # the harmonic number of the iterations so far, with 32 binary places
GAIN: Final = 2  # and following: what each seat gained in this iteration

# Slots of a node. A node is known by the place of its first slot.
NODE: Final = 8
ROOT: Final = NODE
NONE: Final = 0
UP: Final = 0
FIRST: Final = 1  # its first child, or NONE
NEXT: Final = 2  # its next sibling, or NONE
MOVE: Final = 3  # the action that leads here << 3 | the seat that takes it
VISITS: Final = 4
CHANCES: Final = 5  # how often the action was legal when its parent was visited
TOTAL: Final = 6  # the actor's gains
MEAN: Final = 7  # their mean as a fraction of RANGE

PLACES: Final = 16
ONE: Final = 1 << PLACES
EULER: Final = 2_479_122_403  # Euler's constant with 32 binary places
RANGE: Final = 12  # F6: no round is worth more points; a gain of this many counts as 1


@rule
def tree_slots(iterations: int) -> int:
    """How long a tree must be: the head, the root, and at most one node per iteration."""
    return (iterations + 2) * NODE


@rule
def root_slots(iterations: int) -> int:
    """How long the table of `learn` must be."""
    return 2 * (iterations + 1)


# ── Upper confidence bounds ──────────────────────────────────────────────────────────────────


@rule
def square_root(x: int) -> int:
    """Return the whole part of a square root, digit by binary digit."""
    digit = 1 << 18  # no logarithm here reaches 16, so x < 2**36
    root = 0
    while digit != 0:
        if (root + digit) * (root + digit) <= x:
            root += digit
        digit >>= 1
    return root


@rule
def learn(tree: State, roots: State, number: int, exploration: int) -> None:
    """Write for iteration `number` = 1, 2 … what UCB1 needs of a count that large.

    No count is ahead of the number of iterations, so the table grows with the tree. The logarithm
    is the harmonic number less Euler's constant less half of 1 / number.
    """
    share = (1 << 2 * PLACES) // number
    tree[LOG] += share
    roots[2 * number] = exploration * square_root(max(tree[LOG] - EULER - share // 2, 0)) >> PLACES
    roots[2 * number + 1] = square_root(share)


@rule
def favourite(tree: State, roots: State, node: int, legal: int) -> int:
    """Return the legal child with the highest bound: UCB1, its chances in place of all visits."""
    best = NONE
    highest = 0
    child = tree[node + FIRST]
    while child != NONE:
        if legal >> (tree[child + MOVE] >> 3) & 1:
            wide = roots[2 * tree[child + CHANCES]] * roots[2 * tree[child + VISITS] + 1]
            bound = tree[child + MEAN] + (wide >> PLACES)
            if best == NONE or bound > highest:
                best = child
                highest = bound
        child = tree[child + NEXT]
    return best


# ── The tree ─────────────────────────────────────────────────────────────────────────────────


@rule
def clear(tree: State) -> None:
    """Make a tree of a root alone."""
    for slot in range(ROOT + NODE):
        tree[slot] = 0
    tree[USED] = ROOT + NODE


@rule
def untried(tree: State, node: int, legal: int) -> int:
    """Count a chance for every legal child; return the legal actions that have no child yet."""
    child = tree[node + FIRST]
    while child != NONE:
        action = tree[child + MOVE] >> 3
        tree[child + CHANCES] += legal >> action & 1
        legal &= ~(1 << action)
        child = tree[child + NEXT]
    return legal


@rule
def grow(tree: State, node: int, action: int, actor: int) -> int:
    """Add a child, which has its first chance now."""
    child = tree[USED]
    tree[USED] = child + NODE
    tree[child + UP] = node
    tree[child + FIRST] = NONE
    tree[child + NEXT] = tree[node + FIRST]
    tree[child + MOVE] = action << 3 | actor
    tree[child + VISITS] = 0
    tree[child + CHANCES] = 1
    tree[child + TOTAL] = 0
    tree[child + MEAN] = 0
    tree[node + FIRST] = child
    return child


@rule
def back_up(tree: State, node: int, scale: int) -> None:
    """Tell every node from here to the root what the seat that leads to it gained.

    `scale` is the gain that counts as 1.
    """
    while node != ROOT:
        tree[node + VISITS] += 1
        tree[node + TOTAL] += tree[GAIN + (tree[node + MOVE] & SEAT)]
        tree[node + MEAN] = tree[node + TOTAL] * ONE // (tree[node + VISITS] * scale)
        node = tree[node + UP]
    tree[ROOT + VISITS] += 1


@rule
def chosen(tree: State) -> int:
    """Return the action at the root with most visits; then the higher mean, then the lower id."""
    best = NONE
    child = tree[ROOT + FIRST]
    while child != NONE:
        ahead = tree[child + VISITS] - tree[best + VISITS] if best != NONE else 1
        if ahead == 0:
            ahead = tree[child + TOTAL] - tree[best + TOTAL]
        if ahead == 0:
            ahead = tree[best + MOVE] - tree[child + MOVE]
        if ahead > 0:
            best = child
        child = tree[child + NEXT]
    return tree[best + MOVE] >> 3


# ── One iteration ────────────────────────────────────────────────────────────────────────────


@rule
def gains(w: State, touch: Sequence[int], tree: State) -> None:
    """Write what each seat gained: its score less the mean of the others', times players - 1."""
    everybody = 0
    for seat in range(w[PLAYERS]):
        tree[GAIN + seat] = seat_score(w, seat, touch)
        everybody += tree[GAIN + seat]
    for seat in range(w[PLAYERS]):
        tree[GAIN + seat] = w[PLAYERS] * tree[GAIN + seat] - everybody


@rule
def descend(
    w: State,
    node: int,
    observer: int,
    tree: State,
    roots: State,
    policy: int,
    weights: Weights,
    touch: Sequence[int],
    ratings: list[int],
    g: int,
) -> int:
    """Act in a world from a node down the tree and one step beyond it; return the generator.

    The node that was reached is left in the head, as the root's NEXT: the root has no sibling.
    """
    grown = False
    while w[PHASE] != OVER and not grown:
        actor = observer if w[PHASE] == DISCARDING else w[TURN] & SEAT
        legal = legal_actions(w, actor)
        fresh = untried(tree, node, legal)
        if fresh != 0:
            g = step(g)
            node = grow(tree, node, nth_bit(fresh, below(g, popcount(fresh))), actor)
            grown = True
        else:
            node = favourite(tree, roots, node, legal)
        act(w, actor, tree[node + MOVE] >> 3)
        while w[PHASE] == DISCARDING:  # R7: to the observer the others' discards are one event
            g = act_once(w, policy, weights, touch, ratings, g)
    tree[ROOT + NEXT] = node
    return g


@rule
def search(
    v: State,
    barred: int,
    observer: int,
    touch: Sequence[int],
    tree: State,
    roots: State,
    w: State,
    policy: int,
    weights: Weights,
    ratings: list[int],
    exploration: int,
    seed: int,
    first: int,
    last: int,
) -> None:
    """Do the iterations `first` … `last` - 1 of a search; iteration 0 clears the tree.

    `v` and `barred` are what the observer knows, which must be able to act; `w` and
    `ratings` are scratch. Each iteration has a stream of its own: a search may be cut at will.
    """
    for number in range(first, last):
        if number == 0:
            clear(tree)
        learn(tree, roots, number + 1, exploration)
        g = complete(v, barred, seeded(seed, number), w)
        g = descend(w, ROOT, observer, tree, roots, policy, weights, touch, ratings, g)
        finish(w, policy, weights, touch, ratings, g)
        gains(w, touch, tree)
        back_up(tree, tree[ROOT + NEXT], (w[PLAYERS] - 1) * RANGE)
