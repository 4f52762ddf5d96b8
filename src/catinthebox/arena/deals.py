"""The deals of a seed: the same cards for every match and every seating.

>>> deal(4, "7", 5).shuffle().current.setup.hands == deal(4, "7", 5).shuffle().current.setup.hands
True
>>> [deal(3, "7", number).game.starter for number in range(4)]
[0, 1, 2, 0]
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from ..game import Face, Game


@dataclass(frozen=True)
class Deal:
    """A table before its cards are dealt, and the chance that will deal them.

    That chance deals and does nothing else: the cards of a game's later rounds do not depend on
    how the earlier ones were played.
    """

    game: Game
    chance: Random

    def shuffle(self, game: Game | None = None) -> Game:
        """Deal the next round of the game."""
        return (self.game if game is None else game).shuffle(self.chance)


def deal(players: int, seed: str, number: int, face: Face | None = None) -> Deal:
    """Give a deal of a seed by its number; the starter moves on with it, so that all are equal."""
    starter = number % players
    game = Game.new(players, face=face, starter=starter, house_rules=True)  # any face can be tried
    return Deal(game, Random(f"{seed}:{players}:{number}"))
