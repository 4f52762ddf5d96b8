"""The four colors."""

from __future__ import annotations

import pytest

from catinthebox import Color, NotUnderstood
from catinthebox.game.color import color_words


@pytest.mark.clause("R29")
def test_colors_stand_in_the_order_of_the_board() -> None:
    """Red on top, then blue, yellow, green."""
    assert [str(color) for color in Color] == ["red", "blue", "yellow", "green"]
    assert [color.letter for color in Color] == ["r", "b", "y", "g"]


@pytest.mark.parametrize("color", list(Color))
def test_a_color_is_read_from_its_letter_or_its_name(color: Color) -> None:
    """Small or capital."""
    words = [color.letter, color.letter.upper(), str(color), color.name, str(color).title()]
    assert {Color.of(word) for word in words} == {color}


@pytest.mark.parametrize("text", ["", "x", "re", "red blue", "0"])
def test_anything_else_is_not_a_color(text: str) -> None:
    """The sentence lists the letters."""
    with pytest.raises(NotUnderstood, match="is not a color; colors are r, b, y, g") as caught:
        Color.of(text)
    assert caught.value.code == "input.color"


@pytest.mark.parametrize(
    ("colors", "words"),
    [
        ([], ""),
        ([Color.RED], "red"),
        ([Color.RED, Color.GREEN], "red or green"),
        (list(Color), "red, blue, yellow or green"),
    ],
)
def test_colors_are_listed_as_people_list_them(colors: list[Color], words: str) -> None:
    """Commas, and a word before the last one."""
    assert color_words(colors) == words
    assert color_words(colors, "and") == words.replace(" or ", " and ")
