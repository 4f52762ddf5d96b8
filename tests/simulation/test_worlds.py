"""Worlds, one seed each: whatever goes wrong, the laws hold (`laws.py` has them).

`CATINTHEBOX_SOAK=1` runs a hundred times as many. A seed that once failed is kept in `seeds.txt`
with the reason, and runs for ever. One world alone, and all that happens in it:
`python tests/simulation/run.py SEED --trace`.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from simulation.plan import KINDS, Plan
from simulation.world import digest, lived
from waiting import completed

WORLDS = 30_000 if os.environ.get("CATINTHEBOX_SOAK") else 300
CHUNK = 25
TESTS = Path(__file__).parents[1]
SEEDS = Path(__file__).with_name("seeds.txt")


def kept() -> list[list[str]]:
    """The seeds that failed once: each a line, with its kinds of trouble if they were named."""
    lines = SEEDS.read_text().splitlines()
    return [line.split() for line in lines if line and not line.startswith(("#", " "))]


@pytest.mark.parametrize(
    "first", [0, *(pytest.param(n, marks=pytest.mark.long) for n in range(CHUNK, WORLDS, CHUNK))]
)
def test_the_laws_hold_in_every_world(first: int) -> None:
    """Loss, doubles, disorder, crashes, failing disks, wrong clocks, people who change places."""
    for seed in range(first, first + CHUNK):
        lived(seed)


@pytest.mark.parametrize(("seed", "kinds"), [(int(seed), kinds) for seed, *kinds in kept()])
def test_what_failed_once_does_not_fail_again(seed: int, kinds: list[str]) -> None:
    """Each of these worlds has shown a mistake."""
    lived(seed, *kinds)


# ── One seed, one world ──────────────────────────────────────────────────────────────────────

SAMPLE = range(0, 1000, 167)


@pytest.mark.long
def test_the_same_seed_is_the_same_world() -> None:
    """Two runs of a seed go the same way, and no two seeds do."""
    worlds = [digest(seed) for seed in SAMPLE]
    assert [digest(seed) for seed in SAMPLE] == worlds
    assert len(set(worlds)) == len(worlds)


@pytest.mark.process
def test_a_world_does_not_depend_on_the_process_that_runs_it() -> None:
    """Neither addresses in memory nor the salt of hashes change it."""
    program = f"from simulation.world import digest; print(*map(digest, {SAMPLE}))"
    environment = {**os.environ, "PYTHONPATH": str(TESTS), "PYTHONHASHSEED": "1"}
    run = [sys.executable, "-c", program]
    assert completed(run, env=environment).split() == [digest(seed) for seed in SAMPLE]


# ── What the worlds are like ─────────────────────────────────────────────────────────────────


def test_a_thousand_worlds_have_everything() -> None:
    """Every kind of trouble alone and with others, every number of players, every beginning."""
    plans = [Plan.drawn(Random(f"{seed}/world")) for seed in range(1000)]
    for kind in KINDS:
        assert sum(plan.kinds == {kind} for plan in plans) > 10, kind
        assert sum(kind in plan.kinds for plan in plans) > 100, kind
    assert {plan.settings.players for plan in plans} == {2, 3, 4, 5}
    assert {plan.people for plan in plans} == {1, 2, 3, 4, 5}
    assert {plan.stage for plan in plans} == {"new", "seated", "begun", "late", "opened"}
    assert {plan.workers for plan in plans} == {1, 2}
    assert sum(plan.settings.clock for plan in plans) > 100
    assert sum(plan.troubles["kill"] >= 10 for plan in plans) > 50
    assert sum(plan.troubles["jump"] for plan in plans) > 500


@pytest.mark.long
def test_a_world_is_as_bad_as_its_plan() -> None:
    """Everything that is planned happens, and the store fails in every way."""
    figures = sum((lived(seed, *KINDS).laws.figures for seed in range(6)), Counter[str]())
    faults = {name.removeprefix("store ") for name in figures if name.startswith("store ")}
    assert faults >= {"busy", "settled", "unsettled", "unread", "late"}
    assert {"kill", "jump", "refused server.unavailable"} <= set(figures)
