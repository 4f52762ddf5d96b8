"""The translation means what Python means, in every corner that rules may use."""

from __future__ import annotations

from copy import deepcopy
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from wasm.engines import Bridge, Wasmtime
from wasm.samples import module_of, translated

from catinthebox.wasm.module import SMALL

SOURCE = """\
@rule
def divide(a: int, b: int) -> int:
    return a // b * 1000 + a % b


@rule
def by_eight(a: int) -> int:
    return a // 8 * 1000 + a % 8


@rule
def shifts(a: int, b: int) -> int:
    return (a >> 2) + (b << 3) ^ ~a & b | -b


@rule
def floats(a: int, b: int) -> float:
    share = a / (abs(b) + 1)
    share += 0.5
    return -share * float(b) if share > 0.25 else max(share, 0.125) - min(share, a)


@rule
def whole(a: int, b: int) -> int:
    return int(a / (b * b + 1.0)) + int(a > b)


@rule
def logic(a: int, b: int) -> int:
    small = a < 3
    odd = b & 1 == 1
    if a and not b or small & odd:
        return 1
    if (small ^ odd) == (a <= b <= 7):
        return 2
    return small + 3 * odd + (10 if a != b else 20)


@rule
def extremes(a: int, b: int) -> int:
    return min(a, b) * 7 + max(a, b) + abs(a) + (5 if a > b else popcount(abs(b)))


@rule
def bits(a: int, b: int) -> int:
    return nth_bit(0b1011_0111, abs(a + b) % 6)


@rule
def remembered(a: int, b: int) -> int:
    total = 0
    for turn in range(abs(a) + 2):
        largest = max(turn, b)
        if turn == 0:
            kept = largest * 3
        elif turn == 4:
            continue
        elif turn > 5:
            break
        else:
            total += kept
            kept += 1
        turn = 100
    return total * 1000 + turn + largest


@rule
def nested(a: int, b: int) -> int:
    count = 0
    outer = a
    while True:
        outer -= 1
        inner = 0
        while inner < 4:
            inner += 1
            if inner == b:
                break
            for number in NUMBERS:
                if number == inner:
                    continue
                count += number
        if outer < 0:
            break
    return count + NUMBERS[abs(b) % 3] * 100 + helper(helper(a, b), helper(b, 2))


@rule
def helper(a: int, b: int) -> int:
    a += 1
    if b > a:
        return b
    while a > 10:
        a //= 2
    return a


@rule
def change(row: list[int], a: int) -> int:
    row[0] += a
    return row[0] * 2


@rule
def order(row: list[int], a: int) -> int:
    row[row[1]] = change(row, a)
    row[row[0] & 1] += change(row, 1)
    return last(row[1:], len(row) - 2) + summed(row) * 100


@rule
def order_in_table(table: list[list[int]], row: list[int]) -> None:
    table[row[0] & 1][1] = change(row, 1)
    table[row[1]][row[0] & 1] += change(row, 2)


@rule
def divide_elements(row: list[int], b: int) -> None:
    row[0] //= b
    row[1] %= b
    row[2] //= 4
    row[3] %= 4


@rule
def twice_the_same_name(row: Sequence[int]) -> int:
    total = 0
    for number in row:
        for number in row:
            for number in NUMBERS:
                total = total * 3 + number
            total += number
        total ^= number
    return total


@rule
def guarded(place: int, row: list[int]) -> int:
    inside = place < 3 and NUMBERS[place] > 1
    if place >= 0 and row[0] and 3 > place and NUMBERS[place] == 4:
        return 1
    if row[1] and NUMBERS[place] // place == row[place - 1]:
        return 2
    return (NUMBERS[place] if place < 3 else -1) + 10 * inside


@rule
def outside(row: list[int], table: list[list[int]]) -> int:
    total = guarded(0, row) + 10 * guarded(1, row) + 100 * guarded(2, row)
    return total + 1000 * guarded(5, row) + in_table(table, 0) + beyond(row, -1, 1 << 62)


@rule
def in_table(table: list[list[int]], place: int) -> int:
    if table[0][0]:
        return table[place - 1][0] + first(table[place][place - 1 :])
    return first(table[place])


@rule
def first(row: Sequence[int]) -> int:
    return row[0]


@rule
def beyond(row: list[int], shift: int, large: int) -> int:
    if row[1]:
        return (1 << shift) + large * 4
    return shift


@rule
def last(row: Sequence[int], place: int) -> int:
    return row[place - 1 + 1]


@rule
def summed(row: Sequence[int]) -> int:
    total = 0
    for number in row:
        total = total * 3 + number
    return total


@rule
def tables(table: list[list[int]], a: int) -> int:
    for place in range(len(table)):
        row = table[place]
        row[a & 1] = summed(table[place]) + place
    return summed(table[len(table) - 1]) + summed(NUMBERS)
"""
PAIRS = list(product([-17, -8, -1, 0, 2, 3, 9, 1 << 40], [-9, -2, 1, 5, 8]))
OF_PAIRS = ["divide", "shifts", "floats", "whole", "logic", "extremes", "bits", "nested", "helper"]
OF_PAIRS += ["remembered"]
FEW_TURNS = ["nested", "remembered"]


SIZES = pytest.mark.parametrize("small", [0, SMALL, 100_000])  # called, a mixture, in place


def agree(module: ModuleType, bridge: Bridge, name: str, *arguments: Any) -> None:
    """Call a rule in Python and in the module: the same result, and the same changes."""
    plain, copied = deepcopy(arguments), deepcopy(arguments)
    expected = getattr(module, name)(*plain)
    assert bridge.call(name, *copied) == expected, (name, arguments)
    assert copied == plain, (name, arguments)


@SIZES
def test_python_and_the_module_agree(tmp_path: Path, small: int) -> None:
    """With rules called, with rules written into their callers, and with a mixture."""
    module = module_of(tmp_path, SOURCE)
    program, binary = translated(module, small)
    bridge = Bridge(Wasmtime(binary), program)
    for a, b in PAIRS:
        for name in OF_PAIRS:
            agree(module, bridge, name, a % 13 if name in FEW_TURNS else a, b)
        agree(module, bridge, "by_eight", a)
        agree(module, bridge, "divide_elements", [a, a, a, a], b)
        agree(module, bridge, "order", [0, 2, b & 7], a & 63)
        agree(module, bridge, "order_in_table", [[1, 2], [3, 4]], [a & 1, b & 1])
        agree(module, bridge, "tables", [[a & 3, 1, 2], [b & 3, 4, 5]], b)
        agree(module, bridge, "twice_the_same_name", [a & 3, b & 3])


@SIZES
@pytest.mark.parametrize("first", [0, 1])
def test_arguments_refuse_nothing(tmp_path: Path, small: int, first: int) -> None:
    """What a known argument makes wrong is in a branch that is not taken, as in Python."""
    module = module_of(tmp_path, SOURCE)
    program, binary = translated(module, small)
    agree(module, Bridge(Wasmtime(binary), program), "outside", [first, 0], [[0, 7]])
