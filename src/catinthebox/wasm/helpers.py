"""Functions that every module carries, since no instruction does the same as Python.

Each takes two integers and returns one; its locals 0 and 1 are the arguments.
"""

from __future__ import annotations

from typing import Final

from .encoding import signed
from .instructions import Op, Type

FIRST = bytes([Op.LOCAL_GET, 0])
SECOND = bytes([Op.LOCAL_GET, 1])
THIRD = bytes([Op.LOCAL_GET, 2])
ZERO = bytes([Op.I64_CONST, 0])
ONE_LOCAL = bytes([1, 1, Type.I64])


def _body(declared: bytes, *code: int | bytes) -> bytes:
    written = (part if isinstance(part, bytes) else bytes([part]) for part in code)
    return declared + b"".join(written) + bytes([Op.END])


FLOOR_DIVIDE: Final = _body(  # the quotient, less 1 if it was rounded up
    ONE_LOCAL,
    *(FIRST, SECOND, Op.I64_DIV, Op.LOCAL_TEE, 2),
    *(THIRD, SECOND, Op.I64_MUL, FIRST, Op.I64_NE),
    *(FIRST, SECOND, Op.I64_XOR, ZERO, Op.I64_LT),
    *(Op.I32_AND, Op.I64_EXTEND_I32, Op.I64_SUB),
)
MODULO: Final = _body(  # the remainder, plus the divisor if their signs differ
    ONE_LOCAL,
    *(FIRST, SECOND, Op.I64_REM, Op.LOCAL_TEE, 2),
    *(ZERO, SECOND),
    *(THIRD, SECOND, Op.I64_XOR, ZERO, Op.I64_GE, THIRD, Op.I64_EQZ, Op.I32_OR),
    *(Op.SELECT, Op.I64_ADD),
)


def _skip(width: int) -> tuple[int | bytes, ...]:
    """Skip the lowest `width` bits if the wanted one is not among them, without a branch.

    Locals: 0 the bits that are left, 1 the number of the wanted one, 2 how many are set among the
    lowest, 3 how many bits were skipped, 4 how many are skipped now.
    """
    lowest = bytes([Op.I64_CONST]) + signed((1 << width) - 1)
    beyond = (SECOND, THIRD, Op.I64_GE)
    return (
        *(FIRST, lowest, Op.I64_AND, Op.I64_POPCNT, Op.LOCAL_SET, 2),
        *(Op.I64_CONST, signed(width), ZERO, *beyond, Op.SELECT, Op.LOCAL_SET, 4),
        *(SECOND, THIRD, ZERO, *beyond, Op.SELECT, Op.I64_SUB, Op.LOCAL_SET, 1),
        *(FIRST, Op.LOCAL_GET, 4, Op.I64_SHR, Op.LOCAL_SET, 0),
        *(Op.LOCAL_GET, 3, Op.LOCAL_GET, 4, Op.I64_ADD, Op.LOCAL_SET, 3),
    )


NTH_BIT: Final = _body(  # a binary search; a loop over set bits would end unpredictably
    bytes([1, 3, Type.I64]),
    *(part for width in (32, 16, 8, 4, 2, 1) for part in _skip(width)),
    *(Op.LOCAL_GET, 3),
)
HELPERS: Final = {"floor_divide": FLOOR_DIVIDE, "modulo": MODULO, "nth_bit": NTH_BIT}
NUMBERS: Final = {name: number for number, name in enumerate(HELPERS)}
