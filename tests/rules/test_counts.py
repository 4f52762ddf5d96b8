"""The table of player counts against the table of the rule book."""

from __future__ import annotations

from functools import reduce
from itertools import product

import pytest

from catinthebox.rules.counts import ASIDE, BIDS, COVERED, DEALT, MODEST, RANKS, TRICKS, TURNED_UP
from catinthebox.rules.layout import COPIES

TABLE = [  # players, ranks, deck, hand, left aside, tricks, bids, cells, covered column
    (2, 5, 25, 10, 5, 8, [], 20, 6),
    (3, 6, 30, 10, 0, 8, [1, 3, 4], 24, 0),
    (4, 8, 40, 10, 0, 8, [1, 2, 3], 32, 9),
    (5, 9, 45, 9, 0, 7, [1, 2, 3], 36, 0),
]


@pytest.mark.clause("R5", "R6", "R8", "R9", "R19")
@pytest.mark.parametrize(
    ("n", "ranks", "deck", "hand", "aside", "tricks", "bids", "cells", "covered"), TABLE
)
def test_a_player_count_has_the_numbers_of_the_rule_book(
    n: int,
    ranks: int,
    deck: int,
    hand: int,
    aside: int,
    tricks: int,
    bids: list[int],
    cells: int,
    covered: int,
) -> None:
    """Ranks, deck, hands, tricks, bids, cells and cover of every player count."""
    assert (RANKS[n], COPIES * RANKS[n], DEALT[n], ASIDE[n]) == (ranks, deck, hand, aside)
    assert n * DEALT[n] + ASIDE[n] == deck
    assert (DEALT[n] - 2, 4 * RANKS[n]) == (tricks, cells)
    assert [number for number in range(10) if BIDS[n] >> number & 1] == bids
    assert (TRICKS[n], COVERED[n]) == (tricks, covered)


@pytest.mark.clause("R6", "R26")
def test_two_players_turn_up_three_cards_and_earn_the_bonus_with_four_tricks() -> None:
    """The two numbers that only a game for two needs."""
    assert (TURNED_UP, MODEST) == (3, 4)


@pytest.mark.clause("F5")
def test_there_are_1114623_deals_at_three_players() -> None:
    """Counted rank by rank: how many cards of each rank the first two of three seats get."""
    splits = [(a, b) for a, b in product(range(COPIES + 1), repeat=2) if a + b <= COPIES]

    def with_a_rank(ways: dict[tuple[int, int], int], _: int) -> dict[tuple[int, int], int]:
        more: dict[tuple[int, int], int] = {}
        for (first, second), number in ways.items():
            for a, b in splits:
                more[first + a, second + b] = more.get((first + a, second + b), 0) + number
        return more

    ways = reduce(with_a_rank, range(RANKS[3]), {(0, 0): 1})
    assert ways[DEALT[3], DEALT[3]] == 1_114_623
