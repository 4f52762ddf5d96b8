"""The secrecy law for every adapter: worlds a seat cannot tell apart look the same to it."""

from __future__ import annotations

from random import Random

import numpy as np
import pyspiel
import pytest
from policies import TABLES
from secrecy.pairs import Pair, pairs, told_apart

import catinthebox.envs.openspiel  # noqa: F401 (registers the game)
from catinthebox import Round
from catinthebox.envs.pettingzoo import CatInTheBoxAEC, raw_env
from catinthebox.envs.tree_game import CHANCE

PAIRS = 60
PICTURES = 6


def placed(round: Round) -> CatInTheBoxAEC:
    """An environment at a moment of a round."""
    table = raw_env(players=round.players, face=round.face)
    table.reset(seed=0)
    table.match.round = round
    return table


def observed(round: Round, seat: int | None) -> bytes:
    """Observation, mask, text and the order of agents."""
    table = placed(round)
    table.render_mode, table.render_seat = "ansi", seat
    shown = str(table.render()).encode()
    if seat is not None:
        observation = table.observe(f"player_{seat}")
        assert isinstance(observation, dict)
        shown += b"".join(observation[key].tobytes() for key in sorted(observation))
    table._select()
    return shown + table.agent_selection.encode()


def drawn(round: Round, seat: int | None) -> bytes:
    """The picture."""
    table = placed(round)
    table.render_mode, table.render_seat = "rgb_array", seat
    picture = table.render()
    assert isinstance(picture, np.ndarray)
    return picture.tobytes()


@pytest.mark.long
@pytest.mark.clause("R32", "R33")
@pytest.mark.parametrize(("players", "face"), TABLES)
def test_observations_and_renders_reveal_nothing(players: int, face: str) -> None:
    """At every moment of the two rounds; pictures at their last."""
    for number, pair in enumerate(pairs(players, face, Random(players), PAIRS)):
        assert not any(told_apart(step, observed) for step in [*pair.steps()][::5])
        assert not told_apart(pair, observed)
        if number < PICTURES:
            assert not told_apart(pair, drawn)


def information(round: Round, seat: int | None) -> bytes:
    """Everything OpenSpiel shows a player: strings and tensors, with and without recall."""
    assert seat is not None
    state = opened(round)
    player = (seat - round.starter) % round.players
    strings = state.information_state_string(player) + state.observation_string(player)
    tensors = (state.information_state_tensor(player), state.observation_tensor(player))
    return str(strings).encode() + np.array([*tensors[0], *tensors[1]]).tobytes()


def opened(round: Round) -> pyspiel.State:
    """The round as a state of OpenSpiel: there seat 0 starts, so count from the starter."""
    game = pyspiel.load_game(f"catinthebox(players={round.players},face={round.face.name})")
    state = game.new_initial_state()
    seats = [(round.starter + step) % round.players for step in range(round.players)]
    piles = [*(round.setup.hands[seat] for seat in seats), round.setup.turned_up]
    while state.current_player() == CHANCE:
        pile, rank = state.table.next_pile()
        state.apply_action(piles[pile].count(str(rank)))
    for seat in seats:
        rank = round.discards[seat]
        if rank:
            state.apply_action(35 + rank)
    for _, action in round.actions:
        if action.color is not None or action.number:
            state.apply_action(action.id)
    return state


def in_order(pair: Pair) -> bool:
    """Whether the discards so far were made in the order in which OpenSpiel asks for them."""
    round = pair.left
    made = [
        round.discards[(round.starter + step) % round.players] is not None
        for step in range(round.players)
    ]
    return made == sorted(made, reverse=True)


@pytest.mark.long
@pytest.mark.clause("R7", "R32", "R33")
@pytest.mark.parametrize(("players", "face"), TABLES)
def test_information_states_reveal_nothing(players: int, face: str) -> None:
    """Strings and tensors of a seat, at every moment of the two rounds."""
    compared = 0
    for pair in pairs(players, face, Random(players), PAIRS):
        if pair.seat is not None:
            for step in [*[*pair.steps()][::6], pair]:
                if in_order(step):
                    assert not told_apart(step, information)
                    compared += 1
    assert compared > PAIRS
