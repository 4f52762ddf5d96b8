"""`ismcts`: Information Set Monte Carlo Tree Search, the classic baseline for hidden cards.

It samples worlds that agree with its view and grows one tree over all of them. The search itself
is `tactics.ismcts`; here it runs in short slices, so that it can be stopped.

>>> Ismcts(iterations=0)
Traceback (most recent call last):
    ...
ValueError: iterations=0; 1 to 1000000 are possible
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, inf
from random import Random
from time import perf_counter
from typing import Final

from ..game import ACTIONS, Action
from ..tactics import ismcts
from ..tactics.careful import RATINGS
from ..tactics.rollout import POLICIES
from ..views import View
from . import engine
from .player import Budget

MOST: Final = 1_000_000  # iterations: a tree of 64 MB
FIRST_SLICE: Final = 8  # iterations
DEFAULT: Final = 1000  # iterations
FASTEST: Final = 4000  # iterations per millisecond, at most; sizes the tree
SLICE: Final = 0.002  # seconds, about: how long cancelling may take


@dataclass(frozen=True)
class Ismcts:
    """A player that searches for at most `iterations` and `ms` milliseconds.

    By default it does a thousand iterations.
    """

    iterations: int | None = None
    ms: float | None = None
    exploration: float = 0.5
    policy: str = "follow"  # plays the round after the tree

    def __post_init__(self) -> None:
        if self.iterations is not None and not 1 <= self.iterations <= MOST:
            raise ValueError(f"iterations={self.iterations}; 1 to {MOST} are possible")
        if not 0 <= self.exploration <= 100:
            raise ValueError(f"exploration={self.exploration}; 0 to 100 is possible")
        if self.ms is not None and not 0 < self.ms < inf:
            raise ValueError(f"ms={self.ms}; some time is needed")
        if self.policy not in POLICIES:
            known = ", ".join(POLICIES)
            raise ValueError(f"no policy {self.policy!r}; there are {known}")

    def choose(self, view: View, budget: Budget, rng: Random) -> Action:
        """Search; return the action that was tried most often."""
        legal = view.legal
        if len(legal) == 1:
            return next(iter(legal))
        limit = Budget(self.iterations, self.ms).within(budget)
        number = self.room(limit)
        search = TreeSearch(view, number, self.exploration, self.policy, rng.getrandbits(62))
        run(search, limit)
        return ACTIONS[search.chosen()]

    def room(self, limit: Budget) -> int:
        """Return the number of iterations to allocate."""
        number = MOST if limit.rollouts is None else limit.rollouts
        if limit.ms is not None:
            number = min(number, ceil(min(limit.ms, MOST) * FASTEST))
        elif limit.rollouts is None:
            number = DEFAULT
        return max(1, min(number, MOST))


def run(search: TreeSearch, limit: Budget) -> None:
    """Run a search in slices, until its limit or its end."""
    size = FIRST_SLICE
    now = perf_counter()
    end = None if limit.ms is None else now + limit.ms / 1000
    while True:
        begin = now
        search.go_on(size)
        now = perf_counter()
        if search.done == search.iterations or limit.cancelled() or (end and now >= end):
            return
        if now - begin < SLICE / 2:
            size *= 2
        elif now - begin > SLICE and size > 1:
            size //= 2


class TreeSearch:
    """One decision: the seat's view, and a growing tree."""

    def __init__(
        self, view: View, iterations: int, exploration: float, policy: str, seed: int
    ) -> None:
        assert view.legal, "only a seat that may act has something to search for"
        self.iterations = iterations
        self.done = 0
        self._tactics = engine.tactics().ismcts
        self.tree = engine.zeros(ismcts.tree_slots(iterations))
        roots = engine.zeros(ismcts.root_slots(iterations))
        self._given = (engine.vector(view), view.proved, view.seat, engine.touch(view.face))
        self._room = (self.tree, roots, engine.vector(view))
        scratch = engine.zeros(RATINGS)
        self._model = (POLICIES[policy], engine.weights(view.players), scratch)
        self._how = (round(exploration * ismcts.ONE), seed)
        self._work(0, 0)  # compiles, if needed, before the clock starts;
        self.chosen()  # so does this

    def go_on(self, iterations: int) -> None:
        """Run more iterations, up to the number that is left."""
        last = min(self.done + iterations, self.iterations)
        self._work(self.done, last)
        self.done = last

    def chosen(self) -> int:
        """Return the action id that is best so far."""
        return int(self._tactics.chosen(self.tree))

    def _work(self, first: int, last: int) -> None:
        self._tactics.search(*self._given, *self._room, *self._model, *self._how, first, last)
