"""Actions as integers."""

from __future__ import annotations

import pytest
from sample_rounds import THREE, cell, cells, first_lead, positions

from catinthebox import Round
from catinthebox.rules.actions import (
    ACTIONS,
    FIRST_BID,
    FIRST_DISCARD,
    act,
    action_of_cell,
    cell_of_action,
    kind_phase,
    legal_actions,
    play_ids,
)
from catinthebox.rules.faces import CELLS
from catinthebox.rules.layout import BIDDING, BOARD, DISCARDING, LEGAL, PLAYING


def test_plays_and_cells_are_numbered_in_the_same_order() -> None:
    """Action 0 is red 1, action 35 is green 9; there and back is the identity."""
    assert [cell_of_action(action) for action in range(FIRST_DISCARD)] == list(CELLS)
    assert [action_of_cell(place) for place in CELLS] == list(range(FIRST_DISCARD))


@pytest.mark.parametrize("place", CELLS)
def test_a_set_of_one_cell_is_a_set_of_one_action(place: int) -> None:
    """Sets of cells become sets of actions bit by bit."""
    assert play_ids(1 << place) == 1 << action_of_cell(place)


def test_a_set_of_cells_moves_as_a_whole() -> None:
    """The whole board is all 36 plays, nothing is none, a mixture keeps its members."""
    assert play_ids(BOARD) == (1 << FIRST_DISCARD) - 1
    assert play_ids(0) == 0
    assert play_ids(cells("1r 9b 5y 1g")) == 1 | 1 << 17 | 1 << 22 | 1 << 27


def test_every_action_belongs_to_one_phase() -> None:
    """36 plays, nine discards, four bids."""
    phases = [kind_phase(action) for action in range(ACTIONS)]
    assert phases == [PLAYING] * 36 + [DISCARDING] * 9 + [BIDDING] * 4


@pytest.mark.clause("R7")
def test_while_discarding_every_waiting_seat_has_its_own_actions() -> None:
    """Each rank of the hand once, until the seat has set a card aside."""
    s = Round.deal(THREE).vector
    expected = sum(1 << FIRST_DISCARD + rank - 1 for rank in (1, 2, 3, 4, 5, 6))
    assert [legal_actions(s, seat) for seat in range(3)] == [expected] * 3
    act(s, 1, FIRST_DISCARD + 2)
    assert [legal_actions(s, seat) for seat in range(3)] == [expected, 0, expected]


@pytest.mark.clause("R8")
def test_while_bidding_only_the_seat_on_turn_has_actions() -> None:
    """One, three or four at three players, from the starter on."""
    s = Round.deal(THREE, starter=2).replay("-2 -3 -4").vector
    bids = 1 << FIRST_BID | 1 << FIRST_BID + 2 | 1 << FIRST_BID + 3
    assert [legal_actions(s, seat) for seat in range(3)] == [0, 0, bids]
    act(s, 2, FIRST_BID)
    assert [legal_actions(s, seat) for seat in range(3)] == [bids, 0, 0]


@pytest.mark.clause("R10", "R11")
def test_while_playing_only_the_seat_on_turn_has_actions() -> None:
    """The stored legal cells, as actions; a play is carried out for the seat on turn."""
    s = first_lead("49 29 19").vector
    assert [legal_actions(s, seat) for seat in range(3)] == [play_ids(s[LEGAL]), 0, 0]
    act(s, 0, action_of_cell(cell("4y")))
    assert [legal_actions(s, seat) for seat in range(3)] == [0, play_ids(s[LEGAL]), 0]
    assert s[LEGAL] == cells("2r 2b 2y 2g 9r 9b 9y 9g")


@pytest.mark.clause("R19", "R21")
def test_nobody_has_an_action_after_the_end() -> None:
    """A finished round offers nothing, to a seat or to nobody."""
    ends = [round for round in positions() if round.over]
    assert len(ends) == 12
    for end in ends:
        assert [legal_actions(end.vector, seat) for seat in range(-1, end.players)] == [0] * (
            end.players + 1
        )
