"""Observation and action spaces, as Gymnasium describes them."""

from __future__ import annotations

from ..optional import needs
from ..rules.actions import ACTIONS
from .match import EnvMatch
from .observation import Numbers, bounds, mask, match_observation, observation

with needs("gymnasium", extra="envs"):
    import numpy as np
    from gymnasium import spaces


def numbers_space(length: str) -> spaces.Box:
    """Return the space of observations: 379 small numbers, six more in a match."""
    low, high = bounds(length)
    return spaces.Box(low, high, dtype=np.int8)


def masked_space(length: str) -> spaces.Dict:
    """Return the space of observations with a mask of the 49 actions."""
    legal = spaces.Box(0, 1, shape=(ACTIONS,), dtype=np.int8)
    return spaces.Dict({"observation": numbers_space(length), "action_mask": legal})


def action_space() -> spaces.Discrete:
    """Return the space of the 49 actions: 0-35 play, 36-44 discard, 45-48 bid."""
    return spaces.Discrete(ACTIONS)


def numbers_of(match: EnvMatch, seat: int) -> Numbers:
    """Return a seat's observation of a match."""
    if match.rounds == 1:
        return observation(match.round.vector, seat)
    before = match.totals
    left = match.rounds - min(len(match.scores) + 1, match.rounds)
    return match_observation(match.round.vector, seat, before, left)


def masked_of(match: EnvMatch, seat: int) -> dict[str, Numbers]:
    """Return a seat's observation of a match, with its mask."""
    return {"observation": numbers_of(match, seat), "action_mask": mask(match.legal_ids(seat))}
