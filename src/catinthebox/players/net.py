"""`net`: a neural network, trained by self-play (docs/networks.md); needs NumPy.

It sees the inputs of its own seat (`tactics.inputs`), computed from its view, and plays the action
that the network likes best. With a `temperature` it draws its action instead: at 1 by the network's
own probabilities, nearer to 0 more often the best.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, inf
from random import Random
from typing import TYPE_CHECKING, ClassVar

from ..game import ACTIONS, Action, NotUnderstood
from ..tactics.inputs import INPUTS
from ..views import View
from . import engine
from .player import Budget

if TYPE_CHECKING:
    from .network import Network


@dataclass(frozen=True)
class Net:
    """Plays by the network that ships for its number of players, or by one from a file."""

    temperature: float = 0.0
    file: str = ""

    REST: ClassVar = "file"  # a path may contain anything

    def __post_init__(self) -> None:
        if not 0 <= self.temperature < inf:
            raise ValueError(f"temperature={self.temperature}; 0 or more is possible")

    def choose(self, view: View, budget: Budget, rng: Random) -> Action:
        """Choose what the network likes best, or draw by its probabilities."""
        logits = self.logits(view)
        ids = [action.id for action in view.legal]
        if self.temperature == 0:
            return ACTIONS[max(ids, key=lambda number: logits[number])]
        best = max(logits[number] for number in ids)
        chances = [exp((logits[number] - best) / self.temperature) for number in ids]
        return ACTIONS[rng.choices(ids, chances)[0]]

    def logits(self, view: View) -> list[float]:
        """Return the network's output for every action id, legal or not."""
        assert view.seat is not None, "a spectator does not play"
        network = self.network(view.players)
        numbers = engine.zeros(INPUTS)
        write = engine.tactics().inputs.write_inputs
        write(engine.vector(view), view.seat, engine.touch(view.face), numbers)
        outputs = network(engine.numpy().asarray(numbers, dtype="float32"))
        found: list[float] = outputs[: len(ACTIONS)].tolist()
        return found

    def network(self, players: int) -> Network:
        """Return the network for a number of players, loaded once."""
        from .network import from_file, shipped  # noqa: PLC0415 (needs NumPy)

        if not self.file:
            return shipped(players)
        network = from_file(self.file)
        if network.players != players:
            sentence = f"{self.file} plays with {network.players} players, not {players}"
            raise NotUnderstood("input.network", sentence)
        return network
