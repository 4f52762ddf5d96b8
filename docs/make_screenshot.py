"""Draw docs/screenshot.svg: a moment of a game as `catinthebox play` shows it in a terminal.

.venv/bin/python docs/make_screenshot.py
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from pathlib import Path
from random import Random
from typing import NamedTuple

from catinthebox import Game, Phase
from catinthebox.cli.play import narration
from catinthebox.cli.play.screen import Screen
from catinthebox.cli.terminal import TRUECOLOR, Terminal, wide
from catinthebox.players import Budget, player
from catinthebox.views import View

OUT = Path(__file__).with_name("screenshot.svg")
CELL, LINE, MARGIN = 8.43, 19, 18
INK, PAPER = "#e8e6e1", "#16181d"


class Span(NamedTuple):
    """A piece of text in one style."""

    text: str
    ink: str
    paper: str | None
    bold: bool


def moment(seed: int, trick: int) -> Game:
    """Let simple opponents play until seat 0 is on turn in a trick."""
    game = Game.new(4).shuffle(Random(seed))
    rng, simple = Random(seed), player("modest")
    while game.round is not None and not game.round.over:
        seat = game.round.to_act[0]
        tricks = sum(game.round.won) + 1
        if game.round.phase is Phase.PLAY and seat == 0 and tricks >= trick and game.round.trick:
            return game
        game = game.play(simple.choose(View.of(game.round, seat), Budget(), rng), seat)
    raise SystemExit(f"seed {seed} ends before trick {trick}")


def spans(line: str) -> Iterator[Span]:
    """Split a line of terminal text into pieces of one style each."""
    style = Span("", INK, None, False)
    for piece in re.split(r"(\x1b\[[0-9;]*m)", line):
        if piece.startswith("\x1b"):
            style = styled(style, piece[2:-1])
        elif piece:
            yield style._replace(text=piece)


def styled(style: Span, codes: str) -> Span:
    """Apply an escape sequence; only those that `Terminal` writes are known."""
    if codes == "0":
        return Span("", INK, None, False)
    if codes == "2":
        return style._replace(ink="#8b8a86")
    colors = [
        f"#{int(r):02x}{int(g):02x}{int(b):02x}"
        for r, g, b in re.findall(r"8;2;(\d+);(\d+);(\d+)", codes)
    ]
    bold = codes.startswith("1")
    return Span("", colors[0], colors[1], bold) if colors else style._replace(bold=bold)


def draw(lines: list[str]) -> str:
    """Draw terminal lines as SVG."""
    width = max(wide(line) for line in lines) * CELL + 2 * MARGIN
    height = len(lines) * LINE + 2 * MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" '
        f'width="{width:.0f}" height="{height}" role="img" '
        'aria-label="A turn in the terminal: the research board, four seats, a trick, the hand">',
        f'<rect width="100%" height="100%" rx="10" fill="{PAPER}"/>',
        '<g font-family="ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace" '
        'font-size="14" style="white-space:pre" xml:space="preserve">',
    ]
    for row, line in enumerate(lines):
        parts += row_parts(line, MARGIN + row * LINE)
    return "\n".join([*parts, "</g></svg>", ""])


def row_parts(line: str, top: float) -> Iterator[str]:
    """Draw one line: papers first, then the text on them."""
    column = 0
    for span in spans(line):
        left, length = MARGIN + column * CELL, wide(span.text) * CELL
        if span.paper:
            yield (
                f'<rect x="{left:.1f}" y="{top:.1f}" width="{length:.1f}" '
                f'height="{LINE - 2}" rx="3" fill="{span.paper}"/>'
            )
        weight = ' font-weight="700"' if span.bold else ""
        if span.text.strip():
            place = f'x="{left:.1f}" y="{top + 13:.1f}" textLength="{length:.1f}"'
            style = f'lengthAdjust="spacingAndGlyphs" fill="{span.ink}"{weight}'
            yield f'<text style="white-space:pre" {place} {style}>{escape(span.text)}</text>'
        column += wide(span.text)


def main() -> None:
    """Write the picture."""
    game = moment(seed=21, trick=5)
    screen = Screen.of(game, 0, Terminal(colors=TRUECOLOR))
    lines = "\n".join([*narration.turn(screen, game, 0), "Your play: ▌"]).splitlines()
    OUT.write_text(draw(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
