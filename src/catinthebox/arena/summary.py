"""The results of a contest, as text for the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from .match import Match
from .numbers import count, milliseconds, percent, plain, signed, span
from .results import SeatResult
from .statistics import FEW, Comparison, Interval, Side, compare, overall, standings

BIDS: Final = "bids hit"
COLUMNS: Final = ("points", "win share", BIDS, "paradoxes", "ms/decision", "slowest ms")

Cells = tuple[str, ...]


def summary(matches: Sequence[Match], rows: Sequence[SeatResult]) -> str:
    """Return a table for every match, and a verdict on every pairing."""
    tables = [table(match, rows) for match in matches]
    return "\n\n".join([*tables, *verdicts(matches, rows)])


# ── Verdicts ─────────────────────────────────────────────────────────────────────────────────


def verdicts(matches: Sequence[Match], rows: Sequence[SeatResult]) -> list[str]:
    """Return a verdict on every pairing; table matches have none."""
    pairings: dict[tuple[str, ...], list[Match]] = {}
    for match in matches:
        if match.kind != "table":
            pairings.setdefault(match.specs, []).append(match)
    return [verdict(found, rows) for found in pairings.values()]


def verdict(matches: Sequence[Match], rows: Sequence[SeatResult]) -> str:
    """Say who is better, by how much and how certainly, from both directions."""
    (a, b), unit = matches[0].specs, matches[0].unit
    found = overall(matches, rows)
    deals = len({row.deal for row in rows if row.match == matches[0].key})
    if deals < FEW:
        return f"{a} against {b}: too few deals to say, {deals} of at least {FEW}"
    if found.sign < 0:
        a, b, found = b, a, Interval(-found.value, -found.high, -found.low)
    if found.sign:
        within = f"95 % interval {plain(found.low)} to {plain(found.high)}"
        return f"{a} wins {plain(found.value)} points per {unit} more than {b}, {within}"
    return (
        f"no difference between {a} and {b} shows: {signed(found.value)} points per {unit}, "
        f"95 % interval {span(found.low, found.high)}"
    )


# ── Tables ───────────────────────────────────────────────────────────────────────────────────


def table(match: Match, rows: Sequence[SeatResult]) -> str:
    """Return the results of a match's players, side by side."""
    deals = len({row.deal for row in rows if row.match == match.key})
    heading = f"{title(match)}: {count(deals, 'deal')} × {match.players} seatings"
    if match.kind == "table":
        return "\n".join([heading, *_ranked(match, rows)])
    return "\n".join([heading, *_compared(compare(match, rows))])


def title(match: Match) -> str:
    """Name a match in words."""
    players = f"{match.players} players" + (", whole games" if match.games else "")
    if match.kind == "table":
        return f"{players}, {', '.join(match.specs)}"
    a, b = match.specs
    if match.players == 2:
        return f"{players}, {a} against {b}"
    lone, others = (a, b) if match.kind == "one" else (b, a)
    return f"{players}, one {lone} among {others}"


def _compared(found: Comparison) -> list[str]:
    share, ahead = found.share, found.difference
    lines = _aligned(found.match.players, [_cells("A ", found.a), _cells("B ", found.b)])
    return [
        *lines,
        f"A − B: {_around(ahead)} points per {found.match.unit}",
        f"A's seats win {percent(share.value)} each ({percent(share.low)} to "
        f"{percent(share.high)}); {percent(found.fair)} would be fair",
    ]


def _ranked(match: Match, rows: Sequence[SeatResult]) -> list[str]:
    found = standings(match, rows)
    lines = _aligned(match.players, [_cells("", standing.side) for standing in found])
    ahead = [f"{standing.side.player}: {_around(standing.lead)} points" for standing in found]
    return [*lines, "ahead of the others' mean:", *(f"  {line}" for line in ahead)]


def _cells(name: str, side: Side) -> Cells:
    return (
        f"{name}{side.player}",
        plain(side.points),
        percent(side.share),
        percent(side.hits),
        plain(side.paradoxes),
        milliseconds(side.ms),
        milliseconds(side.slowest_ms),
    )


def _aligned(players: int, lines: Sequence[Cells]) -> list[str]:
    names = COLUMNS if players > 2 else tuple("bonus" if c == BIDS else c for c in COLUMNS)  # R9
    every = [("", *names), *lines]
    widths = [max(map(len, column)) for column in zip(*every, strict=True)]
    return [_line(cells, widths) for cells in every]


def _line(cells: Cells, widths: Sequence[int]) -> str:
    name, *numbers = map(str.ljust, cells, widths)
    return "  ".join([name, *map(str.rjust, map(str.strip, numbers), widths[1:])])


def _around(found: Interval) -> str:
    return f"{signed(found.value)} ({span(found.low, found.high)})"
