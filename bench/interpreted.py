"""Rows of the interpreted engine: the bare rule functions, `Round` objects, the naive oracle."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from oracle import Oracle

from bench.timing import Contender
from catinthebox import FACES, Round, Setup
from catinthebox.rules.actions import act, legal_actions
from catinthebox.rules.layout import OVER, PHASE, TURN
from catinthebox.rules.score import seat_score

PLAYERS = 4
TOUCH = FACES["white"].touch


def pick(ids: int, rng: Random) -> int:
    """One of the set bits at random."""
    for _ in range(int(rng.random() * ids.bit_count())):
        ids &= ids - 1
    return (ids & -ids).bit_length() - 1


def rule_functions(rng: Random) -> int:
    """The bare rule functions on a list of integers."""
    s = Setup.shuffled(PLAYERS, rng).state()
    decisions = 0
    while s[PHASE] != OVER:
        seat = s[TURN]
        act(s, seat, pick(legal_actions(s, seat), rng))
        decisions += 1
    for seat in range(PLAYERS):
        seat_score(s, seat, TOUCH)
    return decisions


def round_objects(rng: Random) -> int:
    """Immutable `Round` objects, checked."""
    round = Round.shuffled(PLAYERS, rng)
    while not round.over:
        legal = tuple(round.legal)
        round = round.play(legal[int(rng.random() * len(legal))])
    assert round.scores is not None
    return len(round.actions)


def naive_oracle(rng: Random) -> int:
    """The oracle of the tests: sets and dicts."""
    setup = Setup.shuffled(PLAYERS, rng)
    oracle = Oracle(PLAYERS, [[int(rank) for rank in hand] for hand in setup.hands])
    decisions = 0
    while oracle.phase != "over":
        seat = oracle.to_act()[0]
        oracle.act(seat, rng.choice(sorted(oracle.legal(seat))))
        decisions += 1
    oracle.scores()
    return decisions


def interpreted_rows() -> list[Contender]:
    """Whole rounds with a shuffled deck, discards, bids, plays and scores."""
    return [
        Contender("rule functions, interpreted", "uniform", partial(rule_functions, Random(7))),
        Contender("Round.play, Python objects", "uniform", partial(round_objects, Random(7))),
        Contender("naive oracle of the tests", "uniform", partial(naive_oracle, Random(7))),
    ]
