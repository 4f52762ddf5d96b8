"""Every distinct deal at three players, counted."""

from __future__ import annotations

from itertools import product

import pytest

from catinthebox import FACES, Round, Setup
from catinthebox.rules import deals, perft
from catinthebox.rules.layout import COPIES, COUNT, COUNT_BITS, SIZE

TOUCH = FACES["white"].touch


def test_a_split_gives_every_copy_to_a_seat() -> None:
    """Twenty-one ways, all different, five copies each."""
    ways = [deals.split(number) for number in range(deals.SPLITS)]
    copies = [tuple(way >> COUNT_BITS * seat & COUNT for seat in range(3)) for way in ways]
    assert sorted(copies) == [way for way in product(range(6), repeat=3) if sum(way) == COPIES]


@pytest.mark.clause("F5")
def test_a_part_of_all_deals_is_counted_like_each_of_them() -> None:
    """Every deal whose first three ranks are split in one way, against the deals one by one."""
    leading = 11 + 21 * 9 + 441 * 5
    stack = [[0] * SIZE for _ in range(3)]
    rows = [[0] * perft.COLUMNS for _ in range(3)]
    found = deals.perft_deals(
        leading, leading + 1, [0] * 3, [0] * 3, stack, [0] * 3, rows, 2, TOUCH
    )
    expected = [[0] * perft.COLUMNS for _ in range(2)]
    each = 0
    for ways in product(range(deals.SPLITS), repeat=3):
        hands = ["", "", ""]
        for place, number in enumerate((11, 9, 5, *ways)):
            for seat in range(3):
                copies = deals.split(number) >> COUNT_BITS * seat & COUNT
                hands[seat] += str(place + 1) * copies
        if {len(hand) for hand in hands} == {10}:
            each += 1
            for total, row in zip(
                expected, perft.count(Round(Setup(tuple(hands))).vector, 2, TOUCH), strict=True
            ):
                for column, value in enumerate(row):
                    total[column] += value
    assert (found, rows[1:]) == (each, expected)
    assert each > 50
