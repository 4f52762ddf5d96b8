"""Draws antialiased shapes and letters with NumPy.

A shape is an alpha mask around its center, computed from distances to an outline, so that it is
smooth at any size. Pillow draws ellipses and polygons
without smooth edges, and would be one more dependency of the environments.

>>> sheet = Sheet(40, 40, (255, 255, 255))
>>> sheet.put(disc(10), 20, 20, (200, 0, 0))
>>> sheet.pixels()[20, 20].tolist(), sheet.pixels()[1, 1].tolist()
([200, 0, 0], [255, 255, 255])
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from math import cos, pi, sin
from typing import Final

from ..optional import needs

with needs("numpy", extra="envs"):
    import numpy as np
    from numpy.typing import NDArray

Ink = NDArray[np.float64]  # from 0 to 1, an odd number of pixels each way
Tint = tuple[int, int, int]
Point = tuple[float, float]

# Letters on a grid of 5 by 7 points, pen strokes parted by '|'.
LETTERS: Final = {
    "0": "10 30 41 45 36 16 05 01 10",
    "1": "11 20 26|16 36",
    "2": "01 10 30 41 42 06 46",
    "3": "01 10 30 41 42 33 13|33 44 45 36 16 05",
    "4": "36 30 04 44",
    "5": "40 00 02 32 43 45 36 16 05",
    "6": "41 30 10 01 05 16 36 45 44 33 03",
    "7": "00 40 16",
    "8": "10 30 41 42 33 13 02 01 10|13 04 05 16 36 45 44 33",
    "9": "43 13 02 01 10 30 41 45 36 16 05",
    "-": "13 33",
    "A": "06 20 46|14 34",
    "B": "00 06 36 45 44 33 03|33 42 41 30 00",
    "C": "41 30 10 01 05 16 36 45",
    "D": "00 06 26 45 41 20 00",
    "E": "40 00 06 46|03 33",
    "I": "20 26",
    "K": "00 06|40 03 46",
    "L": "00 06 46",
    "N": "06 00 46 40",
    "O": "10 30 41 45 36 16 05 01 10",
    "P": "06 00 30 41 42 33 03",
    "R": "06 00 30 41 42 33 03|23 46",
    "S": "41 30 10 01 02 13 33 44 45 36 16 05",
    "T": "00 40|20 26",
    "V": "00 26 40",
    "W": "00 16 23 36 40",
    "X": "00 46|40 06",
    "Y": "00 23 40|23 26",
}


class Sheet:
    """A picture to draw on."""

    def __init__(self, width: int, height: int, ground: Tint) -> None:
        self._paint = np.empty((height, width, 3))
        self._paint[:] = ground

    def put(self, ink: Ink, x: float, y: float, tint: Tint) -> None:
        """Draw a mask with its center at (x, y); it must fit on the sheet."""
        high, wide = ink.shape
        top, left = round(y) - high // 2, round(x) - wide // 2
        place = self._paint[top : top + high, left : left + wide]
        place += ink[..., None] * (np.array(tint) - place)

    def write(self, text: str, x: float, y: float, size: float, tint: Tint) -> None:
        """Write a text with its left edge at x and its center at y."""
        for index, letter in enumerate(text):
            if letter != " ":
                self.put(glyph(letter, size), x + size * (0.36 + 0.86 * index), y, tint)

    def pixels(self) -> NDArray[np.uint8]:
        """Return the picture as rows of RGB pixels."""
        return np.rint(self._paint).astype(np.uint8)


def _around(half_width: float, half_height: float) -> tuple[Ink, Ink]:
    """Return the coordinates of the pixels around a center, with room for a soft edge."""
    wide, high = int(half_width) + 2, int(half_height) + 2
    y, x = np.mgrid[-high : high + 1, -wide : wide + 1].astype(np.float64)
    return x, y


def _inked(distance: Ink) -> Ink:
    return np.clip(0.5 - distance, 0.0, 1.0)


@cache
def disc(radius: float) -> Ink:
    """Return the mask of a filled circle."""
    x, y = _around(radius, radius)
    return _inked(np.hypot(x, y) - radius)


@cache
def box(width: float, height: float, corner: float = 6, line: float = 0) -> Ink:
    """Return the mask of a box with round corners, filled or as an outline."""
    x, y = _around(width / 2, height / 2)
    across, down = abs(x) - width / 2 + corner, abs(y) - height / 2 + corner
    outside = np.hypot(np.maximum(across, 0), np.maximum(down, 0))
    distance = outside + np.minimum(np.maximum(across, down), 0) - corner
    return _inked(abs(distance + line / 2) - line / 2 if line else distance)


@cache
def glyph(letter: str, size: float) -> Ink:
    """Return the mask of a letter, drawn with a round pen."""
    x, y = _around(size * 0.55, size * 0.65)
    distance = np.full(x.shape, np.inf)
    for stroke in LETTERS[letter].split("|"):
        points = [
            ((int(at[0]) / 4 - 0.5) * size * 0.6, (int(at[1]) / 6 - 0.5) * size)
            for at in stroke.split()
        ]
        for begin, end in pairwise(points):
            distance = np.minimum(distance, _to_line(x, y, begin, end))
    return _inked(distance - max(0.7, size * 0.075))


@cache
def suit(color: int, radius: float) -> Ink:
    """Return the shape of a color, so that colors differ by shape, too."""
    if color == 1:
        return disc(radius * 0.85)
    return polygon(SUIT_POINTS[color], radius)


@cache
def polygon(points: tuple[Point, ...], scale: float) -> Ink:
    """Return the mask of a filled polygon."""
    x, y = _around(scale, scale)
    corners = [(px * scale, py * scale) for px, py in points]
    distance = np.full(x.shape, np.inf)
    inside = np.zeros(x.shape, dtype=bool)
    for (ax, ay), (bx, by) in zip(corners, [*corners[1:], corners[0]], strict=True):
        distance = np.minimum(distance, _to_line(x, y, (ax, ay), (bx, by)))
        if ay != by:
            crosses = (ay > y) != (by > y)
            inside ^= crosses & (x < (bx - ax) * (y - ay) / (by - ay) + ax)
    return _inked(np.where(inside, -distance, distance))


def _to_line(x: Ink, y: Ink, begin: Point, end: Point) -> Ink:
    """Return the distance of every pixel from a line segment."""
    (ax, ay), (bx, by) = begin, end
    along = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2)
    along = np.clip(along, 0.0, 1.0)
    return np.hypot(x - ax - along * (bx - ax), y - ay - along * (by - ay))


def _star(tips: int, inner: float) -> tuple[Point, ...]:
    turns: Sequence[float] = [pi * (step / tips - 0.5) for step in range(2 * tips)]
    reach = [1.0, inner] * tips
    return tuple((r * cos(turn), r * sin(turn)) for r, turn in zip(reach, turns, strict=True))


SUIT_POINTS: Final = {
    0: ((0.0, -0.9), (0.95, 0.75), (-0.95, 0.75)),
    2: _star(5, 0.45),
    3: ((0.0, -1.0), (0.8, 0.0), (0.0, 1.0), (-0.8, 0.0)),
}
