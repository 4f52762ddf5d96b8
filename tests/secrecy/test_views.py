"""The secrecy law for views: what a seat cannot know changes no byte of what it is shown (R33)."""

from __future__ import annotations

import pickle
from itertools import pairwise
from random import Random

import pytest
from policies import TABLES
from secrecy.pairs import Pair, pairs, told_apart

from catinthebox import ACTIONS, Round
from catinthebox.players import Budget
from catinthebox.players.modest import Modest
from catinthebox.rules.chance import seeded
from catinthebox.views import Event, View, opening, visible

PAIRS = 1_500  # at each of six tables
OFTEN = 25  # one moment in so many is looked at in every way
COUNTED = 16  # and one of so many of these is counted


def events(before: Round, after: Round, seat: int | None) -> tuple[Event, ...]:
    """What a seat sees of the action between two moments."""
    (played,) = set(after.actions) - set(before.actions)
    return visible(before, played, after, seat)


def cheap(view: View) -> bytes:
    """What is compared for every pair: the view as text, what is legal, its pickle."""
    return repr((repr(view), view._v, view.legal, view.hand_sizes)).encode() + pickle.dumps(view)


def costly(view: View) -> bytes:
    """What is compared now and then: everything that can be asked of a view."""
    reasons = [str(view.why(action)) for action in ACTIONS]
    facts = view.unseen, view.cannot_hold, view.explain_paradox(), hash(view), view.moves
    more = view.scores, view.revealed, view.board, view.sample(seeded(1, 1))
    return repr((str(view), reasons, facts, more)).encode()


def bot(round: Round, seat: int | None) -> bytes:
    """What the simple opponent does."""
    if seat is None or seat not in round.to_act:
        return b""
    return str(Modest().choose(View.of(round, seat), Budget(), Random(5))).encode()


@pytest.mark.long
@pytest.mark.clause("R32", "R33")
@pytest.mark.parametrize(("players", "face"), TABLES)
def test_views_reveal_nothing_hidden(players: int, face: str) -> None:
    """Events, text, legal actions, reasons, counts, samples and pickles are the same bytes."""
    rng = Random(f"{players} {face}")
    compared = 0
    while compared < PAIRS:
        for pair in pairs(players, face, rng, 8):
            compared += compare(pair, compared)
    assert compared >= PAIRS


def compare(pair: Pair, before: int) -> int:
    """Compare every moment of two rounds; count those at which the hidden cards differ."""
    seat, steps = pair.seat, list(pair.steps())
    left, right = (View(opening(round, seat)) for round in pair[1:])
    compared = 1
    for then, now in pairwise(steps):
        seen = events(then.left, now.left, seat)
        assert repr(seen) == repr(events(then.right, now.right, seat))
        left, right = left.see(*seen), right.see(*events(then.right, now.right, seat))
        assert cheap(left) == cheap(right)
        assert not told_apart(now, bot)
        compared += 1
        if (before + compared) % OFTEN == 0:
            assert left == right
            assert costly(left) == costly(right)
        if (before + compared) % (OFTEN * COUNTED) == 0:
            assert left.worlds() == right.worlds()
            assert left.arrangements() == right.arrangements()
    return compared


def test_the_law_notices_a_leak() -> None:
    """A function that shows another hand, or another discard, is caught."""
    some = list(pairs(3, "white", Random(1), 60))

    def next_hand(round: Round, seat: int | None) -> bytes:
        return repr(round.hands[0 if seat is None else (seat + 1) % 3]).encode()

    def next_discard(round: Round, seat: int | None) -> bytes:
        return repr(round.discards[0 if seat is None else (seat + 1) % 3]).encode()

    assert any(told_apart(pair, next_hand) for pair in some)
    assert any(told_apart(pair, next_discard) for pair in some)


def test_pairs_are_pairs() -> None:
    """The rounds differ, their public side does not, and the own cards do not."""
    for pair in pairs(4, "purple", Random(2), 100):
        seat, left, right = pair
        assert left != right
        assert left.board == right.board
        assert left.scores == right.scores
        if seat is not None:
            assert left.hands[seat] == right.hands[seat]
            assert left.discards[seat] == right.discards[seat]
