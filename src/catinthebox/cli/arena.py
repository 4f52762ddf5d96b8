"""`catinthebox arena`: players against each other, measured (docs/arena.md)."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryFile

from .. import NotUnderstood
from ..arena import Match, SeatResult, Terms, contest, directions, summary
from ..arena.progress import Progress
from ..arena.summary import title, verdicts
from ..players import player
from .files import read_face

EXAMPLE = """example:
  catinthebox arena --players 4 --a search:ms=50 --b careful --deals 2000 --jobs 4 --out a.csv"""
MOST_DEALS = 10_000_000
MOST_JOBS = 256


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options: the players, and how much they play."""
    parser.epilog = EXAMPLE
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--a", metavar="PLAYER", help="the player to measure")
    parser.add_argument("--b", metavar="PLAYER", help="the player to measure it against")
    parser.add_argument("--table", nargs="+", metavar="PLAYER", help="a player for each seat")
    parser.add_argument(
        "--ladder", nargs="+", metavar="PLAYER", help="let every player play every other one"
    )
    parser.add_argument(
        "--players", type=int, metavar="N", help="the table size, 2 to 5 (default 4)"
    )
    parser.add_argument(
        "--kind",
        choices=("one", "many", "both"),
        default="both",
        help="one A among B, one B among A, or both (default both)",
    )
    parser.add_argument(
        "--games", action="store_true", help="play whole games instead of single rounds"
    )
    parser.add_argument(
        "--deals",
        type=_deals,
        default=200,
        metavar="N",
        help="how many deals to play (default 200)",
    )
    parser.add_argument(
        "--seed", default="0", help="a word or number that decides the cards (default 0)"
    )
    parser.add_argument(
        "--face", metavar="NAME|FILE", help="the face of the board: white, black, purple, or a file"
    )
    parser.add_argument(
        "--jobs",
        type=_jobs,
        default=1,
        metavar="N",
        help="the number of worker processes, 1 to 256 (default 1)",
    )
    parser.add_argument("--ray", action="store_true", help="run on a Ray cluster")
    parser.add_argument(
        "--out", type=_file, metavar="FILE", help="keep all results in this file, .csv or .parquet"
    )
    parser.add_argument(
        "--report", type=Path, metavar="FOLDER", help="write a report there, as Markdown and HTML"
    )
    parser.add_argument("--quiet", action="store_true", help="show no progress")


def _deals(text: str) -> int:
    return _number(text, "deals", MOST_DEALS)


def _jobs(text: str) -> int:
    return _number(text, "processes", MOST_JOBS)


def _number(text: str, noun: str, most: int) -> int:
    if not text.isdecimal() or len(text) > 20 or not 1 <= int(text) <= most:
        sentence = f"{text[:20]!r} is not a number of {noun}, 1 to {most}"
        raise argparse.ArgumentTypeError(sentence)
    return int(text)


def run(arguments: argparse.Namespace) -> int:
    """Play the matches and print the results."""
    matches = _matches(arguments)
    face = read_face(arguments.face) if arguments.face else None
    if arguments.report:
        _make(arguments.report)
    try:
        rows = _rows(arguments, matches, Terms(arguments.seed, face))
    except KeyboardInterrupt:
        kept = "the same command goes on from here" if arguments.out else "--out FILE would keep it"
        print(f"stopped; {kept}", file=sys.stderr)
        raise
    print("\n".join(verdicts(matches, rows)) if arguments.ladder else summary(matches, rows))
    if arguments.report:
        _report(arguments.report, matches, rows)
    return 0


def _rows(arguments: argparse.Namespace, matches: list[Match], terms: Terms) -> list[SeatResult]:
    return contest(
        matches,
        terms,
        arguments.deals,
        jobs=arguments.jobs,
        ray=arguments.ray,
        out=arguments.out,
        progress=Progress(None if arguments.quiet else sys.stderr),
    )


def _make(folder: Path) -> None:
    """Create the report's folder; a problem with it should show before hours of play."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        TemporaryFile(dir=folder).close()
    except OSError as error:
        sentence = f"--report {folder}: {error.strerror}; name a folder that can be written to"
        raise NotUnderstood("input.option", sentence) from None


def _report(folder: Path, matches: list[Match], rows: list[SeatResult]) -> None:
    heading = title(matches[0]) if len(matches) == 1 else "Arena"
    for path in import_module("catinthebox.arena.report").write(rows, folder, heading):
        print(path)


def _matches(arguments: argparse.Namespace) -> list[Match]:
    """Read who plays whom; exactly one of the three ways must be used."""
    pair = [arguments.a, arguments.b]
    ways = [any(pair), bool(arguments.table), bool(arguments.ladder)]
    if sum(ways) != 1 or (any(pair) and not all(pair)):
        raise NotUnderstood("input.option", "name --a and --b, or a --table, or a --ladder")
    if arguments.table:
        found = [_table(arguments)]
    else:
        pairs = [tuple(pair)] if all(pair) else _pairs(arguments.ladder)
        found = [match for a, b in pairs for match in _directions(arguments, a, b)]
    for spec in dict.fromkeys(spec for match in found for spec in match.specs):
        player(spec)  # an unknown player is an error before anything is played
    return found


def _directions(arguments: argparse.Namespace, a: str, b: str) -> list[Match]:
    return directions(arguments.players or 4, a, b, arguments.kind, arguments.games)


def _table(arguments: argparse.Namespace) -> Match:
    specs = tuple(arguments.table)
    return Match(arguments.players or len(specs), specs, "table", arguments.games)


def _pairs(specs: list[str]) -> list[tuple[str, str]]:
    if len(set(specs)) < max(2, len(specs)):
        raise NotUnderstood("input.option", "--ladder needs two or more players, each one once")
    found: list[tuple[str, str]] = import_module("catinthebox.arena.ladder").pairs(specs)
    return found


def _file(text: str) -> Path:
    if not text.endswith((".csv", ".parquet")):
        raise argparse.ArgumentTypeError(f"{text!r} should end in .csv or .parquet")
    return Path(text)
