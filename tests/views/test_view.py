"""A view holds what its seat may know: all of it (R32), and nothing else (R33)."""

from __future__ import annotations

import pickle
from random import Random

import pytest
from policies import TABLES, moments, random_round
from sample_rounds import THREE, first_lead, positions
from views.brute import tiny

from catinthebox import (
    ACTIONS,
    Action,
    Color,
    Deck,
    Face,
    LegalActions,
    NotUnderstood,
    Phase,
    Round,
)
from catinthebox.game.round import NEUTRAL
from catinthebox.rules.layout import DISCARD, HAND, HELD, LEGAL, NOBODY, SIZE
from catinthebox.rules.sight import FACE_DOWN, hand_size, observe
from catinthebox.table import render
from catinthebox.views import (
    Dealt,
    Discarded,
    MyDiscard,
    PublicRound,
    View,
    mine,
    opening,
    public_round,
    visible,
)

SAME = (
    *("players", "starter", "face", "phase", "over", "turn", "to_act", "bids", "won", "tokens"),
    *("board", "leader", "trick", "tricks", "winning", "red_open", "groups", "paradox", "scores"),
)
"""Words that mean the same for a round and for a view."""


def tiny_rounds(number: int) -> list[Round]:
    rng = Random(number)
    return [tiny(rng) for _ in range(number)]


def seen_by_rules(round: Round, seat: int | None) -> list[int]:
    """The state as the rules let a seat observe it."""
    v = [0] * SIZE
    observe(round.vector, NOBODY if seat is None else seat, v)
    return v


def seats(round: Round) -> list[int | None]:
    return [None, *range(round.players)]


@pytest.mark.long
@pytest.mark.clause("R32")
def test_a_view_knows_everything_public() -> None:
    """Asked in the same words, view and round give the same answers, for every seat."""
    for round in [*positions(), *tiny_rounds(100)]:
        sizes = tuple(map(len, round.hands))
        for seat in seats(round):
            view = View.of(round, seat)
            for name in SAME:
                assert getattr(view, name) == getattr(round, name), (name, round)
            assert view.hand_sizes == sizes
            assert view.turned_up == tuple(map(int, round.setup.turned_up))
            assert view.explain_paradox() == round.explain_paradox()


@pytest.mark.long
@pytest.mark.clause("R33")
def test_a_view_knows_its_own_secrets() -> None:
    """Hand, discard, legal actions and the reason of every refusal are the seat's own."""
    for round in [*positions(), *tiny_rounds(60)]:
        for seat in range(round.players):
            view = View.of(round, seat)
            assert view.hand == round.hands[seat]
            assert view.discard == round.discards[seat]
            assert view.legal == round.legal_for(seat)
            assert [view.why(action) for action in ACTIONS] == [
                round.why(action, seat) for action in ACTIONS
            ]


@pytest.mark.clause("R32")
def test_a_public_round_is_what_a_spectator_sees() -> None:
    """Computed from the round or built up from events: every field is the same."""
    for round in positions():
        view, public = View.of(round), public_round(round)
        assert {name: getattr(view, name) for name in PublicRound._fields} == public._asdict()
        letters = ("".join(color.letter for color in tokens) for tokens in round.tokens)
        assert public.token_letters == tuple(letters)


@pytest.mark.clause("R33")
def test_a_public_round_depends_on_no_secret_slot() -> None:
    """With other hands, other ranks set aside and another legal set it is the same."""
    for round in positions():
        vector = round.vector.copy()
        vector[LEGAL] ^= ~0
        for seat in range(round.players):
            vector[HAND + seat] ^= ~0
            vector[HELD + seat] ^= ~0
            vector[DISCARD + seat] += vector[DISCARD + seat] != 0
        other = Round.trusted(round.setup, round.actions, vector)
        assert public_round(other) == public_round(round)


@pytest.mark.clause("R32")
def test_the_rows_of_the_board_show_every_cell() -> None:
    """A character for each cell: a digit for an owner, * for a neutral token, . for nothing."""
    marks = {None: ".", NEUTRAL: "*", 0: "0", 1: "1", 2: "2", 3: "3", 4: "4"}
    for round in positions():
        ranks = range(1, round.setup.cards.ranks + 1)
        cells = ["".join(marks[round.owner(color, rank)] for rank in ranks) for color in Color]
        assert public_round(round).board_rows == tuple(cells)


@pytest.mark.clause("R33")
def test_own_cards_are_what_each_seat_sees() -> None:
    """Hand, colors, discard and legal actions of every seat, without its view."""
    for round in positions():
        for seat, own in enumerate(mine(round)):
            shown = render.own(own)
            held = [holding.rank for holding in shown.hand for _ in range(holding.copies)]
            assert tuple(held) == round.hands[seat]
            for holding in shown.hand:
                colors = round.could_be(seat, holding.rank)
                assert holding.colors == "".join(color.letter for color in colors)
            assert (own.discard or None) == round.discards[seat]
            assert LegalActions(map(Action, own.notations)) == round.legal_for(seat)


@pytest.mark.clause("R32", "R33")
def test_events_and_rules_show_the_same() -> None:
    """Folding what a seat saw gives, slot by slot, what the rules let it observe of the state."""
    for round in [*positions(), *tiny_rounds(200)]:
        for seat in seats(round):
            assert View.of(round, seat)._v == seen_by_rules(round, seat), (round, seat)


@pytest.mark.clause("R33", "R22", "R7")
def test_no_secret_slot_is_observed() -> None:
    """Another hand is empty unless its seat caused a paradox; another discard lies face down."""
    for round in positions():
        for seat in seats(round):
            v = seen_by_rules(round, seat)
            for other in set(range(round.players)) - {seat}:
                shown = round.vector[HAND + other] if other == round.paradox else 0
                assert v[HAND + other] == shown
                assert (v[HELD + other] != 0) == (shown != 0)
                assert v[DISCARD + other] in (0, FACE_DOWN)
            if round.turn != seat:
                assert v[LEGAL] == 0


@pytest.mark.clause("R32")
def test_hand_sizes_are_public() -> None:
    """They follow from public slots at every moment."""
    for round in positions():
        v = seen_by_rules(round, None)
        assert [hand_size(v, seat) for seat in range(round.players)] == [*map(len, round.hands)]


@pytest.mark.long
@pytest.mark.parametrize(("players", "face"), TABLES)
def test_seeing_step_by_step_is_seeing_the_whole(players: int, face: str) -> None:
    """A view moved on by live events equals one made afterwards, whatever the order of discards."""
    rng = Random(players)
    before = random_round(players, face, rng)
    views = {seat: View(opening(before, seat)) for seat in seats(before)}
    for moment, seat, action in moments(before, rng):
        after = moment.play(action, seat)
        (played,) = set(after.actions) - set(moment.actions)
        for watcher, view in views.items():
            views[watcher] = view.see(*visible(moment, played, after, watcher))
            assert views[watcher] == View.of(after, watcher)
            assert hash(views[watcher]) == hash(View.of(after, watcher))


def test_a_deal_begins_a_new_view() -> None:
    """The next round begins with its deal."""
    round = Round.deal(THREE)
    view = View.of(round.replay("-2 -3"), 0)
    assert view.see(opening(round, 0)) == View.of(round, 0)


@pytest.mark.clause("R7", "R33")
def test_a_discard_is_seen_face_down() -> None:
    """That a seat has discarded is public, the rank is its own."""
    before = Round.deal(THREE)
    after = before.play("-3", 1)
    played = after.actions[-1]
    assert visible(before, played, after, 1) == (MyDiscard(1, 3),)
    for seat in (None, 0, 2):
        assert visible(before, played, after, seat) == (Discarded(1),)
        view = View.of(after, seat)
        assert (view.discarders, view.to_act, view.hand_sizes) == ((1,), (0, 2), (10, 9, 10))


@pytest.mark.clause("R22", "R21")
def test_a_paradox_shows_one_hand() -> None:
    """The causer's hand becomes public, other hands and all discards do not."""
    ends = [round for round in positions() if round.paradox is not None]
    assert len(ends) > 3
    for round in ends:
        assert round.paradox is not None
        for seat in seats(round):
            view = View.of(round, seat)
            assert view.revealed == round.hands[round.paradox]
            assert f"hand {' '.join(map(str, view.revealed))}" in str(view)


@pytest.mark.long
def test_every_text_form_rebuilds_the_view() -> None:
    """`repr`, `moves` and pickle give an equal view; printing needs no more than a view."""
    for round in [*positions(), *tiny_rounds(60)]:
        for seat in seats(round):
            view = View.of(round, seat)
            names = {"View": View, "Dealt": Dealt, "Face": Face, "Deck": Deck}
            assert eval(repr(view), names) == view
            assert pickle.loads(pickle.dumps(view)) == view
            assert str(view).startswith("spectator" if seat is None else f"seat {seat}:")


def test_a_view_of_a_drawn_face_is_rebuilt() -> None:
    """A face that does not come with the game travels as text."""
    places = Face.named("purple").places
    view = View.of(Round.deal(THREE, face=Face("mine", places)), 0)
    assert pickle.loads(pickle.dumps(view)).face == view.face


def test_what_a_seat_reads() -> None:
    """The text names the own cards and counts the others."""
    view = View.of(Round.deal(THREE).replay("-2 -3 -4 =1 =3 =4 5b"), 1)
    assert str(view).splitlines() == [
        "seat 1: play, seat 1 to act, red closed",
        "r1. r2. r3. r4. r5. r6.",
        "b1. b2. b3. b4. b5A b6.",
        "y1. y2. y3. y4. y5. y6.",
        "g1. g2. g3. g4. g5. g6.",
        "seat 0 A colors rbyg bid 1 won 0 8 cards",
        "seat 1 B colors rbyg bid 3 won 0 hand 1 1 2 3 4 4 5 5 6 discarded 3",
        "seat 2 C colors rbyg bid 4 won 0 9 cards",
        "trick 0:5b",
        "you may 1r 1b 1y 1g 2r 2b 2y 2g 3r 3b 3y 3g 4r 4b 4y 4g 5r 5y 5g 6r 6b 6y 6g",
    ]


@pytest.mark.clause("R32")
def test_a_spectator_sees_what_everybody_sees() -> None:
    """No hand, no legal action, no discard."""
    view = View.of(Round.deal(THREE).replay("-2 -3 -4"))
    assert (view.seat, view.hand, view.discard, len(view.legal)) == (None, (), None, 0)
    refusal = view.why("=1")
    assert refusal is not None
    assert refusal.code == "turn.not_yours"
    assert (view.ranks, view.dealt.hand) == (6, "")


def test_views_differ_if_what_was_seen_differs() -> None:
    """Another seat, another card, another order: another view. A round is no view."""
    round = Round.deal(THREE).replay("-2 -3 -4 =1 =3 =4 5b")
    assert View.of(round, 0) != View.of(round, 1)
    assert View.of(round, 0) != View.of(round.replay("6b"), 0)
    assert View.of(round, 0) != round


def test_a_position_for_study() -> None:
    """A round that begins before its first lead has bids, and nobody's discard is known."""
    round = first_lead("112 123 233", bids=(1, 3, 4), starter=1, ranks=3)
    for seat in seats(round):
        view = View.of(round, seat)
        assert (view.bids, view.discarders, view.discard) == ((1, 3, 4), (), None)
        assert view._v == seen_by_rules(round, seat)
        assert view.sample(Random(1)).bids == round.bids


def test_lines_that_make_no_sense() -> None:
    """A word that is no event is refused with a sentence."""
    view = View.of(Round.deal(THREE), 0)
    for word in ("7:-?", "x!12", "5x", "-"):
        with pytest.raises(NotUnderstood):
            view.replay(word)
    with pytest.raises(NotUnderstood):
        View.of(Round.deal(THREE)).replay("-3")
    with pytest.raises(NotUnderstood):
        View.of(Round.deal(THREE), 3)


def test_what_is_unseen() -> None:
    """Unseen cards are the deck less the own cards, the turned-up and the played ones."""
    view = View.of(Round.deal(THREE).replay("-2 -3 -4 =1 =3 =4 5b"), 1)
    assert view.unseen == {1: 3, 2: 4, 3: 3, 4: 3, 5: 2, 6: 4}
    assert Action("5b").color is Color.BLUE
    assert view.phase is Phase.PLAY
