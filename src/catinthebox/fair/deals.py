"""Deals that nobody can choose: "catinthebox deal 1", byte by byte as in docs/fairness.md.

The host makes a secret and publishes its commitment before anybody sits; seats add nonces; secret
and nonces together decide every card and the first starter; the secret is revealed when the game is
over. The commitment is to the secret, never to a deal: those are few enough to try them all (F5).
Secrets and nonces come from outside; nothing here is random.

>>> secret, nonces = bytes(range(32)), (b"A" * 32, b"B" * 32, b"")
>>> commit(secret, "lab-7")[:16]
'5b18c34b0c34de43'
>>> starter_by_lot(secret, "lab-7", nonces)
2
>>> deal(secret, "lab-7", nonces, 1).hands
('1123334555', '1122344566', '1223445666')
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from itertools import count
from typing import NamedTuple

from ..game import BadSetup, Deck, Fairness, Refusal
from ..game.fairness import VERSION, key_problems
from ..game.setup import SEATS
from ..rules import counts, layout

DOMAIN = f"catinthebox deal {VERSION}"
BYTE = 256  # values of a byte; no deck has more cards
ROUNDS = 2**32 - 1  # a number has four bytes


class FairDeal(NamedTuple):
    """What a round begins with, as `Game.deal` takes it: `game.deal(*dealt)`."""

    hands: tuple[str, ...]
    aside: str  # R6: at two players five cards in order, the first three turned up

    @property
    def turned_up(self) -> str:
        """The cards that everybody sees."""
        return self.aside[: counts.TURNED_UP]


def commit(secret: bytes, table_id: str) -> str:
    """Return the commitment, to be published before anybody gives a nonce."""
    _check(secret, table_id)
    label = f"{DOMAIN} commitment".encode()
    return hashlib.sha256(packed(label, secret, table_id.encode())).hexdigest()


def promise(secret: bytes, table_id: str, nonces: Sequence[bytes]) -> Fairness:
    """Return what is public before the first deal: commitment and nonces, not the secret."""
    return Fairness(table_id, commit(secret, table_id), tuple(nonces))


def shuffle(
    secret: bytes, table_id: str, nonces: Sequence[bytes], round_number: int, deck: Sequence[int]
) -> tuple[int, ...]:
    """Return the order of a deck in a round, from its top; rounds count from 1."""
    if not 1 <= round_number <= ROUNDS:
        raise BadSetup([Refusal("setup.round", "R1", f"there is no round {round_number}")])
    if len(deck) > BYTE:
        raise BadSetup([Refusal("setup.deck", "R5", f"a deck has at most {BYTE} cards")])
    return shuffled(deck, stream(secret, "deck", table_id, nonces, round_number))


def deal(secret: bytes, table_id: str, nonces: Sequence[bytes], round_number: int) -> FairDeal:
    """Deal a round (R5): from the top, seat 0 takes its whole hand, then seat 1, and so on."""
    players = _players(nonces)
    deck = Deck.standard(players)
    ranks = [rank for rank in range(1, deck.ranks + 1) for _ in range(layout.COPIES)]
    cards = "".join(map(str, shuffle(secret, table_id, nonces, round_number, ranks)))
    ends = range(deck.dealt, players * deck.dealt + 1, deck.dealt)
    hands = ("".join(sorted(cards[end - deck.dealt : end])) for end in ends)
    return FairDeal(tuple(hands), cards[players * deck.dealt :])


def starter_by_lot(secret: bytes, table_id: str, nonces: Sequence[bytes]) -> int:
    """Draw the first starter (R1)."""
    return below(_players(nonces), stream(secret, "starter", table_id, nonces, 0))


# ── The method ───────────────────────────────────────────────────────────────────────────────


def packed(*fields: bytes) -> bytes:
    """Join fields unambiguously: each after its length.

    >>> packed(b"ab", b"").hex()
    '00000002616200000000'
    """
    return b"".join(number(len(field)) + field for field in fields)


def number(value: int) -> bytes:
    """Write a number as four bytes, the highest first."""
    return value.to_bytes(4, "big")


def stream(
    secret: bytes, purpose: str, table_id: str, nonces: Sequence[bytes], round_number: int
) -> Iterator[int]:
    """Yield an endless stream of bytes: HMAC-SHA-256 of the same fields and a counter from 0."""
    _check(secret, table_id, nonces)
    label = f"{DOMAIN} {purpose}".encode()
    fields = packed(label, table_id.encode(), *nonces, number(round_number))
    messages = (fields + packed(number(counter)) for counter in count())
    return (byte for message in messages for byte in hmac.digest(secret, message, "sha256"))


def below(limit: int, bytes_: Iterator[int]) -> int:
    """Draw a number below a limit: bytes that would bias the result are rejected."""
    unbiased = BYTE - BYTE % limit
    return next(byte for byte in bytes_ if byte < unbiased) % limit


def shuffled(deck: Sequence[int], bytes_: Iterator[int]) -> tuple[int, ...]:
    """Shuffle the sorted deck (Fisher and Yates): the last place first, the top card last."""
    cards = sorted(deck)
    for last in range(len(cards) - 1, 0, -1):
        other = below(last + 1, bytes_)
        cards[last], cards[other] = cards[other], cards[last]
    return tuple(cards)


# ── Bad input ────────────────────────────────────────────────────────────────────────────────


def _check(secret: bytes, table_id: str, nonces: Sequence[bytes] = ()) -> None:
    problems = [*key_problems(table_id, tuple(nonces), secret)]
    if problems:
        raise BadSetup(problems)


def _players(nonces: Sequence[bytes]) -> int:
    if len(nonces) not in SEATS:
        sentence = f"{len(nonces)} nonces; 2 to 5 can play, and an empty nonce counts"
        raise BadSetup([Refusal("setup.nonces", "R5", sentence)])
    return len(nonces)
