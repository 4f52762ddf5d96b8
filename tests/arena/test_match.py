"""Who sits where, and what a match is called."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from catinthebox import Face, NotUnderstood
from catinthebox.arena import Match, Terms, directions
from catinthebox.arena.match import ready


@pytest.mark.parametrize("kind", ["one", "many"])
@pytest.mark.parametrize("players", range(2, 6))
def test_the_lone_player_sits_everywhere_once(players: int, kind: str) -> None:
    """Each seat has it in exactly one seating; the others are all of the other kind."""
    match = Match(players, ("a", "b"), kind)
    lone = "a" if kind == "one" else "b"
    for seating in range(players):
        seats = match.seated(seating)
        assert seats[seating] == lone
        assert seats.count(lone) == 1


def test_a_table_is_rotated() -> None:
    """Everybody sits in every seat once, always with the same neighbours."""
    match = Match(3, ("x", "y", "z"), "table")
    assert [match.seated(n) for n in range(3)] == [
        ("x", "y", "z"),
        ("z", "x", "y"),
        ("y", "z", "x"),
    ]


@pytest.mark.parametrize("games", [False, True])
@pytest.mark.parametrize("kind", ["one", "many"])
def test_keys_can_be_read_back(kind: str, games: bool) -> None:
    """Also with parameters in the names."""
    match = Match(4, ("search:ms=50,policy=follow", "careful"), kind, games)
    end = " games" if games else ""
    assert match.key == f"4p search:ms=50,policy=follow vs careful {kind}{end}"
    assert Match.of_key(match.key) == match
    table = Match(3, ("x", "y", "z"), "table", games)
    assert Match.of_key(table.key) == table


@pytest.mark.parametrize("key", ["", "follow vs random one", "9p a vs b one", "3p a one"])
def test_what_is_no_key_is_refused(key: str) -> None:
    """With a sentence, whatever a file holds."""
    with pytest.raises(NotUnderstood):
        Match.of_key(key)


def test_both_directions() -> None:
    """Two matches, but one at two players, where they are the same."""
    assert [match.kind for match in directions(4, "a", "b")] == ["one", "many"]
    assert [match.kind for match in directions(4, "a", "b", "many")] == ["many"]
    assert [match.kind for match in directions(2, "a", "b")] == ["one"]
    assert [match.kind for match in directions(2, "a", "b", "many")] == ["one"]


def test_who_is_a_when_a_player_meets_itself() -> None:
    """The lone seat decides, not the name."""
    for kind in ("one", "many"):
        match = Match(3, ("follow", "follow"), kind)
        rows = match.play(Terms(), 0)
        assert sum(match.is_a(row) for row in rows) == (3 if kind == "one" else 6)


@pytest.mark.parametrize(
    ("players", "specs", "kind"),
    [
        (6, ("a", "b"), "one"),
        (4, ("a",), "one"),
        (4, ("a", "b"), "table"),
        (4, ("a", "b"), "some"),
        (4, ("a vs c", "b"), "one"),
        (4, ("a\n", "b"), "one"),
    ],
)
def test_impossible_matches(players: int, specs: tuple[str, ...], kind: str) -> None:
    """What cannot be seated is refused."""
    with pytest.raises(NotUnderstood):
        Match(players, specs, kind)


def test_terms_choose_the_face() -> None:
    """The one for a first game, or the one that is named, also as a house rule."""
    assert Terms().board(5).name == "purple"
    assert Terms().board(4).name == "white"
    rows = Match(2, ("random", "random")).play(Terms(face=Face.named("purple")), 0)
    assert len(rows) == 4


def test_players_are_made_once_and_warmed_up() -> None:
    """What a player compiles is not its thinking time."""
    assert ready("follow", 3) is ready("follow", 3)
    assert ready("follow", 3)[0] is ready("follow", 3)[2]


WATCHFUL = """
import json, os, sys
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "hello":
        answer = {"type": "hello", "name": "watchful"}
    else:
        answer = {"type": "action", "action": asked["legal"][0]}
        with open(sys.argv[0] + ".told", "a") as file:
            file.write(f"{os.getpid()} {asked['seat']}\\n")
    print(json.dumps(answer), flush=True)
"""


@pytest.fixture
def watchful(tmp_path: Path) -> Iterator[str]:
    """A program that notes which process was told about which seat."""
    (tmp_path / "bot.py").write_text(WATCHFUL, encoding="utf-8")
    yield f"external:{sys.executable} {tmp_path / 'bot.py'}"
    ready.cache_clear()  # and so the programs end


@pytest.mark.process
@pytest.mark.clause("R33")
@pytest.mark.parametrize("kind", ["one", "many"])
def test_no_program_sees_two_seats(kind: str, watchful: str, tmp_path: Path) -> None:
    """Neither at one table, nor over all seatings of some deals, nor while it warms up."""
    match = Match(3, (watchful, "follow"), kind)
    for number in range(2):
        match.play(Terms(), number)
    received: dict[str, set[str]] = defaultdict(set)
    for line in (tmp_path / "bot.py.told").read_text(encoding="utf-8").splitlines():
        process, seat = line.split()
        received[process].add(seat)
    assert sorted(received.values(), key=min) == [{"0"}, {"1"}, {"2"}]
