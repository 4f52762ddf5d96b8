"""The errors: a code for programs, a sentence for people."""

from __future__ import annotations

import pytest

from catinthebox import (
    BadSetup,
    CatInTheBoxError,
    NotLegal,
    NotUnderstood,
    NotYourTurn,
    Refusal,
)

TAKEN = Refusal("illegal.cell_taken", "R12", "blue 5 is taken")


def test_a_refusal_cites_its_clause() -> None:
    """The clause follows the sentence in brackets."""
    assert str(TAKEN) == "blue 5 is taken (R12)"


def test_a_refusal_without_a_clause_is_its_sentence() -> None:
    """A table may refuse what no rule of the game speaks of."""
    assert str(Refusal("table.full", "", "every seat is taken")) == "every seat is taken"


def test_not_understood_has_a_code_and_no_clause() -> None:
    """No rule decides about a typing mistake."""
    error = NotUnderstood("input.action", "what?")
    assert (error.code, error.message, error.clause, str(error)) == (
        "input.action",
        "what?",
        "",
        "what?",
    )


@pytest.mark.parametrize("kind", [NotLegal, NotYourTurn])
def test_not_legal_carries_the_refusal_and_a_hint(kind: type[NotLegal]) -> None:
    """Code and clause are those of the refusal."""
    error = kind(TAKEN, "; legal: 5r")
    assert (error.code, error.clause, error.refusal) == ("illegal.cell_taken", "R12", TAKEN)
    assert str(error) == "blue 5 is taken (R12); legal: 5r"


def test_a_bad_set_up_lists_every_problem() -> None:
    """Code and clause of the first, the sentences of all."""
    other = Refusal("setup.rank", "R5", "no such rank")
    error = BadSetup([TAKEN, other])
    assert error.problems == (TAKEN, other)
    assert (error.code, error.clause) == ("illegal.cell_taken", "R12")
    assert str(error) == "blue 5 is taken (R12); no such rank (R5)"


def test_one_except_clause_catches_everything_this_package_refuses() -> None:
    """And whoever catches NotLegal also catches NotYourTurn."""
    kinds = [NotUnderstood, NotLegal, NotYourTurn, BadSetup]
    assert all(issubclass(kind, CatInTheBoxError) for kind in kinds)
    assert issubclass(NotYourTurn, NotLegal)
