"""Rows of the compiled rules: whole rounds fused in one call, and batches step by step."""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import count

from bench.timing import Contender, span
from catinthebox.fast.rounds import Batch, playouts

CHUNK = 20_000  # rounds a call: some milliseconds
ROWS = 1024
UNIFORM = "fused, 4 players"
FACES = {2: "white", 3: "white", 4: "white", 5: "purple"}


def fused(players: int, policy: str, rounds: int = CHUNK, threads: int = 1) -> Callable[[], int]:
    """Play ever new rounds of one seed to their ends."""
    numbers = count(0, rounds)

    def play() -> int:
        totals = playouts(
            rounds,
            players=players,
            policy=policy,
            face=FACES[players],
            first=next(numbers),
            threads=threads,
        )
        return totals.plays

    return play


def fused_rows() -> list[Contender]:
    """Fused playouts: `plays` counts declared cards alone, discards and bids come on top."""
    return [
        Contender(f"fused, {players} players", policy, fused(players, policy))
        for players in (4, 2, 3, 5)
        for policy in ("uniform", "follow")
    ]


def batched(policy: str, look: Callable[[Batch], object], *, observe: bool) -> Callable[[], int]:
    """Choose, step and look in every row."""
    batch = Batch(ROWS, players=4, observe=observe)

    def play() -> int:
        batch.step(batch.choose(policy))
        look(batch)
        return ROWS

    return play


def batch_rows() -> list[Contender]:
    """Batched steps; the policy's choice is compiled too, and is part of the time."""
    name = f"batch of {ROWS}"
    return [
        Contender(f"{name}: legal sets", "uniform", batched("uniform", id, observe=False)),
        Contender(f"{name}: mask table", "uniform", batched("uniform", masks, observe=False)),
        Contender(f"{name}: observations", "uniform", batched("uniform", id, observe=True)),
        Contender(f"{name}: observations", "follow", batched("follow", id, observe=True)),
    ]


def masks(batch: Batch) -> object:
    """Ask for the legal actions as a table of truth values."""
    return batch.masks


def two_threads(seconds: float, clock: Callable[[], float]) -> float:
    """How many times as fast two threads are as one, or 0 on a single core.

    By the clock on the wall that is the gain; other programs on the machine spoil it. By CPU time
    it is the share of their work that is not lost on each other.
    """
    if (os.cpu_count() or 1) < 2:
        return 0.0
    rounds = 5 * CHUNK  # threads are started by every call: let it be worth it
    plays = [fused(4, "uniform", rounds, threads) for threads in (1, 2)]
    best = [0.0, 0.0]
    for _ in range(max(5, int(20 * seconds))):  # short spans find the quiet moments
        best = [max(rate, span(play, 0, clock)) for rate, play in zip(best, plays, strict=True)]
    return best[1] / best[0]
