"""Observations as numbers, field by field, and masks of legal actions.

The numbers are `rules.encode` of `rules.sight`; a whole match adds the points so far. The functions
are compiled if numba is installed, else interpreted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Final

from ..optional import needs
from ..rules import sight
from ..rules.actions import ACTIONS
from ..rules.encode import FIELDS, WIDTH, encode
from ..rules.layout import MAX_SEATS, SIZE, State

with needs("numpy", extra="envs"):
    import numpy as np
    from numpy.typing import NDArray

Numbers = NDArray[np.int8]
DictObservation = dict[str, Numbers]

MATCH_FIELDS: Final = (
    ("totals", MAX_SEATS),  # points of the rounds before this one, by seat
    ("rounds_left", 1),  # rounds still to come after this one
)
HIGHEST: Final = {"hand": 5, "bid": 4, "won": 8, "cards": 10, "left": 8, "rounds_left": 4}
MOST_POINTS: Final = 60  # F6: at most 12 a round, five rounds; R24: at worst -8 a round


def fields(length: str) -> tuple[tuple[str, int], ...]:
    """Return the fields of an observation and their widths, in order."""
    return (*FIELDS, *MATCH_FIELDS) if length == "match" else FIELDS


def bounds(length: str) -> tuple[Numbers, Numbers]:
    """Return the lowest and the highest value of every number."""
    low, high = [], []
    for name, width in fields(length):
        points = name == "totals"
        low += [-MOST_POINTS if points else 0] * width
        high += [MOST_POINTS if points else HIGHEST.get(name, 1)] * width
    return np.array(low, dtype=np.int8), np.array(high, dtype=np.int8)


def mask(ids: int) -> Numbers:
    """Return a set of action ids as an array of 49 zeros and ones.

    >>> np.flatnonzero(mask(0b1001))
    array([0, 3])
    """
    octets = np.frombuffer(ids.to_bytes(7, "little"), dtype=np.uint8)
    return np.unpackbits(octets, bitorder="little")[:ACTIONS].astype(np.int8)


def observation(s: State, seat: int) -> Numbers:
    """Return a seat's observation of a round."""
    return _implementation()(s, seat)


def match_observation(s: State, seat: int, totals: Sequence[int], rounds_left: int) -> Numbers:
    """Return a seat's observation of a round in a match, with the points so far."""
    order = [*totals[seat:], *totals[:seat], *[0] * (MAX_SEATS - len(totals)), rounds_left]
    return np.concatenate([observation(s, seat), np.array(order, dtype=np.int8)])


@cache
def _implementation() -> Callable[[State, int], Numbers]:
    try:
        return _compiled()
    except ModuleNotFoundError:
        return interpreted


def interpreted(s: State, seat: int) -> Numbers:
    """Observe with the interpreted rules."""
    v, numbers = [0] * SIZE, [0] * WIDTH
    sight.observe(s, seat, v)
    encode(v, seat, numbers)
    return np.array(numbers, dtype=np.int8)


def _compiled() -> Callable[[State, int], Numbers]:
    from ..fast import cpu  # noqa: PLC0415 (numba takes a second to import, and may be missing)

    rules = cpu.rules()

    def observe(s: State, seat: int) -> Numbers:
        v, numbers = np.empty(SIZE, dtype=np.int64), np.empty(WIDTH, dtype=np.int8)
        rules.sight.observe(np.array(s, dtype=np.int64), seat, v)
        rules.encode.encode(v, seat, numbers)
        return numbers

    return observe
