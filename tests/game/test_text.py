"""A round as plain text."""

from __future__ import annotations

import pytest
from sample_rounds import ASIDE, TWO, first_lead

from catinthebox import Color, Round
from catinthebox.game.text import Space, draw_board, spaces


def test_a_round_in_play_is_described() -> None:
    """Whose turn, the board, a line per seat, the trick on the table."""
    round = first_lead("149 129 139", bids=(1, 3, 4), ranks=9).replay("4y 2y 1r 3b")
    assert str(round).splitlines() == [
        "play, seat 0 to act, red open",
        "r1C r2. r3. r4. r5. r6. r7. r8. r9.",
        "b1. b2. b3C b4. b5. b6. b7. b8. b9.",
        "y1. y2B y3. y4A y5. y6. y7. y8. y9.",
        "g1. g2. g3. g4. g5. g6. g7. g8. g9.",
        "seat 0 A colors rbyg bid 1 won 0 hand 1 9",
        "seat 1 B colors rbyg bid 3 won 0 hand 1 9",
        "seat 2 C colors rbg bid 4 won 1 hand 9",
        "trick 2:3b",
    ]


@pytest.mark.clause("R6")
def test_a_deal_for_two_shows_neutral_tokens_and_both_seats_to_act() -> None:
    """Red is closed; nobody has bid; nothing lies on the table."""
    assert str(Round.deal(TWO, aside=ASIDE)).splitlines() == [
        "discard, seat 0 1 to act, red closed",
        "r1. r2. r3. r4. r5.",
        "b1. b2. b3. b4. b5.",
        "y1. y2. y3. y4. y5.",
        "g1# g2# g3. g4. g5#",
        "seat 0 A colors rbyg won 0 hand 1 1 1 1 2 2 2 3 3 3",
        "seat 1 B colors rbyg won 0 hand 2 3 4 4 4 4 4 5 5 5",
    ]


@pytest.mark.clause("R19")
def test_a_finished_round_shows_its_scores() -> None:
    """Hands keep one card."""
    lines = str(first_lead("49 29 19", bids=(1, 1, 1)).replay("4y 2y 1r")).splitlines()
    assert (lines[0], lines[-1]) == ("over", "seat 2 C colors rbg bid 1 won 1 hand 9 score 2")


@pytest.mark.clause("R21")
def test_a_paradox_is_in_the_headline() -> None:
    """The interrupted trick stays on the table."""
    lines = str(first_lead("1269 1249 4466").replay("1b 4r 4g 1y 6g 6r 2b 2y")).splitlines()
    assert (lines[0], lines[-1]) == ("over, paradox of seat 2", "trick 0:2b 1:2y")
    assert lines[-2] == "seat 2 C colors rg won 0 hand 4 6 score 0"


@pytest.mark.clause("R28", "R30")
def test_the_board_is_drawn_as_its_face_lies() -> None:
    """Purple shifts its rows; cells that are not in play leave a gap."""
    round = first_lead("123 123", face="purple", ranks=3).play("1b")
    assert draw_board(round).splitlines() == [
        "r1. r2. r3.",
        "    b1A b2. b3.",
        "        y1. y2. y3.",
        "            g1. g2. g3.",
    ]
    assert spaces(round)[1][:3] == [
        None,
        Space(Color.BLUE, 1, 0),
        Space(Color.BLUE, 2, None),
    ]


@pytest.mark.parametrize(("owner", "mark"), [(None, "."), (-1, "#"), (0, "A"), (4, "E")])
def test_a_token_is_one_character(owner: int | None, mark: str) -> None:
    """Empty, neutral, or the seat's letter."""
    assert Space(Color.RED, 1, owner).mark == mark
