"""A decision of the player `net` with a search: what the network likes, tried in sampled deals.

1. Worlds are sampled from the view. Two models may explain what the others did in each of them: the
   network itself, and `careful`. How likely that was is the weight of the world with that model, so
   the search finds out what kind of players it meets.
2. Pairs of a world and a model are drawn by weight. In each, every action that the network takes
   seriously is tried: the round is played to its end, the own seat by the network, the others by
   the model. All actions meet the same worlds and the same chance.
3. Chosen is the action with the highest sum of the logarithm of its probability and `TRUST` times
   its mean reward: little evidence changes little. With more than two players less is known about
   a world, so it counts less.

With a number of worlds, a decision depends on the view, the seed and the library that multiplies
matrices; with a time limit, on the clock, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, exp, log, sqrt
from time import perf_counter
from typing import Final

from ..game import ACTIONS, Action
from ..optional import needs
from ..tactics.inputs import INPUTS
from ..views import View
from . import engine
from .player import Budget

with needs("numpy", extra="fast"):
    import numpy as np

    from .imagined import AT_ONCE, COLUMNS, FloatArray, ImaginedRounds
    from .numpy_network import NumpyNetwork

# What a point of reward weighs against the logarithm of a probability, by the number of players.
TRUST: Final = {2: 2.0, 3: 1.0, 4: 1.0, 5: 1.0}
SURE: Final = 0.98  # the probability of an action beside which nothing is tried
SERIOUS: Final = 0.02  # the least probability of an action that is tried
OPTIONS: Final = 4  # actions that are tried, at most
SAMPLED: Final = 3  # worlds weighed for each one that is used
WORLDS: Final = 1024  # at most, for one decision; more tries use them again
DEFAULT: Final = 64  # worlds, if there is no limit
WEIGHING: Final = 0.3  # of the time, about
SLICE: Final = 0.6  # of the time that is left
POSITIONS: Final = 128  # that are computed for a slice of weighing, about
FIRST_GUESS: Final = 0.05  # milliseconds for a position
NORMAL: Final = 1.96  # standard errors on either side of a 95 % interval
FASTEST: Final = 0.02  # milliseconds for a world, at least; limits how many there may be
LUCK: Final = 0x5EED_0003  # makes rollouts independent of worlds


@dataclass(frozen=True)
class Outlook:
    """What was found about an action: means over all the rounds that were played on with it."""

    action: Action
    probability: float  # that the network gives it
    tries: int
    reward: float  # own points less the mean of the others', and some for the victory
    within: float  # half the width of the 95 % interval of the reward
    points: float
    margin: float  # own points less the mean of the others'
    bonus: float  # the share of rounds in which the seat earned its bonus
    paradox: float  # … in which it caused a paradox


class NetThought:
    """One decision: the actions that the network takes seriously, and what was found about them.

    `worlds` limits it, and so does the budget; its rollouts are rounds played to the end.
    """

    def __init__(
        self, network: NumpyNetwork, view: View, limit: Budget, worlds: int | None, seed: int
    ) -> None:
        assert view.seat is not None, "a spectator does not play"
        self.begin = perf_counter()
        self.view, self.limit, self.seed = view, limit, seed
        self.worlds = 0  # used
        self._network, self._wanted = network, worlds
        self.logs = self._first_look(view.seat)
        best = sorted(self.logs, key=lambda number: (-self.logs[number], number))
        serious = [number for number in best[:OPTIONS] if self.logs[number] >= log(SERIOUS)]
        self.options = best[:1] if exp(self.logs[best[0]]) > SURE else serious
        self._found: FloatArray = np.zeros((0, len(self.options), COLUMNS))

    def _first_look(self, seat: int) -> dict[int, float]:
        """Return the logarithm of the network's probability of every legal action."""
        inputs = engine.zeros(INPUTS)
        vector, touch = engine.vector(self.view), engine.touch(self.view.face)
        engine.tactics().inputs.write_inputs(vector, seat, touch, inputs)
        logits = self._network.exact_logits(inputs)
        ids = [action.id for action in self.view.legal]
        most = max(logits[number] for number in ids)
        whole = most + log(sum(exp(logits[number] - most) for number in ids))
        return {number: logits[number] - whole for number in ids}

    @property
    def elapsed(self) -> float:
        """Milliseconds since the decision began."""
        return 1000 * (perf_counter() - self.begin)

    # ── Thinking ─────────────────────────────────────────────────────────────────────────────

    def run(self) -> None:
        """Think until enough worlds were used, time is up, or it is cancelled."""
        most = self._most()
        if len(self.options) <= 1 or most == 0 or self._over():
            return
        room = min(SAMPLED * most, WORLDS)
        rounds = ImaginedRounds(self._network, self.view, room, self.options)
        sampled = self._sample(rounds, room)
        if sampled == 0:
            return
        pairs = rounds.draw(sampled, ceil(sampled / SAMPLED), self.seed)
        cost = FIRST_GUESS * len(self.options) * self._plays_left()  # milliseconds for a world
        while self.worlds < most and not self._over():
            count = self._slice(min(most - self.worlds, AT_ONCE // len(self.options)), cost)
            if count == 0:
                return
            begun = self.elapsed
            places = np.arange(self.worlds, self.worlds + count) % len(pairs)
            found = rounds.play(pairs[places], self.worlds, self.seed ^ LUCK, self._give_up)
            if found is None:
                return
            self._found = np.concatenate([self._found, found])
            self.worlds += count
            cost = (self.elapsed - begun) / count

    def _most(self) -> int:
        """Return how many worlds may be used."""
        limits = [DEFAULT] if self._wanted is None and self.limit.ms is None else []
        if self._wanted is not None:
            limits.append(self._wanted)
        if self.limit.rollouts is not None:
            limits.append(self.limit.rollouts // len(self.options))
        if self.limit.ms is not None:
            limits.append(ceil(min(self.limit.ms, 1e6) / FASTEST))
        return min(limits)

    def _sample(self, rounds: ImaginedRounds, room: int) -> int:
        """Sample and weigh worlds; return how many."""
        size = AT_ONCE
        if self.limit.ms is not None:
            size = min(max(POSITIONS // max(rounds.others_did, 1), 8), AT_ONCE)
        sampled = 0
        while sampled < room and not (sampled and self._over(WEIGHING)):
            count = min(size, room - sampled)
            if not rounds.sample(self.seed, sampled, count, self.limit.cancelled):
                break
            sampled += count
        return sampled

    def _slice(self, most: int, cost: float) -> int:
        """Return how many worlds to use in one slice; none if the time is too short."""
        if self.limit.ms is None:
            return most
        left = self.limit.ms - self.elapsed
        if self.worlds == 0:
            return min(most, max(1, int(SLICE * left / cost)))
        return min(most, int(left / cost))

    def _plays_left(self) -> int:
        """Return about how many plays are left for the network."""
        return max(1, (sum(self.view.hand_sizes) - self.view.players) * 2 // 3)

    def _over(self, share: float = 1.0) -> bool:
        """Whether a share of the time is over, or nobody waits any more."""
        late = self.limit.ms is not None and self.elapsed >= share * self.limit.ms
        return late or self.limit.cancelled()

    def _give_up(self) -> bool:
        """Whether to give up a slice; the first one is finished unless nobody waits for it."""
        return self._over() if self.worlds else self.limit.cancelled()

    # ── What was found ───────────────────────────────────────────────────────────────────────

    @property
    def rollouts(self) -> int:
        """The number of rounds that were played to their ends."""
        return self.worlds * len(self.options)

    def tries(self, action: int) -> int:
        """How often an action was tried."""
        return self.worlds if action in self.options else 0

    def found(self, action: int) -> float:
        """Return the mean reward of an action that was tried."""
        return float(self._found[:, self.options.index(action), 0].mean())

    @property
    def outlooks(self) -> list[Outlook]:
        """What was found about every action that was tried, the network's favourite first."""
        return [self._outlook(place) for place in range(len(self.options))] if self.worlds else []

    def _outlook(self, place: int) -> Outlook:
        rows, number = self._found[:, place], self.options[place]
        reward, points, margin, bonus, paradox = rows.mean(axis=0).tolist()
        within = NORMAL * float(rows[:, 0].std()) / sqrt(len(rows))
        chance = exp(self.logs[number])
        return Outlook(
            ACTIONS[number], chance, len(rows), reward, within, points, margin, bonus, paradox
        )

    @property
    def best(self) -> Action:
        """The action to take."""
        if self.worlds == 0:
            return ACTIONS[self.options[0]]
        return ACTIONS[max(self.options, key=self._score)]

    def _score(self, number: int) -> float:
        return self.logs[number] + TRUST[self.view.players] * self.found(number)
