"""The rules compiled: the same sources, loaded once more with numba's marker."""

from __future__ import annotations

import importlib
import sys
from functools import cache
from types import ModuleType

import pytest

import catinthebox.rules

PACKAGE = "rules_compiled_for_tests"


def _popcount(bits: int) -> int:
    number = 0
    while bits != 0:
        bits &= bits - 1
        number += 1
    return number


def _nth_bit(bits: int, n: int) -> int:
    for _ in range(n):
        bits &= bits - 1
    return _popcount((bits & -bits) - 1)


@cache
def compiled(name: str) -> ModuleType:
    """Give a module of the rules, compiled; without numba the test is skipped."""
    numba = pytest.importorskip("numba")
    if PACKAGE not in sys.modules:
        package = ModuleType(PACKAGE)
        package.__path__ = list(catinthebox.rules.__path__)
        marker = ModuleType(f"{PACKAGE}.marker")
        globals()["_popcount"] = popcount = numba.njit(_popcount)
        vars(marker).update(rule=numba.njit, popcount=popcount, nth_bit=numba.njit(_nth_bit))
        sys.modules.update({PACKAGE: package, marker.__name__: marker})
    return importlib.import_module(f"{PACKAGE}.{name}")
