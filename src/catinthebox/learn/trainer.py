"""One iteration of training: play rounds, estimate advantages, improve the policy (PPO).

The reward of a seat is known at the end of a round: its points less the mean of the others', and
some points for a share of the victory (`players.network.VICTORY_POINTS`). A critic that sees all
hands tells good decisions from good cards. What is kept is an exponential average of the policy's
weights.
"""

from __future__ import annotations

from typing import Any, Final

import torch
from torch import nn

from ..rules.actions import ACTIONS
from ..tactics.inputs import INPUTS
from ..tactics.self_play import HIDDEN
from .actor import Actor, captured, fast, log_policy
from .model import Perceptron, critic, policy
from .opponents import CAREFUL, FROZEN, LEARNER, TrainingOpponents, copy_weights
from .plan import TrainingPlan
from .rounds import rounds_on

SCALE: Final = 4.0  # points that make a reward of 1
SEEN_BY_CRITIC: Final = HIDDEN + 8  # and who the other four are: a frozen network, careful
VALUE_WEIGHT: Final = 0.25  # of the policy's own estimate of the result
LOSSES: Final = ("policy_loss", "entropy", "value_loss", "critic_loss", "divergence", "clipped")
WORD: Final = 8  # bytes that are copied at once
DEALS: Final = 1_000_003  # keeps the deals of two seeds apart


def rewards(points: torch.Tensor, victory_points: float) -> torch.Tensor:
    """Return the rewards of all rows and seats; those of a row add up to 0."""
    players = points.shape[1]
    points = points.float()
    margin = (points * players - points.sum(1, keepdim=True)) / (players - 1)
    won = (points == points.max(1, keepdim=True).values).float()
    share = won / won.sum(1, keepdim=True) - 1 / players
    return (margin + victory_points * share) / SCALE


def losses(
    net: Perceptron,
    judge: Perceptron,
    inputs: torch.Tensor,
    hidden: torch.Tensor,
    legal: torch.Tensor,
    actions: torch.Tensor,
    before: torch.Tensor,
    advantages: torch.Tensor,
    returns: torch.Tensor,
    entropy_weight: torch.Tensor,
    bits: torch.Tensor,
    clip: float,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the loss of a minibatch, and its parts in the order of `LOSSES`."""
    outputs = net(inputs)
    logs = log_policy(outputs[:, :ACTIONS], legal, bits)
    entropy = -(logs.exp() * logs.clamp(min=-50)).sum(1).mean()
    change = logs.gather(1, actions[:, None])[:, 0] - before
    ratio = change.exp()
    limited = ratio.clamp(1 - clip, 1 + clip)
    gain = torch.min(ratio * advantages, limited * advantages).mean()
    value = (outputs[:, ACTIONS] - returns).square().mean()
    judged = (judge(torch.cat([inputs, hidden], 1))[:, 0] - returns).square().mean()
    loss = -gain - entropy_weight * entropy + VALUE_WEIGHT * value + judged
    divergence = (ratio - 1 - change).mean()
    clipped = ((ratio - 1).abs() > clip).float().mean()
    return loss, torch.stack([-gain, entropy, value, judged, divergence, clipped]).detach()


def judgments(judge: Perceptron, inputs: torch.Tensor, hidden: torch.Tensor) -> torch.Tensor:
    """Return the critic's estimates of the rewards."""
    return judge(torch.cat([inputs, hidden], 1))[:, 0]


class Decisions:
    """The decisions of an iteration: a step of a row each, in tensors of (steps, rows)."""

    def __init__(self, plan: TrainingPlan, device: str) -> None:
        shape = plan.steps, plan.rows
        narrow: dict[str, Any] = {"dtype": torch.int8, "device": device}
        whole: dict[str, Any] = {"dtype": torch.int64, "device": device}
        self.inputs = torch.zeros(*shape, INPUTS, **narrow)
        self.hidden = torch.zeros(*shape, SEEN_BY_CRITIC, **narrow)
        self.legal, self.seats, self.actions = (torch.zeros(*shape, **whole) for _ in range(3))
        self.before, self.advantages, self.returns = (
            torch.zeros(*shape, device=device) for _ in range(3)
        )

    @torch.no_grad()
    def estimate(self, values: torch.Tensor, rewards: torch.Tensor, trace: float) -> None:
        """Compute advantages and returns, each seat along its own decisions."""
        later, carried = rewards.clone(), torch.zeros_like(rewards)
        for step in reversed(range(len(values))):
            seat = self.seats[step].clamp(min=0)[:, None]
            ours = self.legal[step] != 0
            following, trail = later.gather(1, seat)[:, 0], carried.gather(1, seat)[:, 0]
            advantage = following - values[step] + trace * trail
            self.advantages[step].copy_(advantage)
            self.returns[step].copy_(advantage + values[step])
            later.scatter_(1, seat, torch.where(ours, values[step], following)[:, None])
            carried.scatter_(1, seat, torch.where(ours, advantage, trail)[:, None])


class Minibatch:
    """The decisions of one step of the optimizer, always in the same memory."""

    def __init__(self, plan: TrainingPlan, device: str) -> None:
        size = plan.minibatch
        self.inputs = torch.zeros(size, INPUTS, dtype=torch.int8, device=device)
        self.hidden = torch.zeros(size, SEEN_BY_CRITIC, dtype=torch.int8, device=device)
        self.legal = torch.ones(size, dtype=torch.int64, device=device)
        self.actions = torch.zeros(size, dtype=torch.int64, device=device)
        self.before, self.advantages, self.returns = (
            torch.zeros(size, device=device) for _ in range(3)
        )

    def fill(self, found: Decisions, chosen: torch.Tensor, scale: torch.Tensor) -> None:
        """Copy some decisions; advantages are multiplied by `scale`."""
        for mine, theirs in ((self.inputs, found.inputs), (self.hidden, found.hidden)):
            width = theirs.shape[-1] // WORD  # eight numbers at once
            words = theirs.view(torch.int64).view(-1, width)
            torch.index_select(words, 0, chosen, out=mine.view(torch.int64))
        self.legal.copy_(found.legal.view(-1)[chosen])
        self.actions.copy_(found.actions.view(-1)[chosen])
        self.before.copy_(found.before.view(-1)[chosen])
        self.advantages.copy_(found.advantages.view(-1)[chosen] * scale)
        self.returns.copy_(found.returns.view(-1)[chosen])


class Trainer:
    """A policy, its average, its critic, and the optimizer of both."""

    def __init__(
        self,
        plan: TrainingPlan,
        device: str,
        opponents: TrainingOpponents,
        start: Perceptron | None = None,
    ) -> None:
        self.plan, self.device, self.opponents = plan, device, opponents
        self.net, self.averaged = policy(plan, device), policy(plan, device)
        if start is not None:
            self.net.load_state_dict(start.state_dict())
        self.averaged.load_state_dict(self.net.state_dict())
        self.averaged.requires_grad_(False)
        self.judge = critic(plan, SEEN_BY_CRITIC, device)
        self.rounds = rounds_on(device, plan, plan.rows)
        self.rounds.faces.copy_(torch.rand(plan.rows) < plan.other_face)
        self.actor = Actor(self.net, plan.rows, device)
        self.found, self.minibatch = Decisions(plan, device), Minibatch(plan, device)
        self.iterations = self.decisions = self.played = self._steps = 0
        self._bits = torch.arange(ACTIONS, device=device)
        self._entropy_weight = torch.tensor(plan.entropy[0], device=device)
        self._sums = torch.zeros(len(LOSSES), device=device)
        self._open_optimizer()

    # ── Playing ──────────────────────────────────────────────────────────────────────────────

    @torch.no_grad()
    def collect(self) -> None:
        """Play a round in every row, and keep the decisions of the learner."""
        plan, rounds, found = self.plan, self.rounds, self.found
        rounds.begin(plan.seed * DEALS, self.played)
        kinds = self.opponents.seats()
        for step in range(plan.steps):
            rounds.look()
            self.actor.act(rounds.inputs(), rounds.legal)
            turn = rounds.turn.clamp(min=0)
            kind = kinds.gather(1, turn[:, None])[:, 0]
            found.inputs[step].copy_(self.actor.inputs)
            found.hidden[step, :, :HIDDEN].copy_(rounds.hidden())
            self._write_kinds(found.hidden[step], kinds, turn)
            found.legal[step].copy_(torch.where(kind == LEARNER, rounds.legal, 0))
            found.seats[step].copy_(turn)
            found.actions[step].copy_(self.actor.drawn)
            found.before[step].copy_(self.actor.log_probability)
            rounds.actions.copy_(self._actions(kind, step))
            rounds.play()
        self.played += plan.rows
        rewarded = rewards(rounds.points(), plan.victory_points)
        found.estimate(self._values(), rewarded, plan.trace)

    def _write_kinds(self, hidden: torch.Tensor, kinds: torch.Tensor, turn: torch.Tensor) -> None:
        """Let the critic know who the others are."""
        players = self.plan.players
        for offset in range(1, players):
            other = kinds.gather(1, ((turn + offset) % players)[:, None])[:, 0]
            hidden[:, HIDDEN + 2 * offset - 2] = other == FROZEN
            hidden[:, HIDDEN + 2 * offset - 1] = other == CAREFUL

    def _actions(self, kind: torch.Tensor, step: int) -> torch.Tensor:
        """Return the action of every row, by the kind of player whose turn it is."""
        rounds, frozen = self.rounds, self.opponents.frozen
        actions = self.actor.drawn
        if frozen is not None:
            frozen.act(rounds.inputs(), rounds.legal)
            theirs = frozen.drawn if self.opponents.frozen_draws else frozen.best
            actions = torch.where(kind == FROZEN, theirs, actions)
        seed = (self.plan.seed * DEALS + self.iterations) * self.plan.steps + step
        return torch.where(kind == CAREFUL, rounds.careful(seed), actions)

    @torch.no_grad()
    def _values(self) -> torch.Tensor:
        """Ask the critic about every decision."""
        judge = fast(judgments, self.device)
        found = self.found
        parts = [judge(self.judge, *both) for both in zip(found.inputs, found.hidden, strict=True)]
        return torch.stack(parts)

    # ── Learning ─────────────────────────────────────────────────────────────────────────────

    def _open_optimizer(self) -> None:
        """Make the optimizer; recording its step on a GPU must leave no trace in the weights."""
        plan = self.plan
        self._policy_weights = list(self.net.parameters())
        self._critic_weights = list(self.judge.parameters())
        self._averaged_weights = list(self.averaged.parameters())
        on_gpu = self.device == "cuda"
        self._rate = torch.tensor(0.0, device=self.device)
        options: dict[str, Any] = {"capturable": True, "fused": True} if on_gpu else {}
        weights = self._policy_weights + self._critic_weights
        kept = [weight.detach().clone() for weight in weights]
        rate = self._rate if on_gpu else plan.learning_rate
        self.optimizer = torch.optim.Adam(weights, lr=rate, eps=1e-6, **options)
        self._step = captured(self._improve, self.device)
        with torch.no_grad():
            copy_weights(weights, kept)
            copy_weights(self._averaged_weights, self._policy_weights)
            for state in self.optimizer.state.values():
                for value in state.values():
                    value.zero_()

    def _improve(self) -> None:
        """Take one step of the optimizer on the minibatch."""
        part = self.minibatch
        self.optimizer.zero_grad(set_to_none=True)
        loss, parts = fast(losses, self.device)(
            self.net,
            self.judge,
            part.inputs,
            part.hidden,
            part.legal,
            part.actions,
            part.before,
            part.advantages,
            part.returns,
            self._entropy_weight,
            self._bits,
            self.plan.clip,
        )
        loss.backward()
        nn.utils.clip_grad_norm_(self._policy_weights, 0.5, foreach=True)
        nn.utils.clip_grad_norm_(self._critic_weights, 1.0, foreach=True)
        self.optimizer.step()
        with torch.no_grad():
            share = 1 - self.plan.average
            for mine, new in zip(self._averaged_weights, self._policy_weights, strict=True):
                mine.lerp_(new, share)
            self._sums.add_(parts)

    def _schedule(self, progress: float) -> None:
        """Set learning rate and entropy weight for a share of the training that is over."""
        plan = self.plan
        end = plan.learning_rate_end
        rate = plan.learning_rate * (end + (1 - end) * (1 - progress))
        self._rate.fill_(rate)
        if self.device != "cuda":
            self.optimizer.param_groups[0]["lr"] = rate
        first, last = plan.entropy
        self._entropy_weight.fill_(first * (last / first) ** progress)

    def iterate(self, progress: float) -> None:
        """Play, then learn once from every decision."""
        self.collect()
        self._schedule(progress)
        self._sums.zero_()
        self._steps = 0
        mine = self.found.legal.view(-1).nonzero()[:, 0]
        mine = mine[torch.randperm(len(mine), device=self.device)]
        scale = 1 / (self.found.advantages.view(-1)[mine].std() + 1e-6)
        size = self.plan.minibatch
        for first in range(0, len(mine) - size + 1, size):
            self.minibatch.fill(self.found, mine[first : first + size], scale)
            self._step()
            self._steps += 1
        self.decisions += len(mine)
        self.iterations += 1

    def figures(self) -> dict[str, float]:
        """Return the means of the last iteration: losses, and how its rounds went."""
        means = (self._sums / max(self._steps, 1)).tolist()
        found = dict(zip(LOSSES, means, strict=True))
        found["paradoxes"] = float((self.rounds.causer >= 0).float().mean())
        found["points"] = float(self.rounds.points().float().mean())
        found["refused"] = self.rounds.refused()
        return found
