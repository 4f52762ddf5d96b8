"""`catinthebox check FILE`: play a record again and check every claim in it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .. import CatInTheBoxError, Game
from ..game import record
from .files import read_text


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options: files, and a form to convert them to."""
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help=".cat or .json records")
    parser.add_argument(
        "--to", choices=("cat", "json"), help="print the record in this form instead of a verdict"
    )


def run(arguments: argparse.Namespace) -> int:
    """Check every file; the exit status is 1 if any was refused."""
    return max(_check(path, arguments.to) for path in arguments.files)


def _check(path: Path, form: str | None) -> int:
    try:
        game = record.read_any(read_text(path))
    except record.RecordError as error:
        print(f"{path}: {error}", file=sys.stderr)
        return 1
    except CatInTheBoxError as error:  # the error of an unreadable file names it already
        print(error, file=sys.stderr)
        return 1
    if form:
        print(record.write(game) if form == "cat" else record.write_json(game), end="")
    else:
        print(f"{path}: {verdict(game)}")
    return 0


def verdict(game: Game) -> str:
    """Summarize a valid record.

    >>> verdict(Game.new(2))
    'good, unfinished, 0 of 2 rounds'
    """
    house = "".join(f"; house rule: {rule}" for rule in game.house_rules)
    if not game.over:
        return f"good, unfinished, {len(game.finished)} of {game.players} rounds{house}"
    winners = " and ".join(game.names[seat] for seat in game.winners)
    totals = ", ".join(f"{n} {t}" for n, t in zip(game.names, game.totals, strict=True))
    return f"good, {game.players} rounds, {totals}; won by {winners}{house}"
