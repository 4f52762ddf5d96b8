"""One table of speeds: ours and our peers, in one run, on one core (docs/performance.md).

python -m bench.table --seconds 1 --no-peers        or: make bench ARGS=--no-peers
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

from bench.adapters import adapter_rows
from bench.bars import print_bars
from bench.by_hand import by_hand_rows
from bench.compiled import UNIFORM, batch_rows, fused_rows, two_threads
from bench.interpreted import interpreted_rows
from bench.peer_rows import peer_rows
from bench.timing import Row, measure, stay_on_one_core


def our_rows(seconds: float) -> list[Row]:
    """Measure the fused loops beside each other, then everything that is slower."""
    with TemporaryDirectory() as folder:
        fused = measure([*fused_rows(), *by_hand_rows(Path(folder))], seconds)
    others = [*batch_rows(), *interpreted_rows(), *adapter_rows()]
    return fused + measure(others, seconds)


def print_table(rows: Sequence[Row]) -> None:
    """Print decisions a second, and how many times as fast the fused playouts are."""
    base = next(row.rate for row in rows if row.name == UNIFORM)
    print(f"\n{'':36} {'policy':8} {'decisions/s':>13} {'fused is ×':>11}")
    for row in rows:
        times = base / row.rate
        digits = 2 if times < 10 else 0
        print(f"{row.name:36} {row.policy:8} {row.rate:13,.0f} {times:11,.{digits}f}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="per row")
    parser.add_argument("--no-peers", action="store_true", help="ours alone")
    options = parser.parse_args()
    print(f"Python {sys.version.split()[0]}, one core of {os.cpu_count()}, 4 players unless named")
    wall, cpu = (two_threads(options.seconds, clock) for clock in (perf_counter, process_time))
    stay_on_one_core()
    rows = our_rows(options.seconds)
    if not options.no_peers:
        rows += peer_rows(options.seconds)
    print_table(rows)
    print_bars(rows, wall, cpu)


if __name__ == "__main__":
    main()
