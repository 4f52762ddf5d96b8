"""`careful`: hand-written rules; keeps its cards playable and bids what it can win.

Its ratings are in `tactics.careful`; `slips` is how often it takes an action that rates nearly as
well as the best instead. It never takes a much worse one.

>>> from random import Random
>>> from catinthebox.game import Round
>>> round = Round.deal(("1223345566", "1123344556", "1122344566"))
>>> Careful().choose(View.of(round, 0), Budget(), Random(1))
Action('-5')
>>> Careful(slips=1).choose(View.of(round, 0), Budget(), Random(1)) == Action("-5")
False
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from ..game import ACTIONS, Action
from ..tactics.careful import ALWAYS, RATINGS
from ..views import View
from . import engine
from .player import Budget


@dataclass(frozen=True)
class Careful:
    """Rates every action by hand-written rules."""

    slips: float = 0.0

    def __post_init__(self) -> None:
        if not 0 <= self.slips <= 1:
            raise ValueError("slips is a share from 0 to 1")

    def choose(self, view: View, budget: Budget, rng: Random) -> Action:
        """Choose the best-rated action, or sometimes one that rates nearly as well."""
        assert view.seat is not None, "a spectator does not play"
        model = engine.weights(view.players), engine.touch(view.face), engine.zeros(RATINGS)
        think = engine.tactics().careful.slipping_action
        slips, seed = round(self.slips * ALWAYS), rng.getrandbits(32)
        return ACTIONS[int(think(engine.vector(view), view.seat, slips, *model, seed))]
