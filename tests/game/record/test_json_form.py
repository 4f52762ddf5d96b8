"""Records as JSON: the same lines under the same names."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from sample_rounds import ASIDE, TWO, story

from catinthebox import FACES, Face, Game
from catinthebox.game.record import RecordError, read_json, write_json
from catinthebox.game.record.json_form import as_object

STORY: dict[str, Any] = json.loads(write_json(story()))


def test_a_record_has_a_plain_shape() -> None:
    """Numbers are numbers, words are words, and it is one line."""
    text = write_json(Game.new(2).deal(TWO, ASIDE).play("-4", 1))
    assert text.count("\n") == 1
    assert json.loads(text) == {
        "catinthebox": 1,
        "players": 2,
        "names": ["Ada", "Bohr"],
        "edition": "standard",
        "face": "white",
        "starter": 0,
        "rounds": [{"deal": list(TWO), "aside": ASIDE, "discards": ["?", "-4"]}],
    }


def test_a_finished_round_tells_tricks_paradox_and_scores() -> None:
    """The second round of the story ended in a paradox of seat 0."""
    second = STORY["rounds"][1]
    assert list(second) == ["deal", "discards", "bids", "tricks", "paradox", "scores"]
    assert list(second["tricks"][0]) == ["leader", "plays", "winner"]
    assert list(STORY["rounds"][2]["tricks"][-1]) == ["leader", "plays"]
    hand = story().rounds[1].hands[0]
    assert second["paradox"] == {"seat": 0, "hand": "".join(map(str, hand))}
    assert second["scores"] == [-3, 2, 2]
    assert STORY["result"] == {"totals": [5, 7, 11], "winners": [2]}


@pytest.mark.clause("R28", "R31")
def test_rows_and_house_rules_are_written() -> None:
    """A face of one's own."""
    face = Face("mine", tuple(reversed(FACES["white"].places)))
    record = as_object(Game.new(3, face=face, house_rules=True))
    assert (record["face"], record["house"]) == ("mine", "face")
    rows = record["rows"]
    assert isinstance(rows, list)
    assert rows[0] == ["g9", "g8", "g7", "g6", "g5", "g4", "g3", "g2", "g1"]


def test_empty_lists_are_as_good_as_none() -> None:
    """A program may write every key of a round."""
    record = json.loads(write_json(Game.new(2).deal(TWO, ASIDE)))
    record["rounds"][0].update(discards=[], bids=[], tricks=[], scores=[])
    assert read_json(json.dumps(record)) == Game.new(2).deal(TWO, ASIDE)


Change = Callable[[dict[str, Any]], object]


def put(*path: str | int, value: object) -> Change:
    """Put a value at a path."""

    def change(record: dict[str, Any]) -> None:
        place: Any = record
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = value

    return change


def drop(*path: str | int) -> Change:
    """Remove the value at a path."""

    def change(record: dict[str, Any]) -> None:
        place: Any = record
        for key in path[:-1]:
            place = place[key]
        del place[path[-1]]

    return change


BAD: list[tuple[Change, str, str]] = [  # change, path, sentence
    (put("players", value=None), "players", "a text or a whole number belongs here, not None"),
    (put("players", value=True), "players", "a text or a whole number belongs here, not True"),
    (put("players", value=3.0), "players", "a text or a whole number belongs here, not 3.0"),
    (put("players", value=-3), "players", "'-3' is not a number"),
    (put("players", value=[3, 4]), "players", "'players' is followed by one word"),
    (put("names", 1, value={}), "names[1]", "a text or a whole number belongs here, not {}"),
    (put("names", value=["A"]), "names", "1 names for 3 players (R1)"),
    (put("catinthebox", value=2), "catinthebox", "version 2 is unknown; this reads 1"),
    (put("mood", value="good"), "record", "unknown: mood; known are catinthebox, players, names"),
    (put("rows", value="r1"), "rows", "a list belongs here, not 'r1'"),
    (put("rows", value=[["r1", None]]), "rows[0][1]", "a text or a whole number belongs here"),
    (put("rounds", value={}), "rounds", "a list belongs here, not {}"),
    (put("rounds", 0, value=[]), "rounds[0]", "an object belongs here, not []"),
    (put("rounds", 0, "mood", value=1), "rounds[0]", "unknown: mood; known are deal, aside"),
    (put("rounds", 0, "deal", 2, value=[]), "rounds[0].deal[2]", "a text or a whole number"),
    (put("rounds", 0, "tricks", value=3), "rounds[0].tricks", "a list belongs here, not 3"),
    (
        put("rounds", 0, "tricks", 0, value="0: 5b"),
        "rounds[0].tricks[0]",
        "an object belongs here, not '0: 5b'",
    ),
    (
        put("rounds", 0, "tricks", 0, "mood", value=1),
        "rounds[0].tricks[0]",
        "unknown: mood; known are leader, plays, winner",
    ),
    (
        put("rounds", 0, "tricks", 0, "plays", value="5b"),
        "rounds[0].tricks[0].plays",
        "a list belongs here, not '5b'",
    ),
    (
        put("rounds", 0, "tricks", 0, "plays", 1, value="5x"),
        "rounds[0].tricks[0].plays[1]",
        "'5x' is not an action",
    ),
    (
        put("rounds", 0, "tricks", 0, "leader", value=0),
        "rounds[0].tricks[0].leader",
        "the leader of this trick is 1, not 0 (R10)",
    ),
    (
        drop("rounds", 0, "tricks", 0, "leader"),
        "rounds[0].tricks[0].leader",
        "the leader of this trick is 1, not None (R10)",
    ),
    (
        drop("rounds", 0, "tricks", 0, "plays"),
        "rounds[0].tricks[0].winner",
        "nobody wins a trick that is not complete (R18)",
    ),
    (
        put("rounds", 0, "tricks", 0, "winner", value=9),
        "rounds[0].tricks[0].winner",
        "the winner of this trick is",
    ),
    (
        put("rounds", 0, "tricks", 0, "winner", value=None),
        "rounds[0].tricks[0]",
        "the winner of this trick is missing (R18)",
    ),
    (
        put("rounds", 0, "scores", 1, value=99),
        "rounds[0].scores[1]",
        "the score of seat 1 is 6, not 99 (R25)",
    ),
    (
        put("rounds", 1, "paradox", value="0: 12"),
        "rounds[1].paradox",
        "an object belongs here, not '0: 12'",
    ),
    (
        put("rounds", 1, "paradox", "mood", value=1),
        "rounds[1].paradox",
        "unknown: mood; known are seat, hand",
    ),
    (
        drop("rounds", 1, "paradox", "hand"),
        "rounds[1].paradox[1]",
        "a text or a whole number belongs here, not None",
    ),
    (
        put("rounds", 1, "paradox", "seat", value=2),
        "rounds[1].paradox[0]",
        "the seat and hand of the paradox is 0, not 2 (R20)",
    ),
    (drop("rounds", 0, "deal"), "rounds[0].discards", "expected 'deal' here, found 'discards'"),
    (drop("starter"), "rounds[0]", "expected 'starter' here, found 'round'"),
    (put("result", value=[]), "result", "an object belongs here, not []"),
    (put("result", "mood", value=1), "result", "unknown: mood; known are totals, winners"),
    (
        put("result", "totals", 0, value=50),
        "result.totals[0]",
        "the total of seat 0 is 5, not 50",
    ),
    (
        put("result", "winners", value=[0]),
        "result.winners[0]",
        "the list of winners is 2, not 0",
    ),
    (
        put("result", "winners", value=[2, 0]),
        "result.winners",
        "the list of winners should be: 2 (R3)",
    ),
    (drop("result", "totals"), "result.winners", "expected 'result' here, found 'winners'"),
]


def test_the_story_itself_is_true() -> None:
    """What is changed below was right before."""
    assert read_json(json.dumps(STORY)) == story()


@pytest.mark.clause("R3", "R10", "R18", "R20", "R23")
@pytest.mark.parametrize(
    ("change", "path", "sentence"), BAD, ids=[f"{path}: {sentence}" for _, path, sentence in BAD]
)
def test_a_wrong_type_or_a_lie_is_refused_with_its_path(
    change: Change, path: str, sentence: str
) -> None:
    """Never another kind of error, whatever stands there."""
    record = copy.deepcopy(STORY)
    change(record)
    with pytest.raises(RecordError) as caught:
        read_json(json.dumps(record))
    assert str(caught.value).startswith(f"{path}: {sentence}")
    assert caught.value.where == (0, 0, path)


def test_a_header_that_ends_too_soon_says_where() -> None:
    """The last thing that was there."""
    with pytest.raises(RecordError) as caught:
        read_json('{"catinthebox": 1, "players": 2}')
    assert str(caught.value) == (
        "after players: the record ends before its header does: 'names' is missing"
    )
    with pytest.raises(RecordError, match="'catinthebox' is missing"):
        read_json("{}")


@pytest.mark.parametrize(
    "text", ["", "{", "{'a': 1}", "[" * 100_000, '{"players": ' + "9" * 5000 + "}"]
)
def test_what_is_not_json_is_refused(text: str) -> None:
    """Broken, too deep, or with a number nobody can read."""
    with pytest.raises(RecordError, match="record: not JSON: ") as caught:
        read_json(text)
    assert caught.value.code == "record.syntax"


@pytest.mark.parametrize("text", ["[]", "3", '"catinthebox"', "null"])
def test_a_record_is_an_object(text: str) -> None:
    """Other JSON is not a record."""
    with pytest.raises(RecordError, match="record: an object belongs here, not"):
        read_json(text)


def test_every_value_of_a_record_can_be_anything_without_harm() -> None:
    """Each value of a record replaced by another kind of JSON: read, or refused, never else."""
    kinds: list[object] = [None, True, -1, 2.5, "", "9" * 50, [], [[]], {"a": [1]}]
    refusals = 0
    for number, path in enumerate(_paths(STORY)):
        record = copy.deepcopy(STORY)
        put(*path, value=kinds[number % len(kinds)])(record)
        try:
            read_json(json.dumps(record))
        except RecordError:
            refusals += 1
    assert refusals > 200


def _paths(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    found = [path] if path else []
    keys: Any = value if isinstance(value, dict) else ()
    keys = range(len(value)) if isinstance(value, list) else keys
    for key in keys:
        found += _paths(value[key], (*path, key))
    return found


def test_a_winner_does_not_hide_among_the_plays() -> None:
    """It has a field of its own."""
    written = json.loads(write_json(story()))
    trick = written["rounds"][0]["tricks"][0]
    trick["plays"].append(f">{trick.pop('winner')}")
    with pytest.raises(RecordError, match=r"tricks\[0\].plays: the winner stands under 'winner'"):
        read_json(json.dumps(written))


def test_a_key_that_appears_twice_is_refused() -> None:
    """One of the two could be a lie."""
    text = write_json(story()).replace('"scores":', '"scores": [9, 9, 9], "scores":', 1)
    with pytest.raises(RecordError, match="a key appears twice"):
        read_json(text)


def test_json_does_not_break_off() -> None:
    """A list of winners that is too short is a lie."""
    written = json.loads(write_json(story()))
    written["result"]["totals"].pop()
    with pytest.raises(RecordError, match="the total should be"):
        read_json(json.dumps(written))
