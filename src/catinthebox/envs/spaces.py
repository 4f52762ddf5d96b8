"""Observation and action spaces, as Gymnasium describes them."""

from __future__ import annotations

from ..optional import needs
from ..rules.actions import ACTIONS
from .match import EnvMatch
from .observation import Numbers, bounds, look, look_at_match, mask

with needs("gymnasium", extra="envs"):
    import numpy as np
    from gymnasium import spaces


def numbers_space(length: str) -> spaces.Box:
    """What a seat sees: 379 small numbers, six more in a match."""
    low, high = bounds(length)
    return spaces.Box(low, high, dtype=np.int8)


def masked_space(length: str) -> spaces.Dict:
    """What a seat sees, and which of the 49 actions are legal."""
    legal = spaces.Box(0, 1, shape=(ACTIONS,), dtype=np.int8)
    return spaces.Dict({"observation": numbers_space(length), "action_mask": legal})


def action_space() -> spaces.Discrete:
    """The 49 actions: 0-35 play, 36-44 discard, 45-48 bid."""
    return spaces.Discrete(ACTIONS)


def numbers_of(match: EnvMatch, seat: int) -> Numbers:
    """What a seat of a match sees."""
    if match.rounds == 1:
        return look(match.round.vector, seat)
    before = match.totals
    left = match.rounds - min(len(match.scores) + 1, match.rounds)
    return look_at_match(match.round.vector, seat, before, left)


def masked_of(match: EnvMatch, seat: int) -> dict[str, Numbers]:
    """What a seat of a match sees, and what it may do."""
    return {"observation": numbers_of(match, seat), "action_mask": mask(match.legal_ids(seat))}
