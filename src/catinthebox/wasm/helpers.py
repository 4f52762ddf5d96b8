"""Functions that every module carries, since no instruction does the same as Python.

Each takes two integers and returns one: locals 0 and 1, and a third one as scratch.
"""

from __future__ import annotations

from typing import Final

from .instructions import Op, Type

FIRST = bytes([Op.LOCAL_GET, 0])
SECOND = bytes([Op.LOCAL_GET, 1])
THIRD = bytes([Op.LOCAL_GET, 2])
ZERO = bytes([Op.I64_CONST, 0])
ONE = bytes([Op.I64_CONST, 1])
NO_LOCAL = b"\x00"
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
NTH_BIT: Final = _body(  # take the lowest bit away n times; count the zeros below the next one
    NO_LOCAL,
    *(Op.BLOCK, Type.NONE, Op.LOOP, Type.NONE),
    *(SECOND, Op.I64_EQZ, Op.BR_IF, 1),
    *(FIRST, FIRST, ONE, Op.I64_SUB, Op.I64_AND, Op.LOCAL_SET, 0),
    *(SECOND, ONE, Op.I64_SUB, Op.LOCAL_SET, 1, Op.BR, 0),
    *(Op.END, Op.END, FIRST, Op.I64_CTZ),
)
HELPERS: Final = {"floor_divide": FLOOR_DIVIDE, "modulo": MODULO, "nth_bit": NTH_BIT}
NUMBERS: Final = {name: number for number, name in enumerate(HELPERS)}
