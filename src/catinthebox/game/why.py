"""The sentence behind a refusal: what was wrong, and what would be right.

`rules.reason` finds the broken clause; this module only puts it into words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from ..rules import reason
from ..rules.layout import LEGAL, State, cell_bit
from .action import Action
from .color import Color, color_words
from .errors import Refusal
from .setup import allowed_bids

if TYPE_CHECKING:
    from .round import Round, Seat

CODES: Final = {
    reason.ROUND_ENDED: ("illegal.round_over", "R19"),
    reason.PARADOX_ENDED: ("illegal.round_over", "R21"),
    reason.DISCARD_NOW: ("illegal.discard_first", "R7"),
    reason.BID_NOW: ("illegal.bid_first", "R8"),
    reason.PLAY_NOW: ("illegal.play_now", "R11"),
    reason.NO_BIDS_AT_TWO: ("illegal.no_bids", "R9"),
    reason.ALREADY_DISCARDED: ("turn.already_discarded", "R7"),
    reason.NO_CARD_TO_DISCARD: ("illegal.not_in_hand", "R7"),
    reason.OTHERS_BID: ("turn.not_yours", "R8"),
    reason.BID_NOT_ALLOWED: ("illegal.bid", "R8"),
    reason.OTHERS_TURN: ("turn.not_yours", "R10"),
    reason.NO_CARD: ("illegal.not_in_hand", "R11"),
    reason.CELL_TAKEN: ("illegal.cell_taken", "R12"),
    reason.TOKEN_LOST: ("illegal.token_lost", "R13"),
    reason.RED_CLOSED: ("illegal.red_closed", "R14"),
}
"""Reason → code for programs, clause of the rules."""


def refusal(round: Round, seat: Seat, action: Action, names: Sequence[str] = ()) -> Refusal | None:
    """Explain why a seat may not do this now; None if it may."""
    broken = reason.broken(round.vector, seat, action.id)
    if broken == reason.FINE:
        return None
    code, clause = CODES[broken]
    names = names or [f"seat {number}" for number in range(round.players)]
    return Refusal(code, clause, sentence(round, seat, action, broken, names))


def sentence(round: Round, seat: Seat, action: Action, broken: int, names: Sequence[str]) -> str:
    """Say what was wrong and what would be right."""
    if broken in (reason.CELL_TAKEN, reason.TOKEN_LOST):
        cause = impossible(round, seat, action, broken)
        return f"{cause.sentence(names)}; {still_possible(round, action.rank)}"
    if broken == reason.RED_CLOSED:
        closed = "red may not be led before somebody has declared red"
        return f"{closed}; {still_possible(round, action.rank)}"
    if broken in (reason.NO_CARD, reason.NO_CARD_TO_DISCARD):
        return f"you hold no {action.rank}; your hand is {' '.join(map(str, round.hands[seat]))}"
    if broken == reason.BID_NOT_ALLOWED:
        return f"{action.number} may not be bid; allowed are {bid_words(round.players)}"
    return _plain(round, broken, names)


def _plain(round: Round, broken: int, names: Sequence[str]) -> str:
    """Explain a refusal that is about the moment rather than the card."""
    turn = "" if round.turn is None else f"it is {names[round.turn]}'s turn"
    causer = "" if round.paradox is None else names[round.paradox]
    return {
        reason.ROUND_ENDED: "the round is over",
        reason.PARADOX_ENDED: f"the round is over: {causer} caused a paradox",
        reason.DISCARD_NOW: "everybody sets one card aside first; write -5 to discard a 5",
        reason.BID_NOW: f"now the bids are made; allowed are {bid_words(round.players)}",
        reason.PLAY_NOW: "discards and bids are made; write 5b to play a 5 as blue",
        reason.NO_BIDS_AT_TWO: "two players do not bid; write 5b to play a 5 as blue",
        reason.ALREADY_DISCARDED: "this seat has set its card aside already",
        reason.OTHERS_BID: f"{turn} to bid",
        reason.OTHERS_TURN: turn,
    }[broken]


class Cause(NamedTuple):
    """Why a card cannot be a color: somebody's token lies there, or the color was given up."""

    action: Action
    owner: Seat | None  # of the token on the cell, -1 for a neutral one
    trick: int | None  # in which the color was given up

    def sentence(self, names: Sequence[str], who: str = "you") -> str:
        """Describe the cause in a few words."""
        if self.owner is None:
            return f"{who} gave up {self.action.color} in trick {self.trick}"
        token = "a neutral token" if self.owner < 0 else names[self.owner]
        return f"{self.action.words} is already on the board ({token})"


def impossible(round: Round, seat: Seat, action: Action, broken: int) -> Cause:
    """Return why a card cannot be this color."""
    color = action.color
    assert color is not None
    if broken == reason.CELL_TAKEN:
        return Cause(action, round.owner(color, action.rank), None)
    return Cause(action, None, gave_up(round, seat, color))


def gave_up(round: Round, seat: Seat, color: Color) -> int:
    """Return the number of the trick in which a seat lost a color token (R16)."""
    return next(
        number
        for number, trick in enumerate(round.tricks, start=1)
        if trick.led is color
        and any(who == seat and action.color is not color for who, action in trick.plays)
    )


def still_possible(round: Round, rank: int) -> str:
    """Say what the card could be instead."""
    colors = open_colors(round.vector, rank)
    if colors:
        return f"your {rank} can still be {color_words(colors)}"
    return f"your {rank} cannot be played now, choose another card"


def open_colors(s: State, rank: int) -> list[Color]:
    """Return the colors in which the seat to act may declare a rank."""
    return [color for color in Color if s[LEGAL] & cell_bit(color, rank)]


def bid_words(players: int) -> str:
    """Write the allowed bids."""
    return ", ".join(map(str, allowed_bids(players)))
