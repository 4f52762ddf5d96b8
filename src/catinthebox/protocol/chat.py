"""What a table keeps of its talk: the last lines, of which nobody can push out all others.

There is room for `CHAT_KEPT` lines. When one more is said, the oldest line of somebody who has left
goes; if all speakers still sit there, the oldest one of whoever has said most. So a visitor who
comes under many names takes the room of their own lines. A client that keeps lines by the same rule
has what a snapshot would show.

>>> ada, ben = ChatLine(0, "Ada", "hello", True, 1), ChatLine(1, "Ben", "wow", True, 2)
>>> talk = remembered((ada, ben, ben), seated={(0, "Ada"), (1, "Ben")}, most=2)
>>> talk == (ada, ben)
True
>>> remembered((ada, ben, ben), seated={(1, "Ben")}, most=2) == (ben, ben)
True
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Set as AbstractSet
from typing import Final, NamedTuple, Protocol, TypeAlias, TypeVar

CHAT_KEPT: Final = 50

Speaker: TypeAlias = tuple[int, str]
"""A seat, and the name of the person who has it, or had it then."""


class ChatLine(NamedTuple):
    """Something that was said."""

    seat: int
    name: str
    text: str
    preset: bool
    at: int


class Words(Protocol):
    """Something that was said, at a table or in a message."""

    @property
    def seat(self) -> int:
        """Where the speaker sat."""

    @property
    def name(self) -> str:
        """What the speaker was called."""


W = TypeVar("W", bound=Words)


def remembered(
    lines: tuple[W, ...], seated: AbstractSet[Speaker], most: int = CHAT_KEPT
) -> tuple[W, ...]:
    """Return what is kept of some lines, the oldest first; `seated` are the people of now."""
    while len(lines) > most:
        place = _expendable(lines, seated)
        lines = lines[:place] + lines[place + 1 :]
    return lines


def _expendable(lines: tuple[W, ...], seated: AbstractSet[Speaker]) -> int:
    """Return the place of the line that is kept no longer."""
    speakers = [(line.seat, line.name) for line in lines]
    gone = [place for place, speaker in enumerate(speakers) if speaker not in seated]
    if gone:
        return gone[0]
    (loudest, _), *_ = Counter(speakers).most_common(1)  # of several, the one who spoke first
    return speakers.index(loudest)
