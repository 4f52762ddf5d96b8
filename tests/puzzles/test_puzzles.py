"""The puzzles that ship: every one can be played, is as it claims, and keeps its secrets."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from importlib.resources import files
from random import Random

import pytest

from catinthebox import NotUnderstood
from catinthebox.cli.puzzles import question, read_puzzles
from catinthebox.coach import NETWORK, analyse, sentence
from catinthebox.puzzles import Puzzle, PuzzleFile
from catinthebox.puzzles.check import problems
from catinthebox.puzzles.make import LEAD, LEVELS, SAFE, WORLDS, Maker
from catinthebox.puzzles.puzzle import COLUMNS, THEMES

SHIPPED = read_puzzles(None)
TEXT = files("catinthebox.puzzles").joinpath("puzzles.json").read_text("utf-8")
ROOM = 150_000  # bytes, compressed
EACH = 250


def elsewhere(puzzle: Puzzle, chance: Random) -> Puzzle:
    """The same puzzle with other hidden cards, which agree with what the seat knows."""
    other = puzzle.view.sample(chance)
    return replace(puzzle, hands=other.setup.hands, aside=other.setup.aside, moves=other.moves)


def test_every_puzzle_is_as_it_should_be() -> None:
    """It plays again, all its actions are legal and there, its id and its words are right."""
    assert problems(SHIPPED) == []


def test_they_were_looked_at_ten_times_as_long() -> None:
    """With the usual number of worlds, or more, and all levels."""
    assert SHIPPED.worlds >= WORLDS
    assert SHIPPED.again == Maker(SHIPPED.worlds).again == 10 * SHIPPED.worlds
    assert SHIPPED.levels == LEVELS


def test_one_action_leads_and_bots_disagree() -> None:
    """By half a point, also when its own points are counted; not every level finds it."""
    for puzzle in SHIPPED.puzzles:
        assert puzzle.best.loss == 0
        assert all(one.loss >= LEAD for one in puzzle.actions[1:])
        assert len(set(puzzle.answers)) > 1


def test_a_reason_can_be_said_against_every_other_action() -> None:
    """The weightiest speaks for the best one; the main theme does not tell the answer."""
    for puzzle in SHIPPED.puzzles:
        for other in puzzle.actions[1:]:
            assert puzzle.reasons(other)[0].favours
            assert all(sentence(reason) for reason in puzzle.reasons(other))
        assert puzzle.best.paradox <= SAFE
        assert puzzle.themes[0] not in ("red", "give_up")


def test_every_table_is_there() -> None:
    """Two to five players."""
    assert {puzzle.players for puzzle in SHIPPED.puzzles} == {2, 3, 4, 5}
    assert {theme for puzzle in SHIPPED.puzzles for theme in puzzle.themes} <= set(THEMES)


def test_no_two_are_from_the_same_deal() -> None:
    """So there are no near duplicates."""
    deals = [puzzle.deal for puzzle in SHIPPED.puzzles]
    assert len(set(deals)) == len(deals)
    assert len(set(SHIPPED.ids)) == len(deals)


def test_they_are_small() -> None:
    """The whole file, and a puzzle of it."""
    size = len(gzip.compress(TEXT.encode(), mtime=0))
    assert size <= ROOM
    assert size <= EACH * len(SHIPPED.puzzles) + 500


def test_question_and_id_depend_on_nothing_hidden() -> None:
    """Other hidden cards that agree with the view change neither."""
    chance = Random(1)
    for puzzle in SHIPPED.puzzles[:20]:
        other = elsewhere(puzzle, chance)
        assert (other.id, other.view) == (puzzle.id, puzzle.view)
        assert question(other) == question(puzzle)


@pytest.mark.long
def test_a_fresh_look_finds_the_same_best_action() -> None:
    """With a new seed and few worlds, where the lead is large."""
    surest = sorted(SHIPPED.puzzles, key=lambda puzzle: -puzzle.lead)[:3]
    for puzzle in surest:
        again = analyse(puzzle.view, 48, seed=2, method=replace(NETWORK, trust=1e9))
        assert again.best.action == puzzle.best.action


# ── The file ─────────────────────────────────────────────────────────────────────────────────


def test_the_text_round_trips() -> None:
    """Reading and writing gives the same bytes; a puzzle has a line of its own."""
    assert PuzzleFile.of_text(TEXT).text == TEXT
    assert TEXT.count("\n") == len(SHIPPED.puzzles) + 3
    assert json.loads(TEXT)["columns"] == list(COLUMNS)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "not JSON"),
        ("[]", "no catinthebox_puzzles"),
        ('{"catinthebox_puzzles":2}', "version of this file is 2"),
        ('{"catinthebox_puzzles":1}', "missing"),
        (TEXT.replace('"moves"', '"plays"', 1), "puzzle 1"),
        (TEXT.replace('"actions":[["', '"actions":[["x', 1), "puzzle 1"),
    ],
)
def test_a_wrong_file_is_not_understood(text: str, says: str) -> None:
    """The error says what is wrong, and with which puzzle."""
    with pytest.raises(NotUnderstood, match=says):
        PuzzleFile.of_text(text)


def spoiled(**changes: object) -> str:
    """What is wrong with the first puzzle after some changes."""
    puzzle = SHIPPED.puzzles[0]
    changed = replace(puzzle, **changes)  # type: ignore[arg-type]
    return "\n".join(problems(replace(SHIPPED, puzzles=(changed,), ids=(puzzle.id,))))


def test_check_finds_what_is_wrong() -> None:
    """Every claim is checked, and all that is wrong is told."""
    puzzle = SHIPPED.puzzles[0]
    best, other, *rest = puzzle.actions
    close, odd = replace(other, loss=0.1), replace(other, codes=("luck", "paradox"))
    silent = tuple(replace(one, codes=()) for one in puzzle.actions)
    unlikely = replace(other, paradox=1.2)
    assert spoiled() == ""
    assert "cannot be played" in spoiled(moves=f"{puzzle.moves} {puzzle.moves}")
    assert "no face" in spoiled(face="grey")
    assert "to act" in spoiled(seat=(puzzle.seat + 1) % puzzle.players)
    assert "hands" in spoiled(players=puzzle.players + 1)
    assert "legal are" in spoiled(actions=(other, *rest))
    assert "legal are" in spoiled(actions=(*puzzle.actions, other))
    assert "no action leads" in spoiled(actions=(best, close, *rest))
    assert "order of their losses" in spoiled(actions=(other, best, *rest))
    assert "unknown reasons" in spoiled(actions=(best, odd, *rest))
    assert "not between 0 and 100" in spoiled(actions=(best, unlikely, *rest))
    assert "against itself" in spoiled(actions=(replace(best, codes=("dead",)), other, *rest))
    assert "no reason" in spoiled(actions=silent)
    assert "themes" in spoiled(themes=("fun",))
    assert "themes" in spoiled(themes=())
    assert "rating" in spoiled(rating=3000)
    assert "answers" in spoiled(answers=puzzle.answers[:1])


def test_check_compares_ids() -> None:
    """An id follows from the position, and no position is there twice."""
    one = SHIPPED.puzzles[0]
    twice = SHIPPED.holding([one, one])
    assert problems(twice) == [f"puzzle {one.id} is there more than once"]
    renamed = replace(SHIPPED.holding([one]), ids=("aaaaaaaa",))
    assert problems(renamed) == [f"puzzle aaaaaaaa: its id should be {one.id}"]
