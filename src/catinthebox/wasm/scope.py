"""What is known about names and expressions of a rule before they are translated."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from ..rules.marker import nth_bit, popcount
from .instructions import BOOLEANS, COMPARE, COMPUTE, COMPUTE_UNARY
from .kinds import Kind
from .source import Function, Rule

Constant = int | float | tuple[object, ...]
BITS: Final = 63
RESULTS: Final[Mapping[object, Kind]] = {
    float: Kind.FLOAT,
    int: Kind.INT,
    len: Kind.INT,
    nth_bit: Kind.INT,
    popcount: Kind.INT,
}


@dataclass
class Loop:
    """A loop that is open: the depths of the blocks that `break` and `continue` leave."""

    outside: int
    body: int


@dataclass
class Scope:
    """The names of one rule, which may be written into another."""

    rule: Rule
    rules: Mapping[Function, Rule]
    end: int | None = None  # the block that `return` leaves; None for the function itself
    kinds: dict[str, Kind] = field(default_factory=dict)
    locals: dict[str, int] = field(default_factory=dict)  # parts of names → local variables
    fixed: dict[str, Constant] = field(default_factory=dict)  # parameters with a known value
    loops: list[Loop] = field(default_factory=list)
    computed: dict[ast.expr, Constant | None] = field(default_factory=dict)

    def parts(self, name: str) -> list[str]:
        """The values that a parameter is passed as: address, bytes in a row, length."""
        return parts(name, self.kinds[name], measured=name in self.rule.measured)

    def callee(self, node: ast.Call) -> Rule | None:
        """The rule that a call is for; None for a built-in function."""
        function = self.rule.meaning(node.func)
        return self.rules.get(function) if callable(function) else None

    @property
    def in_place(self) -> bool:
        """Whether the rule is written into another, where its parameters may have known values.

        It has been translated as a function before. What is wrong only because of an argument is
        not refused: that would depend on the rule's size. It is computed when the module runs.
        """
        return self.end is not None

    def test(self, node: ast.expr) -> bool | None:
        """What a test gives, if it is known; what comes after the decision is not looked at."""
        if not isinstance(node, ast.BoolOp):
            value = self.constant(node)
            return None if value is None else bool(value)
        either = isinstance(node.op, ast.Or)
        for operand in node.values:
            known = self.test(operand)
            if known is None or known is either:
                return known
        return not either

    # ── Constants ────────────────────────────────────────────────────────────────────────────

    def constant(self, node: ast.expr) -> Constant | None:
        """The value of an expression of constants, else None."""
        if node not in self.computed:
            self.computed[node] = self._constant(node)
        return self.computed[node]

    def _constant(self, node: ast.expr) -> Constant | None:
        match node:
            case ast.Constant(value=int() | float() as value):
                return self._in_range(node, value)
            case ast.Name(id=name) if name in self.fixed:
                return self.fixed[name]
            case ast.Name() | ast.Attribute():
                meant = self.rule.meaning(node)
                return (
                    self._in_range(node, meant) if isinstance(meant, int | float | tuple) else None
                )
            case ast.BinOp() | ast.UnaryOp() | ast.Compare():
                return self._computed(node)
            case ast.Subscript(value=row, slice=index) if not isinstance(index, ast.Slice):
                return self._element(node, self.constant(row), self.constant(index))
        return None

    def integer(self, node: ast.expr) -> int | None:
        """The value of an expression of constants if it is an integer, else None."""
        value = self.constant(node)
        return value if isinstance(value, int) else None

    def _in_range(self, node: ast.expr, value: Constant) -> Constant | None:
        if isinstance(value, tuple):
            for each in value:
                if isinstance(each, int | float | tuple):
                    self._in_range(node, each)
        elif isinstance(value, int) and not -(1 << BITS) <= value < 1 << BITS:
            self._wrong(node, f"{value} does not fit into 64 bits; keep values below 2**63")
            return None
        return value

    def _wrong(self, node: ast.expr, why: str) -> None:
        """Refuse an expression of constants, unless arguments are among them."""
        if not self.in_place:
            self.rule.refuse(node, why)

    def _computed(self, node: ast.BinOp | ast.UnaryOp | ast.Compare) -> Constant | None:
        match node:
            case ast.BinOp(left=left, right=right):
                operands = [left, right]
            case ast.UnaryOp(operand=operand):
                operands = [operand]
            case ast.Compare(left=left, comparators=others):
                operands = [left, *others]
        values = [self.constant(operand) for operand in operands]
        if any(value is None or isinstance(value, tuple) for value in values):
            return None
        try:
            return self._in_range(node, _compute(node, values))
        except (ArithmeticError, TypeError, ValueError) as error:
            self._wrong(node, f"cannot be computed ({error})")
            return None

    def _element(
        self, node: ast.expr, row: Constant | None, index: Constant | None
    ) -> Constant | None:
        if not isinstance(row, tuple) or not isinstance(index, int):
            return None
        if not 0 <= index < len(row):
            self._wrong(node, f"index {index} of {len(row)} elements; count from 0 up")
            return None
        value = row[index]
        return value if isinstance(value, int | float | tuple) else None

    # ── Kinds ────────────────────────────────────────────────────────────────────────────────

    def kind(self, node: ast.expr) -> Kind:
        """What an expression is."""
        value = self.constant(node)
        if value is not None:
            return Kind.ROW if isinstance(value, tuple) else Kind(type(value).__name__)
        match node:
            case ast.Name(id=name) if name in self.kinds:
                kind = self.kinds[name]
            case ast.BoolOp() | ast.Compare() | ast.UnaryOp(op=ast.Not()):
                kind = Kind.BOOL
            case ast.UnaryOp(operand=operand):
                kind = self._wider([operand])
            case ast.BinOp():
                kind = self._kind_of_operation(node)
            case ast.IfExp(body=body, orelse=orelse):
                kind = self._wider([body, orelse], Kind.BOOL)
            case ast.Subscript():
                kind = self._kind_of_element(node)
            case ast.Call():
                kind = self._kind_of_call(node)
            case _:
                self.rule.refuse(node, "is used before it has a value; assign it above")
        return kind

    def _wider(self, nodes: list[ast.expr], narrowest: Kind = Kind.INT) -> Kind:
        """The kind that holds all of some values: float before int before bool."""
        kinds = [self.kind(node) for node in nodes]
        for node, kind in zip(nodes, kinds, strict=True):
            if not kind.scalar:
                self.rule.refuse(node, f"a {kind.value} where a number is needed")
        if Kind.FLOAT in kinds:
            return Kind.FLOAT
        return Kind.INT if Kind.INT in kinds else narrowest

    def _kind_of_operation(self, node: ast.BinOp) -> Kind:
        narrowest = Kind.BOOL if type(node.op) in BOOLEANS else Kind.INT
        wider = self._wider([node.left, node.right], narrowest)
        return Kind.FLOAT if isinstance(node.op, ast.Div) else wider

    def _kind_of_element(self, node: ast.Subscript) -> Kind:
        whole = self.kind(node.value)
        if whole.scalar:
            self.rule.refuse(node.value, "is a number and has no elements")
        if isinstance(node.slice, ast.Slice):
            return whole
        return {Kind.TABLE: Kind.ROW, Kind.FLOATS: Kind.FLOAT}.get(whole, Kind.INT)

    def _kind_of_call(self, node: ast.Call) -> Kind:
        callee = self.callee(node)
        if callee is not None:
            return callee.result
        function = self.rule.meaning(node.func)
        return RESULTS[function] if function in RESULTS else self._wider(node.args)


def parts(name: str, kind: Kind, *, measured: bool) -> list[str]:
    """The names of the values that a parameter of that kind is passed as."""
    width = [f"{name}.width"] if kind is Kind.TABLE else []
    return [name, *width, *([f"{name}.length"] if measured else [])]


def _compute(
    node: ast.BinOp | ast.UnaryOp | ast.Compare, values: list[Constant | None]
) -> Constant:
    match node:
        case ast.BinOp(op=op):
            result = COMPUTE[type(op)](*values)
        case ast.UnaryOp(op=op):
            result = COMPUTE_UNARY[type(op)](*values)
        case ast.Compare(ops=ops):
            pairs = zip(ops, values, values[1:], strict=False)
            result = all(COMPARE[type(op)](left, right) for op, left, right in pairs)
    if not isinstance(result, int | float):
        raise TypeError("it is no number")
    return result
