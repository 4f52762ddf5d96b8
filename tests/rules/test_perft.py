"""Counting every line of play, against the naive oracle."""

from __future__ import annotations

import pytest
from oracle import Oracle
from oracle import perft as naive
from sample_rounds import THREE, TWO, first_lead

from catinthebox import FACES, Round
from catinthebox.rules import perft
from catinthebox.rules.layout import BID

PLAIN = [
    perft.NODES,
    perft.LEADS,
    perft.FOLLOWS,
    perft.OFF,
    perft.RED_PLAYS,
    perft.RED_LEADS,
    perft.TRICKS,
    perft.PARADOXES,
    perft.ENDED,
    perft.CHECK,
]


def assert_same_counts(round: Round, table: Oracle, depth: int) -> list[list[int]]:
    """Every column of every depth."""
    rows = perft.count(round.vector, depth, round.face.touch)
    for ours, theirs in zip(rows, naive(table, depth), strict=True):
        assert [ours[column] for column in PLAIN] == [
            *(theirs.nodes, theirs.leads, theirs.follows, theirs.off, theirs.red, theirs.red_led),
            *(theirs.tricks, theirs.paradoxes, theirs.ended, theirs.check),
        ]
        assert ours[perft.TRICKS_WON :][: round.players] == theirs.won
        assert ours[perft.SCORES :][: round.players] == theirs.scores
    return rows


def test_a_fresh_deal_counts_discards_and_bids() -> None:
    """Six discards for each of three seats, then three bids; no plays yet."""
    rows = assert_same_counts(Round.deal(THREE), Oracle(3, THREE), 4)
    assert [row[perft.NODES] for row in rows] == [6, 36, 216, 648]
    assert [row[perft.LEADS] for row in rows] == [0, 0, 0, 0]


@pytest.mark.clause("R11", "R14", "R15", "R18")
def test_the_first_lead_has_the_known_numbers() -> None:
    """Three plays deep from a position whose counts were found elsewhere."""
    hands = "223345566 223344556 112344566"
    rows = assert_same_counts(
        first_lead(hands, ranks=6), Oracle.first_lead(3, hands.split(), ranks=6), 3
    )
    assert [row[perft.NODES] for row in rows] == [15, 285, 6270]
    assert [row[perft.TRICKS] for row in rows] == [0, 0, 6270]


@pytest.mark.clause("R19", "R20", "R23", "R24", "R26", "R27")
def test_a_micro_game_is_counted_to_every_end() -> None:
    """Two seats, neutral tokens, normal ends and paradoxes, on the shifted face."""
    rows = assert_same_counts(
        first_lead("1122 1223", turned="113", face="purple", ranks=3),
        Oracle.first_lead(2, ["1122", "1223"], turned="113", face="purple", ranks=3),
        6,
    )
    assert sum(row[perft.PARADOXES] for row in rows) > 0
    assert rows[-1][perft.ENDED] > 0
    assert rows[-1][perft.ENDED] == rows[-1][perft.NODES]


@pytest.mark.clause("R25")
def test_scores_of_bids_are_counted() -> None:
    """Three seats with bids: the bonus goes into the scores."""
    round = first_lead("123 123 123", bids=(1, 1, 1), ranks=3)
    assert round.vector[BID : BID + 3] == [1, 1, 1]
    table = Oracle.first_lead(3, ["123", "123", "123"], bids=[1, 1, 1], ranks=3)
    rows = assert_same_counts(round.replay("1b 2b"), _after(table, "1b 2b"), 4)
    assert sum(rows[-1][perft.SCORES :]) > 0


def _after(table: Oracle, moves: str) -> Oracle:
    for move in moves.split():
        table.act(table.to_act()[0], move)
    return table


def test_nothing_is_counted_past_the_end_of_a_round() -> None:
    """A depth beyond the last play has no lines; a finished round has none at all."""
    rows = perft.count(first_lead("12 34").vector, 3, FACES["white"].touch)
    assert [row[perft.NODES] for row in rows] == [6, 48, 0]
    over = first_lead("12 34").replay("1b 3b")
    assert [row[perft.NODES] for row in perft.count(over.vector, 2, FACES["white"].touch)] == [0, 0]


def test_counting_leaves_the_state_as_it_was() -> None:
    """The walk works on its own stack."""
    s = Round.deal(TWO, aside="12553").vector
    before = s.copy()
    perft.count(s, 2, FACES["white"].touch)
    assert s == before


def test_to_depth_zero_there_is_nothing_to_count() -> None:
    """No action, no row."""
    assert perft.count(first_lead("12 34").vector, 0, FACES["white"].touch) == []
