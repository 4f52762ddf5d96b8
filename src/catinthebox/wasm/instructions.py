"""WebAssembly's instructions, and which of them Python's operators stand for."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from enum import IntEnum
from typing import Any, Final


class Type(IntEnum):
    """Types of values, and of blocks."""

    I32 = 0x7F
    I64 = 0x7E
    F32 = 0x7D
    F64 = 0x7C
    V128 = 0x7B  # four 32-bit floats side by side
    NONE = 0x40  # a block without a value


class Op(IntEnum):
    """Codes of the instructions that the emitter uses."""

    UNREACHABLE = 0x00
    BLOCK = 0x02
    LOOP = 0x03
    IF = 0x04
    ELSE = 0x05
    END = 0x0B
    BR = 0x0C
    BR_IF = 0x0D
    RETURN = 0x0F
    CALL = 0x10
    DROP = 0x1A
    SELECT = 0x1B
    LOCAL_GET = 0x20
    LOCAL_SET = 0x21
    LOCAL_TEE = 0x22
    I32_LOAD = 0x28
    I64_LOAD = 0x29
    F32_LOAD = 0x2A
    F64_LOAD = 0x2B
    I32_STORE = 0x36
    I64_STORE = 0x37
    F32_STORE = 0x38
    F64_STORE = 0x39
    I32_CONST = 0x41
    I64_CONST = 0x42
    F32_CONST = 0x43
    F64_CONST = 0x44
    I32_EQZ = 0x45
    I32_EQ = 0x46
    I32_NE = 0x47
    I32_LT_U = 0x49
    I64_EQZ = 0x50
    I64_EQ = 0x51
    I64_NE = 0x52
    I64_LT = 0x53
    I64_GT = 0x55
    I64_LE = 0x57
    I64_GE = 0x59
    F32_LT = 0x5D
    F32_GT = 0x5E
    F64_EQ = 0x61
    F64_NE = 0x62
    F64_LT = 0x63
    F64_GT = 0x64
    F64_LE = 0x65
    F64_GE = 0x66
    I32_ADD = 0x6A
    I32_SUB = 0x6B
    I32_MUL = 0x6C
    I32_AND = 0x71
    I32_OR = 0x72
    I32_XOR = 0x73
    I32_SHL = 0x74
    I32_SHR = 0x76
    I64_POPCNT = 0x7B
    I64_ADD = 0x7C
    I64_SUB = 0x7D
    I64_MUL = 0x7E
    I64_DIV = 0x7F
    I64_REM = 0x81
    I64_AND = 0x83
    I64_OR = 0x84
    I64_XOR = 0x85
    I64_SHL = 0x86
    I64_SHR = 0x87
    F32_SQRT = 0x91
    F32_ADD = 0x92
    F32_DIV = 0x95
    F64_ABS = 0x99
    F64_NEG = 0x9A
    F64_ADD = 0xA0
    F64_SUB = 0xA1
    F64_MUL = 0xA2
    F64_DIV = 0xA3
    I32_WRAP_I64 = 0xA7
    I64_EXTEND_I32 = 0xAD
    I64_TRUNC_F64 = 0xB0
    F32_CONVERT_I32 = 0xB3
    F64_CONVERT_I32 = 0xB7
    F64_CONVERT_I64 = 0xB9


VECTORS: Final = 0xFD  # stands before an instruction on four floats at once


class VectorOp(IntEnum):
    """Codes of the instructions on `Type.V128`."""

    LOAD = 0x00
    LOAD_SPLAT = 0x09
    STORE = 0x0B
    CONST = 0x0C
    SPLAT = 0x13
    LANE = 0x1F
    ADD = 0xE4
    SUB = 0xE5
    MUL = 0xE6


# ── What Python's operators stand for, by the type of their operands ─────────────────────────

INTEGERS: Final[Mapping[type[ast.operator], Op]] = {
    ast.Add: Op.I64_ADD,
    ast.Sub: Op.I64_SUB,
    ast.Mult: Op.I64_MUL,
    ast.BitAnd: Op.I64_AND,
    ast.BitOr: Op.I64_OR,
    ast.BitXor: Op.I64_XOR,
    ast.LShift: Op.I64_SHL,
    ast.RShift: Op.I64_SHR,
}
BOOLEANS: Final[Mapping[type[ast.operator], Op]] = {
    ast.BitAnd: Op.I32_AND,
    ast.BitOr: Op.I32_OR,
    ast.BitXor: Op.I32_XOR,
}
FLOATS: Final[Mapping[type[ast.operator], Op]] = {
    ast.Add: Op.F64_ADD,
    ast.Sub: Op.F64_SUB,
    ast.Mult: Op.F64_MUL,
    ast.Div: Op.F64_DIV,
}
COMPARE_INTEGERS: Final[Mapping[type[ast.cmpop], Op]] = {
    ast.Eq: Op.I64_EQ,
    ast.NotEq: Op.I64_NE,
    ast.Lt: Op.I64_LT,
    ast.Gt: Op.I64_GT,
    ast.LtE: Op.I64_LE,
    ast.GtE: Op.I64_GE,
}
COMPARE_FLOATS: Final[Mapping[type[ast.cmpop], Op]] = {
    ast.Eq: Op.F64_EQ,
    ast.NotEq: Op.F64_NE,
    ast.Lt: Op.F64_LT,
    ast.Gt: Op.F64_GT,
    ast.LtE: Op.F64_LE,
    ast.GtE: Op.F64_GE,
}
COMPARE_BOOLEANS: Final[Mapping[type[ast.cmpop], Op]] = {
    ast.Eq: Op.I32_EQ,
    ast.NotEq: Op.I32_NE,
}

# ── What they do to constants, which are computed beforehand ─────────────────────────────────

COMPUTE: Final[Mapping[type[ast.operator], Callable[[Any, Any], Any]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
}
COMPUTE_UNARY: Final[Mapping[type[ast.unaryop], Callable[[Any], Any]]] = {
    ast.USub: operator.neg,
    ast.Invert: operator.invert,
    ast.Not: operator.not_,
}
COMPARE: Final[Mapping[type[ast.cmpop], Callable[[Any, Any], bool]]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.Gt: operator.gt,
    ast.LtE: operator.le,
    ast.GtE: operator.ge,
}
