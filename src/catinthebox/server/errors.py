"""What a server refuses, besides what its tables and the rules refuse."""

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
    """Nothing is wrong with a wish, but it was not written down; it may be sent again."""


class Broken(Exception):
    """A table's log cannot be true. What is wrong with it may be a hand: nobody is told."""


@contextmanager
def trusting_the_log() -> Iterator[None]:
    """Read a log; an error in it is nobody's fault who asks, and not theirs to know."""
    try:
        yield
    except (BrokenLog, NotUnderstood):
        log.error("a log cannot be read", extra={"event": "table_broken"})  # noqa: TRY400 (a hand)
        raise Broken("a log cannot be read") from None


def unknown() -> CatInTheBoxError:
    """Say that there is no such table."""
    return NotLegal(Refusal("table.unknown", "", "there is no table here by this name"))


def damaged() -> CatInTheBoxError:
    """Say that what is stored of a table is not what was written."""
    return NotLegal(Refusal(DAMAGED, "", DAMAGED_WORDS))


def worn_out() -> CatInTheBoxError:
    """Say that a table has seen more than a log may hold."""
    sentence = "this table has seen too much; open another one"
    return NotLegal(Refusal(WORN_OUT, "", sentence))


class NoToken(NotUnderstood):
    """Something needs a token, and there is none, or what is there is none."""

    def __init__(self, sentence: str = "this needs a token") -> None:
        super().__init__("input.token", sentence)


class Limited(CatInTheBoxError):
    """Somebody has had enough of something for now; `wait` is in seconds."""

    def __init__(self, code: str, sentence: str, wait: float) -> None:
        super().__init__(code, sentence)
        self.wait = wait


class Overloaded(CatInTheBoxError):
    """The server has enough for now, whoever asks."""

    def __init__(self, sentence: str, wait: float) -> None:
        super().__init__("server.full", sentence)
        self.wait = wait
