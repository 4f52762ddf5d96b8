"""The option `--db`, and opening the store it names; failures become command-line errors."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager

from .. import NotUnderstood
from ..store import Store, StoreError, open_store


def add_db(parser: argparse.ArgumentParser) -> None:
    """Add the option."""
    parser.add_argument(
        "--db",
        metavar="PATH|URL",
        help="an SQLite file, or postgresql://… (default: games.db in your data folder)",
    )


@contextmanager
def opened(where: str | None, *, readonly: bool = False) -> Iterator[Store]:
    """Open a store, and close it at the end of the block."""
    try:
        with open_store(where, readonly=readonly) as store:
            yield store
    except StoreError as error:
        raise NotUnderstood("input.option", f"--db: {error}") from error
