"""A number for a state."""

from __future__ import annotations

import pytest
from oracle import Oracle
from oracle import fingerprint as naive
from sample_rounds import ASIDE, THREE, TWO, cells, positions

from catinthebox import Round
from catinthebox.rules.fingerprint import PRIME, fingerprint, led_color, mix, tokens
from catinthebox.rules.layout import (
    BID,
    DISCARD,
    HAND,
    LANE,
    LEADER,
    LED,
    MAY,
    OWN,
    PARADOX,
    PHASE,
    RED_OPEN,
    ROW,
    TRICK,
    TURN,
    WON,
)


@pytest.mark.parametrize(
    ("before", "value", "mixed"),
    [(0, 0, 1), (0, -1, 0), (1, 0, 1_000_004), (PRIME - 1, 0, PRIME - 1_000_002)],
)
def test_mixing_is_a_multiplication_and_an_addition(before: int, value: int, mixed: int) -> None:
    """Modulo a prime of 31 bits, so that products stay small."""
    assert mix(before, value) == mixed


@pytest.mark.parametrize("held", range(16))
def test_color_tokens_become_four_bits(held: int) -> None:
    """Red 1, blue 2, yellow 4, green 8."""
    rows = sum(ROW << LANE * color for color in range(4) if held >> color & 1)
    assert tokens(rows) == held


def test_the_led_color_is_a_number_from_one_or_zero() -> None:
    """Nothing led is 0, red 1 … green 4."""
    assert [led_color(led) for led in (0, *(ROW << LANE * color for color in range(4)))] == [
        *range(5)
    ]


@pytest.mark.parametrize(
    ("hands", "aside", "moves"),
    [
        (THREE, "", ""),
        (THREE, "", "-2 -3 -4 =1"),
        (THREE, "", "-2 -3 -4 =1 =3 =4 5b 6r 1b 5r"),
        (TWO, ASIDE, "-1 -4 1b 4r"),
    ],
)
def test_a_fingerprint_is_the_one_the_oracle_computes(
    hands: tuple[str, ...], aside: str, moves: str
) -> None:
    """Two representations, one number."""
    table = Oracle(len(hands), hands, aside=aside)
    for move in moves.split():
        table.act(table.to_act()[0], move)
    assert fingerprint(Round.deal(hands, aside=aside).replay(moves).vector) == naive(table)


def test_different_moments_have_different_fingerprints() -> None:
    """31 bits tell all positions of some rounds apart, and none is out of range."""
    seen = {fingerprint(round.vector) for round in positions()}
    assert len(seen) == len(set(positions()))
    assert (min(seen) >= 0, max(seen) < PRIME) == (True, True)


@pytest.mark.parametrize(
    "slot",
    [PHASE, TURN, LEADER, LED, RED_OPEN, PARADOX, TRICK, HAND, MAY, OWN, WON, BID, DISCARD],
)
def test_every_slot_that_matters_changes_the_fingerprint(slot: int) -> None:
    """Nothing that matters for the rest of the round is left out."""
    s = Round.deal(THREE).replay("-2 -3 -4 =1 =3 =4 5b").vector.copy()
    before = fingerprint(s)
    s[slot] = s[slot] ^ 1 if slot != LED else cells("1y")
    assert fingerprint(s) != before
