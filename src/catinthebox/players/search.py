"""`search`: samples worlds that agree with its view, and tries every action in each.

- Worlds are sampled from the view; with `beliefs`, those that explain the others' actions better
  are used more often (`tactics.beliefs`).
- After every stage the worse half of the actions is dropped (sequential halving), so that most of
  the work goes into the few that matter. All actions meet the same worlds and the same chance.
- After an action a tree is searched, in which the seats learn to answer each other; after the tree
  a policy plays to the end (`tactics.search`).
- The rating of a careful player counts like a few tries (`hunch`).

>>> from random import Random
>>> from catinthebox.game import Round
>>> view = View.of(Round.deal(("1223345566", "1123344556", "1122344566")), seat=0)
>>> thought = Search(rollouts=200).think(view, Budget(), Random(1))
>>> thought.best in view.legal, 150 < thought.rollouts <= 200
(True, True)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, inf, log2
from random import Random
from time import perf_counter
from typing import Final

from ..game import ACTIONS, Action, Phase
from ..tactics import ismcts, search
from ..tactics.careful import RATINGS, UNIT
from ..tactics.rollout import POLICIES
from ..views import View
from . import engine
from .player import Budget

AUTO: Final = "auto"
AIMS: Final = {"ahead": search.AHEAD, "points": search.POINTS}
DEFAULT: Final = Budget(rollouts=1000)
MOST: Final = 1_000_000  # rollouts: a tree of 64 MB
FASTEST: Final = 4000  # rollouts per millisecond, at most; sizes the tree
WORLDS: Final = 2048  # at most, for one decision; more rollouts reuse them
BELIEVED: Final = 3  # worlds weighed for each one that is used
WEIGHING: Final = 0.2  # of the time at most
SLICE: Final = 1.0  # milliseconds between two checks of the clock, about
FEW: Final = 16  # rollouts for each action; if there are fewer, the worst-rated actions are dropped
LOT, LUCK = 0x5EED_0001, 0x5EED_0002  # make worlds, choices and rollouts independent
DISLIKE: Final = 3.0  # points; the lowest prior rating


@dataclass(frozen=True)
class Search:
    """Tries every action in many worlds; by default with a thousand rollouts.

    `policy` plays the round after the tree, `explore` is the tree's exploration constant (0: no
    tree), `hunch` is how many tries the prior rating counts for. The aim `ahead` is own points
    minus the mean of the others', and victory in the last round of a game; `points` is own points.
    """

    rollouts: int | None = None
    ms: float | None = None
    policy: str = AUTO
    beliefs: bool = True
    explore: float = 0.5
    hunch: int = 64
    aim: str = "ahead"

    def __post_init__(self) -> None:
        if self.policy not in (AUTO, *POLICIES):
            raise ValueError(f"no policy {self.policy}; there are {', '.join((AUTO, *POLICIES))}")
        if self.rollouts is not None and not 1 <= self.rollouts <= MOST:
            raise ValueError(f"rollouts={self.rollouts}; 1 to {MOST} are possible")
        if self.ms is not None and not 0 < self.ms < inf:
            raise ValueError(f"ms={self.ms}; some time is needed")
        if not 0 <= self.explore <= 100:
            raise ValueError(f"explore={self.explore}; 0 to 100 is possible")
        if not 0 <= self.hunch <= MOST:
            raise ValueError(f"hunch={self.hunch}; 0 to {MOST} is possible")
        if self.aim not in AIMS:
            raise ValueError(f"no aim {self.aim}; there are {', '.join(AIMS)}")

    def choose(self, view: View, budget: Budget, rng: Random) -> Action:
        """Choose the action with the best result."""
        return self.think(view, budget, rng).best

    def think(self, view: View, budget: Budget, rng: Random) -> Thought:
        """Search; return the results for every action."""
        limit = Budget(self.rollouts, self.ms).within(budget)
        if limit.rollouts is None and limit.ms is None:
            limit = DEFAULT.within(limit)
        thought = Thought(self, view, limit, rng.getrandbits(62))
        if len(thought.options) > 1:
            thought.halve()
        return thought


class Thought:
    """One decision: the worlds, the tries in them, and their results."""

    def __init__(self, how: Search, view: View, limit: Budget, seed: int) -> None:
        assert view.seat is not None, "a spectator does not play"
        self.begin = perf_counter()
        self.how, self.view, self.limit, self.seed = how, view, limit, seed
        self.seat = view.seat
        self.aim = AIMS[how.aim]
        if self.aim == search.AHEAD and view.totals and view.rounds_left == 0:
            self.aim = search.WIN
        self._tactics = engine.tactics()
        self._weights, self._touch = engine.weights(view.players), engine.touch(view.face)
        self._scratch = engine.zeros(3, RATINGS)
        self._policy = POLICIES[policy_for(view.players) if how.policy == AUTO else how.policy]
        self.hunches = self._first_sight()
        self.options = sorted(self.hunches, key=lambda action: -self.hunches[action])
        if limit.rollouts is not None:
            del self.options[max(min(limit.rollouts, 2), limit.rollouts // FEW, 1) :]
        self._grow()
        self.tried = 0  # worlds

    # ── Before the first try ─────────────────────────────────────────────────────────────────

    def _first_sight(self) -> dict[int, float]:
        """Return prior ratings by a careful player, the best as 0, in units of utility."""
        seen, rated = engine.vector(self.view), engine.zeros(RATINGS)
        rate = self._tactics.careful.rate_actions
        rate(seen, self.seat, self._weights, self._touch, self._scratch[0], rated)
        points = {action.id: int(rated[action.id]) / UNIT for action in self.view.legal}
        best = max(points.values(), default=0.0)
        point = self.view.players - 1.0
        if self.aim == search.WIN:
            point = search.VICTORY / ismcts.RANGE
        return {action: max(-DISLIKE, mine - best) * point for action, mine in points.items()}

    def _grow(self) -> None:
        """Allocate a tree with a branch for every action and room for the whole budget."""
        limits = [MOST]
        if self.limit.rollouts is not None:
            limits.append(self.limit.rollouts)
        if self.limit.ms is not None:
            limits.append(ceil(min(self.limit.ms, MOST) * FASTEST))
        self.room = max(min(limits), len(self.options))
        self.tree = engine.zeros(ismcts.tree_slots(self.room + len(self.options)))
        self._roots = engine.zeros(ismcts.root_slots(self.room + 1))
        branches = engine.zeros(len(self.options))
        actions = engine.row(self.options)
        self._tactics.search.open_branches(self.tree, self.seat, actions, branches)
        self._branch = dict(zip(self.options, map(int, branches), strict=True))

    def _imagine(self) -> None:
        """Sample worlds, and select those that explain the view best."""
        view, stages = self.view, ceil(log2(len(self.options)))
        wanted = min(WORLDS, max(1, 2 * self.room // stages))
        beliefs = self._beliefs
        most = wanted * (BELIEVED if beliefs else 1)
        self._worlds = engine.zeros(most, len(view.vector))
        likelihoods = engine.floats(most)
        seen = engine.row(play.action.id for play in view.actions if not discarded(play.action))
        vector, made = engine.vector(view), 0
        for count in self._pieces(most, WEIGHING):
            worlds = (self._worlds, made, count)
            self._tactics.search.imagine(vector, view.proved, self.seed, *worlds)
            if beliefs:
                model = (self.seat, seen, self._weights, self._touch, self._scratch[1])
                self._tactics.search.believe(*worlds, likelihoods, self._scratch[0], *model)
            made += count
        self._chosen = engine.row(range(ceil(made / BELIEVED) if beliefs else made))
        if beliefs:
            number = len(self._chosen)
            self._tactics.search.gather(likelihoods, made, self._chosen, number, self.seed ^ LOT)

    @property
    def _beliefs(self) -> bool:
        """Whether worlds are weighed: if enabled, and if there are actions to explain."""
        if self.view.phase is Phase.DISCARD or self.view.dealt.discarded:
            return False
        return self.how.beliefs

    def _pieces(self, total: int, until: float) -> Iterator[int]:
        """Split work into pieces of about a millisecond, until it is done or time is up.

        `until` is the fraction of the time that may be used.
        """
        size, done = 1, 0
        while done < total:
            begin = self.elapsed
            count = min(size, total - done)
            yield count
            done += count
            now = self.elapsed
            late = self.limit.ms is not None and now >= until * self.limit.ms
            if late or self.limit.cancelled():
                return
            if now - begin < SLICE / 2:
                size *= 2
            elif now - begin > SLICE:
                size = max(1, size // 2)

    # ── Halving ──────────────────────────────────────────────────────────────────────────────

    def halve(self) -> None:
        """Try all actions, keep the better half, and so on until one is left."""
        self._imagine()
        remaining = self.options
        stages = ceil(log2(len(remaining)))
        for stage in range(stages):
            self._try(remaining, stages, stage)
            if self.limit.cancelled():
                return
            remaining = sorted(remaining, key=self.rank)[: ceil(len(remaining) / 2)]

    def _try(self, actions: list[int], stages: int, stage: int) -> None:
        """Try actions in more worlds, with a stage's share of the budget."""
        branches = engine.row(self._branch[action] for action in actions)
        totals = engine.row(self.view.totals or (0,) * self.view.players)
        curiosity = round(self.how.explore * ismcts.ONE)
        for count in self._pieces(self._share(len(actions), stages), (stage + 1) / stages):
            self._tactics.search.try_actions(
                self._worlds, self._chosen, self.tried, count, self.seat, branches,
                self._policy, self._weights, self._touch, totals, self.aim,
                curiosity, self.seed ^ LUCK, self.tree, self._roots, *self._scratch,
            )  # fmt: skip
            self.tried += count

    def _share(self, actions: int, stages: int) -> int:
        """Return how many worlds a stage may use, by its rollouts and the size of the tree."""
        room = (self.room - self.rollouts) // actions
        if self.limit.rollouts is None:
            return room
        return min(room, max(1, self.limit.rollouts // (stages * actions)))

    @property
    def elapsed(self) -> float:
        """Milliseconds since the decision began."""
        return 1000 * (perf_counter() - self.begin)

    # ── What was found ───────────────────────────────────────────────────────────────────────

    def tries(self, action: int) -> int:
        """How often an action was tried."""
        return int(self.tree[self._branch[action] + ismcts.VISITS])

    def found(self, action: int) -> float:
        """Return the mean result of an action; the prior rating counts for some tries."""
        total = int(self.tree[self._branch[action] + ismcts.TOTAL])
        weight = self.how.hunch
        return (total + weight * self.hunches[action]) / max(self.tries(action) + weight, 1)

    def rank(self, action: int) -> tuple[int, float, int]:
        """Return the sort key of an action: its tries, then its result."""
        return -self.tries(action), -self.found(action), action

    @property
    def best(self) -> Action:
        """The best action: of those tried most, the one with the best result."""
        return ACTIONS[min(self.options, key=self.rank)]

    @property
    def rollouts(self) -> int:
        """The number of rollouts."""
        return int(self.tree[ismcts.ROOT + ismcts.VISITS])


def policy_for(players: int) -> str:
    """Return the best rollout policy for a table size.

    At two players the tree reaches deep, and more rollouts are better; with more players the rest
    of the round matters more, so a careful policy is better (docs/strength.md).
    """
    return "follow" if players == 2 else "careful"


def discarded(action: Action) -> bool:
    """Whether an action is a discard; the others' discards are hidden."""
    return action.phase is Phase.DISCARD
