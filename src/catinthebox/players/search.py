"""`search`: samples worlds that agree with its view, and tries every action in each.

- Worlds are sampled from the view; with `beliefs`, those that explain the others' actions better
  are used more often (`tactics.beliefs`).
- After every stage the worse half of the actions is dropped (sequential halving), so that most of
  the work goes into the few that matter. All actions meet the same worlds and the same chance.
- After an action a tree is searched, in which the seats learn to answer each other; after the tree
  a policy plays to the end (`tactics.search`).
- The rating of a careful player counts like a few tries (`hunch`).

All of this is `tactics.thought`, which works in slices; here is its caller, with a clock.

>>> from random import Random
>>> from catinthebox.game import Round
>>> view = View.of(Round.deal(("1223345566", "1123344556", "1122344566")), seat=0)
>>> thought = Search(rollouts=200).think(view, Budget(), Random(1))
>>> thought.best in view.legal, 150 < thought.rollouts <= 200
(True, True)
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, inf
from random import Random
from time import perf_counter
from typing import Any, Final

from ..game import ACTIONS, Action, Phase
from ..tactics import ismcts, search, thought
from ..tactics.careful import RATINGS, UNIT
from ..tactics.rollout import POLICIES
from ..tactics.thought import MOST
from ..views import View
from . import engine
from .player import Budget

AUTO: Final = "auto"
AIMS: Final = {"ahead": search.AHEAD, "points": search.POINTS}
DEFAULT: Final = Budget(rollouts=1000)
FASTEST: Final = 4000  # rollouts per millisecond, at most; sizes the tree
SLICE: Final = 1.0  # milliseconds between two checks of the clock, about


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
        decision = Thought(self, view, limit, rng.getrandbits(62))
        decision.run()
        return decision


class Thought:
    """One decision: its state in rows, as `tactics.thought` describes them, and a clock."""

    def __init__(self, how: Search, view: View, limit: Budget, seed: int) -> None:
        assert view.seat is not None, "a spectator does not play"
        self.begin = perf_counter()
        self.how, self.view, self.limit, self.seed = how, view, limit, seed
        self._tactics = engine.tactics().thought
        self._state = engine.zeros(thought.THOUGHT)
        self._scratch = engine.zeros(thought.SCRATCH, RATINGS)
        self._vector = engine.vector(view)
        self._model = engine.weights(view.players), engine.touch(view.face)
        self._prepare(view.seat)
        opened = self._state, self._vector, *self._model, self._scratch
        number = int(self._tactics.open_thought(*opened))
        self.options = list(map(int, self._state[thought.ACTION : thought.ACTION + number]))
        self._tree = engine.zeros(
            thought.thought_tree(self._state) if number > 1 else ismcts.tree_slots(0)
        )

    def _prepare(self, seat: int) -> None:
        """Write the parameters of the decision."""
        how, view, t = self.how, self.view, self._state
        rollouts = thought.NO_LIMIT if self.limit.rollouts is None else self.limit.rollouts
        self._tactics.prepare_thought(t, seat, self.seed, view.proved, rollouts, self._room())
        t[thought.POLICY] = thought.AUTO if how.policy == AUTO else POLICIES[how.policy]
        t[thought.BELIEFS] = int(how.beliefs and not view.dealt.discarded)
        t[thought.EXPLORATION] = round(how.explore * ismcts.ONE)
        t[thought.PRIOR] = how.hunch
        t[thought.AIM] = AIMS[how.aim]
        if how.aim == "ahead" and view.totals and view.rounds_left == 0:
            t[thought.AIM] = search.WIN

    def _room(self) -> int:
        """Return how many rollouts there should be memory for."""
        limits = [MOST]
        if self.limit.rollouts is not None:
            limits.append(self.limit.rollouts)
        if self.limit.ms is not None:
            limits.append(ceil(min(self.limit.ms, MOST) * FASTEST))
        return min(limits)

    def _rows(self) -> tuple[Any, ...]:
        """Allocate and collect the arguments of `think`."""
        view, t = self.view, self._state
        seen = engine.row(play.action.id for play in view.actions if not discarded(play.action))
        totals = engine.row(view.totals or (0,) * view.players)
        number, size = thought.thought_worlds(t), len(self._vector)
        worlds = engine.zeros(number, size), engine.floats(number), engine.zeros(number)
        roots = engine.zeros(thought.thought_roots(t))
        given = (t, self._vector, seen, totals, *self._model)
        return (*given, *worlds, self._tree, roots, self._scratch)

    # ── Slices ───────────────────────────────────────────────────────────────────────────────

    def run(self) -> None:
        """Think in slices of about a millisecond, until it is over, time is up or cancelled."""
        if len(self.options) <= 1:
            return
        rows, t = self._rows(), self._state
        size, over = 1, False
        while not over:
            begin = self.elapsed
            over = self._tactics.think(*rows, size)
            now = self.elapsed
            if self.limit.cancelled():
                self._look_once(rows)
                return
            if self.limit.ms is not None and now >= thought.time_share(t) * self.limit.ms:
                thought.end_stage(t)
                over = thought.thought_over(t)
            size = 1 if thought.stage_over(t) else _resized(size, now - begin)

    def _look_once(self, rows: tuple[Any, ...]) -> None:
        """Make sure that every action was tried once."""
        while thought.untried(self._state):
            thought.end_stage(self._state)
            self._tactics.think(*rows, 1)

    @property
    def elapsed(self) -> float:
        """Milliseconds since the decision began."""
        return 1000 * (perf_counter() - self.begin)

    # ── What was found ───────────────────────────────────────────────────────────────────────

    def tries(self, action: int) -> int:
        """How often an action was tried."""
        return int(thought.tries(self._state, self._tree, self.options.index(action)))

    def found(self, action: int) -> float:
        """Return the mean result of an action; the prior rating counts for some tries."""
        total = thought.sum_found(self._state, self._tree, self.options.index(action))
        return int(total) / UNIT / max(self.tries(action) + self.how.hunch, 1)

    @property
    def best(self) -> Action:
        """The best action: of those tried most, the one with the best result."""
        assert self.options, "only a seat that may act decides"
        return ACTIONS[int(thought.best_option(self._state, self._tree))]

    @property
    def rollouts(self) -> int:
        """The number of rollouts."""
        return int(self._tree[ismcts.ROOT + ismcts.VISITS])


def _resized(size: int, took: float) -> int:
    """Return how much work to do in the next slice, after one that took some milliseconds."""
    if took < SLICE / 2:
        return size * 2
    return max(1, size // 2) if took > SLICE else size


def discarded(action: Action) -> bool:
    """Whether an action is a discard; the others' discards are hidden."""
    return action.phase is Phase.DISCARD
