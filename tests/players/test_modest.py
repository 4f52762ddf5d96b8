"""The opponent `modest`: honest, legal, repeatable, the simple rules it is said to have."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

import pytest
from policies import TABLES, moments, random_round
from sample_rounds import first_lead

from catinthebox import Action, Color, Phase, Round, Setup
from catinthebox.players import Budget
from catinthebox.players.modest import Modest
from catinthebox.views import View


def answer(round: Round, seat: int, rng: Random | None = None) -> Action:
    """What it does at a moment."""
    return Modest().choose(View.of(round, seat), Budget(), rng or Random(0))


def played(players: int, seed: int) -> Round:
    """A whole round among these opponents."""
    rng = Random(seed)
    round = Round.shuffled(players, rng)
    while not round.over:
        seat = round.to_act[0]
        round = round.play(answer(round, seat, rng), seat)
    return round


@pytest.mark.parametrize("players", range(2, 6))
def test_it_always_chooses_a_legal_action(players: int) -> None:
    """Whatever the others do, its answer is legal."""
    rng = Random(players)
    for _ in range(10):
        for round, seat, _action in moments(random_round(players, "white", rng), rng):
            assert answer(round, seat, rng) in round.legal_for(seat)


@pytest.mark.long
@pytest.mark.parametrize("players", range(2, 6))
def test_it_can_play_whole_rounds(players: int) -> None:
    """Some rounds among such opponents end normally: it is worth playing against."""
    ends = [played(players, seed) for seed in range(40)]
    assert all(round.over for round in ends)
    assert sum(round.paradox is None for round in ends) >= 5


def test_the_same_chance_gives_the_same_choice() -> None:
    """Nothing but the view and the generator decides."""
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
    """Two rounds that differ only in hidden cards give equal actions."""
    rng = Random(1)
    compared = 0
    for players, face in TABLES:
        for _ in range(6 if players > 2 else 0):
            for round, seat, _action in moments(random_round(players, face, rng), rng):
                other = redealt(round, seat, rng)
                if other.phase is not round.phase or other == round:
                    continue
                seed = rng.random()
                assert answer(round, seat, Random(seed)) is answer(other, seat, Random(seed))
                compared += 1
    assert compared > 200


def test_it_sets_aside_a_card_it_holds_often() -> None:
    """Four colors cannot take five equal cards."""
    round = Round.deal(("1111122345", "2233344566", "2344555666"))
    assert answer(round, 0) is Action("-1")


def test_it_bids_more_with_higher_cards() -> None:
    """A strong hand promises more tricks than a weak one."""
    round = Round.deal(("1111122233", "3444455556", "2233456666")).replay("-1 -5 -6")
    assert round.phase is Phase.BID
    low = answer(round, 0).number
    round = round.play(f"={low}")
    assert answer(round, 1).number > low


def test_it_follows_high_when_it_wants_tricks() -> None:
    """The led color comes first; the bid decides how high."""
    round = first_lead("3456 2579 1248", bids=(1, 3, 1)).replay("5b")
    assert answer(round, 1) is Action("9b")


def test_it_leads_low_when_it_has_enough() -> None:
    """One trick bid, one trick won: no more, please."""
    round = first_lead("3456 2579 1248", bids=(3, 1, 3)).replay("3b 9b 1b")
    assert round.turn == 1
    assert answer(round, 1).rank == 2


def test_it_trumps_when_it_cannot_follow_and_wants_a_trick() -> None:
    """Blue was given up: the highest red it has wins the trick."""
    round = first_lead("3456 2579 1248", bids=(1, 1, 1)).replay("5b 2y 1b 4b")
    assert answer(round, 1) is Action("9r")


# ── The rules in plain words ─────────────────────────────────────────────────────────────────


def dead_ends(round: Round, seat: int, action: Action) -> int:
    """Cards of the hand for which no color is left after a play."""
    led = round.trick[0].action.color if round.trick else None
    lost = led if action.color is not led else None  # R16
    left = Counter(round.hands[seat]) - Counter([action.rank])
    ways = Counter(
        other.rank for other in round.legal if other is not action and other.color is not lost
    )
    return sum(max(0, left[rank] - ways[rank]) for rank in left)


def unwelcome(round: Round, seat: int, action: Action) -> int:
    """High and red to win, low and not red to lose."""
    strength = action.rank + 9 * (action.color is Color.RED)
    wants = round.won[seat] < (round.bids[seat] or 4)
    return -strength if wants and wins(round, action) else strength


def wins(round: Round, action: Action) -> bool:
    """Whether a card would win the trick as it stands."""
    best = next((play.action for play in round.trick if play.seat == round.winning), None)
    if best is None or action.color is best.color:
        return best is None or action.rank > best.rank
    return action.color is Color.RED


def good_plays(round: Round, seat: int) -> set[Action]:
    """The plays that are as good as any other: follow, stay safe, serve the bid."""
    led = round.trick[0].action.color if round.trick else None
    options = [action for action in round.legal if action.color is led] or [*round.legal]
    key = {a: (dead_ends(round, seat, a), unwelcome(round, seat, a)) for a in options}
    return {action for action in options if key[action] == min(key.values())}


def good_bid(round: Round, seat: int) -> int:
    """A fair share of the tricks, more with high cards and fewer with low ones."""
    hand = round.hands[seat]
    middle = Fraction(round.ranks + 1, 2)
    edge = sum(rank - middle for rank in hand) / middle
    expected = Fraction(len(hand) - 1, round.players) + edge
    allowed = [action.number for action in round.legal]
    return min(allowed, key=lambda number: (abs(number - expected), number))


@pytest.mark.long
@pytest.mark.parametrize(("players", "face"), TABLES)
def test_it_does_what_the_plain_words_say(players: int, face: str) -> None:
    """Written a second time, on objects: it takes one of the good plays, each of them sometimes."""
    rng = Random(players)
    chances = 0
    for _ in range(5):
        for round, seat, _action in moments(random_round(players, face, rng), rng):
            if round.phase is Phase.BID:
                assert answer(round, seat).number == good_bid(round, seat)
            elif round.phase is Phase.PLAY:
                good = good_plays(round, seat)
                found = {answer(round, seat, Random(seed)) for seed in range(20)}
                assert found <= good
                assert len(found) > 1 or len(good) == 1
                chances += len(good) > 1
    assert chances > 10
