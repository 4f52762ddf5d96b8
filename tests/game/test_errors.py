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
from catinthebox.game.errors import QUOTED, quoted, shortened, shortened_json

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
    """And anyone who catches NotLegal also catches NotYourTurn."""
    kinds = [NotUnderstood, NotLegal, NotYourTurn, BadSetup]
    assert all(issubclass(kind, CatInTheBoxError) for kind in kinds)
    assert issubclass(NotYourTurn, NotLegal)


@pytest.mark.parametrize("text", ["A" * 41, "it's " * 20, "\u200b" * 99, "\"'" * 50])
def test_a_long_text_keeps_its_closing_quote(text: str) -> None:
    """Anyone who reads the sentence sees where the foreign text ends, and that there was more."""
    shown = quoted(text)
    assert shown[0] in "'\""
    assert shown.endswith(f"…{shown[0]}")
    assert len(shown) == QUOTED
    assert shown[1:-2] in repr(text)


def test_a_long_value_without_quotes_ends_in_dots() -> None:
    """A list of texts, say; what fits is shown whole."""
    assert shortened(list(range(50)), 9) == "[0, 1, 2…"
    assert shortened([1, 2], 9) == "[1, 2]"
    assert quoted("5x") == "5x"
    assert quoted("") == "''"


def test_a_value_is_shown_as_json_has_it() -> None:
    """Not as Python writes it; texts are quoted as everywhere."""
    assert shortened_json(None) == "null"
    assert shortened_json([True, "x", 1.5]) == '[true, "x", 1.5]'
    assert shortened_json(list(range(50)), 9) == "[0, 1, 2…"
    assert shortened_json("it's") == shortened("it's")


def test_a_value_that_is_too_deep_to_be_shown() -> None:
    """It is refused like any other, with less to see."""
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    assert shortened(deep) == shortened_json(deep) == "…"
