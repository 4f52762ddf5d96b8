"""The tree of ISMCTS: what its nodes count, what it can see, compiled and interpreted."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import log, sqrt
from random import Random
from types import ModuleType
from typing import NamedTuple

import numpy
import pytest
from policies import TABLES, moments, random_round

from catinthebox import Phase, Round
from catinthebox.fast import cpu
from catinthebox.rules.actions import FIRST_BID, FIRST_DISCARD
from catinthebox.rules.layout import SEAT, SIZE
from catinthebox.tactics import ismcts
from catinthebox.tactics.careful import RATINGS
from catinthebox.tactics.ismcts import (
    CHANCES,
    FIRST,
    MEAN,
    MOVE,
    NEXT,
    NODE,
    NONE,
    ONE,
    RANGE,
    ROOT,
    TOTAL,
    UP,
    USED,
    VISITS,
)
from catinthebox.tactics.rollout import POLICIES
from catinthebox.tactics.weights import WEIGHTS
from catinthebox.views import View


class Asked(NamedTuple):
    """A moment and the seat that has to decide."""

    round: Round
    seat: int


def asked(rounds: int, seed: int) -> Iterator[Asked]:
    """Moments of random rounds at every table."""
    rng = Random(seed)
    for players, face in TABLES:
        for _ in range(rounds):
            for round, seat, _action in moments(random_round(players, face, rng), rng):
                yield Asked(round, seat)


def searched(
    at: Asked, iterations: int, seed: int = 1, policy: str = "follow", cuts: tuple[int, ...] = ()
) -> list[int]:
    """The tree that the interpreted search grows, perhaps in slices."""
    view = View.of(at.round, at.seat)
    tree = [0] * ismcts.tree_slots(iterations)
    roots = [0] * ismcts.root_slots(iterations)
    w, v, touch, number = [0] * SIZE, view.vector, view.face.touch, POLICIES[policy]
    edges = [0, *cuts, iterations]
    for first, last in pairwise(edges):
        ismcts.search(
            v,
            view.proved,
            at.seat,
            touch,
            tree,
            roots,
            w,
            number,
            WEIGHTS[view.players],
            [0] * RATINGS,
            ONE // 2,
            seed,
            first,
            last,
        )
    return tree


def compiled_tree(
    compiled: ModuleType, at: Asked, iterations: int, seed: int, policy: str
) -> tuple[list[int], int]:
    """The tree that the compiled search grows, and its choice."""
    view = View.of(at.round, at.seat)
    sizes = ismcts.tree_slots(iterations), ismcts.root_slots(iterations), SIZE
    tree, roots, w = (numpy.zeros(size, dtype=numpy.int64) for size in sizes)
    compiled.ismcts.search(
        numpy.array(view.vector, dtype=numpy.int64),
        view.proved,
        at.seat,
        numpy.array(view.face.touch, dtype=numpy.int64),
        tree,
        roots,
        w,
        POLICIES[policy],
        numpy.array(WEIGHTS[view.players], dtype=numpy.int64),
        numpy.zeros(RATINGS, dtype=numpy.int64),
        ONE // 2,
        seed,
        0,
        iterations,
    )
    return tree.tolist(), int(compiled.ismcts.chosen(tree))


@pytest.fixture(scope="module")
def compiled() -> ModuleType:
    """The tactics, compiled; modules by name."""
    return cpu.tactics()


def children(tree: list[int], node: int) -> list[int]:
    """The children of a node, the youngest first."""
    found = []
    child = tree[node + FIRST]
    while child != NONE:
        found.append(child)
        child = tree[child + NEXT]
    return found


def nodes(tree: list[int]) -> range:
    """Every node but the root."""
    return range(ROOT + NODE, tree[USED], NODE)


def test_visits_add_up() -> None:
    """Every iteration passes one child of the root; no node is visited without a chance."""
    for at in list(asked(1, 5))[::9]:
        tree = searched(at, 40)
        assert tree[ROOT + VISITS] == 40
        assert sum(tree[child + VISITS] for child in children(tree, ROOT)) == 40
        assert tree[USED] <= len(tree)
        for node in nodes(tree):
            below = sum(tree[child + VISITS] for child in children(tree, node))
            assert below < tree[node + VISITS] <= tree[node + CHANCES]
            assert tree[node + CHANCES] <= tree[tree[node + UP] + VISITS]
            mean = tree[node + TOTAL] / tree[node + VISITS] / (at.round.players - 1) / RANGE
            assert abs(tree[node + MEAN] / ONE - mean) < 1e-4


def test_children_are_different_actions_of_one_seat() -> None:
    """A node branches on the actions of the seat whose turn it is, each once."""
    for at in list(asked(1, 6))[::9]:
        tree = searched(at, 60)
        for node in (ROOT, *nodes(tree)):
            moves = [tree[child + MOVE] for child in children(tree, node)]
            assert len({move & SEAT for move in moves}) <= 1
            assert len({move >> 3 for move in moves}) == len(moves)
        own = {tree[child + MOVE] >> 3 for child in children(tree, ROOT)}
        legal = {action.id for action in at.round.legal_for(at.seat)}
        assert own == legal  # 60 iterations try each of at most 36


@pytest.mark.clause("R7", "R33")
@pytest.mark.parametrize("players", range(2, 6))
def test_what_others_set_aside_makes_no_branch(players: int) -> None:
    """Own discards, then at once what everybody sees: bids, or at two players the first lead."""
    rng = Random(players)
    round = Round.shuffled(players, rng, starter=1)
    for seat in range(players):
        tree = searched(Asked(round, seat), 80)
        for child in children(tree, ROOT):
            assert FIRST_DISCARD <= tree[child + MOVE] >> 3 < FIRST_BID
            assert tree[child + MOVE] & SEAT == seat
            for grandchild in children(tree, child):
                action = tree[grandchild + MOVE] >> 3
                assert action < FIRST_DISCARD if players == 2 else action >= FIRST_BID
                assert tree[grandchild + MOVE] & SEAT == 1
        round = round.play(sorted(round.legal_for(seat))[0], seat)


def test_slices_do_not_matter() -> None:
    """Each iteration has its own stream: cut anywhere, the tree is the same, slot by slot."""
    for at in list(asked(1, 7))[::15]:
        whole = searched(at, 50)
        assert searched(at, 50, cuts=(1, 7, 49)) == whole
        assert searched(at, 50, seed=2) != whole or len(at.round.legal_for(at.seat)) == 1


def test_a_used_tree_can_be_used_again(compiled: ModuleType) -> None:
    """Iteration 0 forgets what was there before."""
    first, second = list(asked(1, 8))[4:40:30]
    fresh, _ = compiled_tree(compiled, second, 30, 1, "follow")
    view, trees = View.of(second.round, second.seat), searched(first, 30)
    roots, w = [0] * ismcts.root_slots(30), [0] * SIZE
    given = view.vector, view.proved, second.seat, view.face.touch
    ismcts.search(*given, trees, roots, w, POLICIES["follow"], (), [], ONE // 2, 1, 0, 30)
    assert trees[: trees[USED]] == fresh[: fresh[USED]]


@pytest.mark.long
def test_the_compiled_search_grows_the_same_tree(compiled: ModuleType) -> None:
    """Slot by slot, at every table, in every phase, under every policy."""
    phases = set()
    for number, at in enumerate(list(asked(2, 9))[::7]):
        policy = ("follow", "random", "careful")[number % 3]
        tree = searched(at, 40, number, policy)
        found, choice = compiled_tree(compiled, at, 40, number, policy)
        assert found == tree
        assert choice == ismcts.chosen(tree)
        phases.add(at.round.phase)
    assert phases == {Phase.DISCARD, Phase.BID, Phase.PLAY}


def test_roots_and_logarithms() -> None:
    """The table for UCB1 agrees with the floating point of the books."""
    tree, roots = [0] * NODE, [0] * ismcts.root_slots(5000)
    for number in range(1, 5001):
        ismcts.learn(tree, roots, number, 2 * ONE)
        assert abs(roots[2 * number] / ONE - 2 * sqrt(log(number))) < 0.03
        assert abs(roots[2 * number + 1] / ONE - 1 / sqrt(number)) < 1e-4


def planted(*leaves: tuple[int, int, int]) -> list[int]:
    """A tree of a root and leaves: action, visits, total."""
    tree = [0] * ismcts.tree_slots(len(leaves))
    ismcts.clear(tree)
    for action, visits, total in leaves:
        child = ismcts.grow(tree, ROOT, action, 2)
        tree[child + VISITS], tree[child + TOTAL] = visits, total
    return tree


def test_the_choice() -> None:
    """Most visits; then the higher mean; then the lower action."""
    assert ismcts.chosen(planted((5, 3, 90), (7, 4, -9), (9, 1, 5))) == 7
    assert ismcts.chosen(planted((5, 4, -9), (7, 4, -8), (9, 4, -10))) == 7
    assert ismcts.chosen(planted((7, 4, -8), (5, 4, -8), (9, 4, -8))) == 5
