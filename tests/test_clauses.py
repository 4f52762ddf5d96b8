"""Every clause of the rules is exercised by a test that names it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
CLAUSES = [*(f"R{number}" for number in range(1, 35)), *(f"F{number}" for number in range(1, 7))]


def marked() -> set[str]:
    """All clause ids in `clause` markers."""
    sources = [path.read_text("utf-8") for path in TESTS.rglob("test_*.py")]
    marks = [mark for text in sources for mark in re.findall(r"mark\.clause\(([^)]*)\)", text)]
    return {clause for mark in marks for clause in re.findall(r'"(\w+)"', mark)}


@pytest.mark.parametrize("clause", CLAUSES)
def test_each_clause_is_exercised_by_a_test_that_says_so(clause: str) -> None:
    """The marker `clause` on some test names it."""
    assert clause in marked()


def test_markers_name_real_clauses() -> None:
    """A typing mistake in a marker does not count as a test."""
    assert marked() <= set(CLAUSES)
