"""Where the cards come from. A table draws nothing itself: it asks a dealer, and logs the answer.

>>> dealer = practice(seed=1)
>>> dealer.commitment("t1", 1)[:12]
'b95969e844e9'
>>> dealer.deal(DealRequest("t1", game=1, nonces=("", ""), round=1))
DealtHands(hands=('1123333555', '1222344455'), aside='14241')
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple, Protocol

from .. import fair


class DealtHands(NamedTuple):
    """Hands by seat as digits, and at two players the cards left aside (R5, R6)."""

    hands: tuple[str, ...]
    aside: str = ""


@dataclass(frozen=True)
class DealRequest:
    """Everything a deal may depend on besides the secret: all of it is public."""

    table: str
    game: int  # at this table, from 1
    nonces: tuple[str, ...]  # by seat, in hexadecimal digits; empty for a seat that gave none
    round: int  # of the game, from 1


class Dealer(Protocol):
    """Keeps a secret for every game; the same question always has the same answer."""

    def commitment(self, table: str, game: int) -> str:
        """Return the commitment to the secret of a game; public before anybody gives a nonce."""

    def lot(self, asked: DealRequest) -> int:
        """Draw the first starter (R1)."""

    def deal(self, asked: DealRequest) -> DealtHands:
        """Deal a round (R5)."""

    def reveal(self, table: str, game: int) -> str:
        """Return the secret of a game that is over, in hexadecimal digits."""


@dataclass(frozen=True)
class SecretDealer:
    """The dealer of `catinthebox.fair`, which knows the secret of every game."""

    secret: Callable[[str, int], bytes]  # of a table's game

    def commitment(self, table: str, game: int) -> str:
        """Commit to the secret of a game."""
        return fair.commit(self.secret(table, game), table)

    def lot(self, asked: DealRequest) -> int:
        """Draw a seat so that anybody can verify it later."""
        return fair.starter_by_lot(self._secret(asked), asked.table, _bytes(asked))

    def deal(self, asked: DealRequest) -> DealtHands:
        """Deal so that anybody can verify it later."""
        return DealtHands(*fair.deal(self._secret(asked), asked.table, _bytes(asked), asked.round))

    def reveal(self, table: str, game: int) -> str:
        """Return the secret of a game."""
        return self.secret(table, game).hex()

    def _secret(self, asked: DealRequest) -> bytes:
        return self.secret(asked.table, asked.game)


def _bytes(asked: DealRequest) -> tuple[bytes, ...]:
    return tuple(map(bytes.fromhex, asked.nonces))


def practice(seed: int) -> SecretDealer:
    """Return a dealer for examples and tests: anybody who knows the seed knows every card."""
    return SecretDealer(lambda table, game: sha256(f"{seed} {table} {game}".encode()).digest())
