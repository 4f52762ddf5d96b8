"""A number for a state, the same in every language and representation (see vectors/README.md).

Perft adds up the fingerprints of the states it reaches: the sum does not depend on their order.
"""

from typing import Final

from .layout import *
from .marker import popcount, rule

FACTOR: Final = 1_000_003
PRIME: Final = 2_147_483_647  # products stay below 2**52, sums below 2**58


@rule
def mix(h: int, value: int) -> int:
    """Fold one more number into a fingerprint."""
    return (h * FACTOR + value + 1) % PRIME


@rule
def tokens(may: int) -> int:
    """Color tokens as four bits: red 1, blue 2, yellow 4, green 8."""
    return may & 1 | may >> 15 & 2 | may >> 30 & 4 | may >> 45 & 8


@rule
def led_color(led: int) -> int:
    """Color of the led row + 1, or 0 if nothing was led."""
    if led == 0:
        return 0
    return (popcount((led & -led) - 1) >> 4) + 1


@rule
def fingerprint(s: State) -> int:
    """Everything that matters for the rest of the round, folded into 31 bits."""
    turn = s[TURN] + 1 if s[PHASE] == BIDDING or s[PHASE] == PLAYING else 0
    table = s[PHASE] + 4 * turn + 32 * s[LEADER] + 256 * led_color(s[LED])
    h = mix(0, table + 2048 * s[RED_OPEN] + 4096 * (s[PARADOX] + 1))
    h = mix(h, s[TRICK])
    for seat in range(s[PLAYERS]):
        h = mix(h, s[OWN + seat])
        h = mix(h, s[HAND + seat])
        small = s[WON + seat] + 16 * s[BID + seat] + 128 * s[DISCARD + seat]
        h = mix(h, small + 2048 * tokens(s[MAY + seat]))
    return h
