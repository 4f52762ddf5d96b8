"""Elementary functions: accurate, and the same bits compiled."""

from __future__ import annotations

from decimal import Decimal, localcontext
from math import sqrt
from random import Random

import pytest

from catinthebox.fast import cpu
from catinthebox.tactics.elementary import FARTHEST, STEPS, exponential, square_root_of_share

TOLERANCE = Decimal("1e-14")


def numbers() -> list[int]:
    """All small arguments, some large ones, and both ends."""
    rng = Random(1)
    large = [rng.randrange(-FARTHEST, FARTHEST + 1) for _ in range(2000)]
    return [*range(-200, 201), *large, FARTHEST, -FARTHEST]


def shares() -> list[float]:
    """Numbers from 0 to 1, many of them next to nothing."""
    rng = Random(2)
    small = [10 ** -rng.uniform(0, 320) for _ in range(3000)]
    return [0.0, 5e-324, 1e-308, 0.25, 0.5, 1.0, *small, *(rng.random() for _ in range(500))]


def test_powers_of_e_are_accurate() -> None:
    """Against decimal arithmetic with many digits."""
    with localcontext() as context:
        context.prec = 40
        for steps in numbers():
            exact = (Decimal(steps) / STEPS).exp()
            assert abs(Decimal(exponential(steps)) / exact - 1) < TOLERANCE


def test_powers_of_e_have_an_end() -> None:
    """Beyond the farthest argument nothing changes, nothing overflows."""
    for steps in (FARTHEST + 1, 10**6, 2**62):
        assert exponential(steps) == exponential(FARTHEST)
        assert exponential(-steps) == exponential(-FARTHEST) > 0


def test_square_roots_are_accurate() -> None:
    """Against the machine's own, down to the smallest numbers there are."""
    for share in shares():
        assert square_root_of_share(share) == pytest.approx(sqrt(share), rel=1e-14, abs=0)


def test_compiled_they_have_the_same_bits() -> None:
    """Not about the same: equal."""
    compiled = cpu.tactics().elementary
    assert [compiled.exponential(n) for n in numbers()] == [*map(exponential, numbers())]
    fast = [compiled.square_root_of_share(share) for share in shares()]
    assert fast == [*map(square_root_of_share, shares())]
