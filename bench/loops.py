"""A game from its start to its end through each library's own interface, any legal action.

Our adapters and their peers are driven by the same loops. Each gives the number of decisions:
chance nodes and the steps of agents that are out of the game do not count.
"""

from __future__ import annotations

from random import Random
from typing import Any


def open_spiel_game(game: Any, rng: Random) -> int:
    """Python over OpenSpiel states: legal actions and chance outcomes asked for at every node."""
    state = game.new_initial_state()
    decisions = 0
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(rng.choice(state.chance_outcomes())[0])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
            decisions += 1
    state.returns()
    return decisions


def aec_game(env: Any, rng: Random) -> int:
    """PettingZoo, one agent at a time, with an observation and a mask at every step."""
    env.reset()
    decisions = 0
    for _ in env.agent_iter():
        observation, _, ended, cut, _ = env.last()
        if ended or cut:
            env.step(None)
        else:
            env.step(int(rng.choice(observation["action_mask"].nonzero()[0])))
            decisions += 1
    return decisions


def gymnasium_game(env: Any, rng: Random) -> int:
    """Gymnasium: the learner's decisions alone count."""
    observation, _ = env.reset()
    decisions = 0
    over = False
    while not over:
        action = rng.choice(observation["action_mask"].nonzero()[0])
        observation, _, over, _, _ = env.step(action)
        decisions += 1
    return decisions


def rlcard_game(env: Any, rng: Random) -> int:
    """RLCard's own step, with the state it encodes for the next player."""
    state, _ = env.reset()
    decisions = 0
    while not env.is_over():
        state, _ = env.step(rng.choice(list(state["legal_actions"])))
        decisions += 1
    env.get_payoffs()
    return decisions


def chess_game(chess: Any, rng: Random) -> int:
    """200 plies of python-chess at most, since random games seldom end; draws are not claimed."""
    board = chess.Board()
    for ply in range(200):
        moves = list(board.legal_moves)
        if not moves:
            return ply
        board.push(rng.choice(moves))
    return 200
