"""What `@rule` means on the CPU: numba's `njit`, and one machine instruction per primitive."""

from __future__ import annotations

from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir
from numba import njit
from numba.core import cgutils, types
from numba.extending import intrinsic

WORD = ir.IntType(64)
PDEP = "llvm.x86.bmi.pdep.64"
HAS_PDEP = bool(llvm.get_host_cpu_features().get("bmi2"))

# A rule never allocates, so numba need not count references to the state, which took half the
# time. Inlined, small rules disappear into the loop that calls them.
rule = njit(
    cache=True,
    nogil=True,
    error_model="numpy",
    boundscheck=False,
    _nrt=False,
    forceinline=True,
)


@intrinsic
def popcount(typing: Any, bits: Any) -> Any:
    """Count set bits with the machine's instruction."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


@intrinsic
def deposited_bit(typing: Any, bits: Any, n: Any) -> Any:
    """Find the n-th set bit: deposit a single bit into the set, count the zeros below it."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        bits, n = arguments
        kind = ir.FunctionType(WORD, [WORD, WORD])
        deposit = cgutils.get_or_insert_function(builder.module, kind, PDEP)
        single = builder.call(deposit, [builder.shl(ir.Constant(WORD, 1), n), bits])
        return builder.cttz(single, ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64, types.int64), generate


@njit(cache=True)
def searched_bit(bits: int, n: int) -> int:
    """Find the n-th set bit by halving, for machines without that instruction."""
    place = 0
    for width in (32, 16, 8, 4, 2, 1):
        inside = popcount(bits >> place & (1 << width) - 1)
        if inside <= n:
            n -= inside
            place += width
    return place


@njit(cache=True)
def nth_bit(bits: int, n: int) -> int:
    """Find the n-th set bit, the lowest being number 0."""
    return deposited_bit(bits, n) if HAS_PDEP else searched_bit(bits, n)
