"""Errors of the server, besides those of tables and of the rules."""

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
DAMAGED_MESSAGE: Final = (
    "the stored log of this game is damaged, so it cannot continue; other games are not affected. "
    "The people who run this server can restore it from a backup"
)


class Unavailable(Exception):
    """A command could not be stored; it may be sent again."""


class CorruptLog(Exception):
    """A stored log cannot be read. Details are withheld: they could reveal a hand."""


@contextmanager
def hide_log_errors() -> Iterator[None]:
    """Replace errors in a stored log by `CorruptLog`, which reveals nothing of its content."""
    try:
        yield
    except (BrokenLog, NotUnderstood):
        log.error("a log cannot be read", extra={"event": "table_broken"})  # noqa: TRY400 (a hand)
        raise CorruptLog("a log cannot be read") from None


def unknown() -> CatInTheBoxError:
    """Return the error for a table that does not exist, or a key that is wrong."""
    return NotLegal(Refusal("table.unknown", "", "there is no table with this key"))


def damaged() -> CatInTheBoxError:
    """Return the error for a table whose stored log is damaged."""
    return NotLegal(Refusal(DAMAGED, "", DAMAGED_MESSAGE))


def worn_out() -> CatInTheBoxError:
    """Return the error for a table whose log is full."""
    message = "the log of this table is full; open another table"
    return NotLegal(Refusal(WORN_OUT, "", message))


class NoToken(NotUnderstood):
    """A token is missing or invalid."""

    def __init__(self, message: str = "this needs a token") -> None:
        super().__init__("input.token", message)


class Limited(CatInTheBoxError):
    """A limit on one address, person or seat is reached; `wait` is in seconds."""

    def __init__(self, code: str, message: str, wait: float) -> None:
        super().__init__(code, message)
        self.wait = wait


class Overloaded(CatInTheBoxError):
    """A limit of the whole server is reached; `wait` is in seconds."""

    def __init__(self, message: str, wait: float) -> None:
        super().__init__("server.full", message)
        self.wait = wait
