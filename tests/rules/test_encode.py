"""A view as numbers: every field says what the round says, relative to the seat that looks."""

from __future__ import annotations

import pytest
from sample_rounds import positions

from catinthebox import NEUTRAL, Color, Phase, Round
from catinthebox.rules import encode
from catinthebox.rules.layout import NOBODY, SIZE
from catinthebox.rules.sight import observe


def numbers(round: Round, seat: int) -> dict[str, list[int]]:
    """The encoded view of a seat, by field."""
    view, out = [0] * SIZE, [0] * encode.WIDTH
    observe(round.vector, seat, view)
    encode.encode(view, seat, out)
    fields, at = {}, 0
    for name, size in encode.FIELDS:
        fields[name] = out[at : at + size]
        at += size
    return fields


def one_hot(place: int | None, size: int) -> list[int]:
    """A single one, or none."""
    return [int(index == place) for index in range(size)]


def test_offsets_are_those_of_the_fields() -> None:
    """Every AT_… constant is where its field begins."""
    at = 0
    for name, size in encode.FIELDS:
        assert getattr(encode, f"AT_{name.upper()}") == at
        at += size
    assert at == encode.WIDTH


def test_the_own_cards_are_encoded() -> None:
    """Hand, discard, phase and player count."""
    for round in positions():
        for seat in range(round.players):
            seen = numbers(round, seat)
            assert seen["hand"] == [round.hands[seat].count(rank) for rank in range(1, 10)]
            discard = round.discards[seat]
            assert seen["discard"] == one_hot(None if discard is None else discard - 1, 9)
            assert seen["players"] == one_hot(round.players - 2, 4)
            assert seen["phase"] == one_hot(list(Phase).index(round.phase), 3)


@pytest.mark.clause("R6", "R32")
def test_the_board_is_encoded() -> None:
    """Free cells, everybody's, neutral ones, and the cards of the trick."""
    for round in positions():
        ranks, board, trick = round.setup.cards.ranks, round.board, round.trick
        for seat in range(round.players):
            seen = numbers(round, seat)
            for color in Color:
                for rank in range(1, 10):
                    at, owner = color * 9 + rank - 1, board.get((color, rank))
                    assert seen["free"][at] == (owner is None and rank <= ranks)
                    assert seen["neutral"][at] == (owner == NEUTRAL)
                    owners = [seen["own"][36 * step + at] for step in range(5)]
                    mine = owner is not None and owner >= 0
                    there = (owner - seat) % round.players if mine and owner is not None else None
                    assert owners == one_hot(there, 5)
                    played = any(a.color is color and a.rank == rank for _, a in trick)
                    assert seen["trick"][at] == played


@pytest.mark.clause("R32")
def test_the_table_is_encoded() -> None:
    """Tokens, bids, tricks, hand sizes, leader, starter, turn, led color, who is winning."""
    for round in positions():
        for seat in range(round.players):
            seen = numbers(round, seat)
            order = [(seat + step) % round.players for step in range(round.players)]
            for step, other in enumerate(order):
                held = [int(color in round.tokens[other]) for color in Color]
                assert seen["tokens"][4 * step : 4 * step + 4] == held
                assert seen["bid"][step] == (round.bids[other] or 0)
                assert seen["won"][step] == round.won[other]
                assert seen["cards"][step] == len(round.hands[other])
                assert seen["discarded"][step] == (round.discards[other] is not None)
            assert seen["leader"] == one_hot(order.index(round.leader), 5)
            assert seen["starter"] == one_hot(order.index(round.starter), 5)
            turn = None if round.turn is None else order.index(round.turn)
            assert seen["turn"] == one_hot(turn, 5)
            led = round.trick[0].action.color if round.trick else None
            assert seen["led"] == one_hot(led, 4)
            winning = None if round.winning is None else order.index(round.winning)
            assert seen["winning"] == one_hot(winning, 5)
            assert seen["red_open"] == [int(round.red_open)]
            assert seen["left"] == [round.setup.cards.tricks - sum(round.won)]


@pytest.mark.clause("R33")
def test_other_hands_change_nothing() -> None:
    """Swap the hidden cards of two other seats: the numbers stay."""
    compared = 0
    for round in positions():
        if round.players < 3 or round.over:
            continue
        other = round.vector.copy()
        for slot in ("HAND", "HELD", "DISCARD"):
            at = getattr(encode, slot)
            other[at + 1], other[at + 2] = other[at + 2], other[at + 1]
        if (round.vector[encode.DISCARD + 1] == 0) != (round.vector[encode.DISCARD + 2] == 0):
            continue
        views = [[0] * SIZE, [0] * SIZE]
        rows = [[0] * encode.WIDTH, [0] * encode.WIDTH]
        for state, view, row in zip((round.vector, other), views, rows, strict=True):
            observe(state, 0, view)
            encode.encode(view, 0, row)
        if round.turn not in (1, 2):
            assert rows[0] == rows[1]
            compared += 1
    assert compared > 50
    assert NOBODY == -1
