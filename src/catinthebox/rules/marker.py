"""What a compiler replaces: the `@rule` marker and the two primitives the rules need.

Interpreted, `rule` returns the function unchanged. A faster target loads the sources of this
folder once more under another package name, with its own `marker` in place of this one, so that
the same function bodies are compiled and nothing is ever ported.
"""

from collections.abc import Callable
from typing import TypeVar

F = TypeVar("F", bound=Callable[..., object])


def rule(function: F) -> F:
    """Mark a function as a rule: integers in, integers out, no allocation, no exception."""
    return function


def popcount(bits: int) -> int:
    """How many bits are set.

    >>> popcount(0b1011)
    3
    """
    return bits.bit_count()


def nth_bit(bits: int, n: int) -> int:
    """Where the n-th set bit lies, the lowest being number 0.

    >>> nth_bit(0b1011, 2)
    3
    """
    for _ in range(n):
        bits &= bits - 1
    return (bits & -bits).bit_length() - 1
