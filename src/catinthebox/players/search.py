"""`search`: imagines worlds that agree with its view, and tries every action in each of them.

After every stage the worse half of the actions is dropped (sequential halving), so that most of
the work goes into the few that matter. All actions meet the same worlds and the same chance.

>>> from random import Random
>>> from catinthebox.game import Round
>>> round = Round.deal(("1223345566", "1123344556", "1122344566"))
>>> Search(rollouts=200).choose(View.of(round, 0), Budget(), Random(1)) in View.of(round, 0).legal
True
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, log2
from random import Random
from time import perf_counter
from typing import Final

from ..game import ACTIONS, Action, Phase
from ..tactics.careful import RATINGS, UNIT
from ..tactics.rollout import POLICIES
from ..views import View
from . import engine
from .player import Budget

WORLDS: Final = 512  # imagined for a decision at most; more rollouts use them again
BELIEVED: Final = 3  # worlds weighed for each one that is used
SLICE: Final = 128  # rollouts between two looks at the clock


@dataclass(frozen=True)
class Search:
    """Try every action in many worlds.

    `beliefs` weighs worlds by how well they explain what the others did; `policy` says how the
    rest of a round is imagined.
    """

    rollouts: int | None = None
    ms: float | None = None
    policy: str = "careful"
    beliefs: bool = True
    hunch: int = 16  # how many rollouts the first thought counts as

    def __post_init__(self) -> None:
        if self.policy not in POLICIES:
            raise ValueError(f"no policy {self.policy}; there are {', '.join(POLICIES)}")
        for limit in (self.rollouts, self.ms):
            if limit is not None and limit <= 0:
                raise ValueError("a budget is above 0")

    def choose(self, view: View, budget: Budget, rng: Random) -> Action:
        """Choose the action that came out best."""
        return self.think(view, budget, rng).best

    def think(self, view: View, budget: Budget, rng: Random) -> Thought:
        """Search, and tell what was found about every action."""
        own = Budget(self.rollouts, self.ms)
        if own == Budget() and budget == Budget():
            own = Budget(rollouts=1000)
        seed = rng.getrandbits(62)
        return Thought(self, view, own.within(budget), seed)


class Thought:
    """One decision: the worlds, what was tried, what came of it."""

    def __init__(self, search: Search, view: View, budget: Budget, seed: int) -> None:
        assert view.seat is not None, "a spectator does not play"
        self.started = perf_counter()
        self.view, self.seat, self.budget, self.seed = view, view.seat, budget, seed
        self.options = [action.id for action in view.legal]
        self.sums = dict.fromkeys(self.options, 0)
        self.tries = dict.fromkeys(self.options, 0)
        self.policy = POLICIES[search.policy]
        self.weight = search.hunch
        self.tactics = engine.tactics().search
        self.taste, self.touch = engine.taste(view.players), engine.touch(view.face)
        self.last = bool(view.totals) and view.rounds_left == 0
        self.totals = engine.row(view.totals or (0,) * view.players)
        self.scratch = engine.zeros(3, RATINGS)
        self.hunch = self.first_thoughts()
        self.tried = 0  # worlds that every remaining action has been tried in
        if len(self.options) > 1:
            self.imagine(search.beliefs)
            self.halve()
        self.ms = 1000 * (perf_counter() - self.started)

    # ── Worlds ───────────────────────────────────────────────────────────────────────────────

    def imagine(self, beliefs: bool) -> None:
        """Imagine worlds; weigh them, where there is something to weigh."""
        view, needed = self.view, self.worlds_needed
        beliefs = beliefs and view.phase is not Phase.DISCARD and not view.dealt.discarded
        self.worlds = engine.zeros(needed * (BELIEVED if beliefs else 1), 48)
        self.tactics.imagine(engine.vector(view), view.proved, self.seed, self.worlds)
        self.chosen = engine.row(range(needed))
        if beliefs:
            weights = engine.weights(len(self.worlds))
            seen = engine.row(
                play.action.id for play in view.actions if play.action.phase is not Phase.DISCARD
            )
            model = (self.seat, seen, self.taste, self.touch, self.scratch[2])
            self.tactics.believe(self.worlds, weights, self.scratch[0], *model)
            self.tactics.gather(weights, self.worlds, self.chosen, needed, self.seed)

    @property
    def worlds_needed(self) -> int:
        """How many worlds the budget can use."""
        if self.budget.rollouts is None:
            return WORLDS
        stages = ceil(log2(len(self.options)))
        return max(1, min(WORLDS, 2 * self.budget.rollouts // stages))

    # ── Halving ──────────────────────────────────────────────────────────────────────────────

    def halve(self) -> None:
        """Try all actions, keep the better half, and so on until one is left."""
        remaining = self.options
        stages = ceil(log2(len(remaining)))
        for stage in range(stages):
            self.try_out(remaining, stages, stage)
            remaining = sorted(remaining, key=self.rank)[: ceil(len(remaining) / 2)]
            if self.stopped:
                break

    def rank(self, action: int) -> tuple[int, float, int]:
        """Order actions: those tried longest, then by what came of them and the first thought."""
        tries, weight = self.tries[action], self.weight
        found = (self.sums[action] + weight * self.hunch[action]) / max(tries + weight, 1)
        return -tries, -found, action

    def first_thoughts(self) -> dict[int, float]:
        """Rate the actions as a careful player would, in the unit of utilities."""
        rated = engine.zeros(RATINGS)
        arguments = (self.taste, self.touch, self.scratch[2], rated)
        engine.tactics().careful.rate_actions(engine.vector(self.view), self.seat, *arguments)
        points = {action: int(rated[action]) / UNIT for action in self.options}
        best = max(points.values())
        scale = self.view.players - 1
        return {action: max(-3.0, rating - best) * scale for action, rating in points.items()}

    def try_out(self, actions: list[int], stages: int, stage: int) -> None:
        """Try actions in further worlds, for this stage's part of the budget."""
        sums = engine.zeros(len(actions))
        row = engine.row(actions)
        for count in self.slices(len(actions), stages, stage):
            self.tactics.try_actions(
                self.worlds, self.chosen, self.tried, count, self.seat, row, self.policy,
                self.taste, self.touch, self.totals, self.last, self.seed, self.scratch[0],
                self.scratch[1], self.scratch[2], sums,
            )  # fmt: skip
            self.tried += count
        for place, action in enumerate(actions):
            self.sums[action] += int(sums[place])
            self.tries[action] = self.tried

    def slices(self, actions: int, stages: int, stage: int) -> Iterator[int]:
        """Cut a stage into pieces: so many worlds each, until its part of the budget is used."""
        limit = self.budget.rollouts
        left = max(1, limit // (stages * actions)) if limit is not None else None
        until = self.budget.ms
        deadline = until * (stage + 1) / stages if until is not None else None
        while left is None or left > 0:
            count = max(1, SLICE // actions)
            count = count if left is None else min(count, left)
            yield count
            left = None if left is None else left - count
            if self.stopped or (deadline is not None and self.elapsed >= deadline):
                return

    @property
    def elapsed(self) -> float:
        """Milliseconds since the decision began."""
        return 1000 * (perf_counter() - self.started)

    @property
    def stopped(self) -> bool:
        """Whether somebody asked to stop."""
        return self.budget.cancelled()

    # ── What was found ───────────────────────────────────────────────────────────────────────

    @property
    def best(self) -> Action:
        """The action that came out best."""
        return ACTIONS[min(self.options, key=self.rank)]

    @property
    def rollouts(self) -> int:
        """How many ends of the round were imagined."""
        return sum(self.tries.values())
