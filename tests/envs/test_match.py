"""Rounds of a seed, rewards, lengths: what all adapters stand on."""

from __future__ import annotations

from random import Random

import pytest
from policies import TABLES

from catinthebox import Face, NotLegal, NotUnderstood, standing
from catinthebox.envs.deal import seeded_round
from catinthebox.envs.match import LENGTHS, EnvMatch
from catinthebox.envs.rewards import REWARDS, rewards
from catinthebox.rules.batch import deal_row
from catinthebox.rules.layout import SIZE


def play_out(match: EnvMatch, rng: Random) -> list[list[float]]:
    """Any legal actions to the end; everything that was earned."""
    earned = []
    while not match.over:
        assert match.turn is not None
        legal = sorted(match.round.legal_for(match.turn))
        worth = match.act(match.turn, rng.choice(legal).id)
        if worth is not None:
            earned.append(worth)
    return earned


@pytest.mark.clause("R5", "R6")
@pytest.mark.parametrize(("players", "face"), TABLES)
def test_the_deals_are_those_of_the_batches(players: int, face: str) -> None:
    """Round 17 of seed 7 is the same everywhere, slot by slot."""
    for number in range(40):
        s = [0] * SIZE
        deal_row(s, 7, number, players)
        round = seeded_round(7, number, players, Face.named(face))
        assert round.vector == s
        assert round.setup.problems() == []


@pytest.mark.clause("R1", "R2")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_match_has_as_many_rounds_as_players(players: int) -> None:
    """Everybody starts once, clockwise; a single round is over after one."""
    match = EnvMatch(players, length="match")
    match.begin(seed=3)
    starters = []
    while not match.over:
        starters.append(match.round.starter)
        number = match.number
        while match.number == number and not match.over:
            assert match.turn is not None
            match.act(match.turn, next(iter(match.round.legal)).id)
    assert starters == list(range(players))
    single = EnvMatch(players)
    single.begin(seed=3)
    assert len(play_out(single, Random(1))) == 1


@pytest.mark.clause("R3")
@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("length", LENGTHS)
def test_rewards_are_what_their_names_say(reward: str, length: str) -> None:
    """Points add up to the totals, margins to nothing, wins to one."""
    rng = Random(5)
    for players in (2, 3, 4, 5):
        match = EnvMatch(players, length=length, reward=reward)
        match.begin(seed=players)
        for _ in range(5):
            earned = play_out(match, rng)
            sums = [sum(own) for own in zip(*earned, strict=True)]
            totals, winners = standing(tuple(match.scores))
            if reward == "points":
                assert sums == list(totals)
            elif reward == "margin":
                others = [(sum(totals) - own) / (players - 1) for own in totals]
                assert sums == pytest.approx([a - b for a, b in zip(totals, others, strict=True)])
                assert sum(sums) == pytest.approx(0)
            else:
                assert sum(sums) == pytest.approx(1)
                assert {seat for seat, own in enumerate(sums) if own} == set(winners)
                assert not any(any(worth) for worth in earned[:-1])
            match.begin()


def test_a_shared_victory_is_shared() -> None:
    """Equal in everything: half a win each."""
    assert rewards("win", [(2, 4, 1), (4, 2, 1)], over=True) == [1.0, 0.0, 0.0]
    assert rewards("win", [(3, 3, 1)], over=True) == [0.5, 0.5, 0.0]


def test_seeds_and_no_seeds() -> None:
    """The same seed gives the same games; without one they go on and never repeat."""
    one, two = EnvMatch(4), EnvMatch(4)
    one.begin(seed=9)
    two.begin(seed=9)
    assert one.round == two.round
    one.begin()
    assert one.round != two.round
    two.begin()
    assert one.round == two.round
    fresh = [EnvMatch(4) for _ in range(2)]
    for match in fresh:
        match.begin()
    assert fresh[0].round != fresh[1].round


def test_illegal_actions_raise_or_cost() -> None:
    """Without a price they raise and nothing has happened; with one they end the game."""
    strict, priced = EnvMatch(3), EnvMatch(3, illegal_reward=-7.0)
    for match in (strict, priced):
        match.begin(seed=1)
    before = strict.round
    with pytest.raises(NotLegal):
        strict.act(0, 0)
    with pytest.raises(NotUnderstood, match="no action -1; actions are 0 to 48"):
        strict.act(0, -1)
    assert strict.round is before
    assert priced.act(0, 0) == [-7.0, 0.0, 0.0]
    assert priced.over
    assert priced.legal_ids(0) == 0
    priced.begin()
    assert not priced.over


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"players": 6}, "6 players; 2 to 5 can play"),
        ({"players": 3, "face": "pink"}, "no face 'pink'"),
        ({"players": 3, "length": "year"}, "no length 'year'; there are round, match"),
        ({"players": 3, "reward": "gold"}, "no reward 'gold'; there are points, margin, win"),
    ],
)
def test_bad_options_are_explained(options: dict[str, int], sentence: str) -> None:
    """What was wrong, and what would be right."""
    with pytest.raises(NotUnderstood, match=sentence):
        EnvMatch(**options)  # type: ignore[arg-type]  # on purpose


def test_bad_seeds_are_explained() -> None:
    """Seeds are numbers the generator knows."""
    with pytest.raises(NotUnderstood, match="seed -1; seeds are 0 to"):
        EnvMatch(3).begin(seed=-1)


@pytest.mark.clause("R33")
def test_a_match_is_described_as_its_watcher_sees_it() -> None:
    """Text for a seat and for everybody; in a match with the points so far."""
    match = EnvMatch(3, length="match")
    match.begin(seed=7)
    assert match.describe().startswith("round 1 of 3, totals 0 0 0\nspectator: discard")
    assert "seat 1 B colors rbyg won 0 10 cards" in match.describe(0)
    assert f"hand {' '.join(match.round.setup.hands[0])}" in match.describe(0)
    play_out(match, Random(2))
    assert match.describe().startswith("round 3 of 3, totals ")
