"""What a review says in words, in its text and in its page."""

from __future__ import annotations

from collections.abc import Mapping

from ..coach.review import JudgedDecision, Review, RoundReview
from ..game import Phase


def moment(one: JudgedDecision) -> str:
    """Say when a decision was made."""
    view = one.first.view
    if view.phase is not Phase.PLAY:
        return "discard" if view.phase is Phase.DISCARD else "bid"
    return f"trick {sum(view.won) + 1}"


def hindsight(found: Review, round: RoundReview) -> str:
    """Say when a paradox could no longer be avoided."""
    whole = found.game.rounds[round.number - 1]
    assert round.unavoidable is not None
    assert whole.paradox is not None
    causer = found.game.names[whole.paradox]
    if round.unavoidable == len(whole.actions):
        return f"the paradox of {causer} could be avoided until the last play."
    if round.unavoidable == 0:
        return f"no plays could avoid a paradox; {causer} caused it."
    seat, action = whole.actions[round.unavoidable - 1]
    after = f"{action.words} of {found.game.names[seat]}"
    return f"after {after} no plays could avoid a paradox any more; {causer} caused it."


def moments(round: RoundReview) -> tuple[str, ...]:
    """The moments of a round at which some seat decided, in order."""
    return tuple(dict.fromkeys(moment(one) for one in round.decisions))


def expected(round: RoundReview, seat: int) -> Mapping[str, float]:
    """The own points that a seat had to expect after each of its decisions, by moment."""
    return {moment(one): one.expected for one in round.decisions if one.seat == seat}


def accuracy_words(accuracy: float | None) -> str:
    """Write an accuracy, as the JSON has it; nothing for a seat that never had a choice.

    >>> accuracy_words(93.25), accuracy_words(100), accuracy_words(None)
    ('93.2', '100.0', '')
    """
    return "" if accuracy is None else f"{accuracy:.1f}"
