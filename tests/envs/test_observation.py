"""Observations as numbers: their fields, their bounds, two ways to write them."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import numpy as np
import pytest
from policies import TABLES, moments, random_round

from catinthebox.envs import observation
from catinthebox.rules.encode import FIELDS, WIDTH

PAGE = Path(__file__).parents[2] / "docs" / "environments.md"


@pytest.mark.parametrize(("players", "face"), TABLES)
def test_compiled_and_interpreted_numbers_agree(players: int, face: str) -> None:
    """One source, written twice; every number lies within its bounds."""
    rng = Random(players)
    low, high = observation.bounds("round")
    for round, _, _ in moments(random_round(players, face, rng), rng):
        for seat in range(players):
            seen = observation.observation(round.vector, seat)
            assert np.array_equal(seen, observation.interpreted(round.vector, seat))
            assert (low <= seen).all()
            assert (seen <= high).all()


def test_without_a_compiler_the_rules_are_interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Observations do not need numba; they are only slower."""

    def missing() -> None:
        raise ModuleNotFoundError("No module named 'numba'", name="numba")

    monkeypatch.setattr(observation, "_compiled", missing)
    observation._implementation.cache_clear()
    assert observation._implementation() is observation.interpreted
    observation._implementation.cache_clear()


def test_masks_are_the_legal_actions() -> None:
    """Any set of ids, as zeros and ones."""
    rng = Random(1)
    for _ in range(200):
        ids = rng.getrandbits(49)
        mask = observation.mask(ids)
        assert mask.dtype == np.int8
        assert sum(1 << int(i) for i in np.flatnonzero(mask)) == ids
        assert len(mask) == 49


def test_points_so_far_are_relative() -> None:
    """The own points first, then clockwise; then the rounds to come."""
    rng = Random(3)
    round = random_round(3, "white", rng)
    seen = observation.match_observation(round.vector, 1, (5, -2, 9), 2)
    assert seen[WIDTH:].tolist() == [-2, 9, 5, 0, 0, 2]
    assert np.array_equal(seen[:WIDTH], observation.observation(round.vector, 1))


def test_every_field_has_a_row_in_the_docs() -> None:
    """Name, first number and width, in order, for rounds and matches."""
    page = PAGE.read_text("utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \| (\d+) \|", page, flags=re.M)
    at, expected = 0, []
    for name, width in (*FIELDS, *observation.MATCH_FIELDS):
        expected.append((name, str(at), str(width)))
        at += width
    assert rows == expected
    assert sum(width for _, width in FIELDS) == WIDTH
