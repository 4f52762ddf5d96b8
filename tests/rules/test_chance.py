"""The generator of chance: one integer, the same everywhere."""

from __future__ import annotations

from collections import Counter

import pytest

from catinthebox.rules.chance import LOW, MULTIPLIER, below, scramble, seeded, step


def numbers(g: int, n: int, count: int) -> list[int]:
    """The next numbers below n of a stream."""
    found = []
    for _ in range(count):
        g = step(g)
        found.append(below(g, n))
    return found


def test_a_stream_is_known_by_its_seed_and_index() -> None:
    """Published numbers: another target must find the same."""
    assert numbers(seeded(7, 17), 40, 2) == [8, 20]
    assert numbers(seeded(7, 17), 40, 50) == numbers(seeded(7, 17), 40, 50)


def test_streams_of_neighbours_have_nothing_in_common() -> None:
    """Seeds and indices, their high halves included."""
    pairs = [(seed, index) for seed in range(30) for index in range(30)]
    pairs += [(1 << 40, 0), (0, 1 << 40), (1 << 40, 1 << 40), (1 << 62, 3)]
    streams = {tuple(numbers(seeded(seed, index), 1000, 6)) for seed, index in pairs}
    assert len(streams) == len(pairs)


def test_a_generator_stays_in_its_range() -> None:
    """Never 0, and every product below 2**63, so that int64 can hold it."""
    for index in range(50):
        g = seeded(3, index)
        for _ in range(50):
            assert 0 < g < MULTIPLIER << 32 < 2**63
            g = step(g)


def test_a_number_is_below_its_bound() -> None:
    """From 0 to n - 1, both ends included."""
    assert (below(0, 45), below(LOW, 45), below(LOW, 1)) == (0, 44, 0)


@pytest.mark.parametrize("n", [2, 5, 36])
def test_numbers_are_equally_likely(n: int) -> None:
    """Chi-square over one stream and over the first numbers of many streams."""
    long = Counter(numbers(seeded(1, 0), n, 200 * n))
    first = Counter(numbers(seeded(1, index), n, 1)[0] for index in range(200 * n))
    for counts in (long, first):
        square = sum((counts[value] - 200) ** 2 / 200 for value in range(n))
        assert square < n + 5 * (2 * n) ** 0.5


def test_scrambling_loses_nothing() -> None:
    """Different numbers stay different, within 32 bits."""
    found = {scramble(x) for x in range(5000)} | {scramble(x << 19) for x in range(1, 5000)}
    assert len(found) == len({*range(5000), *(x << 19 for x in range(1, 5000))})
    assert max(found) <= LOW


def test_the_period_is_as_long_as_it_can_be() -> None:
    """The modulus is a safe prime: itself and its half are prime."""
    modulus = (MULTIPLIER << 32) - 1
    for prime in (modulus, modulus // 2):
        assert [pow(base, prime - 1, prime) for base in (2, 3, 5, 7, 11)] == [1] * 5
