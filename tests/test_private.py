"""A name with an underscore is for the module that defines it, and for no other one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "catinthebox"
SOURCES = sorted(PACKAGE.rglob("*.py"))
OWN = {"self", "cls", "super()"}
FOREIGN = {"os._exit"}  # public in all but its name
NAMED_TUPLE = {"_asdict", "_fields", "_make", "_replace"}


def private(name: str) -> bool:
    """Whether a name is for its owner alone."""
    return name.startswith("_") and not name.startswith("__") and name not in NAMED_TUPLE


def defined(tree: ast.Module) -> Iterator[str]:
    """Private attributes that the classes of a module define: methods, fields, `self._name = …`."""
    for body in (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)):
        for node in ast.walk(body):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield node.name
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.id
            elif (
                isinstance(node, ast.Attribute)
                and isinstance(node.ctx, ast.Store)
                and ast.unparse(node.value) in OWN
            ):
                yield node.attr


def intrusions(source: str) -> list[str]:
    """Private attributes of other modules' classes that a module reads or writes."""
    tree = ast.parse(source)
    own = set(defined(tree))
    return [
        ast.unparse(node)
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and private(node.attr)
        and node.attr not in own
        and ast.unparse(node.value) not in OWN
        and ast.unparse(node) not in FOREIGN
    ]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_private_attribute_is_used_by_another_module(path: Path) -> None:
    """What others need is public, and has a docstring."""
    assert intrusions(path.read_text("utf-8")) == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("round._s[0]", ["round._s"]),
        ("def f(view):\n    view._table.x = 1", ["view._table"]),
        ("a.b._c = 2", ["a.b._c"]),
        (
            "class A:\n    def __eq__(self, other):\n        return self._x == other._x",
            ["other._x"],
        ),
        ("class A:\n    _x: int\n    def f(self, other):\n        return other._x", []),
        ("class A:\n    def __init__(self):\n        self._x = 1\ndef f(a):\n    return a._x", []),
        ("point._replace(x=1)", []),
        ("super()._start()", []),
    ],
)
def test_the_law_notices_what_it_should(source: str, found: list[str]) -> None:
    """Reading and writing, from outside; a class may look into others of its kind."""
    assert intrusions(source) == found
