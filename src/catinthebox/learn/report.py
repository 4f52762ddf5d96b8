"""The report of a training: one HTML page with its curves, which loads nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Final

from ..arena.page import Block, Drawing, Grid, Heading, Text, html
from ..arena.plots import ticks
from ..files import replacing
from ..game import NotUnderstood
from .log import Figures, read_log

WIDTH: Final = 360
HEIGHT: Final = 180
LEFT: Final = 44  # room for the numbers of the scale
RIGHT: Final = 10
TOP: Final = 10
BOTTOM: Final = 34


@dataclass(frozen=True)
class Curve:
    """A figure of the log, and what the page says about it."""

    key: str
    title: str
    caption: str
    within: str = ""  # the key of its interval's half-width


CURVES: Final = (
    Curve(
        "lone_difference",
        "Points ahead, one among others",
        "Points per round above the mean of the others (careful players in a training, the target "
        "of an exploiter), with 95 % intervals.",
        "lone_difference_within",
    ),
    Curve(
        "many_difference",
        "Points ahead, together",
        "Points per round of networks above one careful player among them.",
    ),
    Curve(
        "lone_share",
        "Rounds won, one among others",
        "The share of the victories, with 95 % intervals.",
        "lone_share_within",
    ),
    Curve("entropy", "Entropy", "How undecided the policy is, in nats."),
    Curve("critic_loss", "Loss of the critic", "Mean squared error, in rewards."),
    Curve("value_loss", "Loss of the value estimate", "Mean squared error, in rewards."),
    Curve("divergence", "Change per iteration", "Divergence of the new policy from the old one."),
    Curve("paradoxes", "Rounds with a paradox", "The share among the rounds of training."),
)


def report(log: Path, out: Path) -> None:
    """Write the page of a log."""
    rows = read_log(log)
    measured = [row for row in rows if "seconds" in row and "iterations" in row]
    if not measured:
        raise NotUnderstood("input.file", f"{log}: nothing was measured yet")
    with replacing(out) as file:
        file.write(html("Training", list(_blocks(rows, measured))).encode())


def _blocks(rows: Sequence[Figures], measured: Sequence[Figures]) -> Iterable[Block]:
    last = measured[-1]
    yield Text(
        f"{last['iterations']:,} iterations, {last['decisions']:,} decisions learned from, "
        f"{last['seconds'] / 60:.1f} minutes."
    )
    for curve in CURVES:
        found = [row for row in measured if curve.key in row]
        if found:
            yield Heading(curve.title)
            yield Drawing(_drawn(curve, found), curve.caption)
    plan: Figures = next((row["plan"] for row in rows if "plan" in row), {})
    if plan:
        yield Heading("Plan")
        pairs = [(str(key), str(value)) for key, value in plan.items()]
        yield Grid("The numbers that decide a training.", ("number", "value"), pairs)
    files = [row for row in rows if "sha256" in row]
    if files:
        yield Heading("Network")
        yield Text(f"{files[-1]['file']}, {files[-1]['bytes']:,} bytes, {files[-1]['sha256']}")


def _drawn(curve: Curve, rows: Sequence[Figures]) -> str:
    """Draw a curve over the minutes of training."""
    minutes = [row["seconds"] / 60 for row in rows]
    values = [float(row[curve.key]) for row in rows]
    widths = [float(row.get(curve.within, 0.0)) for row in rows]
    low = min(value - width for value, width in zip(values, widths, strict=True))
    high = max(value + width for value, width in zip(values, widths, strict=True))
    if high <= low:
        low, high = low - 0.5, high + 0.5
    end = max(*minutes, 1e-3)

    def x(minute: float) -> float:
        return LEFT + minute / end * (WIDTH - LEFT - RIGHT)

    def y(value: float) -> float:
        return TOP + (high - value) / (high - low) * (HEIGHT - TOP - BOTTOM)

    marks = []
    for value in ticks(low, high):
        marks.append(_line(LEFT, y(value), WIDTH - RIGHT, y(value), "grid"))
        marks.append(_text(LEFT - 6, y(value) + 4, f"{value:g}", "end"))
    for minute in ticks(0, end):
        marks.append(_text(x(minute), HEIGHT - BOTTOM + 14, f"{minute:g}", "middle"))
    marks.append(_text(WIDTH / 2, HEIGHT - 4, "minutes", "middle"))
    for minute, value, width in zip(minutes, values, widths, strict=True):
        if width:
            marks.append(_line(x(minute), y(value - width), x(minute), y(value + width), "whisker"))
    path = " ".join(f"{x(m):.1f},{y(v):.1f}" for m, v in zip(minutes, values, strict=True))
    marks.append(f'<polyline points="{path}" fill="none" stroke="var(--win)" stroke-width="1.6"/>')
    about = escape(f"{curve.title}: from {values[0]:.3g} to {values[-1]:.3g}")
    inside = "\n".join(marks)
    return f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{about}">\n{inside}</svg>\n'


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return (
        f'<text class="tick" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
    )
