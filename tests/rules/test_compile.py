"""The rules compile: the same sources, loaded once more with a compiler's marker.

Nothing is ported. A faster target needs no more than this.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from random import Random
from types import ModuleType

import numpy
import pytest
from policies import TABLES, random_round
from sample_rounds import positions, whole

from catinthebox import Phase, Round
from catinthebox.fast import cpu, sources
from catinthebox.rules import actions, chance, perft, playout, reason, score
from catinthebox.rules import fingerprint as prints
from catinthebox.rules import round as interpreted


@pytest.fixture(scope="module")
def compiled() -> ModuleType:
    """The rules, compiled; modules by name."""
    return cpu.rules()


def test_the_compiled_rules_are_the_same_files(compiled: ModuleType) -> None:
    """Another package, another marker, the very same source files."""
    for path in sources.RULES.glob("[a-z]*.py"):
        if path.stem == "marker":
            continue
        twin = importlib.import_module(f"catinthebox.rules.{path.stem}")
        module = getattr(compiled, path.stem)
        assert module is not twin
        assert Path(str(module.__file__)).samefile(str(twin.__file__))
    assert hasattr(compiled.round.legal_cells, "py_func")


@pytest.mark.long
def test_every_play_does_the_same_compiled(compiled: ModuleType) -> None:
    """Legal cells and the state after each play, slot by slot, over some hundred moments."""
    checked = 0
    for round in positions():
        if round.phase is not Phase.PLAY:
            continue
        array = numpy.array(round.vector, dtype=numpy.int64)
        assert round.turn is not None
        legal = interpreted.legal_cells(round.vector, round.turn)
        assert int(compiled.round.legal_cells(array, round.turn)) == legal
        place = Random(checked).choice([bit for bit in range(57) if legal >> bit & 1])
        state = round.vector.copy()
        interpreted.play(state, place)
        compiled.round.play(array, place)
        assert array.tolist() == state
        checked += 1
    assert checked > 200


def test_a_whole_round_does_the_same_compiled(compiled: ModuleType) -> None:
    """Deal, discards, bids and plays, all by the compiled functions."""
    for players, face in TABLES:
        rng = Random(players)
        array = numpy.zeros(compiled.layout.SIZE, dtype=numpy.int64)
        *_, end = whole(random_round(players, face, rng), rng)
        _lay_out(compiled, array, end)
        for seat, action in end.actions:
            assert int(compiled.actions.legal_actions(array, seat)) >> action.id & 1 == 1
            compiled.actions.act(array, seat, action.id)
        assert array.tolist() == end.vector


def _lay_out(compiled: ModuleType, array: object, end: Round) -> None:
    setup = end.setup
    deck = setup.cards
    compiled.round.open_round(array, setup.players, deck.ranks, deck.tricks, setup.starter)
    for seat, hand in enumerate(setup.hands):
        compiled.round.give_hand(array, seat, sum(1 << 3 * int(rank) - 3 for rank in hand))
    for rank in setup.turned_up:
        compiled.round.turn_up(array, int(rank))


@pytest.mark.long
def test_scores_and_fingerprints_are_the_same_compiled(compiled: ModuleType) -> None:
    """Every moment's fingerprint, groups, score and reason of a refusal."""
    for round in positions():
        s, touch = round.vector, round.face.touch
        array = numpy.array(s, dtype=numpy.int64)
        near = numpy.array(touch, dtype=numpy.int64)
        assert int(compiled.fingerprint.fingerprint(array)) == prints.fingerprint(s)
        for seat in range(round.players):
            points = int(compiled.score.seat_score(array, seat, near))
            assert points == score.seat_score(s, seat, touch)
            for action in range(0, actions.ACTIONS, 5):
                broken = int(compiled.reason.broken(array, seat, action))
                assert broken == reason.broken(s, seat, action)


def test_winners_and_starters_are_the_same_compiled(compiled: ModuleType) -> None:
    """The two rules that look past a round."""
    rng = Random(2)
    for players in (2, 3, 4, 5) * 10:
        totals, final = ([rng.randrange(3) for _ in range(players)] for _ in range(2))
        found = compiled.score.winners(numpy.array(totals), numpy.array(final), players)
        assert int(found) == score.winners(totals, final, players)
        assert int(compiled.score.next_starter(players - 1, players)) == 0


def test_perft_counts_the_same_compiled(compiled: ModuleType) -> None:
    """All twenty columns, from the deal, from bids, from the middle and from late in a round."""
    depth, columns = 3, perft.COLUMNS
    chosen = [round for round in positions() if not round.over][::9]
    assert len(chosen) > 30
    for round in chosen:
        stack = numpy.zeros((depth, compiled.layout.SIZE), dtype=numpy.int64)
        rows = numpy.zeros((depth, columns), dtype=numpy.int64)
        todo = numpy.zeros(depth, dtype=numpy.int64)
        stack[0] = round.vector
        near = numpy.array(round.face.touch, dtype=numpy.int64)
        compiled.perft.walk(stack, todo, rows, depth - 1, near)
        assert rows[1:].tolist() == perft.count(round.vector, depth - 1, round.face.touch)


def test_random_rounds_are_the_same_compiled(compiled: ModuleType) -> None:
    """A round is known by its seed and index: deal, play and the generator that is left."""
    state = [0] * compiled.layout.SIZE
    array = numpy.zeros(compiled.layout.SIZE, dtype=numpy.int64)
    for index in range(200):
        players, policy = 2 + index % 4, index // 4 % 2
        g = chance.seeded(2**40 + 5, index)
        assert int(compiled.chance.seeded(2**40 + 5, index)) == g
        left = playout.random_round(state, players, index % players, policy, g)
        found = compiled.playout.random_round(array, players, index % players, policy, g)
        assert (int(found), array.tolist()) == (left, state)
