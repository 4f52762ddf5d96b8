"""Networks with NumPy: what `learn.model` trains, computed for one position or for many at once.

Decisions are made in 32-bit floats, and where two actions are almost equal, again in 64-bit ones.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..optional import needs
from .network_file import LayerWeights, WeightArray, read_network
from .network_layout import EPSILON, OUTPUTS, LayerBytes, check_fit, split_network

with needs("numpy", extra="fast"):
    import numpy as np
    from numpy.typing import NDArray

ExactArray = NDArray[np.float64]


class NumpyNetwork:
    """A network that is ready to compute."""

    def __init__(self, content: bytes) -> None:
        described, layers = read_network(content)
        check_fit(described)
        self.players, self.about = described.players, described.about
        first, *inner, last = [_prepared(layer) for layer in layers]
        self._first, self._last = first, last
        self._blocks = list(zip(inner[::2], inner[1::2], strict=True))
        self._parts = split_network(content)[1]

    def __call__(self, inputs: WeightArray) -> WeightArray:
        """Compute the outputs for one position."""
        used = inputs.nonzero()[0]  # few inputs are not 0
        weights, bias = self._first
        h = inputs[used] @ weights[used] + bias
        for (weights, bias), (second, _) in self._blocks:
            inside = _normalized(h) @ weights + bias
            h = h + np.maximum(inside, 0, out=inside) @ second
        weights, bias = self._last
        outputs: WeightArray = np.maximum(_normalized(h), 0) @ weights + bias
        return outputs

    def batch(self, inputs: WeightArray) -> WeightArray:
        """Compute the outputs for many positions, a row each; some ten times faster than singly."""
        weights, bias = self._first
        h = inputs @ weights
        h += bias
        for (weights, bias), (second, _) in self._blocks:
            inside = _rows_normalized(h) @ weights
            inside += bias
            h += np.maximum(inside, 0, out=inside) @ second
        weights, bias = self._last
        normal = _rows_normalized(h)
        outputs: WeightArray = np.maximum(normal, 0, out=normal) @ weights
        outputs += bias
        return outputs

    def logits(self, inputs: Sequence[int]) -> list[float]:
        """Compute a number for every action id."""
        found: list[float] = self(np.asarray(inputs, dtype=np.float32))[: OUTPUTS - 1].tolist()
        return found

    def exact_logits(self, inputs: Sequence[int]) -> list[float]:
        """Compute the same in 64-bit floats, from the integers of the file."""
        first, *inner, last = self._parts
        h = _exact(first, np.asarray(inputs, dtype=np.float64))
        for one, two in zip(inner[::2], inner[1::2], strict=True):
            h = h + _exact(two, np.maximum(_exact(one, _exactly_normalized(h)), 0))
        outputs = _exact(last, np.maximum(_exactly_normalized(h), 0))
        found: list[float] = outputs[: OUTPUTS - 1].tolist()
        return found


def _prepared(layer: LayerWeights) -> tuple[WeightArray, WeightArray]:
    """Return weights, a row for every input, and biases."""
    weights = np.ascontiguousarray(layer.weights.T)
    bias = np.zeros(weights.shape[1], np.float32) if layer.bias is None else layer.bias
    return weights, bias


def _normalized(h: WeightArray) -> WeightArray:
    centered = h - h.mean()
    scaled: WeightArray = centered / np.sqrt(
        centered @ centered / np.float32(len(h)) + np.float32(EPSILON)
    )
    return scaled


def _rows_normalized(h: WeightArray) -> WeightArray:
    centered: WeightArray = h - h.mean(axis=1, keepdims=True)
    squares = np.einsum("ij,ij->i", centered, centered)
    centered *= (1 / np.sqrt(squares / np.float32(h.shape[1]) + np.float32(EPSILON)))[:, None]
    return centered


def _exact(part: LayerBytes, values: ExactArray) -> ExactArray:
    rows = np.frombuffer(part.weights, dtype=np.int8).reshape(-1, part.inputs)
    sums: ExactArray = rows.astype(np.float64) @ values * np.frombuffer(part.scales, dtype="<f4")
    return sums + np.frombuffer(part.bias, dtype="<f4") if part.bias else sums


def _exactly_normalized(h: ExactArray) -> ExactArray:
    centered = h - h.mean()
    scaled: ExactArray = centered / np.sqrt(centered @ centered / len(h) + EPSILON)
    return scaled
