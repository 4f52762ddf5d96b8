"""Errors of the server, besides those of tables and rules."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from ..game import CatInTheBoxError, NotLegal, NotUnderstood, Refusal
from ..table import BrokenLog

log = logging.getLogger("catinthebox.hub")

WORN_OUT: Final = "table.worn_out"
DAMAGED: Final = "table.damaged"
DAMAGED_WORDS: Final = (
    "the stored log of this game is damaged, so it cannot go on; other games are not affected. "
    "The people who run this server can restore it from a backup"
)


class Unavailable(Exception):
    """A command was not stored; nothing is wrong with it, and it may be sent again."""


class CorruptLog(Exception):
    """A stored log cannot be read. Details are withheld: they could reveal a hand."""


@contextmanager
def hide_log_errors() -> Iterator[None]:
    """Replace errors in a stored log by `CorruptLog`, which tells nothing of its content."""
    try:
        yield
    except (BrokenLog, NotUnderstood):
        log.error("a log cannot be read", extra={"event": "table_broken"})  # noqa: TRY400 (a hand)
        raise CorruptLog("a log cannot be read") from None


def unknown() -> CatInTheBoxError:
    """Return the error for a table that does not exist, or a key that is wrong."""
    return NotLegal(Refusal("table.unknown", "", "there is no table here by this name"))


def damaged() -> CatInTheBoxError:
    """Return the error for a table whose stored log is damaged."""
    return NotLegal(Refusal(DAMAGED, "", DAMAGED_WORDS))


def worn_out() -> CatInTheBoxError:
    """Return the error for a table whose log is full."""
    sentence = "this table has seen too much; open another one"
    return NotLegal(Refusal(WORN_OUT, "", sentence))


class NoToken(NotUnderstood):
    """A token is missing, or is not one."""

    def __init__(self, sentence: str = "this needs a token") -> None:
        super().__init__("input.token", sentence)


class Limited(CatInTheBoxError):
    """A limit on one address, person or seat is reached; `wait` is in seconds."""

    def __init__(self, code: str, sentence: str, wait: float) -> None:
        super().__init__(code, sentence)
        self.wait = wait


class Overloaded(CatInTheBoxError):
    """A limit of the whole server is reached; `wait` is in seconds."""

    def __init__(self, sentence: str, wait: float) -> None:
        super().__init__("server.full", sentence)
        self.wait = wait
