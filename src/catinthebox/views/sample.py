"""Samples rounds that agree with a view, every arrangement of unseen cards equally likely."""

from __future__ import annotations

from random import Random

from ..game import Action, Play, Round, Setup
from ..game.hands import digits, packed
from ..rules.chance import seeded
from ..rules.layout import DISCARD, HAND, SIZE, State
from ..rules.worlds import complete, deal, unseen
from .events import Dealt


def generator(chance: Random | int) -> int:
    """Return a generator of the rules, from one or from a random source."""
    return seeded(chance.getrandbits(63), 0) if isinstance(chance, Random) else chance


def sampled(dealt: Dealt, seen: Round, barred: int, g: int) -> Round:
    """Fill in the unseen cards at random, and play the round again up to this moment."""
    w = [0] * SIZE
    g = complete(seen.vector, barred, g, w)
    pile = [0] * SIZE
    deal(pile, 0, unseen(w), dealt.face_down, g)
    aside = dealt.turned_up + digits(pile[HAND])
    hands = tuple(digits(_dealt_to(seat, seen, w)) for seat in range(dealt.players))
    setup = Setup(hands, dealt.starter, dealt.face, aside, dealt.deck, dealt.discarded, dealt.bids)
    round = Round(setup)
    for seat, action in [*_discards(w, dealt.players), *_open(seen)]:
        round = round.play(action, seat)
    return round


def _dealt_to(seat: int, seen: Round, w: State) -> int:
    """What a seat was dealt: its hand, what it set aside, what it played."""
    played = [action.rank for who, action in _open(seen) if who == seat and action.rank]
    aside = [w[DISCARD + seat]] if w[DISCARD + seat] else []
    return w[HAND + seat] + packed([*aside, *played])


def _discards(w: State, players: int) -> list[Play]:
    return [
        Play(seat, Action.discard(w[DISCARD + seat]))
        for seat in range(players)
        if w[DISCARD + seat]
    ]


def _open(seen: Round) -> list[Play]:
    """Bids and plays; discards are not seen."""
    return [
        played for played in seen.actions if played.action.number or played.action.color is not None
    ]
