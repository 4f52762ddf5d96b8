"""How every row of the table is measured: the fastest of some spans, taken in turns, on one core.

Machines are noisy. A row is measured in several short spans, and the rows take turns, so that a
slow minute is not one row's bad luck. Single-threaded work is counted in CPU seconds.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import process_time

SPANS = 5


@dataclass(frozen=True)
class Contender:
    """Something that plays: `play` does a little of it and returns how many decisions that were."""

    name: str
    policy: str
    play: Callable[[], int]


@dataclass(frozen=True)
class Row:
    """What was measured: decisions (actions of a player) a second."""

    name: str
    policy: str
    rate: float


def span(play: Callable[[], int], seconds: float, clock: Callable[[], float]) -> float:
    """Decisions a second over one span."""
    decisions = 0
    begin = clock()
    while (spent := clock() - begin) < seconds or decisions == 0:
        decisions += play()
    return decisions / spent


def measure(
    contenders: Sequence[Contender], seconds: float, clock: Callable[[], float] = process_time
) -> list[Row]:
    """Let contenders take turns, `seconds` for each in all, and keep the best span of each."""
    best = [0.0] * len(contenders)
    for contender in contenders:
        contender.play()  # whatever happens only once: compiling, caches
    for _ in range(SPANS):
        for place, contender in enumerate(contenders):
            best[place] = max(best[place], span(contender.play, seconds / SPANS, clock))
    return [Row(c.name, c.policy, rate) for c, rate in zip(contenders, best, strict=True)]


def stay_on_one_core() -> None:
    """Pin this process and its children, where the system can."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
