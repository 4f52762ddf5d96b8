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
    2: "ccd2d41f9ae008ad0d564def26bc820e4e83c682961f8447438748968facd39e",
    3: "dd7595d41baa5297abe066303c401e980786cd1495c4aabb39e0a86f398ce962",
    4: "3a4a936b49cf36e6118f6c0cf3279939ff946edeacd906d549113b8824eeae7a",
    5: "1391f3f803dea7deb74919651f04e0f6561c639b9a77e2b8e7862065aad25a6c",
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
