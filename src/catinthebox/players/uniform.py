"""`random`: any legal action, all equally likely."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from ..game import Action
from ..views import View
from .player import Budget


@dataclass(frozen=True)
class Uniform:
    """Chooses at random. It ends nearly every round in a paradox (F3)."""

    def choose(self, view: View, budget: Budget, rng: Random) -> Action:
        """Choose at random."""
        return rng.choice(list(view.legal))
