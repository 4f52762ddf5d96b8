"""The settings of a table, chosen by its host. Clocks are off by default.

>>> Settings(4).game(("Ada", "Bob", "Cyd", "Dan"), starter=2).face.name
'white'
>>> Settings(5, face="white").check()
Traceback (most recent call last):
    ...
catinthebox.game.errors.BadSetup: the white face is not printed for 5 players in the standard ...
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta

from ..game import Edition, Face, Fairness, Game, NotUnderstood
from ..game.errors import quoted
from .fields import Part

DAY: Final = 24 * 60 * 60 * 1000
LEVEL: Final = re.compile(r"[a-z0-9:=,_.-]{1,64}")  # the level of a bot


Span: TypeAlias = Annotated[int, Meta(ge=0, le=DAY)]


class Settings(Part, frozen=True, dict=True):  # the dict holds `clock`
    """The settings of a table; times are in milliseconds."""

    players: Annotated[int, Meta(ge=2, le=5)]
    face: Annotated[
        str,
        Meta(
            description="the name of a face, or the text of a face file; empty: the edition's first"
        ),
    ] = ""
    edition: str = "standard"
    house_rules: Annotated[
        bool, Meta(description="allow a face that is not printed for this number of players")
    ] = False  # R31
    move_ms: Annotated[
        Span, Meta(description="the time for each move; if bank_ms is 0, too, there is no clock")
    ] = 0
    bank_ms: Annotated[
        Span, Meta(description="a time bank for the whole game, used when a move takes longer")
    ] = 0
    grace_ms: Annotated[
        Span, Meta(description="how long a person may be disconnected before a bot plays for them")
    ] = 60_000
    look_ms: Annotated[Span, Meta(description="how long the end of a round is shown")] = 30_000
    undo_ms: Annotated[Span, Meta(description="how long a request to undo waits for answers")] = (
        30_000
    )
    undo: Annotated[bool, Meta(description="whether actions can be taken back")] = True
    pause: Annotated[bool, Meta(description="whether people may pause the game")] = True
    chat: Annotated[
        Literal["off", "preset", "free"],
        Meta(description="no chat, preset phrases only, or phrases and texts"),
    ] = "preset"
    visibility: Annotated[
        Literal["open", "link"],
        Meta(description="listed in the lobby, or only for people with the link"),
    ] = "link"
    spectators: Annotated[bool, Meta(description="whether people may watch without a seat")] = True
    cover: Annotated[
        str, Meta(description="the bot that plays for people who are disconnected or out of time")
    ] = "sharp"

    @cached_property
    def clock(self) -> bool:
        """Whether there is a clock."""
        return self.move_ms + self.bank_ms > 0

    def game(
        self, names: tuple[str, ...] | None, starter: int, fairness: Fairness | None = None
    ) -> Game:
        """Set up a game with these settings (R1)."""
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
        """Raise an error if no game can be played with these settings."""
        for name in ("move_ms", "bank_ms", "grace_ms", "look_ms", "undo_ms"):
            if not 0 <= getattr(self, name) <= DAY:
                raise NotUnderstood("input.settings", f"{name}: from 0 to a day ({DAY} ms)")
        checked_level(self.cover)
        self.game(None, 0)


def checked_level(level: str) -> str:
    """Return the level of a bot, or raise `NotUnderstood` if it is not well-formed."""
    if not LEVEL.fullmatch(level):
        sentence = f"{quoted(level)} is not a level: 1 to 64 of a-z, 0-9 and : = , _ . -"
        raise NotUnderstood("input.level", sentence)
    return level
