r"""Files of networks: a line that says what it is, a line of JSON, and the layers.

A layer is a scale for every output (32-bit floats), its biases if it has any (the same), and its
weights (8-bit integers, a row for every output); a weight is the integer times its row's scale.
All numbers are little-endian. Everything that follows the second line has a fixed length.

>>> description(b"catinthebox network 1\n[]\n")
Traceback (most recent call last):
    ...
catinthebox.game.errors.NotUnderstood: not a network: its second line does not describe one
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any, Final

from ..game import NotUnderstood
from ..optional import needs

with needs("numpy", extra="fast"):
    import numpy as np
    from numpy.typing import NDArray

FIRST_LINE: Final = b"catinthebox network 1"
LARGEST: Final = 127
MOST_WIDTH: Final = 4096
MOST_BLOCKS: Final = 64
SIZES: Final = {"inputs": MOST_WIDTH, "width": MOST_WIDTH, "blocks": MOST_BLOCKS, "outputs": 256}

WeightArray = NDArray[np.float32]


@dataclass(frozen=True)
class LayerWeights:
    """A layer: weights, a row for every output, and biases or None."""

    weights: WeightArray
    bias: WeightArray | None


@dataclass(frozen=True)
class NetworkDescription:
    """What the second line of a file says."""

    players: int
    inputs: int
    width: int
    blocks: int
    outputs: int
    about: dict[str, Any]  # how it was trained

    def shapes(self) -> list[tuple[int, int, bool]]:
        """Outputs, inputs and whether there are biases, for every layer in order."""
        block = [(self.width, self.width, True), (self.width, self.width, False)]
        first, last = (self.width, self.inputs, True), (self.outputs, self.width, True)
        return [first, *block * self.blocks, last]


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


def description(content: bytes) -> NetworkDescription:
    """Read what a file describes; raise `NotUnderstood` if it is no network."""
    first, _, rest = content.partition(b"\n")
    if first != FIRST_LINE:
        sentence = f"not a network: it should begin with {FIRST_LINE.decode()!r}"
        raise NotUnderstood("input.network", sentence)
    try:
        said = json.loads(rest.partition(b"\n")[0])
        found = NetworkDescription(**said)
        possible = found.players in range(2, 6) and all(
            type(said[name]) is int and 1 <= said[name] <= most for name, most in SIZES.items()
        )
    except (RecursionError, TypeError, ValueError):
        possible = False
    if not possible:
        sentence = "not a network: its second line does not describe one"
        raise NotUnderstood("input.network", sentence)
    return found


def read_network(content: bytes) -> tuple[NetworkDescription, list[LayerWeights]]:
    """Read a network; raise `NotUnderstood` if it is none."""
    described = description(content)
    begin = content.index(b"\n", len(FIRST_LINE) + 1) + 1
    sizes = [
        size
        for outputs, inputs, biased in described.shapes()
        for size in (4 * outputs, 4 * outputs * biased, outputs * inputs)
    ]
    ends = [begin]
    for size in sizes:
        ends.append(ends[-1] + size)
    if ends[-1] != len(content):
        sentence = f"not a network: {len(content)} bytes where {ends[-1]} are described"
        raise NotUnderstood("input.network", sentence)
    pieces = [content[first:last] for first, last in pairwise(ends)]
    parts = zip(pieces[::3], pieces[1::3], pieces[2::3], described.shapes(), strict=True)
    layers = [_layer(scales, bias, weights, shape[1]) for scales, bias, weights, shape in parts]
    if not all(_finite(layer) for layer in layers):
        raise NotUnderstood("input.network", "not a network: some of its weights are no numbers")
    return described, layers


def _finite(layer: LayerWeights) -> bool:
    bias = layer.weights if layer.bias is None else layer.bias
    return bool(np.isfinite(layer.weights).all() and np.isfinite(bias).all())


def _layer(scales: bytes, bias: bytes, weights: bytes, inputs: int) -> LayerWeights:
    rows = np.frombuffer(weights, dtype=np.int8).reshape(-1, inputs).astype(np.float32)
    scaled = rows * np.frombuffer(scales, dtype="<f4")[:, None]
    return LayerWeights(scaled, np.frombuffer(bias, dtype="<f4") if bias else None)
