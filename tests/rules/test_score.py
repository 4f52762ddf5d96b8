"""What a round is worth, and who wins the game."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from sample_rounds import cells, positions

from catinthebox import FACES
from catinthebox.rules.counts import BIDS, DEALT
from catinthebox.rules.layout import BID, NOBODY, OWN, PARADOX, PLAYERS, SIZE, WON, State
from catinthebox.rules.score import (
    bid_kept,
    bonus_earned,
    largest_group,
    next_starter,
    seat_score,
    winners,
)

WHITE, PURPLE = FACES["white"].touch, FACES["purple"].touch


def ended(players: int, won: int, *, bid: int = 0, own: str = "", causer: int = NOBODY) -> State:
    """The end of a round as the score of seat 0 needs it."""
    s = [0] * SIZE
    s[PLAYERS], s[WON], s[BID], s[OWN], s[PARADOX] = players, won, bid, cells(own), causer
    return s


# ── Groups ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.clause("R27")
@pytest.mark.parametrize(
    ("tokens", "white", "purple"),
    [
        ("", 0, 0),
        ("5b", 1, 1),
        ("1r 3r 5r", 1, 1),
        ("1r 2r 3r", 3, 3),
        ("1r 2b", 1, 1),  # a diagonal on white, two steps away on purple
        ("1r 1b", 2, 1),
        ("2r 1b", 1, 2),
        ("9r 1b", 1, 1),  # no way round the edge
        ("1r 1g", 1, 1),  # nor from the bottom to the top
        ("1r 2r 2b 2y 3y 9g", 5, 2),
        ("1r 2r 5g 6g 7g", 3, 3),  # the larger of two groups counts, in whatever order
        ("1r 2r 3r 6g 7g", 3, 3),
        ("1r 2r 3r 1b 3b 1y 2y 3y", 8, 4),  # a ring on white
    ],
)
def test_the_largest_group_of_tokens_that_touch(tokens: str, white: int, purple: int) -> None:
    """Connected up, down, left and right on the face; nothing else connects."""
    assert largest_group(cells(tokens), WHITE) == white
    assert largest_group(cells(tokens), PURPLE) == purple


@pytest.mark.clause("R27")
def test_a_group_found_by_growing_is_the_group_found_by_merging() -> None:
    """Random sets of cells against a slow way to find connected groups."""
    rng = Random(5)
    for _ in range(150):
        tokens = rng.getrandbits(57) & rng.getrandbits(57) & cells_of_board()
        for touch in (WHITE, PURPLE):
            assert largest_group(tokens, touch) == _by_merging(tokens, touch)


def cells_of_board() -> int:
    """All 36 cells."""
    return cells(" ".join(f"{rank}{color}" for rank, color in product(range(1, 10), "rbyg")))


def _by_merging(tokens: int, touch: list[int]) -> int:
    groups = [{bit} for bit in range(57) if tokens >> bit & 1]
    for bit in [bit for bit in range(57) if tokens >> bit & 1]:
        near = [
            group for group in groups if bit in group or any(touch[bit] >> b & 1 for b in group)
        ]
        groups = [group for group in groups if group not in near] + [set().union(*near)]
    return max(map(len, groups), default=0)


# ── The score of a seat ──────────────────────────────────────────────────────────────────────


@pytest.mark.clause("R23")
@pytest.mark.parametrize("won", range(9))
def test_every_trick_is_a_point(won: int) -> None:
    """Without the bonus a seat scores what it won."""
    assert seat_score(ended(3, won, bid=0, own="1r 2r"), 0, WHITE) == won


@pytest.mark.clause("R24")
@pytest.mark.parametrize("won", range(8))
def test_the_causer_of_a_paradox_loses_a_point_per_trick(won: int) -> None:
    """No bonus either, even when the bid was met."""
    s = ended(3, won, bid=won, own="1r 2r 3r", causer=0)
    assert seat_score(s, 0, WHITE) == -won
    assert bonus_earned(s, 0) is False
    assert bid_kept(s, 0) is (won > 0)


@pytest.mark.clause("R24", "R26")
def test_the_causer_gets_no_bonus_at_two_players_either() -> None:
    """Zero tricks would earn it otherwise."""
    assert seat_score(ended(2, 0, own="1r 2r", causer=0), 0, WHITE) == 0
    assert seat_score(ended(2, 0, own="1r 2r", causer=1), 0, WHITE) == 2


@pytest.mark.clause("R25")
@pytest.mark.parametrize(("players", "won", "bid"), [*product((3, 4, 5), range(6), range(5))])
def test_the_bonus_asks_for_exactly_the_bid(players: int, won: int, bid: int) -> None:
    """Neither more nor less, and somebody else's paradox does not matter."""
    for causer in (NOBODY, 1):
        s = ended(players, won, bid=bid, own="1r 2r 9g", causer=causer)
        met = won == bid and bid > 0
        assert bid_kept(s, 0) is met
        assert bonus_earned(s, 0) is met
        assert seat_score(s, 0, WHITE) == won + (2 if met else 0)


@pytest.mark.clause("R26")
@pytest.mark.parametrize("won", range(9))
def test_two_players_earn_the_bonus_with_four_tricks_or_fewer(won: int) -> None:
    """Zero included; from five tricks on there is none."""
    s = ended(2, won, own="1r 2r 9g")
    assert seat_score(s, 0, WHITE) == (won + 2 if won <= 4 else won)


@pytest.mark.clause("R24", "R25", "R27")
def test_worked_example_six() -> None:
    """A causer with 3 tricks and a bid of 3: -3. A bid of 2, 2 tricks, a group of 5: 7."""
    group = "1r 2r 3r 3b 3y 9g"
    assert seat_score(ended(4, 3, bid=3, own=group, causer=0), 0, WHITE) == -3
    assert seat_score(ended(4, 2, bid=2, own=group, causer=1), 0, WHITE) == 7


@pytest.mark.clause("R23", "R26", "R27")
def test_worked_example_seven() -> None:
    """Two players, 5 and 3 tricks: 5 points, and 3 plus a group of 3."""
    assert seat_score(ended(2, 5, own="1r 2r 3r"), 0, WHITE) == 5
    assert seat_score(ended(2, 3, own="1r 2r 3r 5g"), 0, WHITE) == 6


@pytest.mark.clause("R27", "R6")
def test_neutral_and_foreign_tokens_do_not_connect() -> None:
    """Only the seat's own cells are looked at: every moment's groups are made of them."""
    for round in positions():
        assert all(
            size <= own.bit_count()
            for size, own in zip(round.groups, owned(round.vector), strict=True)
        )


def owned(s: State) -> list[int]:
    """The cells of every seat."""
    return s[OWN : OWN + s[PLAYERS]]


@pytest.mark.clause("F6")
@pytest.mark.parametrize(("players", "most"), [(2, 12), (3, 12), (4, 11), (5, 10)])
def test_no_round_is_worth_more_than_this(players: int, most: int) -> None:
    """The best bid met, all tokens in one group."""
    tricks = DEALT[players] - 2
    snake = " ".join(["1r", "2r", "3r", "4r", "4b", "3b", "2b", "1b"][:tricks])
    bids = [n for n in range(5) if BIDS[players] >> n & 1] or [0]
    scores = [
        seat_score(ended(players, won, bid=bid, own=snake), 0, WHITE)
        for won in range(tricks + 1)
        for bid in bids
    ]
    assert max(scores) == most


# ── The game ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.clause("R2")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_start_card_visits_every_seat_once(players: int) -> None:
    """One seat clockwise after each round."""
    seats = [players - 1]
    for _ in range(players - 1):
        seats.append(next_starter(seats[-1], players))
    assert seats == [players - 1, *range(players - 1)]


@pytest.mark.clause("R3")
@pytest.mark.parametrize(
    ("totals", "final", "champions"),
    [
        ([5, 3, 1], [0, 0, 0], [0]),
        ([1, 3, 5], [9, 9, 0], [2]),
        ([5, 5, 1], [1, 2, 9], [1]),  # a tie is decided in the final round
        ([5, 5, 1], [2, 1, 9], [0]),
        ([5, 5, 5], [1, 2, 2], [1, 2]),  # still tied: shared
        ([5, 5, 5], [2, 2, 1], [0, 1]),
        ([0, 0, 0], [0, 0, 0], [0, 1, 2]),
        ([-3, -1, -2], [0, 0, 0], [1]),
        ([4, 4], [-1, 0], [1]),
    ],
)
def test_the_highest_total_wins_then_the_final_round_then_it_is_shared(
    totals: list[int], final: list[int], champions: list[int]
) -> None:
    """Winners are a set of seats."""
    assert winners(totals, final, len(totals)) == sum(1 << seat for seat in champions)


@pytest.mark.clause("R3")
def test_winners_are_the_best_by_total_and_final_score() -> None:
    """All small tables against the sentence of the rule book."""
    for totals in product(range(3), repeat=3):
        for final in product(range(-1, 2), repeat=3):
            best = max(zip(totals, final, strict=True))
            expected = [seat for seat in range(3) if (totals[seat], final[seat]) == best]
            assert winners(totals, final, 3) == sum(1 << seat for seat in expected)
