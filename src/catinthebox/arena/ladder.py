"""All players against each other: payoffs, invasions, and cycles.

A payoff is the points of one A minus the mean of the B at the same table, per round, so that luck
of the deal and of the seat affects both. "A among B" and "B among A" are measured separately: a
player may do well alone among others, and badly among copies of itself.

>>> pairs(["careful", "follow", "random"])
[('careful', 'follow'), ('careful', 'random'), ('follow', 'random')]
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from statistics import fmean
from typing import Final, NamedTuple

from .match import Match
from .numbers import count, signed, span
from .results import SeatResult
from .statistics import FEW, Interval, interval

RESAMPLES: Final = 2000
LONGEST: Final = 5  # players in a cycle; longer cycles are not reported


class Standings(NamedTuple):
    """What can be compared: rows with the same table size, of rounds or of whole games."""

    players: int
    unit: str  # what a row is about: "round" or "game"

    @classmethod
    def of(cls, row: SeatResult) -> Standings:
        """Return the standings that a row belongs to."""
        return cls(row.players, _match(row.match).unit)

    @property
    def rounds(self) -> int:
        """The number of rounds that a row covers."""
        return self.players if self.unit == "game" else 1

    def __str__(self) -> str:
        return f"{self.players} players, {self.unit}s"


_match: Final = cache(Match.of_key)  # cached: there are many rows, and few matches


@dataclass(frozen=True)
class Difference(Interval):
    """The points of one player minus those of others at its table, and the number of deals."""

    deals: int

    @property
    def sign(self) -> int:
        """1 or -1 if the interval excludes zero; 0 if not, or if there are too few deals."""
        return super().sign if self.deals >= FEW else 0


@dataclass(frozen=True)
class Payoff:
    """The differences for one table size: (A, B) → one A among B."""

    table: Standings
    names: tuple[str, ...]
    cells: Mapping[tuple[str, str], Difference]

    def sign(self, a: str, b: str) -> int:
        """Whether one A among B clearly scores more (1), clearly less (-1), or neither (0)."""
        cell = self.cells.get((a, b))
        return 0 if cell is None else cell.sign

    def beats(self, a: str, b: str) -> bool:
        """Whether at least one direction is clearly in A's favor, and none in B's."""
        signs = {self.sign(a, b), -self.sign(b, a)}
        return 1 in signs and -1 not in signs


@dataclass(frozen=True)
class Invasion:
    """The verdict from both directions of a pair."""

    a: str
    b: str
    verdict: str  # "A invades B", "B invades A", "both", "neither"
    sentence: str


def pairs(specs: Iterable[str]) -> list[tuple[str, str]]:
    """Return every pair of different players once, in the order given."""
    return list(combinations(dict.fromkeys(specs), 2))


def tables(rows: Iterable[SeatResult]) -> dict[Standings, list[SeatResult]]:
    """Group rows by what can be compared: small tables first, rounds before games."""
    found: dict[Standings, list[SeatResult]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: row.place):
        found[Standings.of(row)].append(row)
    return {table: found[table] for table in sorted(found, key=lambda t: (t.players, t.rounds))}


def rounds(rows: Iterable[SeatResult]) -> list[list[SeatResult]]:
    """Group the rows of each round (or game), in any order of the rows."""
    found: dict[tuple[str, int, int], list[SeatResult]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: row.place):
        found[row.match, row.deal, row.seating].append(row)
    return list(found.values())


# ── Payoff ───────────────────────────────────────────────────────────────────────────────────


def payoff(rows: Sequence[SeatResult]) -> Payoff:
    """Compare one A among B for all A and B that met at this table size."""
    kinds = sorted({Standings.of(row) for row in rows})
    if len(kinds) != 1:
        met = " and ".join(map(str, kinds)) or "nothing"
        raise ValueError(f"a payoff is about one table, not {met}; see tables()")
    gained: dict[tuple[str, str], dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for seats in rounds(rows):
        for lone, others, points in _met(seats):
            gained[lone, others][seats[0].deal].append(points)
    names = sorted({row.player for row in rows})
    return Payoff(kinds[0], tuple(names), {pair: _difference(gained[pair]) for pair in gained})


def _met(seats: Sequence[SeatResult]) -> Iterator[tuple[str, str, float]]:
    """Yield who sat alone among whom in a round, and its points above theirs."""
    count = Counter(row.player for row in seats)
    if len(count) != 2:
        return
    for lone, other in (tuple(count), tuple(count)[::-1]):
        if count[lone] == 1:
            mine = fmean(row.points for row in seats if row.player == lone)
            yield lone, other, mine - fmean(row.points for row in seats if row.player == other)


def _difference(by_deal: Mapping[int, Sequence[float]]) -> Difference:
    """Average the seatings of each deal first, since they share its cards."""
    found = interval([fmean(by_deal[deal]) for deal in sorted(by_deal)], RESAMPLES)
    return Difference(found.value, found.low, found.high, len(by_deal))


# ── Cycles ───────────────────────────────────────────────────────────────────────────────────


def cycles(found: Payoff) -> list[tuple[str, ...]]:
    """Return cycles a > b > c > a of clear differences, which no ranking can express.

    The shortest come first; a cycle whose players contain a shorter one is left out.
    """
    kept: list[tuple[str, ...]] = []
    for length in range(3, LONGEST + 1):
        kept += [
            cycle
            for cycle in _walks(found, length)
            if not any(set(shorter) < set(cycle) for shorter in kept)
        ]
    return kept


def _walks(found: Payoff, length: int) -> list[tuple[str, ...]]:
    """Return the cycles of a length, each once, starting at its first player in the order."""
    below = {a: [b for b in found.names if found.beats(a, b)] for a in found.names}
    paths: list[tuple[str, ...]] = [(name,) for name in found.names]
    for _ in range(length - 1):
        paths = [
            (*path, name)
            for path in paths
            for name in below[path[-1]]
            if name not in path and name > path[0]
        ]
    return [path for path in paths if path[0] in below[path[-1]]]


# ── Invasions ────────────────────────────────────────────────────────────────────────────────


def invasions(found: Payoff) -> list[Invasion]:
    """Return the verdict for every pair that met."""
    met = [(a, b) for a, b in pairs(found.names) if (a, b) in found.cells or (b, a) in found.cells]
    return [_invasion(found, a, b) for a, b in met]


def _invasion(found: Payoff, a: str, b: str) -> Invasion:
    verdict = {
        (True, True): "both",
        (True, False): "A invades B",
        (False, True): "B invades A",
        (False, False): "neither",
    }[found.sign(a, b) == 1, found.sign(b, a) == 1]
    first, second = (b, a) if verdict == "B invades A" else (a, b)
    tell = _duel if found.table.players == 2 else _sentence
    return Invasion(a, b, verdict, tell(found, verdict, first, second))


def _duel(found: Payoff, verdict: str, a: str, b: str) -> str:
    """The verdict at two players, where one A among B is also one B among A."""
    headline = (
        f"Neither {a} nor {b} is shown to be better" if verdict == "neither" else f"{a} beats {b}"
    )
    return f"{headline}: {a} {_amount(found, a, b)} a {found.table.unit}"


def _sentence(found: Payoff, verdict: str, a: str, b: str) -> str:
    headline = {"both": f"{a} and {b} invade each other", "neither": _neither(found, a, b)}
    return (
        f"{headline.get(verdict, f'{a} invades {b}')}: one {a} among {b} {_amount(found, a, b)} "
        f"a {found.table.unit}; the other way {_amount(found, b, a)}"
    )


def _neither(found: Payoff, a: str, b: str) -> str:
    if found.sign(a, b) == found.sign(b, a) == -1:
        return f"Neither {a} nor {b} invades the other"
    return f"Neither {a} nor {b} is shown to invade the other"


def _amount(found: Payoff, a: str, b: str) -> str:
    cell = found.cells.get((a, b))
    if cell is None:
        return "(not measured)"
    if cell.deals < FEW:
        return f"{signed(cell.value)} ({count(cell.deals, 'deal')}, too few to tell)"
    clear = "" if cell.sign else ", not clear"
    return f"{signed(cell.value)} ({span(cell.low, cell.high)}{clear})"
