"""Rows without play, for tests of what is made of them."""

from __future__ import annotations

from collections.abc import Sequence

from catinthebox.arena import Match, SeatResult


def row(match: Match, deal: int, seating: int, seat: int, points: int) -> SeatResult:
    """A seat's row with these points, and nothing else of interest."""
    return SeatResult(
        match=match.key,
        players=match.players,
        deal=deal,
        seating=seating,
        seat=seat,
        player=match.seated(seating)[seat],
        points=points,
        share=1 / match.players,
        tricks=2,
        bids=1,
        hits=0,
        paradoxes=0,
        decisions=10,
        ms=5.0,
        slowest_ms=1.0,
    )


def rows_of_deal(match: Match, deal: int, points: Sequence[Sequence[int]]) -> list[SeatResult]:
    """All rows of a deal; the points are given by seating, then by seat."""
    return [
        row(match, deal, seating, seat, points[seating][seat])
        for seating in range(match.players)
        for seat in range(match.players)
    ]
