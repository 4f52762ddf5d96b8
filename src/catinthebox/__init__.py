"""Cat in the Box, the quantum trick-taking card game.

>>> from catinthebox import Action, Round
>>> round = Round.deal(("1223345566", "1123344556", "1122344566"))
>>> len(round.legal), Action("-2") in round.legal
(6, True)
"""

from .game import *
from .game import __all__ as __all__

__version__ = "0.1.0"
