"""`catinthebox import FILE`: add the games of a file to a store."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

from .. import NotUnderstood
from ..store.transfer import BadFile, Report, import_games
from .database import add_db, opened

OTHER_KEY: Final = """the store has a key of its own and keeps it: games of this file that are not \
over go on, but the deals of their records cannot be proven, and all links to these tables change; \
only tables that are listed can be found again"""
NO_KEY: Final = """the file holds no key: if these games come from another store, the deals of \
games that are not over cannot be proven, and all links to these tables change"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options: a store and a file."""
    add_db(parser)
    parser.add_argument("file", type=Path, metavar="FILE", help="a file that `export` has written")


def run(arguments: argparse.Namespace) -> int:
    """Import; return 1 if a game exists with other contents, or is damaged in the store."""
    path: Path = arguments.file
    try:
        with path.open("rb") as file, opened(arguments.db) as store:
            report = import_games(store, file)
    except BadFile as error:
        raise NotUnderstood("input.file", f"{path}: {error}; nothing was imported") from None
    except OSError as error:
        raise NotUnderstood("input.file", f"{path}: {error.strerror}") from None
    for game in report.conflicts:
        print(f"{game}: the store has another game of this name; left unchanged", file=sys.stderr)
    for game in report.damaged:
        print(f"{game}: its log in the store is damaged; left unchanged", file=sys.stderr)
    if report.games and (report.other_key or report.no_key):
        print(OTHER_KEY if report.other_key else NO_KEY, file=sys.stderr)
    print(f"{path}: {summary(report)}")
    return 1 if report.conflicts or report.damaged else 0


def summary(report: Report) -> str:
    """Summarize an import.

    >>> summary(Report(added=["cheshire"], present=["tabby", "manx"]))
    '1 added, 0 continued, 2 already there, 0 in conflict'
    >>> summary(Report())
    '0 added, 0 continued, 0 already there, 0 in conflict'
    """
    return (
        f"{len(report.added)} added, {len(report.continued)} continued, "
        f"{len(report.present)} already there, {len(report.conflicts)} in conflict"
    )
