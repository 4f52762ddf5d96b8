"""The report on many matches: `report.md`, and `report.html` with plots.

The same rows give the same bytes, in any order.

>>> report([])
[Text(text='Nothing has been played.')]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from ..game import NotUnderstood
from . import plots
from .ladder import (
    Difference,
    Payoff,
    Standings,
    cycles,
    invasions,
    pairs,
    payoff,
    rounds,
    tables,
)
from .numbers import count, milliseconds, percent, plain, signed, span
from .page import Block, Drawing, Grid, Heading, Items, ReportCell, Text, html, markdown
from .plots import Dot
from .ratings import Rating, rate
from .results import SeatResult, named
from .statistics import FEW

STRONG: Final = (0.5, 1.5)  # points a round from which a cell is colored more, and most
HOW_TO_READ: Final = (
    "A difference is the points of one player less the mean of the others at its table. All "
    "seatings of a deal are played, so luck of the deal and of the seat falls on both.",
    "An interval holds the true difference in 95 of 100 such reports (bootstrap over deals). A "
    "difference is called clear if its interval does not touch zero. Of twenty differences that "
    "are really zero, one will look clear by chance.",
    f"With fewer than {FEW} deals nothing is called clear.",
    "A invades B if one A among B clearly scores more than the B at its table. Then a few A would "
    "spread among many B. Whether they would take over is the other question: one B among A.",
    "Ratings are openskill's (Plackett-Luce), each round a ranked match of its seats. The ordinal "
    "is mu less three sigma. Ratings squeeze many comparisons into one number; where they and the "
    "payoff disagree, the payoff is the evidence.",
)


def write(rows: Sequence[SeatResult], folder: Path, title: str) -> list[Path]:
    """Write the report of some rows into a folder; return the files."""
    blocks = report(rows)
    pages = {"report.md": markdown(title, blocks), "report.html": html(title, blocks)}
    with named(folder):
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in pages.items():
            (folder / name).write_text(text, encoding="utf-8", newline="\n")
    return [folder / name for name in pages]


def report(rows: Sequence[SeatResult]) -> list[Block]:
    """Return the blocks of a report: a section for each table size, and how to read it."""
    if not rows:
        return [Text("Nothing has been played.")]
    blocks: list[Block] = []
    for table, own in tables(rows).items():
        blocks += _section(table, own)
    return [*blocks, Heading("How to read this"), Items(HOW_TO_READ)]


def _section(table: Standings, rows: Sequence[SeatResult]) -> Iterator[Block]:
    found = payoff(rows)
    ratings, missing = _ratings(rows)
    names = [rating.player for rating in ratings]  # then those without a rating
    names += sorted({row.player for row in rows} - set(names))
    yield Heading(str(table))
    yield Items([*_summary(found, ratings, rows)])
    yield from _ladder(ratings, table, missing)
    if found.cells:
        yield from _payoff(found, names)
        yield from _invasions(found)
        yield from _cycles(found)
    yield from _play(table, names, rows)


def _ratings(rows: Sequence[SeatResult]) -> tuple[Sequence[Rating], str]:
    """Return the ratings; without openskill, none and how to install it."""
    try:
        return rate(rows), ""
    except NotUnderstood as error:
        return (), error.message


# ── Summary ──────────────────────────────────────────────────────────────────────────────────


def _summary(found: Payoff, ratings: Sequence[Rating], rows: Sequence[SeatResult]) -> Iterator[str]:
    deals = len({row.deal for row in rows})
    played = count(len(rounds(rows)), found.table.unit)
    yield f"{played} on {count(deals, 'deal')}, {count(len(found.names), 'player')}."
    if ratings:
        yield f"Top of the ladder: {ratings[0].player}, ordinal {plain(ratings[0].ordinal)}."
    if found.cells:
        safe = [name for name in found.names if _safe(found, name)]
        yield f"Resists every other player here, clearly: {', '.join(safe) or 'nobody'}."
        turning = len(cycles(found))
        yield f"{count(turning, 'cycle')} of clear differences." if turning else "No cycles."


def _safe(found: Payoff, name: str) -> bool:
    """Whether every other player, alone among this one, clearly scores less."""
    return all(found.sign(other, name) == -1 for other in found.names if other != name)


# ── Ladder ───────────────────────────────────────────────────────────────────────────────────


def _ladder(ratings: Sequence[Rating], table: Standings, missing: str) -> Iterator[Block]:
    yield Heading("Ladder", 3)
    if not ratings:
        yield Text(f"No ratings: {missing or 'no two different players have met'}.")
        return
    yield Grid(
        "Ratings, the best ordinal first.",
        ("Player", "Rank", "Ordinal", "Mu", "Sigma", f"{table.unit}s".capitalize()),
        [
            (r.player, str(rank), plain(r.ordinal), plain(r.mu), plain(r.sigma), f"{r.rounds:,}")
            for rank, r in enumerate(ratings, start=1)
        ],
    )
    dots = [Dot(r.player, r.mu, r.ordinal, 2 * r.mu - r.ordinal, plain(r.mu)) for r in ratings]
    drawn = plots.strengths(dots, f"Ratings, {table}", "rating")
    yield Drawing(drawn, "Dot: mu. Whiskers: three sigma either way; the left end is the ordinal.")


# ── Payoff ───────────────────────────────────────────────────────────────────────────────────


def _payoff(found: Payoff, names: Sequence[str]) -> Iterator[Block]:
    yield Heading("Payoff", 3)
    among = "against" if found.table.players == 2 else "alone among"
    yield Grid(
        f"Points a {found.table.unit} of the player at the left {among} the player of the column "
        "(by its number), less theirs. ▲ clearly more, ▼ clearly less, no mark: not clear.",
        ("Player", *(str(number) for number, _ in enumerate(names, start=1))),
        [
            (f"{number} {a}", *(_payoff_cell(found, a, b) for b in names))
            for number, a in enumerate(names, start=1)
        ],
    )


def _payoff_cell(found: Payoff, a: str, b: str) -> ReportCell:
    cell = found.cells.get((a, b))
    if cell is None:
        return ReportCell("·" if a == b else "–", tone="even")
    mark = {1: "▲ ", -1: "▼ "}.get(cell.sign, "")
    return ReportCell(f"{mark}{signed(cell.value)}", span(cell.low, cell.high), _tone(cell))


def _tone(cell: Difference) -> str:
    if not cell.sign:
        return "even"
    strength = 1 + sum(abs(cell.value) >= step for step in STRONG)
    return f"{'win' if cell.sign == 1 else 'loss'}{strength}"


# ── Invasions and cycles ─────────────────────────────────────────────────────────────────────


def _invasions(found: Payoff) -> Iterator[Block]:
    duel = found.table.players == 2
    yield Heading("Who beats whom" if duel else "Who invades whom", 3)
    shown = [
        (f"{a} {'against' if duel else 'among'} {b}", found.cells[a, b])
        for a, b in (_duels(found) if duel else found.cells)
    ]
    shown.sort(key=lambda pair: (-pair[1].value, pair[0]))
    dots = [
        Dot(label, c.value, c.low, c.high, signed(c.value), c.sign, clear=c.sign != 0)
        for label, c in shown
    ]
    about = f"Differences with their 95 % intervals, {found.table}"
    drawn = plots.differences(dots, about, f"points a {found.table.unit} more than the others")
    yield Drawing(drawn, "Filled: clear of zero. Hollow: not clear. Whiskers: 95\u00a0% interval.")
    yield Items([invasion.sentence + "." for invasion in invasions(found)])


def _duels(found: Payoff) -> list[tuple[str, str]]:
    """Return each pair once, the player that is ahead first."""
    met = [pair for pair in pairs(found.names) if pair in found.cells]
    return [(a, b) if found.cells[a, b].value >= 0 else (b, a) for a, b in met]


def _cycles(found: Payoff) -> Iterator[Block]:
    turning = cycles(found)
    yield Heading("Cycles", 3)
    if not turning:
        yield Text("None: the clear differences fit on one ladder.")
        return
    yield Text("No ladder can be true to these. Each beats the next, clearly:")
    yield Items([" > ".join([*cycle, cycle[0]]) for cycle in turning])


# ── How they play ────────────────────────────────────────────────────────────────────────────


def _play(table: Standings, names: Sequence[str], rows: Sequence[SeatResult]) -> Iterator[Block]:
    yield Heading("How they play", 3)
    yield Grid(
        "Over everything each has played, so against different opponents. A fair win share at "
        f"this table is {percent(1 / table.players)}. Bid hits are the rounds whose tricks earned "
        "the bonus.",
        (
            "Player",
            f"Points a {table.unit}",
            "Win share",
            "Bid hits",
            "Paradoxes a round",
            "ms a decision",
            "Slowest ms",
        ),
        [_played(table, name, [row for row in rows if row.player == name]) for name in names],
    )


def _played(table: Standings, name: str, rows: Sequence[SeatResult]) -> tuple[str, ...]:
    number = len(rows) * table.rounds
    decisions = sum(row.decisions for row in rows)
    return (
        name,
        plain(sum(row.points for row in rows) / len(rows)),
        percent(sum(row.share for row in rows) / len(rows)),
        percent(sum(row.hits for row in rows) / number),
        plain(sum(row.paradoxes for row in rows) / number),
        milliseconds(sum(row.ms for row in rows) / decisions) if decisions else "–",
        milliseconds(max(row.slowest_ms for row in rows)),
    )
