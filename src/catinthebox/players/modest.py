"""`modest`: a simple opponent, by its own cards and the open trick (`tactics.simple`).

It sets aside a card it holds several of, bids by its high cards, follows the led color when it
can, and avoids plays that would leave one of its cards without a color. It needs no compiler: its
decisions are so small that they are always interpreted.

>>> from random import Random
>>> from catinthebox.game import Round
>>> round = Round.deal(("1223345566", "1123344556", "1122344566"))
>>> Modest().choose(View.of(round.replay("-2 -3 -4 =1 =3 =4 5b"), 1), Budget(), Random(1))
Action('6b')
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from ..game import ACTIONS, Action
from ..tactics.simple import modest_action
from ..views import View
from .player import Budget


@dataclass(frozen=True)
class Modest:
    """The simple opponent as a player."""

    def choose(self, view: View, budget: Budget, rng: Random) -> Action:
        """Choose by the own cards and the open trick."""
        assert view.seat is not None, "a spectator does not play"
        return ACTIONS[modest_action(view.vector, view.seat, rng.getrandbits(62))]
