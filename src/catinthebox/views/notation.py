"""What a seat saw, in one line: '-2 1:-? =1 5b 2!1355', and back to events.

A word is an action as `Round.replay` reads it; `1:-?` is the unseen discard of seat 1, and
`2!1355` the hand that seat 2 shows in a paradox.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..game import Action, NotUnderstood, Phase
from ..game.errors import shortened
from .events import BidMade, Discarded, Event, MyDiscard, ParadoxShown, Played

if TYPE_CHECKING:
    from .view import View

HIDDEN = ":-?"


def moves(view: View) -> str:
    """Write everything a seat saw: discards by seat, bids, plays, a paradox."""
    own = view.seat
    words = [f"-{view.discard}" if s == own else f"{s}{HIDDEN}" for s in view.discarders]
    words += [action.notation for _, action in view.actions]
    if view.revealed is not None:
        words.append(f"{view.paradox}!{''.join(map(str, view.revealed))}")
    return " ".join(words)


def event(view: View, word: str) -> Event:
    """Read a word as the next thing that a view sees."""
    if word.endswith(HIDDEN):
        return Discarded(_seat(view, word.removesuffix(HIDDEN)))
    seat, shown, hand = word.partition("!")
    if shown and hand.isdecimal():
        return ParadoxShown(_seat(view, seat), tuple(map(int, hand)))
    action = Action(word)
    if action.phase is Phase.DISCARD:
        return MyDiscard(_seat(view, str(view.seat)), action.rank)
    seat_to_act = _seat(view, str(view.turn))
    if action.phase is Phase.BID:
        return BidMade(seat_to_act, action.number)
    return Played(seat_to_act, action)


def _seat(view: View, text: str) -> int:
    if not text.isdecimal() or int(text) >= view.players:
        sentence = f"{shortened(text, 9)} cannot act now; seats are 0 to {view.players - 1}"
        raise NotUnderstood("input.seat", sentence)
    return int(text)
