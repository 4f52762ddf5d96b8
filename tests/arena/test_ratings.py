"""Ratings: the stronger player stands higher, in whatever order the rows come."""

from __future__ import annotations

import sys
from dataclasses import replace
from random import Random

import pytest
from arena.made_up import by_strength, everybody, match

from catinthebox import NotUnderstood
from catinthebox.arena.ratings import ranked, rate

STRENGTHS = {"strong": 2.0, "middle": 0.0, "weak": -2.0}


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 3, 5])
def test_the_stronger_stands_higher(players: int) -> None:
    """Two points a round are seen by the model."""
    rows = everybody(players, [*STRENGTHS], by_strength(STRENGTHS), deals=30)
    assert [rating.player for rating in rate(rows)] == ["strong", "middle", "weak"]


def test_the_order_of_the_rows_changes_nothing() -> None:
    """Not even the last digit."""
    rows = everybody(3, [*STRENGTHS], by_strength(STRENGTHS), deals=12)
    mixed = Random(1).sample(rows, len(rows))
    assert rate(rows) == rate(mixed) == rate(rows[::-1])


@pytest.mark.long
def test_equal_players_stand_close() -> None:
    """Names do not decide: the distance of equals is small beside that of unequals."""
    equal = rate(everybody(3, ["a", "b"], lambda *_: 0.0, deals=100))
    unequal = rate(everybody(3, ["a", "b"], by_strength({"a": 3.0, "b": 0.0}), deals=100))
    assert abs(equal[0].mu - equal[1].mu) * 3 < abs(unequal[0].mu - unequal[1].mu)


def test_more_rounds_make_it_surer() -> None:
    """Sigma shrinks, and the ordinal lies three of them below mu."""
    few, many = (
        rate([*match(3, "a", "b", by_strength({"a": 1, "b": 0}), deals)])[0] for deals in (5, 50)
    )
    assert many.sigma < few.sigma
    assert many.ordinal == pytest.approx(many.mu - 3 * many.sigma)
    assert (few.rounds, many.rounds) == (15, 150)


def test_ties_share_a_rank() -> None:
    """Equal points are an equal rank; who wins a game by its last round (R3) is ahead."""
    seats = [*match(3, "a", "b", lambda *_: 0.0, deals=1)][:3]
    tied = [replace(seat, points=5, share=1 / 3) for seat in seats]
    assert {rank for _, rank in ranked(tied)} == {0}
    won = [replace(tied[0], share=1.0), *(replace(seat, share=0.0) for seat in tied[1:])]
    assert [rank for _, rank in ranked(won)] == [0, 1, 1]
    assert [rank for _, rank in ranked([replace(seats[0], points=9), *tied[1:]])] == [0, 1, 1]


def test_playing_oneself_says_nothing() -> None:
    """A match of a player with itself is no evidence."""
    assert rate([*match(3, "a", "a", lambda *_: 0.0, deals=3)]) == ()


def test_tables_are_not_mixed() -> None:
    """Points of two and of three players are different things."""
    rows = [row for n in (2, 3) for row in match(n, "a", "b", lambda *_: 0.0, deals=1)]
    with pytest.raises(ValueError, match="one table"):
        rate(rows)


def test_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says how to get it."""
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    with pytest.raises(NotUnderstood, match=r"openskill.*catinthebox\[arena\]"):
        rate([*match(3, "a", "b", lambda *_: 0.0, deals=1)])
