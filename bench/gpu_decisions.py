"""Decisions of every level on a CUDA device, compared with those of the CPU.

A law of the rules says that a decision is the same on every target for the same seed and budget
(`tests/laws/test_decisions.py`); this is its part for machines with a GPU. One thread decides one
row of the table of `tests/decisions.py`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from catinthebox import Face
from catinthebox.fast import gpu
from catinthebox.rules.layout import SIZE
from catinthebox.tactics import ismcts, search, thought
from catinthebox.tactics.careful import RATINGS
from catinthebox.tactics.kinds import SEARCH_KIND
from catinthebox.tactics.weights import CONSIDERATIONS, WEIGHTS

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from decisions import Decision, Known, known
from numba import cuda

THREADS = 32
CELLS = 64


def quick_kernel() -> Any:
    """A kernel for the kinds that answer at once."""
    quick_action = gpu.tactics().kinds.quick_action

    @cuda.jit
    def decide(asked: Any, views: Any, weights: Any, touch: Any, ratings: Any, found: Any) -> None:
        row = cuda.grid(1)
        if row < found.shape[0]:
            kind, seat, slips, seed = asked[row, 0], asked[row, 1], asked[row, 2], asked[row, 3]
            v, w, near = views[row], weights[row], touch[row]
            found[row] = quick_action(kind, v, seat, slips, w, near, ratings[row], seed)

    return decide


def search_kernel() -> Any:
    """A kernel for `search`: a whole decision in one thread."""
    rules = gpu.tactics().thought
    prepare, start, think, best = (
        rules.prepare_thought,
        rules.open_thought,
        rules.think,
        rules.best_option,
    )
    aim, win = thought.AIM, search.WIN

    @cuda.jit
    def decide(
        asked: Any, views: Any, weights: Any, touch: Any, t: Any, scratch: Any, seen: Any,
        totals: Any, worlds: Any, likelihoods: Any, chosen: Any, tree: Any, roots: Any, found: Any,
    ) -> None:  # fmt: skip
        row = cuda.grid(1)
        if row >= found.shape[0]:
            return
        seat, seed, proved, limit = asked[row, 1], asked[row, 3], asked[row, 4], asked[row, 5]
        prepare(t[row], seat, seed, proved, limit, limit)
        if asked[row, 6] != 0:
            t[row, aim] = win
        v, w, near = views[row], weights[row], touch[row]
        if start(t[row], v, w, near, scratch[row]) > 1:
            heard = seen[row, : asked[row, 7]]
            ahead = totals[row, : asked[row, 8]]
            while not think(
                t[row], v, heard, ahead, w, near, worlds[row], likelihoods[row], chosen[row],
                tree[row], roots[row], scratch[row], 1000,
            ):  # fmt: skip
                pass
        found[row] = best(t[row], tree[row])

    return decide


def columns(asked: Sequence[Decision]) -> Any:
    """The numbers of each decision that the kernels read, a row each."""
    return np.array(
        [
            (d.kind, d.seat, d.slips, d.seed, d.proved, d.rollouts, d.last, len(d.seen), d.players)
            for d in asked
        ],
        dtype=np.int64,
    )


def padded(rows: Sequence[Sequence[int]], width: int) -> Any:
    """Rows of different lengths as one array."""
    table = np.zeros((len(rows), width), dtype=np.int64)
    for row, numbers in zip(table, rows, strict=True):
        row[: len(numbers)] = numbers
    return table


def given(asked: Sequence[Decision]) -> tuple[Any, ...]:
    """What both kernels are given: numbers, views, weights and the board's neighbors."""
    weights = padded([WEIGHTS[d.players] for d in asked], CONSIDERATIONS)
    touch = padded([Face.named(d.face).touch for d in asked], CELLS)
    return columns(asked), padded([d.vector for d in asked], SIZE), weights, touch


def zeros(*shape: int, kind: type = np.int64) -> Any:
    """An array in device memory."""
    return cuda.to_device(np.zeros(shape, dtype=kind))


def quickly(asked: Sequence[Decision]) -> list[int]:
    """The actions of the kinds that answer at once."""
    number = len(asked)
    found = zeros(number)
    rows = [cuda.to_device(array) for array in given(asked)]
    quick_kernel()[-(-number // THREADS), THREADS](*rows, zeros(number, RATINGS), found)
    return [int(action) for action in found.copy_to_host()]


def searched(asked: Sequence[Decision]) -> list[int]:
    """The actions of `search`."""
    number, most = len(asked), max(d.rollouts for d in asked)
    worlds = thought.BELIEVED * min(thought.WORLDS, 2 * most)
    options = thought.MOST_OPTIONS
    found = zeros(number)
    rows = [cuda.to_device(array) for array in given(asked)]
    room = (
        zeros(number, thought.THOUGHT),
        zeros(number, thought.SCRATCH, RATINGS),
        cuda.to_device(padded([d.seen for d in asked], max(len(d.seen) for d in asked) + 1)),
        cuda.to_device(padded([d.totals for d in asked], 5)),
        zeros(number, worlds, SIZE),
        zeros(number, worlds, kind=np.float64),
        zeros(number, worlds),
        zeros(number, ismcts.tree_slots(most + 2 * options)),
        zeros(number, ismcts.root_slots(most + options + 1)),
    )
    search_kernel()[-(-number // THREADS), THREADS](*rows, *room, found)
    return [int(action) for action in found.copy_to_host()]


def differing(every: int = 3) -> tuple[int, int]:
    """How many decisions were compared, and how many differ."""
    table = list(known(every))
    wrong = 0
    for wanted, decide in ((False, quickly), (True, searched)):
        rows: list[Known] = [k for k in table if (k.decision.kind == SEARCH_KIND) is wanted]
        found = decide([k.decision for k in rows])
        wrong += sum(k.action != action for k, action in zip(rows, found, strict=True))
    return len(table), wrong


def main() -> None:
    """Compare, and print the figures."""
    gpu.require_device()
    compared, wrong = differing()
    print(f"{compared:,} decisions of every level on the device, {wrong} differ from the CPU's")
    if wrong:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
