"""Where a server draws secrets, ids and seeds from; a test gives it a seeded generator.

>>> from random import Random
>>> Randomness(Random(1)).id(), len(Randomness(Random(1)).id())
('eu3cd2rngr6nv2yi', 16)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random, SystemRandom
from typing import Final

ALPHABET: Final = "abcdefghijkmnpqrstuvwxyz23456789"  # five bits each, none taken for another


@dataclass(frozen=True)
class Randomness:
    """The operating system's, unless a test says otherwise."""

    rng: Random = field(default_factory=SystemRandom)

    def bytes(self, size: int) -> bytes:
        """Draw a secret."""
        return self.rng.randbytes(size)

    def id(self) -> str:
        """Draw the id of a table: a name, which opens nothing (links.py), and never comes twice."""
        return self.rng.choice(ALPHABET[:24]) + "".join(self.rng.choices(ALPHABET, k=15))

    def seed(self) -> int:
        """Draw the chance of a bot's thoughts."""
        return self.rng.getrandbits(63)
