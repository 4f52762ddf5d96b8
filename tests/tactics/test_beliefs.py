"""Beliefs: a round can be rewound and replayed, chances add up, likely worlds are drawn more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from math import exp, inf, isfinite, log, nan
from random import Random
from statistics import mean
from typing import NamedTuple

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from policies import TABLES, random_round
from sample_rounds import whole
from views.brute import tiny

from catinthebox import ACTIONS, Phase, Play, Round
from catinthebox.fast import cpu
from catinthebox.players import Budget, Player, player
from catinthebox.rules.actions import FIRST_BID, FIRST_DISCARD, act, cell_of_action, legal_actions
from catinthebox.rules.chance import seeded
from catinthebox.rules.layout import COUNT_BITS, DISCARD, HAND, SIZE, TURN, State
from catinthebox.rules.worlds import complete
from catinthebox.tactics import beliefs, careful
from catinthebox.tactics.beliefs import NOISE, WARMTH
from catinthebox.tactics.careful import RATINGS, UNIT
from catinthebox.tactics.weights import WEIGHTS
from catinthebox.views import View, opening, visible

TRUST = 0.5  # the power of the product of chances that is a likelihood
SLACK = 1e-9  # of a count: sums of fractions are not exact


class Seen(NamedTuple):
    """A moment after the discards, as one seat sees it."""

    round: Round
    view: View
    seat: int

    @property
    def acts(self) -> list[int]:
        """The ids of all bids and plays so far."""
        return [play.action.id for play in self.view.actions]

    def world(self, number: int) -> State:
        """A world that agrees with the view."""
        w = [0] * SIZE
        complete(self.view.vector, self.view.proved, seeded(7, number), w)
        return w

    def likelihood(self, w: State) -> float:
        """How likely the others were to do what they did."""
        likes, touch = WEIGHTS[self.round.players], self.round.face.touch
        scratch = [0] * SIZE, [0] * RATINGS
        return beliefs.likelihood(w, scratch[0], self.seat, self.acts, likes, touch, scratch[1])


def watched(end: Round, seat: int) -> Iterator[Seen]:
    """All moments of a round after its discards, as a seat sees them."""
    view, before = View(opening(end, seat)), Round(end.setup)
    for played in end.actions:
        after = before.play(played.action, played.seat)
        view, before = view.see(*visible(before, played, after, seat)), after
        if after.phase is not Phase.DISCARD:
            yield Seen(after, view, seat)


@cache
def moments(rounds: int = 8) -> tuple[Seen, ...]:
    """All moments after the discards of some rounds at every table, for all seats in turn."""
    rng = Random(rounds)
    found: list[Seen] = []
    for players, face in TABLES:
        for number in range(rounds):
            *_, end = whole(random_round(players, face, rng), rng)
            found += watched(end, number % players)
    return tuple(found)


# ── Rewinding ────────────────────────────────────────────────────────────────────────────────


def replayed(w: State, acts: Sequence[int]) -> State:
    """Rewind a world and play it again."""
    u = [-7] * SIZE  # scratch may hold anything
    beliefs.rewind(w, u)
    for action in acts:
        assert legal_actions(u, u[TURN]) >> action & 1, "a world in which this was not legal"
        act(u, u[TURN], action)
    return u


def test_a_world_rewound_and_played_again_is_the_same() -> None:
    """Slot by slot, for the truth and for worlds that agree, up to the end of the round."""
    checked = 0
    phases = set()
    for number, seen in enumerate(moments()):
        for w in (seen.round.vector, seen.world(number), seen.world(-number & 0xFFFF)):
            assert replayed(w, seen.acts) == w
            checked += 1
        phases.add((seen.round.players, seen.round.phase))
    assert checked > 3000
    assert len(phases) == 4 * 3 - 1  # two players do not bid


def test_decks_made_up_for_study_can_be_rewound() -> None:
    """Few ranks, few tricks, cards left aside: the deal is taken from the world itself."""
    rng = Random(2)
    checked = 0
    while checked < 300:
        round = tiny(rng)
        if round.setup.discarded or round.phase is Phase.DISCARD:
            continue
        seat = rng.randrange(round.players)
        seen = Seen(round, View.of(round, seat), seat)
        for w in (round.vector, seen.world(checked)):
            assert replayed(w, seen.acts) == w
        checked += 1


def test_a_world_is_left_as_it_is() -> None:
    """Neither rewinding nor weighing changes the world or the actions."""
    for seen in moments(2)[::5]:
        w = seen.world(1)
        before = w.copy()
        seen.likelihood(w)
        assert w == before


# ── Chances ──────────────────────────────────────────────────────────────────────────────────


def ids(legal: int) -> list[int]:
    """The action ids in a set of them."""
    return [action for action in range(len(ACTIONS)) if legal >> action & 1]


def options(s: State, seat: int, touch: Sequence[int]) -> dict[int, float]:
    """The chance of every bid or play that a seat could make."""
    likes = WEIGHTS[s[0]]
    found = {}
    for action in ids(legal_actions(s, seat)):
        if action < FIRST_DISCARD:
            place = cell_of_action(action)
            chance = beliefs.chance_of_play(s, seat, place, likes, touch, [0] * RATINGS)
        else:
            chance = beliefs.chance_of_bid(s, seat, action - FIRST_BID + 1, likes)
        found[action] = chance
    return found


def discards(s: State, seat: int) -> dict[int, float]:
    """The chance of every card that a seat could have set aside."""
    found = {}
    for action in ids(legal_actions(s, seat)):
        u = s.copy()
        rank = action - FIRST_DISCARD + 1
        u[HAND + seat] -= 1 << COUNT_BITS * (rank - 1)
        u[DISCARD + seat] = rank
        found[action] = beliefs.chance_of_discard(u, seat, WEIGHTS[s[0]])
    return found


def by_hand(s: State, seat: int, touch: Sequence[int]) -> dict[int, float]:
    """The model in plain words: better ratings are likelier, and a part is for no reason."""
    rated = [0] * len(ACTIONS)
    careful.rate_actions(s, seat, WEIGHTS[s[0]], touch, [0] * RATINGS, rated)
    legal = ids(legal_actions(s, seat))
    best = max(rated[action] for action in legal)
    lure = {action: exp((rated[action] - best) / (WARMTH * UNIT)) for action in legal}
    total = sum(lure.values())
    return {action: (1 - NOISE) * lure[action] / total + NOISE / len(legal) for action in legal}


def test_the_chances_of_all_options_add_up_to_one() -> None:
    """Discards, bids and plays, at every moment of rounds at every table; none is impossible."""
    rng = Random(3)
    kinds = set()
    for players, face in TABLES:
        for _ in range(3):
            for round in whole(random_round(players, face, rng), rng):
                for seat in round.to_act:
                    s, touch = round.vector, round.face.touch
                    early = round.phase is Phase.DISCARD
                    found = discards(s, seat) if early else options(s, seat, touch)
                    assert {ACTIONS[action] for action in found} == set(round.legal_for(seat))
                    assert sum(found.values()) == pytest.approx(1)
                    assert min(found.values()) >= NOISE / len(found) * (1 - SLACK)
                    assert found == pytest.approx(by_hand(s, seat, touch))
                    kinds.add((players, round.phase))
    assert len(kinds) == 4 * 3 - 1


@pytest.mark.long
def test_a_likelihood_is_the_product_of_the_chances_of_all_that_others_did() -> None:
    """Played again on a `Round`, decision by decision; the own actions do not count."""
    for number, seen in enumerate(moments(3)):
        truth = Round(seen.round.setup)
        log_chance = 0.0
        for seat, action in seen.round.actions:
            if seat != seen.seat:
                log_chance += log(by_hand(truth.vector, seat, truth.face.touch)[action.id])
            truth = truth.play(action, seat)
        found = seen.likelihood(seen.round.vector)
        assert log(found) == pytest.approx(TRUST * log_chance), number


@pytest.mark.long
def test_likelihoods_are_above_zero_and_at_most_one() -> None:
    """No overflow, no underflow, nothing that is not a number, to the end of every round."""
    for number, seen in enumerate(moments()):
        found = seen.likelihood(seen.world(number))
        assert isfinite(found)
        assert 0 < found <= 1
        assert found > 1e-150, "a product of weights would still be a number"


def test_a_likelihood_depends_on_nothing_but_the_others() -> None:
    """With the first decision still to be made by others, only their discards are weighed."""
    for seen in moments(3):
        if not seen.acts:
            w = seen.world(1)
            mine = seen.likelihood(w)
            product = 1.0
            for other in range(seen.round.players):
                if other != seen.seat:
                    product *= beliefs.chance_of_discard(w, other, WEIGHTS[seen.round.players])
            assert mine == pytest.approx(product**TRUST)


@pytest.mark.long
def test_it_does_the_same_compiled() -> None:
    """To the last bit of a fraction."""
    compiled = cpu.tactics().beliefs
    for number, seen in enumerate(moments(3)):
        w = seen.world(number)
        likes, touch = numpy.array(WEIGHTS[seen.round.players]), numpy.array(seen.round.face.touch)
        acts = numpy.array(seen.acts, dtype=numpy.int64)
        u, ratings = (numpy.zeros(RATINGS, dtype=numpy.int64) for _ in range(2))
        found = compiled.likelihood(numpy.array(w), u, seen.seat, acts, likes, touch, ratings)
        assert found == seen.likelihood(w)


# ── Whether it helps ─────────────────────────────────────────────────────────────────────────


def played_by(who: Player, players: int, face: str, rng: Random) -> Round:
    """A round among equals."""
    round = random_round(players, face, rng)
    while not round.over:
        seat = round.to_act[0]
        view = View.of(round, seat)
        round = round.play(who.choose(view, Budget(), rng), seat)
    return round


def compare(spec: str) -> tuple[float, float]:
    """How the truth stands among worlds that agree: its lead (a logarithm), and its rank in 0…1."""
    rng = Random(1)
    who = player(spec)
    leads, ranks = [], []
    for players, face in TABLES * 5:
        end = played_by(who, players, face, rng)
        for seen in list(watched(end, rng.randrange(players)))[:-2][-1:]:
            truth = seen.likelihood(seen.round.vector)
            others = [seen.likelihood(seen.world(number)) for number in range(12)]
            leads.append(log(truth) - mean(map(log, others)))
            below = sum((truth > other) + (truth == other) / 2 for other in others)
            ranks.append(below / len(others))
    assert len(leads) > 20
    return mean(leads), mean(ranks)


@pytest.mark.long
def test_the_truth_is_likely_if_the_others_are_as_they_are_thought_to_be() -> None:
    """Among careful players the true hands stand out."""
    lead, rank = compare("careful")
    assert lead > 1
    assert rank > 0.8


def test_the_truth_is_like_any_other_world_if_the_others_are_not() -> None:
    """Random players give nothing away: no world is favoured much, in either direction."""
    lead, rank = compare("random")
    assert abs(lead) < 1
    assert 0.25 < rank < 0.75


# ── Drawing ──────────────────────────────────────────────────────────────────────────────────


def drawn(weights: Sequence[float], number: int, g: int) -> list[int]:
    """How often each world is chosen; both ways of drawing agree."""
    chosen = [-1] * number
    beliefs.draw(weights, len(weights), chosen, number, g)
    array = numpy.full(number, -1)
    cpu.tactics().beliefs.draw(numpy.array(weights), len(weights), array, number, g)
    assert array.tolist() == chosen
    assert chosen == sorted(chosen)
    assert 0 <= min(chosen) <= max(chosen) < len(weights)
    return [chosen.count(world) for world in range(len(weights))]


shares = st.floats(0, 1e6, allow_subnormal=False)
generators = st.integers(1, 2**62).map(lambda seed: seeded(seed, 3))


@settings(deadline=None, derandomize=True, max_examples=300)
@given(st.lists(shares, min_size=1, max_size=40), st.integers(1, 60), generators)
def test_worlds_are_drawn_in_proportion_to_their_weights(
    weights: list[float], number: int, g: int
) -> None:
    """Evenly spaced: each count is less than one away from what is expected."""
    counts = drawn(weights, number, g)
    total = sum(weights)
    if total > 0:
        for weight, count in zip(weights, counts, strict=True):
            assert abs(count - number * weight / total) < 1 + SLACK
            assert weight > 0 or count == 0


@settings(deadline=None, derandomize=True, max_examples=60)
@given(st.lists(st.integers(0, 9), min_size=1, max_size=20), st.integers(-300, -1), generators)
def test_small_weights_are_drawn_like_large_ones(steps: list[int], tens: int, g: int) -> None:
    """Only the proportions count, also when all weights are close to nothing."""
    small = [step * 10.0**tens for step in steps]
    counts = drawn(small, 50, g)
    for step, count in zip(steps, counts, strict=True):
        assert not any(steps) or abs(count - 50 * step / sum(steps)) < 1 + 1e-6


@pytest.mark.parametrize("number", [1, 2, 7, 500])
def test_one_world_is_always_drawn(number: int) -> None:
    """Whatever its weight."""
    for weight in (1.0, 0.0, 1e-320, 5e-324, 1e300):
        assert drawn([weight], number, seeded(1, 1)) == [number]


@pytest.mark.parametrize("weight", [0.0, 5e-324, 1e-320, 1e-308, 1e300])
def test_extreme_weights_still_draw_worlds_that_exist(weight: float) -> None:
    """If everything has underflowed to nothing, or nearly so, there is still an answer."""
    for worlds in (1, 2, 3, 64):
        for number in (1, 3, 200):
            counts = drawn([weight] * worlds, number, seeded(worlds, number))
            assert sum(counts) == number


@pytest.mark.parametrize("odd", [nan, inf])
def test_a_weight_that_is_no_number_still_draws_worlds_that_exist(odd: float) -> None:
    """It should not happen; if it did, no index may lie outside."""
    for place in range(5):
        weights = [0.5] * 5
        weights[place] = odd
        assert sum(drawn(weights, 9, seeded(place, 1))) == 9


def test_over_many_draws_every_world_gets_its_share() -> None:
    """The offset is drawn by lot, so also a single draw is fair."""
    weights = [1.0, 0.0, 3.0, 4.0]
    counts = [0] * 4
    for index in range(2000):
        for world, count in enumerate(drawn(weights, 1, seeded(11, index))):
            counts[world] += count
    for weight, count in zip(weights, counts, strict=True):
        assert abs(count - 250 * weight) < 100


def test_likelihoods_and_plays_speak_of_the_same_seats() -> None:
    """The actor of each step is the seat that acted: nobody's choice is laid to another."""
    for seen in moments(2)[::3]:
        u = [0] * SIZE
        beliefs.rewind(seen.round.vector, u)
        done: list[Play] = []
        for action in seen.acts:
            done.append(Play(u[TURN], ACTIONS[action]))
            act(u, u[TURN], action)
        assert tuple(done) == seen.view.actions
