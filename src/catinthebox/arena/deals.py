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
    """A table before the deal, and the seed and number that decide its cards.

    Every round is dealt from its own random generator, so the cards of later rounds do not depend
    on how earlier ones were played.
    """

    game: Game
    seed: str
    number: int

    def shuffle(self, game: Game | None = None) -> Game:
        """Deal the next round of the game."""
        game = self.game if game is None else game
        return game.shuffle(self._chance(game.number))

    def _chance(self, played: int) -> Random:
        """Return the random generator of the round after `played` rounds."""
        first = f"{self.seed}:{self.game.players}:{self.number}"
        return Random(f"{first}:{played + 1}" if played else first)


def deal(players: int, seed: str, number: int, face: Face | None = None) -> ArenaDeal:
    """Return a deal of a seed by its number; the starter rotates with the number."""
    starter = number % players
    game = Game.new(players, face=face, starter=starter, house_rules=True)  # any face may be used
    return ArenaDeal(game, seed, number)
