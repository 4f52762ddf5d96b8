"""What `tests/mutation.py` found untested: small changes that no other test noticed."""

from __future__ import annotations

import pytest
from sample_rounds import THREE

from catinthebox import FACES, Round
from catinthebox.rules import deals, perft
from catinthebox.rules.chance import below, seeded, step
from catinthebox.rules.counts import BIDS, RANKS
from catinthebox.rules.layout import COPIES, OWN, SIZE, State
from catinthebox.rules.playout import UNIFORM, most_held, playout, shuffled_deal

TOUCH = FACES["white"].touch


# ── Chance ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("seed", "index", "numbers"),
    [
        (7 << 32 | 5, 0, [786, 779, 574]),
        (5, 7 << 32 | 3, [507, 969, 488]),
        (9 << 33 | 1, 6 << 33 | 2, [205, 579, 357]),
        (2**63 - 1, 2**63 - 1, [716, 208, 331]),
    ],
)
def test_large_seeds_and_indices_have_published_numbers_too(
    seed: int, index: int, numbers: list[int]
) -> None:
    """Both halves of a seed and of an index choose the stream; another target finds the same."""
    g = seeded(seed, index)
    for number in numbers:
        g = step(g)
        assert below(g, 1000) == number


def stepped(g: int, steps: int) -> int:
    """The generator some steps later."""
    for _ in range(steps):
        g = step(g)
    return g


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_chance_is_asked_once_per_card_and_once_per_action(players: int) -> None:
    """A deal and a playout give back the generator after as many steps, so nothing is reused."""
    s = [0] * SIZE
    for index in range(10):
        g = seeded(3, index)
        after_deal = shuffled_deal(s, players, 0, g)
        assert after_deal == stepped(g, COPIES * RANKS[players])
        after_round = playout(s, UNIFORM, after_deal)
        bids = players if BIDS[players] else 0
        assert after_round == stepped(after_deal, players + bids + plays(s))


def plays(s: State) -> int:
    """How many cards were declared."""
    return sum(own.bit_count() for own in s[OWN : OWN + 5])


def test_only_ranks_in_the_hand_are_held_most_often() -> None:
    """A hand of single cards without a 1, and an empty one."""
    assert most_held(1 << 3 | 1 << 6) == 0b110
    assert most_held(0) == 0


# ── All deals at three players ───────────────────────────────────────────────────────────────


def counted(begin: int, end: int) -> tuple[int, list[list[int]]]:
    """Deals of a range and their rows, with scratch in which something was left behind."""
    stack = [[9] * SIZE for _ in range(2)]
    rows = [[0] * perft.COLUMNS for _ in range(2)]
    found = deals.perft_deals(begin, end, [3] * 3, [3] * 3, stack, [0] * 2, rows, 1, TOUCH)
    return found, rows


def test_a_range_of_deals_is_the_sum_of_its_parts() -> None:
    """However the work is cut; what lay in the scratch before does not matter."""
    middle = 11 + 21 * 9 + 441 * 5
    first, second, both = (
        counted(middle, middle + 1),
        counted(middle + 1, middle + 2),
        counted(middle, middle + 2),
    )
    assert min(first[0], second[0]) > 50
    assert both[0] == first[0] + second[0]
    for whole, one, other in zip(both[1], first[1], second[1], strict=True):
        assert whole == [a + b for a, b in zip(one, other, strict=True)]


def test_the_work_is_cut_into_all_splits_of_three_ranks() -> None:
    """Twenty-one ways for each of the first three ranks."""
    assert deals.LEADING == 9_261


def test_a_deal_is_laid_out_as_the_game_does_it() -> None:
    """Hands, tricks and starter of a counted deal are those of a round."""
    hands = [sum(1 << 3 * int(rank) - 3 for rank in hand) for hand in THREE]
    stack = [[9] * SIZE for _ in range(2)]
    rows = [[0] * perft.COLUMNS for _ in range(2)]
    deals.perft_deal(hands, stack, [0] * 2, rows, 1, TOUCH)
    assert stack[0] == Round.deal(THREE).vector
