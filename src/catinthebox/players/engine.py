"""Where a player's thoughts run: compiled if numba is installed, else interpreted; same results.

Nothing here sees a round: thoughts begin with the vector of a view.
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

MODULES = ("careful", "ismcts", "rollout", "search", "taste")
INTERPRETED = Event()  # set: nothing is compiled in this process any more


def compiled() -> bool:
    """Whether thoughts run compiled."""
    return installed() and not INTERPRETED.is_set()


def interpret() -> None:
    """Run all thoughts of this process interpreted from now on; none may be going on meanwhile."""
    INTERPRETED.set()
    for kept in (tactics, touch, taste):
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
    """NumPy, which comes with numba: without it thoughts run on lists."""
    return import_module("numpy")


def row(numbers: Iterable[int]) -> Any:
    """Lay numbers out as the engine wants them."""
    if not compiled():
        return list(numbers)
    return numpy().array(list(numbers), dtype="int64")


def zeros(*shape: int) -> Any:
    """Return room for whole numbers: a row, or a table of rows."""
    if compiled():
        return numpy().zeros(shape, dtype="int64")
    if len(shape) == 1:
        return [0] * shape[0]
    return [zeros(*shape[1:]) for _ in range(shape[0])]


def weights(number: int) -> Any:
    """Return room for fractions."""
    if compiled():
        return numpy().zeros(number, dtype="float64")
    return [0.0] * number


@cache
def touch(face: Face) -> Any:
    """Return which cells of a face touch."""
    return row(face.touch)


@cache
def taste(players: int) -> Any:
    """Return what a careful player of a table size cares about."""
    return row(tactics().taste.TASTES[players])


def vector(view: View) -> Any:
    """Return everything a seat has seen, as the rules' vector."""
    return row(view.vector)
