r"""How files of networks are laid out: a line that says what it is, a line of JSON, and the layers.

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
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, NamedTuple

from ..game import NotUnderstood
from ..tactics.inputs import INPUTS

FIRST_LINE: Final = b"catinthebox network 1"
MOST_WIDTH: Final = 4096
MOST_BLOCKS: Final = 64
SIZES: Final = {"inputs": MOST_WIDTH, "width": MOST_WIDTH, "blocks": MOST_BLOCKS, "outputs": 256}
OUTPUTS: Final = 50  # a number for every action, and an estimate of the result
EPSILON: Final = 1e-5  # added to a variance before it divides


class LayerBytes(NamedTuple):
    """A layer as it stands in a file."""

    scales: bytes
    bias: bytes  # empty: there are none
    weights: bytes
    inputs: int


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


def split_network(content: bytes) -> tuple[NetworkDescription, list[LayerBytes]]:
    """Read a description, and the bytes of every layer; `NotUnderstood` if it is no network."""
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
    return described, [
        LayerBytes(scales, bias, weights, shape[1]) for scales, bias, weights, shape in parts
    ]


def check_fit(described: NetworkDescription) -> None:
    """Raise `NotUnderstood` unless a network has the inputs and outputs of these rules."""
    if (described.inputs, described.outputs) != (INPUTS, OUTPUTS):
        sentence = (
            f"a network with {described.inputs} inputs and {described.outputs} outputs; "
            f"this version of the rules has {INPUTS} and {OUTPUTS}"
        )
        raise NotUnderstood("input.network", sentence)


def check_numbers(numbers_are_finite: bool) -> None:
    """Raise `NotUnderstood` if some weights are no numbers."""
    if not numbers_are_finite:
        raise NotUnderstood("input.network", "not a network: some of its weights are no numbers")
