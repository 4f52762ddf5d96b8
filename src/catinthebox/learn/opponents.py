"""Who sits at the tables of a training: the learner, earlier selves, rivals, careful players.

Networks that only ever play against themselves agree on conventions, and lose among strangers.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Protocol

import torch

from .actor import Actor
from .model import Perceptron, policy
from .plan import TrainingPlan

LEARNER: Final = 0
FROZEN: Final = 1  # a network that does not learn
CAREFUL: Final = 2
MOST_SNAPSHOTS: Final = 32
RECENT: Final = 8

Weights32 = list[torch.Tensor]


class TrainingOpponents(Protocol):
    """Decides who sits where, before every iteration."""

    frozen: Actor | None
    frozen_draws: bool  # whether the frozen network draws its actions, or plays its best

    def seats(self) -> torch.Tensor:
        """Return the kind of every row and seat, and prepare the frozen network."""


class OpponentPool:
    """Half of the tables have strangers: earlier selves, rivals from files, careful players."""

    frozen_draws = True

    def __init__(self, plan: TrainingPlan, device: str, rivals: list[Perceptron]) -> None:
        self.plan, self.device = plan, device
        self.snapshots: list[Weights32] = []
        self.kept = 0  # snapshots that were added so far
        self.rivals = [weights_of(net) for net in rivals]
        self.frozen: Actor | None = Actor(policy(plan, device), plan.rows, device)

    def add(self, net: Perceptron) -> None:
        """Keep the weights of a network as an earlier self; of many old ones only every other."""
        self.snapshots.append(weights_of(net))
        self.kept += 1
        if len(self.snapshots) > MOST_SNAPSHOTS:
            old, new = self.snapshots[:-RECENT], self.snapshots[-RECENT:]
            self.snapshots = old[::2] + new

    @torch.no_grad()
    def seats(self) -> torch.Tensor:
        """Draw the kind of every row and seat."""
        plan = self.plan
        chosen = self._chosen()
        if chosen is not None:
            assert self.frozen is not None
            copy_weights(self.frozen.net.parameters(), chosen)
        earlier = 0.0 if chosen is None else plan.earlier
        drawn = torch.rand(plan.rows, plan.players, device=self.device)
        frozen = (drawn < earlier).long() * FROZEN
        careful = ((drawn >= earlier) & (drawn < earlier + plan.careful)).long() * CAREFUL
        mixed = torch.rand(plan.rows, 1, device=self.device) < plan.mixed
        return torch.where(mixed, frozen + careful, LEARNER)

    def _chosen(self) -> Weights32 | None:
        """Choose a rival in one of four iterations, else an earlier self, half of them recent."""
        if self.rivals and (not self.snapshots or float(torch.rand(())) < 0.25):
            return self.rivals[int(torch.randint(len(self.rivals), ()))]
        if not self.snapshots:
            return None
        number = len(self.snapshots)
        first = max(0, number - RECENT) if float(torch.rand(())) < 0.5 else 0
        return self.snapshots[int(torch.randint(first, number, ()))]


class Target:
    """One learner at every table; all others are the player whose best response is sought."""

    def __init__(
        self, plan: TrainingPlan, device: str, net: Perceptron | None, *, draws: bool
    ) -> None:
        self.frozen = None if net is None else Actor(net, plan.rows, device)
        self.frozen_draws = draws
        kind = CAREFUL if net is None else FROZEN
        self._kinds = torch.full((plan.rows, plan.players), kind, device=device)
        learner = torch.arange(plan.rows, device=device) % plan.players
        self._kinds.scatter_(1, learner[:, None], LEARNER)

    def seats(self) -> torch.Tensor:
        """Return the kind of every row and seat, always the same."""
        return self._kinds


@torch.no_grad()
def copy_weights(into: Iterable[torch.Tensor], weights: Iterable[torch.Tensor]) -> None:
    """Copy weights into others, which stay where they are."""
    for mine, theirs in zip(into, weights, strict=True):
        mine.copy_(theirs)


def weights_of(net: Perceptron) -> Weights32:
    """Copy the weights of a network."""
    return [parameter.detach().clone() for parameter in net.parameters()]
