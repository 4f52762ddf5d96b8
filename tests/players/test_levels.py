"""Levels: players with a name and an honest sentence; and slips that are not silly."""

from __future__ import annotations

import re
from random import Random
from statistics import mean

import pytest
from policies import TABLES, moments, random_round

from catinthebox import NotUnderstood
from catinthebox.arena import Match, Terms, contest
from catinthebox.players import LEVELS, Budget, Level, engine, player, steps
from catinthebox.players.careful import Careful
from catinthebox.players.levels import DEFAULT
from catinthebox.tactics.careful import NEAR, RATINGS
from catinthebox.views import View


def test_there_are_five_in_order() -> None:
    """From the first evening to the last."""
    assert list(LEVELS) == ["gentle", "steady", "sharp", "fierce", "uncanny"]
    assert DEFAULT in LEVELS
    assert all(level.name == name for name, level in LEVELS.items())


@pytest.mark.parametrize("level", LEVELS.values(), ids=list(LEVELS))
def test_a_level_stands_for_a_player(level: Level) -> None:
    """Its name works wherever a player is named."""
    assert player(level.name) == player(level.spec)


@pytest.mark.parametrize("level", LEVELS.values(), ids=list(LEVELS))
def test_a_sentence_is_honest_in_tone(level: Level) -> None:
    """One sentence, no superlatives, short enough for two lines of a terminal."""
    assert re.fullmatch(r"It [^.]+\.", level.sentence)
    assert not re.search(r"best|strongest|perfect|unbeatable|\w+est\b", level.sentence)
    assert len(level.sentence) <= 110


def test_an_unknown_name_lists_the_levels_first() -> None:
    """People are more likely to want one of these."""
    with pytest.raises(
        NotUnderstood, match="gentle, steady, sharp, fierce, uncanny, random"
    ) as caught:
        player("brutal")
    assert caught.value.code == "input.player"


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("players", "face"), TABLES)
def test_answers_are_legal(level: str, players: int, face: str) -> None:
    """At every table, in every phase."""
    rng = Random(players)
    for round, seat, _action in list(moments(random_round(players, face, rng), rng))[::5]:
        budget = Budget(rollouts=30)
        assert player(level).choose(View.of(round, seat), budget, rng) in round.legal_for(seat)


@pytest.mark.parametrize("level", ["gentle", "steady", "sharp", "uncanny"])
def test_the_same_chance_gives_the_same_answer(level: str) -> None:
    """Levels without a clock repeat themselves."""
    rng = Random(3)
    for round, seat, _action in list(moments(random_round(4, "white", rng), rng))[::9]:
        view = View.of(round, seat)
        answers = {player(level).choose(view, Budget(), Random(1)) for _ in range(2)}
        assert len(answers) == 1


def test_gentle_is_weaker_than_steady() -> None:
    """Alone among steady players it loses more than a point a round; half of that will do."""
    match = Match(4, ("gentle", "steady"))
    rows = contest([match], Terms(seed="7"), deals=40)
    means = [
        mean(row.points for row in rows if match.is_a(row) is gentle) for gentle in (True, False)
    ]
    assert means[1] - means[0] > 0.5


def test_gentle_needs_no_compiler_and_the_others_do() -> None:
    """Only what thinks in kernels is compiled."""
    assert steps.needed(player("gentle"), player("random")) == []
    assert steps.needed(player("steady")) == ["careful play"]
    assert set(steps.needed(player("sharp"))) < set(steps.STEPS)
    assert steps.needed(player("uncanny")) == ["network inputs"]
    assert set(steps.needed(player("uncanny"))) < set(steps.needed(player("net:ms=40")))
    everybody = player("fierce"), player("ismcts"), player("net:worlds=1")
    assert [*steps.needed(*everybody), "prospects"] == list(steps.STEPS)  # that one is the coach's


def test_a_slip_is_second_rate_and_no_blunder() -> None:
    """Another action, whose own rating is not far below the best."""
    rng = Random(4)
    slipped = 0
    for _ in range(8):
        for round, seat, _action in moments(random_round(4, "white", rng), rng):
            view, seed = View.of(round, seat), rng.random()
            best = Careful().choose(view, Budget(), Random(seed))
            slip = Careful(slips=1).choose(view, Budget(), Random(seed))
            assert rating(view, slip.id) >= rating(view, best.id) - NEAR
            slipped += slip != best
    assert slipped > 20


def rating(view: View, action: int) -> int:
    """How `careful` rates an action."""
    rated = engine.zeros(RATINGS)
    model = (engine.weights(view.players), engine.touch(view.face), engine.zeros(RATINGS))
    engine.tactics().careful.rate_actions(engine.vector(view), view.seat, *model, rated)
    return int(rated[action])


def test_slips_are_a_share() -> None:
    """From never to always."""
    with pytest.raises(NotUnderstood, match="a share from 0 to 1"):
        player("careful:slips=2")
