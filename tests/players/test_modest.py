"""The opponent `follow`: honest, legal, repeatable."""

from __future__ import annotations

from random import Random

import pytest
from policies import TABLES, moments, random_round
from sample_rounds import first_lead

from catinthebox import Action, Phase, Round, Setup
from catinthebox.players import Glimpse, choose, glimpse
from catinthebox.views import View


def played(players: int, seed: int) -> Round:
    """A whole round among these opponents."""
    rng = Random(seed)
    round = Round.shuffled(players, rng)
    while not round.over:
        seat = round.to_act[0]
        round = round.play(choose(glimpse(View.of(round, seat)), rng), seat)
    return round


@pytest.mark.parametrize("players", range(2, 6))
def test_it_always_chooses_a_legal_action(players: int) -> None:
    """Whatever the others do, its answer is legal."""
    rng = Random(players)
    for _ in range(10):
        for round, seat, _action in moments(random_round(players, "white", rng), rng):
            assert choose(glimpse(View.of(round, seat)), rng) in round.legal_for(seat)


@pytest.mark.long
@pytest.mark.parametrize("players", range(2, 6))
def test_it_can_play_whole_rounds(players: int) -> None:
    """Some rounds among such opponents end normally: it is worth playing against."""
    ends = [played(players, seed) for seed in range(40)]
    assert all(round.over for round in ends)
    assert sum(round.paradox is None for round in ends) >= 5


def test_the_same_chance_gives_the_same_choice() -> None:
    """Nothing but the glimpse and the generator decides."""
    assert played(4, 3) == played(4, 3)
    assert played(4, 3) != played(4, 4)


def redealt(round: Round, seat: int, rng: Random) -> Round:
    """The same visible story with other hidden cards: two other seats swap what nobody has seen."""
    setup = round.setup
    hands = list(setup.hands)
    one, two = rng.sample([other for other in range(round.players) if other != seat], 2)
    left = [list(map(str, hand)) for hand in round.hands]
    if not left[one] or not left[two]:
        return round
    mine, theirs = rng.choice(left[one]), rng.choice(left[two])
    hands[one] = hands[one].replace(mine, theirs, 1)
    hands[two] = hands[two].replace(theirs, mine, 1)
    other = Round(Setup(tuple(hands), setup.starter, setup.face, setup.aside))
    for who, action in round.actions:
        if other.over or action not in other.legal_for(who):
            return round
        other = other.play(action, who)
    return other


@pytest.mark.long
@pytest.mark.clause("R32", "R33")
def test_it_never_sees_the_cards_of_others() -> None:
    """Two rounds that differ only in hidden cards give equal glimpses and equal actions."""
    rng = Random(1)
    compared = 0
    for players, face in TABLES:
        for _ in range(6 if players > 2 else 0):
            for round, seat, _action in moments(random_round(players, face, rng), rng):
                other = redealt(round, seat, rng)
                if other.phase is not round.phase or other == round:
                    continue
                assert glimpse(View.of(other, seat)) == glimpse(View.of(round, seat))
                seed = rng.random()
                theirs = choose(glimpse(View.of(other, seat)), Random(seed))
                assert choose(glimpse(View.of(round, seat)), Random(seed)) is theirs
                compared += 1
    assert compared > 200


@pytest.mark.clause("R33")
def test_a_glimpse_holds_no_round() -> None:
    """There is no way from a glimpse back to the table."""
    round = Round.shuffled(4, Random(1))
    assert set(Glimpse.__dataclass_fields__) == {
        "phase",
        "hand",
        "legal",
        "led",
        "winning",
        "bid",
        "won",
        "players",
        "ranks",
    }
    assert not any(value is round for value in vars(glimpse(View.of(round, 0))).values())


def test_it_sets_aside_a_card_it_holds_often() -> None:
    """Four colors cannot take five equal cards."""
    round = Round.deal(("1111122345", "2233344566", "2344555666"))
    assert choose(glimpse(View.of(round, 0)), Random(0)) is Action("-1")


def test_it_bids_more_with_higher_cards() -> None:
    """A strong hand promises more tricks than a weak one."""
    round = Round.deal(("1111122233", "3444455556", "2233456666")).replay("-1 -5 -6")
    assert round.phase is Phase.BID
    low = choose(glimpse(View.of(round, 0)), Random(0)).number
    round = round.play(f"={low}")
    assert choose(glimpse(View.of(round, 1)), Random(0)).number > low


def test_it_follows_high_when_it_wants_tricks() -> None:
    """The led color comes first; the bid decides how high."""
    round = first_lead("3456 2579 1248", bids=(1, 3, 1)).replay("5b")
    assert choose(glimpse(View.of(round, 1)), Random(0)) is Action("9b")


def test_it_leads_low_when_it_has_enough() -> None:
    """One trick bid, one trick won: no more, please."""
    round = first_lead("3456 2579 1248", bids=(3, 1, 3)).replay("3b 9b 1b")
    assert round.turn == 1
    assert choose(glimpse(View.of(round, 1)), Random(0)).rank == 2


def test_it_trumps_when_it_cannot_follow_and_wants_a_trick() -> None:
    """Blue was given up: the highest red it has wins the trick."""
    round = first_lead("3456 2579 1248", bids=(1, 1, 1)).replay("5b 2y 1b 4b")
    assert choose(glimpse(View.of(round, 1)), Random(0)) is Action("9r")
