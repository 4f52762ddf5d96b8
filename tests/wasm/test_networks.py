"""Networks choose the same actions in the browser's engine as in Python."""

from __future__ import annotations

import pytest

from bench.networks import TABLES, compare, positions

POSITIONS = 500  # `python -m bench.networks` takes 10,000


@pytest.mark.browser
def test_the_same_actions_in_the_browser() -> None:
    """What the page's worker computes, in Node: at every table, in every phase."""
    views = positions(POSITIONS, seed=3)
    assert {(view.players, view.face.name) for view in views} == set(TABLES)
    assert compare(views).differing == []
