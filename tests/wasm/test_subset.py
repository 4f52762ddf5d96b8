"""What is not in the subset is refused, with its place and what would be right."""

from __future__ import annotations

from pathlib import Path

import pytest
from wasm.samples import FIRST_LINE, module_of, translated

from catinthebox.wasm.source import NotInSubset

READS = """

@rule
def reads(x: Sequence[int]) -> int:
    return x[0]
"""
WRITES = """

@rule
def writes(x: list[int], y: Sequence[int]) -> None:
    x[0] = y[0]
"""
TABLES = """

@rule
def tables(x: list[list[int]]) -> int:
    return x[1][0]
"""
REFUSED = {
    # signatures
    "default": ("def f(x: int = 1) -> int:\n    return x", 1, "name every parameter"),
    "star": ("def f(*x: int) -> int:\n    return 1", 1, "name every parameter"),
    "annotation": ("def f(x: str) -> int:\n    return 1", 1, "rules know int, bool, float"),
    "no annotation": ("def f(x) -> int:\n    return 1", 1, "annotated with nothing"),
    "row returned": ("def f(x: list[int]) -> list[int]:\n    return x", 1, "fill it"),
    # statements
    "raise": ("def f() -> None:\n    raise ValueError", 2, "no statement of a rule"),
    "several targets": ("def f() -> None:\n    a, b = 1, 2", 2, "write a line for each"),
    "part assigned": ("def f(x: list[int]) -> None:\n    x[1:] = x", 2, "write a loop"),
    "else of a loop": (
        "def f() -> None:\n    for i in range(3):\n        pass\n    else:\n        pass",
        5,
        "remember in a name",
    ),
    "step": (
        "def f() -> None:\n    for i in range(0, 9, 2):\n        pass",
        2,
        "range(begin, end)",
    ),
    "loop names": ("def f() -> None:\n    for i, j in range(3):\n        pass", 2, "use one"),
    "row assigned": ("def f(x: list[list[int]]) -> None:\n    x[0] = x[1]", 2, "whole row"),
    "constant changed": ("def f() -> None:\n    NUMBERS[0] = 1", 2, "changes a constant"),
    "table assigned": ("def f(x: list[list[int]]) -> None:\n    y = x", 2, "cannot be assigned"),
    "wrong return": ("def f() -> int:\n    return", 2, "something else than the rule says"),
    "row with a length assigned": (
        "def f(x: list[int], y: list[int]) -> int:\n    x = y\n    return len(x)",
        2,
        "`x` has a length; take another name",
    ),
    "sequence changed": (
        "def f(x: Sequence[int]) -> None:\n    x[0] += 1",
        2,
        "annotate it as a list",
    ),
    # expressions
    "text": ("def f() -> int:\n    return 'a'", 2, "rules know numbers only"),
    "list": ("def f() -> int:\n    return CHANGING[0]", 2, "lists may change"),
    "lambda": ("def f() -> int:\n    return (lambda: 1)()", 2, "calls no rule"),
    "comprehension": ("def f() -> int:\n    return [1][0]", 2, "no expression of a rule"),
    "membership": ("def f(x: int) -> bool:\n    return x in NUMBERS", 2, "compare with =="),
    "call in a chain": (
        "def f(x: int) -> bool:\n    return 0 < popcount(x) < 3",
        2,
        "give its result a name",
    ),
    "slice": ("def f(x: list[int]) -> int:\n    return popcount(x[:2])", 2, "only row[n:]"),
    "part of a row assigned": (
        "def f(x: list[int]) -> int:\n    y = x[1:]\n    return y[0]",
        2,
        "only row[n:] exists, as an argument of a rule",
    ),
    "element of a part": ("def f(x: list[int]) -> int:\n    return x[1:][0]", 2, "as an argument"),
    "end of a part": (
        f"def f(x: list[int]) -> int:\n    return reads(x[1:2])\n{READS}",
        2,
        "row[n:]",
    ),
    "negative start": (
        f"def f(x: list[int]) -> int:\n    return reads(x[-1:])\n{READS}",
        2,
        "from the end",
    ),
    "part of a table": (
        f"def f(x: list[list[int]]) -> int:\n    return tables(x[1:])\n{TABLES}",
        2,
        "a copy, where the row may be changed",
    ),
    "part of a table that is read": (
        f"def f(x: list[list[int]]) -> int:\n    return tables(x[1:])\n"
        f"{TABLES.replace('list[list[int]]', 'Sequence[Sequence[int]]')}",
        2,
        "pass the table, and where to begin",
    ),
    "part of a row to change": (
        f"def f(x: list[int]) -> None:\n    writes(x[1:], x)\n{WRITES}",
        2,
        "a copy, where the row may be changed",
    ),
    "part of a row that is changed": (
        f"def f(x: list[int]) -> None:\n    writes(x, x[1:])\n{WRITES}",
        2,
        "pass the row, and where to begin",
    ),
    "constant to change": (
        f"def f(x: list[int]) -> None:\n    writes(NUMBERS, x)\n{WRITES}",
        2,
        "annotate `x` as a Sequence",
    ),
    "sequence to change": (
        f"def f(x: Sequence[int]) -> None:\n    writes(x, x)\n{WRITES}",
        2,
        "`x` may be changed, and this may not",
    ),
    "power": ("def f(x: int) -> int:\n    return x**2", 2, "Pow does not exist for int"),
    "float division": ("def f(x: float) -> float:\n    return x // 2.0", 2, "for integers"),
    "float shift": ("def f(x: float) -> float:\n    return x << 1", 2, "LShift does not exist"),
    "large": ("def f() -> int:\n    return 1 << 63", 2, "below 2**63"),
    "large constant": ("def f() -> int:\n    return BIG", 2, "below 2**63"),
    "tuple with a large number": (
        "def f(x: int) -> int:\n    return WITH_BIG[x]",
        2,
        "-9223372036854775809 does not fit",
    ),
    "division by zero": ("def f() -> int:\n    return 1 // 0", 2, "cannot be computed"),
    "negative index": ("def f(x: list[int]) -> int:\n    return x[-1]", 2, "from the end"),
    "negative index of a table": (
        "def f(x: list[list[int]]) -> int:\n    return x[-1][0]",
        2,
        "from the end",
    ),
    "index too large": ("def f() -> int:\n    return NUMBERS[3]", 2, "count from 0 up"),
    "unknown function": ("def f(x: int) -> int:\n    return hash(x)", 2, "besides rules there are"),
    "keyword": ("def f(x: int) -> int:\n    return popcount(bits=x)", 2, "none by name"),
    "count of values": ("def f(x: int) -> int:\n    return min(x, x, x)", 2, "needs 2 values"),
    # kinds
    "unknown name": ("def f() -> int:\n    return x\n    x = 1", 2, "before it has a value"),
    "int for bool": ("def f(x: int) -> bool:\n    return x", 2, "compare it"),
    "bool becomes int": ("def f(x: int) -> None:\n    b = x > 1\n    b = x", 3, "compare it"),
    "float for int": ("def f(x: float) -> int:\n    return x", 2, "use // or int()"),
    "value of or": ("def f(x: int) -> bool:\n    return x or x", 2, "compare it"),
    "row as number": ("def f(x: list[int]) -> int:\n    return x + 1", 2, "a number is needed"),
    "element of a number": ("def f(x: int) -> int:\n    return x[0]", 2, "has no elements"),
    "row for table": (
        "def f(x: list[int]) -> int:\n    return g(x)\n\n\n"
        "@rule\ndef g(x: list[list[int]]) -> int:\n    return x[0][0]",
        2,
        "a table is needed",
    ),
    "length of an element": (
        "def f(x: list[list[int]]) -> int:\n    return len(x[0])",
        2,
        "pass it",
    ),
    "length of a name": (
        "def f(x: list[list[int]]) -> int:\n    y = x[0]\n    return len(y)",
        3,
        "only a parameter has a length",
    ),
    "recursion": ("def f(x: int) -> int:\n    return f(x - 1)", 1, "write a loop"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refusals(tmp_path: Path, case: str) -> None:
    """A refusal names file, line and rule, and says what to write instead."""
    source, line, sentence = REFUSED[case]
    with pytest.raises(NotInSubset) as caught:
        translated(module_of(tmp_path, f"@rule\n{source}\n"))
    place, rule, rest = str(caught.value).split(": ", 2)
    assert place == f"{tmp_path / 'sample.py'}:{FIRST_LINE + line}"
    assert rule == "sample.f"
    assert sentence in rest


def test_what_is_no_rule_is_left_alone(tmp_path: Path) -> None:
    """Functions without the mark may do what they like."""
    module = module_of(tmp_path, "def f() -> str:\n    return 'a'\n")
    program, _ = translated(module)
    assert program.rules == []
