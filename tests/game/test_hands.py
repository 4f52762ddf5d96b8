"""Packed hands: every form says the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catinthebox.game.hands import copies, digits, packed, unpacked


@pytest.mark.parametrize(
    ("hand", "ranks"), [(0, ()), (1, (1,)), (5 | 2 << 6, (1, 1, 1, 1, 1, 3, 3)), (1 << 24, (9,))]
)
def test_a_packed_hand_is_unpacked_in_order(hand: int, ranks: tuple[int, ...]) -> None:
    """Three bits per rank."""
    assert unpacked(hand) == ranks


@given(st.lists(st.integers(0, 5), min_size=9, max_size=9))
def test_every_form_of_a_hand_says_the_same(held: list[int]) -> None:
    """Whatever order the cards come in."""
    ranks = [rank for rank, number in enumerate(held, start=1) for _ in range(number)]
    hand = packed(reversed(ranks))
    assert unpacked(hand) == tuple(ranks)
    assert digits(hand) == "".join(map(str, ranks))
    assert copies(hand) == held
