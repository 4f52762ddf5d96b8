"""Where thoughts run: several threads may have their first one at once."""

from __future__ import annotations

import sys

import pytest
from waiting import completed


@pytest.mark.process
def test_first_decisions_at_once() -> None:
    """One thread loads the compiled tactics, the others wait for it."""
    code = """if True:
        from concurrent.futures import ThreadPoolExecutor
        from random import Random
        from threading import Barrier

        from catinthebox.players import Budget, player
        from catinthebox.players.steps import PLAYING

        together = Barrier(4)

        def decide(seed):
            one = player("search:rollouts=20")
            together.wait()
            return one.choose(PLAYING, Budget(), Random(1))

        with ThreadPoolExecutor(4) as pool:
            chosen = set(pool.map(decide, range(4)))
        assert len(chosen) == 1, chosen
    """
    completed([sys.executable, "-c", code])
