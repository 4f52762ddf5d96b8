"""One rating for each player, by openskill's Plackett-Luce model: for an overview.

Every round is a ranked match of its seats, with ties. The rating of a player with several seats
changes by the mean of its seats' changes.

The model processes rounds one after the other, and their order matters a little. So rounds are
sorted, then shuffled several times with fixed seeds, and the ratings of these passes are averaged:
the same rows give the same ratings in any order.

>>> row = SeatResult("2p follow vs random one", 2, 0, 0, 0, "follow", 7, 1, 4, 0, 1, 0, 9, 1, 1)
>>> other = SeatResult("2p follow vs random one", 2, 0, 0, 1, "random", 2, 0, 4, 0, 1, 0, 9, 1, 1)
>>> [rating.player for rating in rate([other, row])]
['follow', 'random']
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from statistics import fmean
from typing import TYPE_CHECKING, Final, NamedTuple

from ..optional import needs
from .ladder import Standings, rounds
from .results import SeatResult

if TYPE_CHECKING:
    from openskill.models import PlackettLuce

PASSES: Final = 8  # shuffles that are averaged, at most
WORK: Final = 200_000  # rated rounds in all passes together: about ten seconds


@dataclass(frozen=True)
class Rating:
    """A player's estimated strength: a normal distribution."""

    player: str
    mu: float
    sigma: float
    rounds: int  # or games that it took part in

    @property
    def ordinal(self) -> float:
        """A conservative estimate of strength: three sigma below mu."""
        return self.mu - 3 * self.sigma


class Strength(NamedTuple):
    """The model's estimate of a player between two rounds."""

    mu: float
    sigma: float


Ranked = list[tuple[str, int]]  # the players of a round, each with its rank; 0 is the best


def rate(rows: Sequence[SeatResult]) -> tuple[Rating, ...]:
    """Rate the players of one table, the best ordinal first; see `ladder.tables`."""
    if len({Standings.of(row) for row in rows}) > 1:
        raise ValueError("ratings are about one table; see ladder.tables()")
    played = [ranked(seats) for seats in rounds(rows)]
    played = [round for round in played if len({player for player, _ in round}) > 1]
    model = _model()
    passes = [_pass(model, played, seed) for seed in range(_passes(len(played)))]
    took_part = Counter(player for round in played for player in {name for name, _ in round})
    found = [
        Rating(
            player,
            fmean(strengths[player].mu for strengths in passes),
            fmean(strengths[player].sigma for strengths in passes),
            took_part[player],
        )
        for player in took_part
    ]
    return tuple(sorted(found, key=lambda rating: (-rating.ordinal, rating.player)))


def ranked(seats: Sequence[SeatResult]) -> Ranked:
    """Rank the seats of a round by points; the winner of a game may win by less (R3)."""
    results = [(row.points, row.share) for row in seats]
    best_first = sorted(set(results), reverse=True)
    return [
        (row.player, best_first.index(result)) for row, result in zip(seats, results, strict=True)
    ]


def _model() -> PlackettLuce:
    with needs("openskill", extra="arena"):
        from openskill.models import PlackettLuce  # noqa: PLC0415 (an extra)
    return PlackettLuce(tau=0.0)  # players do not change over time


def _passes(number: int) -> int:
    return max(2, min(PASSES, WORK // max(1, number)))


def _pass(model: PlackettLuce, played: Sequence[Ranked], seed: int) -> dict[str, Strength]:
    """Rate all rounds once, in an order shuffled by a seed."""
    start = model.rating()
    strengths: defaultdict[str, Strength] = defaultdict(lambda: Strength(start.mu, start.sigma))
    for round in Random(seed).sample(played, len(played)):
        strengths.update(_after(model, strengths, round))
    return strengths


def _after(
    model: PlackettLuce, strengths: defaultdict[str, Strength], round: Ranked
) -> dict[str, Strength]:
    """Return the strengths of the players of a round after it."""
    teams = [[model.rating(*strengths[player])] for player, _ in round]
    rated = model.rate(teams, ranks=[float(rank) for _, rank in round])
    seats: dict[str, list[Strength]] = defaultdict(list)
    for (player, _), (rating,) in zip(round, rated, strict=True):
        seats[player].append(Strength(rating.mu, rating.sigma))
    return {player: Strength(*map(fmean, zip(*own, strict=True))) for player, own in seats.items()}
