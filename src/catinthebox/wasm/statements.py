"""Writes statements. Every writer says whether nothing comes after: it returned, or jumped."""

from __future__ import annotations

import ast
from collections.abc import Callable

from .calls import Calls
from .instructions import Op
from .kinds import Kind
from .scope import Loop


def nothing() -> None:
    """Write nothing."""


class Statements(Calls):
    """Writes the statements of a rule."""

    def function(self) -> bytes:
        """Write the rule as a function of its own; return its body."""
        rule = self.scope.rule
        for name, kind in rule.params.items():
            self.scope.kinds[name] = kind
            for part in self.scope.parts(name):
                self.scope.locals[part] = self.code.local(kind.type)
        params = len(self.code.types)
        if not self.block(rule.tree.body) and rule.result is not Kind.NOTHING:
            self.code.write(Op.UNREACHABLE)
        return self.code.body(params)

    def block(self, body: list[ast.stmt], *, last: bool = False) -> bool:
        """Write statements; `last` says that the rule ends with them."""
        *before, end = body
        return any(self._statement(one, last=False) for one in before) or self._statement(
            end, last=last
        )

    def _statement(self, node: ast.stmt, *, last: bool) -> bool:
        match node:
            case ast.Return():
                return self._return(node, last=last)
            case ast.If():
                return self._if(node, last=last)
            case ast.Continue():
                self.code.leave(self._loop(node).body)
                return True
            case ast.Break():
                self.code.leave(self._loop(node).outside)
                return True
            case ast.Assign(targets=[target], value=value):
                self._assign(target, value)
            case ast.AugAssign():
                self._change(node)
            case ast.Expr(value=ast.Call() as call):
                if self.expression(call) is not Kind.NOTHING:
                    self.code.write(Op.DROP)
            case ast.While(test=test, body=body):
                self._repeat(lambda: self.truth(test), nothing, body, nothing)
            case ast.For():
                self._for(node)
        return False

    def _loop(self, node: ast.stmt) -> Loop:
        if not self.scope.loops:
            self.refuse(node, "outside a loop")
        return self.scope.loops[-1]

    # ── Return and if ────────────────────────────────────────────────────────────────────────

    def _return(self, node: ast.Return, *, last: bool) -> bool:
        if (node.value is None) != (self.scope.rule.result is Kind.NOTHING):
            self.refuse(node, "returns something else than the rule says it does")
        if node.value is not None:
            self.wanted(self.scope.rule.result, node.value)
        if self.scope.end is None:
            self.code.write(Op.RETURN)
        elif not last:
            self.code.leave(self.scope.end)
        return True

    def _if(self, node: ast.If, *, last: bool) -> bool:
        known = self.scope.test(node.test)
        if known is not None:
            chosen = node.body if known else node.orelse
            return self.block(chosen, last=last) if chosen else False
        self.truth(node.test)
        with self.code.block(Op.IF):
            ended = self.block(node.body)
            if node.orelse:
                self.code.write(Op.ELSE)
                ended = self.block(node.orelse) and ended
        if not ended or not node.orelse:
            return False
        self.code.write(Op.UNREACHABLE)
        return True

    # ── Assignments ──────────────────────────────────────────────────────────────────────────

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Name):
            self._assign_name(target.id, value)
        elif isinstance(target, ast.Subscript):
            self._assign_element(target, value)

    def _assign_name(self, name: str, value: ast.expr) -> None:
        kind = self.scope.kind(value)
        if kind in (Kind.TABLE, Kind.NOTHING):
            self.refuse(value, f"a {kind.value} cannot be assigned")
        if f"{name}.length" in self.scope.locals:
            self.refuse(value, f"`{name}` has a length; take another name for this row")
        self.declare(name, kind)
        kind = self.scope.kinds[name]
        if kind.scalar:
            self.wanted(kind, value)
        else:
            self.row(value, kind, measured=False)
        self.code.set(self.scope.locals[name])

    def declare(self, name: str, kind: Kind) -> None:
        """Reserve a local variable for a name, unless it has one."""
        if name not in self.scope.kinds:
            self.scope.kinds[name] = kind
            self.scope.locals[name] = self.code.named(kind.type)

    def _assign_element(self, target: ast.Subscript, value: ast.expr) -> None:
        kind = self._element_kind(target)
        if not (_calls(value) and _reads(target)):
            offset = self.address(target)
            self.wanted(kind, value)
            self.code.store(kind, offset)
            return
        kept = self.code.local(kind.type)  # the value comes first: a call may change the index
        self.wanted(kind, value)
        self.code.set(kept)
        offset = self.address(target)
        self.code.get(kept)
        self.code.store(kind, offset)
        self.code.free.append(kept)

    def _element_kind(self, target: ast.Subscript) -> Kind:
        kind = self.scope.kind(target)
        if not kind.scalar:
            self.refuse(target, "assigns a whole row; write a loop over its elements")
        if isinstance(self.scope.constant(target.value), tuple):
            self.refuse(target, "changes a constant")
        if isinstance(target.value, ast.Name) and target.value.id in self.scope.rule.read_only:
            self.refuse(target, "changes a Sequence; annotate it as a list")
        return kind

    def _change(self, node: ast.AugAssign) -> None:
        """`x += y` and the like; the place of an element is computed once."""
        if isinstance(node.target, ast.Name):
            old = ast.copy_location(ast.Name(node.target.id, ast.Load()), node)
            new = ast.copy_location(ast.BinOp(old, node.op, node.value), node)
            self._assign_name(node.target.id, new)
        elif isinstance(node.target, ast.Subscript):
            kind, address = self._element_kind(node.target), self.code.local(Kind.ROW.type)
            offset = self.address(node.target)
            self.code.tee(address)
            self.code.get(address)
            self.code.load(kind, offset)
            self.combine(node, node.op, kind, node.value)
            self.code.store(kind, offset)
            self.code.free.append(address)

    # ── Loops ────────────────────────────────────────────────────────────────────────────────

    def _repeat(
        self,
        test: Callable[[], None],
        head: Callable[[], None],
        body: list[ast.stmt],
        after: Callable[[], None],
    ) -> None:
        """Write a loop with its test at the end, as compilers do: one jump for each turn."""
        test()
        with self.code.block(Op.IF) as outside, self.code.block(Op.LOOP):
            with self.code.block(Op.BLOCK) as inside:
                self.scope.loops.append(Loop(outside, inside))
                head()
                self.block(body)
                self.scope.loops.pop()
            after()
            test()
            self.code.write(Op.BR_IF, 0)

    def _for(self, node: ast.For) -> None:
        name = ast.unparse(node.target)
        self.declare(name, Kind.INT)
        if self.scope.kinds[name] is not Kind.INT:
            self.refuse(node.target, f"was a {self.scope.kinds[name].value}; take another name")
        counter = self.code.local(Kind.INT.type)
        match node.iter:
            case ast.Call(args=ends):
                self._over_range(name, counter, ends, node.body)
            case _:
                self._over_row(name, counter, node.iter, node.body)
        self.code.free.append(counter)

    def _count(
        self,
        counter: int,
        limit: Callable[[], None],
        head: Callable[[], None],
        body: list[ast.stmt],
    ) -> None:
        def test() -> None:
            self.code.get(counter)
            limit()
            self.code.write(Op.I64_LT)

        def after() -> None:
            self.code.get(counter)
            self.code.integer(1)
            self.code.write(Op.I64_ADD)
            self.code.set(counter)

        self._repeat(test, head, body, after)

    def _over_range(
        self, name: str, counter: int, ends: list[ast.expr], body: list[ast.stmt]
    ) -> None:
        self.integer(ends[0] if len(ends) > 1 else ast.Constant(0))
        self.code.set(counter)
        known = self.scope.integer(ends[-1])
        limit = self.code.local(Kind.INT.type)
        if known is None:
            self.integer(ends[-1])
            self.code.set(limit)

        def head() -> None:
            self.code.get(counter)
            self.code.set(self.scope.locals[name])

        def bound() -> None:
            if known is None:
                self.code.get(limit)
            else:
                self.code.integer(known)

        self._count(counter, bound, head, body)
        self.code.free.append(limit)

    def _over_row(self, name: str, counter: int, row: ast.expr, body: list[ast.stmt]) -> None:
        self.code.integer(0)
        self.code.set(counter)
        index = ast.Name(f"{name}.{counter}", ast.Load())  # no name of Python's: nobody else has it
        self.scope.kinds[index.id], self.scope.locals[index.id] = Kind.INT, counter
        element = ast.copy_location(ast.Subscript(row, index, ast.Load()), row)
        values = self.scope.constant(row)

        def head() -> None:
            self.integer(element)
            self.code.set(self.scope.locals[name])

        def bound() -> None:
            if isinstance(values, tuple):
                self.code.integer(len(values))
            else:
                self._length(row)

        self._count(counter, bound, head, body)
        del self.scope.kinds[index.id], self.scope.locals[index.id]


def _calls(node: ast.expr) -> bool:
    """Whether computing a value may change what lies in memory."""
    return any(isinstance(part, ast.Call) for part in ast.walk(node))


def _reads(target: ast.Subscript) -> bool:
    """Whether the place of an element, also in a table, depends on what lies in memory."""
    if any(isinstance(part, ast.Subscript | ast.Call) for part in ast.walk(target.slice)):
        return True
    return isinstance(target.value, ast.Subscript) and _reads(target.value)
