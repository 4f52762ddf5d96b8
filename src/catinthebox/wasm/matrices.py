"""A module that multiplies matrices of 32-bit floats, four at a time, for networks in the page.

Rules know 64-bit floats only, one at a time; so this is no translation, but written here, one
instruction after another. It owns its memory, and imports nothing. Its functions take addresses and
numbers of 32 bits:

`list_values(values, rows, columns, below, entries, counts)`
    List the numbers of every row that are above 0 or below `below`; all others count as 0. An entry
    is where the row of the weights begins that belongs to it, in bytes, and the number.

`multiply(entries, counts, rows, columns, weights, tiles, scales, base, base_step, sums)`
    Multiply these rows with a matrix, then each column with its scale, and add `base`; a base step
    of 0 adds the same row to all. The matrix comes in tiles of `TILE` columns, one row of a tile
    after another. Each row of `entries` has room for `columns` of them.

`normalize(values, rows, columns, to)`
    Write the same rows with mean 0 and variance 1.

Numbers that are 0 cost nothing: most inputs of a network are, and half of what is in it. The sums
of a tile stay in registers, and its weights in a cache while all rows meet them.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from ..files import replacing
from . import encoding
from .code import Code
from .encoding import float32, name, sized, unsigned, vector
from .instructions import VECTORS, Op, Type, VectorOp

MODULE: Final = "matrices.ts"
TILE: Final = 32  # columns that are computed together
LANES: Final = 4  # floats in a vector
FLOAT: Final = 4  # bytes
VECTOR: Final = LANES * FLOAT
ENTRY: Final = 8  # bytes: an offset and a number
ALIGNED: Final = 2  # numbers lie at multiples of 2 ** 2 bytes
EPSILON: Final = 1e-5  # added to a variance before it divides
PAGES: Final = 1  # of memory at the start …
MOST_PAGES: Final = 512  # … and at most: 32 MiB

Params = dict[str, Type]


def params(names: str, **others: Type) -> Params:
    """Name the parameters of a function: addresses and counts, unless another type is given."""
    return {each: others.get(each, Type.I32) for each in names.split()}


LIST_VALUES: Final = params("values rows columns below entries counts", below=Type.F32)
MULTIPLY: Final = params(
    "entries counts rows columns weights tiles scales base base_step sums",
)
NORMALIZE: Final = params("values rows columns to")


class Kernel(Code):
    """A function that is written by hand; its variables have names."""

    def __init__(self, params: Params) -> None:
        super().__init__()
        self.params = params
        self.places: dict[str, int] = {}
        for param, kind in params.items():
            self.declare(kind, param)

    def declare(self, kind: Type, *names: str) -> None:
        """Add local variables."""
        for each in names:
            self.places[each] = len(self.types)
            self.types.append(kind)

    def read(self, *names: str) -> None:
        """Put variables on the stack."""
        for each in names:
            self.get(self.places[each])

    def keep(self, variable: str) -> None:
        """Take a value from the stack into a variable."""
        self.set(self.places[variable])

    def add(self, variable: str, other: str | int) -> None:
        """Add a variable or a number to an address."""
        self.read(variable)
        self.either(other)
        self.write(Op.I32_ADD)
        self.keep(variable)

    def either(self, value: str | int) -> None:
        """Put a variable or a number on the stack."""
        if isinstance(value, str):
            self.read(value)
        else:
            self.address(value)

    def product(self, to: str, one: str | int, other: str | int) -> None:
        """Set a variable to a product."""
        self.either(one)
        self.either(other)
        self.write(Op.I32_MUL)
        self.keep(to)

    def sum(self, to: str, one: str, other: str) -> None:
        """Set a variable to a sum."""
        self.read(one, other)
        self.write(Op.I32_ADD)
        self.keep(to)

    def copy(self, to: str, value: str | int) -> None:
        """Set a variable."""
        self.either(value)
        self.keep(to)

    def memory(self, op: Op, offset: int = 0) -> None:
        """Read or write at the address on the stack."""
        self.write(op, ALIGNED, unsigned(offset))

    def vector(self, op: VectorOp, *operands: int | bytes) -> None:
        """Compute with four floats at once."""
        self.write(VECTORS, unsigned(op), *operands)

    def vectors(self, op: VectorOp, offset: int = 0) -> None:
        """Read or write four floats at the address on the stack."""
        self.vector(op, ALIGNED, unsigned(offset))

    def zero(self, *variables: str) -> None:
        """Set vectors to 0."""
        for each in variables:
            self.vector(VectorOp.CONST, bytes(VECTOR))
            self.keep(each)

    @contextmanager
    def until(self, place: str, end: str, step: str | int) -> Iterator[None]:
        """Repeat with an address that goes up to an end, unless it is there already."""
        with self.block(Op.BLOCK) as outside:
            self._is_below(place, end)
            self.write(Op.I32_EQZ, Op.BR_IF, unsigned(self.depth - outside))
            with self.block(Op.LOOP) as again:
                yield
                self.add(place, step)
                self._is_below(place, end)
                self.write(Op.BR_IF, unsigned(self.depth - again))

    def _is_below(self, place: str, end: str) -> None:
        self.read(place, end)
        self.write(Op.I32_LT_U)

    def finished(self) -> bytes:
        """Return the body."""
        return self.body(len(self.params))


def list_values() -> bytes:
    """Write the body of `list_values`."""
    k = Kernel(LIST_VALUES)
    k.declare(Type.I32, "values_end", "row_end", "row_bytes", "room", "entry", "offset")
    k.declare(Type.F32, "value")
    k.product("row_bytes", "columns", FLOAT)
    k.product("room", "columns", ENTRY)
    k.product("values_end", "rows", "row_bytes")
    k.add("values_end", "values")
    k.copy("row_end", "values")
    with k.until("values", "values_end", 0):  # the inner loop goes on to the next row
        k.add("row_end", "row_bytes")
        k.copy("entry", "entries")
        k.copy("offset", 0)
        with k.until("values", "row_end", FLOAT):
            _list_value(k)
            k.add("offset", TILE * FLOAT)
        k.read("counts", "entry", "entries")
        k.write(Op.I32_SUB)
        k.memory(Op.I32_STORE)
        k.add("counts", FLOAT)
        k.add("entries", "room")
    return k.finished()


def _list_value(k: Kernel) -> None:
    """Write an entry, which stays there only if its number counts."""
    k.read("entry", "offset")
    k.memory(Op.I32_STORE)
    k.read("entry", "values")
    k.memory(Op.F32_LOAD)
    k.tee(k.places["value"])
    k.memory(Op.F32_STORE, FLOAT)
    k.read("entry", "value")
    k.write(Op.F32_CONST, float32(0), Op.F32_GT)
    k.read("value", "below")
    k.write(Op.F32_LT, Op.I32_OR, Op.I32_CONST, 3, Op.I32_SHL, Op.I32_ADD)  # 2 ** 3: an entry
    k.keep("entry")


def multiply() -> bytes:
    """Write the body of `multiply`."""
    k = Kernel(MULTIPLY)
    sums = [f"sum{number}" for number in range(TILE // LANES)]
    k.declare(Type.I32, "room", "tile", "tiles_end", "width", "row", "rows_end", "first", "end")
    k.declare(Type.I32, "count", "to", "from", "weight")
    k.declare(Type.V128, "value", *sums)
    k.product("room", "columns", ENTRY)
    k.product("tile", "columns", TILE * FLOAT)
    k.product("width", "tiles", TILE * FLOAT)
    k.product("tiles_end", "tiles", "tile")
    k.add("tiles_end", "weights")
    with k.until("weights", "tiles_end", "tile"):
        k.copy("row", "entries")
        k.product("rows_end", "rows", "room")
        k.add("rows_end", "entries")
        k.copy("count", "counts")
        k.copy("to", "sums")
        k.copy("from", "base")
        with k.until("row", "rows_end", "room"):
            _multiply_row(k, sums)
            k.add("count", FLOAT)
            k.add("to", "width")
            k.add("from", "base_step")
        for pointer in ("scales", "base", "sums"):
            k.add(pointer, TILE * FLOAT)
    return k.finished()


def _multiply_row(k: Kernel, sums: list[str]) -> None:
    """Write how one row meets a tile."""
    k.zero(*sums)
    k.copy("first", "row")
    k.read("row", "count")
    k.memory(Op.I32_LOAD)
    k.write(Op.I32_ADD)
    k.keep("end")
    with k.until("first", "end", ENTRY):
        k.read("weights", "first")
        k.memory(Op.I32_LOAD)
        k.write(Op.I32_ADD)
        k.keep("weight")
        k.read("first")
        k.vectors(VectorOp.LOAD_SPLAT, FLOAT)
        k.keep("value")
        for number, each in enumerate(sums):
            k.read(each, "weight")
            k.vectors(VectorOp.LOAD, VECTOR * number)
            k.read("value")
            k.vector(VectorOp.MUL)
            k.vector(VectorOp.ADD)
            k.keep(each)
    for number, each in enumerate(sums):
        k.read("to", each, "scales")
        k.vectors(VectorOp.LOAD, VECTOR * number)
        k.vector(VectorOp.MUL)
        k.read("from")
        k.vectors(VectorOp.LOAD, VECTOR * number)
        k.vector(VectorOp.ADD)
        k.vectors(VectorOp.STORE, VECTOR * number)


def normalize() -> bytes:
    """Write the body of `normalize`."""
    k = Kernel(NORMALIZE)
    k.declare(Type.I32, "row_bytes", "values_end", "place", "end", "shift")
    k.declare(Type.V128, "total", "mean", "centered", "factor")
    k.product("row_bytes", "columns", FLOAT)
    k.product("values_end", "rows", "row_bytes")
    k.add("values_end", "values")
    k.read("to", "values")
    k.write(Op.I32_SUB)
    k.keep("shift")  # from a number to where its normal one goes
    with k.until("values", "values_end", "row_bytes"):
        k.sum("end", "values", "row_bytes")
        with _every_vector(k):
            k.read("place")
            k.vectors(VectorOp.LOAD)
            k.read("total")
            k.vector(VectorOp.ADD)
            k.keep("total")
        _mean(k)
        k.vector(VectorOp.SPLAT)
        k.keep("mean")
        with _every_vector(k):
            _centered(k)
            k.read("centered")
            k.vector(VectorOp.MUL)
            k.read("total")
            k.vector(VectorOp.ADD)
            k.keep("total")
        k.write(Op.F32_CONST, float32(1))
        _mean(k)
        k.write(Op.F32_CONST, float32(EPSILON), Op.F32_ADD, Op.F32_SQRT, Op.F32_DIV)
        k.vector(VectorOp.SPLAT)
        k.keep("factor")
        with _every_vector(k):
            k.read("place", "shift")
            k.write(Op.I32_ADD)
            _centered(k)
            k.read("factor")
            k.vector(VectorOp.MUL)
            k.vectors(VectorOp.STORE)
    return k.finished()


@contextmanager
def _every_vector(k: Kernel) -> Iterator[None]:
    """Repeat for every four numbers of a row, with `total` 0 at the beginning."""
    k.zero("total")
    k.copy("place", "values")
    with k.until("place", "end", VECTOR):
        yield


def _centered(k: Kernel) -> None:
    """Put four numbers less the mean on the stack."""
    k.read("place")
    k.vectors(VectorOp.LOAD)
    k.read("mean")
    k.vector(VectorOp.SUB)
    k.tee(k.places["centered"])


def _mean(k: Kernel) -> None:
    """Put the mean on the stack: the sum of the four lanes of `total`, by the length of a row."""
    for lane in range(LANES):
        k.read("total")
        k.vector(VectorOp.LANE, lane)
        if lane:
            k.write(Op.F32_ADD)
    k.read("columns")
    k.write(Op.F32_CONVERT_I32, Op.F32_DIV)


# ── The module ───────────────────────────────────────────────────────────────────────────────

FUNCTIONS: Final = {
    "list_values": (LIST_VALUES, list_values),
    "multiply": (MULTIPLY, multiply),
    "normalize": (NORMALIZE, normalize),
}


def build() -> bytes:
    """Return the module."""
    kinds = [b"\x60" + sized(bytes(params.values())) + b"\0" for params, _ in FUNCTIONS.values()]
    exports = [name(each) + b"\0" + unsigned(number) for number, each in enumerate(FUNCTIONS)]
    sections = {
        1: vector(kinds),
        3: vector([unsigned(number) for number in range(len(FUNCTIONS))]),
        5: vector([b"\1" + unsigned(PAGES) + unsigned(MOST_PAGES)]),
        7: vector([name("memory") + b"\2\0", *exports]),
        10: vector([sized(body()) for _, body in FUNCTIONS.values()]),
    }
    written_out = (encoding.section(number, part) for number, part in sections.items())
    return encoding.HEADER + b"".join(written_out)


def write(folder: Path) -> None:
    """Write the module for TypeScript: as a text, since a kilobyte is not worth a file to fetch."""
    with replacing(folder / MODULE) as file:
        file.write(typescript().encode())


def typescript() -> str:
    """Return the module as TypeScript."""
    lines = [
        "// Generated by `python -m catinthebox.wasm`; do not edit.",
        "",
        "/** Columns that are computed together. */",
        f"export const TILE = {TILE};",
        "/** What is added to a variance before it divides. */",
        f"export const EPSILON = {EPSILON};",
        "/** The module that multiplies matrices, in base64. */",
        f'export const MATRICES = "{b64encode(build()).decode()}";',
        "/** Its functions: all numbers are addresses or counts, but for `below`. */",
        "export interface Matrices {",
        "  readonly memory: WebAssembly.Memory;",
    ]
    for each, (params, _) in FUNCTIONS.items():
        given = ", ".join(f"{param}: number" for param in params)
        lines.append(f"  {each}({given}): void;")
    return "\n".join([*lines, "}", ""])
