"""Refuses what a rule may not contain, before anything is translated.

Each refusal names file and line, and what to write instead. What depends on the kinds of values
(an integer stored where a truth value was) is refused during translation, with the same words.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any, Final

from ..rules.marker import nth_bit, popcount
from .instructions import COMPARE, COMPUTE, COMPUTE_UNARY
from .source import Function, Rule

BUILTINS: Final[Mapping[Callable[..., Any], int]] = {  # what a rule may call, with how many values
    abs: 1,
    float: 1,
    int: 1,
    len: 1,
    max: 2,
    min: 2,
    popcount: 1,
    nth_bit: 2,
}


def check(rule: Rule, rules: Mapping[Function, Rule]) -> None:
    """Refuse a rule that is not in the subset; `rules` are those that it may call."""
    Checker(rule, rules).block(rule.tree.body)


class Checker:
    """Walks through one rule."""

    def __init__(self, rule: Rule, rules: Mapping[Function, Rule]) -> None:
        self.rule = rule
        self.rules = rules

    # ── Statements ───────────────────────────────────────────────────────────────────────────

    def block(self, body: list[ast.stmt]) -> None:
        """Check statements one after another."""
        for statement in body:
            self.statement(statement)

    def statement(self, node: ast.stmt) -> None:
        """Check a statement."""
        match node:
            case ast.Pass() | ast.Continue() | ast.Break() | ast.Expr(value=ast.Constant()):
                pass
            case ast.Return(value=value):
                if value is not None:
                    self.expression(value)
            case ast.Expr(value=ast.Call() as call):
                self.call(call)
            case ast.Assign(targets=[target], value=value):
                self.assignment(target, value)
            case ast.AugAssign(target=target, value=value):
                self.assignment(target, value)
            case ast.If(test=test, body=body, orelse=orelse):
                self.expression(test)
                self.block(body)
                self.block(orelse)
            case ast.While() | ast.For():
                self.loop(node)
            case _:
                allowed = "assignments, if, while, for, pass, continue, break, return, calls"
                self.rule.refuse(node, f"no statement of a rule; rules consist of {allowed}")

    def assignment(self, target: ast.expr, value: ast.expr) -> None:
        """Check an assignment: one name or one element."""
        if not isinstance(target, ast.Name | ast.Subscript):
            self.rule.refuse(target, "assigns several names at once; write a line for each")
        if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Slice):
            self.rule.refuse(target, "assigns a part of a row; write a loop")
        self.expression(target)
        self.expression(value)

    def loop(self, node: ast.While | ast.For) -> None:
        """Check a loop."""
        if node.orelse:
            self.rule.refuse(node.orelse[0], "`else` of a loop; remember in a name how it ended")
        if isinstance(node, ast.While):
            self.expression(node.test)
        else:
            self.iteration(node)
        self.block(node.body)

    def iteration(self, node: ast.For) -> None:
        """Check what a `for` goes through."""
        if not isinstance(node.target, ast.Name):
            self.rule.refuse(node.target, "`for` with several names; use one, and an index")
        match node.iter:
            case ast.Call(func=ast.Name(id="range"), args=[_] | [_, _] as ends, keywords=[]):
                for end in ends:
                    self.expression(end)
            case ast.Name():
                self.expression(node.iter)
            case _:
                wanted = "range(end), range(begin, end), a row or a tuple of constants"
                self.rule.refuse(node.iter, f"`for` goes through {wanted}")

    # ── Expressions ──────────────────────────────────────────────────────────────────────────

    def expression(self, node: ast.expr) -> None:
        """Check an expression with all that it consists of."""
        match node:
            case ast.Constant(value=value):
                if not isinstance(value, int | float):
                    self.rule.refuse(node, "no number; rules know numbers only")
            case ast.Name():
                self.name(node)
            case ast.Call():
                self.call(node)
            case ast.Subscript():
                self.subscript(node)
            case _:
                self.operation(node)

    def name(self, node: ast.Name | ast.Attribute) -> None:
        """Check a name: the rule's own, or that of a constant."""
        if isinstance(node, ast.Name) and node.id in self.rule.stored | set(self.rule.params):
            return
        value = self.rule.meaning(node)
        if not isinstance(value, int | float | tuple):
            wanted = "outside names are numbers, tuples of numbers (lists may change) and rules"
            self.rule.refuse(node, f"is no constant; {wanted}")

    def operation(self, node: ast.expr) -> None:
        """Check an operator and its operands."""
        match node:
            case ast.Attribute():
                self.name(node)
            case ast.BinOp(op=op, left=left, right=right) if type(op) in COMPUTE:
                self.expression(left)
                self.expression(right)
            case ast.UnaryOp(op=ast.USub() | ast.Invert() | ast.Not(), operand=operand):
                self.expression(operand)
            case ast.BoolOp(values=values):
                self.each(values)
            case ast.Compare(left=left, ops=ops, comparators=others):
                self.comparison(node, ops, [left, *others])
            case ast.IfExp(test=test, body=body, orelse=orelse):
                self.each([test, body, orelse])
            case _:
                known = ", ".join(sorted(op.__name__ for op in [*COMPUTE, *COMPUTE_UNARY]))
                self.rule.refuse(node, f"no expression of a rule; its operators are {known}")

    def each(self, values: list[ast.expr]) -> None:
        """Check several expressions."""
        for value in values:
            self.expression(value)

    def comparison(self, node: ast.expr, ops: list[ast.cmpop], values: list[ast.expr]) -> None:
        """Check a comparison; what stands in the middle of a chain is computed twice."""
        if any(type(op) not in COMPARE for op in ops):
            self.rule.refuse(node, "`in` and `is`; compare with ==, !=, <, <=, > or >=")
        if any(isinstance(part, ast.Call) for value in values[1:-1] for part in ast.walk(value)):
            self.rule.refuse(node, "a call in the middle of a chain; give its result a name")
        self.each(values)

    def subscript(self, node: ast.Subscript) -> None:
        """Check an element of a row."""
        if isinstance(node.slice, ast.Slice):
            self.rule.refuse(node, "a part of a row; only row[n:] exists, as an argument of a rule")
        self.expression(node.value)
        self.expression(node.slice)

    def call(self, node: ast.Call) -> None:
        """Check a call: whom, and with how many values."""
        function = self.rule.meaning(node.func)
        callee = self.rules.get(function) if callable(function) else None
        if callee is not None:
            count = len(callee.params)
        elif callable(function) and function in BUILTINS:
            count = BUILTINS[function]
        else:
            known = ", ".join(sorted(known.__name__ for known in BUILTINS))
            self.rule.refuse(node, f"calls no rule; besides rules there are {known}")
        if node.keywords or len(node.args) != count:
            self.rule.refuse(node, f"needs {count} values in their order, none by name")
        if function is len and not isinstance(node.args[0], ast.Name):
            self.rule.refuse(node, "the length of something without a name; pass it as a parameter")
        if callee is None:
            self.each(node.args)
        else:
            self.arguments(node, callee)

    def arguments(self, node: ast.Call, callee: Rule) -> None:
        """Check the values that a rule is given; it may change rows, but no Sequence."""
        for value, name in zip(node.args, callee.params, strict=True):
            changes = not callee.params[name].scalar and name not in callee.read_only
            if isinstance(value, ast.Subscript) and isinstance(value.slice, ast.Slice):
                self.part(value, value.slice)
                if changes or self.changed(value.value, node, callee):
                    why = "a part of a row, which is a copy, where the row may be changed"
                    self.rule.refuse(value, f"{why}; pass the row, and where to begin as a number")
            else:
                self.expression(value)
                if changes and self.constant(value):
                    why = f"`{name}` may be changed, and this may not"
                    self.rule.refuse(value, f"{why}; annotate `{name}` as a Sequence")

    def part(self, node: ast.Subscript, part: ast.Slice) -> None:
        """Check the rest of a row from some place on."""
        if part.lower is None or part.upper is not None or part.step is not None:
            self.rule.refuse(node, "a part of a row; only row[n:] exists, as an argument of a rule")
        self.expression(node.value)
        self.expression(part.lower)

    def changed(self, row: ast.expr, node: ast.Call, callee: Rule) -> bool:
        """Whether a call may change a row: it is also given to a parameter that is a list."""
        return any(
            name not in callee.read_only and ast.dump(value) == ast.dump(row)
            for value, name in zip(node.args, callee.params, strict=True)
        )

    def constant(self, node: ast.expr) -> bool:
        """Whether a row is a tuple or a Sequence."""
        given = isinstance(node, ast.Name) and node.id in self.rule.read_only
        return given or isinstance(self.rule.meaning(node), tuple)


# ── Calls among rules ────────────────────────────────────────────────────────────────────────


def callees(rule: Rule, rules: Mapping[Function, Rule]) -> list[Rule]:
    """The rules that a rule calls, each once, in the order of the calls."""
    meanings = (rule.meaning(call.func) for call in rule.calls)
    found = {rules[each]: None for each in meanings if callable(each) and each in rules}
    return list(found)


def in_order(wanted: list[Rule], rules: Mapping[Function, Rule]) -> list[Rule]:
    """All rules that some rules need, and these: callees first. A rule that calls itself fails."""
    done: dict[Rule, None] = {}
    open_calls: list[Rule] = []

    def visit(rule: Rule) -> None:
        if rule in open_calls:
            rule.refuse(rule.tree, "calls itself, if only through others; write a loop")
        if rule not in done:
            open_calls.append(rule)
            for callee in callees(rule, rules):
                visit(callee)
            open_calls.pop()
            done[rule] = None

    for rule in wanted:
        visit(rule)
    return list(done)
