"""The levels offered to people: a player each, and a sentence that says what to expect.

>>> list(LEVELS), LEVELS["steady"].spec
(['gentle', 'steady', 'sharp', 'fierce'], 'careful')
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Level:
    """A way to play that has a name."""

    name: str
    spec: str  # the player behind it, as `players.player` reads it
    sentence: str


LEVELS: Final = {
    level.name: level
    for level in (
        Level(
            "gentle",
            "modest",
            "It follows when it can and minds its bid, but does not look ahead; "
            "a beginner can win.",
        ),
        Level(
            "steady",
            "careful",
            "It weighs every card against the open board, by rules of thumb; "
            "it leaves a beginner behind.",
        ),
        Level(
            "sharp",
            "search:rollouts=100",
            "It tries its options in imagined deals, 100 times a decision; "
            "it wins more than steady.",
        ),
        Level(
            "fierce",
            "search:ms=40",
            "It searches as sharp does, but for 40 ms a decision; "
            "in a single game the two are hard to tell apart.",
        ),
    )
}
DEFAULT: Final = "sharp"
