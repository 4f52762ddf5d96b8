"""Errors of means: tries of one world are alike, so they do not make an interval narrower."""

from __future__ import annotations

from math import sqrt
from random import Random
from statistics import stdev

import pytest

from catinthebox.coach.analysis import Ends
from catinthebox.players import engine
from catinthebox.tactics.prospects import AHEAD, COLUMNS, POINTS

OPTIONS = (36, 40)


def ends_of(worlds: list[list[int]], origins: list[int]) -> Ends:
    """Two actions; the points of both in every try, and the world of every try."""
    rows = engine.zeros(len(OPTIONS) * len(worlds), COLUMNS)
    for place, own in enumerate(own for points in worlds for own in points):
        rows[place][POINTS] = rows[place][AHEAD] = own
    ends = Ends(rows, OPTIONS, room=len(worlds))
    ends.origins, ends.worlds = engine.row(origins), len(worlds)
    return ends


def drawn(rng: Random, count: int) -> list[list[int]]:
    """Points of both actions, with something in common."""
    return [[rng.randrange(9) + rng.randrange(3) for _ in OPTIONS] for _ in range(count)]


@pytest.mark.parametrize("seed", range(10))
def test_different_worlds_have_the_usual_error(seed: int) -> None:
    """The standard error of a mean, and of a mean difference."""
    worlds = drawn(Random(seed), 20)
    ends = ends_of(worlds, list(range(20)))
    for place, option in enumerate(OPTIONS):
        usual = stdev(points[place] for points in worlds) / sqrt(20)
        assert ends.error(option, POINTS) == pytest.approx(usual)
    usual = stdev(one - other for one, other in worlds) / sqrt(20)
    assert ends.difference(*OPTIONS, AHEAD)[1] == pytest.approx(usual)


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("times", [2, 5])
def test_a_world_that_comes_again_says_nothing_new(seed: int, times: int) -> None:
    """The same results in the same worlds, more often: the interval stays as it was."""
    worlds = drawn(Random(seed), 12)
    once = ends_of(worlds, list(range(12)))
    often = ends_of(worlds * times, list(range(12)) * times)
    assert often.error(36, POINTS) == pytest.approx(once.error(36, POINTS))
    assert often.difference(*OPTIONS, AHEAD) == pytest.approx(once.difference(*OPTIONS, AHEAD))


def test_one_world_and_one_try() -> None:
    """A single try says nothing about its error; a single world is no worse than nothing else."""
    assert ends_of([[1, 2]], [0]).error(36, POINTS) == float("inf")
    assert ends_of([[1, 2], [3, 2], [5, 2]], [0, 0, 0]).error(36, POINTS) > 0
