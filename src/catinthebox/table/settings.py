"""What the host has chosen for a table. Clocks are off unless somebody asks for them.

>>> Settings(4).game(("Ada", "Bob", "Cyd", "Dan"), starter=2).face.name
'white'
>>> Settings(5, face="white").check()
Traceback (most recent call last):
    ...
catinthebox.game.errors.BadSetup: the white face is not printed for 5 players in the standard ...
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from ..game import Edition, Face, Fairness, Game, NotUnderstood
from .seats import checked_level

DAY: Final = 24 * 60 * 60 * 1000


@dataclass(frozen=True)
class Settings:
    """The choices of a table; times are in milliseconds."""

    players: int
    face: str = ""  # a name, or the text of a face file; empty: the edition's first one
    edition: str = "standard"
    house_rules: bool = False  # R31: a face that is not printed for so many players
    move_ms: int = 0  # for every move; 0 and 0: no clock
    bank_ms: int = 0  # more for the whole game, once a move has taken longer
    grace_ms: int = 60_000  # how long a person may be away before a bot covers the seat
    look_ms: int = 30_000  # how long the end of a round is looked at
    undo_ms: int = 30_000  # how long a request to take back waits for answers
    undo: bool = True
    pause: bool = True
    chat: Literal["off", "preset", "free"] = "preset"
    visibility: Literal["open", "link"] = "link"
    spectators: bool = True
    cover: str = "sharp"  # the bot that plays for people who are away or out of time

    @property
    def clock(self) -> bool:
        """Whether there is a clock."""
        return self.move_ms + self.bank_ms > 0

    def game(
        self, names: tuple[str, ...] | None, starter: int, fairness: Fairness | None = None
    ) -> Game:
        """Set up a game of this table (R1)."""
        text = self.face.startswith("face ")
        return Game.new(
            self.players,
            names=names,
            face=Face.parse(self.face) if text else self.face or None,
            starter=starter,
            edition=Edition.named(self.edition),
            house_rules=self.house_rules,
            fairness=fairness,
        )

    def check(self) -> None:
        """Raise an error if no game could be played so."""
        for name in ("move_ms", "bank_ms", "grace_ms", "look_ms", "undo_ms"):
            if not 0 <= getattr(self, name) <= DAY:
                raise NotUnderstood("input.settings", f"{name}: from 0 to a day ({DAY} ms)")
        checked_level(self.cover)
        self.game(None, 0)
