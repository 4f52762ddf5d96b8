"""Rows of our environments, as many of them as have their library installed here."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from random import Random

from bench.compiled import ROWS
from bench.loops import aec_game, gymnasium_game, open_spiel_game
from bench.timing import Contender

ENVS = "catinthebox.envs"


def open_spiel() -> list[Contender]:
    """Python states behind OpenSpiel's interface; chance nodes are not counted."""
    import_module(f"{ENVS}.openspiel")
    game = import_module("pyspiel").load_game("catinthebox(players=4)")
    play = partial(open_spiel_game, game, Random(7))
    return [Contender("our OpenSpiel game", "uniform", play)]


def pettingzoo() -> list[Contender]:
    """Observations and masks for every agent on turn."""
    table = import_module(f"{ENVS}.pettingzoo").env(players=4)
    return [Contender("our PettingZoo AEC", "uniform", partial(aec_game, table, Random(7)))]


def gymnasium() -> list[Contender]:
    """One learner; between its decisions three opponents see and act, which takes most time."""
    table = import_module(f"{ENVS}.gym").CatInTheBoxEnv(players=4, opponents="random")
    play = partial(gymnasium_game, table, Random(7))
    return [Contender("our Gymnasium, learner only", "uniform", play)]


def vector() -> list[Contender]:
    """Gymnasium's vector interface over the compiled batch."""
    table = import_module(f"{ENVS}.vector").CatInTheBoxVector(ROWS, players=4)
    table.reset(seed=7)

    def play() -> int:
        table.step(table.batch.choose("uniform"))
        return ROWS

    return [Contender(f"our vector environment, {ROWS}", "uniform", play)]


def adapter_rows() -> list[Contender]:
    """Return a row for every adapter that can be imported, a sentence for the others."""
    rows: list[Contender] = []
    makers: tuple[Callable[[], list[Contender]], ...] = (open_spiel, pettingzoo, gymnasium, vector)
    for maker in makers:
        try:
            rows += maker()
        except ImportError as error:
            print(f"skipped: our {maker.__name__} adapter: {error}")
    return rows
