"""`careful`: hand-written rules; keeps its cards playable and bids what it can win.

Its ratings are in `tactics.careful`; `slips` is how often it takes an action that rates nearly as
well as the best instead. It never takes a much worse one.

>>> from random import Random
>>> from catinthebox.game import Round
>>> round = Round.deal(("1223345566", "1123344556", "1122344566"))
>>> Careful().choose(View.of(round, 0), Budget(), Random(1))
Action('-2')
>>> Careful(slips=1).choose(View.of(round, 0), Budget(), Random(1)) == Action("-2")
False
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final

from ..game import ACTIONS, Action
from ..tactics.careful import RATINGS, UNIT
from ..views import View
from . import engine
from .player import Budget

NEAR: Final = 2 * UNIT  # a slip costs at most two points by its own rating


@dataclass(frozen=True)
class Careful:
    """Rates every action by hand-written rules."""

    slips: float = 0.0

    def __post_init__(self) -> None:
        if not 0 <= self.slips <= 1:
            raise ValueError("slips is a share from 0 to 1")

    def choose(self, view: View, budget: Budget, rng: Random) -> Action:
        """Choose the best-rated action, or sometimes one that rates nearly as well."""
        chance = rng.getrandbits(32)
        slips = rng.random() < self.slips
        best = _best(view, chance)
        return rng.choice(_near(view, best) or [best]) if slips else best


def _best(view: View, chance: int) -> Action:
    assert view.seat is not None, "a spectator does not play"
    weights, touch = engine.weights(view.players), engine.touch(view.face)
    think = engine.tactics().careful.careful_action
    ratings = engine.zeros(RATINGS)
    return ACTIONS[int(think(engine.vector(view), view.seat, weights, touch, ratings, chance))]


def _near(view: View, best: Action) -> list[Action]:
    """Return the other actions that rate nearly as well as the best."""
    weights, touch = engine.weights(view.players), engine.touch(view.face)
    rated = engine.zeros(RATINGS)
    rate = engine.tactics().careful.rate_actions
    rate(engine.vector(view), view.seat, weights, touch, engine.zeros(RATINGS), rated)
    enough = int(rated[best.id]) - NEAR
    return [action for action in view.legal if action != best and rated[action.id] >= enough]
