"""The sentence behind a refusal: what was wrong, and what would be right.

`rules.reason` finds the broken clause; this module only puts it into words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..rules import counts, reason
from ..rules.layout import LEGAL, State
from .action import Action
from .color import Color, color_words
from .errors import Refusal

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


def refusal(round: Round, seat: Seat, action: Action) -> Refusal | None:
    """Explain why a seat may not do this now; None if it may."""
    broken = reason.broken(round._s, seat, action.id)
    if broken == reason.FINE:
        return None
    code, clause = CODES[broken]
    return Refusal(code, clause, sentence(round, seat, action, broken))


def sentence(round: Round, seat: Seat, action: Action, broken: int) -> str:
    """Say what was wrong and what would be right."""
    if broken in (reason.CELL_TAKEN, reason.TOKEN_LOST):
        return f"{impossible(round, seat, action, broken)}; {still_possible(round, action.rank)}"
    if broken == reason.RED_CLOSED:
        closed = "red may not be led before somebody has declared red"
        return f"{closed}; {still_possible(round, action.rank)}"
    if broken in (reason.NO_CARD, reason.NO_CARD_TO_DISCARD):
        hand = " ".join(map(str, round.hands[seat])) or "empty"
        return f"you hold no {action.rank}; your hand is {hand}"
    if broken == reason.BID_NOT_ALLOWED:
        return f"{action.number} may not be bid; allowed are {bid_words(round.players)}"
    return _plain(round, broken)


def _plain(round: Round, broken: int) -> str:
    """Sentences about the moment rather than the card."""
    return {
        reason.ROUND_ENDED: "the round is over",
        reason.PARADOX_ENDED: f"the round is over: seat {round.paradox} caused a paradox",
        reason.DISCARD_NOW: "everybody sets one card aside first; write -5 to discard a 5",
        reason.BID_NOW: "the bids come before the first trick; write =2 to bid 2",
        reason.PLAY_NOW: "discards and bids are made; write 5b to play a 5 as blue",
        reason.NO_BIDS_AT_TWO: "two players do not bid; write 5b to play a 5 as blue",
        reason.ALREADY_DISCARDED: "this seat has set its card aside already",
        reason.OTHERS_BID: f"it is seat {round.turn}'s turn to bid",
        reason.OTHERS_TURN: f"it is seat {round.turn}'s turn",
    }[broken]


def impossible(round: Round, seat: Seat, action: Action, broken: int) -> str:
    """Say why a card cannot be this color: its cell is taken, or the token is gone."""
    color = action.color
    assert color is not None
    if broken == reason.CELL_TAKEN:
        owner = round.board[color, action.rank]
        who = "a neutral token" if owner < 0 else f"seat {owner}"
        return f"{action.words} is already on the board ({who})"
    return f"you gave up {color} in trick {gave_up(round, seat, color)}"


def gave_up(round: Round, seat: Seat, color: Color) -> int:
    """Give the number of the trick in which a seat lost a color token (R16)."""
    return next(
        number
        for number, trick in enumerate(round.tricks, start=1)
        if trick.led is color
        and any(who == seat and action.color is not color for who, action in trick.plays)
    )


def still_possible(round: Round, rank: int) -> str:
    """Say what the card could be instead."""
    colors = open_colors(round._s, rank)
    if colors:
        return f"your {rank} can still be {color_words(colors)}"
    return f"your {rank} cannot be played now, choose another card"


def open_colors(s: State, rank: int) -> list[Color]:
    """Give the colors in which the seat to act may declare a rank."""
    return [color for color in Color if s[LEGAL] >> 16 * color + rank - 1 & 1]


def bid_words(players: int) -> str:
    """Write the allowed bids."""
    return ", ".join(str(n) for n in range(1, 5) if counts.BIDS[players] >> n & 1)
