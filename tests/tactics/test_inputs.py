"""The inputs of networks: what they say, that all targets agree, and what they must not contain."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np
import pytest
from policies import TABLES
from sample_rounds import positions
from secrecy.pairs import pairs
from wasm.engines import Bridge, Wasmtime

from catinthebox import FACES, Phase, Round, rules, tactics
from catinthebox.fast import cpu
from catinthebox.rules import encode
from catinthebox.rules.actions import ACTIONS, legal_actions
from catinthebox.rules.layout import BEST, OWN, SEAT, SIZE
from catinthebox.rules.score import largest_group
from catinthebox.rules.sight import observe
from catinthebox.tactics import inputs
from catinthebox.tactics.inputs import COMPUTED, INPUTS, write_inputs
from catinthebox.views import View
from catinthebox.wasm.module import WasmModule
from catinthebox.wasm.source import rules_of_packages


def written(vector: list[int], seat: int, touch: list[int] | tuple[int, ...]) -> list[int]:
    """The inputs for a view's vector."""
    numbers = [7] * INPUTS  # what was there before must not matter
    write_inputs(vector, seat, touch, numbers)
    return numbers


def seen(round: Round, seat: int) -> list[int]:
    """What a seat may know, as a vector."""
    view = [0] * SIZE
    observe(round.vector, seat, view)
    return view


def fields(round: Round, seat: int) -> dict[str, list[int]]:
    """The computed inputs of a seat, by name."""
    numbers = written(seen(round, seat), seat, round.face.touch)
    found, at = {}, encode.WIDTH
    for name, size in COMPUTED:
        found[name] = numbers[at : at + size]
        at += size
    return found


def deciding() -> Iterator[tuple[Round, int]]:
    """Positions, with a seat that may act."""
    for round in positions():
        for seat in round.to_act:
            yield round, seat


def test_offsets_are_those_of_the_fields() -> None:
    """Every AT_… constant is where its field begins, after those of `encode`."""
    at = encode.WIDTH
    for name, size in COMPUTED:
        assert getattr(inputs, f"AT_{name.upper()}") == at
        at += size
    assert at == INPUTS
    assert INPUTS % 8 == 0


def test_the_first_inputs_are_those_of_the_view() -> None:
    """All of them, but those that depend on the order of discards, while there are discards."""
    for round, seat in deciding():
        numbers = [0] * encode.WIDTH
        encode.encode(seen(round, seat), seat, numbers)
        found = written(seen(round, seat), seat, round.face.touch)[: encode.WIDTH]
        if round.phase is Phase.DISCARD:
            for first, end in (
                (encode.AT_CARDS, encode.AT_LEADER),
                (encode.AT_TURN, encode.AT_WINNING),
            ):
                numbers[first:end] = [0] * (end - first)
        assert found == numbers


def test_legal_actions_are_marked() -> None:
    """Exactly those."""
    for round, seat in deciding():
        legal = legal_actions(round.vector, seat)
        assert fields(round, seat)["legal"] == [legal >> action & 1 for action in range(ACTIONS)]


def test_what_is_computed_follows_from_the_round() -> None:
    """Copies, tricks, groups, cards that take the trick, the face."""
    for round, seat in deciding():
        found = fields(round, seat)
        hand = round.hands[seat]
        for rank in range(1, 10):
            copies = found["copies"][5 * rank - 5 : 5 * rank]
            assert copies == [int(hand.count(rank) > number) for number in range(5)]
        order = [(seat + step) % round.players for step in range(round.players)]
        for step, other in enumerate(order):
            own = sum(1 << cell for cell in cells_of(round, other))
            assert found["groups"][step] == largest_group(own, round.face.touch)
            assert found["tricks_won"][9 * step : 9 * step + 9].index(1) == round.won[other]
        assert sum(found["tricks_left"]) == 1
        assert found["straight"] == [int(round.face.touch[0] >> 16 & 1)]
        assert found["zeros"] == [0, 0, 0]


def cells_of(round: Round, seat: int) -> list[int]:
    """The cells of a seat's tokens, from the state itself."""
    own = round.vector[OWN + seat]
    return [cell for cell in range(64) if own >> cell & 1]


def test_a_card_that_takes_the_trick_does_so() -> None:
    """The marked cards are those after which the seat is winning it."""
    asked = 0
    for round, seat in deciding():
        if round.phase is not Phase.PLAY:
            continue
        takes = fields(round, seat)["takes"]
        for action in round.legal:
            after = round.play(action)
            if len(after.trick) > 1 and after.phase is Phase.PLAY:
                winning = after.vector[BEST] & SEAT
                assert takes[action.id] == (winning == seat)
                asked += 1
    assert asked > 50


@pytest.mark.long
def test_compiled_inputs_are_the_interpreted_ones() -> None:
    """On the CPU, into the narrow numbers that a training uses."""
    compiled = cpu.tactics().inputs.write_inputs
    for round, seat in deciding():
        for face in FACES.values():
            numbers = np.full(INPUTS, 7, dtype=np.int8)
            vector = np.array(seen(round, seat), dtype=np.int64)
            compiled(vector, seat, np.array(face.touch, dtype=np.int64), numbers)
            assert numbers.tolist() == written(seen(round, seat), seat, face.touch)


@pytest.mark.long
def test_inputs_in_webassembly_are_the_interpreted_ones() -> None:
    """In a module of their own: the page's module does not contain them yet."""
    found = rules_of_packages([rules, tactics])
    wanted = next(rule for rule in found if rule.name == "inputs.write_inputs")
    module = WasmModule(found, {"write_inputs": wanted})
    bridge = Bridge(Wasmtime(module.build()), module)
    for round, seat in deciding():
        for face in FACES.values():
            numbers = [7] * INPUTS
            bridge.call("write_inputs", seen(round, seat), seat, face.touch, numbers)
            assert numbers == written(seen(round, seat), seat, face.touch)


@pytest.mark.long
@pytest.mark.clause("R32", "R33")
@pytest.mark.parametrize(("players", "face"), TABLES)
def test_inputs_contain_nothing_that_a_seat_cannot_know(players: int, face: str) -> None:
    """Two rounds that a seat cannot tell apart have the same inputs, at every moment."""
    compared = 0
    for seat, left, right in pairs(players, face, Random(f"inputs {players} {face}"), 40):
        if seat is not None:
            mine, theirs = (
                written(list(View.of(round, seat).vector), seat, round.face.touch)
                for round in (left, right)
            )
            assert mine == theirs
            assert mine == written(seen(left, seat), seat, left.face.touch)
            compared += 1
    assert compared > 10


@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_order_of_discards_leaves_no_trace(players: int) -> None:
    """A seat that discards first has the same inputs as one that discards last."""
    for round in positions():
        if round.phase is Phase.DISCARD and round.players == players and not round.actions:
            for seat in range(players):
                later = round
                for other in range(players):
                    if other != seat:
                        later = later.play(next(iter(later.legal_for(other))), other)
                first = written(seen(round, seat), seat, round.face.touch)
                assert first == written(seen(later, seat), seat, later.face.touch)
