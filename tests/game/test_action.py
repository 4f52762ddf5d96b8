"""Actions in notation."""

from __future__ import annotations

import copy
import pickle

import pytest
from sample_rounds import THREE

from catinthebox import ACTIONS, Action, Color, NotUnderstood, Phase, Round

EVERY = pytest.mark.parametrize("action", ACTIONS, ids=str)


def test_there_are_49_actions_by_their_ids() -> None:
    """36 plays, nine discards, four bids."""
    assert [action.id for action in ACTIONS] == list(range(49))
    assert [str(action) for action in ACTIONS[::9]] == ["1r", "1b", "1y", "1g", "-1", "=1"]
    assert max(ACTIONS) is Action("=4")


@EVERY
def test_there_is_one_object_of_each_action(action: Action) -> None:
    """Notation, code, copies and pickles all find it."""
    assert Action(str(action)) is action
    assert eval(repr(action)) is action
    assert copy.deepcopy(action) is action
    assert pickle.loads(pickle.dumps(action)) is action


@pytest.mark.clause("R7", "R8", "R11")
@EVERY
def test_an_action_is_made_from_its_parts(action: Action) -> None:
    """A discard of a rank, a bid of a number, a play of a rank in a color."""
    if action.phase is Phase.DISCARD:
        assert Action.discard(action.rank) is action
        assert (action.color, action.number) == (None, 0)
    elif action.phase is Phase.BID:
        assert Action.bid(action.number) is action
        assert (action.color, action.rank) == (None, 0)
    else:
        assert action.color is not None
        assert Action.play(action.rank, action.color) is action
        assert (action.phase, action.number) == (Phase.PLAY, 0)


@pytest.mark.parametrize(
    ("notation", "words"), [("5b", "blue 5"), ("-5", "discard 5"), ("=2", "bid 2")]
)
def test_an_action_is_said_in_words(notation: str, words: str) -> None:
    """As people say it at the table."""
    assert Action(notation).words == words


@pytest.mark.parametrize("text", ["", "5", "b5", "5x", "0r", "-0", "=", "=two", "10r", " 5b", "5B"])
def test_anything_else_is_not_an_action(text: str) -> None:
    """The sentence shows how each kind is written."""
    with pytest.raises(NotUnderstood) as caught:
        Action(text)
    assert (caught.value.code, caught.value.clause) == ("input.action", "")
    assert str(caught.value) == (
        f"{text!r} is not an action; write -5 to discard, =2 to bid, 5b to play "
        "(rank 1-9, then r, b, y or g)"
    )


@pytest.mark.clause("R8")
@pytest.mark.parametrize("number", [0, 5, 12])
def test_a_number_that_nobody_may_bid_is_not_an_action(number: int) -> None:
    """There is no bid of zero, and the clause says so."""
    with pytest.raises(NotUnderstood, match=f"{number} may not be bid; bids .* 1 to 4") as caught:
        Action.bid(number)
    assert (caught.value.code, caught.value.clause) == ("input.action", "R8")


def test_an_action_cannot_be_changed() -> None:
    """The one object of each is shared by everybody."""
    with pytest.raises(
        AttributeError, match=r"an action cannot be changed \(tried to set 'rank'\)"
    ):
        Action("5b").rank = 6
    assert Action("5b").rank == 5


def test_actions_compare_among_themselves_only() -> None:
    """By id: plays by color and rank, then discards, then bids."""
    assert Action("9r") < Action("1b") < Action("-1") < Action("=1")
    assert Action("1b") >= Action("9r")
    with pytest.raises(TypeError):
        assert Action("1b") < 3
    other: object = "5b"
    assert Action.play(5, Color.BLUE) != other


def test_phases_are_named_as_people_name_them() -> None:
    """In the order in which a round goes through them."""
    assert [str(phase) for phase in Phase] == ["discard", "bid", "play", "over"]


def test_an_action_cannot_lose_a_part() -> None:
    """There is one object of each; nobody can break it for the others."""
    with pytest.raises(AttributeError, match="cannot be changed"):
        del Action("5b").rank
    assert Action("5b").rank == 5


def test_a_number_is_not_an_action_and_the_error_says_which_may_be_meant() -> None:
    """Environments count actions; people and rounds name them."""
    with pytest.raises(NotUnderstood, match=r"36 is not an action; ACTIONS\[36\] may be"):
        Round.deal(THREE).play(36)  # type: ignore[arg-type]
