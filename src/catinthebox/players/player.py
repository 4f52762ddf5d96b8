"""What a player is, and what it may spend on a decision.

>>> Budget(rollouts=1000, ms=50).within(Budget(ms=20))
Budget(rollouts=1000, ms=20)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Protocol, TypeVar, runtime_checkable

from ..game import Action
from ..views import View

Number = TypeVar("Number", int, float)


def never() -> bool:
    """Nobody has asked to stop."""
    return False


@dataclass(frozen=True)
class Budget:
    """What a decision may cost: the smaller of the limits counts, None is no limit.

    `cancelled` is asked now and then; once it says yes, the player answers at once, with the best
    it has found so far.
    """

    rollouts: int | None = None
    ms: float | None = None
    cancelled: Callable[[], bool] = field(default=never, compare=False, repr=False)

    def __post_init__(self) -> None:
        for limit in (self.rollouts, self.ms):
            if limit is not None and not limit >= 0:
                raise ValueError(f"{limit} is no limit; 0 or more is, and None is none")

    def within(self, other: Budget) -> Budget:
        """Return the budget that keeps both limits."""
        stop = self.cancelled if other.cancelled is never else other.cancelled
        if never not in (self.cancelled, other.cancelled):
            stop = partial(_either, self.cancelled, other.cancelled)
        return Budget(_least(self.rollouts, other.rollouts), _least(self.ms, other.ms), stop)


def _either(one: Callable[[], bool], other: Callable[[], bool]) -> bool:
    return one() or other()


def _least(a: Number | None, b: Number | None) -> Number | None:
    if a is None or b is None:
        return b if a is None else a
    return min(a, b)


@runtime_checkable
class Player(Protocol):
    """Somebody who decides everything at its seat, by what that seat may know.

    The same view, budget and chance give the same action, unless the budget is a time. A player
    has a budget of its own (`search:rollouts=1000`); the one it is given can only lower it.
    """

    def choose(self, view: View, budget: Budget, rng: Random) -> Action:
        """Choose one of `view.legal`; never called when that is empty."""
