"""What one seat may know, built up from what it saw (R32, R33); worlds that agree with it.

>>> from random import Random
>>> from catinthebox.game import Round
>>> view = View.of(Round.shuffled(4, Random(7)), seat=2)
>>> view.hand, view.hand_sizes
((1, 1, 2, 3, 4, 4, 6, 7, 7, 8), (10, 10, 10, 10))
"""

from .direct import Mine, PublicRound, mine, public_round
from .events import (
    BidMade,
    Dealt,
    Discarded,
    Event,
    MyDiscard,
    ParadoxShown,
    Played,
    RoundOver,
    TrickWon,
    opening,
    visible,
)
from .view import View

__all__ = [
    "BidMade",
    "Dealt",
    "Discarded",
    "Event",
    "Mine",
    "MyDiscard",
    "ParadoxShown",
    "Played",
    "PublicRound",
    "RoundOver",
    "TrickWon",
    "View",
    "mine",
    "opening",
    "public_round",
    "visible",
]
