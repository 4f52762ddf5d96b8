"""Rounds played on from what a seat sees: worlds, weighed; in each, every action tried.

Two kinds with the same four steps. `CarefulRollouts` needs nothing but `tactics`, so it runs in a
browser as it does here. `NetworkRollouts` asks the network for the next decisions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from ..game import Phase
from ..optional import load
from ..players import engine
from ..players.network import shipped
from ..tactics.careful import RATINGS
from ..tactics.thought import LOT, LUCK
from ..views import View

WHOLE: Final = 1_000  # decisions: more than a round has


@dataclass(frozen=True)
class Method:
    """How rounds are played on."""

    name: str
    decisions: int = 0  # of a round that the network makes, before careful seats play on
    trust: float = 1.0  # what a point weighs against the logarithm of the network's probability
    corrected: bool = True  # expectations are, by `calibration`
    witness: bool = True  # a fault needs the network's agreement, since rollouts are off the mark


class Rollouts(Protocol):
    """Worlds of a view, and what follows in them."""

    def sample(self, first: int, count: int, stop: Callable[[], bool]) -> bool:
        """Sample worlds and weigh them; return False if it was given up."""

    def choose(self, sampled: int, number: int) -> None:
        """Choose `number` of the sampled worlds, by their weights."""

    def play(self, first: int, count: int, ends: Any, stop: Callable[[], bool]) -> bool:
        """Try every action in some of the chosen worlds; return False if it was given up.

        The rows of `ends` are filled from that of world `first` on.
        """

    def origin(self, place: int) -> int:
        """Return the number of the sampled world in which the rounds of a place are played."""

    @property
    def at_once(self) -> int:
        """How many worlds may be played at once."""


def rollouts(method: Method, view: View, options: Sequence[int], room: int, seed: int) -> Rollouts:
    """Prepare rollouts in up to `room` worlds."""
    if method.decisions == 0:
        return CarefulRollouts(view, options, room, seed)
    lookahead = load("catinthebox.coach.network_rollouts", extra="fast")
    made: Rollouts = lookahead.NetworkRollouts(
        shipped(view.players), method, view, room, options, seed
    )
    return made


class CarefulRollouts:
    """Every seat goes on as a careful player."""

    def __init__(self, view: View, options: Sequence[int], room: int, seed: int) -> None:
        assert view.seat is not None, "a spectator does not act"
        self.at_once = 64
        self._view, self._seat, self._seed, self._tactics = view, view.seat, seed, engine.tactics()
        self._vector = engine.vector(view)
        size = len(view.vector)
        self._worlds, self._likelihoods = engine.zeros(room, size), engine.floats(room)
        self._chosen, self._drawn = engine.zeros(room), 0
        self._scratch, self._ratings = engine.zeros(size), engine.zeros(RATINGS)
        self._model = engine.weights(view.players), engine.touch(view.face), self._ratings
        self._options, self._number = engine.row(options), len(options)
        shown = [play.action.id for play in view.actions if play.action.phase is not Phase.DISCARD]
        self._seen = engine.row(shown)
        first = view.phase is Phase.DISCARD or bool(view.dealt.discarded)
        self._weighs = not first

    def sample(self, first: int, count: int, stop: Callable[[], bool]) -> bool:
        """Sample worlds and weigh them."""
        del stop
        search = self._tactics.search
        search.imagine(self._vector, self._view.proved, self._seed, self._worlds, first, count)
        if self._weighs:
            given = self._worlds, first, count, self._likelihoods, self._scratch, self._seat
            search.believe(*given, self._seen, *self._model)
        return True

    def choose(self, sampled: int, number: int) -> None:
        """Choose worlds by their likelihoods, or the first ones."""
        self._drawn = number
        if self._weighs:
            search, seed = self._tactics.search, self._seed ^ LOT
            search.gather(self._likelihoods, sampled, self._chosen, number, seed)
        else:
            for place in range(number):
                self._chosen[place] = place

    def origin(self, place: int) -> int:
        """Return the world of a place."""
        return int(self._chosen[place % self._drawn])

    def play(self, first: int, count: int, ends: Any, stop: Callable[[], bool]) -> bool:
        """Try every action in some of the chosen worlds."""
        del stop
        where = self._worlds, self._chosen, self._drawn, first, count, self._seat
        rows = ends[first * self._number : (first + count) * self._number]
        given = self._options, self._number, *self._model, self._seed ^ LUCK, self._scratch
        self._tactics.prospects.try_all(*where, *given, rows)
        return True
