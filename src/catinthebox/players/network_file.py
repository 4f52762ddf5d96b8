"""Files of networks with NumPy: written after a training, and read as weights.

`network_layout` says what such a file looks like.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Final

from ..optional import needs
from .network_layout import (
    FIRST_LINE,
    LayerBytes,
    NetworkDescription,
    check_numbers,
    split_network,
)

with needs("numpy", extra="fast"):
    import numpy as np
    from numpy.typing import NDArray

LARGEST: Final = 127

WeightArray = NDArray[np.float32]


@dataclass(frozen=True)
class LayerWeights:
    """A layer: weights, a row for every output, and biases or None."""

    weights: WeightArray
    bias: WeightArray | None


def write_network(described: NetworkDescription, layers: list[LayerWeights]) -> bytes:
    """Write a network; its weights are rounded to 8 bits."""
    parts = [FIRST_LINE, b"\n", json.dumps(asdict(described), sort_keys=True).encode(), b"\n"]
    for layer, (outputs, inputs, biased) in zip(layers, described.shapes(), strict=True):
        assert layer.weights.shape == (outputs, inputs), "the layers are those described"
        scales = np.abs(layer.weights).max(axis=1).astype("<f4") / LARGEST
        scales[scales == 0] = 1
        parts.append(scales.astype("<f4").tobytes())
        if biased:
            assert layer.bias is not None, "this layer has biases"
            parts.append(layer.bias.astype("<f4").tobytes())
        parts.append(np.rint(layer.weights / scales[:, None]).astype(np.int8).tobytes())
    return b"".join(parts)


def read_network(content: bytes) -> tuple[NetworkDescription, list[LayerWeights]]:
    """Read a network; raise `NotUnderstood` if it is none."""
    described, parts = split_network(content)
    layers = [_layer(part) for part in parts]
    check_numbers(all(_finite(layer) for layer in layers))
    return described, layers


def _finite(layer: LayerWeights) -> bool:
    bias = layer.weights if layer.bias is None else layer.bias
    return bool(np.isfinite(layer.weights).all() and np.isfinite(bias).all())


def _layer(part: LayerBytes) -> LayerWeights:
    rows = np.frombuffer(part.weights, dtype=np.int8).reshape(-1, part.inputs).astype(np.float32)
    scaled = rows * np.frombuffer(part.scales, dtype="<f4")[:, None]
    return LayerWeights(scaled, np.frombuffer(part.bias, dtype="<f4") if part.bias else None)
