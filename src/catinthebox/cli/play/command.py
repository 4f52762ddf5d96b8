"""`catinthebox play`: a game in the terminal, one person against bots.

>>> new_names(3, ["Ann"])
('Ann', 'Bohr', 'Curie')
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import closing, suppress
from datetime import datetime
from importlib import import_module
from pathlib import Path
from random import Random, SystemRandom

from ...game import EDITIONS, Edition, Game, NotUnderstood
from ...game.game import NAMES
from ...players import LEVELS
from ...players.levels import DEFAULT
from ..files import read_face, read_game
from ..terminal import Terminal
from .opponents import Opponents
from .save_file import SaveFile, default_path
from .session import PlaySession


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    seats = f"0 to {len(NAMES) - 1}"
    parser.add_argument(
        "--players", type=int, help="the number of players, 2 to 5 (default 4)", metavar="N"
    )
    parser.add_argument(
        "--seat", type=int, default=0, help=f"your seat, {seats} (default 0)", metavar="N"
    )
    parser.add_argument(
        "--level",
        nargs="+",
        default=[DEFAULT],
        help=f"{', '.join(LEVELS)} ({DEFAULT}): one for all opponents, or one for each",
        metavar="LEVEL",
    )
    parser.add_argument("--seed", help="repeat a game: same seed, same cards")
    parser.add_argument(
        "--face", help="the face of the board: white, black, purple, or a file", metavar="NAME|FILE"
    )
    parser.add_argument("--edition", choices=list(EDITIONS), help="which rules (default: standard)")
    parser.add_argument("--names", nargs="+", help="names by seat, beginning with seat 0")
    parser.add_argument(
        "--starter", type=int, help="the seat that starts (default: drawn by lot)", metavar="N"
    )
    parser.add_argument("--record", type=Path, help="the file to keep the game in", metavar="FILE")
    parser.add_argument(
        "--resume", type=Path, help="continue the game in this file", metavar="FILE"
    )
    parser.add_argument("--plain", action="store_true", help="write sentences, for screen readers")
    parser.add_argument("--no-color", action="store_true", help="use no colors")
    parser.add_argument("--fast", action="store_true", help="skip the pauses")


def run(arguments: argparse.Namespace) -> int:
    """Play a game; return the exit status."""
    seed = arguments.seed or str(SystemRandom().randrange(1_000_000))
    game = resumed(arguments) if arguments.resume else new_game(arguments, seed)
    if not 0 <= arguments.seat < game.players:
        raise NotUnderstood("input.seat", f"no seat {arguments.seat}; 0 to {game.players - 1}")
    if sys.stdin.isatty():
        with suppress(ImportError):  # line editing, if Python has it
            import_module("readline")
    terminal = Terminal.of(
        sys.stdout, os.environ, plain=arguments.plain, no_color=arguments.no_color
    )
    save_file = SaveFile(record_path(arguments))
    slow = sys.stdin.isatty() and sys.stdout.isatty() and not arguments.fast
    with closing(Opponents(arguments.level, arguments.seat, game.players)) as opponents:
        return PlaySession(game, arguments.seat, seed, terminal, save_file, opponents, slow).run()


def new_game(arguments: argparse.Namespace, seed: str) -> Game:
    """Create the game that the options describe."""
    count = 4 if arguments.players is None else arguments.players
    starter = arguments.starter
    if starter is None:
        starter = Random(f"{seed}:starter").randrange(max(count, 1))  # R1: by lot
    return Game.new(
        count,
        names=new_names(count, arguments.names or []),
        face=read_face(arguments.face) if arguments.face else None,
        starter=starter,
        edition=Edition.named(arguments.edition or "standard"),
        house_rules=True,  # R31: allowed, and announced at the start
    )


def new_names(count: int, given: Sequence[str]) -> tuple[str, ...]:
    """Fill the given names up with those of scientists."""
    spare = [name for name in (*NAMES[len(given) :], *NAMES) if name not in given]
    return (*given, *spare[: max(0, count - len(given))])


def resumed(arguments: argparse.Namespace) -> Game:
    """Load an unfinished game; options that would change it are refused."""
    fixed = ("players", "face", "edition", "names", "starter")
    given = [f"--{name}" for name in fixed if getattr(arguments, name) is not None]
    if given:
        raise NotUnderstood("input.option", f"--resume: the record decides, not {' '.join(given)}")
    game = read_game(arguments.resume)
    if game.over:
        raise NotUnderstood("input.file", f"{arguments.resume}: this game is over; try replay")
    return game


def record_path(arguments: argparse.Namespace) -> Path:
    """Return where the game will be saved; another game is never overwritten."""
    if arguments.record is None:
        path: Path = arguments.resume or default_path(datetime.now())
        return path
    chosen: Path = arguments.record
    if chosen.exists() and chosen != arguments.resume:
        raise NotUnderstood("input.file", f"{chosen} exists already; --resume continues it")
    return chosen
