r"""What a terminal can show: colors or none, Unicode or ASCII, drawings or sentences.

>>> Terminal().tint("5b", Color.BLUE), Terminal(colors=256).tint("5b", Color.BLUE)
('5b', '\x1b[1;38;5;231;48;5;19m5b\x1b[0m')
"""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import TextIOWrapper
from typing import Final, TextIO
from unicodedata import combining, east_asian_width

from ..game import Color

Paint = tuple[int, int, int, int]  # red, green, blue; the number in the palette of 256 colors

WHITE: Final[Paint] = (255, 255, 255, 231)
INK: Final[Paint] = (24, 24, 27, 16)
# Staggered in lightness, so that they differ for every kind of color vision.
FULL: Final[dict[Color, Paint]] = {
    Color.RED: (193, 39, 45, 124),
    Color.BLUE: (11, 60, 140, 19),
    Color.YELLOW: (242, 194, 48, 220),
    Color.GREEN: (47, 168, 138, 36),
}
ON_FULL: Final = {Color.RED: WHITE, Color.BLUE: WHITE, Color.YELLOW: INK, Color.GREEN: INK}
PALE: Final[dict[Color, Paint]] = {  # an empty cell: paper with a hint of its color
    Color.RED: (251, 232, 230, 224),
    Color.BLUE: (229, 235, 248, 189),
    Color.YELLOW: (253, 245, 214, 230),
    Color.GREEN: (226, 245, 239, 194),
}
ON_PALE: Final[dict[Color, Paint]] = {
    Color.RED: (160, 30, 36, 124),
    Color.BLUE: (11, 60, 140, 19),
    Color.YELLOW: (122, 92, 0, 94),
    Color.GREEN: (18, 104, 82, 23),
}
TRUECOLOR: Final = 1 << 24
DRAWING: Final = "Ψħφλ╭─╮│╰╯▸★·→■━═…"
ESCAPE: Final = re.compile(r"\x1b\[[0-9;]*m")
NARROWEST: Final = 40


@dataclass(frozen=True)
class Terminal:
    """The abilities of a terminal; by default those of any pipe, plus Unicode."""

    colors: int = 0  # how many: 0, 256 or 2**24
    unicode: bool = True
    plain: bool = False  # whole sentences, for screen readers
    width: int = 80

    @classmethod
    def of(
        cls, out: TextIO, environ: Mapping[str, str], *, plain: bool = False, no_color: bool = False
    ) -> Terminal:
        """Detect what a stream can show."""
        dull = plain or no_color or bool(environ.get("NO_COLOR")) or environ.get("TERM") == "dumb"
        true = environ.get("COLORTERM", "") in ("truecolor", "24bit")
        colors = 0 if dull or not out.isatty() else TRUECOLOR if true else 256
        width = shutil.get_terminal_size((80, 24)).columns if out.isatty() else 80
        return cls(colors, encodes(out, DRAWING), plain, min(80, max(NARROWEST, width)))

    def pick(self, drawn: str, ascii_only: str) -> str:
        """Choose a character that the terminal can show."""
        return drawn if self.unicode else ascii_only

    def tint(self, text: str, color: Color, *, pale: bool = False, line: bool = False) -> str:
        """Set a background color: pale for free cells, underlined for one's own."""
        if not self.colors:
            return text
        ink, paper = (ON_PALE, PALE) if pale else (ON_FULL, FULL)
        style = ("" if pale else "1;") + ("4;" if line else "")
        codes = f"{style}38;{self._code(ink[color])};48;{self._code(paper[color])}"
        return f"\x1b[{codes}m{text}\x1b[0m"

    def bold(self, text: str) -> str:
        """Make a text bold."""
        return f"\x1b[1m{text}\x1b[0m" if self.colors else text

    def dim(self, text: str) -> str:
        """Make a text faint."""
        return f"\x1b[2m{text}\x1b[0m" if self.colors else text

    def _code(self, paint: Paint) -> str:
        if self.colors == TRUECOLOR:
            return "2;" + ";".join(map(str, paint[:3]))
        return f"5;{paint[3]}"


def encodes(out: TextIO, text: str) -> bool:
    """Whether a stream can encode a text."""
    try:
        text.encode(getattr(out, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def forgive(*streams: TextIO) -> None:
    """Let the standard streams replace characters that they cannot encode."""
    for stream in streams:
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def program() -> str:
    """Return how to run this program again: by its name, if the shell finds it."""
    return "catinthebox" if shutil.which("catinthebox") else shlex.quote(sys.argv[0])


def wide(text: str) -> int:
    """Count the columns that a text takes on the screen.

    >>> wide("猫 cat"), wide(Terminal(colors=256).bold("cat"))
    (6, 3)
    """
    shown = ESCAPE.sub("", text)
    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in shown)


def flow(pieces: Sequence[str], width: int, gap: str = "  ", indent: str = "  ") -> str:
    """Join pieces into lines without breaking a piece.

    >>> print(flow(["one", "two", "three"], width=12))
      one  two
      three
    """
    lines = [""]
    for piece in pieces:
        longer = f"{lines[-1]}{gap}{piece}" if lines[-1] else f"{indent}{piece}"
        if wide(longer) > width and lines[-1]:
            lines.append(f"{indent}{piece}")
        else:
            lines[-1] = longer
    return "\n".join(lines)


def pad(text: str, width: int) -> str:
    """Fill a text with spaces up to a width."""
    return text + " " * (width - wide(text))


def clip(text: str, width: int, ellipsis: str = "…") -> str:
    """Shorten a text that is wider than a width."""
    if wide(text) <= width:
        return text
    while wide(text) > width - wide(ellipsis):
        text = text[:-1]
    return text + ellipsis
