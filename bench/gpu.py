"""Speed of the rules on a CUDA device, and proof that its rounds are the published ones.

python bench/gpu.py            needs catinthebox[gpu] and a device; prints a table
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter

from numba import cuda

from catinthebox.fast import gpu
from catinthebox.fast.rounds import POLICIES

DIGESTS = Path(__file__).parents[1] / "vectors" / "playouts.sha256"


def best(work: Callable[[], object], times: int = 5) -> float:
    """Seconds of the fastest of some runs, after a first one that compiles."""
    work()
    spans = []
    for _ in range(times):
        cuda.synchronize()
        begin = perf_counter()
        work()
        cuda.synchronize()
        spans.append(perf_counter() - begin)
    return min(spans)


def check_digests() -> int:
    """Compare 100,000 rounds of every table and policy with the published digests."""
    wrong = 0
    for line in DIGESTS.read_text("utf-8").splitlines():
        digest, name = line.split()
        players, face, policy = name.split("-")
        table, scores = gpu.ends(100_000, players=int(players), face=face, policy=policy, seed=2020)
        found = hashlib.sha256(table.tobytes() + scores.tobytes()).hexdigest()
        wrong += found != digest
        print(f"{name:18} {'as published' if found == digest else 'DIFFERENT'}")
    return wrong


def playout_rows(rounds: int) -> None:
    """Print fused playouts, all player counts."""
    print(f"\n{'fused playouts':34} {'M rounds/s':>11} {'G plays/s':>10}")
    for policy in POLICIES:
        for players, face in ((2, "white"), (3, "white"), (4, "white"), (5, "purple")):
            plays = gpu.playouts(rounds, players=players, policy=policy, face=face).plays
            work = partial(gpu.playouts, rounds, players=players, policy=policy, face=face)
            seconds = best(work)
            name = f"{players} players, {face}, {policy}"
            print(f"{name:34} {rounds / seconds / 1e6:11,.0f} {plays / seconds / 1e9:10.2f}")


def batch_rows(rows: int, steps: int) -> None:
    """Print batched steps: legal sets only, and with observations."""
    print(f"\n{'batched steps, 4 players, uniform':34} {'M decisions/s':>14}")
    for observe in (False, True):
        batch = gpu.DeviceBatch(rows, players=4, observe=observe)

        def work(batch: gpu.DeviceBatch = batch) -> None:
            for _ in range(steps):
                batch.choose()
                batch.step()

        seconds = best(work, 3)
        name = "masks and observations" if observe else "masks"
        print(f"{name:34} {rows * steps / seconds / 1e6:14,.0f}")
        assert batch.refused() == 0


def main() -> None:
    """Check, then measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=100_000_000)
    parser.add_argument("--rows", type=int, default=1 << 20)
    options = parser.parse_args()
    gpu.require_device()
    name = cuda.get_current_device().name
    print(name.decode() if isinstance(name, bytes) else name)
    wrong = check_digests()
    playout_rows(options.rounds)
    batch_rows(options.rows, 30)
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main()
