"""The row of fused.c: compiled here if there is a compiler, and proved to do the same work."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Callable
from itertools import count
from pathlib import Path

from bench.compiled import CHUNK
from bench.timing import Contender
from catinthebox.fast.rounds import SUMS, playouts
from catinthebox.rules.layout import MAX_SEATS

SOURCE = Path(__file__).with_name("fused.c")
FLAGS = ("-O3", "-march=native", "-shared", "-fPIC")
NAME = "fused by hand in C, 4 players"

Sums = list[int]
Rounds = Callable[[int, int, int], Sums]  # seed, first, rounds


def compiled(folder: Path) -> Rounds | None:
    """Compile the loop and give it as a function, or nothing if that cannot be done here."""
    compiler = shutil.which("cc")
    library = folder / "fused.so"
    if compiler is None:
        return None
    if subprocess.run([compiler, *FLAGS, "-o", library, SOURCE], check=False).returncode != 0:
        return None
    kernel = ctypes.CDLL(str(library)).playout_sums
    kernel.argtypes = [ctypes.POINTER(ctypes.c_int64), *[ctypes.c_uint64] * 3]
    kernel.restype = None

    def rounds(seed: int, first: int, number: int) -> Sums:
        sums = (ctypes.c_int64 * SUMS)()
        kernel(sums, seed, first, number)
        return list(sums)

    return rounds


def check_same_work(rounds: Rounds) -> None:
    """Compare every sum with those of the rules."""
    for seed, first in ((7, 0), (2020, 123_457)):
        totals = playouts(CHUNK, players=4, policy="uniform", seed=seed, first=first)
        wanted = [*totals.points, 0, *totals.tricks, 0, totals.plays, totals.paradoxes]
        assert rounds(seed, first, CHUNK) == wanted, "fused.c does not play the same rounds"


def by_hand_rows(folder: Path) -> list[Contender]:
    """Return the row, or a sentence why there is none."""
    rounds = compiled(folder)
    if rounds is None:
        print("skipped: fused.c: no C compiler (cc) that takes it")
        return []
    check_same_work(rounds)
    numbers = count(0, CHUNK)

    def play() -> int:
        return rounds(0, next(numbers), CHUNK)[2 * MAX_SEATS]

    return [Contender(NAME, "uniform", play)]
