"""The marker of a rule, and the primitive that every target supplies."""

import pytest

from catinthebox.rules.marker import nth_bit, popcount, rule


def test_an_interpreted_rule_is_the_function_itself() -> None:
    """Interpreted, the marker costs nothing at all."""

    def double(number: int) -> int:
        return 2 * number

    assert rule(double) is double


@pytest.mark.parametrize(
    ("bits", "number"), [(0, 0), (1, 1), (0b1011, 3), (2**57 - 1, 57), (1 << 56, 1)]
)
def test_popcount_counts_the_bits_that_are_set(bits: int, number: int) -> None:
    """Popcount works over the 57 bits of a set of cells."""
    assert popcount(bits) == number


@pytest.mark.parametrize(
    ("bits", "places"), [(1, [0]), (0b1011, [0, 1, 3]), (1 << 56 | 1 << 16 | 2, [1, 16, 56])]
)
def test_the_nth_bit_is_found_from_the_lowest_on(bits: int, places: list[int]) -> None:
    """Number 0 is the lowest bit that is set."""
    assert [nth_bit(bits, n) for n in range(len(places))] == places
