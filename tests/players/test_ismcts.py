"""The player `ismcts`: legal, repeatable, blind to what is hidden, and stronger than chance."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from random import Random

import pytest
from policies import TABLES, moments, random_round
from sample_rounds import first_lead, whole
from secrecy.pairs import pairs, told_apart

from catinthebox import Action, NotUnderstood, Phase, Round
from catinthebox.players import Budget, Player, ismcts, player
from catinthebox.players.ismcts import MOST, Ismcts, TreeSearch, run
from catinthebox.views import View


def answer(round: Round, seat: int, iterations: int = 30, seed: int = 1) -> Action:
    """What the player does."""
    return Ismcts(iterations).choose(View.of(round, seat), Budget(), Random(seed))


@pytest.mark.parametrize(("players", "face"), TABLES)
def test_it_is_always_legal(players: int, face: str) -> None:
    """Whatever the others do, in every phase, also while red is closed."""
    rng = Random(players)
    phases = set()
    for _ in range(6):
        for round, seat, _action in moments(random_round(players, face, rng), rng):
            assert answer(round, seat, 12, rng.randrange(99)) in round.legal_for(seat)
            phases.add(round.phase)
    assert phases == set(Phase) - {Phase.OVER} - ({Phase.BID} if players == 2 else set())


def test_the_same_chance_gives_the_same_choice() -> None:
    """Nothing but the view and the generator decides; another generator may decide otherwise."""
    rng = Random(2)
    asked = [(at, seat) for at, seat, _ in moments(random_round(4, "white", rng), rng)]
    once = [answer(at, seat) for at, seat in asked]
    assert once == [answer(at, seat) for at, seat in asked]
    assert once != [answer(at, seat, seed=2) for at, seat in asked]


@pytest.mark.clause("R32", "R33")
@pytest.mark.parametrize(("players", "face"), TABLES)
def test_it_never_sees_the_cards_of_others(players: int, face: str) -> None:
    """Rounds that its seat cannot tell apart get the same answer."""

    def shown(round: Round, seat: int | None) -> bytes:
        if seat is None or seat not in round.to_act:
            return b""
        return str(answer(round, seat, 25)).encode()

    asked = 0
    for pair in pairs(players, face, Random(players), 20):
        for now in list(pair.steps())[::3]:
            assert not told_apart(now, shown)
            asked += now.seat in now.left.to_act
    assert asked > 10


def test_how_it_is_sliced_does_not_matter() -> None:
    """A slow clock or a fast one: as many iterations give the same tree."""
    rng = Random(3)
    for round, seat, _action in list(moments(random_round(3, "purple", rng), rng))[::4]:
        view = View.of(round, seat)
        searches = [TreeSearch(view, 200, 0.5, "follow", 5) for _ in range(3)]
        run(searches[0], Budget())
        searches[1].go_on(999)
        while searches[2].done < 200:
            searches[2].go_on(3)
        one, two, three = (list(search.tree) for search in searches)
        assert one == two == three
        assert len({search.chosen() for search in searches}) == 1


def test_a_single_legal_action_is_taken_at_once() -> None:
    """No search, no chance spent."""
    rng = Random(1)
    rounds = [at for _ in range(9) for at, _, _ in moments(random_round(3, "white", rng), rng)]
    forced = [at for at in rounds if at.phase is Phase.PLAY and len(at.legal) == 1]
    assert len(forced) > 3
    chance, before = Random(1), Random(1).getstate()
    for at in forced:
        view = View.of(at, at.turn)
        assert Ismcts(MOST).choose(view, Budget(), chance) in view.legal
    assert chance.getstate() == before


@pytest.mark.timing
def test_budgets_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """A count, a time and a request to stop all end a search that would take seconds."""
    milliseconds = count()
    monkeypatch.setattr(ismcts, "perf_counter", lambda: next(milliseconds) / 1000)
    view = View.of(Round.shuffled(4, Random(1)), 2)
    eager = Ismcts(MOST)
    few = eager.choose(view, Budget(rollouts=40), Random(1))
    assert few == Ismcts(40).choose(view, Budget(), Random(1))
    assert few == Ismcts(40).choose(view, Budget(rollouts=9999), Random(1))
    begin = next(milliseconds)
    assert eager.choose(view, Budget(ms=20), Random(1)) in view.legal
    assert Ismcts(MOST, ms=20).choose(view, Budget(), Random(1)) in view.legal
    assert eager.choose(view, Budget(cancelled=lambda: True), Random(1)) in view.legal
    assert eager.choose(view, Budget(rollouts=0), Random(1)) in view.legal
    assert 40 < next(milliseconds) - begin < 60  # it looks at the clock, and stops in time


def test_it_does_the_same_without_a_compiler(without_compiler: Callable[[], None]) -> None:
    """Interpreted it is slow, and just as clever."""
    rng = Random(4)
    asked = list(moments(random_round(3, "white", rng), rng))[::5]
    compiled = [answer(round, seat) for round, seat, _ in asked]
    without_compiler()
    assert [answer(round, seat) for round, seat, _ in asked] == compiled
    assert isinstance(TreeSearch(View.of(*asked[0][:2]), 1, 0.5, "follow", 1).tree, list)


def gain(round: Round, seat: int) -> float:
    """What a seat has got out of a round, beside the others."""
    assert round.scores is not None
    others = sum(round.scores) - round.scores[seat]
    return round.scores[seat] - others / (round.players - 1)


def last_plays(number: int) -> list[Round]:
    """Moments of which nothing but one play is left, and it matters."""
    rng = Random(8)
    found: list[Round] = []
    while len(found) < number:
        players, face = rng.choice(TABLES)
        for round in whole(random_round(players, face, rng), rng):
            if len(round.trick) == players - 1 and sum(map(len, round.hands)) == players + 1:
                ends = {gain(end, round.to_act[0]) for end in after(round)}
                found += [round] if len(ends) > 1 else []
    return found


def after(round: Round) -> list[Round]:
    """The rounds after each legal play."""
    return [round.play(action) for action in round.legal]


@pytest.mark.long
def test_it_finds_the_best_last_play() -> None:
    """With nothing left to guess, the answer is plain: the play with the largest gain."""
    for round in last_plays(25):
        assert round.turn is not None
        best = max(gain(end, round.turn) for end in after(round))
        choice = answer(round, round.turn, 200)
        assert gain(round.play(choice), round.turn) == best


def test_it_takes_the_trick_it_has_promised() -> None:
    """One trick left, one bid, none won, the last to play: anything that wins, nothing else."""
    round = first_lead("56 36 29", bids=(1, 1, 1)).replay("5b 6b")
    assert answer(round, 2, 200).notation in {"9b", "9r", "2r"}


def margin(one: Player, other: Player, players: int, deals: int) -> float:
    """The mean gain of a player against another that has all other seats: each deal, each seat."""
    total = 0.0
    for deal in range(deals):
        for seat in range(players):
            rng = Random(deal)
            round = Round.shuffled(players, rng)
            while not round.over:
                who = round.to_act[0]
                mind = one if who == seat else other
                round = round.play(mind.choose(View.of(round, who), Budget(), rng), who)
            total += gain(round, seat)
    return total / deals / players


def test_it_beats_chance() -> None:
    """At two players, over the same deals from both seats."""
    assert margin(Ismcts(300), player("random"), 2, 40) > 2


def test_more_iterations_are_better() -> None:
    """A hundred times the search is worth points."""
    assert margin(Ismcts(1000), Ismcts(10), 2, 40) > 1


def test_its_parameters() -> None:
    """By name, and what is wrong is refused in words."""
    text = "ismcts:iterations=50,ms=5,exploration=0.4,policy=random"
    assert player(text) == Ismcts(50, 5.0, 0.4, "random")
    for wrong in ("iterations=0", "policy=x", "exploration=-1", "exploration=nan", "ms=0"):
        with pytest.raises(NotUnderstood, match=wrong.split("=", maxsplit=1)[0]):
            player(f"ismcts:{wrong}")
