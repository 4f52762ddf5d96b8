"""A paradox, explained: the causer's hand, and why no card of it can be any color (R22)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..rules import layout, reason
from .action import Action
from .color import Color
from .why import impossible

if TYPE_CHECKING:
    from .round import Round, Seat


@dataclass(frozen=True)
class ImpossibleCard:
    """A card and one sentence per color that says why it cannot be that color."""

    rank: int
    reasons: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.rank}: " + "; ".join(self.reasons)


@dataclass(frozen=True)
class Paradox:
    """Who caused it, with which hand, and why every card is impossible."""

    seat: Seat
    hand: tuple[int, ...]
    cards: tuple[ImpossibleCard, ...]

    def __str__(self) -> str:
        hand = " ".join(map(str, self.hand))
        return "\n".join([f"seat {self.seat} cannot play any of {hand}:", *map(str, self.cards)])


def explain(round: Round) -> Paradox | None:
    """Explain the paradox that ended a round, if one did."""
    seat = round.paradox
    if seat is None:
        return None
    hand = round.hands[seat]
    ranks = sorted(set(hand))
    return Paradox(seat, hand, tuple(ImpossibleCard(r, _reasons(round, seat, r)) for r in ranks))


def _reasons(round: Round, seat: Seat, rank: int) -> tuple[str, ...]:
    found = []
    for color in Color:
        broken = reason.broken_play(round._s, seat, layout.LANE * color + rank - 1)
        found.append(impossible(round, seat, Action.play(rank, color), broken))
    return tuple(found)
