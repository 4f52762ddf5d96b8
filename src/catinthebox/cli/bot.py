"""`catinthebox bot URL --player NAME`: a bot that plays at a table of a remote server."""

from __future__ import annotations

import argparse
import os
import re
import secrets
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Final

from .. import NotUnderstood
from ..fast.warm import Warmup
from ..optional import load
from ..players import Player, engine, player, steps
from .files import read_text

EXAMPLE: Final = """example:
  catinthebox bot http://localhost:8123/t/lab7 --player sharp --name Robo --token-file robo.key"""
PATIENCE: Final = 600  # seconds
MOST_GAMES: Final = 10_000
NAMES: Final = 5  # no table has more seats, so one of these names is free
NAME_SIZE: Final = 38  # leaves room for a number
TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{43}")
GRACE: Final = 0.3  # seconds before a wait is reported


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command."""
    parser.epilog = EXAMPLE
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("url", metavar="URL", help="the link to play at a table")
    parser.add_argument(
        "--player",
        required=True,
        metavar="PLAYER",
        help="who plays: a level such as sharp, or a player such as search:ms=200",
    )
    parser.add_argument(
        "--name", metavar="NAME", help="its name at the table (default: 'PLAYER bot')"
    )
    parser.add_argument(
        "--seat", type=int, metavar="N", help="its seat (default: the first free one)"
    )
    parser.add_argument(
        "--games",
        type=_games,
        default=1,
        metavar="N",
        help="the number of games to play (default 1)",
    )
    parser.add_argument(
        "--token-file",
        type=Path,
        metavar="FILE",
        help="keep the token of its seat in this file, to take the same seat again later",
    )
    parser.add_argument(
        "--patience",
        type=float,
        default=PATIENCE,
        metavar="SECONDS",
        help=f"how long to try to reach a server again (default {PATIENCE})",
    )
    parser.add_argument("--quiet", action="store_true", help="print the results only")


def _games(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and 1 <= int(text[:9]) <= MOST_GAMES):
        raise argparse.ArgumentTypeError(f"{text[:20]!r} is not a number, 1 to {MOST_GAMES}")
    return int(text)


def run(arguments: argparse.Namespace) -> int:
    """Play; return 0 once the games are over, 1 if they could not be finished.

    A link, player or seat that is refused at once raises an error, which means status 2.
    """
    client, chosen = _client(), player(arguments.player)
    say = _nothing if arguments.quiet else _say
    wanted = client.BotTask(
        client.Link.parse(arguments.url),
        _token(arguments.token_file),
        chosen,
        names(arguments.name, arguments.player),
        arguments.seat,
        arguments.games,
        arguments.patience,
    )
    _warm_up(chosen, say)
    try:
        client.play_at_table(wanted, say, _say)
    except client.Lost as error:
        print(f"catinthebox: {error}", file=sys.stderr)
        return 1
    return 0


def _client() -> ModuleType:
    return load("catinthebox.client.bot_client", extra="serve")


def _warm_up(chosen: Player, say: Callable[[str], None]) -> None:
    """Compile or load what a player needs before it takes a seat."""
    with Warmup(steps.__name__, steps.needed(chosen)) as warmup:
        announced = False
        while not warmup.wait(GRACE):
            if warmup.compiling and not announced:
                announced = True
                say("compiling the player: this takes a while, once on each machine")
        if not warmup.ready:
            engine.interpret()
            say(f"it will search less: {warmup.trouble}")


def _say(line: str) -> None:
    print(line, flush=True)


def _nothing(line: str) -> None:
    """Ignore a progress message."""


def names(given: str | None, spec: str) -> list[str]:
    """Return the names to try: the given one, or some made from the player's name.

    >>> names(None, "sharp")
    ['sharp bot', 'sharp bot 2', 'sharp bot 3', 'sharp bot 4', 'sharp bot 5']
    >>> names("Robo", "sharp")
    ['Robo']
    """
    if given is not None:
        return [given]
    first = (
        f"{spec[: NAME_SIZE - 6].strip()} bot"  # a level alone would be the name of a server's bot
    )
    return [first, *(f"{first} {number}" for number in range(2, NAMES + 1))]


def _token(path: Path | None) -> str:
    """Read the token from a file; create the file with a new token if there is none."""
    if path is None:
        return secrets.token_urlsafe(32)
    if not path.exists():
        return _kept(path, secrets.token_urlsafe(32))
    token = read_text(path).strip()
    if not TOKEN.fullmatch(token):
        raise NotUnderstood("input.file", f"{path}: it holds no token; name another file")
    return token


def _kept(path: Path, token: str) -> str:
    """Write a token to a file that only its owner can read, since it controls the seat."""
    try:
        with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
            file.write(f"{token}\n")
    except OSError as error:
        raise NotUnderstood("input.file", f"{path}: {error.strerror}") from None
    return token
