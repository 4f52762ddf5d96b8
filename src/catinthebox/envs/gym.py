"""Gymnasium: one seat learns against named opponents. Importing this registers the ids.

>>> import gymnasium
>>> table = gymnasium.make("CatInTheBox-v0", players=3, opponents="follow")
>>> observation, info = table.reset(seed=7)
>>> info["seat"], observation["action_mask"].nonzero()[0].tolist()
(0, [36, 37, 38, 39, 40, 41])
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from ..game import Face, NotUnderstood, Phase, Play
from ..optional import needs
from ..views import View
from .match import ILLEGAL, SEEDS, EnvMatch, action_of
from .observation import DictObservation
from .opponents import Opponent, other_seats
from .render import draw
from .spaces import action_space, masked_of, masked_space

with needs("gymnasium", extra="envs"):
    import gymnasium
    import numpy as np
    from gymnasium import spaces
    from numpy.typing import NDArray

SINGLE_ID = "CatInTheBox-v0"
SELF_PLAY_ID = "CatInTheBoxSelfPlay-v0"


class CatInTheBoxEnv(gymnasium.Env[DictObservation, np.int64]):
    """One seat against opponents, given by name or as functions of a view and an rng.

    `seat=None` draws a seat for every game. An illegal action ends the game with a penalty.
    """

    metadata = {  # noqa: RUF012 (as Gymnasium declares it)
        "render_modes": ["human", "ansi", "rgb_array"],
        "render_fps": 2,
    }

    def __init__(
        self,
        players: int = 4,
        *,
        opponents: str | Opponent | Sequence[str | Opponent] = "follow",
        seat: int | None = 0,
        face: Face | str | None = None,
        length: str = "round",
        reward: str = "points",
        illegal_reward: float | None = ILLEGAL,
        render_mode: str | None = None,
    ) -> None:
        self.match = EnvMatch(
            players, face=face, length=length, reward=reward, illegal_reward=illegal_reward
        )
        if seat is not None and not 0 <= seat < players:
            raise NotUnderstood("input.option", f"seat {seat}; seats are 0 to {players - 1}")
        self._fixed_seat = seat
        self._opponents = opponents
        self._others = other_seats(players, seat or 0, opponents)  # or raises an error
        self.seat = seat or 0
        self.render_mode = render_mode
        self.observation_space: spaces.Space[Any] = masked_space(length)
        self.action_space = action_space()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[DictObservation, dict[str, Any]]:
        """Deal: the first round of a seed, or without a seed the next round."""
        super().reset(seed=seed)
        if seed is None and self.match.seed is None:
            seed = int(self.np_random.integers(SEEDS))
        self.match.begin(seed)
        self._rng = Random(int(self.np_random.integers(SEEDS)))
        if self._fixed_seat is None:
            self.seat = self._rng.randrange(self.match.players)
        self._others = other_seats(self.match.players, self.seat, self._opponents)
        self._others.start(self.match.round)
        self._let_others_act()
        return self._seen(), self._info()

    def step(
        self, action: np.int64 | int
    ) -> tuple[DictObservation, float, bool, bool, dict[str, Any]]:
        """Act for the learner, then for the others until it is the learner's turn again."""
        earned = self._act(self.seat, int(action)) + self._let_others_act()
        return self._seen(), earned, self.match.over, False, self._info()

    def _act(self, seat: int, action: int) -> float:
        before = self.match.round
        worth = self.match.act(seat, action)
        if not self.match.spoiled:
            self._others.update(before, Play(seat, action_of(action)), self.match.last)
        if self.match.round is not self.match.last:
            self._others.start(self.match.round)
        return 0.0 if worth is None else worth[self.seat]

    def _let_others_act(self) -> float:
        """Act for the others until the learner may act, or the game is over."""
        earned = 0.0
        while not self.match.over and not self.match.legal_ids(self.seat):
            if self.match.round.phase is Phase.DISCARD:
                for seat, action in self._others.discards(self._rng):
                    earned += self._act(seat, action.id)
            else:
                seat = self.match.turn or 0
                earned += self._act(seat, self._others.act(seat, self._rng).id)
        return earned

    def _seen(self) -> DictObservation:
        return masked_of(self.match, self.seat)

    def _info(self) -> dict[str, Any]:
        match = self.match
        return {"seat": self.seat, "totals": match.totals, "illegal": match.spoiled}

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the learner's legal actions; sb3-contrib's MaskablePPO calls this."""
        return masked_of(self.match, self.seat)["action_mask"].astype(np.bool_)

    def render(self) -> Any:
        """Show the table as the learner sees it."""
        if self.render_mode == "rgb_array":
            return draw(View.of(self.match.round, self.seat))
        text = self.match.describe(self.seat)
        if self.render_mode == "human":
            print(text)
            return None
        return text if self.render_mode == "ansi" else None


def register_envs() -> None:
    """Register the ids with Gymnasium; may be called again."""
    known = gymnasium.registry
    if SINGLE_ID not in known:
        gymnasium.register(SINGLE_ID, entry_point="catinthebox.envs.gym:CatInTheBoxEnv")
    if SELF_PLAY_ID not in known:
        where = "catinthebox.envs.vector:CatInTheBoxVector"
        gymnasium.register(SELF_PLAY_ID, vector_entry_point=where)


register_envs()
