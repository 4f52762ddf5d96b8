"""PettingZoo: every seat an agent, one at a time (AEC) or all who may act at once (parallel).

>>> table = env(players=3)
>>> table.reset(seed=7)
>>> table.agent_selection, table.last()[0]["action_mask"].nonzero()[0].tolist()
('player_0', [36, 37, 38, 39, 40, 41])

Discards are simultaneous (R7). The AEC environment requests them by seat, 0 first, and no
observation holds another seat's discard, so the order reveals nothing.
"""

from __future__ import annotations

from typing import Any

from ..game import Face
from ..optional import needs
from ..views import View
from .match import ILLEGAL, EnvMatch
from .observation import DictObservation, Numbers, mask
from .render import draw
from .spaces import action_space, masked_of, masked_space, numbers_of, numbers_space

with needs("pettingzoo", extra="envs"):
    import numpy as np
    from gymnasium import spaces
    from numpy.typing import NDArray
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils import wrappers

NAME = "catinthebox_v0"
RENDER_MODES = ["human", "ansi", "rgb_array"]
AgentObservation = Numbers | DictObservation


class _Table:
    """What both kinds of environment share."""

    def __init__(
        self,
        players: int = 4,
        *,
        face: Face | str | None = None,
        length: str = "round",
        reward: str = "points",
        mask_in: str = "observation",
        illegal_reward: float | None = None,
        render_mode: str | None = None,
        render_seat: int | None = None,
    ) -> None:
        if mask_in not in ("observation", "info"):
            raise ValueError(f"mask_in={mask_in!r}; masks go in 'observation' or in 'info'")
        self.match = EnvMatch(
            players, face=face, length=length, reward=reward, illegal_reward=illegal_reward
        )
        self.render_mode = render_mode
        self.render_seat = render_seat
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._mask_in_info = mask_in == "info"
        make = numbers_space if self._mask_in_info else masked_space
        self.observation_spaces = {agent: make(length) for agent in self.possible_agents}
        self.action_spaces = {agent: action_space() for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of observations (docs/environments.md)."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of the 49 actions."""
        return self.action_spaces[agent]

    def observe(self, agent: str) -> AgentObservation:
        """Return an agent's observation."""
        seat = self._seats[agent]
        return numbers_of(self.match, seat) if self._mask_in_info else masked_of(self.match, seat)

    def render(self) -> str | NDArray[np.uint8] | None:
        """Show the table as everybody sees it, or as `render_seat` does."""
        if self.render_mode == "rgb_array":
            return draw(View.of(self.match.round, self.render_seat))
        text = self.match.describe(self.render_seat)
        if self.render_mode == "human":
            print(text)
            return None
        return text if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Do nothing: no resources are held."""

    def _info(self, agent: str) -> dict[str, Any]:
        if not self._mask_in_info:
            return {}
        return {"action_mask": mask(self.match.legal_ids(self._seats[agent]))}


class CatInTheBoxAEC(_Table, AECEnv[str, Any, Any]):
    """One agent at a time."""

    metadata = {  # noqa: RUF012 (as PettingZoo declares it)
        "name": NAME,
        "render_modes": RENDER_MODES,
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal: the first round of a seed, or without a seed the next round."""
        self.match.begin(None if seed is None else int(seed))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._select()

    def _select(self) -> None:
        turn = self.match.turn
        self.agent_selection = self.possible_agents[turn or 0]
        self.infos[self.agent_selection] = self._info(self.agent_selection)

    def step(self, action: int | None) -> None:
        """Act for the selected agent."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None, f"{agent} must act"
        worth = self.match.act(self._seats[agent], int(action))
        self._cumulative_rewards[agent] = 0.0
        if worth is None:
            self._clear_rewards()
        else:
            self.rewards = dict(zip(self.agents, worth, strict=True))
            self._accumulate_rewards()
            if self.match.over:
                self.terminations = dict.fromkeys(self.agents, True)
        self._select()


class CatInTheBoxParallel(_Table, ParallelEnv[str, Any, Any]):
    """All agents that may act at once: everybody discards, then one seat after the other plays.

    The action of an agent whose mask is empty is ignored.
    """

    metadata = {"name": NAME, "render_modes": RENDER_MODES}  # noqa: RUF012 (as above)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, AgentObservation], dict[str, dict[str, Any]]]:
        """Deal: the first round of a seed, or without a seed the next round."""
        self.match.begin(None if seed is None else int(seed))
        self.agents = self.possible_agents[:]
        return self._seen()

    def _seen(self) -> tuple[dict[str, AgentObservation], dict[str, dict[str, Any]]]:
        agents = self.possible_agents
        return {a: self.observe(a) for a in agents}, {a: self._info(a) for a in agents}

    def step(
        self, actions: dict[str, int]
    ) -> tuple[
        dict[str, AgentObservation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Act for every agent that may act."""
        worth = self._act(actions)
        over = self.match.over
        observations, infos = self._seen()
        agents = self.possible_agents
        if over:
            self.agents = []
        rewards = dict(zip(agents, worth, strict=True))
        ended, cut = dict.fromkeys(agents, over), dict.fromkeys(agents, False)
        return observations, rewards, ended, cut, infos

    def _act(self, actions: dict[str, int]) -> list[float]:
        match = self.match
        acting = [(seat, int(actions[self.possible_agents[seat]])) for seat in match.round.to_act]
        acting.sort(key=lambda chosen: match.is_legal(*chosen))  # an illegal action comes first
        worth = None
        for seat, action in acting:
            if not match.over:
                worth = match.act(seat, action)
        return worth or [0.0] * match.players


def raw_env(**options: Any) -> CatInTheBoxAEC:
    """Create the bare AEC environment; an illegal action raises and has no effect."""
    return CatInTheBoxAEC(**options)


def env(*, illegal_reward: float | None = ILLEGAL, **options: Any) -> AECEnv[str, Any, Any]:
    """Create the AEC environment for learning; an illegal action ends the game with a penalty.

    That is what PettingZoo's TerminateIllegalWrapper does; built in, it is faster.
    """
    return wrappers.OrderEnforcingWrapper(raw_env(illegal_reward=illegal_reward, **options))


def parallel_env(*, illegal_reward: float | None = ILLEGAL, **options: Any) -> CatInTheBoxParallel:
    """Create the parallel environment."""
    return CatInTheBoxParallel(illegal_reward=illegal_reward, **options)
