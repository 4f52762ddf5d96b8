"""How hard a puzzle is: a rating, from how often each level finds the best action.

A level is taken as a player with a rating: one that has as many points as the puzzle finds it half
of the time, besides what guessing finds. The rating of a puzzle is the one that explains best what
the levels found, on a scale on which most puzzles have 1500.

>>> easy, hard = rating([1, 1, 1, 0.99], actions=5), rating([0, 0, 0, 0.1], actions=5)
>>> easy, hard
(880, 2070)
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log
from typing import Final

from .puzzle import EASIEST, HARDEST

STRENGTHS: Final = {"gentle": 1000, "steady": 1300, "sharp": 1600, "uncanny": 1900}
USUAL: Final = 1500
SPREAD: Final = 600  # of ratings around the usual one
SCALE: Final = 400 / log(10)  # as chess has it: 400 points are ten to one
STEP: Final = 10
SURE: Final = 0.98  # nothing is found, or missed, more surely than this


def rating(shares: Sequence[float], actions: int) -> int:
    """Return the rating of a puzzle; the shares are those of the levels of `STRENGTHS`."""
    return max(
        range(EASIEST, HARDEST + STEP, STEP), key=lambda points: _plausible(points, shares, actions)
    )


def _plausible(points: int, shares: Sequence[float], actions: int) -> float:
    """Return the logarithm of how plausible a rating is."""
    found = -(((points - USUAL) / SPREAD) ** 2) / 2
    for strength, share in zip(STRENGTHS.values(), shares, strict=True):
        knows = 1 / (1 + exp((points - strength) / SCALE))
        chance = min(knows + (1 - knows) / actions, SURE)
        found += share * log(chance) + (1 - share) * log(1 - chance)
    return found
