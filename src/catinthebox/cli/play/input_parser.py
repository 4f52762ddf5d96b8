"""Parses what a person types, leniently: `5b`, `5 blue`, `B5`, `blue 5` are the same play.

>>> read("Blue 5", Phase.PLAY), read("5", Phase.DISCARD), read("2", Phase.BID)
(Action('5b'), Action('-5'), Action('=2'))
>>> read("why 5 blue", Phase.PLAY)
TypedCommand(name='why', about='5 blue')
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from ...game import ACTIONS, Action, Color, NotUnderstood, Phase

COMMANDS: Final = {
    "?": "help",
    "help": "help",
    "h": "help",
    "why": "why",
    "hint": "hint",
    "board": "board",
    "last": "last",
    "hand": "hand",
    "legal": "legal",
    "scores": "scores",
    "score": "scores",
    "rules": "rules",
    "rule": "rules",
    "quit": "quit",
    "exit": "quit",
    "q": "quit",
}
"""Every word that is a command, and the command it means."""

_COLOR: Final = "r(?:ed)?|b(?:lue)?|y(?:ellow)?|g(?:reen)?"
_GAP: Final = r"[\s,:/-]*(?:as\s+)?"
_PLAY: Final = re.compile(
    rf"(?:play\s+)?(?:([1-9]){_GAP}({_COLOR})|({_COLOR}){_GAP}([1-9]))", re.IGNORECASE
)
_DISCARD: Final = re.compile(r"(?:discard|set\s+aside|aside|-)\s*([1-9])", re.IGNORECASE)
_BID: Final = re.compile(r"(?:bid|=)\s*([1-9])", re.IGNORECASE)
_WORD: Final = 30  # keeps the echo of what was typed on its line


class TypedCommand(NamedTuple):
    """A command of the program, as opposed to an action of the game."""

    name: str
    about: str = ""


def read(text: str, phase: Phase) -> Action | TypedCommand:
    """Read a line; a bare number is a discard, a bid or a card, depending on the phase."""
    text = " ".join(text.split())
    if not text:
        return TypedCommand("legal")
    name, _, about = text.partition(" ")
    if name.lower() in COMMANDS:
        return TypedCommand(COMMANDS[name.lower()], about)
    if text.lower().startswith("why") or text.startswith("?"):  # why5b, ?5b
        return TypedCommand("why", text.lower().removeprefix("why").removeprefix("?").strip())
    return action(text, phase)


def action(text: str, phase: Phase) -> Action:
    """Read an action of the game; raise `NotUnderstood` with what to write instead."""
    if not text:
        raise NotUnderstood("input.action", "why what? Write: why 5b")
    if found := _PLAY.fullmatch(text):
        rank, color = (found[1], found[2]) if found[1] else (found[4], found[3])
        return Action.play(int(rank), Color.of(color))
    if found := _DISCARD.fullmatch(text):
        return Action.discard(int(found[1]))
    if found := _BID.fullmatch(text):
        return bid(int(found[1]))
    if text.isascii() and text.isdigit() and len(text) == 1:
        return bare(int(text), phase)
    return Action(text if len(text) <= _WORD else text[:_WORD] + "...")


def bare(number: int, phase: Phase) -> Action:
    """Read a number without a color."""
    if phase is Phase.DISCARD:
        return Action.discard(number)
    if phase is Phase.BID:
        return bid(number)
    raise NotUnderstood(
        "input.action", f"{number} in which color? Write {number}b to play a {number} as blue"
    )


def bid(number: int) -> Action:
    """Read a bid; the rules decide whether it is legal."""
    if f"={number}" not in {action.notation for action in ACTIONS}:
        raise NotUnderstood("input.bid", f"nobody may bid {number}; `legal` lists the bids")
    return Action.bid(number)
