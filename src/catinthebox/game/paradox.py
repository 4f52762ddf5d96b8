"""A paradox, explained: the causer's hand, and why no card of it can be any color (R22)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..rules import layout, reason
from .action import Action
from .color import Color
from .why import Cause, impossible

if TYPE_CHECKING:
    from .round import Round, Seat


@dataclass(frozen=True)
class ImpossibleCard:
    """A card, and for each color the cause why it cannot be that color."""

    rank: int
    causes: tuple[Cause, ...]


@dataclass(frozen=True)
class Paradox:
    """Who caused it, with which hand, and why every card is impossible."""

    seat: Seat
    hand: tuple[int, ...]
    cards: tuple[ImpossibleCard, ...]

    def sentences(self, names: Sequence[str]) -> list[str]:
        """Explain it by the names of the seats, one line for the hand, then one per card."""
        who = names[self.seat]
        lines = [f"{who} cannot play any of {' '.join(map(str, self.hand))}:"]
        for card in self.cards:
            reasons = "; ".join(cause.sentence(names, who) for cause in card.causes)
            lines.append(f"{card.rank}: {reasons}")
        return lines

    def __str__(self) -> str:
        return "\n".join(self.sentences([f"seat {seat}" for seat in range(layout.MAX_SEATS)]))


def explain(round: Round) -> Paradox | None:
    """Explain the paradox that ended a round, if one did."""
    seat = round.paradox
    if seat is None:
        return None
    hand = round.hands[seat]
    ranks = sorted(set(hand))
    return Paradox(seat, hand, tuple(ImpossibleCard(r, _causes(round, seat, r)) for r in ranks))


def _causes(round: Round, seat: Seat, rank: int) -> tuple[Cause, ...]:
    causes = []
    for color in Color:
        broken = reason.broken_play(round.vector, seat, layout.cell_of(color, rank))
        causes.append(impossible(round, seat, Action.play(rank, color), broken))
    return tuple(causes)
