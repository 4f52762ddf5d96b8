"""The four colors, in the order of the research board.

>>> Color.of("b"), Color.of("Yellow"), str(Color.RED), Color.GREEN.letter
(<Color.BLUE: 1>, <Color.YELLOW: 2>, 'red', 'g')
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

from ..rules import layout
from .errors import NotUnderstood


class Color(IntEnum):
    """A color a card may be declared in. Red is trump (R18)."""

    RED = layout.RED
    BLUE = layout.BLUE
    YELLOW = layout.YELLOW
    GREEN = layout.GREEN

    @classmethod
    def of(cls, text: str) -> Color:
        """Read a color from its letter or its name."""
        for color in cls:
            if text.lower() in (color.letter, str(color)):
                return color
        raise NotUnderstood("input.color", f"{text!r} is not a color; colors are r, b, y, g")

    @property
    def letter(self) -> str:
        """The color in notation: r, b, y or g."""
        return "rbyg"[self]

    def __str__(self) -> str:
        return self.name.lower()


def color_words(colors: Sequence[Color], joint: str = "or") -> str:
    """Write colors as people do.

    >>> color_words([Color.RED, Color.BLUE, Color.GREEN])
    'red, blue or green'
    """
    words = [str(color) for color in colors]
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {joint} {words[-1]}"
