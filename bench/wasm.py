"""The rules as WebAssembly: how large the module is, when it is ready, how fast it is in Node.

python -m bench.wasm                or: make bench

Speeds are CPU seconds on one core, the best of some spans, taken in turns with the same work in
machine code (numba). Ratios within a run are what counts.
"""

from __future__ import annotations

import argparse
import gzip
import json
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any, Final

import numpy as np

from bench.npm import node_program
from bench.timing import span, stay_on_one_core
from catinthebox import FACES
from catinthebox.fast import cpu
from catinthebox.fast.rounds import POLICIES, touching
from catinthebox.players import Budget, steps
from catinthebox.players.search import Search, discarded
from catinthebox.rules.layout import SIZE
from catinthebox.tactics.careful import RATINGS
from catinthebox.tactics.ismcts import ROOT, VISITS
from catinthebox.tactics.thought import SCRATCH, THOUGHT
from catinthebox.tactics.weights import WEIGHTS
from catinthebox.wasm.exports import program
from catinthebox.wasm.typescript import passed

DRIVER: Final = Path(__file__).with_suffix(".mjs")
STARTS: Final = 5
TURNS: Final = 25  # short ones: on a busy machine some of them are undisturbed, for both
WARMING: Final = 0.5  # seconds, until V8 has replaced its first code by faster code
ROUNDS: Final = 2_000
ROLLOUTS: Final = 4_000
TABLES: Final = ((4, "uniform"), (4, "follow"), (3, "follow"), (2, "follow"))
MOST_GZIP: Final = 25_000  # bytes
MOST_READY: Final = 50.0  # milliseconds
PLAYOUTS: Final = 0.45  # of machine code
SEARCH: Final = 0.6


class Node:
    """The module in a Node process, which works when asked."""

    def __init__(self, folder: Path) -> None:
        words = [folder / "rules.wasm", folder / "job.json"]
        self.process = subprocess.Popen(
            [node_program(), DRIVER, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.ready = float(self._answer()["ready"])

    def _answer(self) -> dict[str, float]:
        assert self.process.stdout is not None
        answer: dict[str, float] = json.loads(self.process.stdout.readline())
        return answer

    def rate(self, **work: object) -> float:
        """Do a span of work; return how much of it in a second."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(work).encode() + b"\n")
        self.process.stdin.flush()
        answer = self._answer()
        return answer["done"] / answer["seconds"]

    def close(self) -> None:
        """End the process."""
        self.process.communicate()


def write_job(folder: Path) -> bytes:
    """Write the module, and what Node must know about the rules; return the module."""
    module = program()
    binary = module.build()
    (folder / "rules.wasm").write_bytes(binary)
    sizes = {"SIZE": SIZE, "THOUGHT": THOUGHT, "SCRATCH": SCRATCH, "RATINGS": RATINGS}
    job = {
        "passed": {name: passed(rule) for name, rule in module.exported.items()},
        "touch": [str(cells) for cells in FACES["white"].touch],
        "weights": WEIGHTS,
        **sizes,
        "ROOT": ROOT,
        "VISITS": VISITS,
    }
    (folder / "job.json").write_text(json.dumps(job), "utf-8")
    return binary


# ── The same work in machine code ────────────────────────────────────────────────────────────


def compiled_playouts(players: int, policy: str) -> Callable[[], int]:
    """Whole rounds, with sums only."""
    rules = cpu.rules().batch
    touch = touching("white")

    def play() -> int:
        s, sums = np.zeros(SIZE, dtype=np.int64), np.zeros(12, dtype=np.int64)
        rules.playout_sums(s, sums, 7, 0, ROUNDS, players, POLICIES[policy], touch)
        return int(sums[10])

    return play


def compiled_search() -> int:
    """A whole decision of `search`."""
    return Search(rollouts=ROLLOUTS).think(steps.PLAYING, Budget(), Random(1)).rollouts


def asked() -> dict[str, Any]:
    """The same decision for Node."""
    view = steps.PLAYING
    return {
        "kind": "rollouts",
        "players": view.players,
        "seat": view.seat,
        "vector": [str(number) for number in view.vector],
        "proved": str(view.proved),
        "seen": [play.action.id for play in view.actions if not discarded(play.action)],
        "limit": ROLLOUTS,
    }


# ── The table ────────────────────────────────────────────────────────────────────────────────


@contextmanager
def running(folder: Path) -> Iterator[Node]:
    """A Node process for as long as the block lasts."""
    node = Node(folder)
    try:
        yield node
    finally:
        node.close()


def in_turns(node: Node, work: dict[str, Any], play: Callable[[], int], seconds: float) -> None:
    """Print the speed of both for one kind of work, and their ratio."""
    bar = PLAYOUTS if work["kind"] == "playouts" else SEARCH
    name = f"{work['kind']}, {work['players']} players{work.get('name', '')}"
    play()
    node.rate(**work, seconds=WARMING)
    machine, module = 0.0, 0.0
    for _ in range(TURNS):
        machine = max(machine, span(play, seconds / TURNS, process_time))
        module = max(module, node.rate(**work, seconds=seconds / TURNS))
    ratio = module / machine
    mark = "<" * (ratio < bar)
    print(f"{name:32} {machine:13,.0f} {module:13,.0f} {ratio:8.2f} {bar:10.2f} {mark}", flush=True)


def print_size(binary: bytes) -> None:
    """Print how large the module is."""
    small = len(gzip.compress(binary, 9))
    print(f"module: {len(binary):,} bytes, {small:,} in gzip; at most {MOST_GZIP:,} in gzip")


def print_start(folder: Path) -> None:
    """Print how long it takes to compile the module and to play a first round."""
    times = []
    for _ in range(STARTS):
        with running(folder) as node:
            times.append(node.ready)
    print(f"ready after {min(times):.1f} ms, the best of {STARTS}; at most {MOST_READY:.0f} ms\n")


def main() -> None:
    """Measure everything and print it."""
    parser = argparse.ArgumentParser(description="the rules as WebAssembly, in Node")
    parser.add_argument("--seconds", type=float, default=5.0, help="for each number (default 5)")
    seconds: float = parser.parse_args().seconds
    stay_on_one_core()
    with TemporaryDirectory() as name:
        folder = Path(name)
        print_size(write_job(folder))
        print_start(folder)
        print(f"{'a second':32} {'machine code':>13} {'WebAssembly':>13} {'ratio':>8} at least")
        with running(folder) as node:
            for players, policy in TABLES:
                numbers = {"players": players, "policy": POLICIES[policy], "rounds": ROUNDS}
                work = {"kind": "playouts", **numbers, "name": f", {policy}"}
                in_turns(node, work, compiled_playouts(players, policy), seconds)
            in_turns(node, asked(), compiled_search, seconds)


if __name__ == "__main__":
    main()
