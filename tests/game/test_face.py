"""Faces of the research board, shipped and described by their owners."""

from __future__ import annotations

from random import Random

import pytest

from catinthebox import FACES, Color, Face, NotUnderstood
from catinthebox.game.face import CELLS
from catinthebox.rules import faces

NAMES = pytest.mark.parametrize("name", ["white", "black", "purple"])


def scattered(seed: int) -> Face:
    """Any face at all: cells anywhere on a board with gaps."""
    rng = Random(seed)
    places = rng.sample([(row, column) for row in range(6) for column in range(9)], 36)
    return Face("mine", tuple(places))


@pytest.mark.clause("R28", "R31")
@NAMES
def test_a_shipped_face_is_found_by_name_and_prints_as_code(name: str) -> None:
    """`repr` rebuilds it, and so does its file."""
    face = Face.named(name)
    assert eval(repr(face)) == face == Face.parse(str(face))
    assert (face.name, face.standard) == (name, True)


@pytest.mark.clause("R29", "R34")
def test_black_is_the_first_editions_name_for_white() -> None:
    """The same places under another name."""
    white, black = FACES["white"], FACES["black"]
    assert (white.places, white.touch) == (black.places, black.touch)
    assert white != black


@pytest.mark.clause("R29", "R30")
def test_a_face_knows_where_a_cell_lies() -> None:
    """Row and column from 0, in the order red 1 … green 9."""
    assert FACES["white"].place(Color.YELLOW, 3) == (2, 2)
    assert FACES["purple"].place(Color.YELLOW, 3) == (2, 4)
    assert [FACES["purple"].place(*cell) for cell in CELLS] == list(FACES["purple"].places)


@pytest.mark.clause("R30")
def test_purple_is_drawn_as_it_lies_on_the_table() -> None:
    """Four rows, each one column to the right of the row above."""
    assert str(FACES["purple"]) == (
        "face purple\n"
        "r1 r2 r3 r4 r5 r6 r7 r8 r9\n"
        ".  b1 b2 b3 b4 b5 b6 b7 b8 b9\n"
        ".  .  y1 y2 y3 y4 y5 y6 y7 y8 y9\n"
        ".  .  .  g1 g2 g3 g4 g5 g6 g7 g8 g9\n"
    )


@pytest.mark.clause("R28")
@pytest.mark.parametrize("seed", range(20))
def test_a_face_of_ones_own_is_read_from_its_file(seed: int) -> None:
    """Text and code both rebuild it; it is not a standard face, whatever its name."""
    face = scattered(seed)
    assert Face.parse(str(face)) == face == eval(repr(face))
    assert face.standard is False
    assert Face("white", face.places).standard is False
    at = {color * 16 + rank - 1: face.place(color, rank) for color, rank in CELLS}
    assert face.touch == faces.touching(at)


@pytest.mark.clause("R28")
def test_a_face_file_may_have_comments_and_blank_lines() -> None:
    """Lines with '#' first and empty lines do not count as rows."""
    lines = str(FACES["white"]).splitlines()
    text = "# my board\n\n" + "\n\n  # a row\n".join(lines)
    assert Face.parse(text) == FACES["white"]


@pytest.mark.clause("R28")
def test_a_row_without_cells_survives_the_text() -> None:
    """A gap between two rows separates them, also after writing and reading."""
    red, *rest = str(FACES["white"]).splitlines()[1:]
    face = Face.parse("\n".join(["face gap", red, ".", *rest]))
    assert face.place(Color.BLUE, 1) == (2, 0)
    assert Face.parse(str(face)) == face


@pytest.mark.parametrize("text", ["", "\n# face white\n", "white\nr1", "face", "face my board\nr1"])
def test_a_face_file_begins_with_its_name(text: str) -> None:
    """One word after 'face'."""
    with pytest.raises(NotUnderstood, match="a face file begins with a line 'face NAME'") as caught:
        Face.parse(text)
    assert caught.value.code == "input.face"


def test_every_problem_of_a_face_file_is_reported() -> None:
    """A cell twice, a word that is none, cells that are missing: all in one sentence."""
    text = str(FACES["white"]).replace("b5", "r1").replace("g9", "g10")
    with pytest.raises(NotUnderstood) as caught:
        Face.parse(text)
    assert str(caught.value) == (
        "face white: r1 appears twice; 'g10' in row 4 is neither a cell like b5 nor '.'; "
        "missing: b5 g9"
    )


@pytest.mark.parametrize("extra", ["\n." * 40, "\n" + ". " * 40])
def test_a_face_has_a_largest_size(extra: str) -> None:
    """No more rows or columns than there are cells."""
    with pytest.raises(NotUnderstood, match="face white: larger than 36 rows or columns"):
        Face.parse(str(FACES["white"]) + extra)


@pytest.mark.parametrize("name", ["x" * 37, "a\u00adb", "two words", ""])
def test_the_name_of_a_face_is_a_short_printable_word(name: str) -> None:
    """Nobody can make us print a book."""
    with pytest.raises(NotUnderstood, match="its name is not one word of at most 36"):
        Face.from_grid(name, [line.split() for line in str(FACES["white"]).splitlines()[1:]])


def test_a_face_of_ones_own_needs_a_name_of_its_own() -> None:
    """Nobody is to think that the printed face is meant."""
    with pytest.raises(NotUnderstood, match="the name 'white' belongs to another face"):
        Face.parse(str(FACES["purple"]).replace("purple", "white"))


def test_an_unknown_face_is_refused_with_the_known_names() -> None:
    """The sentence says what would be right."""
    with pytest.raises(NotUnderstood, match="no face 'mauve'; there are white, black, purple") as e:
        Face.named("mauve")
    assert e.value.code == "input.face"
