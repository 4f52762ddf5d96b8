"""Rollouts in which a network decides, side by side for many worlds; they need NumPy."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..game import Phase
from ..optional import needs
from ..players.imagined import AT_ONCE, ImaginedRounds, IntegerArray
from ..players.numpy_network import NumpyNetwork
from ..tactics.prospects import COLUMNS
from ..tactics.thought import LUCK
from ..views import View
from .rollouts import Method

with needs("numpy", extra="fast"):
    import numpy as np


class FollowedRounds(ImaginedRounds):
    """Imagined rounds about which more is noted, and which careful seats may finish."""

    def follow(
        self, pairs: IntegerArray, first: int, seed: int, method: Method, stop: Callable[[], bool]
    ) -> IntegerArray | None:
        """Try every action in some pairs; return the ends, or None if it was given up."""
        rules, notes, table = self._rules, self._tactics.prospects, self._table
        rows, luck, seat, options = self._rows, self._luck, self._seat, len(self._options)
        view, count = self._view, len(pairs)
        total = count * options
        left = view.hand_sizes[seat] - (2 if view.phase is Phase.DISCARD else 1)
        won, ends = view.won[seat], np.zeros((total, COLUMNS), dtype=np.int64)
        rules.branch(self._worlds, pairs // 2, count, table, seat, self._options, options)
        self._others[:total] = np.repeat(pairs % 2, options)
        rules.open_luck(luck, first, count, options, seed)
        notes.open_ends(ends, total)
        model = self._weights, self._touch, self._ratings
        for _ in range(method.decisions):
            notes.note_rows(table, total, seat, left, won, ends)
            rules.careful_rows(table, total, seat, self._others, luck, *model)
            notes.note_rows(table, total, seat, left, won, ends)
            waiting = rules.list_rows(table, total, rows)
            if waiting == 0:
                break
            if stop():
                return None
            rules.draw_and_act(table, rows, waiting, self._shares(waiting).ravel(), luck)
        notes.note_rows(table, total, seat, left, won, ends)
        notes.finish_rows(table, total, seat, left, won, luck, *model, ends)
        notes.close_rows(table, total, seat, won, self._touch, ends)
        return ends


class NetworkRollouts:
    """Worlds weighed under two models of the others, in which the network decides for a while."""

    def __init__(
        self,
        network: NumpyNetwork,
        method: Method,
        view: View,
        worlds: int,
        options: Sequence[int],
        seed: int,
    ) -> None:
        self.at_once = max(1, AT_ONCE // len(options))
        self._rounds = FollowedRounds(network, view, worlds, options)
        self._method, self._seed, self._options = method, seed, len(options)
        self._pairs: IntegerArray = np.zeros(0, dtype=np.int64)

    def sample(self, first: int, count: int, stop: Callable[[], bool]) -> bool:
        """Sample worlds and weigh them."""
        last = first + count
        return all(
            self._rounds.sample(self._seed, place, min(AT_ONCE, last - place), stop)
            for place in range(first, last, AT_ONCE)
        )

    def choose(self, sampled: int, number: int) -> None:
        """Choose pairs of a world and a model of the others, by their weights."""
        self._pairs = self._rounds.draw(sampled, number, self._seed)

    def origin(self, place: int) -> int:
        """Return the world of a place."""
        return int(self._pairs[place % len(self._pairs)]) // 2

    def play(self, first: int, count: int, ends: IntegerArray, stop: Callable[[], bool]) -> bool:
        """Try every action in some of the chosen pairs; return False if it was given up."""
        pairs = self._pairs[np.arange(first, first + count) % len(self._pairs)]
        found = self._rounds.follow(pairs, first, self._seed ^ LUCK, self._method, stop)
        if found is None:
            return False
        ends[first * self._options : (first + count) * self._options] = found
        return True
