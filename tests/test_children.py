"""Python processes that the package starts import nothing from the working directory."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "catinthebox"


def commands(path: Path) -> Iterator[list[str]]:
    """The words of every tuple or list in a source file that begins with `sys.executable`."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Tuple | ast.List):
            words = [ast.unparse(element) for element in node.elts]
            if words and words[0] == "sys.executable":
                yield words


FOUND = [(path, words) for path in sorted(PACKAGE.rglob("*.py")) for words in commands(path)]


@pytest.mark.parametrize(
    ("path", "words"), FOUND, ids=[str(path.relative_to(PACKAGE)) for path, _ in FOUND]
)
def test_children_are_started_with_a_safe_path(path: Path, words: list[str]) -> None:
    """`python -m` alone would put the working directory before everything that is installed."""
    assert words[1] == "'-P'", f"{path}: {words}"


def test_every_child_is_among_them() -> None:
    """Those are the modules that are run with `-m`; nobody writes sys.executable elsewhere."""
    modules = [ast.literal_eval(words[3]) for _, words in FOUND]
    assert modules == [
        "catinthebox.fast.warm",
        "catinthebox.server.bot_process",
        "catinthebox.server.workers",
    ]
    users = {path for path in PACKAGE.rglob("*.py") if "sys.executable," in path.read_text("utf-8")}
    assert users - {PACKAGE / "players" / "program.py"} == {path for path, _ in FOUND}
