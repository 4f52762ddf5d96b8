"""The instructions of one function while they are written, and its local variables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import groupby

from .encoding import float64, signed, unsigned, vector
from .instructions import Op, Type
from .kinds import Kind

LOAD = {Kind.INT: Op.I64_LOAD, Kind.FLOAT: Op.F64_LOAD}
STORE = {Kind.INT: Op.I64_STORE, Kind.FLOAT: Op.F64_STORE}
ALIGNED = 3  # all numbers in memory lie at multiples of 2 ** 3 bytes


class Code:
    """A function's body. `depth` counts the blocks around the place where it is written."""

    def __init__(self) -> None:
        self.types: list[Type] = []  # of the local variables, parameters first
        self.free: list[int] = []  # local variables that were needed for a moment
        self.pools: list[list[int]] = [[]]  # … and those that were free when a rule began
        self.out = bytearray()
        self.depth = 0

    def write(self, *parts: int | bytes) -> None:
        """Add instructions and their operands."""
        for part in parts:
            self.out += part if isinstance(part, bytes) else bytes([part])

    def body(self, params: int) -> bytes:
        """Return the body as a module stores it: local variables, then instructions."""
        runs = [(len(list(run)), kind) for kind, run in groupby(self.types[params:])]
        declared = vector([unsigned(count) + bytes([kind]) for count, kind in runs])
        return declared + bytes(self.out) + bytes([Op.END])

    # ── Local variables ──────────────────────────────────────────────────────────────────────

    def local(self, wanted: Type) -> int:
        """Return a local variable for a moment; add it to `free` afterwards."""
        return self._reused(self.free, wanted)

    def named(self, wanted: Type) -> int:
        """Return a local variable for a name of a rule.

        A name may keep its value from one turn of a loop to the next, so it never takes a variable
        that the same rule has used for something else.
        """
        return self._reused(self.pools[-1], wanted)

    def _reused(self, free: list[int], wanted: Type) -> int:
        for place, number in enumerate(free):
            if self.types[number] == wanted:
                return free.pop(place)
        self.types.append(wanted)
        return len(self.types) - 1

    def enter(self) -> None:
        """Begin a rule that is written in place."""
        self.pools.append(self.free)
        self.free = []

    def exit(self, names: Iterable[int]) -> None:
        """End it: its variables are free again."""
        self.free += [*self.pools.pop(), *names]

    def get(self, number: int) -> None:
        """Read a local variable."""
        self.write(Op.LOCAL_GET, unsigned(number))

    def set(self, number: int) -> None:
        """Write a local variable."""
        self.write(Op.LOCAL_SET, unsigned(number))

    def tee(self, number: int) -> None:
        """Write a local variable, and keep the value on the stack."""
        self.write(Op.LOCAL_TEE, unsigned(number))

    # ── Constants and memory ─────────────────────────────────────────────────────────────────

    def integer(self, value: int) -> None:
        """Write an integer of 64 bits."""
        self.write(Op.I64_CONST, signed(value))

    def address(self, value: int) -> None:
        """Write a number of 32 bits: an address, a length, a truth value."""
        self.write(Op.I32_CONST, signed(value))

    def number(self, value: float) -> None:
        """Write a floating-point number."""
        self.write(Op.F64_CONST, float64(value))

    def load(self, kind: Kind, offset: int) -> None:
        """Read the element whose address is on the stack."""
        self.write(LOAD[kind], ALIGNED, unsigned(offset))

    def store(self, kind: Kind, offset: int) -> None:
        """Write the value on the stack to the address below it."""
        self.write(STORE[kind], ALIGNED, unsigned(offset))

    def scale(self) -> None:
        """Turn the index on the stack into bytes."""
        self.write(Op.I32_WRAP_I64, Op.I32_CONST, ALIGNED, Op.I32_SHL)

    # ── Blocks ───────────────────────────────────────────────────────────────────────────────

    @contextmanager
    def block(self, op: Op, result: Type = Type.NONE) -> Iterator[int]:
        """Open a block, and close it again; gives its depth."""
        self.write(op, result)
        self.depth += 1
        yield self.depth
        self.depth -= 1
        self.write(Op.END)

    def leave(self, depth: int) -> None:
        """Jump out of the block of that depth."""
        self.write(Op.BR, unsigned(self.depth - depth))

    def choose(self, compare: Op, first: int, second: int) -> None:
        """Of two values on the stack, which these variables hold, too, keep one."""
        self.get(first)
        self.get(second)
        self.write(compare, Op.SELECT)
