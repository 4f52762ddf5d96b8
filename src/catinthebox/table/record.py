"""A table's game as a record (docs/records.md), for downloads.

A record tells every hand. While a game goes on it is for whoever runs the table; afterwards the
secret behind the deals is known, and the record is for everybody.

>>> from catinthebox.table import Settings, create, replay
>>> table = replay([create("t1", Settings(3), host="ab" * 32, commitment="cd" * 32, now=5)])
>>> write(table)
Traceback (most recent call last):
    ...
catinthebox.game.errors.NotYourTurn: the game is not over; its record would tell every hand
"""

from __future__ import annotations

from ..game import Game, record
from .errors import not_now
from .state import Table


def game_over(table: Table) -> Game:
    """Give the game that is over; an error while it is not."""
    if table.game is None or not table.game.over:
        raise not_now("table.not_over", "the game is not over; its record would tell every hand")
    return table.game


def write(table: Table) -> str:
    """Write the finished game as a `.cat` record, for anybody."""
    return record.write(game_over(table))


def write_json(table: Table) -> str:
    """Write it as JSON."""
    return record.write_json(game_over(table))


def write_secret(table: Table) -> str:
    """Write the game as it stands, hands and all: for whoever runs the table, and nobody else."""
    if table.game is None:
        raise not_now("table.not_begun", "the game has not begun")
    return record.write(table.game)
