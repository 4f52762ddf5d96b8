"""The module that multiplies matrices does what NumPy does, for rows of any kind."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from math import inf
from typing import Any, cast

import numpy as np
import pytest
import wasmtime
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from catinthebox.players import network_layout
from catinthebox.wasm import matrices
from catinthebox.wasm.matrices import EPSILON, LANES, TILE

FloatArray = NDArray[np.float32]


class Module:
    """The module in wasmtime; arrays are copied in, one after another."""

    def __init__(self) -> None:
        self.store = wasmtime.Store()
        module = wasmtime.Module(self.store.engine, matrices.build())
        instance = wasmtime.Instance(self.store, module, [])
        self.exports = cast("Any", instance.exports(self.store))
        self.memory = self.exports["memory"]
        self.memory.grow(self.store, 10)
        self.top = 64

    def room(self, bytes_: int) -> int:
        """Return an address with so much room behind it."""
        self.top, at = self.top + bytes_, self.top
        return at

    def put(self, values: NDArray[np.floating[Any]]) -> int:
        """Copy an array in; return where it is."""
        content = np.ascontiguousarray(values, dtype="<f4").tobytes()
        at = self.room(len(content))
        self.memory.write(self.store, content, at)
        return at

    def floats(self, at: int, shape: Sequence[int]) -> FloatArray:
        """Copy an array out."""
        content = self.memory.read(self.store, at, at + 4 * int(np.prod(shape)))
        return np.frombuffer(content, dtype="<f4").reshape(shape)

    def call(self, name: str, *given: float) -> None:
        """Call a function."""
        self.exports[name](self.store, *given)


@st.composite
def products(draw: st.DrawFn) -> tuple[FloatArray, FloatArray]:
    """Some rows, many of whose numbers are 0 or below, and weights of a few tiles."""
    rows, columns, tiles = draw(st.tuples(*[st.integers(1, most) for most in (5, 40, 3)]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    values = rng.normal(size=(rows, columns)) * (rng.random((rows, columns)) < rng.random())
    weights = rng.integers(-127, 128, size=(columns, TILE * tiles))
    return values.astype(np.float32), weights.astype(np.float32)


@given(products(), st.booleans(), st.booleans())
@settings(max_examples=60, deadline=None)
def test_products(product: tuple[FloatArray, FloatArray], positive: bool, adds: bool) -> None:
    """With all values or the positive ones; plus biases, or plus what was there."""
    values, weights = product
    (rows, columns), width = values.shape, weights.shape[1]
    rng = np.random.default_rng(rows)
    scales, base = rng.random(width), rng.normal(size=(rows if adds else 1, width))
    module = Module()
    entries, counts = module.room(8 * rows * columns), module.room(4 * rows)
    below = -inf if positive else 0.0
    at = module.put(values)
    module.call("list_values", at, rows, columns, below, entries, counts)
    tiled = weights.reshape(columns, -1, TILE).swapaxes(0, 1)
    placed = [module.put(np.asarray(each)) for each in (tiled, scales, base)]
    sums = placed[2] if adds else module.room(4 * rows * width)
    step = 4 * width if adds else 0
    given = entries, counts, rows, columns, placed[0], width // TILE, *placed[1:], step, sums
    module.call("multiply", *given)
    used = np.maximum(values, 0) if positive else values
    expected = used.astype(np.float64) @ weights * scales + base
    assert module.floats(sums, (rows, width)) == pytest.approx(expected, rel=1e-5, abs=1e-2)


@given(st.integers(1, 5), st.integers(1, 20), st.floats(1e-3, 1e3), st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_normal_rows(rows: int, vectors: int, scale: float, seed: int) -> None:
    """Mean 0 and variance 1, also of rows that are far from it."""
    rng = np.random.default_rng(seed)
    values = (rng.normal(loc=1, size=(rows, LANES * vectors)) * scale).astype(np.float32)
    module = Module()
    at, to = module.put(values), module.room(values.nbytes)
    module.call("normalize", at, *values.shape, to)
    exact = values.astype(np.float64)
    centered = exact - exact.mean(axis=1, keepdims=True)
    expected = centered / np.sqrt((centered**2).mean(axis=1, keepdims=True) + EPSILON)
    assert module.floats(to, values.shape) == pytest.approx(expected, abs=1e-4)


def test_the_constant_is_that_of_the_networks() -> None:
    """It is written twice, since a build has no NumPy."""
    assert network_layout.EPSILON == EPSILON


@pytest.mark.process
def test_the_bytes_are_the_same_every_time() -> None:
    """In another process, too, whose hashes differ."""
    code = "from catinthebox.wasm.matrices import build; print(build().hex())"
    found = [
        subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
        for _ in range(2)
    ]
    assert {each.stdout.strip() for each in found} == {matrices.build().hex()}


def test_it_is_small() -> None:
    """It is part of the worker's script."""
    assert len(matrices.build()) < 4096
