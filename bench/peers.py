"""Rows of other libraries, as JSON lines: run by `peer_rows` in an environment of their own.

python -m bench.peers --seconds 1        from the folder above, with what peers.txt names
"""

from __future__ import annotations

import argparse
import json
import os
import warnings
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from importlib import import_module
from itertools import count
from random import Random
from typing import Any

from bench.loops import aec_game, chess_game, open_spiel_game, rlcard_game
from bench.timing import Contender, measure, stay_on_one_core

SPIEL = ("hearts", "spades", "euchre")
BOTS = 4
ROLLOUTS = 200  # a call
PGX_ROWS = 1024
PGX_STEPS = 20  # a call


# ── OpenSpiel ────────────────────────────────────────────────────────────────────────────────


def open_spiel() -> list[Contender]:
    """C++ games: driven from Python, played by C++ bots, and as C++ rollouts of a dealt game."""
    pyspiel = import_module("pyspiel")
    rows = []
    for name in SPIEL:
        game = pyspiel.load_game(name)
        loop = partial(open_spiel_game, game, Random(7))
        rows += [
            Contender(f"OpenSpiel {name}: Python loop", "uniform", loop),
            Contender(f"OpenSpiel {name}: games in C++", "uniform", whole_games(pyspiel, game)),
            Contender(f"OpenSpiel {name}: rollouts in C++", "uniform", rollouts(pyspiel, game)),
        ]
    return rows


def whole_games(pyspiel: Any, game: Any) -> Callable[[], int]:
    """`evaluate_bots` with uniform bots: chance, bots and game in C++, one call per game."""
    bots = [pyspiel.make_uniform_random_bot(seat, seat) for seat in range(BOTS)]
    seeds = count()

    def once() -> Any:
        state = game.new_initial_state()
        pyspiel.evaluate_bots(state, bots, next(seeds))
        return state

    chances = {sum(move.player < 0 for move in once().full_history()) for _ in range(50)}
    assert len(chances) == 1, "the number of chance nodes is the same in every game"
    chance = chances.pop()

    def play() -> int:
        decisions: int = once().move_number() - chance
        return decisions

    return play


def rollouts(pyspiel: Any, game: Any) -> Callable[[], int]:
    """One MCTS simulation from a dealt game: nothing but its evaluator's uniform rollouts."""
    rng = Random(7)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(rng.choice(state.chance_outcomes())[0])
    evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, 7)
    bot = pyspiel.MCTSBot(game, evaluator, 1.0, 1, 10, False, 7, False)  # 1 simulation, 10 MiB
    mean = sum(decisions_from(state, rng) for _ in range(1000)) / 1000

    def play() -> int:
        bot.step(state)
        return round(mean * ROLLOUTS)

    return play


def decisions_from(state: Any, rng: Random) -> int:
    """How many decisions a rollout has, since the evaluator does not tell."""
    state = state.clone()
    decisions = 0
    while not state.is_terminal():
        chance = state.is_chance_node()
        outcomes = [o for o, _ in state.chance_outcomes()] if chance else state.legal_actions()
        state.apply_action(rng.choice(outcomes))
        decisions += not chance
    return decisions


# ── The others ───────────────────────────────────────────────────────────────────────────────


def rlcard() -> list[Contender]:
    """Python games, each step with an encoded state."""
    make = import_module("rlcard").make
    return [
        Contender(f"RLCard {name}", "uniform", partial(rlcard_game, make(name), Random(7)))
        for name in ("leduc-holdem", "uno", "doudizhu")
    ]


def pettingzoo() -> list[Contender]:
    """Classic card games, AEC, each step with an observation and a mask."""
    rows = []
    for name in ("leduc_holdem_v4", "texas_holdem_v4", "hanabi_v5"):
        env = import_module(f"pettingzoo.classic.{name}").env()
        play = partial(aec_game, env, Random(7))
        rows.append(Contender(f"PettingZoo {name}", "uniform", play))
    return rows


def pgx() -> list[Contender]:
    """Compiled by XLA for the CPU: choice, step with observation and reset, all in one scan."""
    return [
        Contender(f"pgx {name}, {PGX_ROWS} rows, CPU", "uniform", pgx_steps(name))
        for name in ("leduc_holdem", "sparrow_mahjong")
    ]


def pgx_steps(name: str) -> Callable[[], int]:
    """Play on in every row."""
    jax = import_module("jax")
    env = import_module("pgx").make(name)
    step = jax.vmap(import_module("pgx.experimental").auto_reset(env.step, env.init))

    def once(carry: Any, _: None) -> Any:
        state, key = carry
        key, choice, chance = jax.random.split(key, 3)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -1e9)
        actions = jax.random.categorical(choice, logits, axis=1)
        return (step(state, actions, jax.random.split(chance, PGX_ROWS)), key), None

    run = jax.jit(lambda carry: jax.lax.scan(once, carry, None, length=PGX_STEPS)[0])
    key = jax.random.PRNGKey(7)
    carry = (jax.vmap(env.init)(jax.random.split(key, PGX_ROWS)), key)

    def play() -> int:
        nonlocal carry
        carry = jax.block_until_ready(run(carry))
        return PGX_ROWS * PGX_STEPS

    return play


def chess() -> list[Contender]:
    """The landmark everybody knows."""
    play = partial(chess_game, import_module("chess"), Random(7))
    return [Contender("python-chess", "uniform", play)]


def main() -> None:
    """Measure what can be imported; a peer that fails is a line with a sentence."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0, help="per row")
    seconds = parser.parse_args().seconds
    warnings.simplefilter("ignore")
    os.environ["JAX_PLATFORMS"] = "cpu"
    stay_on_one_core()
    for maker in (open_spiel, rlcard, pettingzoo, pgx, chess):
        try:
            for row in measure(maker(), seconds):
                print(json.dumps(asdict(row)), flush=True)
        except Exception as error:  # foreign code: whatever it raises, the rest goes on
            print(json.dumps({"skipped": f"{maker.__name__}: {error!r}"}), flush=True)


if __name__ == "__main__":
    main()
