"""What each seat knows of a round beyond what everybody sees: its own cards (R33).

Together with `public_round` it says the same as the views of all seats, for less work.

>>> from catinthebox.game import Round
>>> round = Round.deal(("1223345566", "1123344556", "1122344566"))
>>> first, *_ = mine(round.replay("-2 -3 -4 =1 =3 =4"))
>>> first.discard, first.notations[:3]
(2, ('1b', '2b', '3b'))
>>> f"{first.hand:o}"  # an octal digit for each rank, rank 1 last
'221211'
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from ..game import ACTIONS, Round
from ..rules.actions import legal_actions
from ..rules.layout import (
    DISCARD,
    DISCARDING,
    HAND,
    MAX_RANK,
    PHASE,
    PLAYERS,
    ROW,
    TURN,
)
from ..rules.sight import could_be

FIRST_OF_ROW: Final = range(0, len(ACTIONS), MAX_RANK)  # plays by color, discards, bids


class Mine(NamedTuple):
    """The own cards of a seat, as the rules hold them."""

    hand: int  # counts per rank: an octal digit for each, rank 1 last
    discard: int  # the rank set aside, 0 = none yet
    could_be: int  # the cells that cards of the hand could still take (R12, R13)
    legal: int  # everything the seat may do now, as a set of action ids

    @property
    def notations(self) -> tuple[str, ...]:
        """Everything the seat may do now, in notation."""
        ids = self.legal
        found: tuple[str, ...] = ()
        for first in FIRST_OF_ROW:
            if row := ids >> first & ROW:
                found += _notations(first, row)
        return found


@cache
def _notations(first: int, row: int) -> tuple[str, ...]:
    """Return the actions of a row of nine ids that are in a set; `first` is the id of the first."""
    places = [place for place in range(MAX_RANK) if row >> place & 1]
    return tuple([ACTIONS[first + place].notation for place in places])


def mine(round: Round) -> tuple[Mine, ...]:
    """Return by seat what that seat alone knows."""
    s, all_act = round.vector, round.vector[PHASE] == DISCARDING  # R7
    found: list[Mine] = []
    for seat in range(s[PLAYERS]):
        legal = legal_actions(s, seat) if all_act or seat == s[TURN] else 0
        found.append(Mine(s[HAND + seat], s[DISCARD + seat], could_be(s, seat), legal))
    return tuple(found)
