"""The words of a record and their places: what both forms, text and JSON, are made of."""

from __future__ import annotations

from typing import NamedTuple

from ..errors import CatInTheBoxError


class RecordError(CatInTheBoxError):
    """A record that cannot be read or that lies: where, why, and against which clause."""

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
