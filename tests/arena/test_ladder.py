"""Payoff, invasions and cycles, on matches of which the truth is known."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from arena.made_up import Edge, by_strength, everybody, match

from catinthebox import NotUnderstood
from catinthebox.arena.ladder import (
    Difference,
    Invasion,
    Payoff,
    Standings,
    cycles,
    invasions,
    pairs,
    payoff,
    tables,
)
from catinthebox.arena.statistics import FEW

WINS = {("rock", "scissors"), ("scissors", "paper"), ("paper", "rock")}


def rock_paper_scissors(a: str, b: str) -> float:
    """Each beats the next by two points, alone or among many."""
    return 2.0 if (a, b) in WINS else -2.0


def the_invasion(edge: Edge, players: int = 3, deals: int = 60) -> Invasion:
    """What is said of the players a and b."""
    (found,) = invasions(payoff(everybody(players, ["a", "b"], edge, deals)))
    return found


def test_a_row_without_a_match_belongs_nowhere() -> None:
    """What a row is about is read from the key of its match, and from nothing less."""
    (row, *_) = match(3, "a", "b", lambda *_: 0.0, deals=1)
    assert Standings.of(row) == (3, "round")
    assert Standings.of(replace(row, match="3p a vs b one games")) == (3, "game")
    with pytest.raises(NotUnderstood, match="some games is not the key of a match"):
        Standings.of(replace(row, match="some games"))


def test_everybody_meets_everybody_once() -> None:
    """All pairs, in order; a name that is given twice is one player."""
    assert pairs(["a", "b", "c", "a"]) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert pairs([]) == []


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 3, 5])
def test_intervals_hold_the_truth(players: int) -> None:
    """About 95 of 100 intervals hold the difference that was put in."""
    edge = by_strength({"a": 0.8, "b": 0.0})
    held = 0
    for seed in range(40):
        rows = [*match(players, "a", "b", edge, deals=40, seed=seed)]
        cell = payoff(rows).cells["a", "b"]
        held += cell.low <= 0.8 <= cell.high
        assert cell.deals == 40
    assert held >= 34  # the seeds are fixed; 38 of 40 are expected


def test_both_directions_are_measured() -> None:
    """One A among B and one B among A are two cells; at two players they are one number."""
    found = payoff(everybody(3, ["a", "b"], by_strength({"a": 2.0, "b": 0.0})))
    assert found.sign("a", "b") == 1
    assert found.sign("b", "a") == -1
    assert found.cells["a", "b"].value != -found.cells["b", "a"].value
    duel = payoff(everybody(2, ["a", "b"], by_strength({"a": 2.0, "b": 0.0})))
    assert duel.cells["a", "b"].value == pytest.approx(-duel.cells["b", "a"].value)


def test_the_order_of_the_rows_changes_nothing() -> None:
    """Not even the last digit of an interval."""
    rows = everybody(4, ["a", "b", "c"], by_strength({"a": 2.0, "b": 0.0, "c": -1.0}), deals=10)
    assert payoff(rows) == payoff(Random(1).sample(rows, len(rows)))


def test_few_deals_show_nothing() -> None:
    """However large the difference, it is not called clear."""
    edge = by_strength({"a": 50.0, "b": 0.0})
    found = payoff([*match(3, "a", "b", edge, deals=FEW - 1)])
    assert found.sign("a", "b") == 0
    assert "too few to tell" in invasions(found)[0].sentence
    assert payoff([*match(3, "a", "b", edge, deals=FEW)]).sign("a", "b") == 1


@pytest.mark.parametrize("players", [2, 3, 5])
def test_a_planted_cycle_is_flagged(players: int) -> None:
    """Rock, paper, scissors: once, from the first name on."""
    rows = everybody(players, ["rock", "paper", "scissors"], rock_paper_scissors)
    assert cycles(payoff(rows)) == [("paper", "rock", "scissors")]


@pytest.mark.parametrize("players", [2, 4])
def test_a_ladder_has_no_cycle(players: int) -> None:
    """Strengths on one line never go round."""
    strengths = {"a": 3.0, "b": 1.5, "c": 0.0, "d": -1.5}
    assert cycles(payoff(everybody(players, [*strengths], by_strength(strengths), 40))) == []


def of_signs(clear: set[tuple[str, str]]) -> Payoff:
    """A payoff in which the first of each pair clearly beats the second, and nothing else."""
    names = tuple(sorted({name for pair in clear for name in pair}))
    cells = {pair: Difference(1.0, 0.5, 1.5, 100) for pair in clear}
    return Payoff(Standings(3, "round"), names, cells)


def test_a_cycle_of_four_is_found() -> None:
    """Each beats the next; those opposite are equal."""
    ring = {("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")}
    assert cycles(of_signs(ring)) == [("a", "b", "c", "d")]


def test_the_shortest_cycles_are_enough() -> None:
    """A cycle that has a shorter one among its players is left out."""
    crossed = {("a", "b"), ("b", "c"), ("c", "d"), ("d", "a"), ("c", "a")}
    assert cycles(of_signs(crossed)) == [("a", "b", "c")]


def test_differences_that_are_not_clear_make_no_cycle() -> None:
    """Noise alone goes round only by accident, and is not believed."""
    assert cycles(payoff(everybody(3, ["a", "b", "c"], lambda *_: 0.0, deals=5))) == []


@pytest.mark.parametrize(
    ("edge", "verdict", "words"),
    [
        (lambda a, b: 2.0 if a == "a" else -2.0, "A invades B", "a invades b: one a among b +"),
        (lambda a, b: -2.0 if a == "a" else 2.0, "B invades A", "b invades a: one b among a +"),
        (lambda a, b: 2.0, "both", "a and b invade each other: one a among b +"),
        (lambda a, b: -2.0, "neither", "Neither a nor b invades the other: one a among b −"),
        (lambda a, b: 0.0, "neither", "Neither a nor b is shown to invade the other"),
    ],
)
def test_invasions_say_what_is_shown(edge: Edge, verdict: str, words: str) -> None:
    """Four verdicts; what is not shown is not claimed."""
    found = the_invasion(edge)
    assert found.verdict == verdict
    assert found.sentence.startswith(words)


def test_two_players_have_one_question() -> None:
    """One A among B is one B among A."""
    assert the_invasion(by_strength({"a": 0, "b": 2}), players=2).sentence.startswith(
        "b beats a: b +"
    )
    even = the_invasion(lambda *_: 0.0, players=2)
    assert even.verdict == "neither"
    assert "Neither a nor b is shown to be better" in even.sentence


def test_a_direction_that_was_not_played_is_not_claimed() -> None:
    """Half a pairing gives half a sentence."""
    (found,) = invasions(payoff([*match(3, "a", "b", by_strength({"a": 2, "b": 0}), 40)]))
    assert found.verdict == "A invades B"
    assert "the other way (not measured)" in found.sentence


def test_tables_are_kept_apart() -> None:
    """Sizes, and rounds from games, in a fixed order."""
    rows = [row for n in (4, 2) for row in match(n, "a", "b", lambda *_: 0.0, deals=1)]
    assert [*tables(rows)] == [Standings(2, "round"), Standings(4, "round")]
    with pytest.raises(ValueError, match="2 players, rounds and 4 players, rounds"):
        payoff(rows)
    with pytest.raises(ValueError, match="nothing"):
        payoff([])
