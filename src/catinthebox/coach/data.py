"""A review as plain data, for JSON: the shapes that the browser's components draw.

Points are rounded to hundredths, shares to thousandths, accuracies to tenths.
"""

from __future__ import annotations

from typing import Any, Final

from .analysis import Analysis, Judged
from .reasons import Reason, sentence
from .review import JudgedDecision, Review, RoundReview, SeatRound

VERSION: Final = 1


def of_review(review: Review) -> dict[str, Any]:
    """Return a whole review."""
    game = review.game
    return {
        "catinthebox_review": VERSION,
        "players": game.players,
        "names": list(game.names),
        "totals": list(game.totals),
        "accuracy": [_accuracy(review, seat) for seat in range(game.players)],
        "turning_points": [[one.round, one.step] for one in review.turning_points],
        "rounds": [_of_round(round) for round in review.rounds],
    }


def of_action(analysis: Analysis, judged: Judged) -> dict[str, Any]:
    """Return what is expected of an action; points and chances as they are to be shown."""
    one, expected = judged.prospect, analysis.expected(judged)
    shown, shown_shares = ("points", "within"), ("paradox", "bid")
    points = ("margin", "margin_within", "loss", "loss_within")
    counts = ("tricks", "group", "dead", "denied")
    shares = ("any_paradox", "wins", "chance")
    return {
        "action": one.action.notation,
        "verdict": judged.verdict,
        "gives": judged.gives,
        **{name: _near(getattr(expected, name), 2) for name in shown},
        **{name: _near(getattr(expected, name), 3) for name in shown_shares},
        **{name: _near(getattr(one, name), 2) for name in (*points, *counts)},
        **{name: _near(getattr(one, name), 3) for name in shares},
        "scores": [_near(score, 2) for score in one.scores],
    }


def of_reason(reason: Reason) -> dict[str, Any]:
    """Return a reason: its code and numbers, and the English sentence."""
    numbers = {name: _near(value, 3) for name, value in reason.numbers.items()}
    words = sentence(reason)
    return {"code": reason.code, "favours": reason.favours, "numbers": numbers, "english": words}


def _accuracy(review: Review, seat: int) -> float | None:
    found = review.accuracy(seat)
    return None if found is None else _near(found, 1)


def _of_round(round: RoundReview) -> dict[str, Any]:
    return {
        "round": round.number,
        "seats": [_of_seat(seat) for seat in round.seats],
        "paradox_unavoidable_after": round.unavoidable,
        "decisions": [_of_decision(one) for one in round.decisions],
    }


def _of_seat(one: SeatRound) -> dict[str, Any]:
    found = {"ahead": one.ahead, "deal": one.deal, "decisions": one.decisions, "rest": one.rest}
    bid = None if one.bid is None else _near(one.bid, 2)
    rounded = {name: _near(value, 2) for name, value in found.items()}
    return {"seat": one.seat, "points": one.points, "bid_worth": bid, **rounded}


def _of_decision(one: JudgedDecision) -> dict[str, Any]:
    return {
        "step": one.step,
        "seat": one.seat,
        "action": one.action.notation,
        "verdict": one.verdict,
        "loss": _near(one.loss, 2),
        "loss_within": _near(one.loss_within, 2),
        "best": one.best.action.notation,
        "worlds": one.analysis.worlds,
        "reasons": [of_reason(reason) for reason in one.reasons],
        "actions": [of_action(one.first, judged) for judged in one.first.actions],
    }


def _near(number: float, digits: int) -> float:
    return round(number, digits) + 0  # never -0.0
