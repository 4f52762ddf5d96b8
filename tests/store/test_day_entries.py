"""The table of the day in PostgreSQL: the same laws as in a file, and several workers."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from daily_games import EASY
from server.live.test_day_tables import LAWS, Board, Law, easy_game

from catinthebox import CatInTheBoxError
from catinthebox.store import open_store


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_an_entry(law: Law, postgres_url: str) -> None:
    """A game is on the table, once for a token."""
    with open_store(postgres_url) as store:
        asyncio.run(law(Board(store)))


def test_workers_accept_one_entry(postgres_url: str) -> None:
    """Each has a store and a cache of its own; the database decides."""
    for number in range(4):
        easy_game(number)  # played before the race begins

    def enter(number: int) -> str:
        with open_store(postgres_url) as store:
            try:
                asyncio.run(Board(store).enter("Ada", easy_game(number)))
            except CatInTheBoxError as refused:
                return refused.code
            return "entered"

    with ThreadPoolExecutor(4) as workers:
        answers = sorted(workers.map(enter, range(4)))
    assert answers == ["daily.entered"] * 3 + ["entered"]
    with open_store(postgres_url) as store:
        assert asyncio.run(Board(store).read()).date == EASY
        assert len(store.entries(EASY)) == 1
