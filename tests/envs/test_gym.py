"""Gymnasium's checks pass without a warning; opponents have names and see views only."""

from __future__ import annotations

from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import catinthebox.envs
from catinthebox import Action, NotUnderstood, Phase
from catinthebox.envs.gym import CatInTheBoxEnv
from catinthebox.views import View

catinthebox.envs.register_envs()


def play_out(table: CatInTheBoxEnv, rng: Random, seed: int | None = None) -> list[Any]:
    """A whole game of random legal actions; everything that came back."""
    observation, info = table.reset(seed=seed)
    seen: list[Any] = [observation, info]
    over = False
    while not over:
        action = rng.choice(np.flatnonzero(observation["action_mask"]).tolist())
        observation, reward, over, cut, info = table.step(action)
        assert not cut
        seen += [observation, reward, info]
    return seen


@pytest.mark.parametrize("mode", [None, "human", "ansi", "rgb_array"])
def test_the_checker_is_content(mode: str | None) -> None:
    """Warnings are errors here: there is none."""
    check_env(gymnasium.make("CatInTheBox-v0", render_mode=mode).unwrapped)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("length", ["round", "match"])
def test_the_checker_is_content_with_every_table(players: int, length: str) -> None:
    """All player counts, rounds and matches."""
    check_env(CatInTheBoxEnv(players, length=length, opponents="random"), skip_render_check=True)


@pytest.mark.parametrize("opponents", ["random", "follow", "gentle", "careful:slips=0.5"])
def test_games_are_played_and_seeded(opponents: str) -> None:
    """A seed decides everything: the deals, the seat, the opponents' chance."""
    tables = [CatInTheBoxEnv(4, opponents=opponents, seat=None) for _ in range(2)]
    first, second = (play_out(table, Random(1), seed=5) for table in tables)
    assert len(first) == len(second)
    for one, two in zip(first, second, strict=True):
        if isinstance(one, dict) and "observation" in one:
            assert np.array_equal(one["observation"], two["observation"])
        else:
            assert one == two
    assert play_out(tables[0], Random(1))[1] is not None


@pytest.mark.parametrize("reward", ["points", "margin", "win"])
def test_rewards_are_those_of_the_learner(reward: str) -> None:
    """Whatever happens while the others act is not lost."""
    rng = Random(2)
    for seat in range(3):
        table = CatInTheBoxEnv(3, seat=seat, reward=reward, length="match")
        seen = play_out(table, rng, seed=seat)
        earned = sum(part for part in seen if isinstance(part, float))
        totals = table.match.totals
        assert seen[-1]["totals"] == totals
        if reward == "points":
            assert earned == totals[seat]
        elif reward == "margin":
            others = sum(totals) - totals[seat]
            assert earned == pytest.approx(totals[seat] - others / 2)
        else:
            assert earned in (0.0, 1 / 3, 0.5, 1.0)


@pytest.mark.clause("R7", "R33")
def test_opponents_are_given_views_of_their_own_seats() -> None:
    """And nothing else; when they discard, none of them has seen another's move."""
    seats: set[int] = set()

    def spy(view: View, rng: Random) -> Action:
        assert type(view) is View
        assert view.seat is not None
        seats.add(view.seat)
        if view.phase is Phase.DISCARD:
            assert set(view.discarders) <= {0}
        return rng.choice(sorted(view.legal))

    table = CatInTheBoxEnv(4, opponents=[spy, "follow", spy])
    play_out(table, Random(3), seed=3)
    assert seats == {1, 3}


def test_masks_are_the_legal_actions() -> None:
    """Also under the name that MaskablePPO knows."""
    table = CatInTheBoxEnv(4)
    observation, info = table.reset(seed=8)
    legal = {action.id for action in table.match.round.legal_for(info["seat"])}
    assert {int(i) for i in np.flatnonzero(observation["action_mask"])} == legal
    assert {int(i) for i in np.flatnonzero(table.action_masks())} == legal


def test_an_illegal_action_ends_the_game() -> None:
    """At a price, and told."""
    table = CatInTheBoxEnv(4, illegal_reward=-3.0)
    table.reset(seed=8)
    _, reward, over, _, info = table.step(0)
    assert (reward, over, info["illegal"]) == (-3.0, True, True)


def test_rendering(capsys: pytest.CaptureFixture[str]) -> None:
    """The learner's own view."""
    table = CatInTheBoxEnv(3, render_mode="human")
    table.reset(seed=1)
    table.render()
    assert "seat 0: discard" in capsys.readouterr().out
    table.render_mode = "ansi"
    assert "you may" in table.render()
    table.render_mode = "rgb_array"
    assert table.render().shape[2] == 3
    table.render_mode = None
    assert table.render() is None


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"opponents": "wizard"}, "no player wizard; there are gentle, steady"),
        ({"opponents": ["random"]}, "1 opponents for 4 players; 3 are needed"),
        ({"seat": 4}, "seat 4; seats are 0 to 3"),
    ],
)
def test_bad_options_are_explained(options: dict[str, Any], sentence: str) -> None:
    """What was wrong, and what would be right."""
    with pytest.raises(NotUnderstood, match=sentence):
        CatInTheBoxEnv(4, **options)
