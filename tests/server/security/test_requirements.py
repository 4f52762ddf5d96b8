"""docs/security.md and the tests agree: one requirement, one test, both ways."""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "security.md").read_text("utf-8")
ROW = re.compile(
    r"^\| S(?P<number>\d+) \| (?P<requirement>[^|]+) \| (?P<source>[^|]+) \| (?P<how>[^|]+) "
    r"\| `(?P<test>test_s\d\d_\w+)` \|$",
    re.M,
)
ROWS = [found.groupdict() for found in ROW.finditer(PAGE)]


@cache
def proofs() -> dict[str, str]:
    """Every test of a requirement, and its file."""
    found: dict[str, str] = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        text = path.read_text("utf-8")
        for node in ast.parse(text).body if "def test_s" in text else ():
            if isinstance(node, ast.FunctionDef) and re.match(r"test_s\d", node.name):
                assert node.name not in found, f"{node.name} is there twice"
                assert ast.get_docstring(node), f"{node.name} does not say what it shows"
                found[node.name] = path.relative_to(ROOT).as_posix()
    return found


def test_every_requirement_has_its_test_and_every_test_its_requirement() -> None:
    """In the order of their numbers, with a source each."""
    assert [int(row["number"]) for row in ROWS] == list(range(1, len(ROWS) + 1))
    assert len(ROWS) >= 24
    assert len(ROWS) == len(re.findall(r"^\| S\d", PAGE, re.M))  # no row was misread
    named = [row["test"] for row in ROWS]
    assert Counter(named) == Counter(proofs().keys())
    for row in ROWS:
        assert row["test"].startswith(f"test_s{int(row['number']):02}_")
        assert re.search(r"\bWS \w+|\bV\d+\.\d+", row["source"]), row


def test_the_page_says_where_they_are() -> None:
    """All of them are in one folder."""
    assert {Path(path).parent.as_posix() for path in proofs().values()} == {"tests/server/security"}
    assert "`tests/server/security`" in PAGE
