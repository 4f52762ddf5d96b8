"""The player `net` with a search: repeatable, within its budget, right where that is known."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import cache
from itertools import count
from math import exp
from random import Random

import numpy as np
import pytest
from policies import TABLES, cooperative, moments, random_round
from sample_rounds import finish

from catinthebox import ACTIONS, NotUnderstood, Round
from catinthebox.optional import MissingLibrary
from catinthebox.players import Budget, Player, net_search, player
from catinthebox.players.imagined import CAREFUL, ImaginedRounds
from catinthebox.players.net import Net
from catinthebox.players.net_search import NetThought
from catinthebox.players.network import FOLDER, shipped
from catinthebox.players.numpy_network import NumpyNetwork
from catinthebox.players.steps import UNSURE
from catinthebox.views import View

SEARCH = Net(worlds=6)


def think(net: Net, view: View, budget: Budget | None = None, seed: int = 1) -> NetThought:
    """One decision."""
    return net.think(view, budget or Budget(), Random(seed))


@cache
def asked(every: int = 6) -> tuple[View, ...]:
    """Views of seats that have to decide, at every table."""
    rng = Random(every)
    return tuple(
        View.of(round, seat)
        for table in TABLES
        for round, seat, _ in list(moments(random_round(*table, rng), rng))[::every]
    )


@cache
def unsure() -> tuple[View, ...]:
    """Those in which the network is not sure: something is tried."""
    return tuple(view for view in asked() if think(Net(worlds=1), view).worlds)


@pytest.fixture
def doubtful(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the search take every legal action seriously, however sure the network is."""
    monkeypatch.setattr(net_search, "SURE", 2.0)
    monkeypatch.setattr(net_search, "SERIOUS", 1e-300)
    monkeypatch.setattr(net_search, "OPTIONS", len(ACTIONS))


# ── The same again ───────────────────────────────────────────────────────────────────────────


@pytest.mark.long
def test_the_same_chance_gives_the_same_choice() -> None:
    """With a number of worlds, everything that is found is the same, legal, and as it is told."""
    varied = 0
    for view in asked():
        one = think(SEARCH, view)
        assert one.outlooks == think(SEARCH, view).outlooks
        assert SEARCH.choose(view, Budget(), Random(1)) == one.best
        assert one.best in view.legal
        varied += one.outlooks != think(SEARCH, view, seed=2).outlooks
    assert varied > 5


@pytest.mark.long
@pytest.mark.usefixtures("doubtful")
def test_every_action_may_be_tried() -> None:
    """In every phase at every table; what is found are means of what can happen."""
    for view in asked(9):
        thought = think(Net(worlds=2), view)
        if len(view.legal) > 1:
            assert {outlook.action for outlook in thought.outlooks} == set(view.legal)
        for outlook in thought.outlooks:
            assert outlook.tries == 2
            assert -8 <= outlook.points <= 12
            assert 0 <= outlook.bonus <= 1 - outlook.paradox <= 1
            assert abs(outlook.reward - outlook.margin) <= 3
        chances = [outlook.probability for outlook in thought.outlooks]
        assert chances == sorted(chances, reverse=True)
        assert not chances or sum(chances) == pytest.approx(1)


@pytest.mark.long
def test_it_does_the_same_without_a_compiler(without_compiler: Callable[[], None]) -> None:
    """Interpreted it is slow, and finds the same."""
    views = unsure()[:3]
    compiled = [think(Net(worlds=2), view).outlooks for view in views]
    without_compiler()
    assert [think(Net(worlds=2), view).outlooks for view in views] == compiled


# ── Budgets ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.long
def test_a_single_legal_action_needs_no_rollout() -> None:
    """Nothing is imagined where there is nothing to choose, or where the network is sure."""
    forced = [view for view in asked(1) if len(view.legal) == 1]
    assert len(forced) > 3
    for view in forced:
        thought = think(Net(worlds=1000), view)
        assert (thought.rollouts, {thought.best}) == (0, set(view.legal))
    for view in asked():
        thought = think(SEARCH, view)
        first = exp(max(thought.logs.values()))
        assert (thought.worlds == 0) == (len(thought.options) == 1)
        assert thought.worlds == 0 or first <= net_search.SURE


@pytest.mark.long
def test_a_budget_from_outside_can_only_lower_its_own() -> None:
    """Rollouts are rounds played to the end; with none, the network alone decides."""
    for view in unsure():
        options = len(think(SEARCH, view).options)
        assert think(SEARCH, view, Budget(rollouts=2 * options)).worlds == 2
        assert think(SEARCH, view, Budget(rollouts=10_000)).worlds == 6
        for nothing in (Budget(rollouts=0), Budget(ms=0)):
            alone = think(Net(worlds=10_000), view, nothing)
            assert alone.rollouts == 0
            assert alone.best == Net().choose(view, Budget(), Random(1))


@pytest.mark.long
@pytest.mark.timing
def test_a_time_ends_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """No matter who sets it; by a clock that goes on by a millisecond whenever it is looked at."""
    milliseconds = count()
    monkeypatch.setattr(net_search, "perf_counter", lambda: next(milliseconds) / 1000)
    for view in unsure()[::3]:
        begin = next(milliseconds)
        for thought in (
            think(Net(ms=9), view),
            think(Net(worlds=10_000, ms=9), view),
            think(Net(ms=60_000), view, Budget(ms=9)),
        ):
            assert thought.best in view.legal
            assert thought.worlds > 0
        assert next(milliseconds) - begin < 3 * 3 * 9


class Patience:
    """Somebody who asks to stop, after being asked so often; counts the questions."""

    def __init__(self, patient: int) -> None:
        self.patient = patient
        self.asked = 0

    def __call__(self) -> bool:
        """Answer, and count."""
        self.asked += 1
        return self.asked > self.patient


@pytest.mark.long
@pytest.mark.parametrize("patient", [0, 1, 4, 12])
def test_a_search_stops_soon_when_cancelled(patient: int) -> None:
    """A few more questions at most, and the answer is legal."""
    for view in unsure()[::3]:
        for search in (Net(worlds=100_000), Net(ms=600_000)):
            stop = Patience(patient)
            thought = think(search, view, Budget(cancelled=stop))
            assert thought.best in view.legal
            assert stop.asked <= patient + 4
            assert (thought.worlds > 0) <= (patient > 1)


# ── Where the answer is known ────────────────────────────────────────────────────────────────


def last_plays(number: int) -> Iterator[tuple[Round, int]]:
    """Moments with a choice of which every action ends the last trick, whatever is hidden."""
    rng = Random(5)
    while number:
        end = finish(random_round(*rng.choice(TABLES), rng), rng, cooperative)
        last = Round(end.setup)
        for played in end.actions[:-1]:
            last = last.play(played.action, played.seat)
        after = [last.play(action) for action in last.legal]
        if len(after) > 1 and all(then.over and then.paradox is None for then in after):
            number -= 1
            assert last.turn is not None
            yield last, last.turn


@pytest.mark.long
@pytest.mark.usefixtures("doubtful")
def test_finished_rounds_have_their_exact_worth() -> None:
    """Where nothing is left to happen, what is found about every action is what it brings."""
    for round, seat in last_plays(12):
        for outlook in think(Net(worlds=3), View.of(round, seat)).outlooks:
            end = round.play(outlook.action)
            assert end.scores is not None
            others = (sum(end.scores) - end.scores[seat]) / (round.players - 1)
            assert outlook.points == end.scores[seat]
            assert outlook.margin == pytest.approx(end.scores[seat] - others)
            assert outlook.bonus == end.bonus_earned(seat)
            assert outlook.paradox == (end.paradox == seat)
            assert outlook.within < 1e-9
            share = (end.scores[seat] == max(end.scores)) / end.scores.count(max(end.scores))
            more = (share - 1 / round.players) * {2: 0, 3: 1, 4: 3, 5: 3}[round.players]
            assert outlook.reward == pytest.approx(outlook.margin + more)


@pytest.mark.long
def test_it_finds_out_what_kind_of_players_it_meets() -> None:
    """What careful players did is explained better by careful ones, what networks did is not."""
    found = []
    for spec in ("careful", "net:temperature=1"):
        who, shares = player(spec), []
        for deal in range(6):
            view = late(who, Round.shuffled(4, Random(deal)))
            rounds = ImaginedRounds(numpy_network(4), view, 64, [min(view.legal).id])
            assert rounds.sample(1, 0, 64, lambda: False)
            shares.append(np.mean(rounds.draw(64, 64, 1) % 2))
        found.append(np.mean(shares))
    assert found[0] > CAREFUL > 2 * found[1]


def test_models_come_as_often_as_they_weigh() -> None:
    """Before anybody has done anything, all worlds weigh the same."""
    view = View.of(Round.shuffled(4, Random(5)), 0)
    rounds = ImaginedRounds(numpy_network(4), view, 60, [min(view.legal).id])
    assert rounds.sample(1, 0, 60, lambda: False)
    for number in (20, 30, 60):
        for seed in range(5):
            share = np.mean(rounds.draw(60, number, seed) % 2)
            assert share == pytest.approx(CAREFUL, abs=1 / number)


@pytest.mark.long
def test_what_is_compiled_in_advance_is_a_search() -> None:
    """Where the network is sure it does not search, and nothing would be compiled."""
    thought = Net(worlds=1).think(UNSURE, Budget(), Random(1))
    assert thought.worlds == 1


def numpy_network(players: int) -> NumpyNetwork:
    """The network that ships."""
    network = shipped(players)
    assert isinstance(network, NumpyNetwork)
    return network


def late(who: Player, round: Round) -> View:
    """What the seat to act sees after two tricks of some players."""
    rng = Random(1)
    while len(round.actions) < 4 * round.players:
        seat = round.to_act[0]
        choice = who.choose(View.of(round, seat), Budget(), rng)
        after = round.play(choice, seat)
        if after.over:
            return View.of(round, seat)
        round = after
    return View.of(round, round.to_act[0])


# ── Parts ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_many_positions_at_once_are_computed_as_single_ones(players: int) -> None:
    """Up to the order of the sums."""
    network = NumpyNetwork((FOLDER / f"{players}-players.net").read_bytes())
    rng = Random(players)
    some = list(moments(Round.shuffled(players, rng), rng))[::6]
    inputs = [list(Net().inputs(View.of(round, seat))) for round, seat, _ in some]
    found = network.batch(np.array(inputs, dtype=np.float32))
    for mine, row in zip(inputs, found, strict=True):
        assert np.abs(network.exact_logits(mine) - row[: len(ACTIONS)]).max() < 1e-4


def test_parameters() -> None:
    """By name; a search draws no actions, and has to be allowed something."""
    assert player("net:worlds=64") == Net(worlds=64)
    assert player("net:ms=40,worlds=9,file=a,b.net") == Net(worlds=9, ms=40, file="a,b.net")
    for wrong, complaint in (
        ("worlds=0", "worlds=0; 1 to 100000 are possible"),
        ("ms=0", r"ms=0\.0; some time is needed"),
        ("ms=40,temperature=1", "a search draws no actions"),
    ):
        with pytest.raises(NotUnderstood, match=complaint):
            player(f"net:{wrong}")


def test_it_says_that_it_needs_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the extra that installs it; the network alone does not need it."""
    for name in ("net_search", "imagined", "numpy_network", "network_file"):
        monkeypatch.delitem(sys.modules, f"catinthebox.players.{name}", raising=False)
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(
        MissingLibrary, match=r"this needs numpy: pip install 'catinthebox\[fast\]'"
    ):
        think(Net(worlds=1), asked()[0])
