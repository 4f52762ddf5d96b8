"""What a seat may know: a vector with the same slots, built up from the public ones (R32, R33).

Another seat's hand is 0, and its discard is FACE_DOWN: that a card lies there is public, its rank
is not. A causer's hand is shown (R22). The seat NOBODY sees what everybody sees.

>>> s, v = [0] * SIZE, [0] * SIZE
>>> s[PLAYERS], s[PARADOX], s[HAND], s[HAND + 1], s[DISCARD + 1] = 3, NOBODY, 0o12, 0o21, 5
>>> observe(s, 0, v)
>>> v[HAND] == 0o12, v[HAND + 1], v[DISCARD + 1] == FACE_DOWN
(True, 0, True)
"""

from typing import Final

from .layout import *
from .marker import rule

FACE_DOWN: Final = MAX_RANK + 1  # in place of a discard's rank: somebody else's, unseen

# R32: what lies open on the table. A slot that is not named here is not seen.
PUBLIC: Final = (
    PLAYERS,
    STARTER,
    PHASE,
    TURN,
    LEADER,
    LED,
    BEST,
    LEFT,
    FREE,
    TRICK,
    RED_OPEN,
    PARADOX,
)
PUBLIC_OF_SEAT: Final = (MAY, OWN, WON, BID)


@rule
def observe(s: State, seat: int, v: State) -> None:
    """Write into `v` exactly what a seat may know of `s`; `v` may not be `s`."""
    for slot in range(SIZE):
        v[slot] = 0
    for slot in PUBLIC:
        v[slot] = s[slot]
    for other in range(s[PLAYERS]):
        for slot in PUBLIC_OF_SEAT:
            v[slot + other] = s[slot + other]
        if other == seat or other == s[PARADOX]:  # R22: the causer's hand is shown
            v[HAND + other] = s[HAND + other]
            v[HELD + other] = s[HELD + other]
        if other == seat:
            v[DISCARD + other] = s[DISCARD + other]
        elif s[DISCARD + other] != 0:  # R7: never shown, also not after the round
            v[DISCARD + other] = FACE_DOWN
    if s[TURN] == seat:  # what another seat may declare would reveal its hand
        v[LEGAL] = s[LEGAL]


@rule
def hand_size(v: State, seat: int) -> int:
    """How many cards a seat holds, from public slots alone (R32)."""
    size = v[LEFT] + 1  # R19: one card stays in the hand
    if v[PHASE] == DISCARDING:
        return size + (v[DISCARD + seat] == 0)
    return size - (v[OWN + seat] & v[TRICK] != 0)


@rule
def could_be(s: State, seat: int) -> int:
    """Return the cells that cards of a seat could still take: an empty cell, a color token."""
    return s[HELD + seat] & s[MAY + seat] & s[FREE]  # R12, R13
