"""One player among others on the training device: every deal is played once from every seat."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Final

import torch

from .actor import Actor
from .model import Perceptron
from .plan import TrainingPlan
from .rounds import rounds_on

NORMAL: Final = 1.96  # standard errors on either side of a 95 % interval
DEALS: Final = 7_919  # a seed whose deals no training plays


@dataclass(frozen=True)
class DuelResult:
    """How a lone player did, with the half-width of 95 % intervals; the unit is the deal."""

    deals: int
    difference: float  # the lone player's points less the mean of the others', per round
    difference_within: float
    share: float  # of the victories
    share_within: float
    paradoxes: float  # rounds in which the lone player caused one


class Duel:
    """Tables for duels between two players, each a network or, as None, `careful`."""

    def __init__(self, plan: TrainingPlan, device: str) -> None:
        self.plan, self.device = plan, device
        rows = max(plan.measured_rows // plan.players, 2) * plan.players
        self.rounds = rounds_on(device, plan, rows)
        every = torch.arange(rows, device=device)
        self._numbers, self._lone = every // plan.players, every % plan.players
        self._actors: dict[Perceptron, Actor] = {}

    @torch.no_grad()
    def play(
        self,
        lone: Perceptron | None,
        others: Perceptron | None,
        *,
        draws: tuple[bool, bool] = (False, False),
        seed: int = 0,
    ) -> DuelResult:
        """Play; `draws` says who draws actions from its policy instead of playing the best.

        On the CPU a training goes on with the same chance whether or not it was measured.
        """
        with torch.random.fork_rng(devices=[], enabled=self.device == "cpu"):
            return self._play(lone, others, draws, seed)

    def _play(
        self,
        lone: Perceptron | None,
        others: Perceptron | None,
        draws: tuple[bool, bool],
        seed: int,
    ) -> DuelResult:
        rounds = self.rounds
        rounds.begin_numbered(DEALS + seed, self._numbers)
        for step in range(self.plan.steps):
            rounds.look()
            mine = self._actions(lone, draws[0], seed * self.plan.steps + step)
            theirs = self._actions(others, draws[1], seed * self.plan.steps + step)
            rounds.actions.copy_(torch.where(rounds.turn == self._lone, mine, theirs))
            rounds.play()
        return self._result(rounds.points().float())

    def _actions(self, net: Perceptron | None, draws: bool, seed: int) -> torch.Tensor:
        if net is None:
            return self.rounds.careful(seed).clone()
        if net not in self._actors:
            self._actors[net] = Actor(net, self.rounds.rows, self.device)
        actor = self._actors[net]
        actor.act(self.rounds.inputs(), self.rounds.legal)
        return (actor.drawn if draws else actor.best).clone()

    def _result(self, points: torch.Tensor) -> DuelResult:
        players = self.plan.players
        mine = points.gather(1, self._lone[:, None])[:, 0]
        others = (points.sum(1) - mine) / (players - 1)
        won = points == points.max(1, keepdim=True).values
        share = won.gather(1, self._lone[:, None])[:, 0] / won.sum(1)
        caused = (self.rounds.causer == self._lone).float().mean()
        difference, within = self._interval(mine - others)
        return DuelResult(
            len(points) // players, difference, within, *self._interval(share), float(caused)
        )

    def _interval(self, values: torch.Tensor) -> tuple[float, float]:
        deals = values.view(-1, self.plan.players).mean(1)
        return float(deals.mean()), NORMAL * float(deals.std()) / sqrt(len(deals))
