"""Why an action is refused, as a number."""

from __future__ import annotations

import pytest
from sample_rounds import ASIDE, THREE, TWO, first_lead, positions

from catinthebox import Action, Round
from catinthebox.rules import reason
from catinthebox.rules.actions import ACTIONS, legal_actions

DEALT = Round.deal(THREE)
BIDDING = DEALT.replay("-2 -3 -4")
LEADING = BIDDING.replay("=1 =3 =4")
OVER = first_lead("49 29 19").replay("4y 2y 1y")
PARADOX = first_lead("1269 1249 4466").replay("1b 4r 4g 1y 6g 6r 2b 2y")
GAVE_UP_BLUE = first_lead("1239 4569 1239").replay("1b 4y 2b 1y 2y")
AT_TWO = Round.deal(TWO, aside=ASIDE).replay("-1 -4")

EVERY = [
    ("R19", OVER, 0, "9b", reason.ROUND_ENDED),
    ("R21", PARADOX, 2, "4b", reason.PARADOX_ENDED),
    ("R7", DEALT, 0, "5b", reason.DISCARD_NOW),
    ("R7", DEALT, 1, "=1", reason.DISCARD_NOW),
    ("R7", DEALT.play("-2"), 0, "-3", reason.ALREADY_DISCARDED),
    ("R7", DEALT, 0, "-9", reason.NO_CARD_TO_DISCARD),
    ("R8", BIDDING, 0, "-3", reason.BID_NOW),
    ("R11", LEADING, 0, "-3", reason.PLAY_NOW),
    ("R8", BIDDING, 0, "5b", reason.BID_NOW),
    ("R11", LEADING, 0, "=1", reason.PLAY_NOW),
    ("R11", AT_TWO, 0, "-3", reason.PLAY_NOW),
    ("R9", AT_TWO, 0, "=1", reason.NO_BIDS_AT_TWO),
    ("R8", BIDDING, 0, "=2", reason.BID_NOT_ALLOWED),
    ("R8", BIDDING, 1, "=1", reason.OTHERS_BID),
    ("R8", BIDDING, 1, "5b", reason.OTHERS_BID),
    ("R10", LEADING, 1, "5b", reason.OTHERS_TURN),
    ("R10", LEADING, 1, "=1", reason.OTHERS_TURN),
    ("R11", LEADING, 0, "9b", reason.NO_CARD),
    ("R12", LEADING.play("5b"), 1, "5b", reason.CELL_TAKEN),
    ("R13", GAVE_UP_BLUE, 1, "5b", reason.TOKEN_LOST),
    ("R14", LEADING, 0, "5r", reason.RED_CLOSED),
]


@pytest.mark.clause("R7", "R8", "R9", "R10", "R11", "R12", "R13", "R14", "R19", "R21")
@pytest.mark.parametrize(
    ("clause", "round", "seat", "action", "expected"),
    EVERY,
    ids=[f"{clause} {seat}:{action}" for clause, _, seat, action, _ in EVERY],
)
def test_an_illegal_action_is_refused_for_this_reason(
    clause: str, round: Round, seat: int, action: str, expected: int
) -> None:
    """Each reason has a position in which it is the first clause broken."""
    assert reason.broken(round.vector, seat, Action(action).id) == expected


def test_every_reason_has_such_a_position() -> None:
    """The table above leaves no reason out."""
    assert {expected for *_, expected in EVERY} == set(range(1, 16))


@pytest.mark.clause("R7", "R8", "R12", "R13", "R14", "R15", "R20")
def test_there_is_a_reason_exactly_if_the_action_is_not_legal() -> None:
    """The one law of legality, for every seat and action at every moment."""
    for round in positions():
        for seat in range(round.players):
            fine = {
                a for a in range(ACTIONS) if reason.broken(round.vector, seat, a) == reason.FINE
            }
            legal = legal_actions(round.vector, seat)
            assert fine == {action for action in range(ACTIONS) if legal >> action & 1}
