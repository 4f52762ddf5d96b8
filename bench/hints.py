"""Hints in the page: how long the first answer takes, from the click to the picture of its figures.

    python -m bench.hints               or: make bench

Chromium plays games of two to five against bots, with the window of a desktop, and asks for a hint
at every decision. The first hint of a table also fetches the coach of the page, its network and its
sentences, from a server on this machine; so it is told apart. Times are by the wall clock, and
depend on what else this machine does. It needs a Chromium and the built client (`make web`).
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

from bench.moves import percentile
from bench.npm import node_program

DRIVER: Final = Path(__file__).with_name("in_page") / "hints.mjs"
MOST: Final = 300.0  # milliseconds, in 95 of 100 hints
TABLES: Final = (2, 3, 4, 5)  # players


@dataclass(frozen=True)
class Asked:
    """One hint."""

    players: int
    first: bool  # of its players
    round: str  # game and round
    question: str
    ms: float


def asked(hints: int) -> Iterator[Asked]:
    """Play, ask so many times at each table, and yield what was measured."""
    games = [{"players": players, "hints": hints} for players in TABLES]
    env = os.environ | {"CATINTHEBOX_PYTHON": sys.executable}
    words = [node_program(), str(DRIVER), json.dumps(games)]
    with subprocess.Popen(words, env=env, stdout=subprocess.PIPE, encoding="utf-8") as node:
        assert node.stdout is not None
        for line in node.stdout:
            yield Asked(**json.loads(line))
    if node.returncode:
        sys.exit("the browser did not ask to the end")


def print_row(name: str, hints: Sequence[Asked]) -> None:
    """Print how long hints took; `<` marks a missed bar."""
    times = [hint.ms for hint in hints]
    late = percentile(times, 0.95)
    rounds = len({(hint.players, hint.round) for hint in hints})
    cells = f"{len(times):6} {rounds:7} {percentile(times, 0.5):8.0f} {late:8.0f} {max(times):8.0f}"
    print(f"{name:22}{cells} {'<' * (late > MOST)}".rstrip())


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="how long the first answer of a hint takes")
    parser.add_argument("--hints", type=int, default=25, help="at each table (default 25)")
    options = parser.parse_args()
    load = "load average " + ", ".join(f"{one:.1f}" for one in os.getloadavg())
    print(f"{load} on {os.cpu_count()} cores", flush=True)
    hints = list(asked(options.hints))
    print(f"{'milliseconds':22}{'hints':>6} {'rounds':>7} {'p50':>8} {'p95':>8} {'longest':>8}")
    for players in TABLES:
        print_row(f"{players} players", [hint for hint in hints if hint.players == players])
    print_row("all", hints)
    print_row("the first of a table", [hint for hint in hints if hint.first])


if __name__ == "__main__":
    main()
