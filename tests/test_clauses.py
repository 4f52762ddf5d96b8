"""Every clause of the rules is in the docs, in the code and in a test that names it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CLAUSES = [f"R{number}" for number in range(1, 35)]
FACTS = [f"F{number}" for number in range(1, 7)]


def named_in(*folders: str) -> set[str]:
    """All clause ids that stand in the Python sources of some folders."""
    sources = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    return {id_ for path in sources for id_ in re.findall(r"\b[RF]\d+", path.read_text("utf-8"))}


@pytest.mark.parametrize("clause", CLAUSES)
def test_each_clause_is_cited_in_the_code(clause: str) -> None:
    """A reader finds every clause where it is carried out."""
    assert clause in named_in("src")


@pytest.mark.parametrize("clause", CLAUSES + FACTS)
def test_each_clause_has_an_anchor_in_the_rule_book(clause: str) -> None:
    """Links such as docs/rules.md#r14 lead somewhere."""
    assert f'<a id="{clause.lower()}"></a>' in (ROOT / "docs" / "rules.md").read_text("utf-8")


@pytest.mark.parametrize("clause", CLAUSES + FACTS)
def test_each_clause_is_exercised_by_a_test_that_says_so(clause: str) -> None:
    """The marker `clause` on some test names it."""
    sources = [path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py")]
    marks = [mark for text in sources for mark in re.findall(r"mark\.clause\(([^)]*)\)", text)]
    assert f'"{clause}"' in " ".join(marks)
