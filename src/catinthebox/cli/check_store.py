"""`catinthebox check-store`: check a whole store for damage, without changing it."""

from __future__ import annotations

import argparse
from typing import Final

from .. import NotUnderstood
from ..store import open_store
from ..store.check import check
from ..store.errors import Malformed, StoreError
from .database import add_db

WHAT_TO_DO: Final = "What to do: docs/hosting.md, section “A damaged store”"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    add_db(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print every problem; the exit status is 1 if there is one."""
    try:
        with open_store(arguments.db, readonly=True) as store:
            found = check(store, print)
    except Malformed as error:  # it is too damaged to open
        print(error)
        print(WHAT_TO_DO)
        return 1
    except StoreError as error:
        raise NotUnderstood("input.option", f"--db: {error}") from None
    whole = f"{counted(found.games, 'game')}, {counted(found.events, 'event')}"
    if not found.problems:
        print(f"{whole}: no damage")
        return 0
    print(f"{counted(found.problems, 'problem')}; without damage: {whole}")
    print(WHAT_TO_DO)
    return 1


def counted(number: int, word: str) -> str:
    """Write a number with its noun.

    >>> counted(1, "game"), counted(2000, "event")
    ('1 game', '2,000 events')
    """
    return f"{number:,} {word}{'' if number == 1 else 's'}"
