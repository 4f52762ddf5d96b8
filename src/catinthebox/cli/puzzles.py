"""`catinthebox puzzles`: make puzzles from self-play, show one, check a file (docs/puzzles.md)."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from types import ModuleType
from typing import Final

from ..coach import sentence
from ..game import Action, NotUnderstood
from ..puzzles.puzzle import Puzzle, PuzzleFile, Valued
from . import advice
from .files import read_text, write_text

MOST: Final = 100_000  # puzzles
MOST_JOBS: Final = 256
WORLDS: Final = range(4, 401)  # ten times as many are possible
EXAMPLE: Final = """examples:
  catinthebox puzzles show
  catinthebox puzzles make --count 600 --seed 1 --jobs 8 --out puzzles.json"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what can be done, with its options."""
    parser.epilog = EXAMPLE
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("what", choices=("make", "show", "check"), help="what to do")
    parser.add_argument(
        "subject",
        nargs="?",
        metavar="ID|FILE",
        help="show: the id or the number of a puzzle (default: the first); check: a file",
    )
    parser.add_argument(
        "--file", type=Path, metavar="FILE", help="show: a file of puzzles (default: those we ship)"
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="make: the file to write")
    parser.add_argument(
        "--count", type=int, default=600, metavar="N", help="make: how many (default 600)"
    )
    parser.add_argument(
        "--seed", default="1", metavar="WORD", help="make: all chance follows from it (default 1)"
    )
    parser.add_argument(
        "--worlds",
        type=int,
        default=128,
        metavar="N",
        help="make: try every action in so many worlds, then in ten times as many (default 128)",
    )
    parser.add_argument(
        "--work",
        type=Path,
        metavar="FILE",
        help="make: what was found so far; the same command goes on from there "
        "(default: the name of --out and .work)",
    )
    parser.add_argument(
        "--jobs",
        type=int,
        default=1,
        metavar="N",
        help="make: the number of worker processes, 1 to 256 (default 1)",
    )
    parser.add_argument("--ray", action="store_true", help="make: run on a Ray cluster")


def run(arguments: argparse.Namespace) -> int:
    """Do what was asked for."""
    return {"make": _make, "show": _show, "check": _check}[arguments.what](arguments)


def read_puzzles(path: Path | None) -> PuzzleFile:
    """Read a file of puzzles, or those that ship."""
    if path is None:
        shipped = files("catinthebox.puzzles").joinpath("puzzles.json")
        return PuzzleFile.of_text(shipped.read_text("utf-8"))
    try:
        return PuzzleFile.of_text(read_text(path))
    except NotUnderstood as error:
        if error.message.startswith(str(path)):
            raise
        raise NotUnderstood(error.code, f"{path}: {error.message}") from None


# ── Making ───────────────────────────────────────────────────────────────────────────────────


def _make(arguments: argparse.Namespace) -> int:
    if arguments.out is None or arguments.subject is not None:
        raise NotUnderstood("input.option", "make needs --out FILE, and nothing else by its place")
    for name, value, most in (
        ("count", arguments.count, MOST),
        ("jobs", arguments.jobs, MOST_JOBS),
    ):
        if not 1 <= value <= most:
            raise NotUnderstood("input.option", f"--{name} {value}; 1 to {most} are possible")
    if arguments.worlds not in WORLDS:
        possible = f"{WORLDS[0]} to {WORLDS[-1]} are possible"
        raise NotUnderstood("input.option", f"--worlds {arguments.worlds}; {possible}")
    maker = _puzzles("make").Maker(arguments.worlds)
    work = arguments.work or arguments.out.with_name(f"{arguments.out.name}.work")
    try:
        file = _puzzles("collect").collect(
            arguments.count,
            arguments.seed,
            maker,
            work,
            jobs=arguments.jobs,
            ray=arguments.ray,
            progress=_progress if sys.stderr.isatty() else _silent,
        )
    except KeyboardInterrupt:
        print("stopped; the same command goes on from here", file=sys.stderr)
        raise
    write_text(arguments.out, file.text)
    print(f"Written: {arguments.out}, {len(file.puzzles)} puzzles")
    return 0


def _puzzles(module: str) -> ModuleType:
    return import_module(f"catinthebox.puzzles.{module}")


def _progress(deals: int, puzzles: int) -> None:
    print(f"\r{deals} deals, {puzzles} puzzles", end="", file=sys.stderr, flush=True)


def _silent(deals: int, puzzles: int) -> None:
    del deals, puzzles


# ── Checking ─────────────────────────────────────────────────────────────────────────────────


def _check(arguments: argparse.Namespace) -> int:
    if arguments.subject is None:
        raise NotUnderstood("input.option", "check needs a file of puzzles")
    file = read_puzzles(Path(arguments.subject))
    found = _puzzles("check").problems(file)
    for problem in found:
        print(problem)
    if not found:
        print(f"{len(file.puzzles)} puzzles, all as they should be")
    return 1 if found else 0


# ── Showing ──────────────────────────────────────────────────────────────────────────────────


def _show(arguments: argparse.Namespace) -> int:
    file = read_puzzles(arguments.file)
    puzzle = chosen(file, arguments.subject)
    print("\n".join(question(puzzle)))
    answer = asked(puzzle)
    print("\n".join(answered(file, puzzle, answer)))
    return 0


def chosen(file: PuzzleFile, wanted: str | None) -> Puzzle:
    """Return a puzzle by its id or number; by default the first one."""
    if wanted is None:
        wanted = "1"
    if wanted.isdecimal() and 1 <= int(wanted[:9]) <= len(file.puzzles):
        return file.puzzles[int(wanted[:9]) - 1]
    for puzzle in file.puzzles:
        if puzzle.id == wanted:
            return puzzle
    sentence = f"no puzzle {wanted[:20]!r}; there are numbers 1 to {len(file.puzzles)}, and ids"
    raise NotUnderstood("input.option", sentence)


def question(puzzle: Puzzle) -> list[str]:
    """Return what the seat knows, and nothing else."""
    view = puzzle.view
    return [
        f"Puzzle {puzzle.id}, {puzzle.themes[0].replace('_', ' ')}, rating {puzzle.rating}",
        f"{puzzle.players} players, {puzzle.face}",
        "",
        str(view),
        "",
    ]


def asked(puzzle: Puzzle) -> Action | None:
    """Ask for an answer; None if there is none."""
    legal = puzzle.view.legal
    while True:
        try:
            written = input("What do you play? ").strip().lower()
        except EOFError:
            print()
            return None
        for action in legal:
            if written == action.notation:
                return action
        if not written:
            return None
        print(f"One of {legal}; or nothing, to see the answer.")


def answered(file: PuzzleFile, puzzle: Puzzle, answer: Action | None) -> list[str]:
    """Return the best action, why it is better than the answer, and what every action is worth."""
    best, others = puzzle.best, puzzle.actions[1:]
    against = next((one for one in others if one.action == answer), puzzle.tempting)
    word = "Best: " if answer == best.action else ""
    lines = [f"{word}{best.action.words} leads by {puzzle.lead:.1f} points."]
    lines += [f"Against {against.action.words}, which costs {against.loss:.1f}, it"]
    given = puzzle.reasons(against)
    lines += [f"  {advice.MARKS[reason.favours]} {sentence(reason)}" for reason in given]
    lines += ["", f"{'':8}{'points':>8}{'costs':>8}{'paradox':>9}{'bonus':>8}  answer of"]
    return lines + [_row(file, puzzle, one) for one in puzzle.actions]


def _row(file: PuzzleFile, puzzle: Puzzle, one: Valued) -> str:
    given = zip(file.levels, puzzle.answers, strict=True)
    who = ", ".join(level for level, action in given if action == one.action)
    paradox, bonus = advice.percent(one.paradox), advice.percent(one.bid)
    line = f"{one.action.words:8}{one.points:>8.1f}{one.loss:>8.1f}{paradox:>9}{bonus:>8}  {who}"
    return line.rstrip()
