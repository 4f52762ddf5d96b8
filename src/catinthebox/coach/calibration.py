"""What to expect, corrected: careful rollouts are too sure of themselves.

Rounds of good players are not rounds of careful ones, and the earlier in a round, the less careful
rollouts say about its end. So points are moved towards what is usual by a straight line, and
chances by one through their logarithms of odds (Platt scaling). Both lines grow with what is left
of the round, so the last trick is as it was found. Each number of players has its own, fitted by
least squares and by maximum likelihood to rounds that `net` played with itself, and tested on
others (docs/coach.md).

Only expectations are corrected, not differences: a loss is what it was in the same worlds.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log

from ..game import Phase
from ..tactics import prospects
from ..views import View
from .corrections import CORRECTIONS


@dataclass(frozen=True)
class Expectation:
    """What to expect of an action."""

    points: float
    within: float
    paradox: float
    bid: float


def left_of_round(view: View) -> float:
    """Return how much of a round is left: 1 at its beginning, 0 in its last trick.

    >>> from catinthebox.views import Dealt
    >>> left_of_round(View(Dealt(4, seat=1, hand="1345566788")))
    1.0
    """
    assert view.seat is not None
    tricks = view.hand_sizes[view.seat] - (2 if view.phase is Phase.DISCARD else 1)
    return (tricks - 1) / (tricks + sum(view.won) - 1)


def bonus_lost(view: View) -> bool:
    """Whether the bonus is out of reach, whatever happens (R25, R26)."""
    assert view.seat is not None
    return bool(prospects.bonus_lost(list(view.vector), view.seat))


def corrected_points(view: View, points: float) -> float:
    """Correct expected points."""
    intercept, slope = CORRECTIONS[view.players].points
    return points + left_of_round(view) * (intercept + slope * points)


def corrected_chance(view: View, chance: float, worlds: int, line: tuple[float, float]) -> float:
    """Correct a chance that was found in a number of worlds.

    In the last trick nothing is corrected. A chance of 0 or 1 counts as half a world less.

    >>> from catinthebox.views import Dealt
    >>> view = View(Dealt(4, seat=1, hand="1345566788"))
    >>> round(corrected_chance(view, 1.0, 128, (-0.2, -0.5)), 2)
    0.93
    """
    left = left_of_round(view)
    if left == 0:
        return chance
    share = (chance * worlds + 0.5) / (worlds + 1)
    odds = log(share / (1 - share))
    return 1 / (1 + exp(-(odds + left * (line[0] + line[1] * odds))))
