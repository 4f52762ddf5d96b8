"""Players: each sees its seat's view and nothing else; randomness is an argument.

>>> from random import Random
>>> from catinthebox.game import Round
>>> from catinthebox.views import View
>>> view = View.of(Round.shuffled(4, Random(7)), seat=2)
>>> player("follow").choose(view, Budget(), Random(1)) in view.legal
True
"""

from .external import External
from .levels import LEVELS, Level
from .player import Budget, Player
from .program import ExternalError
from .registry import PLAYERS, player

__all__ = [
    "LEVELS",
    "PLAYERS",
    "Budget",
    "External",
    "ExternalError",
    "Level",
    "Player",
    "player",
]
