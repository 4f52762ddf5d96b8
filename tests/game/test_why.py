"""The sentence behind a refusal."""

from __future__ import annotations

import pytest
from sample_rounds import ASIDE, THREE, TWO, first_lead, positions, refused

from catinthebox import ACTIONS, Round
from catinthebox.game.why import CODES, bid_words
from catinthebox.rules import reason

DEALT = Round.deal(THREE)
BIDDING = DEALT.replay("-2 -3 -4")
LEADING = BIDDING.replay("=1 =3 =4")
AT_TWO = Round.deal(TWO, aside=ASIDE).replay("-1 -4")
OVER = first_lead("49 29 19").replay("4y 2y 1y")
PARADOX = first_lead("1269 1249 4466").replay("1b 4r 4g 1y 6g 6r 2b 2y")
GAVE_UP_BLUE = first_lead("1239 4569 1239").replay("1b 4y 2b 1y 2y")
NO_FIVE_LEFT = first_lead("1239 5669 1239").replay("1b 5y 2b 1y 2y")

EVERY = [
    (OVER, 0, "9b", "illegal.round_over", "R19", "the round is over"),
    (
        PARADOX,
        0,
        "9b",
        "illegal.round_over",
        "R21",
        "the round is over: seat 2 caused a paradox",
    ),
    (
        DEALT,
        0,
        "5b",
        "illegal.discard_first",
        "R7",
        "everybody sets one card aside first; write -5 to discard a 5",
    ),
    (
        DEALT.play("-2"),
        0,
        "-3",
        "turn.already_discarded",
        "R7",
        "this seat has set its card aside already",
    ),
    (
        DEALT,
        1,
        "-9",
        "illegal.not_in_hand",
        "R7",
        "you hold no 9; your hand is 1 1 2 3 3 4 4 5 5 6",
    ),
    (
        BIDDING,
        0,
        "5b",
        "illegal.bid_first",
        "R8",
        "now the bids are made; allowed are 1, 3, 4",
    ),
    (BIDDING, 0, "=2", "illegal.bid", "R8", "2 may not be bid; allowed are 1, 3, 4"),
    (BIDDING, 1, "=1", "turn.not_yours", "R8", "it is seat 0's turn to bid"),
    (
        LEADING,
        0,
        "=1",
        "illegal.play_now",
        "R11",
        "discards and bids are made; write 5b to play a 5 as blue",
    ),
    (
        AT_TWO,
        0,
        "=1",
        "illegal.no_bids",
        "R9",
        "two players do not bid; write 5b to play a 5 as blue",
    ),
    (LEADING, 2, "5b", "turn.not_yours", "R10", "it is seat 0's turn"),
    (
        LEADING,
        0,
        "9b",
        "illegal.not_in_hand",
        "R11",
        "you hold no 9; your hand is 1 2 3 3 4 5 5 6 6",
    ),
    (
        LEADING.play("5b"),
        1,
        "5b",
        "illegal.cell_taken",
        "R12",
        "blue 5 is already on the board (seat 0); your 5 can still be red, yellow or green",
    ),
    (
        first_lead("59 59", turned="5"),
        0,
        "5g",
        "illegal.cell_taken",
        "R12",
        "green 5 is already on the board (a neutral token); your 5 can still be blue or yellow",
    ),
    (
        GAVE_UP_BLUE,
        1,
        "5b",
        "illegal.token_lost",
        "R13",
        "you gave up blue in trick 1; your 5 can still be red, yellow or green",
    ),
    (
        LEADING,
        0,
        "5r",
        "illegal.red_closed",
        "R14",
        "red may not be led before somebody has declared red; "
        "your 5 can still be blue, yellow or green",
    ),
    (
        first_lead("12 23", turned="111"),
        0,
        "1r",
        "illegal.red_closed",
        "R14",
        "red may not be led before somebody has declared red; "
        "your 1 cannot be played now, choose another card",
    ),
]


@pytest.mark.clause("R7", "R8", "R9", "R10", "R11", "R12", "R13", "R14", "R19", "R21")
@pytest.mark.parametrize(
    ("round", "seat", "action", "code", "clause", "sentence"),
    EVERY,
    ids=[f"{clause} {sentence[:30]}" for *_, clause, sentence in EVERY],
)
def test_a_refusal_says_what_was_wrong_and_what_would_be_right(
    round: Round, seat: int, action: str, code: str, clause: str, sentence: str
) -> None:
    """Code for programs, clause of the rules, sentence for people."""
    found = refused(round, action, seat)
    assert (found.code, found.clause, found.message) == (code, clause, sentence)


def test_every_reason_has_a_code_a_clause_and_a_case_above() -> None:
    """No reason of the rules is left without words."""
    assert set(CODES) == set(range(1, reason.RED_CLOSED + 1))
    assert {(code, clause) for *_, code, clause, _ in EVERY} == set(CODES.values())


@pytest.mark.parametrize(
    ("round", "seat", "action", "sentence"),
    [
        (BIDDING, 2, "=1", "it is Ada's turn to bid"),
        (LEADING.play("5b"), 2, "5r", "it is Bohr's turn"),
        (PARADOX, 0, "9b", "the round is over: Curie caused a paradox"),
        (LEADING.replay("5b 6b"), 2, "6b", "blue 6 is already on the board (Bohr)"),
    ],
)
def test_seats_can_be_called_by_their_names(
    round: Round, seat: int, action: str, sentence: str
) -> None:
    """Names instead of seat numbers, wherever a seat is spoken of."""
    found = round.why(action, seat, ["Ada", "Bohr", "Curie"])
    assert found is not None
    assert found.message.split(";")[0] == sentence


@pytest.mark.clause("R16")
def test_the_trick_in_which_a_color_was_lost_is_the_first_one() -> None:
    """Blue was led twice; it was given up the first time."""
    round = first_lead("1689 2579 1389").replay("1b 2y 3b 8b 6b 5g 9g 9y")
    assert round.turn == 1
    assert refused(round, "9b").message.startswith("you gave up blue in trick 1; ")


@pytest.mark.clause("R12", "R13")
def test_every_refusal_has_words_at_every_moment() -> None:
    """All actions of all seats: a legal one has no refusal, an illegal one has a sentence."""
    known = set(CODES.values())
    for round in positions(1):
        for seat in range(round.players):
            legal = set(round.legal_for(seat))
            for action in ACTIONS:
                found = round.why(action, seat)
                assert (found is None) is (action in legal)
                assert found is None or ((found.code, found.clause) in known and found.message)


@pytest.mark.clause("R8")
@pytest.mark.parametrize(("players", "words"), [(2, ""), (3, "1, 3, 4"), (4, "1, 2, 3")])
def test_the_allowed_bids_are_listed(players: int, words: str) -> None:
    """As the table of player counts has them."""
    assert bid_words(players) == words
