"""What a seat can do: set a card aside `-5`, bid `=2`, play `5b` (rank, then color).

>>> Action("5b").rank, Action("5b").color, Action("5b").id
(5, <Color.BLUE: 1>, 13)
>>> Action("5x")
Traceback (most recent call last):
catinthebox.game.errors.NotUnderstood: '5x' is not an action; write -5 to discard, =2 to bid, 5b ...
"""

from __future__ import annotations

import re
from enum import Enum
from functools import total_ordering
from typing import Final

from ..rules import actions, layout
from .color import Color
from .errors import NotUnderstood, shortened


class Phase(Enum):
    """Where a round stands."""

    DISCARD = "discard"
    BID = "bid"
    PLAY = "play"
    OVER = "over"

    def __str__(self) -> str:
        return self.value


PHASES: Final = tuple(Phase)  # by their numbers in the rules


@total_ordering
class Action:
    """One of the 49 things a seat can do. There is one object of each; `Action(text)` finds it."""

    __slots__ = ("color", "id", "notation", "number", "phase", "rank")

    id: int
    notation: str
    phase: Phase  # the phase it belongs to
    rank: int  # of the card; 0 for a bid
    color: Color | None  # of a play
    number: int  # of a bid; 0 otherwise

    def __new__(cls, notation: str) -> Action:
        """Find the action with a notation."""
        try:
            return BY_NOTATION[notation]
        except KeyError:
            raise _not_an_action(notation) from None

    @classmethod
    def discard(cls, rank: int) -> Action:
        """Set a card aside (R7)."""
        return cls(f"-{rank}")

    @classmethod
    def bid(cls, number: int) -> Action:
        """Predict a number of tricks (R8)."""
        return cls(f"={number}")

    @classmethod
    def play(cls, rank: int, color: Color) -> Action:
        """Declare a card (R11)."""
        return cls(f"{rank}{color.letter}")

    @property
    def words(self) -> str:
        """The action as people say it."""
        if self.color is not None:
            return f"{self.color} {self.rank}"
        return f"bid {self.number}" if self.number else f"discard {self.rank}"

    def __str__(self) -> str:
        return self.notation

    def __repr__(self) -> str:
        return f"Action({self.notation!r})"

    def __lt__(self, other: object) -> bool:
        return self.id < other.id if isinstance(other, Action) else NotImplemented

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"an action cannot be changed (tried to set {name!r})")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"an action cannot be changed (tried to delete {name!r})")

    def __reduce__(self) -> tuple[type[Action], tuple[str]]:
        return Action, (self.notation,)


def _not_an_action(notation: object) -> NotUnderstood:
    if isinstance(notation, int):
        number = shortened(notation, 9)
        sentence = f"{number} is not an action; ACTIONS[{number}] may be the one meant"
        return NotUnderstood("input.action", sentence)
    if isinstance(notation, str) and re.fullmatch(r"=\d+", notation):
        sentence = f"{notation[1:]:.9} may not be bid; bids are numbers from 1 to 4"
        return NotUnderstood("input.action", sentence, "R8")
    return NotUnderstood(
        "input.action",
        f"{shortened(notation)} is not an action; write -5 to discard, =2 to bid, 5b to play "
        "(rank 1-9, then r, b, y or g)",
    )


def _make(
    id_: int, notation: str, phase: Phase, rank: int, color: Color | None, bid: int
) -> Action:
    action = object.__new__(Action)
    for name, value in zip(
        ("id", "notation", "phase", "rank", "color", "number"),
        (id_, notation, phase, rank, color, bid),
        strict=True,
    ):
        object.__setattr__(action, name, value)
    return action


_RANKS = range(1, layout.MAX_RANK + 1)

ACTIONS: Final = (
    *(
        _make(
            color * layout.MAX_RANK + rank - 1, f"{rank}{color.letter}", Phase.PLAY, rank, color, 0
        )
        for color in Color
        for rank in _RANKS
    ),
    *(
        _make(actions.FIRST_DISCARD + rank - 1, f"-{rank}", Phase.DISCARD, rank, None, 0)
        for rank in _RANKS
    ),
    *(
        _make(actions.FIRST_BID + bid - 1, f"={bid}", Phase.BID, 0, None, bid)
        for bid in range(1, 5)
    ),
)
"""Every action, by its id."""

BY_NOTATION: Final = {action.notation: action for action in ACTIONS}
