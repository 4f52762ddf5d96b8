"""A paradox, explained."""

from __future__ import annotations

import pytest
from sample_rounds import first_lead, positions

from catinthebox import NEUTRAL, Action, Color, Round
from catinthebox.game.why import Cause


@pytest.mark.clause("R22")
def test_the_causers_hand_is_shown_with_a_reason_per_card_and_color() -> None:
    """Worked example 4 in words."""
    round = first_lead("1269 1249 4466").replay("1b 4r 4g 1y 6g 6r 2b 2y")
    paradox = round.explain_paradox()
    assert paradox is not None
    assert (paradox.seat, paradox.hand) == (2, (4, 6))
    assert str(paradox) == (
        "seat 2 cannot play any of 4 6:\n"
        "4: red 4 is already on the board (seat 1); seat 2 gave up blue in trick 1; "
        "seat 2 gave up yellow in trick 2; green 4 is already on the board (seat 2)\n"
        "6: red 6 is already on the board (seat 0); seat 2 gave up blue in trick 1; "
        "seat 2 gave up yellow in trick 2; green 6 is already on the board (seat 2)"
    )


@pytest.mark.clause("R22")
def test_a_rank_held_twice_is_explained_once() -> None:
    """The hand is shown as it is, the reasons once per rank."""
    paradox = first_lead("11199 23444").replay("1b 2g 1y 3g 1g 4r").explain_paradox()
    assert paradox is not None
    assert (paradox.seat, paradox.hand, [card.rank for card in paradox.cards]) == (1, (4, 4), [4])


@pytest.mark.clause("R6", "R22")
def test_a_neutral_token_is_named_as_such() -> None:
    """It belongs to nobody."""
    round = first_lead("1666 1669", turned="111").replay("6b 6y 6g 1r 6r")
    paradox = round.explain_paradox()
    assert paradox is not None
    assert (paradox.seat, paradox.hand) == (0, (1, 6))
    assert paradox.cards[0].causes == (
        Cause(Action("1r"), 1, None),
        Cause(Action("1b"), NEUTRAL, None),
        Cause(Action("1y"), NEUTRAL, None),
        Cause(Action("1g"), NEUTRAL, None),
    )
    assert paradox.sentences(["Ada", "Bohr"])[1] == (
        "1: red 1 is already on the board (Bohr); blue 1 is already on the board (a neutral token)"
        "; yellow 1 is already on the board (a neutral token)"
        "; green 1 is already on the board (a neutral token)"
    )


@pytest.mark.clause("R22")
def test_seats_can_be_called_by_their_names() -> None:
    """The causer and the owners of the tokens in the way."""
    round = first_lead("1269 1249 4466").replay("1b 4r 4g 1y 6g 6r 2b 2y")
    paradox = round.explain_paradox()
    assert paradox is not None
    assert paradox.sentences(["Ada", "Bohr", "Curie"])[:2] == [
        "Curie cannot play any of 4 6:",
        "4: red 4 is already on the board (Bohr); Curie gave up blue in trick 1; "
        "Curie gave up yellow in trick 2; green 4 is already on the board (Curie)",
    ]


@pytest.mark.clause("R22")
def test_every_paradox_has_four_reasons_for_every_rank_in_hand() -> None:
    """And only a round that ended in one has an explanation."""
    explained = 0
    for round in positions(3):
        paradox = round.explain_paradox()
        assert (paradox is None) is (round.paradox is None)
        if paradox is not None:
            explained += 1
            assert paradox.hand == round.hands[paradox.seat]
            assert [card.rank for card in paradox.cards] == sorted(set(paradox.hand))
            assert {len(card.causes) for card in paradox.cards} == {len(Color)}
            assert_true_reasons(round, paradox.seat)
    assert explained > 5


def assert_true_reasons(round: Round, seat: int) -> None:
    """No cell of the hand's ranks is free with the color token still there."""
    for rank in round.hands[seat]:
        for color in round.tokens[seat]:
            assert (color, rank) in round.board
