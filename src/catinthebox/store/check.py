"""A look through a whole store: every game, every checksum, the index, and the database itself.

>>> from pathlib import Path
>>> from tempfile import TemporaryDirectory
>>> from catinthebox.store import open_store
>>> with TemporaryDirectory() as folder, open_store(Path(folder) / "games.db") as store:
...     store.append("cheshire", 0, [b"sit down", b"deal"]).result()
...     check(store, print)
2
Found(games=1, events=2, problems=0)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from .base import LogStore
from .errors import Damaged
from .protocol import IndexEntry, Store
from .transfer import is_game


@dataclass
class Found:
    """How much of a store is whole, and how much is wrong with it.

    The program's own logs (see `ferry`) are checked as well, but they are no games.
    """

    games: int = 0  # without damage
    events: int = 0  # of these games
    problems: int = 0


def check(store: Store, tell: Callable[[str], None]) -> Found:
    """Look through a store; every problem is told as a line, with its game and its event.

    The store may be in use: each game is as it is at one moment.
    """
    found = Found()
    for problem in _problems(store, found):
        found.problems += 1
        tell(problem)
    return found


def _problems(store: Store, found: Found) -> Iterator[str]:
    if isinstance(store, LogStore):
        yield from store.engine_problems()
    for each in store.survey():
        damage = each if isinstance(each, Damaged) else _damage(store, each, found)
        if damage is not None:
            yield _line(damage)


def _damage(store: Store, entry: IndexEntry, found: Found) -> Damaged | None:
    """Read a whole game, and count it if it is not damaged."""
    try:
        events = store.read(entry.game)
    except Damaged as damage:
        return damage
    if is_game(entry.game):
        found.games += 1
        found.events += len(events)
    return None


def _line(damage: Damaged) -> str:
    """Write what is wrong with a game.

    >>> _line(Damaged("cheshire", 7, "it is missing"))
    'cheshire, event 7: it is missing'
    """
    place = "" if damage.seq is None else f", event {damage.seq}"
    return f"{damage.game}{place}: {damage.what}"
