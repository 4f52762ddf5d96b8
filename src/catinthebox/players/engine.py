"""Runs the tactics: compiled if numba is installed, else interpreted; same results.

Nothing here sees a round: tactics start from the vector of a view.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import import_module
from threading import Event
from types import ModuleType
from typing import Any

from ..fast.cache import installed
from ..game import Face
from ..views import View

MODULES = (
    *("careful", "escape", "inputs", "ismcts", "kinds", "lookahead", "prospects", "rollout"),
    *("search", "thought", "weights"),
)
INTERPRETED = Event()  # if set, this process compiles nothing any more


def compiled() -> bool:
    """Whether the tactics run compiled."""
    return installed() and not INTERPRETED.is_set()


def interpret() -> None:
    """Interpret the tactics in this process from now on; no decision may be in progress."""
    INTERPRETED.set()
    for kept in (tactics, touch, weights):
        kept.cache_clear()


@cache
def tactics() -> ModuleType:
    """Return the tactics: compiled modules, or the interpreted ones."""
    if compiled():
        thoughts: ModuleType = import_module("catinthebox.fast.cpu").tactics()
        return thoughts
    for name in MODULES:
        import_module(f"catinthebox.tactics.{name}")
    return import_module("catinthebox.tactics")


@cache
def numpy() -> Any:
    """NumPy, which comes with numba; without it the tactics use lists."""
    return import_module("numpy")


def row(numbers: Iterable[int]) -> Any:
    """Convert numbers to an array or a list."""
    if not compiled():
        return list(numbers)
    return numpy().array(list(numbers), dtype="int64")


def zeros(*shape: int) -> Any:
    """Allocate integers: a row, or a table of rows."""
    if compiled():
        return numpy().zeros(shape, dtype="int64")
    if len(shape) == 1:
        return [0] * shape[0]
    return [zeros(*shape[1:]) for _ in range(shape[0])]


def floats(number: int) -> Any:
    """Allocate floats."""
    if compiled():
        return numpy().zeros(number, dtype="float64")
    return [0.0] * number


@cache
def touch(face: Face) -> Any:
    """Return which cells of a face touch."""
    return row(face.touch)


@cache
def weights(players: int) -> Any:
    """Return the weights of a careful player for a table size."""
    return row(tactics().weights.WEIGHTS[players])


def vector(view: View) -> Any:
    """Return a view as a state vector of the rules."""
    return row(view.vector)
