"""Published test vectors: reading, counting, checking."""

from __future__ import annotations

import pytest
from sample_rounds import THREE, first_lead

from catinthebox import FACES, NotUnderstood, Round
from catinthebox.game.vectors import COLUMNS, Vector, check, count, parse

MICRO = """
# a comment, and a blank line

vector two seats, one trick
about text that nobody reads
players 2
ranks 2
hands 12 12
depth 1 nodes 6 leads 6
depth 2 nodes 30 ended 30
"""


def one(text: str) -> Vector:
    """The only vector of a text."""
    (vector,) = parse(text)
    return vector


def test_a_file_is_read_block_by_block() -> None:
    """Keywords and their words; refusals and depths are lists."""
    first, second = parse(
        MICRO + "refuse 1r R14\nrefuse 9b R11\nvector another\nplayers 2\ndeal 123 123\n"
    )
    assert (first.name, second.name) == ("two seats, one trick", "another")
    assert first.fields["hands"] == ["12", "12"]
    assert first.refused == [("1r", "R14"), ("9b", "R11")]
    assert first.depths == [
        {"depth": "1", "nodes": "6", "leads": "6"},
        {"depth": "2", "nodes": "30", "ended": "30"},
    ]
    assert (second.refused, second.depths) == ([], [])


def test_a_block_begins_with_its_name() -> None:
    """Anything before it is not understood, with its line."""
    with pytest.raises(NotUnderstood, match="line 2: a block begins with 'vector NAME'") as caught:
        parse("# fine\nplayers 3\n")
    assert caught.value.code == "input.vector"


@pytest.mark.parametrize(
    "line",
    [
        *("kittens 3", "players 6", "starter x", "ranks 10", "hands 1x 2", "bids a", "refuse 1r"),
        *("depth 1", "depth 0 nodes 1", "depth 61 nodes 1", "depth 1 nodes", "over scores"),
    ],
)
def test_a_line_that_makes_no_sense_is_refused(line: str) -> None:
    """With its number and its words."""
    with pytest.raises(NotUnderstood, match=f"line 2: '{line}' makes no sense") as caught:
        parse(f"vector x\n{line}\n")
    assert caught.value.code == "input.vector"


def test_a_position_of_hands_is_the_first_lead_of_a_micro_game() -> None:
    """The deck is one card larger than the hands, which have discarded."""
    assert one(MICRO).round() == first_lead("12 12", ranks=2)


def test_a_position_of_a_deal_begins_before_the_discards() -> None:
    """Standard deck, starter, face and moves."""
    text = (
        f"vector x\nplayers 3\ndeal {' '.join(THREE)}\nstarter 2\nface purple\nmoves -2 -3 -4 =1\n"
    )
    assert one(text).round() == Round.deal(THREE, starter=2, face=FACES["purple"]).replay(
        "-2 -3 -4 =1"
    )


@pytest.mark.clause("R6")
def test_cards_are_turned_up_or_left_aside() -> None:
    """`turned` goes with hands, `aside` with a deal; a micro deal says its ranks."""
    turned = one("vector x\nplayers 2\nranks 3\nhands 12 12\nturned 113\n").round()
    assert turned == first_lead("12 12", turned="113", ranks=3)
    aside = one("vector x\nplayers 2\nranks 3\ndeal 122 122\naside 11333\n").round()
    assert (aside.setup.aside, aside.setup.cards.dealt, aside.turn) == ("11333", 3, 0)


@pytest.mark.clause("R8")
def test_bids_may_be_made_already() -> None:
    """By seat."""
    assert one("vector x\nplayers 3\nranks 3\nhands 12 12 12\nbids 1 3 4\n").round().bids == (
        1,
        3,
        4,
    )


def test_counting_gives_words_in_the_order_of_the_file() -> None:
    """The plain columns, then tricks won, scores and the checksum."""
    row = count(first_lead("12 12", ranks=2), 2)[1]
    assert list(row) == ["depth", *COLUMNS, "won", "scores", "check"]
    assert {name: row[name] for name in ("depth", "nodes", "leads", "follows", "off")} == {
        "depth": "2",
        "nodes": "42",
        "leads": "0",
        "follows": "6",
        "off": "36",
    }


def test_a_true_vector_has_no_differences() -> None:
    """Everything that `count` says is true of the position it counted."""
    vector = one(MICRO)
    vector.depths = count(vector.round(), 2)
    assert check(vector) == []


def test_every_difference_is_a_sentence() -> None:
    """Depth, column, what it should be and what it is."""
    vector = one(MICRO + "refuse 1r R12\nrefuse 1b R12\nrefuse =0 R9\nover paradox 1 groups 9,9\n")
    assert check(vector) == [
        "two seats, one trick: 1r should be refused by R12, not by R14",
        "two seats, one trick: 1b should be refused by R12, not by None",
        "two seats, one trick: =0 should be refused by R9, not by R8",
        "two seats, one trick: depth 2 nodes should be 30, not 42",
        "two seats, one trick: depth 2 ended should be 30, not 42",
        "two seats, one trick: paradox should be 1, not -",
        "two seats, one trick: groups should be 9,9, not 0,0",
    ]


def test_a_column_that_does_not_exist_is_a_difference() -> None:
    """Nothing is silently ignored."""
    vector = one("vector x\nplayers 2\nranks 2\nhands 12 12\ndepth 1 kittens 3\nover colors 4\n")
    assert check(vector) == [
        "x: depth 1 kittens should be 3, not None",
        "x: colors should be 4, not None",
    ]


@pytest.mark.clause("R21", "R24")
def test_the_end_of_a_round_is_checked() -> None:
    """Paradox, scores and groups of a finished round; '-' while there are none."""
    moves = "1b 2g 1y 3g 1g 4r"
    text = f"vector x\nplayers 2\nranks 9\nhands 11199 23444\nmoves {moves}\n"
    assert check(one(text + "over paradox 1 scores 5,-1 groups 3,2\n")) == []
    assert (
        check(one("vector x\nplayers 2\nranks 9\nhands 12 12\ndepth 1 nodes 6\nover scores -\n"))
        == []
    )


def test_a_vector_may_have_refusals_and_no_depths() -> None:
    """Then nothing is counted."""
    assert check(one("vector x\nplayers 2\nranks 9\nhands 12 12\nrefuse 1r R14\n")) == []


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ("hands 12 12", "x: seat 0 has 2 cards; it should have 9 (R5)"),
        ("hands 12 12 12", "x: 3 hands for 2 players"),
        ("ranks 2", "x: 0 hands for 2 players"),
        ("ranks 2\nhands 12 12\nmoves 1r", "x: red may not be led before somebody"),
        ("ranks 2\nhands 12 12\nface mauve", "x: no face 'mauve'; there are white, black, purple"),
    ],
)
def test_an_impossible_position_is_a_difference(lines: str, sentence: str) -> None:
    """The sentence of the refusal under the name of the vector."""
    (found,) = check(one(f"vector x\nplayers 2\n{lines}\n"))
    assert found.startswith(sentence)
