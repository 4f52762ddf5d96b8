"""The levels offered to people: a player each, and a sentence that says what to expect.

A level is data: a kind of player (`tactics.kinds`) and its parameters. `Level.data` is the same as
JSON, for programs in other languages that play the same levels with the same rules.

>>> list(LEVELS), LEVELS["sharp"].spec
(['gentle', 'steady', 'sharp', 'fierce', 'uncanny'], 'search:rollouts=100')
>>> LEVELS["sharp"].data
{'name': 'sharp', 'kind': 'search', 'slips': 0, 'rollouts': 100, 'ms': None}
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ..tactics.careful import ALWAYS


@dataclass(frozen=True)
class Level:
    """A way to play that has a name."""

    name: str
    kind: str  # one of `tactics.kinds.KINDS`
    sentence: str
    slips: float = 0.0  # for `careful`
    rollouts: int | None = None  # for `search`
    ms: int | None = None  # for `search`

    @property
    def spec(self) -> str:
        """The player behind it, as `players.player` reads it."""
        given = {"slips": self.slips, "rollouts": self.rollouts, "ms": self.ms}
        words = ",".join(f"{key}={value}" for key, value in given.items() if value)
        return f"{self.kind}:{words}" if words else self.kind

    @property
    def data(self) -> dict[str, str | int | None]:
        """Its name, its kind and the parameters of the rules, as JSON."""
        slips = round(self.slips * ALWAYS)  # as `tactics.careful.slipping_action` takes it
        limits = {"rollouts": self.rollouts, "ms": self.ms}
        return {"name": self.name, "kind": self.kind, "slips": slips, **limits}


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
            "search",
            "It tries its options in imagined deals, 100 times a decision; "
            "it wins more than steady.",
            rollouts=100,
        ),
        Level(
            "fierce",
            "search",
            "It searches as sharp does, but for 40 ms a decision; "
            "in a single game the two are hard to tell apart.",
            ms=40,
        ),
        Level(
            "uncanny",
            "net",
            "It learned the game from millions of rounds against itself, and answers at once; "
            "it wins more than fierce.",
        ),
    )
}
DEFAULT: Final = "sharp"
