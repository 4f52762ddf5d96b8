"""Decisions of every level, as data: what a seat knows, how it decides, and what it does.

A table of them tests every target of the rules: each must find the same actions for the same
seeds and budgets, however a search is sliced.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from types import ModuleType
from typing import Any, NamedTuple

import numpy
from policies import TABLES, moments, random_round

from catinthebox import Face, Phase
from catinthebox import tactics as plain_tactics
from catinthebox.fast import cpu
from catinthebox.players import LEVELS, Level
from catinthebox.rules.layout import SIZE
from catinthebox.tactics import search, thought
from catinthebox.tactics.careful import ALWAYS, RATINGS
from catinthebox.tactics.kinds import KINDS, QUICK, SEARCH_KIND
from catinthebox.tactics.weights import WEIGHTS
from catinthebox.views import View

ROLLOUTS = 60  # the budget of a level whose own one is a time


class How(NamedTuple):
    """A way to decide, in the parameters of the rules."""

    kind: str  # of `tactics.kinds`
    slips: int  # in parts of `careful.ALWAYS`
    rollouts: int


class Decision(NamedTuple):
    """A decision: what the seat knows, its level, its seed; all numbers that a target needs."""

    players: int
    face: str
    seat: int
    vector: list[int]  # the view, as `rules.sight.observe` writes it
    proved: int  # as `rules.worlds.bar` returns it
    seen: list[int]  # the ids of all bids and plays so far
    totals: list[int]  # before this round
    last: bool  # whether it is the last round of a game
    kind: int  # of `tactics.kinds`
    slips: int  # in parts of `careful.ALWAYS`
    rollouts: int
    seed: int


class Known(NamedTuple):
    """A decision and its action id, the same on every target."""

    decision: Decision
    action: int


# ── Deciding on a target ─────────────────────────────────────────────────────────────────────


class Target(NamedTuple):
    """The tactics on a target, and how its rows are made."""

    tactics: ModuleType
    row: Callable[[Sequence[int]], Any]
    table: Callable[[int, int], Any]
    floats: Callable[[int], Any]


def interpreted() -> Target:
    """Plain Python on lists."""
    return Target(
        plain_tactics,
        list,
        lambda rows, width: [[-7] * width for _ in range(rows)],
        lambda number: [-7.0] * number,
    )


def compiled() -> Target:
    """Machine code on arrays."""
    return Target(
        cpu.tactics(),
        lambda numbers: numpy.array(numbers, dtype=numpy.int64),
        lambda rows, width: numpy.full((rows, width), -7),
        lambda number: numpy.full(number, -7.0),
    )


def decide(target: Target, asked: Decision, slices: Callable[[], int] = lambda: 10**9) -> int:
    """Return the action id that a target finds; `slices` returns the work of each call."""
    row = target.row
    v = row(asked.vector)
    model = row(WEIGHTS[asked.players]), row(Face.named(asked.face).touch)
    if asked.kind == SEARCH_KIND:
        return searched(target, asked, v, model, slices)
    how = asked.kind, v, asked.seat, asked.slips
    return int(target.tactics.kinds.quick_action(*how, *model, row([-7] * RATINGS), asked.seed))


def searched(
    target: Target, asked: Decision, v: Any, model: tuple[Any, Any], slices: Callable[[], int]
) -> int:
    """Run a search in slices; all rows begin with rubbish."""
    rules, row = target.tactics.thought, target.row
    t, scratch = row([-7] * thought.THOUGHT), target.table(thought.SCRATCH, RATINGS)
    limit = asked.rollouts
    rules.prepare_thought(t, asked.seat, asked.seed, asked.proved, limit, limit)
    if asked.last:
        t[thought.AIM] = search.WIN
    rules.open_thought(t, v, *model, scratch)
    worlds = int(rules.thought_worlds(t))
    tree = row([-7] * int(rules.thought_tree(t)))
    rows = (
        *(t, v, row(asked.seen), row(asked.totals), *model),
        *(target.table(worlds, SIZE), target.floats(worlds), row([-7] * worlds)),
        *(tree, row([-7] * int(rules.thought_roots(t))), scratch),
    )
    while not rules.think(*rows, slices()):
        pass
    return int(rules.best_option(t, tree))


# ── The table ────────────────────────────────────────────────────────────────────────────────


def decision(view: View, how: How, seed: int, last: bool = False) -> Decision:
    """What a seat is asked at one moment."""
    assert view.seat is not None
    return Decision(
        players=view.players,
        face=view.face.name,
        seat=view.seat,
        vector=view.vector,
        proved=view.proved,
        seen=[play.action.id for play in view.actions if play.action.phase is not Phase.DISCARD],
        totals=[*view.totals] or [0] * view.players,
        last=last,
        kind=KINDS[how.kind],
        slips=how.slips,
        rollouts=how.rollouts,
        seed=seed,
    )


def how_of(level: Level) -> How:
    """Read a level from its data alone, as a program in another language does."""
    data = level.data
    return How(str(data["kind"]), int(data["slips"] or 0), int(data["rollouts"] or ROLLOUTS))


def ways() -> list[How]:
    """All levels that decide by rules alone, and all kinds that answer at once, with slips."""
    quick = [How(kind, ALWAYS // 2, 0) for kind in QUICK]
    ruled = [
        level for level in LEVELS.values() if level.kind != "net"
    ]  # tests/wasm/test_networks.py
    return [*dict.fromkeys([*map(how_of, ruled), *quick])]


def decisions(every: int, seed: int = 1) -> Iterator[Decision]:
    """Decisions in rounds at every table: those of every so many moments."""
    rng = Random(seed)
    for players, face in TABLES:
        for number, (round, seat, _) in enumerate(moments(random_round(players, face, rng), rng)):
            if number % every == 0:
                totals = tuple(rng.randrange(12) for _ in range(players))
                view = View.of(round, seat, totals, rounds_left=1)
                last, seed = rng.random() < 0.3, rng.getrandbits(62)
                yield from (decision(view, how, seed, last) for how in ways())


def known(every: int, seed: int = 1) -> Iterator[Known]:
    """The same with their actions: a table for other targets."""
    target = compiled()
    return (Known(asked, decide(target, asked)) for asked in decisions(every, seed))
