"""Rows of games are the games of the other adapters, with nothing per game in Python."""

from __future__ import annotations

from random import Random

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence

import catinthebox.envs
from catinthebox.envs.match import EnvMatch
from catinthebox.envs.rewards import REWARDS, rewards
from catinthebox.envs.spaces import masked_of
from catinthebox.envs.vector import CatInTheBoxVector, legal_masks
from catinthebox.rules.layout import STARTER

COUNTS = (2, 3, 4, 5)


def chosen(table: CatInTheBoxVector, step: int) -> np.ndarray:
    """Follow, and now and then anything, so that rounds end in every way."""
    return table.batch.choose("follow" if step % 5 else "uniform")


@pytest.mark.long
@pytest.mark.parametrize("players", COUNTS)
@pytest.mark.parametrize("length", ["round", "match"])
@pytest.mark.parametrize("reward", REWARDS)
def test_a_single_row_is_a_match(players: int, length: str, reward: str) -> None:
    """Observations, masks, seats and rewards, step by step over several games."""
    table = CatInTheBoxVector(1, players=players, length=length, reward=reward)
    match = EnvMatch(players, length=length, reward=reward)
    observations, infos = table.reset(seed=6)
    match.begin(seed=6)
    ended = 0
    for step in range(300):
        seat = match.turn
        assert seat is not None
        assert infos["seat"].tolist() == [seat]
        seen = masked_of(match, seat)
        assert np.array_equal(observations["observation"][0], seen["observation"])
        assert np.array_equal(observations["action_mask"][0], seen["action_mask"])
        actions = chosen(table, step)
        worth = match.act(seat, int(actions[0]))
        observations, earned, over, cut, infos = table.step(actions)
        assert infos["rewards"][0].tolist() == pytest.approx(worth or [0.0] * players)
        assert earned[0] == infos["rewards"][0, seat]
        assert over[0] == match.over
        assert not cut[0]
        if match.over:
            assert infos["totals"][0].tolist() == list(match.totals)
            match.begin()
            ended += 1
    assert ended >= 1


@pytest.mark.clause("R1", "R2", "R3")
@pytest.mark.parametrize("players", COUNTS)
def test_rows_play_whole_matches(players: int) -> None:
    """The start card moves on in every row; winners are those of the rules."""
    rows = 2 * players + 3
    table = CatInTheBoxVector(rows, players=players, length="match", reward="win")
    table.reset(seed=8)
    scores: list[list[tuple[int, ...]]] = [[] for _ in range(rows)]
    numbers: list[list[int]] = [[row] for row in range(rows)]
    matches = 0
    for step in range(250):
        starters = table.batch.states[:, STARTER].copy()
        _, _, ended, _, infos = table.step(chosen(table, step))
        for row in np.flatnonzero(table.batch.over):
            scores[row].append(tuple(map(int, table.batch.scores[row])))
            numbers[row].append(int(table.batch.rounds[row]))
            assert table.batch.states[row, STARTER] == (starters[row] + 1) % players
            assert ended[row] == (len(scores[row]) == players)
            worth = rewards("win", scores[row], over=bool(ended[row]))
            assert infos["rewards"][row].tolist() == pytest.approx(worth)
            if ended[row]:
                scores[row] = []
                matches += 1
    dealt = [number for row in numbers for number in row]
    assert len(dealt) == len(set(dealt))
    assert matches


def test_seeds_decide_and_threads_do_not() -> None:
    """The same seed, the same games; a new reset without one, new games."""
    one, two = CatInTheBoxVector(40, players=4), CatInTheBoxVector(40, players=4, threads=3)
    seen: object = one.reset(seed=5)
    again: object = two.reset(seed=5)
    for step in range(60):
        assert data_equivalence(seen, again, exact=True)
        actions = chosen(one, step)
        seen, again = one.step(actions), two.step(actions)
    other, _ = one.reset()
    assert not data_equivalence(other, two.reset(seed=5)[0])


def test_it_is_a_vector_environment_of_gymnasium() -> None:
    """Made by its id; spaces hold what comes back; arrays are the caller's to keep."""
    catinthebox.envs.register_envs()
    mode = gymnasium.VectorizeMode.VECTOR_ENTRY_POINT
    table = gymnasium.make_vec("CatInTheBoxSelfPlay-v0", 6, mode, players=3, length="match")
    observations, _ = table.reset(seed=1)
    kept = {name: part.copy() for name, part in observations.items()}
    rng = Random(1)
    for _ in range(30):
        assert observations in table.observation_space
        masks = observations["action_mask"]
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        assert actions in table.action_space
        before, (observations, *_) = observations, table.step(actions)
        assert not np.shares_memory(before["observation"], observations["observation"])
    assert kept["observation"].shape == (6, 385)
    table.close()


def test_masks_of_many_rows() -> None:
    """The same bits as the legal sets."""
    table = CatInTheBoxVector(50, players=4)
    observations, _ = table.reset(seed=3)
    for step in range(20):
        assert np.array_equal(observations["action_mask"], table.batch.masks)
        observations, *_ = table.step(chosen(table, step))
    assert legal_masks(np.array([1 << 48, 0], dtype=np.int64)).sum() == 1


def test_an_illegal_action_refuses_the_step() -> None:
    """Nothing has happened in any row."""
    table = CatInTheBoxVector(3, players=4)
    table.reset(seed=1)
    with pytest.raises(ValueError, match="row 0: action 0 is not legal"):
        table.step(np.zeros(3, dtype=np.int64))
