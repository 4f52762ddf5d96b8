"""The deals of a seed: the same cards for every match and every seating.

>>> cards = deal(4, "7", 5)
>>> cards.shuffle().current.setup.hands == cards.shuffle().current.setup.hands
True
>>> [deal(3, "7", number).game.starter for number in range(4)]
[0, 1, 2, 0]
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from ..game import Face, Game


@dataclass(frozen=True)
class ArenaDeal:
    """A table before its cards are dealt, and what decides them: a seed and a number.

    Every round has a chance of its own, which deals and does nothing else: the cards of a game's
    later rounds do not depend on how the earlier ones were played.
    """

    game: Game
    seed: str
    number: int

    def shuffle(self, game: Game | None = None) -> Game:
        """Deal the next round of the game."""
        game = self.game if game is None else game
        return game.shuffle(self._chance(game.number))

    def _chance(self, played: int) -> Random:
        """Make the chance of the round that follows so many."""
        first = f"{self.seed}:{self.game.players}:{self.number}"
        return Random(f"{first}:{played + 1}" if played else first)


def deal(players: int, seed: str, number: int, face: Face | None = None) -> ArenaDeal:
    """Return a deal of a seed by its number; the starter moves on with it, so all are equal."""
    starter = number % players
    game = Game.new(players, face=face, starter=starter, house_rules=True)  # any face can be tried
    return ArenaDeal(game, seed, number)
