"""Opponents for the other seats: a name, a player, a function."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from catinthebox import Action
from catinthebox.envs.gym import CatInTheBoxEnv
from catinthebox.envs.opponents import opponent
from catinthebox.players import Budget, player
from catinthebox.views import View


@dataclass
class First:
    """A player that takes the first legal action, and counts; nobody can call it."""

    asked: int = 0

    def choose(self, view: View, budget: Budget, rng: Random) -> Action:
        """Choose."""
        self.asked += 1
        return min(view.legal)


class Both(First):
    """A player that can be called, too."""

    def __call__(self, view: View, rng: Random) -> Action:
        """Not how a player is asked."""
        raise AssertionError


def first_plays(table: CatInTheBoxEnv) -> None:
    """Let the learner take the first action until the game is over."""
    observation, _ = table.reset(seed=4)
    over = False
    while not over:
        action = int(observation["action_mask"].argmax())
        observation, _, over, _, _ = table.step(action)


def test_a_player_is_an_opponent() -> None:
    """One for all seats, or one of several."""
    for made in (First(), Both()):
        first_plays(CatInTheBoxEnv(3, opponents=made))
        alone = made.asked
        assert alone > 0
        first_plays(CatInTheBoxEnv(3, opponents=["random", made]))
        assert made.asked > alone


def test_a_name_stands_for_its_player() -> None:
    """The same decisions."""
    assert opponent("steady") == opponent(player("steady"))


def test_a_function_is_as_good() -> None:
    """It is taken as it is."""

    def lowest(view: View, rng: Random) -> Action:
        return min(view.legal)

    assert opponent(lowest) is lowest
