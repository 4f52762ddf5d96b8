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
FARTHEST: Final = (1 << 14) - 1  # steps: e to the power of 512 is as good as without end

# e to the power of 1 / 32, 2 / 32, 4 / 32, …
E_1: Final = 1.0317434074991028
E_2: Final = 1.0644944589178593
E_4: Final = 1.1331484530668263
E_8: Final = 1.2840254166877414
E_16: Final = 1.6487212707001282
E_32: Final = 2.718281828459045
E_64: Final = 7.38905609893065
E_128: Final = 54.598150033144236
E_256: Final = 2980.9579870417283
E_512: Final = 8886110.520507872
E_1024: Final = 78962960182680.69
E_2048: Final = 6.235149080811617e27
E_4096: Final = 3.887708405994595e55
E_8192: Final = 1.5114276650041035e111

FAR: Final = 2.0**-32
ROOT_OF_FAR: Final = 2.0**-16


@rule
def small_power(far: int) -> float:
    """Return e to the power of the lower seven bits of a number / 32."""
    power = 1.0
    if far & 1:
        power *= E_1
    if far & 2:
        power *= E_2
    if far & 4:
        power *= E_4
    if far & 8:
        power *= E_8
    if far & 16:
        power *= E_16
    if far & 32:
        power *= E_32
    if far & 64:
        power *= E_64
    return power


@rule
def large_power(far: int) -> float:
    """Return e to the power of the next seven bits of a number / 32."""
    power = 1.0
    if far & 128:
        power *= E_128
    if far & 256:
        power *= E_256
    if far & 512:
        power *= E_512
    if far & 1024:
        power *= E_1024
    if far & 2048:
        power *= E_2048
    if far & 4096:
        power *= E_4096
    if far & 8192:
        power *= E_8192
    return power


@rule
def exponential(steps: int) -> float:
    """Return e to the power of steps / 32, with a relative error below 1e-14.

    A number of steps beyond `FARTHEST`, above or below 0, counts as `FARTHEST`.
    """
    far = min(abs(steps), FARTHEST)
    if steps < 0:
        return 1.0 / small_power(far) / large_power(far)
    return small_power(far) / (1.0 / large_power(far))


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
