"""Invariants of a round: all hold, and each is noticed when it does not."""

from __future__ import annotations

import copy
from collections.abc import Callable

import pytest
from sample_rounds import ASIDE, THREE, TWO, cells, first_lead, positions

from catinthebox import Round, audit
from catinthebox.game.audit import CHECKS
from catinthebox.rules.layout import (
    COLUMN,
    FREE,
    HAND,
    HELD,
    LANE,
    LEFT,
    LEGAL,
    MAY,
    OWN,
    PARADOX,
    RED_OPEN,
    ROW,
    TRICK,
    WON,
    State,
)

PLAYING = Round.deal(THREE).replay("-2 -3 -4 =1 =3 =4 5b 6y")
AT_TWO = Round.deal(TWO, aside=ASIDE).replay("-1 -4 1b")
OVER = first_lead("49 29 19").replay("4y 2y 1y")
PARADOX_OF_2 = first_lead("1269 1249 4466").replay("1b 4r 4g 1y 6g 6r 2b 2y")


def test_every_moment_of_real_rounds_is_sound() -> None:
    """Good news for all random rounds, and for the rounds spoiled below."""
    for round in (*positions(), PLAYING, AT_TWO, OVER, PARADOX_OF_2):
        assert audit(round) == []


Spoil = Callable[[State], None]


def put(slot: int, value: int) -> Spoil:
    """Overwrite a slot."""

    def spoil(s: State) -> None:
        s[slot] = value

    return spoil


def add(slot: int, value: int) -> Spoil:
    """Add to a slot."""

    def spoil(s: State) -> None:
        s[slot] += value

    return spoil


def flip(slot: int, bits: int) -> Spoil:
    """Change bits of a slot."""

    def spoil(s: State) -> None:
        s[slot] ^= bits

    return spoil


def no_way_out(s: State) -> None:
    """The seat on turn can play nothing, and the round goes on."""
    s[HELD + 2] = s[LEGAL] = 0


EVERY: list[tuple[str, str, Round, Spoil, str]] = [
    ("cards", "R5", PLAYING, add(HAND, 1), "seat 0 was dealt 1223345566 and now accounts for"),
    ("copies", "R5", PLAYING, add(HAND, 1), "there are 6 cards of rank 1"),
    ("held", "R11", PLAYING, flip(HELD + 1, COLUMN), "seat 1's cells do not match its hand"),
    ("cells", "R12", PLAYING, flip(FREE, cells("5b")), "a cell of seat 0 is also free"),
    ("cells", "R12", PLAYING, flip(OWN + 2, cells("5b")), "a cell of seat 2 is also free"),
    ("cells", "R12", PLAYING, flip(FREE, cells("9g")), "outside the ranks in play"),
    ("neutral", "R6", PLAYING, flip(FREE, cells("1g")), "1 neutral tokens lie on the board"),
    ("neutral", "R6", AT_TWO, flip(FREE, cells("1g")), "2 neutral tokens lie on the board"),
    ("neutral", "R6", AT_TWO, flip(FREE, cells("1g 1r")), "a neutral token lies on red"),
    ("rows", "R13", PLAYING, flip(MAY, cells("9g")), "seat 0 holds part of a color"),
    ("last token", "R17", PLAYING, put(MAY + 2, 0), "seat 2 holds no color at all"),
    ("lost tokens", "R16", PLAYING, flip(MAY + 1, ROW << LANE), "seat 1 holds"),
    ("lost tokens", "R16", PLAYING, flip(MAY + 2, ROW), "seat 2 holds"),
    ("red", "R14", PLAYING, put(RED_OPEN, 1), "red is marked open"),
    ("red", "R14", PARADOX_OF_2, put(RED_OPEN, 0), "red is marked closed"),
    ("tricks", "R19", PLAYING, add(WON, 1), "(1, 0, 0) won and 8 left of 8"),
    ("tricks", "R19", PLAYING, add(LEFT, -1), "(0, 0, 0) won and 7 left of 8"),
    ("hand sizes", "R10", PLAYING, add(HAND + 1, -1), "hands of [7, 8, 9] cards at one table"),
    ("trick", "R11", PLAYING, flip(TRICK, cells("1g")), "not those of the history"),
    ("legal", "R12", PLAYING, flip(LEGAL, cells("1g")), "the stored legal cells are out of date"),
    ("legal", "R12", OVER, put(LEGAL, 1), "the stored legal cells are out of date"),
    ("paradox", "R20", PLAYING, no_way_out, "seat 2 cannot play, and the round goes on"),
    ("paradox", "R20", OVER, put(PARADOX, 1), "seat 1 could have played"),
    ("last card", "R19", OVER, add(HAND + 2, 1), "hands at the end: ((9,), (9,), (1, 9))"),
    ("empty cells", "F1", OVER, flip(FREE, cells("4y")), "2 tokens lie, 34 cells are empty"),
    ("replay", "R11", PLAYING, put(RED_OPEN, 1), "the history does not lead to this state"),
]


@pytest.mark.clause("R5", "R6", "R10", "R11", "R12", "R13", "R14", "R16", "R17", "R19", "R20", "F1")
@pytest.mark.parametrize(
    ("name", "clause", "round", "spoil", "sentence"),
    EVERY,
    ids=[f"{name}: {sentence}" for name, *_, sentence in EVERY],
)
def test_a_broken_invariant_is_named(
    name: str, clause: str, round: Round, spoil: Spoil, sentence: str
) -> None:
    """A spoiled copy is reported by this name; so is the replay, which never fits."""
    spoiled = copy.copy(round)
    spoiled.vector = round.vector.copy()
    spoil(spoiled.vector)
    found = [broken for broken in audit(spoiled) if broken.name == name]
    assert [(broken.name, broken.clause) for broken in found] == [(name, clause)]
    assert sentence in found[0].message
    assert "replay" in {broken.name for broken in audit(spoiled)}
    assert audit(round) == []


def test_every_check_has_a_case() -> None:
    """Every check of the audit reports something of the table above."""
    assert {name for name, *_ in EVERY} == {
        *("cards", "copies", "held", "cells", "neutral", "rows", "last token", "lost tokens"),
        *("red", "tricks", "hand sizes", "trick", "legal", "paradox", "last card"),
        *("empty cells", "replay"),
    }
    assert len(CHECKS) == 10
