"""The module does what the interpreted rules do: digests, vectors, reasons, scores, endgames."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

import pytest
from policies import TABLES, moments, random_round
from wasm.engines import NUMBER, Bridge, Engine, Wide

from catinthebox import FACES, Face, Phase, Round
from catinthebox.fast.endgame import Solver
from catinthebox.fast.rounds import POLICIES
from catinthebox.game import vectors
from catinthebox.rules import encode, perft, reason, score, sight, worlds
from catinthebox.rules.actions import ACTIONS, legal_actions
from catinthebox.rules.fingerprint import fingerprint
from catinthebox.rules.layout import OWN, SIZE
from catinthebox.tactics import careful, escape, prospects
from catinthebox.tactics.weights import WEIGHTS

VECTORS = Path(__file__).parents[2] / "vectors"
CASES = [(players, face, policy) for players, face in TABLES for policy in POLICIES]
ROUNDS = 100_000
AT_ONCE = 5_000


# ── Published numbers ────────────────────────────────────────────────────────────────────────


@pytest.mark.long
@pytest.mark.parametrize(("players", "face", "policy"), CASES)
def test_digests_are_the_published_ones(
    engine: Engine, players: int, face: str, policy: str
) -> None:
    """One SHA-256 over 100,000 rounds per table and policy, the same for every target."""
    published = dict(
        line.split()[::-1] for line in (VECTORS / "playouts.sha256").read_text().splitlines()
    )
    touch = engine.heap
    table = touch + NUMBER * len(FACES[face].touch)
    scores = table + NUMBER * SIZE * AT_ONCE
    end = scores + NUMBER * players * AT_ONCE
    packed = b"".join(cells.to_bytes(NUMBER, "little") for cells in FACES[face].touch)
    digest, points = hashlib.sha256(), []
    for first in range(0, ROUNDS, AT_ONCE):
        tables = [table, NUMBER * SIZE, AT_ONCE, scores, NUMBER * players]
        numbers = [Wide(number) for number in (2020, first, players, POLICIES[policy])]
        reads = [(table, scores - table), (scores, end - scores)]
        _, (states, row) = engine.run(
            "playout_rows", [*tables, *numbers, touch], [(touch, packed)], reads, end
        )
        digest.update(states)
        points.append(row)
    digest.update(b"".join(points))
    assert digest.hexdigest() == published[f"{players}-{face}-{policy}"]


@pytest.mark.long
@pytest.mark.parametrize("path", sorted(VECTORS.glob("*.txt")), ids=lambda path: path.stem)
def test_vectors(bridge: Bridge, path: Path) -> None:
    """Perft, refusals and final scores of every published position."""
    for vector in vectors.parse(path.read_text("utf-8")):
        round = vector.round()
        if vector.depths:
            depth = max(int(row["depth"]) for row in vector.depths)
            stack = [round.vector.copy() for _ in range(depth + 1)]
            rows = [[0] * perft.COLUMNS for _ in range(depth + 1)]
            bridge.call("walk", stack, [0] * (depth + 1), rows, depth, round.face.touch)
            found = vectors.in_words(rows[1:], round.players)
            for row in vector.depths:
                counted = found[int(row["depth"]) - 1]
                assert {key: counted[key] for key in row} == row, vector.name
        compare_refusals(bridge, round)
        compare_scores(bridge, round)


def compare_refusals(bridge: Bridge, round: Round) -> None:
    """The legal actions of the seat on turn, and why it may do nothing else."""
    s = round.vector
    for seat in range(round.players):
        assert bridge.call("legal_actions", s, seat) == legal_actions(s, seat)
    seat = 0 if round.turn is None else round.turn
    for action in range(ACTIONS):
        assert bridge.call("broken", s, seat, action) == reason.broken(s, seat, action)


def compare_scores(bridge: Bridge, round: Round) -> None:
    """Points, groups, and the fingerprint of the state."""
    s, touch = round.vector, round.face.touch
    for seat in range(round.players):
        assert bridge.call("seat_score", s, seat, touch) == score.seat_score(s, seat, touch)
        assert bridge.call("bid_kept", s, seat) == score.bid_kept(s, seat)
        assert bridge.call("bonus_earned", s, seat) == score.bonus_earned(s, seat)
        group = score.largest_group(s[OWN + seat], touch)
        assert bridge.call("largest_group", s[OWN + seat], touch) == group
    assert bridge.call("fingerprint", s) == fingerprint(s)


# ── Moments of rounds ────────────────────────────────────────────────────────────────────────


@cache
def played(players: int, face: str) -> tuple[Round, ...]:
    """The moments of a round, played by one of several policies."""
    rng = Random(14 + players)
    round = random_round(players, face, rng)
    return tuple(moment for moment, _, _ in moments(round, rng))


def some_moments(every: int) -> Iterator[Round]:
    """Moments of a round at every table."""
    for players, face in TABLES:
        yield from played(players, face)[::every]


def test_views(bridge: Bridge) -> None:
    """What a seat may know, as a view and as numbers, and a world that agrees with it."""
    for round in some_moments(3):
        for seat in range(round.players):
            view, found = [0] * SIZE, [0] * SIZE
            sight.observe(round.vector, seat, view)
            bridge.call("observe", round.vector, seat, found)
            assert found == view
            numbers, encoded = [0] * encode.WIDTH, [0] * encode.WIDTH
            encode.encode(view, seat, numbers)
            bridge.call("encode", view, seat, encoded)
            assert encoded == numbers
            world, other = [0] * SIZE, [0] * SIZE
            g = worlds.complete(view, 0, 5 + seat, world)
            assert bridge.call("complete", view, 0, 5 + seat, other) == g
            assert other == world


def test_careful_decisions(bridge: Bridge) -> None:
    """The ratings of all actions, and the choice among them."""
    for round in some_moments(2):
        seat, view = round.to_act[0], [0] * SIZE
        sight.observe(round.vector, seat, view)
        weights, touch = WEIGHTS[round.players], round.face.touch
        model = (view, seat, weights, touch)
        rated, found = [0] * careful.RATINGS, [0] * careful.RATINGS
        careful.rate_actions(*model, [0] * careful.RATINGS, rated)
        bridge.call("rate_actions", *model, [0] * careful.RATINGS, found)
        assert found == rated
        for g in range(1, 6):
            action = careful.careful_action(*model, [0] * careful.RATINGS, g)
            assert bridge.call("careful_action", *model, [0] * careful.RATINGS, g) == action


def test_winners(bridge: Bridge) -> None:
    """Who wins a game, with all kinds of ties (R3)."""
    rng = Random(3)
    for _ in range(200):
        players = rng.randrange(2, 6)
        totals = [rng.randrange(3) for _ in range(players)]
        final = [rng.randrange(3) for _ in range(players)]
        assert bridge.call("winners", totals, final, players) == score.winners(
            totals, final, players
        )


# ── Endgames ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.long
@pytest.mark.parametrize(("players", "face"), TABLES)
def test_endgames(bridge: Bridge, players: int, face: str) -> None:
    """The module solves positions like the interpreted rules, node for node."""
    late = [one for one in played(players, face) if one.phase is Phase.PLAY][-2 * players :]
    solvers = [Solver(1 << 8, compiled=False) for _ in range(2)]
    solvers[1]._kernel = bridge.rules("tactics").endgame
    for moment in late[:: max(1, players - 1)]:
        plain, found = (solver.solve(moment.vector, Face.named(face).touch) for solver in solvers)
        assert found == plain


def test_prospects(bridge: Bridge) -> None:
    """What the coach notes about rounds that careful players play on, and what it adds up."""
    for round in some_moments(5):
        seat = round.to_act[0]
        legal = sorted(action.id for action in round.legal_for(seat))[:4]
        world, rows = round.vector, 3 * len(legal)
        ends, found = ([[0] * prospects.COLUMNS for _ in range(rows)] for _ in range(2))
        where = ([world], [0], 1, 0, 3, seat, legal, len(legal))
        model = WEIGHTS[round.players], round.face.touch
        prospects.try_all(*where, *model, [0] * careful.RATINGS, 7, [0] * SIZE, ends)
        bridge.call("try_all", *where, *model, [0] * careful.RATINGS, 7, [0] * SIZE, found)
        assert found == ends
        for column in range(prospects.COLUMNS):
            given = 3, len(legal), len(legal) - 1, column
            assert bridge.call("sum_column", ends, *given) == prospects.sum_column(ends, *given)
            both = 3, len(legal), 0, len(legal) - 1, column
            assert bridge.call("sum_squares", ends, *both) == prospects.sum_squares(ends, *both)
            alike = *both, prospects.sum_column(ends, *given), [0, 1, 0], [0, 0]
            assert bridge.call("sum_by_world", ends, *alike) == prospects.sum_by_world(ends, *alike)


def test_escapes(bridge: Bridge) -> None:
    """Whether a paradox could still be avoided, or that the search gave up."""
    for round in some_moments(5):
        if round.phase is Phase.PLAY:
            stacks = ([[0] * SIZE for _ in range(escape.PLAYS)] for _ in range(2))
            mine, other = ((round.vector, stack, [0] * escape.PLAYS, 300) for stack in stacks)
            assert bridge.call("escape", *mine) == escape.escape(*other)
