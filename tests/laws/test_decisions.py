"""The law of decisions: the same action on every target, however a search is sliced."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from decisions import compiled, decide, decision, decisions, how_of, interpreted
from policies import TABLES, moments, random_round

from catinthebox import ACTIONS
from catinthebox.players import LEVELS, Budget, player
from catinthebox.tactics.kinds import KINDS, NET_KIND, SEARCH_KIND
from catinthebox.views import View


@pytest.mark.long
def test_every_target_decides_the_same() -> None:
    """Interpreted and compiled, at every table, for every kind and level, at random slices."""
    chance, plain, fast = Random(1), interpreted(), compiled()
    kinds: Counter[int] = Counter()
    tables = set()
    for asked in decisions(every=7):
        found = decide(fast, asked)
        assert found == decide(plain, asked, lambda: chance.randrange(1, 9))
        kinds[asked.kind] += 1
        tables.add((asked.players, asked.face))
    assert set(kinds) == {*KINDS.values()} - {NET_KIND}  # tests/wasm/test_networks.py
    assert min(kinds.values()) > 20
    assert len(tables) == len(TABLES)


@pytest.mark.parametrize("rollouts", [0, 1, 31, 100, 700])
def test_slices_change_nothing(rollouts: int) -> None:
    """One unit at a time, all at once, or anything between: the same action."""
    chance, fast = Random(rollouts), compiled()
    searches = [d for d in decisions(every=9, seed=rollouts) if d.kind == SEARCH_KIND]
    assert len(searches) > 20
    for asked in (search._replace(rollouts=rollouts) for search in searches):
        whole = decide(fast, asked)
        assert whole == decide(fast, asked, lambda: 1)
        assert whole == decide(fast, asked, lambda: chance.randrange(0, 50))


class Seed(Random):
    """A source of chance that gives one number."""

    def getrandbits(self, k: int, /) -> int:
        """Return the number, cut to so many bits."""
        return self.number & (1 << k) - 1

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


RULED = [name for name, level in LEVELS.items() if level.kind != "net"]


@pytest.mark.parametrize("level", RULED)
def test_a_level_is_what_its_data_says(level: str) -> None:
    """A program that knows only `Level.data` and the rules plays as the player does."""
    rng, fast = Random(5), compiled()
    for table in TABLES:
        for round, seat, _ in list(moments(random_round(*table, rng), rng))[::5]:
            view, seed = View.of(round, seat), rng.getrandbits(32)
            asked = decision(view, how_of(LEVELS[level]), seed)
            budget = Budget(rollouts=asked.rollouts)
            theirs = player(LEVELS[level].kind).choose(view, budget, Seed(seed))
            assert ACTIONS[decide(fast, asked)] is theirs
