"""A table's game as a record (docs/records.md), for downloads.

A record holds every hand, so there is none before the game is over. Then the secret behind the
deals is public, and so is the record.

>>> from catinthebox.table import Settings, create, replay
>>> table = replay([create("t1", Settings(3), host="ab" * 32, commitment="cd" * 32, now=5)])
>>> write(table)
Traceback (most recent call last):
    ...
catinthebox.game.errors.NotYourTurn: the game is not over; its record would reveal every hand
"""

from __future__ import annotations

from ..game import Game, record
from .errors import not_now
from .state import Table


def game_over(table: Table) -> Game:
    """Return the game that is over; an error while it is not."""
    if table.game is None or not table.game.over:
        raise not_now("table.not_over", "the game is not over; its record would reveal every hand")
    return table.game


def write(table: Table) -> str:
    """Write the finished game as a `.cat` record, for anybody."""
    return record.write(game_over(table))


def write_json(table: Table) -> str:
    """Write it as JSON."""
    return record.write_json(game_over(table))
