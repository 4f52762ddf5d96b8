"""What a table shows beside the rules, held against what the game's objects say."""

from __future__ import annotations

from random import Random
from types import ModuleType

import numpy
import pytest
from policies import TABLES
from sample_rounds import cell, cells, first_lead, normal_ends, positions

from catinthebox import FACES, Action, Color, Phase, Round
from catinthebox.fast import cpu
from catinthebox.game.why import gave_up
from catinthebox.rules.explain import (
    FOLLOWS,
    GIVES_UP,
    LEADS,
    OPENS_RED,
    TOPS,
    TRUMPS,
    group_cells,
    group_with,
    lost_in_trick,
    open_cells,
    play_effects,
)
from catinthebox.rules.faces import CELLS
from catinthebox.rules.layout import LANE, OWN, SIZE
from catinthebox.rules.score import largest_group
from catinthebox.rules.sight import could_be, observe

FACE_TOUCH = [FACES["white"].touch, FACES["purple"].touch]


def declared(round: Round) -> list[int]:
    """The cells of a round in the order in which they were declared."""
    return [cell(str(action)) for _, action in round.actions if action.color is not None]


# ── A play ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.clause("R14", "R16", "R18")
def test_what_a_play_does_is_what_happens() -> None:
    """From the view of the seat alone: leads, opens red, follows, trumps, gives up, is on top."""
    seen = set()
    for round in positions():
        if round.phase is not Phase.PLAY:
            continue
        seat = round.turn
        assert seat is not None
        view = [0] * SIZE
        observe(round.vector, seat, view)
        for action in round.legal_for(seat):
            effects = play_effects(view, seat, cell(str(action)))
            assert effects == expected(round, action)
            seen.add(effects)
    followed = {FOLLOWS, FOLLOWS | TOPS}
    trumped = {TRUMPS, TRUMPS | TOPS, TRUMPS | GIVES_UP, TRUMPS | GIVES_UP | TOPS}
    assert seen == {LEADS, LEADS | OPENS_RED, *followed, *trumped, GIVES_UP, 0}


def expected(round: Round, action: Action) -> int:
    """What the objects of the game say about a legal play."""
    if not round.trick:
        opens = action.color is Color.RED and not round.red_open
        return LEADS | OPENS_RED if opens else LEADS
    after = round.play(action)
    best = after.winning if after.trick else after.leader  # with the last card, the winner leads
    tops = TOPS if best == round.turn else 0
    if action.color is round.trick[0].action.color:
        return FOLLOWS | tops
    trumps = TRUMPS if action.color is Color.RED else 0
    return trumps | tops | (GIVES_UP if round.gives_up(action) is not None else 0)


@pytest.mark.clause("R27")
def test_the_group_with_one_more_token_is_the_group_after_the_play() -> None:
    """For every legal play of some hundred positions."""
    for round in positions():
        if round.phase is not Phase.PLAY:
            continue
        seat = round.turn
        assert seat is not None
        for action in round.legal_for(seat):
            size = group_with(round.vector, seat, cell(str(action)), round.face.touch)
            assert size == round.play(action).groups[seat]


@pytest.mark.clause("R12", "R13")
def test_what_a_card_could_be_is_an_open_cell_with_a_token() -> None:
    """The colors that `Round.could_be` names, for every seat and rank."""
    for round in positions():
        for seat in range(round.players):
            for rank in range(1, round.setup.cards.ranks + 1):
                colors = round.could_be(seat, rank)
                expected = cells(" ".join(f"{rank}{color.letter}" for color in colors))
                assert open_cells(round.vector, seat, rank) == expected


@pytest.mark.clause("R12", "R13")
def test_what_a_hand_could_be_is_what_its_cards_could_be() -> None:
    """The cells of every rank in it, together."""
    for round in positions():
        for seat, hand in enumerate(round.hands):
            expected = 0
            for rank in hand:
                expected |= open_cells(round.vector, seat, rank)
            assert could_be(round.vector, seat) == expected


# ── The trick in which a color was lost ──────────────────────────────────────────────────────


@pytest.mark.clause("R16")
def test_the_trick_in_which_a_color_was_lost_is_the_one_that_refusals_name() -> None:
    """For every seat and color: that number, or 0 while the token is there."""
    lost = 0
    for round in [*positions(), *normal_ends(3), *normal_ends(5)]:
        plays = declared(round)
        for seat in range(round.players):
            for color in Color:
                number = lost_in_trick(round.vector, plays, len(plays), seat, color)
                kept = color in round.tokens[seat]
                assert number == (0 if kept else gave_up(round, seat, color))
                lost += not kept
    assert lost > 200


@pytest.mark.clause("R16")
def test_later_plays_are_not_read() -> None:
    """Only the first `count` cells count."""
    round = first_lead("123 456 789", bids=(1, 1, 1)).play("1b").play("4y")
    plays = declared(round)
    assert lost_in_trick(round.vector, plays, 2, 1, Color.BLUE) == 1
    assert lost_in_trick(round.vector, plays, 1, 1, Color.BLUE) == 0
    assert lost_in_trick(round.vector, plays, 2, 1, Color.YELLOW) == 0


# ── Groups ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.clause("R27")
@pytest.mark.parametrize("touch", FACE_TOUCH, ids=["white", "purple"])
def test_the_cells_of_the_largest_group_are_connected_and_as_many(touch: list[int]) -> None:
    """As many as `largest_group` counts, and each reached from the lowest one."""
    rng = Random(27)
    for _ in range(400):
        tokens = sum(1 << bit for bit in rng.sample(list(CELLS), rng.randrange(14)))
        group = group_cells(tokens, touch)
        assert group & ~tokens == 0
        assert group.bit_count() == largest_group(tokens, touch)
        assert spread(group & -group, group, touch) == group


def spread(start: int, within: int, touch: list[int]) -> int:
    """Everything that is reached from some cells inside a set, step by step."""
    near = start
    for bit in CELLS:
        if start >> bit & 1:
            near |= touch[bit] & within
    return start if near == start else spread(near, within, touch)


@pytest.mark.clause("R27")
def test_of_equal_groups_the_one_with_the_lowest_cell_is_shown() -> None:
    """So that the drawing does not depend on chance."""
    assert group_cells(cells("1r 2r 5g 6g"), FACE_TOUCH[0]) == cells("1r 2r")
    assert group_cells(cells("5g"), FACE_TOUCH[0]) == cells("5g")
    assert group_cells(0, FACE_TOUCH[0]) == 0


# ── Compiled ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.long
def test_it_says_the_same_compiled() -> None:
    """All of it, over some positions of every player count."""
    compiled: ModuleType = cpu.rules().explain
    touch = numpy.array(FACE_TOUCH[1], dtype=numpy.int64)
    assert len({(round.players, round.face.name) for round in positions()}) == len(TABLES)
    for round in positions()[::9]:
        array = numpy.array(round.vector, dtype=numpy.int64)
        plays = declared(round)
        order = numpy.array([*plays, 0], dtype=numpy.int64)
        for seat in range(round.players):
            own = round.vector[OWN + seat]
            assert compiled.group_cells(own, touch) == group_cells(own, FACE_TOUCH[1])
            assert compiled.open_cells(array, seat, 3) == open_cells(round.vector, seat, 3)
            for color in Color:
                lost = lost_in_trick(round.vector, plays, len(plays), seat, color)
                assert compiled.lost_in_trick(array, order, len(plays), seat, int(color)) == lost
                place = LANE * color + 1
                effects = play_effects(round.vector, seat, place)
                assert compiled.play_effects(array, seat, place) == effects
                grown = group_with(round.vector, seat, place, FACE_TOUCH[1])
                assert compiled.group_with(array, seat, place, touch) == grown
