"""Laws of any round at any moment, over rounds that Hypothesis picks."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from policies import MIX, TABLES, moments, random_round

from catinthebox import (
    ACTIONS,
    Action,
    Color,
    Face,
    Game,
    LegalActions,
    NotLegal,
    Phase,
    Round,
    Setup,
    audit,
)
from catinthebox.game import record

settings.register_profile("laws", deadline=None, max_examples=150, derandomize=True)
settings.load_profile("laws")


def trajectory(table: tuple[int, str], seed: int) -> list[Round]:
    """All moments of a round, its end included."""
    rng = Random(seed)
    path = list(moments(random_round(*table, rng), rng))
    last, seat, action = path[-1]
    return [*(moment for moment, _, _ in path), last.play(action, seat)]


tables = st.sampled_from(TABLES)
seeds = st.integers(0, 2**32)
whole_rounds = st.builds(trajectory, tables, seeds)
rounds = whole_rounds.flatmap(st.sampled_from)


@pytest.mark.long
@given(rounds)
def test_listed_actions_are_the_legal_actions(round: Round) -> None:
    """The law of legality: listed = explained as legal = accepted, for every seat and action."""
    for seat in range(round.players):
        listed = set(round.legal_for(seat))
        assert listed == {action for action in ACTIONS if round.why(action, seat) is None}
        assert listed == {action for action in ACTIONS if accepted(round, action, seat)}


def accepted(round: Round, action: Action, seat: int) -> bool:
    """Whether a round takes an action; a refusal must leave it as it was."""
    before = repr(round)
    try:
        round.play(action, seat)
    except NotLegal:
        return False
    finally:
        assert repr(round) == before
    return True


@pytest.mark.long
@given(whole_rounds)
@pytest.mark.clause("R4", "R5", "R17", "F1")
def test_every_moment_passes_the_audit(path: list[Round]) -> None:
    """Cards, cells, tokens, tricks and turns are consistent at every moment."""
    for round in path:
        assert audit(round) == []


@given(rounds)
def test_replaying_gives_the_same_round(round: Round) -> None:
    """Moves and repr both rebuild the round, state and history."""
    again = Round(round.setup).replay(round.moves)
    assert again == round
    assert again.vector == round.vector
    assert eval(repr(round)) == round
    assert hash(again) == hash(round)


@given(rounds, st.randoms(use_true_random=False))
@pytest.mark.clause("R7")
def test_the_order_of_discards_does_not_matter(round: Round, rng: Random) -> None:
    """Discards are simultaneous: any seat order leads to the same round."""
    discards = [done for done in round.actions if done.action.phase is Phase.DISCARD]
    rest = [done for done in round.actions if done.action.phase is not Phase.DISCARD]
    rng.shuffle(discards)
    again = Round(round.setup)
    for seat, action in [*discards, *rest]:
        again = again.play(action, seat)
    assert again == round
    assert again.vector == round.vector


@given(rounds, st.integers(1, 4))
@pytest.mark.clause("R2", "R10")
def test_seats_are_equal(round: Round, turn: int) -> None:
    """Turn the table: everything turns with it, nobody is special."""
    players = round.players
    old = round.setup
    hands = tuple(old.hands[(seat - turn) % players] for seat in range(players))
    turned = Round(Setup(hands, (old.starter + turn) % players, old.face, old.aside))
    for seat, action in round.actions:
        turned = turned.play(action, (seat + turn) % players)
    assert {(seat + turn) % players for seat in round.to_act} == set(turned.to_act)
    for seat in range(players):
        there = (seat + turn) % players
        assert round.legal_for(seat) == turned.legal_for(there)
        assert round.groups[seat] == turned.groups[there]
        if round.scores and turned.scores:
            assert round.scores[seat] == turned.scores[there]


@given(whole_rounds, st.permutations([Color.BLUE, Color.YELLOW, Color.GREEN]))
@pytest.mark.clause("R14", "R18")
def test_the_colors_other_than_red_are_equal(path: list[Round], order: list[Color]) -> None:
    """Swap blue, yellow and green: the same plays are legal, the same tricks are won.

    Not at two players, where neutral tokens lie on green first (R6).
    """
    last = path[-1]
    if last.players == 2:
        return
    swap = {Color.RED: Color.RED, **dict(zip(list(Color)[1:], order, strict=True))}
    other = Round(last.setup)
    for seat, action in last.actions:
        color = action.color
        swapped = action if color is None else Action.play(action.rank, swap[color])
        other = other.play(swapped, seat)
    assert (other.won, other.paradox, other.hands) == (last.won, last.paradox, last.hands)


@given(st.sets(st.sampled_from(ACTIONS)))
def test_notation_round_trips(actions: set[Action]) -> None:
    """An action and a set of actions are read back from what they print."""
    for action in actions:
        assert Action(str(action)) is action
        assert eval(repr(action)) is action
    legal = LegalActions(actions)
    assert set(legal) == actions
    assert str(legal) == "nothing" if not actions else LegalActions(str(legal)) == legal
    assert eval(repr(legal)) == legal
    assert len(legal) == len(list(legal))


@pytest.mark.long
@given(tables, seeds, st.integers(0, 250))
@pytest.mark.clause("R1", "R2", "R3")
def test_a_record_is_its_game(table: tuple[int, str], seed: int, length: int) -> None:
    """Text and JSON records of any moment of any game are read back as that game."""
    rng = Random(seed)
    players, face = table
    game = Game.new(players, face=face, starter=rng.randrange(players))
    starters: list[int] = []
    for _ in range(length):
        if game.over:
            assert sorted(starters) == list(range(players))
            break
        if game.between_rounds:
            starters.append(game.starter)
            game = game.shuffle(rng)
            continue
        assert game.round is not None
        seat = rng.choice(game.round.to_act)
        game = game.play(rng.choice(MIX)(game.round, seat, rng), seat)
    assert record.read(record.write(game)) == game
    assert record.read_json(record.write_json(game)) == game
    assert record.write(record.read(record.write(game))) == record.write(game)


@given(st.permutations(range(36)), st.integers(6, 12))
@pytest.mark.clause("R28")
def test_any_face_round_trips(order: list[int], width: int) -> None:
    """A face is data: cells thrown anywhere are read back from what is printed."""
    places = tuple(divmod(place, width) for place in order)
    face = Face("thrown", places)
    assert Face.parse(str(face)) == face
    assert eval(repr(face)) == face
