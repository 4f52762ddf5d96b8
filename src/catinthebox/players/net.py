"""`net`: a neural network, trained by self-play (docs/networks.md); much faster with NumPy.

It sees the inputs of its own seat (`tactics.inputs`), computed from its view, and plays the action
that the network likes best. With a `temperature` it draws its action instead: at 1 by the network's
own probabilities, nearer to 0 more often the best.

With a limit, `worlds` or `ms`, it searches first (`players.net_search`).

Computers add 32-bit floats in different orders, with slightly different sums. Where two actions are
nearly equal, the network is computed again in 64-bit floats, so that all choose the same action.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, inf
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Final

from ..game import ACTIONS, Action, NotUnderstood
from ..optional import load
from ..tactics.inputs import INPUTS
from ..views import View
from . import engine
from .network import Network, from_file, shipped
from .player import Budget

if TYPE_CHECKING:
    from .net_search import NetThought

MOST: Final = 100_000  # worlds
NEAR: Final = 1e-3  # a hundred times what the order of a sum changes in 32-bit floats


@dataclass(frozen=True)
class Net:
    """Plays by the network that ships for its number of players, or by one from a file."""

    temperature: float = 0.0
    file: str = ""
    worlds: int | None = None
    ms: float | None = None

    REST: ClassVar = "file"  # a path may contain anything

    def __post_init__(self) -> None:
        if not 0 <= self.temperature < inf:
            raise ValueError(f"temperature={self.temperature}; 0 or more is possible")
        if self.worlds is not None and not 1 <= self.worlds <= MOST:
            raise ValueError(f"worlds={self.worlds}; 1 to {MOST} are possible")
        if self.ms is not None and not 0 < self.ms < inf:
            raise ValueError(f"ms={self.ms}; some time is needed")
        if self.searches and self.temperature:
            raise ValueError("a search draws no actions: temperature, or worlds and ms")

    def choose(self, view: View, budget: Budget, rng: Random) -> Action:
        """Choose what the network likes best, or draw by its probabilities; or search."""
        if self.searches:
            return self.think(view, budget, rng).best
        network, inputs = self.network(view.players), self.inputs(view)
        logits = network.logits(inputs)
        ids = sorted(action.id for action in view.legal)
        if self.temperature == 0:
            if _nearly_equal([logits[number] for number in ids]):
                logits = network.exact_logits(inputs)
            return ACTIONS[max(ids, key=lambda number: logits[number])]
        best = max(logits[number] for number in ids)
        chances = [exp((logits[number] - best) / self.temperature) for number in ids]
        return ACTIONS[rng.choices(ids, chances)[0]]

    @property
    def searches(self) -> bool:
        """Whether it does more than ask its network."""
        return self.worlds is not None or self.ms is not None

    def think(self, view: View, budget: Budget, rng: Random) -> NetThought:
        """Search; return what was found about every action. It needs NumPy."""
        net_search = load("catinthebox.players.net_search", extra="fast")
        limit = Budget(ms=self.ms).within(budget)
        network, seed = self.network(view.players), rng.getrandbits(62)
        thought: NetThought = net_search.NetThought(network, view, limit, self.worlds, seed)
        thought.run()
        return thought

    def logits(self, view: View) -> list[float]:
        """Return the network's output for every action id, legal or not."""
        return self.network(view.players).logits(self.inputs(view))

    def inputs(self, view: View) -> Any:
        """Return the inputs of the seat that looks."""
        assert view.seat is not None, "a spectator does not play"
        numbers = engine.zeros(INPUTS)
        write = engine.tactics().inputs.write_inputs
        write(engine.vector(view), view.seat, engine.touch(view.face), numbers)
        return numbers

    def network(self, players: int) -> Network:
        """Return the network for a number of players, loaded once."""
        if not self.file:
            return shipped(players)
        network = from_file(self.file)
        if network.players != players:
            sentence = f"{self.file} plays with {network.players} players, not {players}"
            raise NotUnderstood("input.network", sentence)
        return network


def _nearly_equal(logits: list[float]) -> bool:
    """Whether the best is hardly better than another one."""
    *_, second, best = -inf, *sorted(logits)
    return best - second < NEAR
