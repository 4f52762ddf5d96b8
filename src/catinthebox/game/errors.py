"""The kinds of error: not understood, not legal, not your turn, and an impossible set-up.

Each carries a stable `code` for programs and a sentence for people that says what was wrong and
what would be right.

>>> NotUnderstood("input.action", "'5x' is not an action").code
'input.action'
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

QUOTED: Final = 40  # characters of a foreign text that a sentence shows


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why something is not allowed: a code, the clause of the rules, a sentence."""

    code: str
    clause: str  # empty if no rule of the game decides
    message: str

    def __str__(self) -> str:
        return f"{self.message} ({self.clause})" if self.clause else self.message


def quoted(text: str) -> str:
    """Quote a foreign text in a sentence: unchanged if it is short and plain, else escaped."""
    return text if text.isprintable() and 0 < len(text) <= QUOTED else shortened(text)


def shortened(value: object, size: int = QUOTED) -> str:
    """Return the `repr` of a foreign value, shortened with … inside its closing quote, if any.

    >>> shortened("5x"), shortened("A" * 50, 9), shortened([1, 2, 3], 5)
    ("'5x'", "'AAAAAA…'", '[1, …')
    """
    try:
        return _cut(repr(value), size)
    except RecursionError:  # lists in lists in lists …
        return "…"


def shortened_json(value: object, size: int = QUOTED) -> str:
    """Return a value as its sender wrote it in JSON, shortened; a text as `shortened` quotes it.

    >>> shortened_json(None), shortened_json([True, "x"]), shortened_json("5x")
    ('null', '[true, "x"]', "'5x'")
    """
    if isinstance(value, str):
        return shortened(value, size)
    try:
        return _cut(json.dumps(value), size)
    except RecursionError:
        return "…"


def _cut(shown: str, size: int) -> str:
    if len(shown) <= size:
        return shown
    end = "…" + (shown[-1] if shown[-1] in "'\"" else "")
    return shown[: size - len(end)] + end


class CatInTheBoxError(Exception):
    """Anything this package refuses; `code` is stable, the text is for people."""

    def __init__(self, code: str, message: str, clause: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.clause = clause  # of the rules, if one decides


class NotUnderstood(CatInTheBoxError):
    """The input could not be read: a typing mistake, a broken file."""


class NotLegal(CatInTheBoxError):
    """The input was understood, and the rules forbid it."""

    def __init__(self, refusal: Refusal, hint: str = "") -> None:
        super().__init__(refusal.code, f"{refusal}{hint}", refusal.clause)
        self.refusal = refusal


class NotYourTurn(NotLegal):
    """The action may be fine, but it is somebody else's turn."""


class BadSetup(CatInTheBoxError):
    """A deal that is not valid; lists every problem, not only the first."""

    def __init__(self, problems: Sequence[Refusal]) -> None:
        super().__init__(problems[0].code, "; ".join(map(str, problems)), problems[0].clause)
        self.problems = tuple(problems)
