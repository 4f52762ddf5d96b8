"""Networks with NumPy alone: what `learn.model` trains, computed for one position."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Final

from ..game import NotUnderstood
from ..optional import needs
from ..tactics.inputs import INPUTS
from .network_file import LayerWeights, WeightArray, read_network

with needs("numpy", extra="fast"):
    import numpy as np

FOLDER: Final = Path(__file__).parent / "networks"
# The SHA-256 of each file, by the number of players (docs/networks.md).
SHIPPED: Final = {
    2: "76ef78d76f45e6f34bca766703864f7615007ba74157f15a2e5817c01513fcdc",
    3: "1aee88a8213a88de74372c6ac2e7d81b825180fbf0dc795e7d88cba859dc1c54",
    4: "5a41453739f26f01dcb190571f80ed1d92bb2237e3e47c983209cf4b8cdb9266",
    5: "dfcc9193b620b9523aaa97951e44a0e391957de391faac4b95a12ecb75d11314",
}
OUTPUTS: Final = 50  # a number for every action, and an estimate of the result
EPSILON: Final = 1e-5


class Network:
    """A network that is ready to compute."""

    def __init__(self, content: bytes) -> None:
        described, layers = read_network(content)
        if (described.inputs, described.outputs) != (INPUTS, OUTPUTS):
            sentence = (
                f"a network with {described.inputs} inputs and {described.outputs} outputs; "
                f"this version of the rules has {INPUTS} and {OUTPUTS}"
            )
            raise NotUnderstood("input.network", sentence)
        self.players, self.about = described.players, described.about
        first, *inner, last = [_prepared(layer) for layer in layers]
        self._first, self._last = first, last
        self._blocks = list(zip(inner[::2], inner[1::2], strict=True))

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


@cache
def shipped(players: int) -> Network:
    """Load the network that ships for a number of players; its hash must be the known one."""
    if players not in SHIPPED:
        raise NotUnderstood("input.network", f"no network for {players} players ships")
    return checked(FOLDER / f"{players}-players.net", SHIPPED[players])


def checked(path: Path, expected: str) -> Network:
    """Load a network whose SHA-256 is known; another one is refused."""
    content = _read(path)
    found = hashlib.sha256(content).hexdigest()
    if found != expected:
        sentence = f"{path.name} was changed: its SHA-256 is {found}, and should be {expected}"
        raise NotUnderstood("input.network", sentence)
    return Network(content)


@cache
def from_file(path: str) -> Network:
    """Load a network of one's own."""
    return Network(_read(Path(path)))


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        sentence = f"{path}: {error.strerror}; name the file of a network"
        raise NotUnderstood("input.network", sentence) from None
