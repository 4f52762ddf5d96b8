"""Whether the puzzles of a file are what they should be: every one is played again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ..game import FACES, CatInTheBoxError
from .make import LEAD
from .puzzle import EASIEST, HARDEST, MEASURED, THEMES, Puzzle, PuzzleFile

CODES = (*MEASURED, "spare", "room")


def problems(file: PuzzleFile) -> list[str]:
    """Return everything that is wrong with a file."""
    found = []
    for number, puzzle in enumerate(file.puzzles):
        written = file.ids[number]
        found += [f"puzzle {written}: {problem}" for problem in _problems(file, puzzle, written)]
    often = [name for name, times in Counter(file.ids).items() if times > 1]
    return found + [f"puzzle {name} is there more than once" for name in often]


def _problems(file: PuzzleFile, puzzle: Puzzle, written: str) -> Iterator[str]:
    if puzzle.face not in FACES:
        yield f"no face {puzzle.face!r}"
        return
    try:
        view = puzzle.view
    except CatInTheBoxError as error:
        yield f"it cannot be played: {error}"
        return
    if puzzle.players != view.players:
        yield f"{puzzle.players} players, but {view.players} hands"
    if view.turn != puzzle.seat:
        yield f"seat {puzzle.seat} is not to act, seat {view.turn} is"
        return
    if written != puzzle.id:
        yield f"its id should be {puzzle.id}"
    yield from _of_actions(puzzle)
    yield from _of_words(file, puzzle)


def _of_actions(puzzle: Puzzle) -> Iterator[str]:
    legal = {action.notation for action in puzzle.view.legal}
    listed = Counter(valued.action.notation for valued in puzzle.actions)
    if set(listed) != legal or max(listed.values(), default=0) > 1:
        yield f"its actions are {' '.join(listed)}, legal are {' '.join(sorted(legal))}"
        return
    losses = [valued.loss for valued in puzzle.actions]
    if losses[0] != 0 or sorted(losses) != losses:
        yield "its actions are not in the order of their losses, from 0 on"
    if len(losses) < 2 or puzzle.lead < LEAD:
        yield f"no action leads by {LEAD} points"
    for valued in puzzle.actions:
        known = (code.removeprefix("-").partition(":")[0] in CODES for code in valued.codes)
        if not all(known):
            yield f"{valued.action}: unknown reasons {' '.join(valued.codes)}"
        shares = valued.paradox, valued.bid, valued.wins
        if not all(0 <= share <= 1 for share in shares):
            yield f"{valued.action}: a chance is not between 0 and 100"
    if puzzle.best.codes:
        yield "its best action has reasons against itself"
    for other in puzzle.actions[1:]:
        if not any(reason.favours for reason in puzzle.reasons(other)):
            yield f"no reason is given against {other.action}"


def _of_words(file: PuzzleFile, puzzle: Puzzle) -> Iterator[str]:
    unknown = [theme for theme in puzzle.themes if theme not in THEMES]
    if unknown or not puzzle.themes or len(set(puzzle.themes)) < len(puzzle.themes):
        yield f"its themes are {puzzle.themes}; there are {', '.join(THEMES)}"
    if not EASIEST <= puzzle.rating <= HARDEST:
        yield f"its rating is {puzzle.rating}; {EASIEST} to {HARDEST}"
    if len(puzzle.answers) != len(file.levels):
        yield f"{len(puzzle.answers)} answers of {len(file.levels)} levels"
    if not set(puzzle.answers) <= set(puzzle.view.legal):
        yield "a level takes an action that is not legal"
