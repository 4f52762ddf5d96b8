"""The player `careful`: legal, repeatable, better than the simple ones, slower to a paradox."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random
from typing import NamedTuple

import pytest
from policies import TABLES, moments, random_round
from sample_rounds import first_lead
from views.brute import tiny

from catinthebox import ACTIONS, Action, Face, NotUnderstood, Phase, Round
from catinthebox.arena.table import play_round
from catinthebox.players import Budget, player
from catinthebox.players.careful import Careful
from catinthebox.tactics.careful import NEAR, RATINGS, rate_actions
from catinthebox.tactics.weights import WEIGHTS
from catinthebox.views import View

ZIGZAG = """face zigzag
r1 b1 r2 b2 r3 b3 r4 b4 r5 b5 r6 b6 r7 b7 r8 b8 r9 b9
g1 y1 g2 y2 g3 y3 g4 y4 g5 y5 g6 y6 g7 y7 g8 y8 g9 y9
"""


def answer(round: Round, seat: int, who: Careful | None = None, seed: int = 1) -> Action:
    """What the player does."""
    return (who or Careful()).choose(View.of(round, seat), Budget(), Random(seed))


@pytest.mark.long
@pytest.mark.parametrize(("players", "face"), TABLES)
def test_it_is_always_legal(players: int, face: str) -> None:
    """Whatever the others do, in every phase, with slips and without."""
    rng = Random(players)
    phases = set()
    for _ in range(6):
        for round, seat, _action in moments(random_round(players, face, rng), rng):
            for slips in (0.0, 0.5, 1.0):
                choice = answer(round, seat, Careful(slips), rng.randrange(99))
                assert choice in round.legal_for(seat)
            phases.add(round.phase)
    assert phases == set(Phase) - {Phase.OVER} - ({Phase.BID} if players == 2 else set())


def test_it_is_legal_at_tables_made_up_for_study() -> None:
    """Tiny decks, positions that begin after the discards, faces from a file."""
    rng = Random(1)
    asked = 0
    while asked < 150:
        round = tiny(rng)
        for seat in round.to_act:
            assert answer(round, seat) in round.legal_for(seat)
            asked += 1
    zigzag = Face.parse(ZIGZAG)
    for players in (2, 3, 4, 5):
        for round, seat, _ in moments(Round.shuffled(players, rng, face=zigzag), rng):
            assert answer(round, seat) in round.legal_for(seat)
    assert answer(first_lead("56 36 29"), 0) in first_lead("56 36 29").legal


def test_the_same_chance_gives_the_same_choice() -> None:
    """Nothing but the view and the generator decides, and a budget changes nothing."""
    rng = Random(2)
    for round, seat, _ in moments(random_round(4, "white", rng), rng):
        view, who = View.of(round, seat), Careful()
        once = who.choose(view, Budget(), Random(7))
        assert once == who.choose(view, Budget(rollouts=1, ms=1), Random(7))
        assert once == who.choose(view, Budget(cancelled=lambda: True), Random(7))


def ratings(round: Round, seat: int) -> dict[Action, int]:
    """How it rates what it may do."""
    likes, found = WEIGHTS[round.players], [0] * len(ACTIONS)
    rate_actions(round.vector, seat, likes, round.face.touch, [0] * RATINGS, found)
    return {action: found[action.id] for action in round.legal_for(seat)}


def test_a_slip_is_a_choice_that_rates_nearly_as_well() -> None:
    """Never the best if there is another nearby, never one far below it."""
    rng = Random(5)
    slipped = 0
    for table in TABLES:
        for round, seat, _ in moments(random_round(*table, rng), rng):
            seed, rated = rng.randrange(999), ratings(round, seat)
            best, slip = (answer(round, seat, Careful(slips), seed) for slips in (0.0, 1.0))
            near = {a for a in rated if rated[a] >= rated[best] - NEAR} - {best}
            assert slip in (near or {best})
            slipped += slip != best
    assert slipped > 50


@pytest.mark.long
def test_slips_are_a_share_of_all_decisions() -> None:
    """The same chance without slips tells which choices they have changed."""
    rng = Random(6)
    changed = asked = 0
    for table in TABLES:
        for round, seat, _ in moments(random_round(*table, rng), rng):
            for seed in range(6):
                firm, often = (answer(round, seat, Careful(s), seed * 7 + asked) for s in (0, 1))
                some = answer(round, seat, Careful(0.3), seed * 7 + asked)
                assert some in (firm, often)
                if firm != often:
                    asked += 1
                    changed += some != firm
    assert asked > 200
    assert 0.2 < changed / asked < 0.4


def test_it_does_the_same_without_a_compiler(without_compiler: Callable[[], None]) -> None:
    """Interpreted it thinks the same."""
    rng = Random(4)
    asked = [at[:2] for table in TABLES for at in moments(random_round(*table, rng), rng)]
    compiled = [answer(*at, seed=seed) for seed, at in enumerate(asked)]
    without_compiler()
    assert [answer(*at, seed=seed) for seed, at in enumerate(asked)] == compiled


@pytest.mark.parametrize("wrong", ["slips=2", "slips=-0.1", "slips=nan", "slips=often", "slip=0"])
def test_bad_parameters_are_refused_in_words(wrong: str) -> None:
    """By the registry, which names the player and what is wrong."""
    with pytest.raises(NotUnderstood, match=r"careful.*slip"):
        player(f"careful:{wrong}")
    assert player("careful:slips=0.25") == Careful(0.25)


def test_a_spectator_is_refused() -> None:
    """A view of nobody decides nothing."""
    with pytest.raises(AssertionError, match="spectator"):
        Careful().choose(View.of(Round.shuffled(3, Random(1))), Budget(), Random(1))


# ── How well it plays ────────────────────────────────────────────────────────────────────────


class Tally(NamedTuple):
    """What came of a player at all seats of some deals, among players of another kind."""

    gain: float  # own points less the mean of the others'
    paradoxes: int
    rounds: int


@cache
def tally(spec: str, others: str, players: int, deals: int = 18) -> Tally:
    """Play the same deals from every seat: the deals and all chance are known by number."""
    one, rest = player(spec), player(others)
    gain, paradoxes = 0.0, 0
    for deal in range(deals):
        start = Round.shuffled(players, Random(f"{players} {deal}"), starter=deal % players)
        for seat in range(players):
            seats = [one if who == seat else rest for who in range(players)]
            round = play_round(start, seats, Budget(), f"deal {deal}").round
            assert round.scores is not None
            mine = round.scores[seat]
            gain += mine - (sum(round.scores) - mine) / (players - 1)
            paradoxes += round.paradox == seat
    return Tally(gain / deals / players, paradoxes, deals * players)


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_it_beats_chance_and_the_plain_follower(players: int) -> None:
    """Over the same deals from every seat it gains points; equals would gain none."""
    for others in ("random", "follow"):
        assert tally("careful", others, players).gain > 0.3


@pytest.mark.long
@pytest.mark.clause("F3")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_it_causes_fewer_paradoxes(players: int) -> None:
    """At the same seats of the same deals, random play is stuck far more often."""
    careful, wild = tally("careful", "follow", players), tally("random", "follow", players)
    assert careful.rounds == wild.rounds
    assert careful.paradoxes < wild.paradoxes / 2
