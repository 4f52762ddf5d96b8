"""Rows of matches that were never played: players of a strength that the tests know."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random

from catinthebox.arena.results import SeatResult

Edge = Callable[[str, str], float]  # what one A gains among B, in points a round


def by_strength(strengths: Mapping[str, float]) -> Edge:
    """The stronger player gains the difference."""
    return lambda a, b: strengths[a] - strengths[b]


def match(
    players: int, a: str, b: str, edge: Edge, deals: int, seed: int = 0, noise: float = 3.0
) -> Iterator[SeatResult]:
    """One A among B in all seatings of some deals; each deal favors some seats."""
    rng = Random(f"{seed} {players} {a} {b}")
    for deal in range(deals):
        luck = [rng.gauss(0, noise) for _ in range(players)]
        for seating in range(players):
            scored = [
                round(4 + luck[seat] + rng.gauss(0, noise) + (seat == seating) * edge(a, b))
                for seat in range(players)
            ]
            best = max(scored)
            for seat, points in enumerate(scored):
                yield SeatResult(
                    match=f"{players}p {a} vs {b} one",
                    players=players,
                    deal=deal,
                    seating=seating,
                    seat=seat,
                    player=a if seat == seating else b,
                    points=points,
                    share=(points == best) / scored.count(best),
                    tricks=rng.randrange(5),
                    bids=int(players > 2),
                    hits=int(rng.random() < 0.4),
                    paradoxes=int(rng.random() < 0.1),
                    decisions=10,
                    ms=round(10 * rng.random(), 3),
                    slowest_ms=round(3 * rng.random(), 3),
                )


def everybody(
    players: int, names: list[str], edge: Edge, deals: int = 60, seed: int = 0
) -> list[SeatResult]:
    """Both directions of every pairing."""
    return [
        row
        for a in names
        for b in names
        if a != b and (players > 2 or a < b)
        for row in match(players, a, b, edge, deals, seed)
    ]
