"""Records as text: what is written is what is read."""

from __future__ import annotations

import re
from random import Random

import pytest
from sample_rounds import THREE, game_moments, story

from catinthebox import EDITIONS, FACES, Face, Game
from catinthebox.game.record import RecordError, read, read_any, read_json, write, write_json
from catinthebox.game.record.cat import split
from catinthebox.game.record.lines import Line, Where, Word
from catinthebox.game.record.serialize import record_lines

TABLES = [
    Game.new(2, starter=1),
    Game.new(3, names=("Ada Lovelace", "Bo  hr", "#3 Ψ")),
    Game.new(4, face="purple", starter=2),
    Game.new(5, starter=4),
    Game.new(3, edition=EDITIONS["first"], face="black"),
    Game.new(2, face="purple", house_rules=True),
]


@pytest.mark.long
@pytest.mark.parametrize("game", TABLES, ids=lambda game: f"{game.players}-{game.face.name}")
def test_every_moment_of_a_game_is_read_as_it_was_written(game: Game) -> None:
    """Text and JSON, from before the first deal to the last word; writing again is the same."""
    for moment in [*game_moments(game, Random(1))][:: max(1, game.players - 2)]:
        text, twin = write(moment), write_json(moment)
        assert read(text) == moment == read_any(text)
        assert read_json(twin) == moment == read_any(twin)
        assert (write(read(text)), write_json(read_json(twin))) == (text, twin)


def cuts(text: str) -> list[str]:
    """Every beginning of a record that ends at white space after its header."""
    header = re.search(r"^starter \d\n", text, re.MULTILINE)
    assert header is not None
    spaces = [found.start() for found in re.finditer(r"\s", text)]
    return [text[:at] for at in spaces if at >= header.end() - 1]


def words_of_actions(text: str) -> int:
    """How many actions a record tells."""
    lines = re.findall(r"^(?:discards|bids|trick) (.*)$", text, re.MULTILINE)
    words = [word for line in lines for word in line.split()]
    return sum(re.fullmatch(r"-\d|=\d|\d[rbyg]", word) is not None for word in words)


@pytest.mark.long
@pytest.mark.parametrize("game", TABLES, ids=lambda game: f"{game.players}-{game.face.name}")
def test_a_record_may_end_anywhere_after_its_header(game: Game) -> None:
    """A file that was cut short is read as far as it goes: no action is lost, none is added."""
    *_, end = game_moments(game, Random(5))
    text = write(end)
    assert len(cuts(text)) > 60
    for cut in cuts(text):
        found = read(cut)
        assert sum(len(round.actions) for round in found.rounds) == words_of_actions(cut)
        assert text.startswith(write(found).rstrip())
        assert found.names == end.names


def test_a_record_is_a_small_readable_text() -> None:
    """One line, one keyword; a blank line before every round and before the result."""
    game = Game.new(3).deal(THREE).play("-4", 2).play("-2")
    assert write(game) == (
        "catinthebox 1\n"
        "players 3\n"
        "names Ada | Bohr | Curie\n"
        "edition standard\n"
        "face white\n"
        "starter 0\n"
        "\n"
        "round 1\n"
        "deal 1223345566 1123344556 1122344566\n"
        "discards -2 ? -4\n"
    )


@pytest.mark.clause("R3", "R10", "R18", "R22")
def test_a_finished_game_tells_leaders_winners_paradoxes_scores_and_result() -> None:
    """The story of three rounds ends like this."""
    lines = write(story()).splitlines()
    starts = [line.split()[0] for line in lines if line]
    assert starts.count("round") == starts.count("scores") == 3
    assert starts.count("paradox") == 2
    assert lines[-3:] == ["", "result 5 7 11", "winners 2"]
    first = next(line for line in lines if line.startswith("trick"))
    assert re.fullmatch(r"trick 1: \d[byg] \d[rbyg] \d[rbyg] >\d", first)


@pytest.mark.clause("R31")
def test_a_house_rule_is_written() -> None:
    """A face that is not printed for two."""
    game = Game.new(2, face="purple", house_rules=True)
    assert [words for kind, words in record_lines(game) if kind == "house"] == [["face"]]
    assert read(write(game)).house_rules == game.house_rules


@pytest.mark.clause("R28", "R31")
@pytest.mark.parametrize("name", ["mine", "Weiß"])
def test_a_custom_face_is_written_row_by_row(name: str) -> None:
    """Also with a row in which nothing lies."""
    places = [(row * 2, column) for row, column in reversed(FACES["purple"].places)]
    game = Game.new(3, face=Face(name, tuple(places)), house_rules=True)
    rows = [line for line in write(game).splitlines() if line.startswith("row")]
    assert len(rows) == 7
    assert read(write(game)) == game == read_json(write_json(game))
    (*_, last) = game_moments(game, Random(1))
    assert read(write(last)) == last == read_json(write_json(last))


def test_comments_blank_lines_and_indents_do_not_matter() -> None:
    """'#' begins a comment line; words stand between any blanks."""
    text = write(story())
    decorated = "# a game\n\n" + text.replace("\n", "\n  # more\n\n\t ").replace(": ", ":   ")
    assert read(decorated) == story()
    assert read(text.replace("\n", "\r\n")) == story()


def test_words_know_their_places() -> None:
    """Lines and columns count from one; names stand between bars."""
    assert split("\n  bids =1  =3\nnames  Ada L |B\n") == [
        Line("bids", Where(2, 3), (Word("=1", Where(2, 8)), Word("=3", Where(2, 12)))),
        Line("names", Where(3, 1), (Word("Ada L", Where(3, 8)), Word("B", Where(3, 15)))),
    ]


def test_a_record_has_a_largest_length() -> None:
    """Nobody can make us read forever."""
    with pytest.raises(RecordError, match="a record has at most 2000 lines") as caught:
        read(write(story()) + "#\n" * 2000)
    assert (caught.value.where, caught.value.code) == (Where(2000, 1), "record.syntax")
    assert read(write(story()) + "#\n" * 1900) == story()


def test_a_line_has_a_largest_width() -> None:
    """Comments included."""
    with pytest.raises(RecordError, match="line 2, column 1000: a line has at most 1000") as caught:
        read("catinthebox 1\n#" + "x" * 1000)
    assert caught.value.where == Where(2, 1000)


def test_either_form_is_recognised() -> None:
    """JSON begins with a brace, after any blanks."""
    assert read_any(" \n" + write_json(story())) == story() == read_any(write(story()))
