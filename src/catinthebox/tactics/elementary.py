"""The elementary functions that beliefs need, in plain arithmetic: the same bits on every target.

Libraries round `exp` and powers differently. Here nothing but single operations of IEEE 754 is
used, in a fixed order. The only product that is a term of a sum is one by 0.5, which is exact, so
that a target that fuses multiplications with additions (a GPU) gives the same bits, too: that is
why the last step of `exponential` is a division.

>>> from math import exp, isclose, sqrt
>>> isclose(exponential(-100), exp(-100 / STEPS), rel_tol=1e-14)
True
>>> isclose(square_root_of_share(1e-200), sqrt(1e-200), rel_tol=1e-14)
True
"""

from typing import Final

from ..rules.marker import rule

STEPS: Final = 32  # the argument of `exponential` counts steps of 1 / 32
FARTHEST: Final = (1 << 13) - 1  # steps: e to the power of 256 is as good as without end

# e to the power of -1 / 32, -2 / 32, -4 / 32, …
E_1: Final = 0.9692332344763441
E_2: Final = 0.9394130628134758
E_4: Final = 0.8824969025845955
E_8: Final = 0.7788007830714049
E_16: Final = 0.6065306597126334
E_32: Final = 0.36787944117144233
E_64: Final = 0.1353352832366127
E_128: Final = 0.01831563888873418
E_256: Final = 0.00033546262790251185
E_512: Final = 1.1253517471925912e-07
E_1024: Final = 1.2664165549094176e-14
E_2048: Final = 1.603810890548638e-28
E_4096: Final = 2.572209372642415e-56
E_8192: Final = 6.616261056709485e-112
LEAST: Final = E_8192  # e to the power of -256

FAR: Final = 2.0**-32
ROOT_OF_FAR: Final = 2.0**-16


@rule
def exponential(steps: int) -> float:
    """Return e to the power of steps / 32, with a relative error below 1e-14.

    A number of steps beyond `FARTHEST`, above or below 0, counts as `FARTHEST`. Each binary digit
    of the steps has its factor; they are chosen without a branch, which is faster.
    """
    far = min(max(steps, -FARTHEST), FARTHEST) + FARTHEST + 1
    a = (E_1 if far & 1 else 1.0) * (E_2 if far & 2 else 1.0)
    b = (E_4 if far & 4 else 1.0) * (E_8 if far & 8 else 1.0)
    c = (E_16 if far & 16 else 1.0) * (E_32 if far & 32 else 1.0)
    d = (E_64 if far & 64 else 1.0) * (E_128 if far & 128 else 1.0)
    e = (E_256 if far & 256 else 1.0) * (E_512 if far & 512 else 1.0)
    f = (E_1024 if far & 1024 else 1.0) * (E_2048 if far & 2048 else 1.0)
    g = (E_4096 if far & 4096 else 1.0) * (E_8192 if far & 8192 else 1.0)
    return LEAST / (a * b * (c * d) * (e * f * g))


@rule
def square_root_of_share(x: float) -> float:
    """Return the square root of a number from 0 to 1, with a relative error below 1e-14."""
    if x <= 0.0:
        return 0.0
    scale = 1.0
    while x < FAR:
        x /= FAR
        scale *= ROOT_OF_FAR
    while x < 0.25:
        x *= 4.0
        scale *= 0.5
    root = 0.5 + 0.5 * x
    for _ in range(5):
        root = 0.5 * (root + x / root)  # Newton's method: each turn doubles the right digits
    return scale * root
