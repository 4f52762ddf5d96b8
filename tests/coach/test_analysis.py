"""The analysis of a decision: secret, repeatable, right where the truth is known."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import count
from random import Random

import pytest
from policies import TABLES, cooperative, moments, random_round
from sample_rounds import finish
from secrecy.pairs import pairs

from catinthebox import Phase, Round
from catinthebox.coach import CAREFUL, MIXED, NETWORK, Analysis, Method, analyse, analysis
from catinthebox.coach.analysis import VERDICTS
from catinthebox.coach.calibration import Expectation, bonus_lost, left_of_round
from catinthebox.coach.reasons import sentence, why
from catinthebox.views import View

METHODS = (CAREFUL, MIXED, NETWORK)


@cache
def asked(every: int = 7) -> tuple[View, ...]:
    """Views of seats that have to decide, at every table."""
    rng = Random(every)
    return tuple(
        View.of(round, seat)
        for table in TABLES
        for round, seat, _ in list(moments(random_round(*table, rng), rng))[::every]
    )


def told(found: Analysis) -> str:
    """Everything that an analysis says."""
    worst = found.actions[-1]
    return repr((found.actions, found.worlds, why(found, found.best, worst)))


@pytest.mark.long
@pytest.mark.clause("R33")
@pytest.mark.parametrize(("players", "face"), TABLES)
def test_rounds_that_look_the_same_are_analysed_alike(players: int, face: str) -> None:
    """What a seat cannot know changes no byte of what the coach says."""
    compared = 0
    for pair in pairs(players, face, Random(f"coach {players} {face}"), 24):
        if pair.seat is None:
            continue
        for step in list(pair.steps())[:: players + 1]:
            left, right = View.of(step.left, pair.seat), View.of(step.right, pair.seat)
            if pair.seat in left.to_act:
                assert told(analyse(left, 4, seed=3)) == told(analyse(right, 4, seed=3))
                compared += step.left != step.right
    assert compared > 5


@pytest.mark.long
@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_a_number_of_worlds_makes_it_repeatable(method: Method) -> None:
    """The same view, seed and method: the same analysis; another seed, mostly another one."""
    varied = 0
    for view in asked(7 if method is CAREFUL else 31):
        one = told(analyse(view, 6, seed=1, method=method))
        assert one == told(analyse(view, 6, seed=1, method=method))
        varied += one != told(analyse(view, 6, seed=2, method=method))
    assert varied > 2


@pytest.mark.long
@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_what_is_found_can_be(method: Method) -> None:
    """Every legal action, shares from 0 to 1, the best first and without a loss."""
    for view in asked(7 if method is CAREFUL else 31):
        found = analyse(view, 12, method=method)
        assert {judged.action for judged in found.actions} == set(view.legal)
        assert [judged.verdict for judged in found.actions].count("best") == 1
        assert (found.best.verdict, found.best.loss) == ("best", 0.0)
        assert sum(judged.prospect.chance for judged in found.actions) == pytest.approx(1)
        for judged in found.actions:
            one = judged.prospect
            assert judged.verdict in VERDICTS
            for share in (one.paradox, one.any_paradox, one.bid, one.wins, one.chance):
                assert 0 <= share <= 1
            assert one.paradox <= one.any_paradox
            assert one.bid + one.paradox <= 1
            assert min(one.loss, one.loss_within, one.within, one.dead, one.denied) >= 0
            assert one.points == one.scores[view.seat or 0]
            others = (sum(one.scores) - one.points) / (view.players - 1)
            assert one.margin == pytest.approx(one.points - others)
            assert one.tricks <= view.hand_sizes[view.seat or 0] + view.won[view.seat or 0]


def last_plays(number: int) -> Iterator[Round]:
    """Moments with a choice of which every action ends the round, whatever is hidden."""
    rng = Random(5)
    while number:
        end = finish(random_round(*rng.choice(TABLES), rng), rng, cooperative)
        last = Round(end.setup)
        for played in end.actions[:-1]:
            last = last.play(played.action, played.seat)
        after = [last.play(action) for action in last.legal]
        if len(after) > 1 and all(then.over and then.paradox is None for then in after):
            number -= 1
            yield last


@pytest.mark.long
def test_the_last_play_of_a_round_has_its_exact_worth() -> None:
    """Where nothing is left to happen, what is expected is what comes."""
    for round in last_plays(8):
        assert round.turn is not None
        for method in METHODS:
            for judged in analyse(View.of(round, round.turn), 3, method=method).actions:
                end, one = round.play(judged.action), judged.prospect
                assert one.scores == end.scores
                assert one.within == one.loss_within == 0
                assert one.bid == end.bonus_earned(round.turn)
                assert one.group == end.groups[round.turn]
                assert one.tricks == end.won[round.turn]
                assert one.wins == end.won[round.turn] - round.won[round.turn]
                assert one.paradox == one.any_paradox == one.dead == 0


@pytest.mark.long
def test_what_is_certain_is_said_without_noise() -> None:
    """An action that ends the round with certainty, such as one that nobody can follow."""
    views = [view for view in asked(1) if view.phase is Phase.PLAY and len(view.legal) == 1]
    for view in views[:6]:
        found = analyse(view, 8)
        assert [judged.verdict for judged in found.actions] == ["best"]
        assert why(found, found.best, found.best) == ()


@pytest.mark.long
def test_it_finds_the_same_without_a_compiler(without_compiler: Callable[[], None]) -> None:
    """Careful rollouts are integers; interpreted they are slow, and the same."""
    views = asked()[::5]
    compiled = [told(analyse(view, 2)) for view in views]
    without_compiler()
    assert [told(analyse(view, 2)) for view in views] == compiled


@pytest.mark.timing
def test_a_time_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that goes on by a millisecond whenever it is looked at; two worlds at least."""
    view = asked()[3]
    ticks = count()
    monkeypatch.setattr(analysis, "perf_counter", lambda: next(ticks) / 1000)
    short, longer = analyse(view, ms=1), analyse(view, ms=60)
    assert 2 <= short.worlds < longer.worlds < analysis.MOST
    assert analyse(view, 10_000, ms=0, cancelled=lambda: True).worlds >= 2


@pytest.mark.long
def test_reasons_are_measured_and_can_be_said() -> None:
    """None against a close one; every code has a sentence, with both numbers in it."""
    codes = set()
    for view in asked(3):
        found = analyse(view, 48)
        for other in found.actions[1:]:
            given = why(found, found.best, other)
            assert not given or other.verdict != "close"
            for reason in given:
                codes.add(reason.code)
                assert "{" not in sentence(reason)
                if "here" in reason.numbers:
                    assert reason.numbers["here"] != reason.numbers["there"]
    assert {"bonus", "paradox", "group", "denied", "dead"} <= codes


# ── Expectations ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.long
def test_expectations_of_careful_rollouts_are_corrected() -> None:
    """In their order, within what can be; not in the last trick, nor where the network decides."""
    corrected = 0
    for view in asked():
        found = analyse(view, 16)
        last = left_of_round(view) == 0
        rows = [(judged.prospect, found.expected(judged)) for judged in found.actions]
        for raw, expected in rows:
            assert 0 <= expected.paradox <= 1
            assert 0 <= expected.bid <= 1
            if last:
                assert expected == Expectation(raw.points, raw.within, raw.paradox, raw.bid)
            if bonus_lost(view):
                assert raw.bid == expected.bid == 0
            corrected += expected.points != raw.points
        for values in (
            [(raw.points, expected.points) for raw, expected in rows],
            [(raw.paradox, expected.paradox) for raw, expected in rows],
            [(raw.bid, expected.bid) for raw, expected in rows],
        ):
            assert [pair[1] for pair in sorted(values)] == sorted(pair[1] for pair in values)
    assert corrected > 20
    found = analyse(asked()[3], 4, method=NETWORK)
    assert found.expected(found.best).points == found.best.prospect.points
