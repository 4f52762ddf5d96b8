"""What each seat knows of a round beyond what everybody sees: its own cards (R33).

For whoever shows a round to many: the public view once, and a few numbers for each seat.

>>> from catinthebox.game import Round
>>> round = Round.deal(("1223345566", "1123344556", "1122344566"))
>>> [cards.discard for cards in mine(round.replay("-2 -3 -4"))]
[2, 3, 4]
"""

from __future__ import annotations

from typing import NamedTuple

from ..game import Round
from ..rules.actions import legal_actions
from ..rules.layout import DISCARD, DISCARDING, FREE, HAND, HELD, MAY, PHASE, PLAYERS, TURN


class Mine(NamedTuple):
    """The own cards of a seat, as the rules hold them."""

    hand: int  # counts per rank
    discard: int  # the rank set aside, 0 = none yet
    could_be: int  # the cells that cards of the hand could still take (R12, R13)
    legal: int  # everything the seat may do now, as a set of action ids


def mine(round: Round) -> tuple[Mine, ...]:
    """Return by seat what that seat alone knows."""
    s = round.vector
    return tuple(
        [
            Mine(
                s[HAND + seat],
                s[DISCARD + seat],
                s[HELD + seat] & s[MAY + seat] & s[FREE],
                legal_actions(s, seat) if seat == s[TURN] or s[PHASE] == DISCARDING else 0,
            )
            for seat in range(s[PLAYERS])
        ]
    )
