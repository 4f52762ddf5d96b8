"""One name, one meaning: a public class or type alias is defined once in the whole package."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "src" / "catinthebox"


def defined(source: str) -> Iterator[str]:
    """The public classes and type aliases at the top level of a module."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef):
            name = node.name
        elif isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation) == "TypeAlias":
            name = ast.unparse(node.target)
        else:
            continue
        if not name.startswith("_"):
            yield name


def test_public_class_names_are_unique() -> None:
    """Whoever reads a name in an error, a log or a test knows which class it is."""
    places = defaultdict(list)
    for path in sorted(PACKAGE.rglob("*.py")):
        for name in defined(path.read_text("utf-8")):
            places[name].append(str(path.relative_to(PACKAGE)))
    double = {name: paths for name, paths in places.items() if len(paths) > 1}
    assert double == {}


def test_classes_and_aliases_are_found() -> None:
    """Private ones and plain constants are not meant."""
    source = "class A: ...\nclass _B: ...\nC: TypeAlias = int\nD = 1\nE: Final = 2"
    assert list(defined(source)) == ["A", "C"]
