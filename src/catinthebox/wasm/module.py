"""Puts a module together: types, functions, memory, exports, constants. It imports nothing."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Final

from . import encoding
from .calls import Written
from .code import Code
from .encoding import name, sized, unsigned, vector
from .helpers import HELPERS
from .instructions import Op, Type
from .kinds import Kind
from .lengths import find_measured
from .scope import Scope, parts
from .source import Function, Rule
from .statements import Statements
from .subset import check, in_order

SMALL: Final = 300  # bytes: a rule of at most this size is written into its callers
CONSTANTS: Final = 1024  # where the constants begin in memory; a wrong address 0 shows early

PAGES: Final = 4  # of memory at the start …
MOST_PAGES: Final = 1024  # … and at most: 64 MiB


class WasmModule:
    """Rules that become a module: `exported` by these names, with all that they need."""

    def __init__(self, rules: list[Rule], exported: Mapping[str, Rule], small: int = SMALL) -> None:
        self.known: dict[Function, Rule] = {rule.function: rule for rule in rules}
        self.exported = exported
        self.small = small
        for rule in rules:
            check(rule, self.known)
        find_measured(self.known)
        self.rules = in_order(list(exported.values()), self.known)
        self.types: dict[bytes, int] = {}
        self.constants: dict[tuple[int, ...], int] = {}
        self.end = CONSTANTS  # of the constants

    def build(self) -> bytes:
        """Return the module."""
        helper = self._type([Type.I64, Type.I64], [Type.I64])
        kinds, bodies = [helper] * len(HELPERS), list(HELPERS.values())
        written: dict[Rule, Written] = {}
        public = set(self.exported.values())
        for rule in self.rules:
            body = self._body(rule, written)
            number = None
            if len(body) > self.small or rule in public:
                number = len(bodies)
                kinds.append(self._type_of(rule))
                bodies.append(body)
            written[rule] = Written(len(body), number)
        sections = {
            1: vector(list(self.types)),
            3: vector(kinds),
            5: vector([b"\1" + unsigned(PAGES) + unsigned(MOST_PAGES)]),
            6: vector([self._heap()]),
            7: vector(self._exports(written)),
            10: vector([sized(body) for body in bodies]),
            11: vector([self._data()]),
        }
        written_out = (encoding.section(number, part) for number, part in sections.items())
        return encoding.HEADER + b"".join(written_out)

    def _body(self, rule: Rule, written: Mapping[Rule, Written]) -> bytes:
        scope = Scope(rule, self.known)
        return Statements(Code(), scope, self._place, written, self.small).function()

    # ── Types ────────────────────────────────────────────────────────────────────────────────

    def _type(self, params: list[Type], results: list[Type]) -> bytes:
        """Return the number of a function type, which is added if it is new."""
        form = b"\x60" + sized(bytes(params)) + sized(bytes(results))
        return unsigned(self.types.setdefault(form, len(self.types)))

    def _type_of(self, rule: Rule) -> bytes:
        params = [
            kind.type
            for param, kind in rule.params.items()
            for _ in parts(param, kind, measured=param in rule.measured)
        ]
        return self._type(params, [] if rule.result is Kind.NOTHING else [rule.result.type])

    # ── Memory ───────────────────────────────────────────────────────────────────────────────

    def _place(self, values: tuple[int, ...]) -> int:
        """Return where a tuple of constants lies; equal ones share their place."""
        if values not in self.constants:
            self.constants[values] = self.end
            self.end += 8 * len(values)
        return self.constants[values]

    def _heap(self) -> bytes:
        """The global `heap`: the first address that the caller may use."""
        return bytes([Type.I32, 0, Op.I32_CONST]) + encoding.signed(self.end) + bytes([Op.END])

    def _data(self) -> bytes:
        packed = b"".join(struct.pack(f"<{len(row)}q", *row) for row in self.constants)
        where = bytes([Op.I32_CONST]) + encoding.signed(CONSTANTS) + bytes([Op.END])
        return b"\0" + where + sized(packed)

    def _exports(self, written: Mapping[Rule, Written]) -> list[bytes]:
        numbers = {public: written[rule].number for public, rule in self.exported.items()}
        functions = [
            name(public) + b"\0" + unsigned(number)
            for public, number in numbers.items()
            if number is not None
        ]
        return [name("memory") + b"\2\0", name("heap") + b"\3\0", *functions]
