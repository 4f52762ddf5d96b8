"""The command line: `catinthebox COMMAND`. A command's module is imported only when needed.

Every command module has `add_arguments(parser)` and `run(arguments) -> exit status`.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Final

from .. import CatInTheBoxError, __version__
from .terminal import forgive

COMMANDS: Final = {
    "play": "play a game in the terminal against honest opponents",
    "replay": "step through a recorded game",
    "review": "judge every decision of a recorded game by what its seat could know",
    "check": "validate a record: every play, winner and score in it",
    "verify": "check that the cards of a finished game were dealt as promised",
    "referee": "answer rule questions, one JSON object per line",
    "perft": "count action sequences, and compare with published vectors",
    "puzzles": "make puzzles from self-play, answer one, or check a file of them",
    "solve": "find the best play of a recorded moment, with all hands open",
    "wasm": "write the rules as a WebAssembly module, for TypeScript and other programs",
    "arena": "measure players against each other",
    "learn": "train a neural player by self-play, or measure how one can be exploited",
    "serve": "host live games for browsers and bots, on this machine or on the internet",
    "bot": "let a bot play at a table of a server",
    "check-store": "check a store for damage: every game, event and checksum",
    "export": "write the games of a store to a file",
    "import": "read games from a file into a store",
}
MODULES: Final = {
    "check-store": "check_store",
    "export": "export_games",
    "import": "import_games",
    "play": "play.command",
}
"""Commands whose module has another name than they do."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; return its exit status."""
    words = list(sys.argv[1:] if argv is None else argv) or ["--help"]
    forgive(sys.stdin, sys.stdout, sys.stderr)
    try:
        try:
            arguments = build_parser(words).parse_args(words)
            status: int = arguments.run(arguments)
        finally:
            sys.stdout.flush()
    except CatInTheBoxError as error:
        print(f"catinthebox: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader of our output, such as `head`, has closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    return status


def build_parser(words: Sequence[str]) -> argparse.ArgumentParser:
    """Describe every command in one line, and the wanted one in full."""
    parser = argparse.ArgumentParser(
        prog="catinthebox",
        description="Cat in the Box, the quantum trick-taking card game.",
        epilog="An unofficial fan implementation; the game was designed by Muneyuki Yokouchi.",
    )
    parser.add_argument("--version", action="version", version=f"catinthebox {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, summary in COMMANDS.items():
        command = commands.add_parser(
            name, help=summary, description=f"{summary[0].upper()}{summary[1:]}."
        )
        if name in words:
            module = import_module(f".{MODULES.get(name, name)}", __name__)
            module.add_arguments(command)
            command.set_defaults(run=module.run)
    return parser
