"""Evidence of how a table's cards were shuffled, kept with the game and its record.

This module only stores it; `catinthebox.fair` deals by it and verifies it. The secret is None until
the game is over, since it reveals every hand (R33).

>>> evidence = Fairness("lab-7", "0" * 64, (b"", bytes(32)))
>>> evidence.secret is None, evidence.gave
(True, (1,))
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .errors import BadSetup, Refusal

VERSION = 1  # of the method, "catinthebox deal 1"
SIZE = 32  # bytes of a secret and of a nonce
TABLE = re.compile(r"[A-Za-z0-9_-]{1,64}")
COMMITMENT = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class Fairness:
    """A promise made before the first deal, and, once the game is over, the secret behind it."""

    table: str
    commitment: str  # 64 hexadecimal digits, made before anybody gave a nonce
    nonces: tuple[bytes, ...]  # by seat; empty for a seat that gave none
    secret: bytes | None = None
    version: int = VERSION

    def __post_init__(self) -> None:
        object.__setattr__(self, "nonces", tuple(self.nonces))
        problems = [*self._problems(), *key_problems(self.table, self.nonces, self.secret)]
        if problems:
            raise BadSetup(problems)

    def _problems(self) -> Iterator[Refusal]:
        if self.version != VERSION:
            sentence = f"deals of version {self.version} are unknown; this knows version {VERSION}"
            yield Refusal("setup.fair", "R5", sentence)
        if not COMMITMENT.fullmatch(self.commitment):
            sentence = "a commitment is 64 hexadecimal digits, small letters"
            yield Refusal("setup.commitment", "R5", sentence)

    @property
    def gave(self) -> tuple[int, ...]:
        """The seats that gave a nonce."""
        return tuple(seat for seat, nonce in enumerate(self.nonces) if nonce)


def key_problems(
    table: str, nonces: tuple[bytes, ...], secret: bytes | None = None
) -> Iterator[Refusal]:
    """Return everything that is wrong with a table id, nonces and secret."""
    if not TABLE.fullmatch(table):
        sentence = "a table id is 1 to 64 of the letters A-Z and a-z, digits, '_' and '-'"
        yield Refusal("setup.table", "R5", sentence)
    if not all(_is_bytes(nonce, 0, SIZE) for nonce in nonces):
        yield Refusal("setup.nonces", "R5", f"a nonce is {SIZE} bytes, or empty")
    if secret is not None and not _is_bytes(secret, SIZE):
        yield Refusal("setup.secret", "R5", f"a secret is {SIZE} bytes")


def _is_bytes(value: object, *sizes: int) -> bool:
    return isinstance(value, bytes) and len(value) in sizes
