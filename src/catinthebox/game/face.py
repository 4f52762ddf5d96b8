"""A face of the research board: where every cell lies (R28). Faces are small text files.

    face purple
    r1 r2 r3 r4 r5 r6 r7 r8 r9 .  .  .
    .  b1 b2 b3 b4 b5 b6 b7 b8 b9 .  .
    …

>>> Face.named("purple").place(Color.BLUE, 1)
(1, 1)
>>> Face.parse(str(Face.named("purple"))) == Face.named("purple")
True
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from ..rules import faces, layout
from ..rules.faces import Place
from .color import Color
from .errors import NotUnderstood, quoted

CELLS: Final = tuple((color, rank) for color in Color for rank in range(1, layout.MAX_RANK + 1))
MAX_SIDE: Final = 36  # no face needs more rows or columns than cells
EMPTY: Final = "."


@dataclass(frozen=True)
class Face:
    """A name and the place (row, column) of every cell, red 1 … red 9, blue 1 … green 9."""

    name: str
    places: tuple[Place, ...]

    @classmethod
    def named(cls, name: str) -> Face:
        """Return one of the faces that come with the game."""
        try:
            return FACES[name]
        except KeyError:
            known = ", ".join(FACES)
            raise NotUnderstood("input.face", f"no face {name!r}; there are {known}") from None

    @classmethod
    def parse(cls, text: str) -> Face:
        """Read a face file: `face NAME`, then the board as it lies on the table."""
        lines = [line.split() for line in text.splitlines() if not line.lstrip().startswith("#")]
        lines = [words for words in lines if words]
        if not lines or lines[0][0] != "face" or len(lines[0]) != 2:
            raise NotUnderstood("input.face", "a face file begins with a line 'face NAME'")
        return cls.from_grid(lines[0][1], lines[1:])

    @classmethod
    def from_grid(cls, name: str, grid: list[list[str]]) -> Face:
        """Read the rows of a board; every problem is reported."""
        found: dict[str, Place] = {}
        problems = []
        for row, words in enumerate(grid):
            for column, word in enumerate(words):
                if word in found:
                    problems.append(f"{word} appears twice")
                elif word in _CELL_NAMES:
                    found[word] = (row, column)
                elif word != EMPTY:
                    problems.append(f"{word!r} in row {row + 1} is neither a cell like b5 nor '.'")
        missing = [cell for cell in _CELL_NAMES if cell not in found]
        if missing:
            problems.append(f"missing: {' '.join(missing)}")
        if len(grid) > MAX_SIDE or any(len(words) > MAX_SIDE for words in grid):
            problems.append(f"larger than {MAX_SIDE} rows or columns")
        if len(name) > MAX_SIDE or not name.isprintable() or name.split() != [name]:
            problems.append(f"its name is not one word of at most {MAX_SIDE} characters")
        if problems:
            raise NotUnderstood("input.face", f"face {quoted(name)}: {'; '.join(problems)}")
        face = cls(name, tuple(found[cell] for cell in _CELL_NAMES))
        if name in FACES and not face.standard:
            raise NotUnderstood("input.face", f"the name {name!r} belongs to another face")
        return face

    def __hash__(self) -> int:
        return hash(self.name)  # different faces rarely share a name

    @property
    def standard(self) -> bool:
        """Whether it comes with the game."""
        return FACES.get(self.name) == self

    @cached_property
    def touch(self) -> list[int]:
        """For every cell the cells it touches, as the rules need it."""
        return faces.touching(
            {
                layout.cell_of(color, rank): place
                for (color, rank), place in zip(CELLS, self.places, strict=True)
            }
        )

    def place(self, color: Color, rank: int) -> Place:
        """Where a cell lies: row and column, from 0."""
        return self.places[color * layout.MAX_RANK + rank - 1]

    def grid(self) -> Iterator[list[tuple[Color, int] | None]]:
        """The board row by row: cells, and None where nothing lies."""
        at = dict(zip(self.places, CELLS, strict=True))
        for row in range(max(row for row, _ in self.places) + 1):
            width = max((column for r, column in self.places if r == row), default=-1) + 1
            yield [at.get((row, column)) for column in range(width)]

    def __str__(self) -> str:
        rows = [
            " ".join(f"{cell[0].letter}{cell[1]}" if cell else f"{EMPTY} " for cell in row) or EMPTY
            for row in self.grid()
        ]
        return "\n".join([f"face {self.name}", *rows]) + "\n"

    def __repr__(self) -> str:
        return f"Face.named({self.name!r})" if self.standard else f"Face.parse({str(self)!r})"


def _shipped(name: str, places: faces.Places) -> Face:
    return Face(name, tuple(places[cell] for cell in faces.CELLS))


_CELL_NAMES: Final = tuple(f"{color.letter}{rank}" for color, rank in CELLS)

WHITE: Final = _shipped("white", faces.white())  # R29
BLACK: Final = _shipped("black", faces.white())  # R29, R34: the first edition's name for it
PURPLE: Final = _shipped("purple", faces.purple())  # R30
FACES: Final = {face.name: face for face in (WHITE, BLACK, PURPLE)}
