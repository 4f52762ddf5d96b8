"""Randomness as an argument: a generator that is one integer, the same on every target.

`seeded(seed, index)` opens stream number `index` of a seed, so that round 17 of seed 7 is the same
for all players, in any order, on any machine. `step` gives the next generator, `below`
reads a number from it. The generator multiplies with carry: its low half is the number, its high
half the carry, and every product stays below 2**63.

>>> g = step(seeded(7, 17))
>>> below(g, 40), below(step(g), 40)
(8, 20)
"""

from typing import Final

from .marker import rule

HALF: Final = 32
LOW: Final = (1 << HALF) - 1
MULTIPLIER: Final = 0x6D2B_795A  # MULTIPLIER * 2**32 - 1 is a safe prime: the period is half of it


@rule
def scramble(x: int) -> int:
    """Scatter 32 bits so that neighbours have nothing in common."""
    x ^= x >> 15
    x = x * 0x2C1B_3C6D & LOW
    x ^= x >> 12
    x = x * 0x297A_2D39 & LOW
    return x ^ x >> 15


@rule
def seeded(seed: int, index: int) -> int:
    """Open the stream of a seed and an index, both below 2**63."""
    low = scramble(scramble(seed & LOW) ^ index & LOW)
    high = scramble(low ^ seed >> HALF ^ scramble(index >> HALF) ^ 0x5BD1_E995)
    return high >> 2 << HALF | low | 1  # below MULTIPLIER << HALF, and never 0


@rule
def step(g: int) -> int:
    """Return the next generator."""
    return MULTIPLIER * (g & LOW) + (g >> HALF)


@rule
def below(g: int, n: int) -> int:
    """Read a number from 0 to n - 1; n is far below 2**31, so the bias is below n / 2**32."""
    return (g & LOW) * n >> HALF
