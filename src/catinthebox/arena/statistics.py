"""Statistics of result rows: differences with intervals, and how the players played.

The unit is the deal: all seatings of a deal share its cards, so they are averaged before the
bootstrap resamples deals.

>>> interval([1.0, 2.0, 3.0, 2.0] * 25).value
2.0
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from random import Random
from statistics import fmean
from typing import Final

from .match import Match
from .results import SeatResult

RESAMPLES: Final = 4000
TAIL: Final = 0.025  # the tail on either side of a 95 % interval
FEW: Final = 20  # deals; with fewer, an interval would be too confident
AT_ONCE: Final = 4_000_000  # numbers drawn at once


@dataclass(frozen=True)
class Interval:
    """A value, and the 95 % interval around it."""

    value: float
    low: float
    high: float

    @property
    def sign(self) -> int:
        """1 or -1 if the whole interval lies above or below zero, else 0."""
        return (self.low > 0) - (self.high < 0)


@dataclass(frozen=True)
class Side:
    """How a player did, as a mean over the seats it sat in."""

    player: str
    points: float  # per round, or per game
    share: float  # of the victories
    hits: float  # the share of its rounds that earned the bonus
    paradoxes: float  # caused per round
    ms: float  # per decision
    slowest_ms: float


@dataclass(frozen=True)
class Comparison:
    """A against B in one match."""

    match: Match
    deals: int
    a: Side
    b: Side
    difference: Interval  # A's points minus B's, per round or per game
    share: Interval  # of the victories, for each seat of A

    @property
    def fair(self) -> float:
        """The share of the victories that a seat would have among equal players."""
        return 1 / self.match.players


@dataclass(frozen=True)
class Standing:
    """A player of a table match: its results, and its points above the others' mean."""

    side: Side
    lead: Interval


def compare(match: Match, rows: Iterable[SeatResult]) -> Comparison:
    """Compare A and B over the rows of their match."""
    rows = _rows_of(match, rows)
    a = [row for row in rows if match.is_a(row)]
    return Comparison(
        match=match,
        deals=len({row.deal for row in rows}),
        a=side(match, a),
        b=side(match, [row for row in rows if not match.is_a(row)]),
        difference=interval(list(differences(match, rows).values())),
        share=interval(_means(a, lambda row: row.share)),
    )


def overall(matches: Sequence[Match], rows: Iterable[SeatResult]) -> Interval:
    """Average both directions of a pairing: A's points minus B's, over their common deals."""
    rows = list(rows)
    by_match = [differences(match, rows) for match in matches]
    shared = sorted(set.intersection(*map(set, by_match)))
    return interval([fmean(found[deal] for found in by_match) for deal in shared])


def differences(match: Match, rows: Iterable[SeatResult]) -> Mapping[int, float]:
    """Return A's mean points minus B's for every deal."""
    points: dict[int, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for row in _rows_of(match, rows):
        points[row.deal][match.is_a(row)].append(row.points)
    return {deal: fmean(a) - fmean(b) for deal, (b, a) in sorted(points.items())}


def standings(match: Match, rows: Iterable[SeatResult]) -> list[Standing]:
    """Compare the players of a table, the best one first."""
    rows = _rows_of(match, rows)
    found = [_standing(match, rows, spec) for spec in dict.fromkeys(match.specs)]
    return sorted(found, key=lambda standing: -standing.lead.value)


def _standing(match: Match, rows: list[SeatResult], spec: str) -> Standing:
    own = [row for row in rows if row.player == spec]
    others = _means([row for row in rows if row.player != spec], lambda row: row.points)
    mine = _means(own, lambda row: row.points)
    lead = [a - b for a, b in zip(mine, others or mine, strict=True)]  # no other players
    return Standing(side(match, own), interval(lead))


def side(match: Match, rows: Sequence[SeatResult]) -> Side:
    """Summarize the rows of one player."""
    rounds = len(rows) * match.rounds
    return Side(
        player=rows[0].player,
        points=fmean(row.points for row in rows),
        share=fmean(row.share for row in rows),
        hits=sum(row.hits for row in rows) / rounds,
        paradoxes=sum(row.paradoxes for row in rows) / rounds,
        ms=sum(row.ms for row in rows) / max(1, sum(row.decisions for row in rows)),
        slowest_ms=max(row.slowest_ms for row in rows),
    )


def _rows_of(match: Match, rows: Iterable[SeatResult]) -> list[SeatResult]:
    """Return the rows of a match, sorted."""
    key = match.key
    return sorted((row for row in rows if row.match == key), key=lambda row: row.place)


def _means(rows: Iterable[SeatResult], number: Callable[[SeatResult], float]) -> list[float]:
    """Return the mean of a number over the rows of each deal."""
    by_deal: dict[int, list[float]] = defaultdict(list)
    for row in rows:
        by_deal[row.deal].append(number(row))
    return [fmean(by_deal[deal]) for deal in sorted(by_deal)]


# ── Bootstrap ────────────────────────────────────────────────────────────────────────────────


def interval(values: Sequence[float], resamples: int = RESAMPLES, seed: int = 0) -> Interval:
    """Return the mean of some values, and its 95 % interval by the bootstrap.

    The same values give the same interval. NumPy, if installed, makes it faster; it draws other
    random numbers, so the last digit may differ from that of plain Python.
    """
    if len(values) < 2:
        return Interval(fmean(values) if values else 0.0, -inf, inf)
    means = _resampled(values, resamples, seed)
    cut = int(TAIL * len(means))
    return Interval(fmean(values), means[cut], means[-1 - cut])


def _resampled(values: Sequence[float], resamples: int, seed: int) -> list[float]:
    """Return the means of many samples drawn with replacement, in ascending order."""
    try:
        import numpy as np  # noqa: PLC0415 (only makes it faster)
    except ModuleNotFoundError:
        return plain_resampled(values, resamples, seed)
    rng, array = np.random.default_rng(seed), np.asarray(values, dtype=float)
    size, means = len(values), []
    at_once = max(1, AT_ONCE // size)
    for begun in range(0, resamples, at_once):
        drawn = rng.integers(0, size, (min(at_once, resamples - begun), size))
        means += array[drawn].mean(axis=1).tolist()
    return sorted(means)


def plain_resampled(values: Sequence[float], resamples: int, seed: int) -> list[float]:
    """Return the same as `_resampled`, without NumPy."""
    rng, size = Random(seed), len(values)
    return sorted(sum(rng.choices(values, k=size)) / size for _ in range(resamples))
