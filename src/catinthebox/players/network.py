"""Networks that play: those that ship, whose hashes are known, and others from files."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, Protocol

from ..game import NotUnderstood
from ..optional import MissingLibrary
from .plain_network import PlainNetwork

FOLDER: Final = Path(__file__).parent / "networks"
# The SHA-256 of each file, by the number of players (docs/networks.md).
SHIPPED: Final = {
    2: "ccd2d41f9ae008ad0d564def26bc820e4e83c682961f8447438748968facd39e",
    3: "dd7595d41baa5297abe066303c401e980786cd1495c4aabb39e0a86f398ce962",
    4: "3a4a936b49cf36e6118f6c0cf3279939ff946edeacd906d549113b8824eeae7a",
    5: "1391f3f803dea7deb74919651f04e0f6561c639b9a77e2b8e7862065aad25a6c",
}


class Network(Protocol):
    """A network that is ready to compute."""

    players: int
    about: dict[str, Any]  # how it was trained

    def logits(self, inputs: Sequence[int]) -> list[float]:
        """Compute a number for every action id, as fast as possible."""

    def exact_logits(self, inputs: Sequence[int]) -> list[float]:
        """Compute the same in 64-bit floats: what decides between actions that are almost equal."""


def loaded(content: bytes) -> Network:
    """Read a network; without NumPy it computes in plain Python, some fifty times slower."""
    try:
        from .numpy_network import NumpyNetwork  # noqa: PLC0415 (NumPy need not be there)
    except MissingLibrary:
        return PlainNetwork(content)
    return NumpyNetwork(content)


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
    return loaded(content)


@cache
def from_file(path: str) -> Network:
    """Load a network of one's own."""
    return loaded(_read(Path(path)))


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        sentence = f"{path}: {error.strerror}; name the file of a network"
        raise NotUnderstood("input.network", sentence) from None
