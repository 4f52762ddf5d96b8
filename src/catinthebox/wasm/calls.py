"""Writes calls of rules, which are written in place if they are small, and of built-ins."""

from __future__ import annotations

import ast
from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from .code import Code
from .encoding import unsigned
from .expressions import Expressions
from .instructions import Op
from .kinds import Kind
from .scope import Scope
from .source import Rule


@dataclass(frozen=True)
class Written:
    """A rule that has been translated."""

    size: int  # bytes of its body
    number: int | None  # of its function in the module; None if it is only written in place


class Calls(Expressions):
    """Writes calls. A rule of at most `small` bytes is written into its callers."""

    def __init__(
        self,
        code: Code,
        scope: Scope,
        place: Callable[[tuple[int, ...]], int],
        written: Mapping[Rule, Written],
        small: int,
    ) -> None:
        super().__init__(code, scope, place)
        self.written = written
        self.small = small

    @abstractmethod
    def block(self, body: list[ast.stmt], *, last: bool = False) -> bool:
        """Write statements; whether nothing comes after them."""

    def call(self, node: ast.Call, kind: Kind) -> None:
        """Write a call."""
        rule = self.scope.callee(node)
        if rule is None:
            self._built_in(node, kind)
            return
        found = self.written[rule]
        if found.number is None or found.size <= self.small:
            self._in_place(rule, node)
        else:
            for argument, (name, wanted) in zip(node.args, rule.params.items(), strict=True):
                self._argument(argument, wanted, measured=name in rule.measured)
            self.code.write(Op.CALL, unsigned(found.number))

    def _argument(self, node: ast.expr, kind: Kind, *, measured: bool) -> None:
        if kind.scalar:
            self.wanted(kind, node)
        else:
            self.row(node, kind, measured=measured)

    # ── Rules in place ───────────────────────────────────────────────────────────────────────

    def _in_place(self, rule: Rule, node: ast.Call) -> None:
        """Write a rule's statements here: its parameters become local variables."""
        inner = Scope(rule, self.scope.rules, kinds=dict(rule.params))
        for argument, name in zip(node.args, rule.params, strict=True):
            self._bind(inner, name, argument)
        outer, self.scope = self.scope, inner
        self.code.enter()
        with self.code.block(Op.BLOCK, rule.result.type) as inner.end:
            if not self.block(rule.tree.body, last=True) and rule.result is not Kind.NOTHING:
                self.code.write(Op.UNREACHABLE)
        self.scope = outer
        self.code.exit(inner.locals.values())

    def _bind(self, inner: Scope, name: str, argument: ast.expr) -> None:
        """Give a parameter its value: a known one, or local variables."""
        kind = inner.kinds[name]
        value = self.scope.constant(argument)
        if kind.scalar and value is not None and name not in inner.rule.stored:
            self._fix(inner, name, argument)
            return
        self._argument(argument, kind, measured=name in inner.rule.measured)
        for part in reversed(inner.parts(name)):
            inner.locals[part] = self.code.local(kind.type if kind.scalar else Kind.ROW.type)
            self.code.set(inner.locals[part])

    def _fix(self, inner: Scope, name: str, argument: ast.expr) -> None:
        value, kind = self.scope.constant(argument), inner.kinds[name]
        if isinstance(value, tuple) or (kind is Kind.INT and isinstance(value, float)):
            self.refuse(argument, f"`{name}` is a {kind.value}")
        elif kind is Kind.BOOL and not isinstance(value, bool):
            self.refuse(argument, f"`{name}` is a truth value; compare")
        elif value is not None:
            inner.fixed[name] = {Kind.INT: int, Kind.BOOL: bool, Kind.FLOAT: float}[kind](value)

    # ── Built-in functions ───────────────────────────────────────────────────────────────────

    def _built_in(self, node: ast.Call, kind: Kind) -> None:
        match getattr(self.scope.rule.meaning(node.func), "__name__", ""):
            case "popcount":
                self.integer(node.args[0])
                self.code.write(Op.I64_POPCNT)
            case "nth_bit":
                self.integer(node.args[0])
                self.integer(node.args[1])
                self.helper("nth_bit")
            case "float":
                self.wanted(Kind.FLOAT, node.args[0])
            case "int":
                self._whole(node.args[0])
            case "len":
                self._length(node.args[0])
            case "abs":
                self._size(node.args[0], kind)
            case "min" | "max" as which:
                self._extreme(which, node.args, kind)

    def _whole(self, node: ast.expr) -> None:
        """`int(x)`: toward 0."""
        if self.scope.kind(node) is Kind.FLOAT:
            self.expression(node)
            self.code.write(Op.I64_TRUNC_F64)
        else:
            self.integer(node)

    def _length(self, node: ast.expr) -> None:
        part = f"{ast.unparse(node)}.length"
        if part not in self.scope.locals:
            self.refuse(node, "only a parameter has a length; pass the row as a parameter")
        self.code.get(self.scope.locals[part])
        self.code.write(Op.I64_EXTEND_I32)

    def _size(self, node: ast.expr, kind: Kind) -> None:
        self.wanted(kind, node)
        if kind is Kind.FLOAT:
            self.code.write(Op.F64_ABS)
            return
        value, negated = self._temporary(Kind.INT), self._temporary(Kind.INT)
        self.code.tee(value)
        self.code.integer(0)
        self.code.get(value)
        self.code.write(Op.I64_SUB)
        self.code.tee(negated)
        self.code.choose(Op.I64_GT, value, negated)
        self.code.free += [value, negated]

    def _extreme(self, which: str, values: list[ast.expr], kind: Kind) -> None:
        """`min` and `max`: of equal ones the first, as in Python."""
        first, second = self._temporary(kind), self._temporary(kind)
        for value, local in zip(values, (first, second), strict=True):
            self.wanted(kind, value)
            self.code.tee(local)
        if kind is Kind.FLOAT:
            self.code.choose(Op.F64_LE if which == "min" else Op.F64_GE, first, second)
        else:
            self.code.choose(Op.I64_LT if which == "min" else Op.I64_GT, first, second)
        self.code.free += [first, second]

    def _temporary(self, kind: Kind) -> int:
        return self.code.local(kind.type)
