"""The text form of a record: one line, one keyword, words between blanks.

>>> [word.where for word in split("bids =1 =3")[0].words]
[Where(line=1, column=6, path=''), Where(line=1, column=9, path='')]
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..game import Game
from .check import check
from .lines import Line, RecordError, Where, Word
from .serialize import PlainLine, record_lines

SPACED = ("round", "result")  # a blank line stands before these
MAX_LINES = 2_000  # a whole game has under a hundred; a limit against huge files
MAX_WIDTH = 1_000


def write(game: Game) -> str:
    """Write a game as a `.cat` record."""
    return "".join(f"{line}\n" for each in record_lines(game) for line in _printed(each))


def read(text: str) -> Game:
    """Read a `.cat` record; raise `RecordError` if it is malformed or a claim is wrong."""
    return check(split(text), cut=not text.endswith("\n"))


def _printed(plain: PlainLine) -> Iterator[str]:
    kind, words = plain
    if kind in SPACED:
        yield ""
    yield " ".join([kind, (" | " if kind == "names" else " ").join(words)])


def split(text: str) -> list[Line]:
    """Split a text into lines and words with their places; '#' begins a comment line."""
    rows = text.splitlines()
    if len(rows) > MAX_LINES:
        raise RecordError(Where(MAX_LINES, 1), f"a record has at most {MAX_LINES} lines")
    return [line for number, row in enumerate(rows, start=1) for line in _line(number, row)]


def _line(number: int, row: str) -> Iterator[Line]:
    if len(row) > MAX_WIDTH:
        raise RecordError(Where(number, MAX_WIDTH), f"a line has at most {MAX_WIDTH} characters")
    words = [
        Word(found.group(), Where(number, found.start() + 1)) for found in re.finditer(r"\S+", row)
    ]
    if not words or words[0].text.startswith("#"):
        return
    kind, where = words[0]
    if kind == "names":
        words[1:] = _names(number, row)
    yield Line(kind, where, tuple(words[1:]))


def _names(number: int, row: str) -> Iterator[Word]:
    """Names may contain blanks; a bar divides them."""
    begin = row.index("names") + len("names")
    for found in re.finditer(r"(?:^|(?<=\|))[^|]*", row[begin:]):
        name = found.group()
        indent = len(name) - len(name.lstrip())
        yield Word(name.strip(), Where(number, begin + found.start() + indent + 1))
