"""Hands as the rules keep them, three bits for the copies of each rank, and as people write them.

>>> hand = packed([1, 3, 3])
>>> unpacked(hand), digits(hand), copies(hand)
((1, 3, 3), '133', [1, 0, 2, 0, 0, 0, 0, 0, 0])
"""

from __future__ import annotations

from collections.abc import Iterable

from ..rules.layout import COUNT, COUNT_BITS, MAX_RANK


def packed(ranks: Iterable[int]) -> int:
    """Return a hand as one integer."""
    return sum(1 << COUNT_BITS * (rank - 1) for rank in ranks)


def unpacked(hand: int) -> tuple[int, ...]:
    """Return the ranks of a packed hand, ascending."""
    octal = f"{hand:o}"[::-1]  # three bits for each rank
    return tuple([rank for rank, count in enumerate(octal, start=1) for _ in range(int(count))])


def digits(hand: int) -> str:
    """Return the ranks of a packed hand as a text, ascending."""
    return "".join(map(str, unpacked(hand)))


def copies(hand: int) -> list[int]:
    """Return how many copies of each rank a packed hand holds."""
    return [hand >> COUNT_BITS * place & COUNT for place in range(MAX_RANK)]
