"""The review of a whole game: in the browser's worker and in Python, in turns on the same core.

python -m bench.review [RECORD …]     or: make bench

Wall-clock seconds share the core with whatever else runs; those of the processor (CPU) do not. The
browser's begin with its worker, whose rules and network are still to be loaded; Python's, when it
is compiled. It needs a Chromium and the built client (`make web`).
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, Final

from bench.npm import node_program
from bench.timing import stay_on_one_core
from catinthebox.cli.files import read_game
from catinthebox.coach.review import Review, review
from catinthebox.game import Game
from catinthebox.server.http.static import WEB

DRIVER: Final = Path(__file__).with_name("in_page") / "review.mjs"
EXAMPLE: Final = Path(__file__).parents[1] / "examples" / "four-players.cat"
MOST: Final = 20.0  # seconds, for four players


def in_page(record: Path) -> dict[str, Any]:
    """Review a game in Chromium."""
    env = os.environ | {"CATINTHEBOX_PYTHON": sys.executable}
    asked = json.dumps({"folder": str(WEB), "records": [str(record)]})
    done = subprocess.run(
        [node_program(), str(DRIVER), asked], env=env, check=True, stdout=subprocess.PIPE
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def in_python(game: Game) -> tuple[float, float, Review]:
    """Review a game here: seconds by the wall clock and of the processor."""
    wall, cpu = perf_counter(), process_time()
    found = review(game)
    return perf_counter() - wall, process_time() - cpu, found


def main() -> int:
    """Print a line for each record and turn; 1 if a game of four took too long in the browser.

    By its processor time, where that is known.
    """
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("records", nargs="*", type=Path, default=[EXAMPLE], metavar="RECORD")
    parser.add_argument("--times", type=int, default=3)
    arguments = parser.parse_args()
    stay_on_one_core()
    slow = False
    print(f"{'':24}{'browser, s':>12}{'CPU':>8}{'Python, s':>12}{'CPU':>8}{'alike':>10}  load")
    for record in arguments.records:
        game = read_game(record)
        in_python(game)  # it may have to be compiled first
        for _ in range(arguments.times):
            page, (wall, cpu, found) = in_page(record), in_python(game)
            verdicts = [one.verdict for one in found.decisions]
            alike = sum(a == b for a, b in zip(verdicts, page["verdicts"], strict=True))
            slow = slow or (game.players == 4 and (page["cpu"] or page["seconds"]) > MOST)
            print(
                f"{record.name:24}{page['seconds']:>12.1f}{page['cpu'] or 0:>8.1f}{wall:>12.1f}"
                f"{cpu:>8.1f}{f'{alike}/{len(verdicts)}':>10}  {os.getloadavg()[0]:.1f}"
            )
    return int(slow)


if __name__ == "__main__":
    sys.exit(main())
