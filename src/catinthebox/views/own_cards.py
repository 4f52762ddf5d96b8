"""What each seat knows of a round beyond what everybody sees: its own cards (R33).

Together with `public_round` it says the same as the views of all seats, for less work.

>>> from catinthebox.game import Round
>>> round = Round.deal(("1223345566", "1123344556", "1122344566"))
>>> first, *_ = mine(round.replay("-2 -3 -4 =1 =3 =4"))
>>> first.discard, first.holdings[1]
(2, Holding(rank=2, copies=1, colors='rbyg'))
>>> [action.notation for action in first.actions[:3]]
['1b', '2b', '3b']
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from ..game import ACTIONS, Action, Round
from ..rules.actions import legal_actions
from ..rules.layout import (
    COLUMN,
    DISCARD,
    DISCARDING,
    HAND,
    MAX_RANK,
    PHASE,
    PLAYERS,
    TURN,
)
from ..rules.sight import could_be
from .public_round import color_letters

COLUMNS: Final = [COLUMN << rank >> 1 for rank in range(MAX_RANK + 1)]  # the cells of a rank


class Holding(NamedTuple):
    """The cards of one rank in a hand."""

    rank: int
    copies: int
    colors: str  # letters of the colors they could still be (R12, R13)


class Mine(NamedTuple):
    """The own cards of a seat, as the rules hold them."""

    hand: int  # counts per rank
    discard: int  # the rank set aside, 0 = none yet
    could_be: int  # the cells that cards of the hand could still take (R12, R13)
    legal: int  # everything the seat may do now, as a set of action ids

    @property
    def holdings(self) -> tuple[Holding, ...]:
        """The hand, rank by rank."""
        return tuple(
            [  # a hand has three bits for each rank: an octal digit, rank 1 last
                _holding(rank, copies, self.could_be & COLUMNS[rank])
                for rank, copies in enumerate(f"{self.hand:o}"[::-1], start=1)
                if copies != "0"
            ]
        )

    @property
    def actions(self) -> tuple[Action, ...]:
        """Everything the seat may do now."""
        found, ids = [], self.legal
        while ids:
            found.append(ACTIONS[(ids & -ids).bit_length() - 1])
            ids &= ids - 1
        return tuple(found)


@cache
def _holding(rank: int, copies: str, cells: int) -> Holding:
    """Return the cards of a rank; there are few enough different ones to keep them all."""
    return Holding(rank, int(copies), color_letters(cells))


def mine(round: Round) -> tuple[Mine, ...]:
    """Return by seat what that seat alone knows."""
    s = round.vector
    return tuple(
        [
            Mine(
                s[HAND + seat],
                s[DISCARD + seat],
                could_be(s, seat),
                legal_actions(s, seat) if seat == s[TURN] or s[PHASE] == DISCARDING else 0,
            )
            for seat in range(s[PLAYERS])
        ]
    )
