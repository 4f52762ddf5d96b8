"""Imagined rounds for a search on a network: worlds of a view, weighed and played to their ends.

Two models of the other seats are kept apart: the network, and `careful`. The rounds lie in rows of
a table (`tactics.lookahead`), and the network is computed for all of them at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from ..game import ACTIONS, Phase
from ..optional import needs
from ..tactics.careful import RATINGS
from ..tactics.inputs import AT_LEGAL, INPUTS
from ..tactics.lookahead import BY_CAREFUL, BY_NETWORK
from ..tactics.thought import LOT
from ..views import View
from . import engine
from .network import VICTORY_POINTS

with needs("numpy", extra="fast"):
    import numpy as np
    from numpy.typing import NDArray

    from .numpy_network import NumpyNetwork

AT_ONCE: Final = 256  # rows of the table
NOISE: Final = (0.05, 0.03)  # the share of actions that a model does not explain
# Likelihoods are taken to the highest of these powers that leaves enough worlds: one wrong idea of
# a player is wrong at each of its actions.
POWERS: Final = (0.5, 0.35, 0.25, 0.18, 0.125, 0.09, 0.0)
ENOUGH: Final = 1 / 3  # of all pairs, effectively
CAREFUL: Final = 0.25  # the share of careful players, before anything is known
LEGAL: Final = slice(AT_LEGAL, AT_LEGAL + len(ACTIONS))
COLUMNS: Final = 5  # reward, points, margin, bonus, paradox

IntegerArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]


class ImaginedRounds:
    """Worlds that agree with a view, and what follows in them after some actions."""

    def __init__(
        self, network: NumpyNetwork, view: View, worlds: int, options: Sequence[int]
    ) -> None:
        assert view.seat is not None, "a spectator does not play"
        self.computed = 0  # positions
        self._network, self._view, self._seat = network, view, view.seat
        self._tactics = engine.tactics()
        self._rules = self._tactics.lookahead
        self._vector = np.array(view.vector, dtype=np.int64)
        size = len(self._vector)
        self._touch, self._weights = engine.touch(view.face), engine.weights(view.players)
        self._options = np.array(options, dtype=np.int64)
        self._worlds = np.zeros((worlds, size), dtype=np.int64)
        self._logs = np.zeros((worlds, 2))  # of likelihoods, by model
        self._table = np.zeros((AT_ONCE, size), dtype=np.int64)
        self._rows, self._actions, self._others, self._luck = np.zeros((4, AT_ONCE), dtype=np.int64)
        self._inputs = np.zeros((AT_ONCE, INPUTS), dtype=np.float32)
        self._scratch = np.zeros(size, dtype=np.int64)
        self._ratings = np.zeros(RATINGS, dtype=np.int64)
        self._past = _past(view)

    @property
    def others_did(self) -> int:
        """How many actions of the others there are to explain."""
        return sum(seat != self._seat for seat, _ in self._past)

    def _shares(self, count: int) -> FloatArray:
        """Return the network's probabilities for the first rows that are listed."""
        given = self._table, self._rows, count, self._scratch, self._touch, self._inputs
        self._rules.look(*given)
        inputs = self._inputs[:count]
        self.computed += count
        logits = self._network.batch(inputs)[:, : len(ACTIONS)].astype(np.float64)
        logits[inputs[:, LEGAL] == 0] = -np.inf
        shares: FloatArray = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        return shares

    # ── Worlds ───────────────────────────────────────────────────────────────────────────────

    def sample(self, seed: int, first: int, count: int, stop: Callable[[], bool]) -> bool:
        """Sample worlds and weigh them; return False if it was given up."""
        given = self._vector, self._view.proved, seed, self._worlds, first, count
        self._tactics.search.imagine(*given)
        rules, table, rows, actions = self._rules, self._table, self._rows, self._actions
        rules.rewind_rows(self._worlds, first, count, table, rows)
        for number, (seat, action) in enumerate(self._past):
            if stop():
                return False
            rules.past_actions(self._worlds, first, count, action, actions)
            if seat != self._seat:
                self._weigh(first, count, seed + number)
            rules.act_rows(table, rows, count, actions)
        return True

    def _weigh(self, first: int, count: int, seed: int) -> None:
        """Weigh some worlds by the chance that both models do what another seat did."""
        shares, hits = self._shares(count), np.zeros(count)
        legal = self._inputs[:count, LEGAL].sum(axis=1)
        by_network = shares[np.arange(count), self._actions[:count]]
        model = self._weights, self._touch, self._ratings
        self._rules.count_careful(self._table, count, self._actions, *model, seed, hits)
        for kind, chances in ((BY_NETWORK, by_network), (BY_CAREFUL, hits)):
            explained = (1 - NOISE[kind]) * chances + NOISE[kind] / legal
            self._logs[first : first + count, kind] += np.log(explained)

    def draw(self, count: int, number: int, seed: int) -> IntegerArray:
        """Draw pairs of one of the first `count` worlds and a model, by weight, in random order.

        A pair is twice the number of the world, and one more if the others are careful.
        """
        # Places are drawn at even distances. A model that had every other place could be drawn
        # every time, or never, so all pairs of a model stand together.
        weights = self._weights_of(count).reshape(count, 2).ravel(order="F")
        places = np.zeros(number, dtype=np.int64)
        self._rules.draw_pairs(weights, 2 * count, places, number, seed ^ LOT)
        return 2 * (places % count) + places // count

    def _weights_of(self, count: int) -> FloatArray:
        """Return the weights of all pairs of the first worlds and a model."""
        before = np.log([1 - CAREFUL, CAREFUL])
        weights: FloatArray = np.ones(2 * count)
        for power in POWERS:
            logs = (power * self._logs[:count] + before).ravel()
            weights = np.exp(logs - logs.max())
            effective = weights.sum() ** 2 / (weights @ weights)
            if effective >= ENOUGH * len(weights):
                break
        return weights

    # ── What follows ─────────────────────────────────────────────────────────────────────────

    def play(
        self, pairs: IntegerArray, first: int, seed: int, stop: Callable[[], bool]
    ) -> FloatArray | None:
        """Try every action in some pairs; return the columns by pair and action.

        The luck of a pair is that of its number; the first one is number `first`. None: it was
        given up.
        """
        rules, table, rows, luck = self._rules, self._table, self._rows, self._luck
        count, options = len(pairs), len(self._options)
        total = count * options
        rules.branch(self._worlds, pairs // 2, count, table, self._seat, self._options, options)
        self._others[:total] = np.repeat(pairs % 2, options)
        rules.open_luck(luck, first, count, options, seed)
        model = self._weights, self._touch, self._ratings
        while True:
            rules.careful_rows(table, total, self._seat, self._others, luck, *model)
            waiting = rules.list_rows(table, total, rows)
            if waiting == 0:
                return self._ends(total).reshape(count, options, COLUMNS)
            if stop():
                return None
            rules.draw_and_act(table, rows, waiting, self._shares(waiting).ravel(), luck)

    def _ends(self, total: int) -> FloatArray:
        """Return what the first rows were worth to the seat, a column for each of `COLUMNS`."""
        players, seat = self._view.players, self._seat
        ends = np.zeros((total, players + 2), dtype=np.int64)
        self._rules.end_rows(self._table, total, seat, self._touch, ends)
        scores = ends[:, :players]
        margin = (scores[:, seat] * players - scores.sum(axis=1)) / (players - 1)
        best = scores == scores.max(axis=1, keepdims=True)
        share = best[:, seat] / best.sum(axis=1) - 1 / players
        reward = margin + VICTORY_POINTS[players] * share
        return np.column_stack([reward, scores[:, seat], margin, *ends[:, players:].T])


def _past(view: View) -> list[tuple[int, int]]:
    """Return all actions before this one, with their seats; a discard is -1 - seat."""
    if view.phase is Phase.DISCARD or view.dealt.discarded:
        return []  # nobody did anything yet, or nobody saw what they had when they did
    discards = [(seat, -1 - seat) for seat in range(view.players)]
    shown = [play for play in view.actions if play.action.phase is not Phase.DISCARD]
    return discards + [(play.seat, play.action.id) for play in shown]
