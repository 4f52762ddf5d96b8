"""The review of a game: a planted mistake is named first, players who see well make few."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from bench.coach import game_of
from catinthebox import Game
from catinthebox.coach.data import of_review
from catinthebox.coach.review import Review, review

SIZES = (2, 3)


@cache
def reviewed(players: int, spec: str = "modest") -> Review:
    """The review of a game that a player plays with itself."""
    game, _ = game_of(players, spec, Random(f"review {players}"), plant=False)
    return review(game, worlds=24, seed=1)


@pytest.mark.long
@pytest.mark.parametrize("players", SIZES)
def test_a_planted_mistake_is_named_first(players: int) -> None:
    """The worst action in place of the best, by two points at least."""
    game, where = game_of(players, "net", Random(f"plant {players}"), plant=True)
    assert where is not None
    first = review(game, worlds=96).turning_points[0]
    assert ((first.round, first.step), first.verdict) == (where, "mistake")
    assert first.loss > 1
    assert first.reasons


@pytest.mark.long
def test_the_strongest_player_makes_few_mistakes() -> None:
    """Two in a game at most."""
    game, _ = game_of(3, "net", Random("alone"), plant=False)
    found = review(game, worlds=48)
    assert sum(one.verdict == "mistake" for one in found.decisions) <= 2


@pytest.mark.long
@pytest.mark.parametrize("players", SIZES)
def test_everything_is_accounted_for(players: int) -> None:
    """Every decision of every seat once; deal, decisions and rest are the margin of the round."""
    found = reviewed(players)
    for whole, round in zip(found.game.rounds, found.rounds, strict=True):
        assert [one.action for one in round.decisions] == [play.action for play in whole.actions]
        assert [one.seat for one in round.decisions] == [play.seat for play in whole.actions]
        assert whole.scores is not None
        for seat in round.seats:
            others = (sum(whole.scores) - seat.points) / (players - 1)
            assert seat.points == whole.scores[seat.seat]
            assert seat.deal + seat.decisions + seat.rest == pytest.approx(seat.points - others)
            assert seat.decisions <= 0
            assert (seat.bid is None) == (players == 2)
    for one in found.decisions:
        assert one.first.view.seat == one.seat
        assert one.loss >= 0
        assert one.choice or one.verdict == "best"
        assert (one.loss > 0) <= (one.verdict in ("fine", "slip", "mistake"))
        assert (one.loss_within > 0) <= (one.loss > 0)
    losses = [one.loss for one in found.turning_points if one.verdict == "mistake"]
    assert losses == sorted(losses, reverse=True)


@pytest.mark.long
def test_a_review_is_repeatable_whatever_else_is_reviewed() -> None:
    """One seat is judged alike with and without the others, and once if it is named twice."""
    whole = of_review(reviewed(3))
    game: Game = reviewed(3).game
    alone = of_review(review(game, seats=(1, 1), worlds=24, seed=1))
    for mine, all_of in zip(alone["rounds"], whole["rounds"], strict=True):
        assert mine["decisions"] == [one for one in all_of["decisions"] if one["seat"] == 1]
        assert mine["seats"] == [one for one in all_of["seats"] if one["seat"] == 1]


@pytest.mark.long
@pytest.mark.parametrize("players", SIZES)
def test_accuracy_is_lost_by_what_decisions_cost_and_nothing_else(players: int) -> None:
    """100 if nothing was lost; half as much for each point, over the decisions with a choice."""
    found = reviewed(players)
    seats = range(players)
    for seat in seats:
        mine = [one for one in found.decisions if one.seat == seat and one.choice]
        accuracy = found.accuracy(seat)
        assert accuracy is not None
        assert 0 < accuracy <= 100
        assert (accuracy == 100) == all(one.loss == 0 for one in mine)
        assert 100 - accuracy == pytest.approx(
            sum(100 - 100 * 0.5**one.loss for one in mine) / len(mine)
        )
    told = of_review(found)["accuracy"]
    assert told == [round(found.accuracy(seat) or 0, 1) for seat in seats]
    assert min(told) < 100
    alone = review(found.game, seats=(0,), worlds=2)
    assert [alone.accuracy(seat) is None for seat in seats] == [seat != 0 for seat in seats]


@pytest.mark.long
def test_hindsight_ends_with_the_paradox() -> None:
    """Only a round with a paradox has a last moment at which it could be avoided."""
    for players in SIZES:
        found = reviewed(players)
        for whole, round in zip(found.game.rounds, found.rounds, strict=True):
            if whole.paradox is None:
                assert round.unavoidable is None
            elif round.unavoidable is not None:
                assert 0 < round.unavoidable <= len(whole.actions)
