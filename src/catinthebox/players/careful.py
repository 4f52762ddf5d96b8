"""`careful`: made by hand, sees to it that its cards find a place, bids what it can win.

Its thoughts are `tactics.careful`; `slips` is how often it takes any legal action instead.

>>> from random import Random
>>> from catinthebox.game import Round
>>> round = Round.deal(("1223345566", "1123344556", "1122344566"))
>>> Careful().choose(View.of(round, 0), Budget(), Random(1))
Action('-2')
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from ..game import ACTIONS, Action
from ..tactics.careful import RATINGS
from ..views import View
from . import engine
from .player import Budget


@dataclass(frozen=True)
class Careful:
    """One careful look at the table for every action."""

    slips: float = 0.0

    def __post_init__(self) -> None:
        if not 0 <= self.slips <= 1:
            raise ValueError("slips is a share from 0 to 1")

    def choose(self, view: View, budget: Budget, rng: Random) -> Action:
        """Choose what rates best."""
        chance = rng.getrandbits(32)
        if rng.random() < self.slips:
            return rng.choice(list(view.legal))
        assert view.seat is not None, "a spectator does not play"
        taste, touch = engine.taste(view.players), engine.touch(view.face)
        think = engine.tactics().careful.careful_action
        ratings = engine.zeros(RATINGS)
        return ACTIONS[int(think(engine.vector(view), view.seat, taste, touch, ratings, chance))]
