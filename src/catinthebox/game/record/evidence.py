"""Reads the lines about fair deals; `verify` checks what they prove.

A game whose cards were not dealt as promised was still played; its record must stay readable, or
nobody could show it around. So a secret that does not fit is no error here.

>>> from catinthebox.game.record.lines import Where
>>> word = Word("ab" * 32, Where(7, 12))
>>> digits(word) == bytes.fromhex(word.text)
True
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..errors import shortened
from ..fairness import VERSION, Fairness
from .lines import Line, RecordError, Word, number, one_word
from .serialize import NOTHING

PROMISE = ("fair", "table", "commitment", "nonces")  # the lines, in this order
HEX = re.compile("[0-9a-f]{64}")


def known_version(line: Line) -> Line:
    """Raise an error if the version is unknown, before the lines after it are read."""
    version = one_word(line)
    if number(version) != VERSION:
        sentence = f"fair deals of version {version.text} are unknown; this reads {VERSION}"
        raise RecordError(version.where, sentence)
    return line


def read_promise(lines: Mapping[str, Line]) -> Fairness:
    """Read what was public before the first deal; raise `BadSetup` if it is not valid."""
    return Fairness(
        one_word(lines["table"]).text,
        one_word(lines["commitment"]).text,
        tuple(nonce(word) for word in lines["nonces"].words),
    )


def nonce(word: Word) -> bytes:
    """Read a seat's nonce, which may be empty."""
    return b"" if word.text == NOTHING else digits(word)


def digits(word: Word) -> bytes:
    """Read 32 bytes; there is one way to write them."""
    if not HEX.fullmatch(word.text):
        sentence = f"{shortened(word.text)} is not 64 hexadecimal digits, small letters"
        raise RecordError(word.where, sentence)
    return bytes.fromhex(word.text)
