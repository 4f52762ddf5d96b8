r"""A page is a list of blocks, written as Markdown or as a self-contained HTML file.

Texts are escaped here, and only here; only a drawing is written as it is. The HTML loads no
script, font or picture.

>>> markdown("A *title*", [Text("1 < 2")])
'# A \\*title\\*\n\n1 &lt; 2\n'
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TypeAlias


@dataclass(frozen=True)
class Heading:
    """The title of a section (2) or of a part of it (3)."""

    text: str
    level: int = 2


@dataclass(frozen=True)
class Text:
    """A paragraph."""

    text: str


@dataclass(frozen=True)
class Items:
    """A list."""

    items: Sequence[str]


@dataclass(frozen=True)
class ReportCell:
    """A cell of a grid: a number, a small line below it, and a tone such as `win2` as color."""

    text: str
    small: str = ""
    tone: str = ""


@dataclass(frozen=True)
class Grid:
    """A table; the first column names the rows."""

    caption: str
    head: Sequence[str]
    rows: Sequence[Sequence[str | ReportCell]]


@dataclass(frozen=True)
class Drawing:
    """An SVG, made by `plots`; Markdown leaves it out."""

    svg: str
    caption: str


Block: TypeAlias = Heading | Text | Items | Grid | Drawing


# ── Markdown ─────────────────────────────────────────────────────────────────────────────────


def markdown(title: str, blocks: Sequence[Block]) -> str:
    """Write a page as Markdown."""
    parts = [f"# {_md(title)}", *(_md_block(block) for block in blocks)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _md_block(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"{'#' * level} {_md(text)}"
        case Text(text):
            return _md(text)
        case Items(items):
            return "\n".join(f"- {_md(item)}" for item in items)
        case Grid():
            return _md_grid(block)
        case Drawing():
            return ""


def _md_grid(grid: Grid) -> str:
    lines = [grid.head, ["---"] + ["---:"] * (len(grid.head) - 1)]
    rows = [
        [_md(word) for word in lines[0]],
        lines[1],
        *([*map(_md_cell, row)] for row in grid.rows),
    ]
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    return f"{_md(grid.caption)}\n\n{table}"


def _md_cell(cell: str | ReportCell) -> str:
    if isinstance(cell, str):
        return _md(cell)
    return _md(f"{cell.text} ({cell.small})" if cell.small else cell.text)


def _md(text: str) -> str:
    """Escape a text for Markdown, on one line."""
    words = " ".join(text.split())
    words = escape(words, quote=False)
    return re.sub(r"([\\`*_{}\[\]#|~!])", r"\\\1", words)


# ── HTML ─────────────────────────────────────────────────────────────────────────────────────


def html(title: str, blocks: Sequence[Block]) -> str:
    """Write a page as HTML."""
    body = "".join(_html_block(block, at) for at, block in enumerate(blocks))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        f"<title>{escape(title)}</title>\n<style>\n{CSS}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>{escape(title)}</h1>\n{_contents(blocks)}{body}</main>\n</body>\n</html>\n"
    )


def _contents(blocks: Sequence[Block]) -> str:
    """Link to the sections, if there are several."""
    found = [
        f'<a href="#s{at}">{escape(block.text)}</a>'
        for at, block in enumerate(blocks)
        if isinstance(block, Heading) and block.level == 2
    ]
    return f'<nav aria-label="Sections">{" ".join(found)}</nav>\n' if len(found) > 1 else ""


def _html_block(block: Block, at: int) -> str:
    match block:
        case Heading(text, level):
            return f'<h{level} id="s{at}">{escape(text)}</h{level}>\n'
        case Text(text):
            return f"<p>{escape(text)}</p>\n"
        case Items(items):
            return f"<ul>\n{''.join(f'<li>{escape(item)}</li>{NEWLINE}' for item in items)}</ul>\n"
        case Grid():
            return _html_grid(block)
        case Drawing(svg, caption):
            return f"<figure>\n{svg}<figcaption>{escape(caption)}</figcaption>\n</figure>\n"


def _html_grid(grid: Grid) -> str:
    head = "".join(f'<th scope="col">{escape(word)}</th>' for word in grid.head)
    rows = "".join(f"<tr>{_html_row(row)}</tr>\n" for row in grid.rows)
    about = escape(grid.caption)
    return (
        f'<p class="caption">{about}</p>\n'
        f'<div class="wide" tabindex="0" role="region" aria-label="{about}">\n'
        f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n</div>\n"
    )


def _html_row(row: Sequence[str | ReportCell]) -> str:
    name, *cells = row
    shown = name if isinstance(name, str) else name.text
    return f'<th scope="row">{_breakable(shown)}</th>' + "".join(map(_html_cell, cells))


def _breakable(name: str) -> str:
    """Allow line breaks in a long name between its parts."""
    return "<wbr>".join(escape(part) for part in re.split(r"(?<=[:,/=_])", name))


def _html_cell(cell: str | ReportCell) -> str:
    if isinstance(cell, str):
        return f"<td>{escape(cell)}</td>"
    tone = f' class="{escape(cell.tone)}"' if cell.tone else ""
    small = f"<small>{escape(cell.small)}</small>" if cell.small else ""
    return f"<td{tone}>{escape(cell.text)}{small}</td>"


NEWLINE = "\n"
POLICY = "default-src 'none'; style-src 'unsafe-inline'"  # loads nothing, runs nothing
CSS = """\
:root {
  --paper: #fbfaf7; --card: #fff; --ink: #1d2129; --soft: #5a6270; --rule: #dcd9d1;
  --win: #0b5c9e; --loss: #a8480a; --win-tint: 11 92 158; --loss-tint: 200 95 20;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171c; --card: #1b1f26; --ink: #e8e6e1; --soft: #a2a9b5; --rule: #343a45;
    --win: #7cc0f5; --loss: #f2a469; --win-tint: 70 150 220; --loss-tint: 220 125 50;
  }
}
* { box-sizing: border-box; }
figure { margin: 1rem 0; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
}
main { max-width: 60rem; margin: 0 auto; padding: 1.25rem 1rem 4rem; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: .5rem 0 1rem; overflow-wrap: anywhere; }
h2 {
  font-size: 1.3rem; margin: 2.5rem 0 .5rem; padding-top: .75rem;
  border-top: 2px solid var(--rule);
}
h3 { font-size: 1.05rem; margin: 1.75rem 0 .5rem; }
p, li { max-width: 42rem; overflow-wrap: anywhere; }
ul { padding-left: 1.2rem; }
li { margin: .3rem 0; }
nav { display: flex; flex-wrap: wrap; gap: .5rem; margin: 1rem 0; }
nav a {
  padding: .35rem .8rem; border: 1px solid var(--rule); border-radius: 999px;
  background: var(--card); color: inherit; text-decoration: none;
}
nav a:hover, nav a:focus-visible { border-color: var(--ink); }
.caption, figcaption {
  color: var(--soft); font-size: .875rem; margin: .25rem 0 .5rem; max-width: 42rem;
}
.wide {
  overflow-x: auto; border: 1px solid var(--rule); border-radius: .5rem; background: var(--card);
}
table {
  border-collapse: separate; border-spacing: 0; width: 100%;
  font-size: .9rem; font-variant-numeric: tabular-nums;
}
th, td {
  padding: .45rem .7rem; text-align: right; white-space: nowrap;
  border-bottom: 1px solid var(--rule);
}
tbody tr:last-child > * { border-bottom: 0; }
thead th { color: var(--soft); font-weight: 600; }
th:first-child {
  position: sticky; left: 0; background: var(--card); text-align: left; font-weight: 600;
  white-space: normal; overflow-wrap: anywhere; min-width: 8rem; max-width: 18rem;
  border-right: 1px solid var(--rule);
}
@media (max-width: 40rem) {
  th, td { padding: .4rem .5rem; }
  th:first-child { max-width: 9.5rem; font-size: .8rem; }
}
small { display: block; color: var(--soft); font-size: .75rem; font-weight: 400; }
td[class] small { color: inherit; }
.win1, .win2, .win3, .loss1, .loss2, .loss3 { font-weight: 600; }
.win1 { background: rgb(var(--win-tint) / .12); }
.win2 { background: rgb(var(--win-tint) / .24); }
.win3 { background: rgb(var(--win-tint) / .38); }
.loss1 { background: rgb(var(--loss-tint) / .12); }
.loss2 { background: rgb(var(--loss-tint) / .24); }
.loss3 { background: rgb(var(--loss-tint) / .38); }
.even { color: var(--soft); }
figure { max-width: 32rem; }
svg {
  display: block; width: 100%; height: auto;
  font: 11px system-ui, "Segoe UI", Roboto, sans-serif;
}
svg text { fill: var(--ink); stroke: var(--paper); stroke-width: 3px; paint-order: stroke; }
svg .tick, svg .counts { fill: var(--soft); font-size: 10px; }
svg .number { font-variant-numeric: tabular-nums; font-weight: 600; }
svg .grid { stroke: var(--rule); stroke-width: 1; }
svg .zero { stroke: var(--ink); stroke-width: 1.2; stroke-dasharray: 4 3; }
svg .whisker { stroke: var(--soft); stroke-width: 1.6; }
svg .dot { fill: var(--soft); stroke: var(--soft); stroke-width: 1.6; }
svg .win .whisker, svg .win .dot { stroke: var(--win); }
svg .loss .whisker, svg .loss .dot { stroke: var(--loss); }
svg .win .dot { fill: var(--win); }
svg .loss .dot { fill: var(--loss); }
svg .dot.hollow { fill: var(--paper); }
@media print { body { background: #fff; } .wide { overflow: visible; } }
"""
