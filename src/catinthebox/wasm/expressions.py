"""Writes expressions: each leaves its value on the stack."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import NoReturn

from .code import Code
from .encoding import unsigned
from .helpers import NUMBERS
from .instructions import (
    BOOLEANS,
    COMPARE_BOOLEANS,
    COMPARE_FLOATS,
    COMPARE_INTEGERS,
    FLOATS,
    INTEGERS,
    Op,
    Type,
)
from .kinds import Kind
from .scope import Scope, parts

OPERATIONS = {Kind.INT: INTEGERS, Kind.BOOL: BOOLEANS, Kind.FLOAT: FLOATS}
COMPARISONS = {
    Kind.INT: COMPARE_INTEGERS,
    Kind.BOOL: COMPARE_BOOLEANS,
    Kind.FLOAT: COMPARE_FLOATS,
}
WIDTH = 8  # bytes of a number in memory


class Expressions(ABC):
    """Writes the expressions of `scope` to `code`."""

    def __init__(self, code: Code, scope: Scope, place: Callable[[tuple[int, ...]], int]) -> None:
        self.code = code
        self.scope = scope
        self.place = place  # where a tuple of constants lies in memory

    @abstractmethod
    def call(self, node: ast.Call, kind: Kind) -> None:
        """Write a call."""

    def refuse(self, node: ast.AST, why: str) -> NoReturn:
        """Say what is not in the subset, and where."""
        self.scope.rule.refuse(node, why)

    # ── A value of a wanted kind ─────────────────────────────────────────────────────────────

    def wanted(self, kind: Kind, node: ast.expr) -> None:
        """Write an expression as a value of a kind; bool widens to int, both to float."""
        value = self.scope.constant(node)
        if kind is Kind.FLOAT and isinstance(value, int):
            self.code.number(value)
            return
        found = self.expression(node)
        if found is kind:
            return
        if not found.scalar:
            self.refuse(node, f"a {found.value} where a number is needed")
        if kind is Kind.BOOL:
            self.refuse(node, f"a truth value is needed, and this is a {found.value}; compare it")
        elif kind is Kind.INT and found is Kind.FLOAT:
            self.refuse(node, "an integer is needed, and this is a float; use // or int()")
        elif kind is Kind.INT:
            self.code.write(Op.I64_EXTEND_I32)
        else:
            self.code.write(Op.F64_CONVERT_I64 if found is Kind.INT else Op.F64_CONVERT_I32)

    def integer(self, node: ast.expr) -> None:
        """Write an expression as an integer."""
        self.wanted(Kind.INT, node)

    def truth(self, node: ast.expr) -> None:
        """Write what a test asks for: whether a value is true, or not 0."""
        if isinstance(node, ast.BoolOp):
            self._shortcut(node.values, self.truth, either=isinstance(node.op, ast.Or))
        elif self.scope.kind(node) is Kind.INT:
            self.integer(node)
            self.code.integer(0)
            self.code.write(Op.I64_NE)
        else:
            self.boolean(node)

    def boolean(self, node: ast.expr) -> None:
        """Write an expression that is a truth value."""
        self.wanted(Kind.BOOL, node)

    # ── Any expression ───────────────────────────────────────────────────────────────────────

    def expression(self, node: ast.expr) -> Kind:
        """Write an expression; return what it is."""
        kind = self.scope.kind(node)
        value = self.scope.constant(node)
        if value is not None:
            self._constant(node, value)
        else:
            self._variable(node, kind)
        return kind

    def _constant(self, node: ast.expr, value: object) -> None:
        match value:
            case bool():
                self.code.address(int(value))
            case int():
                self.code.integer(value)
            case float():
                self.code.number(value)
            case _:
                self.refuse(node, "a tuple where a number is needed; choose one of its elements")

    def _variable(self, node: ast.expr, kind: Kind) -> None:
        match node:
            case ast.Name(id=name):
                self.code.get(self.scope.locals[name])
            case ast.BinOp():
                self._operation(node, kind)
            case ast.UnaryOp():
                self._unary(node, kind)
            case ast.BoolOp():
                self._shortcut(node.values, self.boolean, either=isinstance(node.op, ast.Or))
            case ast.Compare():
                self._comparison(node)
            case ast.IfExp():
                self._either(node, kind)
            case ast.Subscript():
                self._element(node, kind)
            case ast.Call():
                self.call(node, kind)

    # ── Operators ────────────────────────────────────────────────────────────────────────────

    def _operation(self, node: ast.BinOp, kind: Kind) -> None:
        self.wanted(kind, node.left)
        self.combine(node, node.op, kind, node.right)

    def combine(self, node: ast.AST, op: ast.operator, kind: Kind, right: ast.expr) -> None:
        """Combine the value on the stack, which is of a kind, with another one."""
        if isinstance(op, ast.FloorDiv | ast.Mod):
            self._division(node, op, kind, right)
        else:
            self.wanted(kind, right)
            self.code.write(self._operator(node, op, kind))

    def _operator(self, node: ast.AST, op: ast.operator, kind: Kind) -> Op:
        """The instruction for an operator on values of a kind."""
        known = OPERATIONS[kind]
        if type(op) not in known:
            self.refuse(node, f"{type(op).__name__} does not exist for {kind.value}")
        return known[type(op)]

    def _division(self, node: ast.AST, op: ast.operator, kind: Kind, right: ast.expr) -> None:
        """Round down as Python does; by a power of two with a shift or a mask."""
        if kind is Kind.FLOAT:
            self.refuse(node, "// and % of floats; they exist for integers")
        divides = isinstance(op, ast.FloorDiv)
        known = self.scope.integer(right)
        if known is not None and known > 0 and known & known - 1 == 0:
            self.code.integer(known.bit_length() - 1 if divides else known - 1)
            self.code.write(Op.I64_SHR if divides else Op.I64_AND)
        else:
            self.integer(right)
            self.helper("floor_divide" if divides else "modulo")

    def helper(self, name: str) -> None:
        """Call a helper."""
        self.code.write(Op.CALL, unsigned(NUMBERS[name]))

    def _unary(self, node: ast.UnaryOp, kind: Kind) -> None:
        match node.op, kind:
            case ast.Not(), _:
                self.truth(node.operand)
                self.code.write(Op.I32_EQZ)
            case ast.USub(), Kind.FLOAT:
                self.wanted(Kind.FLOAT, node.operand)
                self.code.write(Op.F64_NEG)
            case ast.USub(), _:
                self.code.integer(0)
                self.integer(node.operand)
                self.code.write(Op.I64_SUB)
            case _:
                self.integer(node.operand)
                self.code.integer(-1)
                self.code.write(Op.I64_XOR)

    def _shortcut(
        self, values: list[ast.expr], write: Callable[[ast.expr], None], *, either: bool
    ) -> None:
        """Write `and` or `or`: what comes later is computed only if it matters.

        As a value they give one of their operands, which has to be a truth value then.
        """
        first, *others = values
        known = self.scope.test(first) if write == self.truth else self.scope.constant(first)
        if others and isinstance(known, bool):
            if known is either:
                self.code.address(int(known))
            else:
                self._shortcut(others, write, either=either)
            return
        write(first)
        if not others:
            return
        with self.code.block(Op.IF, Type.I32):
            if either:
                self.code.address(1)
                self.code.write(Op.ELSE)
            self._shortcut(others, write, either=either)
            if not either:
                self.code.write(Op.ELSE)
                self.code.address(0)

    def _comparison(self, node: ast.Compare) -> None:
        values = [node.left, *node.comparators]
        if len(node.ops) > 1:
            pairs = zip(values, node.ops, values[1:], strict=False)
            links: list[ast.expr] = [_compare(left, op, right) for left, op, right in pairs]
            self._shortcut(links, self.boolean, either=False)
            return
        kinds = {self.scope.kind(value) for value in values}
        op = type(node.ops[0])
        if kinds == {Kind.INT} and op is ast.Eq and self.scope.constant(values[1]) == 0:
            self.integer(values[0])
            self.code.write(Op.I64_EQZ)
            return
        same = COMPARE_BOOLEANS if kinds == {Kind.BOOL} else {}
        kind = Kind.FLOAT if Kind.FLOAT in kinds else Kind.BOOL if op in same else Kind.INT
        for value in values:
            self.wanted(kind, value)
        known: Mapping[type[ast.cmpop], Op] = COMPARISONS[kind]
        self.code.write(known[op])

    def _either(self, node: ast.IfExp, kind: Kind) -> None:
        known = self.scope.test(node.test)
        if known is not None:
            self.wanted(kind, node.body if known else node.orelse)
            return
        if _cheap(node.body) and _cheap(node.orelse):
            self.wanted(kind, node.body)
            self.wanted(kind, node.orelse)
            self.truth(node.test)
            self.code.write(Op.SELECT)
            return
        self.truth(node.test)
        with self.code.block(Op.IF, kind.type):
            self.wanted(kind, node.body)
            self.code.write(Op.ELSE)
            self.wanted(kind, node.orelse)

    # ── Elements of rows ─────────────────────────────────────────────────────────────────────

    def _element(self, node: ast.Subscript, kind: Kind) -> None:
        offset = self.address(node)
        if kind.scalar:
            self.code.load(kind, offset)

    def address(self, node: ast.Subscript) -> int:
        """Write the address of an element; return what is to be added to it."""
        values = self.scope.constant(node.value)
        if isinstance(node.slice, ast.Slice):
            return self._rest(node.value, node.slice)
        if isinstance(values, tuple):
            self.integer(node.slice)
            self.code.scale()
            return self.tuple_at(node.value, values)
        kind = self.expression(node.value)
        if kind is Kind.TABLE:
            self._row_of_table(node)
            return 0
        unknown, known = self._split(node.slice)
        if unknown is not None:
            self.integer(unknown)
            self.code.scale()
            self.code.write(Op.I32_ADD)
        else:
            self._from_zero(node, known)
        if known < 0:
            self.code.address(WIDTH * known)
            self.code.write(Op.I32_ADD)
        return WIDTH * max(known, 0)

    def _rest(self, row: ast.expr, part: ast.Slice) -> int:
        """Write the address of a row from some element on."""
        kind = self.scope.kind(row)
        if kind is Kind.TABLE:
            self.refuse(row, "a part of a table; pass the table, and where to begin as a number")
        self.row(row, kind, measured=False)
        if part.lower is not None:
            self._from_zero(part.lower, self.scope.integer(part.lower))
            self.integer(part.lower)
            self.code.scale()
            self.code.write(Op.I32_ADD)
        return 0

    def _row_of_table(self, node: ast.Subscript) -> None:
        known = self.scope.integer(node.slice)
        if known == 0:
            return
        self._from_zero(node, known)
        self.integer(node.slice)
        self.code.write(Op.I32_WRAP_I64)
        self.code.get(self._width(node.value))
        self.code.write(Op.I32_MUL, Op.I32_ADD)

    def _from_zero(self, node: ast.AST, known: int | None) -> None:
        """Refuse a negative index, unless it comes from an argument: those are never checked."""
        if known is not None and known < 0 and not self.scope.in_place:
            self.refuse(node, "a negative index, which does not count from the end")

    def _width(self, table: ast.expr) -> int:
        if not isinstance(table, ast.Name):
            self.refuse(table, "a table without a name; pass it as a parameter")
        return self.scope.locals[f"{ast.unparse(table)}.width"]

    def tuple_at(self, node: ast.expr, values: tuple[object, ...]) -> int:
        """Return where a tuple of constants lies."""
        numbers = tuple(value for value in values if isinstance(value, int))
        if len(numbers) < len(values):
            self.refuse(node, "a tuple of something else than integers, with a variable index")
        return self.place(numbers)

    def _split(self, index: ast.expr) -> tuple[ast.expr | None, int]:
        """Split an index into what is unknown and a number to add to it."""
        known = self.scope.integer(index)
        if known is not None:
            return None, known
        if not isinstance(index, ast.BinOp) or not isinstance(index.op, ast.Add | ast.Sub):
            return index, 0
        (left, first), (right, second) = self._split(index.left), self._split(index.right)
        if isinstance(index.op, ast.Sub):
            return (left, first - second) if right is None else (index, 0)
        if left is None or right is None:
            return left or right, first + second
        return ast.copy_location(ast.BinOp(left, ast.Add(), right), index), first + second

    # ── Whole rows ───────────────────────────────────────────────────────────────────────────

    def row(self, node: ast.expr, kind: Kind, *, measured: bool) -> None:
        """Write a row or a table as the values that it is passed as."""
        if self.scope.kind(node) is not kind:
            self.refuse(
                node, f"a {kind.value} is needed, and this is a {self.scope.kind(node).value}"
            )
        values = self.scope.constant(node)
        if isinstance(values, tuple):
            self.code.address(self.tuple_at(node, values))
            if measured:
                self.code.address(len(values))
        elif isinstance(node, ast.Name):
            self._named_row(node, kind, measured=measured)
        elif isinstance(node, ast.Subscript):
            self.address(node)
            if measured:
                self._width_as_length(node)

    def _named_row(self, node: ast.Name, kind: Kind, *, measured: bool) -> None:
        for part in parts(node.id, kind, measured=measured):
            if part not in self.scope.locals:
                self.refuse(node, "its length is not known; pass the row as a parameter")
            self.code.get(self.scope.locals[part])

    def _width_as_length(self, node: ast.Subscript) -> None:
        """A row of a table is as long as the table is wide."""
        if isinstance(node.slice, ast.Slice):
            self.refuse(node, "the length of a part of a row; pass the length as a number")
        self.code.get(self._width(node.value))
        self.code.address(WIDTH.bit_length() - 1)
        self.code.write(Op.I32_SHR)


def _compare(left: ast.expr, op: ast.cmpop, right: ast.expr) -> ast.expr:
    return ast.copy_location(ast.Compare(left, [op], [right]), left)


def _cheap(node: ast.expr) -> bool:
    """Whether a value may be computed although it may not be needed."""
    costly = (ast.Call, ast.FloorDiv, ast.Mod, ast.Subscript, ast.BoolOp, ast.IfExp)
    return not any(isinstance(part, costly) for part in ast.walk(node))
