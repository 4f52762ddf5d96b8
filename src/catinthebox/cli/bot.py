"""`catinthebox bot URL --player NAME`: one of our players at a table on somebody's server.

It is told what a browser would be told, no more. What it does depends only on what it has been
shown, and every command has an id made of that: so a line that breaks, a server that is started
again, or a bot that is started again (with `--token-file`) go on as if nothing had happened.
"""

from __future__ import annotations

import argparse
import os
import re
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from random import Random
from time import monotonic
from typing import TYPE_CHECKING, Final, NamedTuple

from .. import NotUnderstood
from ..game import CatInTheBoxError
from ..players import Budget, Player, engine, player, steps
from .files import read_text

if TYPE_CHECKING:
    from ..server.wire import FromServer
    from ..table import Command
    from ..table.messages import GameShown, Snapshot
    from .remote import Later, Link, Remote

PATIENCE: Final = 600  # seconds
MOST_GAMES: Final = 10_000
NAMES: Final = 5  # tries to find one that nobody has
UNCOMPILED: Final = Budget(rollouts=32, ms=200)  # what a search may cost when it is interpreted
LEAST_MS: Final = 10.0
TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{43}")
NOT_NOW: Final = ("table.", "turn.")  # codes of what may be right after the next news


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command."""
    parser.add_argument("url", metavar="URL", help="of a table: http://localhost:8123/t/…")
    parser.add_argument("--player", required=True, metavar="PLAYER", help="sharp, search:ms=50 …")
    parser.add_argument("--name", metavar="NAME", help="how it is called there")
    parser.add_argument("--seat", type=int, metavar="N", help="otherwise the first free one")
    parser.add_argument("--games", type=_games, default=1, metavar="N", help="how many (1)")
    parser.add_argument(
        "--token-file", type=Path, metavar="FILE", help="keep the key to its seat, to come back"
    )
    parser.add_argument(
        "--patience",
        type=float,
        default=PATIENCE,
        metavar="SECONDS",
        help=f"how long to try to reach a server that has gone ({PATIENCE})",
    )
    parser.add_argument("--quiet", action="store_true", help="print results only")


def _games(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and 1 <= int(text[:9]) <= MOST_GAMES):
        raise argparse.ArgumentTypeError(f"{text[:20]!r}: 1 to {MOST_GAMES} games")
    return int(text)


def run(arguments: argparse.Namespace) -> int:
    """Play; 0 once the games are over, 1 if they could not be finished."""
    remote = _remote()
    link: Link = remote.Link.parse(arguments.url)
    chosen = player(arguments.player)
    say: Callable[[str], None] = _nothing if arguments.quiet else _say
    _warm_up(chosen, say)
    guest = Guest(
        remote.Remote(link, _token(arguments.token_file)),
        remote.Patience(arguments.patience),
        chosen,
        say,
        arguments.games,
    )
    try:
        guest.sit(_names(arguments), arguments.seat)
        guest.play()
    except remote.Later as error:
        raise NotUnderstood("input.option", f"{link.host}: {error}") from None
    except Lost as error:
        _say(f"{error}")
        return 1
    return 0


def _remote() -> ModuleType:
    try:
        return import_module("catinthebox.cli.remote")
    except ImportError as error:
        sentence = f"{error.name} is missing; install catinthebox[serve]"
        raise NotUnderstood("input.option", sentence) from None
