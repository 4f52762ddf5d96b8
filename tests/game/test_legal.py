"""The set of legal actions."""

from __future__ import annotations

import pytest
from sample_rounds import positions

from catinthebox import ACTIONS, Action, LegalActions


def test_a_set_of_actions_is_made_from_notation_actions_or_ids() -> None:
    """All three ways give equal sets, equal to a plain set as well."""
    words = LegalActions("5b 2y =1")
    assert words == LegalActions([Action("2y"), Action("5b"), Action("=1"), Action("5b")])
    assert words == LegalActions.from_ids(1 << 13 | 1 << 19 | 1 << 45)
    plain: object = {Action("5b"), Action("2y"), Action("=1")}
    assert words == plain
    assert words.ids == 1 << 13 | 1 << 19 | 1 << 45


def test_equal_sets_have_equal_hashes() -> None:
    """They can be members of a set themselves, and agree with frozen sets."""
    assert len({LegalActions("5b 2y"), LegalActions("2y 5b")}) == 1
    assert hash(LegalActions("5b 2y")) == hash(LegalActions("2y 5b"))


def test_membership_takes_actions_and_notation() -> None:
    """Anything else is not a member, notation or not."""
    legal = LegalActions("5b 2y")
    members: list[tuple[object, bool]] = [
        (Action("5b"), True),
        ("2y", True),
        ("2g", False),
        ("blue", False),
        (13, False),
    ]
    assert [(item, item in legal) for item, _ in members] == members


def test_iteration_goes_by_id_and_print_goes_by_rank() -> None:
    """People look for their card first, then for its color."""
    legal = LegalActions("9r 2y 2b 5b")
    assert [str(action) for action in legal] == ["9r", "2b", "5b", "2y"]
    assert str(legal) == "2b 2y 5b 9r"
    assert str(LegalActions("=3 -2 =1 -1")) == "-1 -2 =1 =3"
    assert eval(repr(legal)) == legal


def test_an_empty_set_says_nothing() -> None:
    """Empty in every way."""
    assert (len(LegalActions()), list(LegalActions()), str(LegalActions())) == (0, [], "nothing")
    assert bool(LegalActions()) is False


def test_sets_can_be_joined_and_cut() -> None:
    """The operators of sets give sets of the same kind."""
    one, other = LegalActions("5b 2y"), LegalActions("2y 3g")
    assert (one & other, one | other, one - other) == (
        LegalActions("2y"),
        LegalActions("5b 2y 3g"),
        LegalActions("5b"),
    )
    assert isinstance(one & other, LegalActions)


@pytest.mark.clause("R12", "R13", "R14")
def test_the_legal_set_has_exactly_the_actions_that_are_not_refused() -> None:
    """Iterating, counting and asking agree with `why` at every moment."""
    for round in positions(1):
        for seat in range(round.players):
            allowed = [action for action in ACTIONS if round.why(action, seat) is None]
            legal = round.legal_for(seat)
            assert (list(legal), len(legal)) == (allowed, len(allowed))
