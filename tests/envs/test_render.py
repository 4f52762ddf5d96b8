"""Pictures: the right size, the right colors, nothing that a seat may not know."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from policies import TABLES, moments, random_round

from catinthebox import Round
from catinthebox.envs import render
from catinthebox.envs.raster import LETTERS, glyph
from catinthebox.game.text import MARKS
from catinthebox.views import View


@pytest.mark.long
@pytest.mark.parametrize(("players", "face"), TABLES)
def test_a_table_has_one_size(players: int, face: str) -> None:
    """From the deal to the end, for every watcher."""
    rng = Random(players)
    path = [round for round, _, _ in moments(random_round(players, face, rng), rng)]
    end = path[-1]
    for _, seat, action in [*moments(path[-1], rng)]:
        end = end.play(action, seat)
    sizes = set()
    for round in (path[0], path[len(path) // 2], end):
        for watcher in (None, 0, players - 1):
            drawn = render.draw(View.of(round, watcher))
            assert drawn.dtype == np.uint8
            sizes.add(drawn.shape)
    assert len(sizes) == 1


def test_tokens_are_drawn_in_their_seats_color() -> None:
    """A disc of the seat that declared."""
    round = Round.deal(("1223345566", "1123344556", "1122344566"))
    before = render.draw(View.of(round, None))
    after = render.draw(View.of(round.replay("-2 -3 -4 =1 =3 =4 5b"), None))
    count = [(shown == render.SEATS[0]).all(axis=2).sum() for shown in (before, after)]
    assert count[1] > count[0] > 0


def test_a_paradox_is_drawn() -> None:
    """The causer's hand lies open (R22), and the scores are written."""
    start = Round.deal(("1122233333", "4444455555"), aside="11122")
    end = start.replay("-2 -5 3b 4y 3y 5g 2g 5r 4r 2r")
    assert not np.array_equal(render.draw(View.of(end, None)), render.draw(View.of(end, 0)))


def test_every_letter_that_is_written_can_be_drawn() -> None:
    """Words of the render, digits, seats."""
    words = "PARADOX DISCARD BID PLAY OVER OPEN CLOSED TRICK WON SCORE-0123456789" + MARKS
    assert set(words) - {" "} <= set(LETTERS)
    assert all(glyph(letter, 12).max() == 1 for letter in LETTERS)
