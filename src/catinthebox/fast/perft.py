"""Perft, compiled.

>>> from catinthebox import Round, Setup
>>> hands = ("223345566", "223344556", "112344566")
>>> [row[0] for row in count(Round(Setup(hands, discarded=True)).vector, 5, "white")]
[15, 285, 6270, 81660, 1198359]
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..rules import deals, layout, perft
from . import cpu
from .rounds import Numbers, share, touching


def scratch(depth: int) -> tuple[Numbers, Numbers, Numbers]:
    """Allocate the stack of states, the remaining actions at each level, and the counts."""
    stack = np.zeros((depth + 1, layout.SIZE), dtype=np.int64)
    todo = np.zeros(depth + 1, dtype=np.int64)
    return stack, todo, np.zeros((depth + 1, perft.COLUMNS), dtype=np.int64)


def count(state: Sequence[int], depth: int, face: str | Sequence[int] = "white") -> list[list[int]]:
    """Return the rows for depths 1 … depth of a state."""
    stack, todo, rows = scratch(depth)
    stack[0] = state
    cpu.rules().perft.walk(stack, todo, rows, depth, touching(face))
    counted: list[list[int]] = rows[1:].tolist()
    return counted


def all_deals(depth: int, face: str = "white", threads: int = 1) -> tuple[int, list[list[int]]]:
    """Return the number of distinct deals at three players and the sums of their rows (F5)."""
    kernel = cpu.rules().deals.perft_deals
    touch = touching(face)

    def part(begin: int, end: int) -> tuple[int, Numbers]:
        stack, todo, rows = scratch(depth)
        hands, sizes = np.zeros(3, dtype=np.int64), np.zeros(3, dtype=np.int64)
        found = kernel(begin, end, hands, sizes, stack, todo, rows, depth, touch)
        return int(found), rows

    parts = share(part, deals.LEADING, threads)
    total = sum((rows for _, rows in parts), np.zeros((depth + 1, perft.COLUMNS), dtype=np.int64))
    counted: list[list[int]] = total[1:].tolist()
    return sum(found for found, _ in parts), counted
