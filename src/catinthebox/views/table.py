"""The table as one seat knows it: the rules' vector, moved on by what the seat sees.

The rules act on a vector in which an unseen hand could be anything, and `observe` keeps of the
result what the seat may know. So turns, tokens, tricks and the end come from the rules, and no
hidden card is ever needed.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..game import Play, Round, Setup
from ..rules.actions import act
from ..rules.layout import (
    BID,
    BOARD,
    COUNT_BITS,
    HAND,
    HELD,
    NOBODY,
    PARADOX,
    SIZE,
    State,
)
from ..rules.round import discard, give_hand, open_tricks, pass_turn
from ..rules.sight import FACE_DOWN, observe
from .events import Dealt


def me(dealt: Dealt) -> int:
    """The own seat as the rules number it."""
    return NOBODY if dealt.seat is None else dealt.seat


def table(setup: Setup, log: tuple[Play, ...], v: State) -> Round:
    """A round that holds only what was seen, to be asked in the words of `Round`."""
    seen = object.__new__(Round)
    seen._setup, seen._log, seen._s = setup, log, v
    return seen


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
        v = _observed(v, dealt)
    return table(setup, (), v)


def discarded(seen: Round, dealt: Dealt, seat: int, rank: int = FACE_DOWN) -> State:
    """The vector after a discard; an unseen card is taken as it lies, face down (R7)."""
    u = _imagined(seen._s, dealt, seat, rank)
    discard(u, seat, rank)
    return _observed(u, dealt)


def acted(seen: Round, dealt: Dealt, played: Play) -> State:
    """The vector after a bid or a play."""
    u = _imagined(seen._s, dealt, played.seat, played.action.rank)
    act(u, played.seat, played.action.id)
    return _observed(u, dealt)


def stopped(seen: Round, seat: int, hand: Iterable[int]) -> State:
    """The vector after a paradox: the causer's hand lies open (R20, R22)."""
    v = seen._s.copy()
    give_hand(v, seat, packed(hand))
    pass_turn(v, seat)
    return v


def packed(hand: Iterable[int]) -> int:
    """Ranks as the rules count them, three bits each."""
    return sum(1 << COUNT_BITS * (rank - 1) for rank in hand)


def _imagined(v: State, dealt: Dealt, actor: int = NOBODY, rank: int = 0) -> State:
    """A vector the rules can act on: an unseen hand could be anything, the card acted with too."""
    u = v.copy()
    for seat in range(dealt.players):
        if seat != dealt.seat:
            u[HELD + seat] = BOARD
    if actor != dealt.seat and rank:
        u[HAND + actor] = 2 * packed([rank])  # one of them stays, and the hand is still anything
    return u


def _observed(u: State, dealt: Dealt) -> State:
    v = [0] * SIZE
    observe(u, me(dealt), v)
    if v[PARADOX] not in (NOBODY, me(dealt)):  # certain already, but the hand is shown by an event
        v[HAND + v[PARADOX]] = v[HELD + v[PARADOX]] = 0
    return v
