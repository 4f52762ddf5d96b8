"""Decisions of every level are the same in the module, number for number."""

from __future__ import annotations

from itertools import islice
from random import Random
from types import ModuleType
from typing import cast

import pytest
from decisions import Target, decide, interpreted, known
from wasm.engines import Bridge


def target(bridge: Bridge) -> Target:
    """The tactics in the module, on lists that are copied there and back."""
    return interpreted()._replace(tactics=cast(ModuleType, bridge.rules("tactics")))


@pytest.mark.long
def test_decisions_of_all_levels(bridge: Bridge) -> None:
    """For the same seed and budget, the module decides as compiled code does."""
    for decision, action in known(every=9):
        assert decide(target(bridge), decision) == action, decision


@pytest.mark.long
def test_slices_change_nothing(bridge: Bridge) -> None:
    """A search that stops and goes on finds the same."""
    rng = Random(5)
    for decision, action in islice(known(every=23), 40):
        assert decide(target(bridge), decision, lambda: rng.randrange(1, 60)) == action, decision
