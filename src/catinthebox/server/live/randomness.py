"""The source of secrets, ids and seeds; tests use a seeded generator.

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
    """Random values from the operating system, or from a test's generator."""

    rng: Random = field(default_factory=SystemRandom)

    def bytes(self, size: int) -> bytes:
        """Draw a secret."""
        return self.rng.randbytes(size)

    def id(self) -> str:
        """Draw the id of a table: unique, and without any right to it (links.py)."""
        return self.rng.choice(ALPHABET[:24]) + "".join(self.rng.choices(ALPHABET, k=15))

    def seed(self) -> int:
        """Draw the seed for a bot's decision."""
        return self.rng.getrandbits(63)
