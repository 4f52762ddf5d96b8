"""Pairs of rounds that a seat cannot tell apart: the secrecy law, to be used by everything.

Take a round and a seat, deal anew what the seat cannot know, play the same visible actions.
Whatever is shown to the seat must be the same bytes in both rounds. `pairs` makes such rounds, with
nothing of `views` in it; `told_apart` compares what some function shows of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple

from policies import random_round
from sample_rounds import whole
from views.brute import replayed

from catinthebox import Phase, Round, Setup

TRIES = 30  # a late re-deal may contradict the play; then another one is tried


class Pair(NamedTuple):
    """Two rounds that look the same to a seat at this and at every earlier moment."""

    seat: int | None
    left: Round
    right: Round

    def steps(self) -> Iterator[Pair]:
        """All moments of the two rounds, from the deal on."""
        left, right = Round(self.left.setup), Round(self.right.setup)
        yield Pair(self.seat, left, right)
        for mine, other in zip(self.left.actions, self.right.actions, strict=True):
            left = left.play(mine.action, mine.seat)
            right = right.play(other.action, other.seat)
            yield Pair(self.seat, left, right)


def pairs(players: int, face: str, rng: Random, number: int) -> Iterator[Pair]:
    """Pairs at random moments of random rounds, for random seats and spectators."""
    while number > 0:
        path = list(whole(random_round(players, face, rng), rng))
        for round in rng.sample(path, min(4, len(path), number)):
            seat = rng.choice([None, *range(players)])
            other = redealt(round, seat, rng)
            if other is not None:
                number -= 1
                yield Pair(seat, round, other)


def redealt(round: Round, seat: int | None, rng: Random) -> Round | None:
    """Deal the unseen cards anew; None if no other deal was found that looks the same."""
    for _ in range(TRIES):
        other = replayed(round, *shuffled(round, seat, rng), seat)
        if other is not None and other != round:
            return other
    return None


def shuffled(round: Round, seat: int | None, rng: Random) -> tuple[Setup, list[int]]:
    """Shuffle the cards of hidden hands, hidden discards and the hidden cards left aside."""
    setup, known = round.setup, {seat, round.paradox}
    hands = [list(hand) for hand in round.hands]
    discards = [rank or 0 for rank in round.discards]
    aside = [int(rank) for rank in setup.aside[len(setup.turned_up) :]]
    cards = [rank for who, hand in enumerate(hands) if who not in known for rank in hand]
    cards += [rank for who, rank in enumerate(discards) if who != seat and rank]
    cards += aside
    rng.shuffle(cards)
    for who, hand in enumerate(hands):
        if who not in known:
            hands[who] = [cards.pop() for _ in hand]
        if who != seat and discards[who]:
            discards[who] = cards.pop()
        played = [a.rank for s, a in round.actions if s == who and a.phase is Phase.PLAY]
        hands[who] += played + ([discards[who]] if discards[who] else [])
    dealt = tuple("".join(map(str, hand)) for hand in hands)
    left = setup.turned_up + "".join(map(str, cards))
    done = [rank for rank in discards if rank]
    return Setup(dealt, setup.starter, setup.face, left, setup.deck), done


def told_apart(pair: Pair, shown: Callable[[Round, int | None], bytes]) -> bool:
    """Whether what is shown to the seat differs between the rounds of a pair."""
    return shown(pair.left, pair.seat) != shown(pair.right, pair.seat)
