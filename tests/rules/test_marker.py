"""The marker of a rule, and the primitive that every target supplies."""

import pytest

from catinthebox.rules.marker import popcount, rule


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
