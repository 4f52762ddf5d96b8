"""`catinthebox check-store`: look through a whole store for damage; nothing is changed."""

from __future__ import annotations

import argparse

from .. import NotUnderstood
from ..store import open_store
from ..store.check import check
from ..store.errors import Malformed, StoreError
from .database import add_db


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Take a store."""
    add_db(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print every problem; the exit status is 1 if there is one."""
    try:
        with open_store(arguments.db, readonly=True) as store:
            found = check(store, print)
    except Malformed as error:  # it cannot even be opened
        print(error)
        return 1
    except StoreError as error:
        raise NotUnderstood("input.option", f"--db: {error}") from None
    games, events = f"{found.games:,} games", f"{found.events:,} events"
    verdict = f"{found.problems} problems" if found.problems else "no damage"
    print(f"{games}, {events}: {verdict}")
    return 1 if found.problems else 0
