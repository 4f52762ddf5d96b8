"""A game against bots in the page: how long bots think, and what a move costs the main thread.

python -m bench.moves               or: make bench

Chromium plays as a phone would, at full speed and with its CPU slowed four times. Main-thread work
is CPU time, and its bar is for full speed; what bots take is wall-clock time, which depends on what
else this machine does, and its bars are for the slowed CPU. Long tasks are counted by both. It
needs a Chromium and the built client (`make web`).
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

from bench.npm import node_program
from catinthebox.server.http.static import WEB

DRIVER: Final = Path(__file__).with_name("in_page") / "measure.mjs"
FAST, SLOW = 1, 4  # how many times the CPU is slowed
BUDGET: Final = 40.0  # milliseconds that `fierce` thinks
SLACK: Final = 5.0  # the last slice, and what comes before the first
MOST_GZIP: Final = 25_000  # bytes


@dataclass(frozen=True)
class Played:
    """A stretch of a game, in milliseconds."""

    level: str
    slowdown: int
    ready: float  # from the start of the worker's script
    thoughts: Sequence[float]  # from the question to the bot's choice
    shown: Sequence[float]  # main-thread work from a move's arrival to the picture of it
    each: float  # all main-thread work, per move
    parts: Mapping[str, float]  # of it, by kind of work
    blocked: Sequence[float]  # tasks with more than 50 of CPU time
    long: Sequence[float]  # tasks that took more than 50 by the wall clock


def played(moves: int, repeat: int) -> Iterator[Played]:
    """Play, and yield what was measured, game by game."""
    games = [
        {"level": level, "slowdown": slowdown, "moves": moves, "speed": "normal"}
        for _ in range(repeat)
        for slowdown in (FAST, SLOW)
        for level in ("sharp", "fierce")
    ]
    env = os.environ | {"CATINTHEBOX_PYTHON": sys.executable}
    words = [node_program(), str(DRIVER), json.dumps(games)]
    with subprocess.Popen(words, env=env, stdout=subprocess.PIPE, encoding="utf-8") as node:
        assert node.stdout is not None
        for line in node.stdout:
            found = json.loads(line)
            yield Played(**{name: found[name] for name in Played.__dataclass_fields__})
    if node.returncode:
        sys.exit("the browser did not play to the end")


def percentile(values: Sequence[float], part: float) -> float:
    """Return the value that this part of all values does not exceed."""
    return sorted(values)[min(len(values) - 1, int(part * len(values)))]


def print_row(
    name: str,
    fast: Sequence[float],
    slow: Sequence[float],
    most: float | None,
    *,
    slowed: bool = True,
) -> None:
    """Print medians of all games; `<` marks a missed bar, of the slowed CPU or of full speed."""
    quick, late = median(fast), median(slow)
    bar = "" if most is None else f"{most:9.0f} {'<' * ((late if slowed else quick) > most)}"
    print(f"{name:46} {quick:10.1f} {late:10.1f} {bar}".rstrip())


def print_table(games: Sequence[Played]) -> None:
    """Print a row for each bar."""

    def of(level: str, slowdown: int) -> list[Played]:
        return [one for one in games if (one.level, one.slowdown) == (level, slowdown)]

    def row(
        name: str, level: str, value: str, part: float, most: float, *, slowed: bool = True
    ) -> None:
        fast, slow = (
            [percentile(getattr(one, value), part) for one in of(level, slowdown)]
            for slowdown in (FAST, SLOW)
        )
        print_row(name, fast, slow, most, slowed=slowed)

    def single(name: str, value: str, most: float | None) -> None:
        fast, slow = (
            [float(getattr(one, value)) for one in games if one.slowdown == slowdown]
            for slowdown in (FAST, SLOW)
        )
        print_row(name, fast, slow, most)

    print(f"{'milliseconds, medians of games':46} {'full speed':>10} {'slowed':>10} {'at most':>9}")
    single("the rules are ready", "ready", 50)
    row("sharp thinks, p50", "sharp", "thoughts", 0.5, 100)
    row("sharp thinks, p95", "sharp", "thoughts", 0.95, 100)
    row("fierce thinks, p50", "fierce", "thoughts", 0.5, BUDGET + SLACK)
    row("fierce thinks, p95", "fierce", "thoughts", 0.95, BUDGET + SLACK)
    row("main thread, from a move to the screen, p50", "sharp", "shown", 0.5, 16, slowed=False)
    row("main thread, from a move to the screen, p95", "sharp", "shown", 0.95, 16, slowed=False)
    single("main thread, all work per move", "each", None)
    for kind in games[0].parts:
        quick, late = (
            [one.parts[kind] for one in games if one.slowdown == slowdown]
            for slowdown in (FAST, SLOW)
        )
        print_row(f"  of it {kind}", quick, late, None)
    for slowdown, name in ((FAST, "full speed"), (SLOW, "slowed")):
        for value, clock in (("blocked", "CPU time"), ("long", "wall clock")):
            tasks = [
                task for one in games if one.slowdown == slowdown for task in getattr(one, value)
            ]
            longest = f", the longest {max(tasks):.0f} ms" if tasks else ""
            print(f"long tasks by {clock}, {name}: {len(tasks)}{longest}; none is allowed")


def print_size() -> None:
    """Print how large the module of the built client is."""
    for path in WEB.glob("assets/rules-*.wasm"):
        small = len(gzip.compress(path.read_bytes(), 9))
        print(f"{path.name}: {small:,} bytes in gzip; at most {MOST_GZIP:,}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="games against bots in the page")
    parser.add_argument("--moves", type=int, default=40, help="of each game (default 40)")
    parser.add_argument("--repeat", type=int, default=1, help="games of each kind (default 1)")
    options = parser.parse_args()
    load = "load average " + ", ".join(f"{one:.1f}" for one in os.getloadavg())
    print(f"{load} on {os.cpu_count()} cores", flush=True)
    print_size()
    print_table(list(played(options.moves, options.repeat)))


if __name__ == "__main__":
    main()
