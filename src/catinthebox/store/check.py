"""Checks a whole store: every game, every checksum, the index, and the database itself.

>>> from pathlib import Path
>>> from tempfile import TemporaryDirectory
>>> from catinthebox.store import open_store
>>> with TemporaryDirectory() as folder, open_store(Path(folder) / "games.db") as store:
...     store.append("cheshire", 0, [b"sit down", b"deal"]).result()
...     check(store, print)
2
StoreCheck(games=1, events=2, problems=0)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from .base import LogStore
from .errors import Damaged
from .protocol import IndexEntry, Store
from .transfer import is_game


@dataclass
class StoreCheck:
    """The result of a check: what is intact, and the number of problems.

    The program's own logs (see `transfer`) are checked as well, but not counted as games.
    """

    games: int = 0  # without damage
    events: int = 0  # of the undamaged games
    problems: int = 0


def check(store: Store, report: Callable[[str], None]) -> StoreCheck:
    """Check a store; `report` is called with each problem, which names the game and the event.

    The store may be in use: each game is read at one moment.
    """
    found = StoreCheck()
    for problem in _problems(store, found):
        found.problems += 1
        report(problem)
    return found


def _problems(store: Store, found: StoreCheck) -> Iterator[str]:
    if isinstance(store, LogStore):
        yield from store.engine_problems()
    for each in store.survey():
        damage = each if isinstance(each, Damaged) else _damage(store, each, found)
        if damage is not None:
            yield _line(damage)


def _damage(store: Store, entry: IndexEntry, found: StoreCheck) -> Damaged | None:
    """Read a whole game; count it unless it is damaged."""
    try:
        events = store.read(entry.game)
    except Damaged as damage:
        return damage
    if is_game(entry.game):
        found.games += 1
        found.events += len(events)
    return None


def _line(damage: Damaged) -> str:
    """Describe what is wrong with a game.

    >>> _line(Damaged("cheshire", 7, "it is missing"))
    'cheshire, event 7: it is missing'
    """
    place = "" if damage.seq is None else f", event {damage.seq}"
    return f"{damage.game}{place}: {damage.what}"
