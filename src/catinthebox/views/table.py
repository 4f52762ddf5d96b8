"""The table as one seat knows it: the rules' vector, updated by what the seat sees.

The rules act on a vector in which an unseen hand may hold any card, and this assumption is then
removed again. So turns, tokens, tricks and the end come from the rules, without any hidden card.
The law: the result is what `rules.sight.observe` would show of the real round.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ..game import Play, Round, Setup
from ..game.hands import packed
from ..rules.actions import act
from ..rules.layout import (
    BID,
    BOARD,
    HAND,
    HELD,
    LEGAL,
    MAX_SEATS,
    NOBODY,
    TURN,
    State,
)
from ..rules.round import discard, give_hand, open_tricks, pass_turn
from ..rules.sight import FACE_DOWN
from .events import Dealt

ANYTHING: Final = [BOARD] * MAX_SEATS  # what unseen hands could declare
NOTHING: Final = [0] * MAX_SEATS


def me(dealt: Dealt) -> int:
    """The own seat as the rules number it."""
    return NOBODY if dealt.seat is None else dealt.seat


def table(setup: Setup, log: tuple[Play, ...], v: State) -> Round:
    """A round that holds only what was seen, to be asked in the words of `Round`."""
    return Round.trusted(setup, log, v)


def opened(dealt: Dealt) -> Round:
    """The table after the deal: the own hand, and nothing of another one."""
    hands = tuple(dealt.hand if seat == dealt.seat else "" for seat in range(dealt.players))
    setup = Setup(hands, dealt.starter, dealt.face, dealt.turned_up, dealt.deck)
    v = setup.state()
    if dealt.discarded:
        v = _imagined(v, dealt)
        for seat, number in enumerate(dealt.bids):
            v[BID + seat] = number
        open_tricks(v)
        _forget(v, dealt)
    return table(setup, (), v)


def discarded(seen: Round, dealt: Dealt, seat: int, rank: int = FACE_DOWN) -> State:
    """The vector after a discard; an unseen card is taken as it lies, face down (R7)."""
    u = _imagined(seen.vector, dealt, seat, rank)
    discard(u, seat, rank)
    return _forget(u, dealt)


def acted(seen: Round, dealt: Dealt, played: Play) -> State:
    """The vector after a bid or a play."""
    u = _imagined(seen.vector, dealt, played.seat, played.action.rank)
    act(u, played.seat, played.action.id)
    return _forget(u, dealt)


def stopped(seen: Round, seat: int, hand: Iterable[int]) -> State:
    """The vector after a paradox: the causer's hand lies open (R20, R22)."""
    v = seen.vector.copy()
    give_hand(v, seat, packed(hand))
    pass_turn(v, seat)
    return v


def _imagined(v: State, dealt: Dealt, actor: int = NOBODY, rank: int = 0) -> State:
    """Return a vector that the rules can act on, in which an unseen hand may hold any card."""
    u = v.copy()
    u[HELD : HELD + MAX_SEATS] = ANYTHING
    if dealt.seat is not None:
        u[HELD + dealt.seat] = v[HELD + dealt.seat]
    if actor != dealt.seat and rank:
        u[HAND + actor] = 2 * packed([rank])  # one of them stays, and the hand is still anything
    return u


def _forget(u: State, dealt: Dealt) -> State:
    """Remove what was assumed: other hands, and what another seat on turn might declare.

    A paradox may be certain already, but the causer's hand is shown by an event of its own (R22).
    """
    own = dealt.seat
    hand, held = (0, 0) if own is None else (u[HAND + own], u[HELD + own])
    u[HAND : HAND + MAX_SEATS] = NOTHING
    u[HELD : HELD + MAX_SEATS] = NOTHING
    if own is not None:
        u[HAND + own], u[HELD + own] = hand, held
    if u[TURN] != me(dealt):
        u[LEGAL] = 0
    return u
