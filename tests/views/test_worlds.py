"""Worlds that agree with a view: counted exactly, sampled uniformly, proved by brute force."""

from __future__ import annotations

from collections import Counter
from functools import cache
from math import comb, factorial, sqrt
from random import Random

import pytest
from effort import calls
from policies import moments, random_round
from sample_rounds import THREE, positions
from views.brute import World, brute, tiny, world
from views.proved import PROVED

from catinthebox import Deck, Phase, Round, Setup, audit
from catinthebox.fast import cpu
from catinthebox.game.hands import unpacked
from catinthebox.rules import worlds
from catinthebox.rules.chance import seeded
from catinthebox.rules.layout import DISCARD, HAND, NOBODY, SIZE
from catinthebox.rules.round import legal_cells
from catinthebox.rules.sight import observe
from catinthebox.views import View
from catinthebox.views.count import Pile, count

FEW = 60  # worlds: more are not tried one by one


@cache
def proved() -> tuple[tuple[str, Round, int | None], ...]:
    """Positions with every kind of proof, for every seat."""
    return tuple(
        (kind, round, seat)
        for kind, rounds in PROVED.items()
        for round in rounds
        for seat in (None, *range(round.players))
        if View.of(round, seat).worlds() <= FEW or seat is None
    )


@cache
def plain() -> tuple[tuple[Round, int | None], ...]:
    """Tiny positions as they come: discards, bids, plays, ends."""
    rng = Random(3)
    found: list[tuple[Round, int | None]] = []
    while len(found) < 80:
        round = tiny(rng)
        seat = rng.choice([None, *range(round.players)])
        if View.of(round, seat).worlds() <= FEW:
            found.append((round, seat))
    return tuple(found)


@cache
def by_force(round: Round, seat: int | None) -> dict[World, int]:
    return brute(round, seat)


def everything() -> list[tuple[Round, int | None]]:
    return [*plain(), *((round, seat) for _, round, seat in proved())]


def kind(round: Round, seat: int | None) -> str:
    """What play has proved about hands that a seat does not see."""
    view = View.of(round, seat)
    turn = worlds.uncertain(view._v, worlds.unseen(view._v))
    barred = [who for who, ranks in enumerate(view.cannot_hold) if ranks and who != seat]
    if turn == NOBODY:
        return "barred" if barred else "plain"
    return "turn" if not barred else "same" if turn in barred else "both"


@pytest.mark.long
@pytest.mark.clause("R33", "R14", "R20")
def test_counts_by_brute_force() -> None:
    """Worlds and arrangements are those that a try of every deal finds."""
    for round, seat in everything():
        view, found = View.of(round, seat), by_force(round, seat)
        assert world(round) in found
        assert view.worlds() == len(found), (round, seat)
        assert view.arrangements() == sum(found.values()), (round, seat)


@pytest.mark.clause("R14", "R20")
def test_every_kind_of_proof_is_tried() -> None:
    """A red lead, a seat on turn, both at two seats, both at one."""
    assert {kind(round, seat) for _, round, seat in proved()} >= set(PROVED)
    for name, round, _ in proved():
        assert name in {kind(round, seat) for seat in (None, *range(round.players))}


@pytest.mark.long
@pytest.mark.clause("R33")
def test_sampled_rounds_agree_with_the_view() -> None:
    """A sampled round is consistent, looks the same to the seat, and play continues on it."""
    rng = Random(1)
    for round, seat in everything():
        view = View.of(round, seat)
        sampled = view.sample(rng)
        assert world(sampled) in by_force(round, seat)
        assert View.of(sampled, seat) == view
        assert audit(sampled) == []


@pytest.mark.long
def test_sampled_rounds_of_real_tables() -> None:
    """The same at every real table and moment, with a generator of the rules."""
    for number, round in enumerate(positions()):
        for seat in (None, *range(round.players)):
            view = View.of(round, seat)
            sampled = view.sample(seeded(number, 0))
            assert view.sample(seeded(number, 0)) == sampled
            assert View.of(sampled, seat) == view


def completed(view: View, g: int, number: int) -> Counter[World]:
    """Sample worlds as vectors, without objects."""
    found: Counter[World] = Counter()
    w = [0] * SIZE
    for _ in range(number):
        g = worlds.complete(view._v, view._barred, g, w)
        found[hidden(w, view.players)] += 1
    return found


def hidden(w: list[int], players: int) -> World:
    hands = tuple(unpacked(w[HAND + seat]) for seat in range(players))
    return hands, tuple(w[DISCARD + seat] or None for seat in range(players))


def surprise(found: Counter[World], expected: dict[World, int]) -> float:
    """How far frequencies are from the expected ones: chi-square in standard deviations."""
    number, total = sum(found.values()), sum(expected.values())
    assert set(found) <= set(expected)
    squares = sum(
        (found[world] - number * ways / total) ** 2 / (number * ways / total)
        for world, ways in expected.items()
    )
    freedom = max(1, len(expected) - 1)
    return (squares - freedom) / sqrt(2 * freedom)


@pytest.mark.long
@pytest.mark.clause("R33")
def test_arrangements_are_equally_likely() -> None:
    """Frequencies of worlds follow their numbers of arrangements, and no other world turns up."""
    chosen = [*((r, s) for _, r, s in proved() if s is not None), *plain()[::6]]
    for number, (round, seat) in enumerate(chosen):
        expected = by_force(round, seat)
        found = completed(View.of(round, seat), seeded(number, 5), 60 * len(expected))
        assert surprise(found, expected) < 5, (round, seat)


@pytest.mark.long
@pytest.mark.clause("R33")
def test_arrangements_are_equally_likely_compiled() -> None:
    """The same with 20,000 samples per position, for spectators too; every world turns up."""
    numpy = pytest.importorskip("numpy")
    complete = cpu.rules().worlds.complete
    w = numpy.zeros(SIZE, dtype=numpy.int64)
    for number, (_, round, seat) in enumerate(proved()):
        view, expected = View.of(round, seat), by_force(round, seat)
        v = numpy.array(view._v, dtype=numpy.int64)
        g, seen = seeded(number, 6), Counter[bytes]()
        for _ in range(20_000):
            g = complete(v, view._barred, g, w)
            seen[w.tobytes()] += 1
        found: Counter[World] = Counter()
        for state, times in seen.items():
            found[hidden(numpy.frombuffer(state, numpy.int64).tolist(), view.players)] += times
        assert set(found) == set(expected), (round, seat)
        assert surprise(found, expected) < 5, (round, seat)


def test_worlds_are_the_same_compiled() -> None:
    """Compiled, the sampler gives the same worlds and the same generators."""
    numpy = pytest.importorskip("numpy")
    rules, sight = cpu.rules().worlds, cpu.rules().sight
    v, w = numpy.zeros(SIZE, dtype=numpy.int64), numpy.zeros(SIZE, dtype=numpy.int64)
    for number, (round, seat) in enumerate([*everything(), *((r, 0) for r in positions())]):
        view = View.of(round, seat)
        sight.observe(numpy.array(round.vector), NOBODY if seat is None else seat, v)
        assert v.tolist() == view._v
        g = seeded(number, 7)
        mine = [0] * SIZE
        after = worlds.complete(view._v, view._barred, g, mine)
        assert int(rules.complete(v, view._barred, g, w)) == after
        assert w.tolist() == mine
        for who in range(round.players):
            assert sight.hand_size(v, who) == view.hand_sizes[who]


def test_a_world_is_a_whole_state() -> None:
    """Public slots are those of the view; the legal cells are those of the world's own hand."""
    w, v = [0] * SIZE, [0] * SIZE
    for number, round in enumerate(positions()):
        view = View.of(round, None)
        worlds.complete(view._v, view._barred, seeded(number, 8), w)
        observe(w, NOBODY, v)
        assert v == view._v
        if round.phase is Phase.PLAY:
            assert round.turn is not None
            assert w[worlds.LEGAL] == legal_cells(w, round.turn) != 0


@pytest.mark.clause("R14")
def test_a_red_lead_tells_about_the_hand() -> None:
    """Seat 0 leads red while red is closed: its other card is no 2; its discard may be one."""
    round = Round(Setup(("112", "222"), aside="111", deck=Deck(2, 3))).replay("-2 -2 1r")
    for seat in (None, 0, 1):
        assert View.of(round, seat).cannot_hold == ((2,), ())
    assert "seat 0 A colors rbyg won 0 1 card without 2" in str(View.of(round, 1))
    assert {hands[0] for hands, _ in by_force(round, 1)} == {(1,)}


@pytest.mark.clause("R14")
def test_other_red_plays_reveal_nothing() -> None:
    """Red as a follower, or a red lead once red is open, excludes no rank."""
    round = Round.deal(THREE).replay("-2 -3 -4 =1 =3 =4 5b 6r 1b 1r")
    assert View.of(round, 0).cannot_hold == ((), (), ())


# ── The counting itself ──────────────────────────────────────────────────────────────────────


def test_arrangements_without_proofs_are_a_multinomial() -> None:
    """At the first lead nothing is proved: unseen cards over the sizes of the piles."""
    for players, hand, aside in ((2, 9, 2), (3, 9, 0), (4, 9, 0), (5, 8, 0)):
        round = before_first_lead(players, Random(players))
        others = players - 1
        unseen = others * (hand + 1) + aside
        ways = factorial(unseen) // factorial(hand) ** others // factorial(aside)
        assert View.of(round, round.turn).arrangements() == ways


def before_first_lead(players: int, rng: Random) -> Round:
    path = moments(random_round(players, "white", rng), rng)
    return next(round for round, _, _ in path if round.phase is Phase.PLAY)


@pytest.mark.long
@pytest.mark.timing
@pytest.mark.parametrize(
    ("players", "limit"), [(2, 10_000), (3, 50_000), (4, 500_000), (5, 3_000_000)]
)
def test_counting_answers_at_once(players: int, limit: int) -> None:
    """Numbers of worlds at the first lead, for a seat; a bot or a page may ask for them."""
    round = before_first_lead(players, Random(players))

    def count() -> None:
        view = View.of(round, 0)
        assert view.arrangements() > view.worlds() > 1

    assert calls(count) < limit  # five times what it takes; a million are about a second


def test_counting_small_piles() -> None:
    """Numbers that can be checked by hand."""
    assert count((2, 2), [Pile(2), Pile(2)]) == 3
    assert count((2, 2), [Pile(2), Pile(2)], physical=True) == comb(4, 2)
    assert count((2, 2), [Pile(2, cannot=0b10), Pile(2)]) == 1
    assert count((), []) == 1


def test_weights_stay_below_the_limit_of_the_rules() -> None:
    """The largest decks for study, one trick into the round: sums of weights fit 62 bits."""
    assert worlds.choose(42, 11) * worlds.choose(31, 12) < 1 << 62
    assert [worlds.choose(4, k) for k in range(-1, 6)] == [0, 1, 4, 6, 4, 1, 0]


def test_chances_are_exact() -> None:
    """All and nothing are certain; a half is half of the generator's numbers."""
    for g in (0, 1, (1 << 32) - 1):
        assert worlds.happens(g, 7, 7)
        assert not worlds.happens(g, 0, 7)
    assert worlds.happens((1 << 31) - 1, 3, 6)
    assert not worlds.happens(1 << 31, 3, 6)
    total = (1 << 62) - 1
    assert worlds.happens(0, 1 << 31, total)
