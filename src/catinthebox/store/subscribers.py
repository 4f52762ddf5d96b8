"""Whoever wants to be told after a commit.

>>> said = []
>>> subscribers = Subscribers()
>>> leave = subscribers.add(lambda game, seq: said.append((game, seq)))
>>> subscribers.tell([("cheshire", 3)])
>>> leave()
>>> subscribers.tell([("cheshire", 4)])
>>> said
[('cheshire', 3)]
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from threading import Lock
from typing import Final

from .protocol import Told

_LOG: Final = logging.getLogger(__name__)


class Subscribers:
    """A set of functions to call; one that raises is written to the log and stays."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._all: dict[int, Told] = {}
        self._number = 0

    def __bool__(self) -> bool:
        return bool(self._all)

    def add(self, told: Told) -> Callable[[], None]:
        """Add one; the answer takes it away again."""
        with self._lock:
            number = self._number = self._number + 1
            self._all = {**self._all, number: told}  # a new one: it is read without the lock

        def leave() -> None:
            with self._lock:
                self._all = {key: each for key, each in self._all.items() if key != number}

        return leave

    def tell(self, news: Iterable[tuple[str, int]]) -> None:
        """Tell everybody, game by game."""
        for game, seq in news:
            for told in self._all.values():
                try:
                    told(game, seq)
                except Exception:
                    _LOG.exception("a subscriber failed on %s %d", game, seq)
