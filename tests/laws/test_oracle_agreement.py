"""The engine and the naive oracle agree, move by move, on everything one can ask.

The oracle is written from the rules in another representation, by somebody who has not read the
engine. `CATINTHEBOX_SOAK=1` plays 100,000 rounds per table instead of 1,200.
"""

from __future__ import annotations

import os
from random import Random

import pytest
from oracle import Oracle, fingerprint, result
from policies import TABLES, moments, random_round

from catinthebox import ACTIONS, NEUTRAL, Round, standing
from catinthebox.rules.fingerprint import fingerprint as engine_fingerprint

ROUNDS = 100_000 if os.environ.get("CATINTHEBOX_SOAK") else 1_200
CHUNKS = 12  # so that all cores have work, and the first is soon done


def oracle_of(round: Round) -> Oracle:
    """The same deal for the oracle."""
    setup = round.setup
    return Oracle(
        setup.players,
        [[int(rank) for rank in hand] for hand in setup.hands],
        starter=setup.starter,
        face=setup.face.name,
        aside=[int(rank) for rank in setup.aside],
    )


def assert_same_position(round: Round, oracle: Oracle) -> None:
    """Compare everything that can be asked at any moment."""
    assert engine_fingerprint(round.vector) == fingerprint(oracle), round
    assert str(round.phase) == oracle.phase
    assert list(round.to_act) == oracle.to_act()
    for seat in range(round.players):
        assert {str(action) for action in round.legal_for(seat)} == oracle.legal(seat), round


def assert_same_table(round: Round, oracle: Oracle) -> None:
    """Compare what the fingerprint folds together, in the open."""
    board = {(color.letter, rank): owner for (color, rank), owner in round.board.items()}
    assert board == oracle.board
    assert NEUTRAL == -1
    assert [{color.letter for color in held} for held in round.tokens] == oracle.tokens
    assert [sorted(hand.elements()) for hand in oracle.hands] == [list(h) for h in round.hands]
    assert [(s, a.rank, a.color.letter) for s, a in round.trick if a.color is not None] == [
        *oracle.trick
    ]
    assert [number or 0 for number in round.bids] == oracle.bids
    assert [rank or 0 for rank in round.discards] == oracle.discards
    assert (list(round.won), round.leader, round.paradox) == (
        oracle.won,
        oracle.leader,
        oracle.paradox,
    )
    assert round.red_open == oracle.red_open
    assert list(round.groups) == oracle.groups()


def assert_same_reasons(round: Round, oracle: Oracle) -> None:
    """Compare the clause that refuses each action, for every seat."""
    for seat in range(round.players):
        for action in ACTIONS:
            refusal = round.why(action, seat)
            clause = refusal.clause if refusal else None
            assert clause == oracle.reason(seat, str(action)), (round, seat, action)


def play_both(round: Round, rng: Random) -> tuple[Round, Oracle]:
    """Play a round on both, comparing at every moment."""
    oracle = oracle_of(round)
    for moment, seat, action in moments(round, rng):
        assert_same_position(moment, oracle)
        if rng.random() < 0.02:
            assert_same_table(moment, oracle)
        if rng.random() < 0.002:
            assert_same_reasons(moment, oracle)
        round = moment.play(action, seat)
        happened = oracle.act(seat, str(action))
        ended_trick = sum(round.won) > sum(moment.won)
        assert happened.get("trick_winner") == (round.leader if ended_trick else None)
        assert happened.get("paradox") == round.paradox
    assert_same_position(round, oracle)
    assert_same_table(round, oracle)
    assert list(round.scores or ()) == oracle.scores()
    return round, oracle


@pytest.mark.parametrize(
    "chunk", [0, *(pytest.param(chunk, marks=pytest.mark.long) for chunk in range(1, CHUNKS))]
)
@pytest.mark.parametrize(("players", "face"), TABLES)
def test_engine_and_oracle_agree_move_by_move(players: int, face: str, chunk: int) -> None:
    """Thousands of rounds under mixed policies, at least 30 % of them ending normally."""
    rng = Random(f"{players} {face} {chunk}")
    rounds = ROUNDS // CHUNKS
    normal = 0
    for _ in range(rounds):
        round, _oracle = play_both(random_round(players, face, rng), rng)
        normal += round.paradox is None
    assert normal >= 0.3 * rounds, f"only {normal} of {rounds} rounds ended without paradox"


DECIDED = {
    *("R6", "R7", "R8", "R9", "R10", "R11", "R12", "R13", "R14", "R14a", "R14b", "R15", "R16"),
    *("R18", "R19", "R20", "R21", "R23", "R24", "R25", "R26", "R27"),
}


@pytest.mark.long
def test_every_clause_of_a_round_decides_something() -> None:
    """A counter: each clause that can decide something in a round does so in our rounds."""
    seen: set[str] = set()
    rng = Random(34)
    for players, face in TABLES:
        for _ in range(60):
            seen |= play_both(random_round(players, face, rng), rng)[1].clauses
    assert seen >= DECIDED, DECIDED - seen


@pytest.mark.clause("R3")
def test_results_agree() -> None:
    """Totals, tie-break and shared victories of random games of few points."""
    rng = Random(3)
    shared = 0
    for _ in range(5_000):
        seats = rng.randint(2, 5)
        rounds = [[rng.randint(-2, 3) for _ in range(seats)] for _ in range(seats)]
        ours = standing(tuple(map(tuple, rounds)))
        assert ([*ours[0]], [*ours[1]]) == result(rounds)
        shared += len(ours[1]) > 1
    assert shared > 100
