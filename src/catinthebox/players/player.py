"""The protocol of players, and the budget of a decision.

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
    """Return False: the decision is not cancelled."""
    return False


@dataclass(frozen=True)
class Budget:
    """The limits of a decision; None is no limit.

    `cancelled` is polled; once it returns True, the player answers at once, with the best action it
    has found so far.
    """

    rollouts: int | None = None
    ms: float | None = None
    cancelled: Callable[[], bool] = field(default=never, compare=False, repr=False)

    def __post_init__(self) -> None:
        for limit in (self.rollouts, self.ms):
            if limit is not None and not limit >= 0:
                raise ValueError(
                    f"{limit} cannot be a limit; 0 or more can, and None means no limit"
                )

    def within(self, other: Budget) -> Budget:
        """Return the budget that respects both limits."""
        stop = self.cancelled if other.cancelled is never else other.cancelled
        if never not in (self.cancelled, other.cancelled):
            stop = partial(_either, self.cancelled, other.cancelled)
        return Budget(_least(self.rollouts, other.rollouts), _least(self.ms, other.ms), stop)


class GivenSeed(Random):
    """A generator with one number: the seed of a decision, for players that draw no other.

    >>> GivenSeed(348388335824351705).getrandbits(62)
    348388335824351705
    """

    def __init__(self, seed: int) -> None:
        self.given = seed  # the generator behind it is not used

    def getrandbits(self, k: int, /) -> int:
        """Return the seed, however many bits are asked for."""
        return self.given


def _either(one: Callable[[], bool], other: Callable[[], bool]) -> bool:
    return one() or other()


def _least(a: Number | None, b: Number | None) -> Number | None:
    if a is None or b is None:
        return b if a is None else a
    return min(a, b)


@runtime_checkable
class Player(Protocol):
    """Decides every action of a seat, by what that seat may know.

    The same view, budget and random generator give the same action, unless the budget is a time. A
    player may have its own budget (`search:rollouts=1000`); the given one can only lower it.
    """

    def choose(self, view: View, budget: Budget, rng: Random) -> Action:
        """Choose one of `view.legal`; never called when that is empty."""
