"""Statistics: intervals that keep their promise, differences that are fair to seats and deals."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from operator import mul
from random import Random

import pytest
from arena.synthetic import row, rows_of_deal

from catinthebox import Action
from catinthebox.arena import Match, SeatResult, Terms, compare, contest, overall, standings
from catinthebox.arena.statistics import Interval, differences, interval, plain_resampled
from catinthebox.players import PLAYERS, Budget, player
from catinthebox.views import View


@dataclass(frozen=True)
class Twin:
    """Plays exactly as well as another player, by other draws of the lot."""

    of: str = "follow"

    def choose(self, view: View, budget: Budget, rng: Random) -> Action:
        """Use up some chance first."""
        rng.random()
        return player(self.of).choose(view, budget, rng)


@pytest.fixture
def twin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PLAYERS, "twin", Twin)


# ── Intervals ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.long
@pytest.mark.parametrize("skewed", [False, True])
def test_the_interval_covers_the_truth_as_often_as_it_says(skewed: bool) -> None:
    """About 95 of 100 times, for values like those of a round: few, whole, also lopsided."""
    rng = Random(5)
    values, weights = (0, -1, 1, 2, 5), (9, 3, 4, 2, 2)
    if not skewed:
        values, weights = (-2, -1, 0, 1, 2), (1, 2, 4, 2, 1)
    truth = sum(map(mul, values, weights)) / sum(weights)
    times, hits = 600, 0
    for _ in range(times):
        found = interval(rng.choices(values, weights, k=80), resamples=2000)
        hits += found.low <= truth <= found.high
    assert 0.92 <= hits / times <= 0.98


def test_the_interval_shrinks_with_the_root_of_the_deals() -> None:
    """Four times the deals, half the width."""
    rng = Random(3)
    values = [rng.gauss(0, 1) for _ in range(1600)]
    few, many = interval(values[:400]), interval(values)
    assert (few.high - few.low) / (many.high - many.low) == pytest.approx(2, rel=0.15)
    assert many.high - many.low == pytest.approx(2 * 1.96 / 40, rel=0.1)


def test_plain_python_finds_the_same() -> None:
    """Without numpy the draws are others, the interval is not."""
    rng = Random(4)
    values = [rng.gauss(1, 2) for _ in range(100)]
    found, means = interval(values), plain_resampled(values, 4000, 0)
    assert means == sorted(means)
    assert means[100] == pytest.approx(found.low, abs=0.05)
    assert means[-101] == pytest.approx(found.high, abs=0.05)


def test_the_same_values_give_the_same_interval() -> None:
    """Chance is an argument."""
    values = [number**0.5 for number in range(40)]
    assert interval(values) == interval(values)
    assert interval(values) != interval(values, seed=1)


def test_one_deal_says_nothing() -> None:
    """Nor does none."""
    assert interval([3.0]) == Interval(3.0, -inf, inf)
    assert interval([]).sign == 0
    assert [Interval(1, low, low + 1).sign for low in (0.5, -0.5, -1.5)] == [1, 0, -1]


# ── Comparisons ──────────────────────────────────────────────────────────────────────────────


def test_the_difference_is_paired_by_deal() -> None:
    """A's mean over its seats less B's, whatever the order of the rows."""
    one = Match(3, ("a", "b"), "one")
    rows = rows_of_deal(one, 0, [[5, 1, 1], [2, 4, 0], [3, 3, 6]])
    assert differences(one, rows) == {0: pytest.approx(5 - 10 / 6)}
    many = Match(3, ("a", "b"), "many")
    rows = rows_of_deal(many, 0, [[5, 1, 1], [2, 4, 0], [3, 3, 6]])
    assert differences(many, rows[::-1]) == {0: pytest.approx(10 / 6 - 5)}


def test_a_known_difference_is_found() -> None:
    """A always has two points more than its neighbours, on deals of any wealth."""
    match = Match(4, ("a", "b"), "one")
    rng, rows = Random(1), []
    for number in range(50):
        wealth = rng.randrange(8)
        points = [[wealth + 2 * (seat == n) for seat in range(4)] for n in range(4)]
        rows += rows_of_deal(match, number, points)
    found = compare(match, rows)
    assert found.difference == Interval(2, 2, 2)
    assert (found.deals, found.fair, found.a.player, found.b.player) == (50, 0.25, "a", "b")
    assert found.a.points - found.b.points == pytest.approx(2)
    assert found.a.ms == 0.5
    assert overall([match], rows) == found.difference


def test_both_directions_are_averaged_over_shared_deals() -> None:
    """A deal that one direction has not played yet does not count."""
    one, many = Match(3, ("a", "b"), "one"), Match(3, ("a", "b"), "many")
    ahead = [[4 * (seat == n) for seat in range(3)] for n in range(3)]
    rows = [entry for deal in range(4) for entry in rows_of_deal(one, deal, ahead)]
    rows += [entry for deal in range(3) for entry in rows_of_deal(many, deal, [[1] * 3] * 3)]
    assert overall([one, many], rows).value == 2


def test_a_table_is_ranked() -> None:
    """The best first; a name that sits twice counts once, with all its seats."""
    match = Match(3, ("x", "y", "x"), "table")
    rows: list[SeatResult] = []
    for deal in range(5):
        for seating in range(3):
            names = match.seated(seating)
            rows += [row(match, deal, seating, s, 3 * (names[s] == "y")) for s in range(3)]
    first, second = standings(match, rows)
    assert (first.side.player, first.lead.value) == ("y", 3)
    assert (second.side.player, second.lead.value) == ("x", -3)
    alone = Match(2, ("x", "x"), "table")
    (only,) = standings(alone, [row(alone, 0, n, s, 1) for n in range(2) for s in range(2)])
    assert only.lead.value == 0


# ── Fairness ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("kind", ["one", "many"])
@pytest.mark.parametrize("name", ["follow", "random"])
def test_a_player_against_itself_is_exactly_equal(name: str, kind: str) -> None:
    """Same cards, chance and player: every seating is the same round, and all luck cancels."""
    match = Match(3, (name, name), kind)
    rows = contest([match], Terms(seed="self"), deals=20)
    assert set(differences(match, rows).values()) <= {0}
    assert compare(match, rows).difference.sign == 0


def near(found: Interval, value: float) -> bool:
    """Whether a value is not a whole interval away: one in twenty lies outside, hardly one here."""
    return abs(found.value - value) < found.high - found.low


@pytest.mark.long
@pytest.mark.usefixtures("twin")
@pytest.mark.parametrize(
    ("players", "name", "deals"),
    [(2, "follow", 150), (3, "follow", 80), (4, "follow", 40), (3, "random", 200)],
)
def test_equal_players_show_no_difference(players: int, name: str, deals: int) -> None:
    """With other draws the rounds differ, and neither side is favored."""
    match = Match(players, (name, f"twin:of={name}"))
    found = compare(match, contest([match], Terms(seed="twins"), deals))
    assert found.difference.value != 0
    assert near(found.difference, 0)
    assert near(found.share, found.fair)


@pytest.mark.long
def test_seats_are_equal_over_the_deals() -> None:
    """The starter moves round, so no seat has more points than another."""
    match = Match(3, ("follow", "follow"))
    rows = [row for row in contest([match], Terms(seed="seats"), 90) if row.seating == 0]
    for seat in range(3):
        own = [row.points for row in rows if row.seat == seat]
        others = [sum(r.points for r in rows[i : i + 3]) for i in range(0, len(rows), 3)]
        gaps = [a - (total - a) / 2 for a, total in zip(own, others, strict=True)]
        assert near(interval(gaps), 0)


@pytest.mark.long
def test_a_better_player_is_found_better() -> None:
    """In both directions."""
    matches = [Match(3, ("follow", "random"), kind) for kind in ("one", "many")]
    rows = contest(matches, Terms(), deals=40)
    assert all(compare(match, rows).difference.sign == 1 for match in matches)
    swapped = Match(3, ("random", "follow"))
    assert compare(swapped, contest([swapped], Terms(), 40)).difference.sign == -1
