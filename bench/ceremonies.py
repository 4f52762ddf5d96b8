"""The ceremonies of a game in the page: whether they keep the main thread busy for too long.

python -m bench.ceremonies          or: make bench

A whole game against bots in Chromium, with the window of a phone and the usual speed of motion, is
played twice: at full speed, and with the CPU slowed four times. The seed decides deals and bots, so
both games are the same. For every kind of ceremony: how often it was seen; the longest task during
it, and how many have more than 50 ms, by four times the CPU time of the main thread at full speed;
the longest task with the CPU slowed; and how many frames were drawn and dropped then.

Chromium slows a thread down by having it wait three times as long as the wall clock says that it
ran. On a busy machine that includes the time in which other programs ran, so the third figure is
too large there; so are dropped frames, which also depend on drawing without a GPU. It needs a
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
SEED: Final = 1  # a game of three that has every ceremony


@dataclass(frozen=True)
class Ceremony:
    """One ceremony, as it was seen."""

    slowdown: int  # of the CPU
    name: str
    longest: float  # milliseconds of CPU time
    blocked: int  # tasks that are too long for a slow CPU
    drawn: int  # frames
    dropped: int


def seen(slowdown: int, players: int, seed: int) -> Iterator[Ceremony]:
    """Play the game twice, and yield its ceremonies."""
    games = [{"slowdown": 1, "most": LONG / slowdown}, {"slowdown": slowdown, "most": LONG}]
    job = {"games": games, "players": players, "seed": seed, "look": LOOK, "lengths": LENGTHS}
    env = os.environ | {"CATINTHEBOX_PYTHON": sys.executable}
    words = [node_program(), str(DRIVER), json.dumps(job)]
    with subprocess.Popen(words, env=env, stdout=subprocess.PIPE, encoding="utf-8") as node:
        assert node.stdout is not None
        for line in node.stdout:
            yield Ceremony(**json.loads(line))
    if node.returncode:
        sys.exit("the browser did not play to the end")


def print_table(all_of_them: Sequence[Ceremony], slowdown: int) -> None:
    """Print a row for each kind of ceremony; `<` marks one with a long task."""
    heads = ("times", f"longest × {slowdown}, ms", "long", "longest, slowed", "drawn", "dropped")
    widths = [len(head) + 2 for head in heads]

    def row(name: str, cells: Sequence[str]) -> str:
        return f"{name:15}" + "".join(map(str.rjust, cells, widths))

    print(row("", heads))
    for name in LENGTHS:
        fast, slow = (
            [one for one in all_of_them if one.name == name and (one.slowdown == 1) is is_fast]
            for is_fast in (True, False)
        )
        if not fast or not slow:
            print(f"{name:15}  not seen")
            continue
        longest = slowdown * max(one.longest for one in fast)
        cells = (
            str(len(fast)),
            f"{longest:.1f}",
            str(sum(one.blocked for one in fast)),
            f"{max(one.longest for one in slow):.1f}",
            str(sum(one.drawn for one in slow)),
            str(sum(one.dropped for one in slow)),
        )
        print(f"{row(name, cells)} {'<' * (longest > LONG)}".rstrip())


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="ceremonies in the page, with a slowed CPU")
    parser.add_argument("--slowdown", type=int, default=4, help="of the CPU (default 4)")
    parser.add_argument("--players", type=int, default=3, help="at the table (default 3)")
    parser.add_argument("--seed", type=int, default=SEED, help=f"of the game (default {SEED})")
    options = parser.parse_args()
    load = "load average " + ", ".join(f"{one:.1f}" for one in os.getloadavg())
    print(f"{load} on {os.cpu_count()} cores", flush=True)
    ceremonies = list(seen(options.slowdown, options.players, options.seed))
    print_table(ceremonies, options.slowdown)


if __name__ == "__main__":
    main()
