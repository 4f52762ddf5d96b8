"""`make soak MINUTES=60`: the long laws for as long as you like, and one table of what was seen.

Five laws share the time, on all cores. Each draws seeds that nobody has drawn before and stops at
its time, after the seed that it is at. What fails is shown with its seed and the command that
repeats it, and the exit status is 1. The laws are those of the tests; nothing is written twice.

    python tests/soak.py --minutes 3
    python tests/soak.py --only worlds --seed 17 --minutes 0     one seed again
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import Random
from secrets import randbelow
from tempfile import TemporaryDirectory
from typing import Final
from unittest.mock import patch

from crash.test_kill import killed, nothing_is_lost
from laws.test_oracle_agreement import play_both
from policies import TABLES, random_round
from secrecy.law import compared
from secrecy.scenarios import drawn
from server.transport.test_bad_messages import nonsense
from simulation.world import lived

from catinthebox.server.access import rate_limits
from catinthebox.server.ops.limits import NO_LIMIT

KILLS: Final = 6  # of one server; then every game is played to its end
FRAMES: Final = 10_000  # to one server
ROUNDS: Final = 25
SLACK: Final = 900.0  # seconds that the seed at the end of the time may still take
SEEDS: Final = 2**40


# ── The laws ─────────────────────────────────────────────────────────────────────────────────


def pairs_compared(seed: int, folder: Path) -> int:
    """Compare what audiences of a server get in worlds that they cannot tell apart."""
    return compared(drawn(seed, *TABLES[seed % len(TABLES)]))


def kills_survived(seed: int, folder: Path) -> int:
    """Kill a real server under load, and hold its log against what people were told."""
    db = str(folder / "games.db")
    nothing_is_lost(db, asyncio.run(killed(db, folder, KILLS, seed)))
    return KILLS


def worlds_simulated(seed: int, folder: Path) -> int:
    """Let a server live in a simulated world full of trouble."""
    lived(seed)
    return 1


def frames_refused(seed: int, folder: Path) -> int:
    """Send a server messages that are none; no line is given up on the way."""
    with patch.object(rate_limits, "REFUSED_MESSAGES", NO_LIMIT):
        return asyncio.run(nonsense(folder, seed, FRAMES)).total()


def rounds_agreed(seed: int, folder: Path) -> int:
    """Play rounds on the engine and on the oracle, compared move by move."""
    rng = Random(f"soak {seed}")
    for _ in range(ROUNDS):
        play_both(random_round(*TABLES[seed % len(TABLES)], rng), rng)
    return ROUNDS


Check = Callable[[int, Path], int]


@dataclass(frozen=True)
class Law:
    """One law: what is counted, what would be wrong, its share of the time, and how to check it."""

    name: str
    counted: str
    wrong: str
    share: float
    check: Check  # with a seed and an empty folder; it gives how much was checked


LAWS: Final = (
    Law("pairs", "pairs of worlds compared", "leaks", 0.3, pairs_compared),
    Law("kills", "kills survived", "lost", 0.25, kills_survived),
    Law("worlds", "simulated worlds", "lost", 0.2, worlds_simulated),
    Law("frames", "bad frames", "with an effect", 0.1, frames_refused),
    Law("rounds", "rounds against the oracle", "different", 0.15, rounds_agreed),
)


# ── One process ──────────────────────────────────────────────────────────────────────────────


@dataclass
class Outcome:
    """What came of a law: how much was checked, with how many seeds, and which of them failed."""

    checked: int = 0
    seeds: int = 0
    failed: list[tuple[int | None, str]] = field(default_factory=list)  # None: not known any more

    def __add__(self, other: Outcome) -> Outcome:
        return Outcome(
            self.checked + other.checked, self.seeds + other.seeds, self.failed + other.failed
        )


def checked(
    law: Law, seeds: Iterable[int], seconds: float, clock: Callable[[], float] = time.monotonic
) -> Outcome:
    """Check a law with one seed after the other until the next would end too late."""
    outcome, began, longest = Outcome(), clock(), 0.0
    for seed in seeds:
        start = clock()
        if outcome.seeds and start - began + longest > seconds:
            break
        outcome.seeds += 1
        try:
            with TemporaryDirectory(prefix="soak-") as folder:
                outcome.checked += law.check(seed, Path(folder))
        except KeyboardInterrupt:
            break
        except Exception:
            outcome.failed.append((seed, traceback.format_exc()))
        longest = max(longest, clock() - start)
    return outcome


def _noted(seeds: Iterable[int], note: Path) -> Iterator[int]:
    """Write down every seed before it is used, in case the process does not live to tell."""
    for seed in seeds:
        note.write_text(str(seed))
        yield seed


def _work(name: str, first: int, step: int, seconds: float, note: Path, out: Connection) -> None:
    """Check a law in a process of its own."""
    law = next(law for law in LAWS if law.name == name)
    seeds = count(first, step) if seconds else [first]
    out.send(checked(law, _noted(seeds, note), seconds))


# ── All cores ────────────────────────────────────────────────────────────────────────────────


def shared_out(law: Law, first: int, cores: int, seconds: float) -> Outcome:
    """Check a law on some cores; a process that dies, or never ends, has failed at its seed."""
    context, total = get_context("spawn"), Outcome()
    end = time.monotonic() + seconds + SLACK
    with TemporaryDirectory(prefix="soak-") as folder:
        working: dict[Connection, tuple[BaseProcess, Path]] = {}
        for number in range(cores):
            note = Path(folder) / str(number)
            receive, send = context.Pipe(duplex=False)
            words = (law.name, first + number, cores, seconds, note, send)
            process = context.Process(target=_work, args=words)
            process.start()
            send.close()
            working[receive] = process, note
        while working:
            ready = set(wait(list(working), max(0.0, end - time.monotonic())))
            for receive in [one for one in working if one in ready or not ready]:
                worker, note = working.pop(receive)
                total += printed(receive if ready else None, note)
                if not ready:
                    worker.kill()
                worker.join()
    return total


def printed(receive: Connection | None, note: Path) -> Outcome:
    """Take what a process says; one that says nothing has failed."""
    seed = int(note.read_text()) if note.exists() else None
    if receive is None:
        return Outcome(failed=[(seed, f"it did not end within {SLACK:.0f} s\n")])
    try:
        outcome: Outcome = receive.recv()
    except EOFError:
        return Outcome(failed=[(seed, "its process died\n")])
    return outcome


# ── The table ────────────────────────────────────────────────────────────────────────────────


def row(law: Law, outcome: Outcome, seconds: float, first: int) -> str:
    """Return the line of a law in the table.

    >>> row(LAWS[2], Outcome(1234, 1234), 61.4, 17)
    '| simulated worlds | 1,234 | 0 lost | 1:01 | 1,234 from 17 |'
    """
    minutes, rest = divmod(round(seconds), 60)
    wrong, seeds = f"{len(outcome.failed)} {law.wrong}", f"{outcome.seeds:,} from {first}"
    return f"| {law.counted} | {outcome.checked:,} | {wrong} | {minutes}:{rest:02} | {seeds} |"


def again(law: Law, seed: int | None) -> str:
    """Say how to repeat what failed.

    >>> again(LAWS[2], 17)
    'again with: python tests/soak.py --only worlds --seed 17 --minutes 0'
    """
    if seed is None:
        return "before it had a seed"
    return f"again with: python tests/soak.py --only {law.name} --seed {seed} --minutes 0"


def main(words: Sequence[str] | None = None) -> int:
    """Check what was asked for; the answer is whether anything failed."""
    names = [law.name for law in LAWS]
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=60.0, help="for all laws together (60)")
    parser.add_argument("--only", nargs="+", choices=names, default=names, help="some of the laws")
    parser.add_argument("--seed", type=int, help="the first one; otherwise drawn")
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1, help="how many (all)")
    options = parser.parse_args(words)
    first = randbelow(SEEDS) if options.seed is None else options.seed
    laws = [law for law in LAWS if law.name in options.only]
    share = 60 * options.minutes / sum(law.share for law in laws)
    cores = options.cores if options.minutes else 1  # no time at all: one seed, once
    rows, failures = [], 0
    for law in laws:
        print(f"{law.counted}: {law.share * share:.0f} s on {cores} cores", flush=True)
        began = time.monotonic()
        outcome = shared_out(law, first, cores, law.share * share)
        rows.append(row(law, outcome, time.monotonic() - began, first))
        failures += len(outcome.failed)
        for seed, why in outcome.failed:
            print(f"\n{law.counted}, seed {seed}:\n{why}{again(law, seed)}", flush=True)
    print("\n| What | How much | What went wrong | Time | Seeds |\n|---|--:|--:|--:|---|")
    print(*rows, sep="\n", flush=True)
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
