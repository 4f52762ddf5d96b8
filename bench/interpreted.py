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
from catinthebox.rules.chance import seeded
from catinthebox.rules.layout import OVER, PHASE, SIZE, TURN
from catinthebox.rules.marker import nth_bit
from catinthebox.rules.playout import UNIFORM, random_round
from catinthebox.rules.score import seat_score

WHOLE = "whole ROUNDS, interpreted"
TOUCH = FACES["white"].touch

DEALS = [Setup.shuffled(4, Random(seed)) for seed in range(200)]
STATES = [deal.state() for deal in DEALS]
ROUNDS = [Round(deal) for deal in DEALS]
HANDS = [[[int(rank) for rank in hand] for hand in deal.hands] for deal in DEALS]


def rule_functions(rng: Random) -> int:
    """The bare rule functions on a list of integers."""
    s = rng.choice(STATES).copy()
    decisions = 0
    while s[PHASE] != OVER:
        legal = legal_actions(s, s[TURN])
        act(s, s[TURN], nth_bit(legal, int(rng.random() * legal.bit_count())))
        decisions += 1
    return decisions


def round_objects(rng: Random) -> int:
    """Immutable `Round` objects: every legal action listed, the chosen one checked."""
    round = rng.choice(ROUNDS)
    while not round.over:
        legal = tuple(round.legal)
        round = round.play(legal[int(rng.random() * len(legal))])
    return len(round.actions)


def naive_oracle(rng: Random) -> int:
    """The oracle of the tests: sets and dicts."""
    oracle = Oracle(4, rng.choice(HANDS))
    decisions = 0
    while oracle.phase != "over":
        seat = oracle.to_act()[0]
        oracle.act(seat, rng.choice(sorted(oracle.legal(seat))))
        decisions += 1
    return decisions


def whole_rounds(rng: Random) -> int:
    """A round from the shuffle to the scores, by the bare rule functions; it counts as one."""
    s = [0] * SIZE
    random_round(s, 4, 0, UNIFORM, seeded(7, rng.getrandbits(32)))
    for seat in range(4):
        seat_score(s, seat, TOUCH)
    return 1


def whole_oracle(rng: Random) -> int:
    """A round from the shuffle to the scores, by the oracle; it counts as one."""
    deal = Setup.shuffled(4, rng)
    oracle = Oracle(4, [[int(rank) for rank in hand] for hand in deal.hands])
    while oracle.phase != "over":
        seat = oracle.to_act()[0]
        oracle.act(seat, rng.choice(sorted(oracle.legal(seat))))
    oracle.scores()
    return 1


def interpreted_rows() -> list[Contender]:
    """Decisions from dealt rounds to their ends; the rows of whole rounds also deal and score."""
    return [
        Contender(WHOLE, "uniform", partial(whole_rounds, Random(7))),
        Contender("whole ROUNDS, naive oracle", "uniform", partial(whole_oracle, Random(7))),
        Contender("rule functions, interpreted", "uniform", partial(rule_functions, Random(7))),
        Contender("Round.play, Python objects", "uniform", partial(round_objects, Random(7))),
        Contender("naive oracle of the tests", "uniform", partial(naive_oracle, Random(7))),
    ]
