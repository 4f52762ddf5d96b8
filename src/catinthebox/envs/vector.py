"""Thousands of games in parallel: arrays in, arrays out, no Python code per game.

It is self-play: every step acts for the seat to move in every row.

>>> table = CatInTheBoxVector(1000, players=4)
>>> observations, infos = table.reset(seed=7)
>>> observations["observation"].shape, observations["action_mask"].shape, infos["seat"].shape
((1000, 379), (1000, 49), (1000,))
"""

from __future__ import annotations

from typing import Any

from ..game import EDITIONS
from ..optional import needs
from ..rules.actions import ACTIONS
from ..rules.layout import MAX_SEATS
from .match import SEEDS, known_length, known_players
from .observation import DictObservation, Numbers
from .rewards import known_reward
from .spaces import action_space, masked_space

with needs("gymnasium", extra="envs"):
    import gymnasium
    import numpy as np
    from gymnasium.vector import AutoresetMode
    from gymnasium.vector.utils import batch_space
    from numpy.typing import NDArray

with needs("numba", extra="fast"):
    from ..fast.rounds import Batch

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Truths = NDArray[np.bool_]


class Rows(Batch):
    """A batch whose starter rotates from round to round (R2).

    The number of a row's round goes up by a stride that is one more than a multiple of the
    player count, so that the starter, number % players, moves one seat clockwise.
    """

    @property
    def stride(self) -> int:
        """The distance between the numbers of a row's rounds."""
        return -(-(self.rows - 1) // self.players) * self.players + 1


class CatInTheBoxVector(gymnasium.vector.VectorEnv[DictObservation, Integers, Any]):
    """A batch of games; a finished game is dealt anew in the same step.

    `rewards` holds what the seat that just acted earned; `infos["rewards"]` what every seat did,
    `infos["seat"]` who acts next.
    """

    metadata = {  # noqa: RUF012 (as Gymnasium declares it)
        "render_modes": [],
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        *,
        players: int = 4,
        face: str | None = None,
        length: str = "round",
        reward: str = "points",
        threads: int = 1,
        render_mode: None = None,
    ) -> None:
        self.num_envs = num_envs
        self.players = known_players(players)
        self.face = EDITIONS["standard"].faces[players][0] if face is None else face
        self.rounds = players if known_length(length) == "match" else 1
        self.reward = known_reward(reward)
        self.threads = threads
        self.single_observation_space = masked_space(length)
        self.single_action_space = action_space()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._rows: Rows | None = None

    @property
    def batch(self) -> Rows:
        """The underlying batch of rounds: states, legal sets, seats (after `reset`)."""
        assert self._rows is not None, "reset first"
        return self._rows

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[DictObservation, dict[str, Any]]:
        """Deal every row anew, from the first round of a seed."""
        super().reset(seed=seed)
        if seed is None:
            seed = int(self.np_random.integers(SEEDS))
        self._rows = Rows(
            self.num_envs,
            players=self.players,
            seed=seed,
            face=self.face,
            observe=True,
            threads=self.threads,
        )
        self._totals: Integers = np.zeros((self.num_envs, self.players), dtype=np.int64)
        self._played: Integers = np.zeros(self.num_envs, dtype=np.int64)
        return self._seen(), {"seat": self._rows.seats.copy()}

    def step(
        self, actions: Integers
    ) -> tuple[DictObservation, Floats, Truths, Truths, dict[str, Any]]:
        """Act in every row; raise an error and change nothing if any action is illegal."""
        acted = self.batch.seats.copy()
        scores, over = self.batch.step(actions)
        self._totals += scores
        self._played += over
        ended = self._played == self.rounds
        worth = self._worth(scores, over, ended)
        infos = {"seat": self.batch.seats.copy(), "rewards": worth, "totals": self._totals.copy()}
        self._totals[ended] = 0
        self._played[ended] = 0
        earned: Floats = worth[np.arange(self.num_envs), acted]
        return self._seen(), earned, ended, np.zeros(self.num_envs, dtype=np.bool_), infos

    def _worth(self, scores: Integers, over: Truths, ended: Truths) -> Floats:
        if self.reward == "points":
            return scores.astype(np.float64)
        if self.reward == "margin":
            return margins(scores)
        worth: Floats = np.zeros(scores.shape)
        worth[ended] = shares(self._totals[ended], scores[ended])
        return worth

    def _seen(self) -> DictObservation:
        numbers = self.batch.observations
        assert numbers is not None, "rows are observed"
        legal = legal_masks(self.batch.legal)
        if self.rounds == 1:
            return {"observation": numbers.copy(), "action_mask": legal}
        return {"observation": np.hstack([numbers, self._so_far()]), "action_mask": legal}

    def _so_far(self) -> Numbers:
        """Return the points of earlier rounds from the acting seat on, and the rounds to come."""
        so_far = np.zeros((self.num_envs, MAX_SEATS + 1), dtype=np.int8)
        clockwise = (self.batch.seats[:, None] + np.arange(self.players)) % self.players
        so_far[:, : self.players] = np.take_along_axis(self._totals, clockwise, axis=1)
        so_far[:, MAX_SEATS] = self.rounds - 1 - self._played
        return so_far


def legal_masks(legal: Integers) -> Numbers:
    """Return sets of action ids as rows of 49 zeros and ones.

    >>> np.flatnonzero(legal_masks(np.array([0b1001]))[0])
    array([0, 3])
    """
    octets = legal.astype("<i8").view(np.uint8).reshape(len(legal), 8)
    return np.unpackbits(octets, axis=1, bitorder="little", count=ACTIONS).view(np.int8)


def margins(scores: Integers) -> Floats:
    """Return own points minus the mean of the others, in every row."""
    others = scores.sum(axis=1, keepdims=True) - scores
    worth: Floats = scores - others / (scores.shape[1] - 1)
    return worth


def shares(totals: Integers, final: Integers) -> Floats:
    """Return the shares of the victory in every row (R3)."""
    standing = totals * 1000 + final  # a round's points are far below 500
    winners = standing == standing.max(axis=1, keepdims=True)
    worth: Floats = winners / winners.sum(axis=1, keepdims=True)
    return worth
