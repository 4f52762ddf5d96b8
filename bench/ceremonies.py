"""The ceremonies of a game in the page: whether they keep the main thread busy for too long.

python -m bench.ceremonies          or: make bench

A whole game against bots in Chromium, with the window of a phone, the usual speed of motion and the
CPU slowed four times. For every kind of ceremony: how often it was seen, the longest task during it
and how many tasks have more than 50 ms (both CPU time of the main thread), and how many frames were
drawn and dropped (by the wall clock, which depends on what else this machine does, and on drawing
without a GPU). Not every game has every ceremony; one that was not seen is named. It needs a
Chromium and the built client (`make web`).
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.npm import node_program

DRIVER: Final = Path(__file__).with_name("in_page") / "ceremonies.mjs"
LONG: Final = 50.0  # milliseconds
# How long each of them lasts, in milliseconds.
LENGTHS: Final = {
    "deal": 1_100,
    "discard": 450,
    "bid": 1_150,
    "card played": 450,
    "color given up": 950,
    "red opened": 1_550,
    "trick taken": 450,
    "paradox": 5_000,
    "counting": 11_000,
    "victory": 6_000,
}
LOOK: Final = 11_000  # milliseconds until the person leaves the end of a round


@dataclass(frozen=True)
class Ceremony:
    """One ceremony, as it was seen."""

    name: str
    longest: float  # milliseconds of CPU time
    blocked: int  # tasks with more than LONG
    drawn: int  # frames
    dropped: int


def seen(slowdown: int, players: int) -> Iterator[Ceremony]:
    """Play a game, and yield its ceremonies."""
    job = {"slowdown": slowdown, "players": players, "look": LOOK, "lengths": LENGTHS}
    env = os.environ | {"CATINTHEBOX_PYTHON": sys.executable}
    words = [node_program(), str(DRIVER), json.dumps(job)]
    with subprocess.Popen(words, env=env, stdout=subprocess.PIPE, encoding="utf-8") as node:
        assert node.stdout is not None
        for line in node.stdout:
            yield Ceremony(**json.loads(line))
    if node.returncode:
        sys.exit("the browser did not play to the end")


def print_table(all_of_them: Sequence[Ceremony]) -> None:
    """Print a row for each kind of ceremony; `<` marks one with a long task."""
    print(f"{'':16} {'times':>6} {'longest task, ms':>17} {'long':>5} {'drawn':>6} {'dropped':>8}")
    for name in LENGTHS:
        some = [one for one in all_of_them if one.name == name]
        if not some:
            print(f"{name:16} {'not seen':>6}")
            continue
        longest = max(one.longest for one in some)
        counts = [
            sum(getattr(one, what) for one in some) for what in ("blocked", "drawn", "dropped")
        ]
        row = f"{name:16} {len(some):6} {longest:17.1f} {counts[0]:5} {counts[1]:6} {counts[2]:8}"
        print(f"{row} {'<' * (longest > LONG)}".rstrip())


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="ceremonies in the page, with a slowed CPU")
    parser.add_argument("--slowdown", type=int, default=4, help="of the CPU (default 4)")
    parser.add_argument("--players", type=int, default=3, help="at the table (default 3)")
    options = parser.parse_args()
    load = "load average " + ", ".join(f"{one:.1f}" for one in os.getloadavg())
    print(f"{load} on {os.cpu_count()} cores", flush=True)
    print_table(list(seen(options.slowdown, options.players)))


if __name__ == "__main__":
    main()
