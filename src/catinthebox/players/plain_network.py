"""Networks without NumPy: in 64-bit floats, some tens of milliseconds a decision."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isfinite, sqrt
from struct import unpack
from typing import Final

from .network_layout import EPSILON, OUTPUTS, LayerBytes, check_fit, check_numbers, split_network

SIGNED: Final = [float(byte - 256 if byte > 127 else byte) for byte in range(256)]


class PlainNetwork:
    """A network that computes in plain Python."""

    def __init__(self, content: bytes) -> None:
        described, parts = split_network(content)
        self._layers = [PlainLayer(part) for part in parts]
        check_numbers(all(layer.finite for layer in self._layers))
        check_fit(described)
        self.players, self.about = described.players, described.about

    def logits(self, inputs: Sequence[int]) -> list[float]:
        """Compute a number for every action id."""
        first, *inner, last = self._layers
        h = first(inputs)
        for one, two in zip(inner[::2], inner[1::2], strict=True):
            change = two(_positive(one(_normalized(h))))
            h = [before + more for before, more in zip(h, change, strict=True)]
        return last(_positive(_normalized(h)))[: OUTPUTS - 1]

    exact_logits = logits


class PlainLayer:
    """A layer: for every output a row of integers, as floats, its scale and its bias."""

    def __init__(self, part: LayerBytes) -> None:
        self.scales = _floats(part.scales)
        self.bias = _floats(part.bias) or [0.0] * len(self.scales)
        numbers = [SIGNED[byte] for byte in part.weights]  # 256 objects, however many weights
        starts = range(0, len(numbers), part.inputs)
        self.rows = [numbers[start : start + part.inputs] for start in starts]

    @property
    def finite(self) -> bool:
        """Whether all of it are numbers."""
        return all(map(isfinite, (*self.scales, *self.bias)))

    def __call__(self, values: Sequence[float]) -> list[float]:
        """Compute the outputs; inputs that are 0 are left out."""
        used = [place for place, value in enumerate(values) if value]
        chosen = [float(values[place]) for place in used]
        rows: Iterable[Sequence[float]] = self.rows
        if len(used) < len(values):
            rows = ([row[place] for place in used] for row in self.rows)
        sums = (_dot(row, chosen) for row in rows)
        scaled = zip(sums, self.scales, self.bias, strict=True)
        return [value * scale + bias for value, scale, bias in scaled]


def _floats(content: bytes) -> list[float]:
    return list(unpack(f"<{len(content) // 4}f", content))


def _dot(one: Sequence[float], other: Sequence[float]) -> float:
    return sum([a * b for a, b in zip(one, other, strict=True)])


def _normalized(h: list[float]) -> list[float]:
    mean = sum(h) / len(h)
    centered = [value - mean for value in h]
    deviation = sqrt(_dot(centered, centered) / len(h) + EPSILON)
    return [value / deviation for value in centered]


def _positive(values: list[float]) -> list[float]:
    return [max(value, 0.0) for value in values]
