"""Rewards by name: what a round is worth to every seat.

>>> rewards("points", [(5, 2, -1)], over=True)
[5.0, 2.0, -1.0]
>>> rewards("margin", [(5, 2, -1)], over=True)
[4.5, 0.0, -4.5]
>>> rewards("win", [(5, 2, -1), (0, 5, 2)], over=True)     # R3: a tie, decided by the last round
[0.0, 1.0, 0.0]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..game import NotUnderstood, standing

REWARDS: Final = ("points", "margin", "win")


def known_reward(reward: str) -> str:
    """Return a reward's name; raise `ValueError` if it is unknown."""
    if reward not in REWARDS:
        known = ", ".join(REWARDS)
        raise NotUnderstood("input.option", f"no reward {reward!r}; there are {known}")
    return reward


def rewards(reward: str, rounds: Sequence[tuple[int, ...]], *, over: bool) -> list[float]:
    """Return the rewards of the round that just ended; `over` if the match ended with it."""
    if reward == "win":
        return shares(rounds) if over else [0.0] * len(rounds[-1])
    return margins(rounds[-1]) if reward == "margin" else [float(points) for points in rounds[-1]]


def margins(points: Sequence[int]) -> list[float]:
    """Return own points minus the mean of the others; they sum to zero."""
    total, others = sum(points), len(points) - 1
    return [own - (total - own) / others for own in points]


def shares(rounds: Sequence[tuple[int, ...]]) -> list[float]:
    """Return the shares of the victory (R3)."""
    _, winners = standing(tuple(rounds))
    return [(seat in winners) / len(winners) for seat in range(len(rounds[-1]))]
