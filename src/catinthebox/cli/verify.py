"""`catinthebox verify FILE`: check that a finished game's cards were dealt as promised."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from ..fair import proven, verify
from ..game import Game, NotUnderstood
from .files import read_game

SHOWN = """\
This shows: secret and nonces together decide every card, and these are the cards they decide.
So nobody chose them, if the commitment was shown before the nonces were sent, and each nonce
is the one its seat sent. Compare yours; the other seats can compare theirs."""
NOT_SHOWN = """\
It does not show that the host, who knew the secret, looked at no hand and revealed none; that no
seat worked together with the host; that no earlier game was broken off over its cards."""
RECORDED = "The commitment of this record, to compare with the one you were shown:"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options: a record, and what a player noted before the game."""
    parser.add_argument("file", type=Path, metavar="FILE", help="a .cat or .json record")
    parser.add_argument("--commitment", metavar="HEX", help="the commitment that you were shown")
    parser.add_argument("--nonce", metavar="HEX", help="the nonce that you sent")


def run(arguments: argparse.Namespace) -> int:
    """Print what was found; return 0 if all of it is valid, else 1."""
    commitment, nonce = _digits(arguments, "commitment"), _digits(arguments, "nonce")
    kept = None if commitment is None else commitment.hex()
    game = read_game(arguments.file)
    findings = verify(game, commitment=kept, nonce=nonce)
    good = proven(findings)
    print(f"{arguments.file}: {'proven' if good else 'NOT proven'}", *findings, sep="\n")
    if good:
        print("", SHOWN, NOT_SHOWN, *_reminder(game, commitment), sep="\n")
    return 0 if good else 1


def _digits(arguments: argparse.Namespace, name: str) -> bytes | None:
    text: str | None = getattr(arguments, name)
    if text is None:
        return None
    if not re.fullmatch("[0-9a-fA-F]{64}", text):
        raise NotUnderstood("input.option", f"--{name}: 64 hexadecimal digits belong here")
    return bytes.fromhex(text)


def _reminder(game: Game, commitment: bytes | None) -> list[str]:
    if commitment is not None or game.fairness is None:
        return []
    return ["", RECORDED, game.fairness.commitment]
