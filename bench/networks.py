"""The networks in the browser's engine: the same actions as in Python, and how long one takes.

python -m bench.networks --positions 10000

Node runs what the page's worker runs: the inputs as WebAssembly, the network by `network.ts`.
Positions are those of rounds on every table, played at random, by simple players and by `net`.
The other times are those of the network alone, in Node and, if there is one, in Chromium.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, Final, NamedTuple

from bench.npm import node_program
from catinthebox import FACES, Round
from catinthebox.players import Budget, player
from catinthebox.players.net import Net
from catinthebox.players.network import FOLDER
from catinthebox.players.plain_network import PlainNetwork
from catinthebox.views import View

DRIVER: Final = Path(__file__).with_suffix(".mjs")
SPEED: Final = DRIVER.with_stem("networks_speed")
TABLES: Final = tuple((n, face) for n in (2, 3, 4, 5) for face in ("white", "purple"))
POLICIES: Final = ("random", "follow", "modest", "net", "net:temperature=1")


class Compared(NamedTuple):
    """What the two found, and how long a decision took in Node."""

    positions: int
    differing: list[int]
    p50_ms: float
    p95_ms: float


def positions(number: int, seed: int = 1) -> list[View]:
    """Views of seats that are to act, in rounds on every table."""
    rng = Random(seed)
    rounds = (found for table in cycle(TABLES) for found in _moments(*table, rng))
    return list(islice(rounds, number))


def _moments(players: int, face: str, rng: Random) -> Iterator[View]:
    round = Round.shuffled(players, rng, face=FACES[face])
    seats = [player(rng.choice(POLICIES)) for _ in range(players)]
    while round.to_act:
        seat = round.to_act[0]
        view = View.of(round, seat)
        if len(view.legal) > 1:
            yield view
        round = round.play(seats[seat].choose(view, Budget(), rng), seat)


def asked(view: View) -> dict[str, Any]:
    """A view as Node reads it: integers of 64 bits are texts."""
    names = {"seat": view.seat, "players": view.players, "face": view.face.name}
    return {**names, "view": [str(number) for number in view.vector]}


def in_node(views: list[View]) -> dict[str, Any]:
    """Let the browser's code decide; return its actions and times."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "positions.json"
        path.write_text(json.dumps([asked(view) for view in views]))
        ran = subprocess.run(
            [node_program(), "--no-warnings", DRIVER, path], check=True, capture_output=True
        )
    answer: dict[str, Any] = json.loads(ran.stdout)
    return answer


def compare(views: list[View]) -> Compared:
    """Decide in Python and in Node."""
    mine = [Net().choose(view, Budget(), Random(1)).id for view in views]
    theirs = in_node(views)
    differing = [
        place
        for place, (one, other) in enumerate(zip(mine, theirs["actions"], strict=True))
        if one != other
    ]
    times = sorted(theirs["ms"])
    return Compared(len(views), differing, times[len(times) // 2], times[len(times) * 95 // 100])


def plain_ms(views: list[View]) -> float:
    """Milliseconds of a decision in Python without NumPy; the median."""
    network = PlainNetwork((FOLDER / "4-players.net").read_bytes())
    times = []
    for view in islice((view for view in views if view.players == 4), 21):
        begin = perf_counter()
        network.logits(Net().inputs(view))
        times.append(1000 * (perf_counter() - begin))
    return sorted(times)[len(times) // 2]


def speeds() -> dict[str, list[tuple[str, float]]]:
    """Milliseconds for a position in every engine, by what computes it."""
    command = [node_program(), "--no-warnings", str(SPEED)]
    ran = subprocess.run(command, check=True, capture_output=True)
    found: dict[str, list[tuple[str, float]]] = json.loads(ran.stdout)
    return found


def main() -> int:
    """Print a table; differing actions are an error."""
    parser = argparse.ArgumentParser(description="Networks in the browser's engine and in Python.")
    parser.add_argument("--positions", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    views = positions(given.positions, given.seed)
    found = compare(views)
    print(f"positions              {found.positions:>8}")
    print(f"different actions      {len(found.differing):>8}")
    print(f"Node, a decision, p50  {found.p50_ms:>8.2f} ms")
    print(f"Node, a decision, p95  {found.p95_ms:>8.2f} ms")
    print(f"Python without NumPy   {plain_ms(views):>8.2f} ms")
    for engine, rows in speeds().items():
        print()
        for what, ms in rows:
            print(f"{engine + ', ' + what:<40} {ms:>8.3f} ms")
    return 1 if found.differing else 0


if __name__ == "__main__":
    sys.exit(main())
