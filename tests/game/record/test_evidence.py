"""Fair deals in records: promised before the first deal, the secret at the very end."""

from __future__ import annotations

import json
import re

import pytest
from fair_games import fair_game, moments, nonces_of

from catinthebox import Game
from catinthebox.game.record import RecordError, read, read_json, write, write_json
from catinthebox.game.record.lines import Where

TEXT = write(fair_game(3, bots=1))
LINES = TEXT.splitlines()


@pytest.mark.clause("R33")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_moment_is_read_as_it_was_written(players: int) -> None:
    """In both forms; the secret is there after the end and never before."""
    *before, revealed = moments(players, bots=1)
    for moment in [*before[:: players * 2], before[-1], revealed]:
        text, twin = write(moment), write_json(moment)
        assert read(text) == moment == read_json(twin)
        assert (write(read(text)), write_json(read_json(twin))) == (text, twin)
        assert ("\nsecret " in text) == ('"secret": ' in twin) == (moment is revealed)


def test_the_lines_of_a_promise() -> None:
    """Version, table, commitment and nonces stand before the starter; the secret is the last."""
    first, second, third = nonces_of(3, bots=1)
    assert third == b""
    evidence = fair_game(3, bots=1).fairness
    assert evidence is not None
    assert evidence.secret is not None
    assert LINES[5:9] == [
        "fair 1",
        "table lab-7",
        f"commitment {evidence.commitment}",
        f"nonces {first.hex()} {second.hex()} -",
    ]
    assert LINES[9].startswith("starter ")
    assert LINES[-1] == f"secret {evidence.secret.hex()}"


def test_the_fields_of_a_promise() -> None:
    """The same in JSON."""
    twin = json.loads(write_json(fair_game(3, bots=1)))
    keys = ["fair", "table", "commitment", "nonces", "starter", "rounds", "result", "secret"]
    assert list(twin)[-8:] == keys
    assert (twin["fair"], twin["table"], twin["nonces"][2]) == (1, "lab-7", "-")


def test_a_record_may_end_anywhere_after_its_header() -> None:
    """Also right after the word 'secret'."""
    begin = TEXT.index("\n", TEXT.index("\nstarter ") + 1)
    spaces = [found.start() for found in re.finditer(r"\s", TEXT) if found.start() >= begin]
    for cut in spaces:
        found = read(TEXT[:cut])
        assert found.fairness is not None
        assert (found.fairness.secret is None) == (cut < len(TEXT) - 1)
        assert TEXT.startswith(write(found).rstrip())


BAD = [  # line, as it is told, what is said about it, in which column
    (5, "fair 2", "fair deals of version 2 are unknown; this reads 1", 6),
    (5, "fair", "'fair' is followed by one word", 1),
    (5, "fair one", "'one' is not a number", 6),
    (6, "table läb", "a table id is 1 to 64 of the letters", 1),
    (6, "table lab 7", "'table' is followed by one word", 1),
    (6, "commitment", "expected 'table' here, found 'commitment'", 1),
    (7, "commitment abc", "a commitment is 64 hexadecimal digits", 1),
    (7, LINES[7].upper().replace("COMMITMENT", "commitment"), "a commitment is 64 hexadecimal", 1),
    (8, "nonces - -", "2 nonces for 3 players", 1),
    (8, "nonces - - - -", "4 nonces for 3 players", 1),
    (8, "nonces - -- -", "'--' is not 64 hexadecimal digits, small letters", 10),
    (8, f"nonces {'A' * 64} - -", "is not 64 hexadecimal digits", 8),
    (8, f"nonces {'a' * 63} - -", "is not 64 hexadecimal digits", 8),
    (8, "starter 0", "expected 'nonces' here, found 'starter'", 1),
    (-1, "secret", "'secret' is followed by one word", 1),
    (-1, "secret -", "'-' is not 64 hexadecimal digits", 8),
    (-1, f"secret {'0' * 66}", "is not 64 hexadecimal digits", 8),
    (-1, f"{LINES[-1]}\nsecret {'0' * 64}", "the game is over; nothing comes after it", 1),
    (-1, "scores 1 2 3", "expected 'secret' here, found 'scores'", 1),
]


@pytest.mark.parametrize(("line", "written", "sentence", "column"), BAD, ids=[b[2] for b in BAD])
def test_what_cannot_be_is_refused_where_it_stands(
    line: int, written: str, sentence: str, column: int
) -> None:
    """With line and column."""
    lines = [*LINES]
    lines[line] = written
    with pytest.raises(RecordError, match=re.escape(sentence)) as caught:
        read("\n".join(lines) + "\n")
    place = len(LINES) + written.count("\n") if line < 0 else line + 1
    assert caught.value.where == Where(place, column)


@pytest.mark.clause("R33")
def test_a_secret_before_the_end_is_refused() -> None:
    """In both forms: it would tell every hand."""
    last = next(game for game in moments(2) if game.between_rounds and game.number)
    with pytest.raises(RecordError, match="found 'secret'"):
        read(f"{write(last)}{LINES[-1]}\n")
    written = {**json.loads(write_json(last)), "secret": "0" * 64}
    with pytest.raises(RecordError, match="found 'secret'") as caught:
        read_json(json.dumps(written))
    assert caught.value.where.path == "secret"


def test_a_secret_without_a_promise_is_refused() -> None:
    """Nothing was promised that it could prove."""
    bare = [line for line in LINES if line.split()[:1] not in (["fair"], ["table"])]
    bare = [line for line in bare if line.split()[:1] not in (["commitment"], ["nonces"])]
    with pytest.raises(RecordError, match="the game is over; nothing comes after it"):
        read("\n".join(bare))
    assert read("\n".join(bare[:-1]) + "\n").fairness is None


@pytest.mark.parametrize(
    ("key", "value", "path"),
    [
        ("fair", 2, "fair"),
        ("fair", None, "fair"),
        ("table", 7.5, "table"),
        ("commitment", ["a", "b"], "commitment"),
        ("nonces", "-", "nonces"),
        ("nonces", ["-", "-", 3], "nonces[2]"),
        ("secret", [], "secret"),
        ("secret", "00", "secret"),
    ],
)
def test_json_is_refused_with_its_path(key: str, value: object, path: str) -> None:
    """The same checks."""
    written = {**json.loads(write_json(fair_game(3, bots=1))), key: value}
    with pytest.raises(RecordError) as caught:
        read_json(json.dumps(written))
    assert caught.value.where.path == path


def test_a_secret_that_does_not_fit_can_be_read() -> None:
    """The game was played all the same; `verify` is there to say what is wrong."""
    text = TEXT.replace(LINES[-1], f"secret {'0' * 64}")
    game = read(text)
    assert game.fairness is not None
    assert game.fairness.secret == bytes(32)
    assert write(game) == text


def test_a_record_without_a_promise_is_as_it_was() -> None:
    """Not a byte more."""
    assert "fair" not in write(Game.new(3))
    assert "fair" not in write_json(Game.new(3))
