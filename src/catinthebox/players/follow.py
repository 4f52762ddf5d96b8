"""`follow`: discards one of several equal cards, bids by its high cards, follows if it can.

It chooses among the following cards at random: the simplest player that does not end nearly every
round in a paradox (F3), and the baseline that others are measured against.

>>> from random import Random
>>> from catinthebox.game import Round
>>> round = Round.deal(("1223345566", "1123344556", "1122344566"))
>>> view = View.of(round.replay("-2 -3 -4 =1 =3 =4 5b"), 1)
>>> Follow().choose(view, Budget(), Random(1)).color
<Color.BLUE: 1>
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from ..game import ACTIONS, Action
from ..tactics.simple import follow_action
from ..views import View
from .player import Budget


@dataclass(frozen=True)
class Follow:
    """Follows the led color if possible."""

    def choose(self, view: View, budget: Budget, rng: Random) -> Action:
        """Choose at random among the following cards."""
        assert view.seat is not None, "a spectator does not play"
        return ACTIONS[follow_action(view.vector, view.seat, rng.getrandbits(62))]
