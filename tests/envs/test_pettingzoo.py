"""PettingZoo's own tests pass without a warning, and the agents are the seats of the game."""

from __future__ import annotations

import importlib
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import (
    api_test,
    parallel_api_test,
    parallel_seed_test,
    render_test,
    seed_test,
)
from pettingzoo.test.save_obs_test import test_save_obs as save_obs_check

from catinthebox import NotLegal, Phase
from catinthebox.envs.pettingzoo import NAME, env, parallel_env, raw_env

COUNTS = (2, 3, 4, 5)
CASES = [(players, length) for players in COUNTS for length in ("round", "match")]


def known_to_pettingzoo(monkeypatch: pytest.MonkeyPatch) -> None:
    """Name us where PettingZoo names its own games with masks in their observations."""
    module = importlib.import_module("pettingzoo.test.api_test")
    for names in ("env_obs_dicts", "env_obs_space", "env_all_zeros_obs"):
        monkeypatch.setattr(module, names, [*getattr(module, names), NAME])


@pytest.mark.parametrize(("players", "length"), CASES)
def test_api_with_masks_in_info(players: int, length: str) -> None:
    """Warnings are errors here: there is none."""
    api_test(env(players=players, length=length, mask_in="info"), num_cycles=40)


@pytest.mark.parametrize(("players", "length"), CASES)
def test_api_with_masks_in_observations(
    players: int, length: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As PettingZoo's classic games do it; its test knows those games by name."""
    known_to_pettingzoo(monkeypatch)
    api_test(env(players=players, length=length), num_cycles=40)


@pytest.mark.parametrize("players", COUNTS)
def test_seeding(players: int) -> None:
    """The same seed, the same game."""
    seed_test(lambda: env(players=players, length="match"), num_cycles=60)
    parallel_seed_test(lambda: parallel_env(players=players), num_cycles=20)


def test_rendering(capsys: pytest.CaptureFixture[str]) -> None:
    """Text, pictures, and text on the screen."""
    render_test(lambda **mode: env(players=3, **mode))
    assert "spectator: discard" in capsys.readouterr().out
    silent = raw_env(players=3)
    silent.reset(seed=1)
    assert silent.render() is None


def test_saving_observations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers are no pictures; PettingZoo says so and is content."""
    monkeypatch.chdir(tmp_path)
    save_obs_check(env(players=3))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("players", "length"), CASES)
def test_parallel_api(players: int, length: str) -> None:
    """Everybody who may act acts at once."""
    parallel_api_test(parallel_env(players=players, length=length), num_cycles=200)


@pytest.mark.parametrize("players", COUNTS)
def test_masks_are_the_legal_actions_of_the_round(players: int) -> None:
    """For the selected agent at every moment, and for nobody else once the discards are made."""
    rng = Random(players)
    table = raw_env(players=players)
    table.reset(seed=players)
    while not table.match.over:
        agent, round = table.agent_selection, table.match.round
        for seat, other in enumerate(table.possible_agents):
            mask = table.observe(other)["action_mask"]  # type: ignore[call-overload]  # a dict
            assert {int(i) for i in np.flatnonzero(mask)} == {a.id for a in round.legal_for(seat)}
        assert agent == f"player_{round.turn}"
        table.step(rng.choice([action.id for action in round.legal]))


@pytest.mark.clause("R7", "R33")
def test_the_order_of_discards_tells_nothing() -> None:
    """Whatever the seats before discard, the next one is asked next and sees the same."""
    seen: dict[str, set[bytes]] = {}
    for choice in range(3):
        table = raw_env(players=4)
        table.reset(seed=11)
        for agent in table.possible_agents:
            assert table.agent_selection == agent
            observation = table.last()[0]
            legal = np.flatnonzero(observation["action_mask"])
            shown = b"".join(observation[key].tobytes() for key in sorted(observation))
            seen.setdefault(agent, set()).add(shown)
            table.step(int(legal[choice]))
        assert table.match.round.phase is Phase.BID
    assert all(len(shown) == 1 for shown in seen.values())


@pytest.mark.clause("R7")
def test_discards_are_parallel() -> None:
    """One step, everybody's discard; it is the game that comes of them one at a time."""
    together, turns = parallel_env(players=4), raw_env(players=4)
    observations, _ = together.reset(seed=2)
    turns.reset(seed=2)
    actions = {a: int(np.flatnonzero(o["action_mask"])[0]) for a, o in observations.items()}  # type: ignore[call-overload]  # a dict
    together.step(actions)
    for agent in turns.possible_agents:
        turns.step(actions[agent])
    assert together.match.round == turns.match.round
    assert together.match.round.phase is Phase.BID


def test_rewards_come_with_the_end_of_a_round() -> None:
    """Every agent gets its own, and gets it once."""
    rng = Random(4)
    table = env(players=3, length="match")
    table.reset(seed=4)
    earned = dict.fromkeys(table.possible_agents, 0.0)
    for agent in table.agent_iter():
        observation, reward, terminated, _, _ = table.last()
        earned[agent] += reward
        legal = np.flatnonzero(observation["action_mask"])
        table.step(None if terminated else rng.choice(legal.tolist()))
    assert tuple(earned.values()) == table.unwrapped.match.totals


def test_an_illegal_action_ends_the_game_or_raises() -> None:
    """At a price in `env`; in `raw_env` it raises."""
    table = env(players=3, illegal_reward=-5.0)
    table.reset(seed=1)
    table.step(0)
    rewards: dict[str, Any] = {}
    for agent in table.agent_iter():
        _, rewards[agent], over, _, _ = table.last()
        assert over
        table.step(None)
    assert rewards == {"player_0": -5.0, "player_1": 0.0, "player_2": 0.0}
    together = parallel_env(players=3, illegal_reward=-5.0)
    together.reset(seed=1)
    _, worth, ended, _, _ = together.step({"player_0": 36, "player_1": 0, "player_2": 36})
    assert worth == {"player_0": 0.0, "player_1": -5.0, "player_2": 0.0}
    assert all(ended.values())
    bare = raw_env(players=3)
    bare.reset(seed=1)
    with pytest.raises(NotLegal):
        bare.step(0)
    assert bare.agent_selection == "player_0"


def test_a_bad_place_for_masks_is_explained() -> None:
    """There are two."""
    with pytest.raises(ValueError, match="masks go in 'observation' or in 'info'"):
        raw_env(players=3, mask_in="pocket")
