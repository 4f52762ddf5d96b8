"""The words of a record and their places: what both forms, text and JSON, are made of.

>>> number(Word("12", Where(1, 9)))
12
"""

from __future__ import annotations

from typing import NamedTuple

from ..errors import CatInTheBoxError, shortened


class RecordError(CatInTheBoxError):
    """A record that cannot be read, or with a wrong claim: where, why, and by which clause."""

    def __init__(self, where: Where, message: str, clause: str = "", code: str = "") -> None:
        cited = f"({clause})"
        text = f"{where}: {message}" + (f" {cited}" if clause and cited not in message else "")
        super().__init__(code or ("record.lie" if clause else "record.syntax"), text, clause)
        self.where = where


class Where(NamedTuple):
    """A place in a record: line and column of a text, or a path into JSON."""

    line: int
    column: int
    path: str = ""

    def __str__(self) -> str:
        return self.path or f"line {self.line}, column {self.column}"


class Word(NamedTuple):
    """A word of a record and its place."""

    text: str
    where: Where


class Line(NamedTuple):
    """A line of a record: its keyword and its words."""

    kind: str
    where: Where
    words: tuple[Word, ...]


def one_word(line: Line) -> Word:
    """Return the only word of a line."""
    if len(line.words) != 1:
        raise RecordError(line.where, f"{line.kind!r} is followed by one word")
    return line.words[0]


def number(word: Word) -> int:
    """Read a number."""
    if not (word.text.isascii() and word.text.isdecimal() and len(word.text) < 4):
        raise RecordError(word.where, f"{shortened(word.text)} is not a number")
    return int(word.text)
