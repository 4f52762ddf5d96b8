"""`catinthebox export FILE`: write the games of a store to one file."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .. import NotUnderstood
from ..files import replacing
from ..store import Store
from ..store.transfer import Exported, export
from .database import add_db, opened


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options: a store, a file, and which games."""
    add_db(parser)
    parser.add_argument(
        "file", type=Path, metavar="FILE", help="where to write; an existing file is replaced"
    )
    parser.add_argument(
        "--game",
        action="append",
        default=[],
        metavar="ID",
        help="export only this game; may be repeated",
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the file completely or not at all; return 1 if damaged games were left out."""
    with opened(arguments.db, readonly=True) as store:
        done = _written(store, arguments.file, arguments.game)
    for damage in done.damaged:
        print(f"{damage.game}: left out: {damage}", file=sys.stderr)
    print(f"{arguments.file}: {done.games} {'game' if done.games == 1 else 'games'}")
    return 1 if done.damaged else 0


def _written(store: Store, path: Path, games: list[str]) -> Exported:
    try:
        with replacing(path, private=True) as file:  # it holds every hand
            return export(store, file, games)
    except OSError as error:
        raise NotUnderstood("input.file", f"{path}: {error.strerror}") from None
