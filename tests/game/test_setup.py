"""How a round begins, and everything that can be wrong with it."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from sample_rounds import ASIDE, THREE, TWO, first_lead

from catinthebox import BadSetup, Deck, Face, Round, Setup
from catinthebox.rules.layout import BID

LEADS = ("223345566", "223344556", "112344566")  # THREE after the discards


@pytest.mark.clause("R5")
@pytest.mark.parametrize(
    ("players", "ranks", "dealt", "tricks"),
    [(2, 5, 10, 8), (3, 6, 10, 8), (4, 8, 10, 8), (5, 9, 9, 7)],
)
def test_every_player_count_has_its_deck(players: int, ranks: int, dealt: int, tricks: int) -> None:
    """One card is set aside and one stays in hand, so there are two tricks fewer than cards."""
    deck = Deck.standard(players)
    assert (deck, deck.tricks) == (Deck(ranks, dealt), tricks)
    assert eval(repr(deck)) == deck


@pytest.mark.clause("R5", "R6")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_shuffling_deals_the_whole_deck(players: int) -> None:
    """Five of every rank, in hands and, at two players, aside."""
    for seed in range(20):
        setup = Setup.shuffled(players, Random(seed), starter=1, face=Face.named("purple"))
        assert setup.problems() == []
        assert (setup.starter, setup.face, setup.players) == (1, Face.named("purple"), players)
        assert len(setup.aside) == (5 if players == 2 else 0)
        cards = Counter("".join([*setup.hands, setup.aside]))
        assert cards == {str(rank): 5 for rank in range(1, setup.cards.ranks + 1)}


@pytest.mark.clause("R5")
def test_chance_is_an_argument() -> None:
    """The same seed deals the same cards, another seed others."""
    deals = [Setup.shuffled(4, Random(seed)) for seed in (1, 1, 2)]
    assert deals[0] == deals[1]
    assert deals[0] != deals[2]


def test_hands_are_sorted_and_blanks_in_them_do_not_matter() -> None:
    """The same cards make the same set-up."""
    one = Setup(("3 2 1", "654 "), deck=Deck(6, 3))
    assert one == Setup(("123", "456"), deck=Deck(6, 3))
    assert hash(one) == hash(Setup(("132", "465"), deck=Deck(6, 3)))


@pytest.mark.clause("R6")
def test_three_of_the_cards_left_aside_are_turned_up() -> None:
    """In the order in which they lie."""
    assert Setup(TWO, aside=ASIDE).turned_up == "125"


GOOD = [
    Setup(THREE),
    Setup(TWO, aside=ASIDE),
    Setup(("111222333", "234444555"), aside="125", discarded=True),
    Setup(("111222333", "234444555"), aside="12553", discarded=True),
    Setup(LEADS, discarded=True),
    Setup(LEADS, 2, Face.named("purple"), discarded=True, bids=(1, 3, 3)),
    Setup(("123", "123"), deck=Deck(3, 3)),
    Setup(("123", "123"), aside="1", deck=Deck(3, 3)),
    Setup(("12", "12"), deck=Deck(3, 3), discarded=True),
]


@pytest.mark.parametrize("setup", GOOD, ids=repr)
def test_a_possible_set_up_has_no_problems_and_prints_as_code(setup: Setup) -> None:
    """`repr` rebuilds it."""
    assert setup.problems() == []
    assert eval(repr(setup)) == setup


BAD = [
    (Setup(()), "setup.players", "R1", "0 hands; 2 to 5 can play"),
    (Setup(("1",)), "setup.players", "R1", "1 hands; 2 to 5 can play"),
    (Setup.shuffled(6, Random(1)), "setup.players", "R1", "6 hands; 2 to 5 can play"),
    (
        Setup(("12", "12"), deck=Deck(3, 2)),
        "setup.deck",
        "R5",
        "Deck(ranks=3, dealt=2) has too few or too many cards",
    ),
    (
        Setup(("12", "12"), deck=Deck(9, 15)),
        "setup.deck",
        "R5",
        "Deck(ranks=9, dealt=15) has too few or too many cards",
    ),
    (
        Setup(("12", "12"), deck=Deck(0, 3)),
        "setup.deck",
        "R5",
        "Deck(ranks=0, dealt=3) has too few or too many cards",
    ),
    (
        Setup(("12", "12"), deck=Deck(10, 3)),
        "setup.deck",
        "R5",
        "Deck(ranks=10, dealt=3) has too few or too many cards",
    ),
    (
        Setup(THREE, starter=3),
        "setup.starter",
        "R1",
        "starter 3 is not a seat; seats are 0 to 2",
    ),
    (
        Setup(THREE, starter=-1),
        "setup.starter",
        "R1",
        "starter -1 is not a seat; seats are 0 to 2",
    ),
    (
        Setup((THREE[0], THREE[1], "112234456")),
        "setup.hand_size",
        "R5",
        "seat 2 has 9 cards; it should have 10",
    ),
    (
        Setup(THREE, discarded=True),
        "setup.hand_size",
        "R5",
        "seat 0 has 10 cards; it should have 9",
    ),
    (Setup(TWO), "setup.aside", "R6", "0 cards are left aside; it should be 5"),
    (Setup(TWO, aside="125"), "setup.aside", "R6", "3 cards are left aside; it should be 5"),
    (
        Setup(LEADS, aside="125", discarded=True),
        "setup.aside",
        "R6",
        "3 cards are left aside; it should be 0",
    ),
    (
        Setup(("123", "123", "123"), aside="1", deck=Deck(3, 3)),
        "setup.aside",
        "R6",
        "cards are left aside at two players only",
    ),
    (
        Setup((THREE[0], THREE[1], "112234456x")),
        "setup.rank",
        "R5",
        "seat 2: 'x' is not a rank; ranks are 1 to 6",
    ),
    (
        Setup((THREE[0], THREE[1], "1122344567")),
        "setup.rank",
        "R5",
        "seat 2: '7' is not a rank; ranks are 1 to 6",
    ),
    (
        Setup(TWO, aside="1255x"),
        "setup.rank",
        "R5",
        "the cards left aside: 'x' is not a rank; ranks are 1 to 5",
    ),
    (
        Setup((THREE[0], THREE[1], "1122344556")),
        "setup.copies",
        "R5",
        "rank 5 appears 6 times; there are five of each",
    ),
    (
        Setup(THREE, bids=(1, 1, 1)),
        "setup.bids",
        "R8",
        "bids come after the discards",
    ),
    (
        Setup(LEADS, discarded=True, bids=(1, 2, 3)),
        "setup.bids",
        "R8",
        "bids [1, 2, 3]: one for every seat is needed, out of 1, 3, 4",
    ),
    (
        Setup(LEADS, discarded=True, bids=(1, 3)),
        "setup.bids",
        "R8",
        "bids [1, 3]: one for every seat is needed, out of 1, 3, 4",
    ),
    (
        Setup(("12", "12"), deck=Deck(3, 3), discarded=True, bids=(1, 1)),
        "setup.bids",
        "R9",
        "bids [1, 1]: one for every seat is needed, out of none",
    ),
]


@pytest.mark.clause("R1", "R5", "R6", "R8", "R9")
@pytest.mark.parametrize(
    ("setup", "code", "clause", "sentence"), BAD, ids=[sentence for *_, sentence in BAD]
)
def test_an_impossible_set_up_is_refused(
    setup: Setup, code: str, clause: str, sentence: str
) -> None:
    """What is wrong, and what would be right."""
    found = {(problem.code, problem.clause, problem.message) for problem in setup.problems()}
    assert (code, clause, sentence) in found
    with pytest.raises(BadSetup) as caught:
        Round(setup)
    assert list(caught.value.problems) == setup.problems()


def test_every_problem_is_reported_not_only_the_first() -> None:
    """Starter, sizes, ranks and copies of one set-up, all at once."""
    setup = Setup(("111111", "xyz", ""), starter=7)
    assert [problem.code for problem in setup.problems()] == [
        "setup.starter",
        "setup.hand_size",
        "setup.hand_size",
        "setup.hand_size",
        "setup.rank",
        "setup.rank",
        "setup.rank",
        "setup.copies",
    ]


@pytest.mark.clause("R8")
def test_bids_of_a_set_up_are_those_of_the_seats() -> None:
    """By seat, not by the order of bidding."""
    round = first_lead("12 12 12", bids=(1, 3, 4), starter=2)
    assert (round.bids, round.vector[BID : BID + 3], round.turn) == ((1, 3, 4), [1, 3, 4], 2)


def test_hands_are_not_one_text() -> None:
    """A single text would be taken for many hands of one card."""
    with pytest.raises(TypeError, match="a sequence of texts, one for each seat"):
        Setup("1223345566")  # type: ignore[arg-type]
