"""Callbacks that run after every commit.

>>> said = []
>>> subscribers = Subscribers()
>>> leave = subscribers.add(lambda game, seq: said.append((game, seq)))
>>> subscribers.notify([("cheshire", 3)])
>>> leave()
>>> subscribers.notify([("cheshire", 4)])
>>> said
[('cheshire', 3)]
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from threading import Lock
from typing import Final

from .protocol import Subscriber

_LOG: Final = logging.getLogger(__name__)


class Subscribers:
    """A set of callbacks; an exception in one is logged, and it stays subscribed."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._all: dict[int, Subscriber] = {}
        self._number = 0

    def __bool__(self) -> bool:
        return bool(self._all)

    def add(self, callback: Subscriber) -> Callable[[], None]:
        """Add a callback; return a function that removes it."""
        with self._lock:
            number = self._number = self._number + 1
            self._all = {**self._all, number: callback}  # a new dict: readers take no lock

        def leave() -> None:
            with self._lock:
                self._all = {key: each for key, each in self._all.items() if key != number}

        return leave

    def notify(self, news: Iterable[tuple[str, int]]) -> None:
        """Call every subscriber for each game."""
        for game, seq in news:
            for callback in self._all.values():
                try:
                    callback(game, seq)
                except Exception:
                    _LOG.exception("a subscriber failed on %s %d", game, seq)
