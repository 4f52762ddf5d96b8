"""The `@rule` functions of modules: their syntax trees, their types, and what their names mean."""

from __future__ import annotations

import ast
import builtins
import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn, get_origin

from .kinds import Kind, kind_of

Function = Callable[..., Any]


class NotInSubset(Exception):
    """A rule uses something that has no translation: where, what, and what to write instead."""


@dataclass(eq=False)
class Rule:
    """A rule function, read but not understood yet."""

    function: Function
    tree: ast.FunctionDef
    path: Path
    params: dict[str, Kind] = field(default_factory=dict)
    result: Kind = Kind.NOTHING
    read_only: set[str] = field(default_factory=set)  # parameters that are a Sequence
    measured: set[str] = field(default_factory=set)  # parameters whose length has to be passed

    def __post_init__(self) -> None:
        arguments = self.tree.args
        plain = [*arguments.posonlyargs, *arguments.args]
        if len(plain) != len(inspect.signature(self.function).parameters) or arguments.defaults:
            self.refuse(self.tree, "a parameter with a default, a * or **; name every parameter")
        signature = inspect.signature(self.function, eval_str=True)
        for parameter in signature.parameters.values():
            self.params[parameter.name] = self._kind(parameter.annotation, parameter.name)
            if get_origin(parameter.annotation) is Sequence:
                self.read_only.add(parameter.name)
        self.result = self._kind(signature.return_annotation, "return")
        if not self.result.scalar and self.result is not Kind.NOTHING:
            self.refuse(self.tree, "returns a row; take the row as a parameter and fill it")

    def _kind(self, annotation: object, name: str) -> Kind:
        kind = kind_of(annotation)
        if kind is None:
            text = "nothing" if annotation is inspect.Signature.empty else f"{annotation}"
            known = "int, bool, float, or lists of int, bool, float, list[int]"
            self.refuse(self.tree, f"`{name}` is annotated with {text}; rules know {known}")
        return kind

    @property
    def name(self) -> str:
        """Module and function."""
        return f"{self.function.__module__.rpartition('.')[2]}.{self.function.__name__}"

    @cached_property
    def stored(self) -> frozenset[str]:
        """The names that the rule assigns."""
        names = (node for node in ast.walk(self.tree) if isinstance(node, ast.Name))
        return frozenset(node.id for node in names if isinstance(node.ctx, ast.Store))

    @cached_property
    def calls(self) -> list[ast.Call]:
        """All calls in the rule, in the order of the source."""
        return [node for node in ast.walk(self.tree) if isinstance(node, ast.Call)]

    def meaning(self, node: ast.expr) -> object:
        """What a name, or `module.name`, stands for outside the rule; None if for nothing."""
        if isinstance(node, ast.Attribute):
            return getattr(self.meaning(node.value), node.attr, None)
        if not isinstance(node, ast.Name) or node.id in self.params or node.id in self.stored:
            return None
        names: dict[str, object] = self.function.__globals__
        return names.get(node.id, getattr(builtins, node.id, None))

    def refuse(self, node: ast.AST, why: str) -> NoReturn:
        """Say what is not in the subset, and where."""
        line = getattr(node, "lineno", self.tree.lineno)
        code = "" if isinstance(node, ast.FunctionDef) else f": `{ast.unparse(node)}`"
        raise NotInSubset(f"{self.path}:{line}: {self.name}: {why}{code}")


# ── Finding them ─────────────────────────────────────────────────────────────────────────────


def rules_of(module: ModuleType) -> Iterator[Rule]:
    """Find the rules of a module, in the order of its source."""
    path = Path(str(module.__file__))
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef) and _marked(node):
            yield Rule(getattr(module, node.name), node, path)


def rules_of_packages(packages: Iterable[ModuleType]) -> list[Rule]:
    """Find the rules of all modules of packages."""
    return [
        rule
        for package in packages
        for path in sorted(Path(package.__path__[0]).glob("[a-z]*.py"))
        for rule in rules_of(import_module(f"{package.__name__}.{path.stem}"))
    ]


def _marked(node: ast.FunctionDef) -> bool:
    return any(isinstance(mark, ast.Name) and mark.id == "rule" for mark in node.decorator_list)
