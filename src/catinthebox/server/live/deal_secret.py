"""The secret behind all deals: drawn once, kept in the store beside the games, never sent.

Every game has a secret of its own (docs/fairness.md), made from this one, the table and the number
of the game. So any worker can deal for any table, and a secret that is revealed at the end of a
game says nothing about another.

>>> key = DealSecret(bytes(32))
>>> key.secret("lab-7", 1) == key.secret("lab-7", 2)
False
>>> key
DealSecret(…)
"""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from ...store import About, Conflict, Store
from ...table import SecretDealer

GAME: Final = "_keys"  # a log of its own; no table has this id, since those begin with a letter
SIZE: Final = 32
LINKS: Final = b"catinthebox links 1"  # has more blanks than a table and the number of a game


@dataclass(frozen=True, repr=False)
class DealSecret:
    """The key from which the secrets of all games are derived."""

    secret_bytes: bytes

    def secret(self, table: str, game: int) -> bytes:
        """Return the secret of a game."""
        return hmac.digest(self.secret_bytes, f"{table} {game}".encode(), "sha256")

    @property
    def for_links(self) -> bytes:
        """Return the key behind links; it does not follow from the secrets that games reveal."""
        return hmac.digest(self.secret_bytes, LINKS, "sha256")

    @property
    def dealer(self) -> SecretDealer:
        """Return the dealer that uses it."""
        return SecretDealer(self.secret)

    def __repr__(self) -> str:
        return "DealSecret(…)"


async def open_key(store: Store, draw: Callable[[int], bytes]) -> DealSecret:
    """Read the key of a store; a new store gets one. Workers that start together agree on it."""
    kept = await asyncio.to_thread(store.read, GAME)
    if not kept:
        with suppress(Conflict):  # another worker was first; its key is the key
            await asyncio.wrap_future(store.append(GAME, 0, [draw(SIZE)], About("keys")))
        kept = await asyncio.to_thread(store.read, GAME)
    return DealSecret(kept[0].event)
