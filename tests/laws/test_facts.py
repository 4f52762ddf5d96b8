"""The facts that follow from the rules (F1 to F6), counted."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import product
from random import Random

import pytest
from policies import TABLES, follow, moments, random_round, uniform

from catinthebox import Round


def finished(players: int, face: str, seed: int, count: int) -> list[Round]:
    """Rounds at their end, under mixed policies."""
    ends = []
    rng = Random(seed)
    for _ in range(count):
        round = random_round(players, face, rng)
        for moment, seat, action in moments(round, rng):
            round = moment.play(action, seat)
        ends.append(round)
    return ends


@pytest.mark.long
@pytest.mark.clause("F1")
@pytest.mark.parametrize(("players", "face"), TABLES)
def test_empty_cells_at_a_normal_end(players: int, face: str) -> None:
    """One cell stays empty at 2 and 5 players, none at 3 and 4."""
    normal = [round for round in finished(players, face, 1, 120) if round.paradox is None]
    assert len(normal) > 20
    for round in normal:
        assert 4 * round.setup.cards.ranks - len(round.board) == {2: 1, 3: 0, 4: 0, 5: 1}[players]


@pytest.mark.long
@pytest.mark.clause("F2")
@pytest.mark.parametrize(("players", "face"), TABLES)
def test_unplayed_cards_of_a_normal_end_have_every_rank(players: int, face: str) -> None:
    """Five cards for four cells: a rank that is played out completely means a paradox."""
    ends = finished(players, face, 2, 120)
    for round in ends:
        aside = [int(rank) for rank in round.setup.aside]
        unplayed = Counter([*round.discards, *(r for hand in round.hands for r in hand), *aside])
        ranks = range(1, round.setup.cards.ranks + 1)
        if round.paradox is None:
            assert all(unplayed[rank] >= 1 for rank in ranks)
        if players in (3, 4) and len(set(round.discards)) < players:
            assert round.paradox is not None
    doomed = [r for r in ends if len(set(r.discards)) < players]
    assert players in (2, 5) or len(doomed) > 5


@pytest.mark.long
@pytest.mark.clause("F3")
@pytest.mark.parametrize(
    ("players", "face", "random_share", "following_share"),
    [(2, "white", 0.92, 0.17), (3, "white", 1, 0.5), (4, "white", 1, 0.72), (5, "purple", 1, 0.54)],
)
def test_how_often_rounds_end_in_paradox(
    players: int, face: str, random_share: float, following_share: float
) -> None:
    """Uniform play nearly always ends in paradox; following play often does not."""
    for policy, share in ((uniform, random_share), (follow, following_share)):
        rng = Random(5)
        paradoxes = 0
        for _ in range(400):
            round = random_round(players, face, rng)
            while not round.over:
                round = round.play(policy(round, round.to_act[0], rng), round.to_act[0])
            paradoxes += round.paradox is not None
        assert abs(paradoxes / 400 - share) < 0.08


@pytest.mark.clause("F4")
def test_thirteen_tokens_are_needed() -> None:
    """Eight on the board, four colors kept and the bid make thirteen; twelve are in the box."""
    needed = Counter(
        len(round.tokens[seat]) + 1 + sum(owner == seat for owner in round.board.values())
        for round in finished(3, "white", 4, 300)
        for seat in range(3)
    )
    assert max(needed) == 13


@pytest.mark.clause("F5")
def test_distinct_deals_at_three_players() -> None:
    """Ways to split five copies of each of six ranks into three hands of ten."""
    splits = [split for split in product(range(6), repeat=3) if sum(split) == 5]

    @cache
    def ways(rank: int, first: int, second: int, third: int) -> int:
        if min(first, second, third) < 0:
            return 0
        if rank == 0:
            return 1
        return sum(ways(rank - 1, first - a, second - b, third - c) for a, b, c in splits)

    assert ways(6, 10, 10, 10) == 1_114_623


@pytest.mark.long
@pytest.mark.clause("F6")
@pytest.mark.parametrize(("players", "face"), TABLES)
def test_no_round_is_worth_more_than_its_maximum(players: int, face: str) -> None:
    """The most a seat can score: its allowed tricks and all of its tokens in one group."""
    most = {2: 12, 3: 12, 4: 11, 5: 10}[players]
    scores = [points for round in finished(players, face, 6, 150) for points in round.scores or ()]
    assert max(scores) <= most
    assert max(scores) > most - 6
