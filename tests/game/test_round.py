"""A round as people hold it."""

from __future__ import annotations

import copy
import pickle
from random import Random

import pytest
from policies import TABLES, random_round
from sample_rounds import ASIDE, THREE, TWO, first_lead, normal_ends, positions, refused, whole

from catinthebox import (
    NEUTRAL,
    Action,
    Color,
    Deck,
    Face,
    LegalActions,
    NotLegal,
    NotUnderstood,
    NotYourTurn,
    Phase,
    Play,
    Round,
    Setup,
    Trick,
)

LEADING = Round.deal(THREE).replay("-2 -3 -4 =1 =3 =4")
MICRO = first_lead("49 29 19")


# ── Acting ───────────────────────────────────────────────────────────────────────────────────


def test_playing_gives_a_new_round_and_leaves_the_old_one() -> None:
    """A round is a moment; nothing changes it."""
    before = LEADING.vector.copy()
    after = LEADING.play("5b")
    assert after is not LEADING
    assert (LEADING.vector, LEADING.turn, after.turn) == (before, 0, 1)


def test_actions_are_taken_as_objects_or_as_notation() -> None:
    """Both lead to the same round."""
    assert LEADING.play("5b") == LEADING.play(Action("5b")) == LEADING.play("5b", 0)
    assert LEADING.why("5r") == LEADING.why(Action("5r"), 0)


@pytest.mark.clause("R10")
def test_acting_out_of_turn_says_whose_turn_it_is() -> None:
    """A kind of error of its own, and no list of actions for somebody who has none."""
    with pytest.raises(NotYourTurn) as caught:
        LEADING.play("5b", 2)
    assert (caught.value.code, caught.value.clause) == ("turn.not_yours", "R10")
    assert str(caught.value) == "it is seat 0's turn (R10)"


@pytest.mark.clause("R14")
def test_an_illegal_action_says_what_is_legal() -> None:
    """The sentence ends with everything the seat may do."""
    with pytest.raises(NotLegal) as caught:
        MICRO.play("4r")
    assert not isinstance(caught.value, NotYourTurn)
    assert str(caught.value) == (
        "red may not be led before somebody has declared red; your 4 can still be "
        "blue, yellow or green (R14); legal: 4b 4y 4g 9b 9y 9g"
    )


@pytest.mark.clause("R19")
def test_after_the_end_nothing_is_legal_and_nothing_is_listed() -> None:
    """No matter who asks, and for which seat."""
    over = MICRO.replay("4y 2y 1y")
    for seat in (None, 0, 2):
        with pytest.raises(NotLegal) as caught:
            over.play("9b", seat)
        assert str(caught.value) == "the round is over (R19)"
    assert (over.legal, over.legal_for(1), over.to_act) == (LegalActions(), LegalActions(), ())


@pytest.mark.parametrize("seat", [-1, 3, 99])
def test_a_seat_that_is_not_at_the_table_is_not_understood(seat: int) -> None:
    """Asking, playing and explaining all check it."""
    for ask in (LEADING.legal_for, lambda n: LEADING.play("5b", n), lambda n: LEADING.why("5b", n)):
        with pytest.raises(NotUnderstood, match=f"there is no seat {seat}; seats are 0 to 2") as e:
            ask(seat)
        assert e.value.code == "input.seat"


@pytest.mark.parametrize("word", ["x:-5", ":-5", "-1:-5", "10:-5", "²:-5"])
def test_a_line_of_actions_names_seats_by_number(word: str) -> None:
    """Something else before the colon is not understood."""
    with pytest.raises(NotUnderstood):
        Round.deal(THREE).replay(word)


def test_the_sentence_shows_the_word_that_was_not_understood() -> None:
    """The word stands in quotes."""
    with pytest.raises(NotUnderstood, match="'x:-5': a seat number stands before ':'") as caught:
        Round.deal(THREE).replay("-2 x:-5")
    assert caught.value.code == "input.seat"


def test_a_seat_number_of_any_length_is_not_understood() -> None:
    """Nobody can make the program fail with a long number."""
    with pytest.raises(NotUnderstood):
        Round.deal(THREE).replay("9" * 5000 + ":-5")


@pytest.mark.clause("R7")
def test_seats_may_discard_in_any_order() -> None:
    """The lowest seat that waits is the usual one; others are named."""
    round = Round.deal(THREE).play("-4", 2)
    assert (round.turn, round.to_act, round.discards) == (0, (0, 1), (None, None, 4))
    assert round.moves == "2:-4"
    assert round.replay("1:-3").moves == "1:-3 2:-4"
    assert round.replay("-2 -3").moves == "-2 -3 -4"
    assert refused(round, "-4", 2).code == "turn.already_discarded"


@pytest.mark.clause("R5")
def test_a_round_can_be_shuffled() -> None:
    """The same deal as the set-up's, on the face and with the starter asked for."""
    purple = Face.named("purple")
    round = Round.shuffled(3, Random(4), starter=2, face=purple)
    assert round.setup == Setup.shuffled(3, Random(4), 2, purple)
    assert (round.starter, round.face, round.players) == (2, purple, 3)


# ── Asking ───────────────────────────────────────────────────────────────────────────────────


def test_a_fresh_round_shows_what_was_dealt() -> None:
    """Full hands, four color tokens each, nothing else."""
    round = Round.deal(THREE, starter=1)
    assert round.hands[0] == (1, 2, 2, 3, 3, 4, 5, 5, 6, 6)
    assert (round.phase, round.over, round.turn, round.to_act) == (
        Phase.DISCARD,
        False,
        0,
        (0, 1, 2),
    )
    assert (round.bids, round.discards, round.won) == ((None,) * 3, (None,) * 3, (0, 0, 0))
    assert (round.tokens, round.board, round.red_open) == ((tuple(Color),) * 3, {}, False)
    assert (round.tricks, round.trick, round.actions, round.moves) == ((), (), (), "")
    assert (round.leader, round.paradox, round.groups, round.scores) == (1, None, (0, 0, 0), None)


def test_a_round_in_play_shows_its_tricks() -> None:
    """A complete trick has a winner, the current one has none yet."""
    round = first_lead("149 129 139").replay("4y 2y 1r 3b")
    first = Trick((Play(0, Action("4y")), Play(1, Action("2y")), Play(2, Action("1r"))), 2)
    assert round.tricks == (first, Trick((Play(2, Action("3b")),), None))
    assert [trick.led for trick in round.tricks] == [Color.YELLOW, Color.BLUE]
    assert round.trick == (Play(2, Action("3b")),)
    assert (round.won, round.leader, round.turn, round.red_open) == ((0, 0, 1), 2, 0, True)


@pytest.mark.clause("R18")
@pytest.mark.parametrize(
    ("moves", "seat"),
    [("", None), ("4y", 0), ("4y 2y", 0), ("4y 5y", 1), ("4y 2r", 1), ("4y 2b", 0)],
)
def test_the_card_that_is_winning_so_far(moves: str, seat: int | None) -> None:
    """Red over the led color; nobody while the trick is empty."""
    assert first_lead("149 259 139").replay(moves).winning == seat


def test_between_tricks_the_table_is_empty() -> None:
    """The last trick is complete, so there is no current one."""
    round = first_lead("149 129 139").replay("4y 2y 1r")
    assert (round.trick, len(round.tricks), round.leader) == ((), 1, 2)
    assert round.winning is None


@pytest.mark.clause("R6")
def test_the_board_shows_owners_and_neutral_tokens() -> None:
    """Minus one is nobody."""
    round = first_lead("159 259", turned="55", ranks=9).replay("5b 2r")
    assert NEUTRAL == -1
    assert round.board == {
        (Color.RED, 2): 1,
        (Color.BLUE, 5): 0,
        (Color.YELLOW, 5): NEUTRAL,
        (Color.GREEN, 5): NEUTRAL,
    }


@pytest.mark.clause("R23", "R25", "R27")
def test_scores_appear_when_the_round_is_over() -> None:
    """Two players' bonus, and bids met and missed."""
    playing = first_lead("49 29 19", bids=(1, 1, 1)).replay("4y 2y")
    assert playing.scores is None
    over = playing.play("1r")
    assert (over.won, over.groups, over.scores) == ((0, 0, 1), (1, 1, 1), (0, 0, 2))


@pytest.mark.clause("R24", "R25")
def test_a_paradox_costs_its_causer_and_leaves_the_others_their_bonus() -> None:
    """Seats 0 and 1 met their bids of one when somebody else's paradox ended the round."""
    round = first_lead("1269 1249 4466", bids=(1, 1, 1)).replay("1b 4r 4g 1y 6g 6r 2b 2y")
    assert (round.paradox, round.won) == (2, (1, 1, 0))
    assert round.groups == (2, 2, 1)
    assert round.scores == (3, 3, 0)


@pytest.mark.clause("R24")
def test_a_causer_with_a_trick_scores_less_than_nothing() -> None:
    """Minus one per trick won."""
    round = first_lead("11199 23444").replay("1b 2g 1y 3g 1g 4r")
    assert (round.paradox, round.won, round.groups) == (1, (2, 1), (3, 2))
    assert round.scores == (5, -1)


@pytest.mark.clause("R21", "R27")
def test_tokens_of_an_interrupted_trick_count_for_groups() -> None:
    """Blue 2 was played into the trick that nobody won, and it joins blue 1."""
    round = first_lead("1269 1249 4466", bids=(1, 1, 1)).replay("1b 4r 4g 1y 6g 6r 2b 2y")
    assert round.board[Color.BLUE, 2] == 0
    assert round.groups[0] == 2


@pytest.mark.clause("R19")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_normal_end_leaves_one_card_in_every_hand(players: int) -> None:
    """And all tricks have a winner."""
    for end in normal_ends(players):
        assert [len(hand) for hand in end.hands] == [1] * players
        assert sum(end.won) == len(end.tricks) == end.setup.cards.tricks
        assert [trick.winner is None for trick in end.tricks] == [False] * len(end.tricks)


# ── Text ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("players", "face"), TABLES)
def test_every_moment_prints_as_code_and_as_moves(players: int, face: str) -> None:
    """`repr` rebuilds the round; replaying its moves does too, down to the state."""
    rng = Random(11)
    for round in whole(random_round(players, face, rng), rng):
        assert eval(repr(round)) == round
        again = Round(round.setup).replay(round.moves)
        assert (again, again.vector) == (round, round.vector)


def test_repr_of_a_round_is_short() -> None:
    """Only what differs from the usual is written."""
    assert repr(Round.deal(("123", "456"), deck=Deck(6, 3)).play("-1")) == (
        "Round(Setup(('123', '456'), deck=Deck(ranks=6, dealt=3))).replay('-1')"
    )


def test_rounds_are_equal_if_deal_and_history_are() -> None:
    """Equal rounds have equal hashes; other things are not rounds."""
    other: object = "round"
    round = Round.deal(THREE).replay("2:-4 -2 -3 =1 =3 =4")
    assert round == LEADING
    assert hash(round) == hash(LEADING)
    assert round != round.play("5b")
    assert round != Round.deal(THREE, starter=1).replay("-2 -3 -4 =1 =3 =4")
    assert round != other


def test_rounds_can_be_copied_and_pickled() -> None:
    """A deck of workers may send them around."""
    for round in positions(1)[::10]:
        for twin in (copy.copy(round), copy.deepcopy(round), pickle.loads(pickle.dumps(round))):
            assert (twin, twin.vector) == (round, round.vector)


def test_two_players_start_with_their_neutral_tokens() -> None:
    """The whole deal for two."""
    round = Round.deal(TWO, aside=ASIDE)
    assert set(round.board) == {(Color.GREEN, 1), (Color.GREEN, 2), (Color.GREEN, 5)}


@pytest.mark.clause("R21")
def test_nobody_is_winning_an_interrupted_trick() -> None:
    """While it is played somebody is; after a paradox nobody."""
    round = first_lead("1269 1249 4466").replay("1b 4r 4g 1y 6g 6r 2b")
    assert round.winning == 0
    assert round.play("2y").over
    assert round.play("2y").winning is None


@pytest.mark.clause("R16")
def test_what_a_play_would_give_up() -> None:
    """The led color, if it is not declared and still there; a leader gives up nothing."""
    lead = first_lead("1689 2579 1389")
    assert lead.gives_up(Action("1b")) is None
    round = lead.play("1b")
    assert round.gives_up(Action("2y")) is Color.BLUE
    assert round.gives_up(Action("2b")) is None
    again = round.replay("2y 3b 8b 6b")
    assert again.turn == 1
    assert again.gives_up(Action("5g")) is None


@pytest.mark.clause("R24", "R25", "R26")
def test_the_bonus_is_earned_as_the_scores_say() -> None:
    """In every round that is over: a bonus exactly if the score is more than the tricks."""
    for round in positions():
        if round.scores is not None:
            for seat in range(round.players):
                more = round.scores[seat] > round.won[seat]
                assert round.bonus_earned(seat) == (more or bool(round.groups[seat] == 0))


@pytest.mark.clause("R12", "R13")
def test_what_a_card_could_still_be() -> None:
    """The colors whose cell is open and whose token is held, red included."""
    round = first_lead("115 456 789").replay("1b 4y 7y")
    assert round.could_be(0, 1) == (Color.RED, Color.YELLOW, Color.GREEN)
    assert round.could_be(1, 5) == (Color.RED, Color.YELLOW, Color.GREEN)
    assert round.could_be(0, 5) == tuple(Color)
