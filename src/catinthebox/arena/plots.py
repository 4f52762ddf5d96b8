"""Plots as SVG, drawn by hand: dots with whiskers over a scale, a label above each.

Their colors come from the page (`page.CSS`), and they are narrow enough for a phone.

>>> ticks(-1.3, 4.1)
[-1.0, 0.0, 1.0, 2.0, 3.0, 4.0]
>>> shortened("search:rollouts=1000,policy=follow", 20)
'search:rol…cy=follow'
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, isfinite, log10
from typing import Final

from .numbers import tick

WIDTH: Final = 360
EDGE: Final = 10  # room left and right of the scale
ROW: Final = 36  # a label and its whisker
TOP: Final = 6
FOOT: Final = 36  # the scale, and what it counts
LABEL: Final = 46  # characters that fit beside the number
MOST_TICKS: Final = 7


@dataclass(frozen=True)
class Dot:
    """A value with its whiskers; filled if it is clear, colored by its sign."""

    label: str
    value: float
    low: float
    high: float
    number: str  # the value as text
    sign: int = 0
    clear: bool = True


@dataclass(frozen=True)
class Scale:
    """Maps values to horizontal positions."""

    low: float
    high: float

    def x(self, value: float) -> float:
        """Return the position of a value; values outside are drawn at the edge."""
        part = (value - self.low) / (self.high - self.low)
        return EDGE + max(0.0, min(1.0, part)) * (WIDTH - 2 * EDGE)


def differences(dots: Sequence[Dot], about: str, counts: str) -> str:
    """Draw differences with their intervals around a line at zero."""
    return _plot(dots, about, counts, zero=True)


def strengths(dots: Sequence[Dot], about: str, counts: str) -> str:
    """Draw ratings with their uncertainty."""
    return _plot(dots, about, counts, zero=False)


def shortened(text: str, room: int) -> str:
    """Shorten a text in the middle: names of players often differ at their ends."""
    if len(text) <= room:
        return text
    half = (room - 1) // 2
    return f"{text[: room - 1 - half]}…{text[len(text) - half :]}"


def ticks(low: float, high: float) -> list[float]:
    """Return a few round numbers between two values, with zero if it lies between them."""
    step = _step((high - low) / MOST_TICKS)
    return [
        round(step * number, 10) + 0.0 for number in range(ceil(low / step), floor(high / step) + 1)
    ]


def _step(least: float) -> float:
    """Return the smallest of 1, 2, 5, 10 … that is at least a value."""
    power: float = 10.0 ** floor(log10(least))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= least * 0.999)


def _plot(dots: Sequence[Dot], about: str, counts: str, *, zero: bool) -> str:
    scale = _scale(dots, zero)
    bottom = TOP + ROW * len(dots) + 4
    inside = [
        *_grid(scale, bottom, zero),
        *(mark for at, dot in enumerate(dots) for mark in _row(dot, scale, TOP + ROW * at)),
        _text(WIDTH / 2, bottom + 30, counts, "counts", "middle"),
    ]
    size = f'viewBox="0 0 {WIDTH} {bottom + FOOT}"'
    return f'<svg {size} role="img" aria-label="{escape(about)}">\n{_lines(inside)}</svg>\n'


def _scale(dots: Sequence[Dot], zero: bool) -> Scale:
    """Choose a scale that fits all finite whiskers, with a margin."""
    values = [value for dot in dots for value in (dot.low, dot.value, dot.high) if isfinite(value)]
    low, high = min(values), max(values)
    if zero:
        low, high = min(low, 0.0), max(high, 0.0)
    air = (high - low) * 0.05 or 1.0
    return Scale(low - air, high + air)


def _grid(scale: Scale, bottom: float, zero: bool) -> Iterator[str]:
    for value in ticks(scale.low, scale.high):
        kind = "zero" if zero and value == 0 else "grid"
        yield _line(scale.x(value), TOP, scale.x(value), bottom, kind)
        yield _text(scale.x(value), bottom + 14, tick(value, zero), "tick", "middle")


def _row(dot: Dot, scale: Scale, top: float) -> Iterator[str]:
    y = top + 24
    tone = {1: "win", -1: "loss"}.get(dot.sign, "even")
    yield f'<g class="{tone}">'
    yield f"<title>{escape(dot.label)}: {escape(dot.number)}</title>"
    yield _text(EDGE, top + 13, shortened(dot.label, LABEL), "label")
    yield _text(WIDTH - EDGE, top + 13, dot.number, "number", "end")
    yield _line(scale.x(dot.low), y, scale.x(dot.high), y, "whisker")
    for end in (dot.low, dot.high):
        yield _line(scale.x(end), y - 4, scale.x(end), y + 4, "whisker")
    solid = "dot" if dot.clear else "dot hollow"
    yield f'<circle class="{solid}" cx="{_at(scale.x(dot.value))}" cy="{_at(y)}" r="4.5"/>'
    yield "</g>"


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    ends = f'x1="{_at(x1)}" y1="{_at(y1)}" x2="{_at(x2)}" y2="{_at(y2)}"'
    return f'<line class="{kind}" {ends}/>'


def _text(x: float, y: float, text: str, kind: str, anchor: str = "start") -> str:
    place = f'x="{_at(x)}" y="{_at(y)}" text-anchor="{anchor}"'
    return f'<text class="{kind}" {place}>{escape(text)}</text>'


def _at(value: float) -> str:
    return f"{value:.1f}"


def _lines(marks: Sequence[str]) -> str:
    return "".join(f"{mark}\n" for mark in marks)
