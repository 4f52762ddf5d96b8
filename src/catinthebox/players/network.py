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

# Rounds are won by points, so networks are rewarded with the margin over the others' mean, plus
# this many points for a share of the victory. Margin alone made players of four and five that were
# ahead in points and won fewer rounds than their share (docs/networks.md).
VICTORY_POINTS: Final = {2: 0.0, 3: 1.0, 4: 3.0, 5: 3.0}
FOLDER: Final = Path(__file__).parent / "networks"
# The SHA-256 of each file, by the number of players (docs/networks.md).
SHIPPED: Final = {
    2: "76ef78d76f45e6f34bca766703864f7615007ba74157f15a2e5817c01513fcdc",
    3: "1aee88a8213a88de74372c6ac2e7d81b825180fbf0dc795e7d88cba859dc1c54",
    4: "5a41453739f26f01dcb190571f80ed1d92bb2237e3e47c983209cf4b8cdb9266",
    5: "dfcc9193b620b9523aaa97951e44a0e391957de391faac4b95a12ecb75d11314",
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
