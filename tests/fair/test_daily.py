"""The deal of a day follows from its date, as published, and as a second program computes it."""

from __future__ import annotations

import importlib.util
import re
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from catinthebox import BadSetup
from catinthebox.fair.daily import LEVELS, PLAYERS, daily, seed

VECTORS = Path(__file__).parents[2] / "vectors"
BLOCKS = (VECTORS / "days.daily").read_text("ascii").split("\n\n")[1:]


def fields(block: str, name: str) -> list[list[str]]:
    """The words of every line of a kind."""
    return [line.split()[1:] for line in block.splitlines() if line.split()[0] == name]


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.split()[1])
def test_every_vector(block: str) -> None:
    """Seat, levels, starter, cards and chance are those of the naive computation."""
    [[day]] = fields(block, "date")
    found = daily(day)
    assert [[str(found.seat)]] == fields(block, "seat")
    assert [[level or "-" for level in found.levels]] == fields(block, "levels")
    assert [[str(found.starter)]] == fields(block, "starter")
    rounds = [[str(n), *dealt.hands] for n, dealt in enumerate(found.rounds, start=1)]
    assert rounds == fields(block, "deal")
    for number, seat, decision, expected in fields(block, "seed"):
        asked = {"round_number": int(number), "seat": int(seat), "decision": int(decision)}
        assert seed(day, **asked) == int(expected)


def test_the_vectors_are_made_again_byte_for_byte() -> None:
    """By a program that shares nothing with the package."""
    path = VECTORS / "make_daily.py"
    assert not re.search(r"^(import|from) catinthebox", path.read_text("utf-8"), re.M)
    spec = importlib.util.spec_from_file_location("make_daily", path)
    assert spec is not None
    assert spec.loader is not None
    made: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    assert made.text() == (VECTORS / "days.daily").read_text("ascii")


def test_days_differ() -> None:
    """No two have the same cards, and every seat, starter and level comes up."""
    days = [daily((date(2026, 1, 1) + timedelta(n)).isoformat()) for n in range(120)]
    assert len({day.rounds for day in days}) == len(days)
    assert {day.seat for day in days} == {day.starter for day in days} == set(range(PLAYERS))
    assert {level for day in days for level in day.levels} == {None, *LEVELS}


@pytest.mark.parametrize("text", ["", "today", "2026-02-30", "2026-1-1", "20260101", "٢٠٢٦-٠١-٠١"])
def test_what_is_no_day_is_refused(text: str) -> None:
    """And said how a day is written."""
    with pytest.raises(BadSetup, match="days are written as"):
        daily(text)
