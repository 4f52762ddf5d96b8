"""Buckets and counters hold for every sequence of times and keys, and forget no heavy user."""

from __future__ import annotations

from itertools import pairwise
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catinthebox.server.ops.limits import Rate
from catinthebox.server.ops.throttling import GRAIN, Bucket, Buckets, HeldCount

LAW = settings(deadline=None, derandomize=True)  # a busy machine proves nothing wrong

times = st.floats(-1e6, 1e6)
rates = st.floats(0, 100)
bursts = st.floats(0.5, 100)
costs = st.floats(0, 20)


def forward(moments: list[float]) -> float:
    """How far a clock was seen to go forward."""
    return sum(max(0.0, after - before) for before, after in pairwise(moments))


# ── A bucket ─────────────────────────────────────────────────────────────────────────────────


@LAW
@given(rates, bursts, st.lists(st.tuples(times, costs), min_size=1, max_size=80))
def test_never_more_than_burst_and_rate(
    rate: float, burst: float, takes: list[tuple[float, float]]
) -> None:
    """Whatever the clock does, also backwards, no more passes than it was seen to allow."""
    bucket = Bucket(rate, burst)
    passed = sum(cost for now, cost in takes if bucket.take(now, cost) == 0.0)
    allowed = burst + rate * forward([now for now, _ in takes])
    assert passed <= allowed * (1 + 1e-9) + GRAIN


@LAW
@given(rates, bursts, st.lists(times, min_size=1, max_size=50))
def test_what_is_granted_while_time_goes_on_is_bounded(
    rate: float, burst: float, moments: list[float]
) -> None:
    """With a clock that only goes on, the bound is the plain one: burst + rate * t."""
    moments.sort()
    bucket = Bucket(rate, burst)
    passed = sum(bucket.take(now) == 0.0 for now in moments for _ in range(3))
    assert passed <= (burst + rate * (moments[-1] - moments[0])) * (1 + 1e-9) + GRAIN


@LAW
@given(st.floats(0.01, 100), st.floats(1, 100), st.lists(times, max_size=30), times)
def test_the_wait_is_true(rate: float, burst: float, moments: list[float], now: float) -> None:
    """Anyone who waits as long as they were told gets through, and hardly anybody sooner."""
    bucket = Bucket(rate, burst)
    for moment in moments:
        bucket.take(moment)
    while (wait := bucket.take(now)) == 0.0:
        pass
    assert 0 < wait <= burst / rate
    assert bucket.take(now + wait * 0.9) > 0.0 or wait < 1e-3
    assert bucket.take(now + wait + 1e-6) == 0.0


@LAW
@given(st.floats(0.1, 100), bursts, times, times)
def test_a_clock_that_is_set_back_locks_nobody_out(
    rate: float, burst: float, before: float, after: float
) -> None:
    """The wait never grows beyond the time in which an empty bucket fills."""
    bucket = Bucket(rate, burst)
    bucket.take(before, burst)
    assert bucket.take(after, burst) <= burst / rate + 1e-6


def test_what_can_never_be_had() -> None:
    """More than the burst, or anything of a bucket that does not fill: wait for ever."""
    assert Bucket(1, 2).take(0, 3) == inf
    bucket = Bucket(0, 1)
    assert (bucket.take(0), bucket.take(1e9)) == (0.0, inf)


def test_refused_takes_cost_nothing() -> None:
    """Asking again and again does not make the wait longer."""
    bucket = Bucket(1, 1)
    bucket.take(0)
    assert {bucket.take(0.5) for _ in range(100)} == {0.5}
    assert bucket.take(1) == 0.0


@pytest.mark.parametrize(("rate", "burst"), [(-1, 1), (1, 0), (inf, 1), (1, inf), (1, -1)])
def test_impossible_buckets(rate: float, burst: float) -> None:
    """A bucket has a finite rate and holds something."""
    with pytest.raises(ValueError, match="a rate from 0"):
        Bucket(rate, burst)


def test_a_cost_below_zero_is_refused() -> None:
    """Nobody can fill a bucket by taking."""
    with pytest.raises(ValueError, match="a cost from 0"):
        Bucket(1, 1).take(0, -1)


# ── Many buckets ─────────────────────────────────────────────────────────────────────────────

steps = st.lists(st.tuples(st.integers(0, 12), st.floats(0, 3), st.sampled_from([1, 1, 2])))


@pytest.mark.long
@LAW
@given(steps, st.integers(1, 8))
def test_there_are_never_too_many(takes: list[tuple[int, float, int]], most: int) -> None:
    """The cap holds after every take."""
    buckets = Buckets[int](Rate(1, 3), most, lambda: now)
    now = 0.0
    for key, passed, cost in takes:
        now += passed
        buckets[key].take(now, cost)
        assert len(buckets) <= most


@LAW
@given(steps, st.integers(13, 20))
def test_forgetting_is_not_seen(takes: list[tuple[int, float, int]], most: int) -> None:
    """While there is room, each key has a bucket of its own, no matter who else comes."""
    buckets = Buckets[int](Rate(1, 3), most, lambda: now)
    alone: dict[int, Bucket] = {}
    now = 0.0
    for key, passed, cost in takes:
        now += passed
        expected = alone.setdefault(key, Bucket(1, 3)).take(now, cost)
        assert buckets[key].take(now, cost) == pytest.approx(expected, abs=1e-9)


@pytest.mark.long
@LAW
@given(st.lists(st.integers(0, 5), min_size=2, max_size=40))
def test_the_fullest_are_forgotten_first(spent: list[int]) -> None:
    """Nobody who has taken more is forgotten before somebody who has taken less."""
    buckets = Buckets[int](Rate(0.001, 6), len(spent), lambda: 0.0)
    for key, times_taken in enumerate(spent):
        for _ in range(1 + times_taken):
            buckets[key].take(0.0)
    buckets[-1].take(0.0)
    kept = [taken for key, taken in enumerate(spent) if key in buckets]
    gone = [taken for key, taken in enumerate(spent) if key not in buckets]
    assert gone
    assert max(gone) <= min(kept, default=max(gone))


def test_coming_under_many_names_does_not_refill_a_bucket() -> None:
    """An attacker with an empty bucket and a million other addresses still has an empty bucket."""
    now = 0.0
    buckets = Buckets[str](Rate(0.001, 10), 100, lambda: now)
    while buckets["attacker"].take(now) == 0.0:
        pass
    for number in range(10_000):
        now = number / 1000
        buckets[f"other {number}"].take(now)
    assert "attacker" in buckets
    assert buckets["attacker"].take(10.0) > 0.0


def test_full_buckets_are_forgotten() -> None:
    """When room is needed, those who have been quiet make it, all of them."""
    now = 0.0
    buckets = Buckets[int](Rate(1, 2), 100, lambda: now)
    for key in range(100):
        buckets[key].take(now)
    now = 60.0
    buckets[100].take(now)
    assert len(buckets) == 1


def test_room_for_nobody() -> None:
    """A cap of nothing would be a limit on nobody."""
    with pytest.raises(ValueError, match="at least one"):
        Buckets[str](Rate(1, 1), 0, lambda: 0.0)


# ── Held ─────────────────────────────────────────────────────────────────────────────────────


@LAW
@given(st.lists(st.tuples(st.booleans(), st.integers(0, 3))), st.integers(1, 3), st.integers(1, 6))
def test_held_counts_like_a_list(moves: list[tuple[bool, int]], each: int, total: int) -> None:
    """Entering and leaving in any order: the counts are those of a plain list."""
    held = HeldCount[int](each, total)
    inside: list[int] = []
    for enters, key in moves:
        if enters:
            fits = len(inside) < total and inside.count(key) < each
            assert held.enter(key) is fits
            inside += [key] if fits else []
        elif key in inside:
            held.leave(key)
            inside.remove(key)
        else:
            with pytest.raises(RuntimeError):
                held.leave(key)
        assert held.total == len(inside)
        assert held.full is (len(inside) >= total)
        assert all(held.count(key) == inside.count(key) for key in range(4))


def test_inside_gives_back_what_it_took_and_no_more() -> None:
    """Also after an exception; and who was not let in has nothing to give back."""
    held = HeldCount[str](each=1, total=10)
    with pytest.raises(KeyError), held.inside("ada"):
        raise KeyError
    assert held.total == 0
    with held.inside("ada") as first, held.inside("ada") as second:
        assert (first, second) == (True, False)
    assert held.total == 0
