"""How long exact endgames take: whole rounds of two, the last tricks of three to five.

python -m bench.endgames --deals 200

CPU seconds are counted. Cards are shuffled; the player `modest` discards, bids and, for more than
two seats, plays up to some tricks before the end. The second table says how many of those
positions are solved within the limit of time.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from random import Random
from time import process_time

from bench.compiled import FACES
from catinthebox import Face, Phase, Round
from catinthebox.fast.endgame import Solution, Solver
from catinthebox.players import Budget
from catinthebox.players.modest import Modest
from catinthebox.rules.layout import LEFT
from catinthebox.views import View


def before_the_lead(players: int, rng: Random, left: int) -> Round | None:
    """A shuffled round with `left` tricks left; None if a paradox came first."""
    face = Face.named(FACES[players])
    round = Round.shuffled(players, rng, starter=rng.randrange(players), face=face)
    while not round.over and (round.phase is not Phase.PLAY or round.vector[LEFT] > left):
        seat = round.to_act[0]
        round = round.play(Modest().choose(View.of(round, seat), Budget(), rng), seat)
    return None if round.over else round


def positions(players: int, left: int, number: int, seed: int) -> Iterator[Round]:
    """So many positions of a kind."""
    rng = Random(seed)
    while number > 0:
        round = before_the_lead(players, rng, left)
        if round is not None:
            number -= 1
            yield round


def timed(solver: Solver, round: Round, seconds: float) -> tuple[Solution, float]:
    """Solve within a time; return the solution and the time it took."""
    begin = process_time()
    solution = solver.solve(
        round.vector, round.face.touch, nodes=1 << 40, stop=lambda: process_time() - begin > seconds
    )
    return solution, process_time() - begin


def share(numbers: Sequence[float], percent: int) -> float:
    """Return a percentile."""
    return sorted(numbers)[min(len(numbers) * percent // 100, len(numbers) - 1)]


def two_players(solver: Solver, deals: int, seed: int) -> None:
    """Print the distribution over whole rounds."""
    found = [timed(solver, round, 60.0) for round in positions(2, 8, deals, seed)]
    times = [1000 * seconds for _, seconds in found]
    nodes = [solution.nodes for solution, _ in found]
    print(f"two players, 8 tricks, {deals} deals, {sum(s.solved for s, _ in found)} solved")
    print(f"{'':14} {'p50':>9} {'p90':>9} {'p99':>9} {'max':>9}")
    for name, numbers in (("milliseconds", times), ("nodes", nodes)):
        row = " ".join(f"{share(numbers, percent):9,.0f}" for percent in (50, 90, 99, 100))
        print(f"{name:14} {row}")
    print(f"{sum(nodes) / sum(times) * 1000:,.0f} nodes/s")


def more_players(solver: Solver, number: int, seed: int, seconds: float) -> None:
    """Print how many positions are solved in time, by tricks left, and their median nodes."""
    print(f"\nsolved within {seconds:g} s (median ms), of {number} positions, by tricks left")
    print(f"{'players':8}" + "".join(f"{left:>18}" for left in range(1, 6)))
    for players in (3, 4, 5):
        cells = []
        for left in range(1, 6):
            found = [timed(solver, r, seconds) for r in positions(players, left, number, seed)]
            done = sum(solution.solved for solution, _ in found)
            median = 1000 * share([spent for _, spent in found], 50)
            cells.append(f"{done}/{number} ({median:,.0f})".rjust(18))
            if done == 0:
                break
        print(f"{players:<8}" + "".join(cells))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--deals", type=int, default=200, help="of two players")
    parser.add_argument("--positions", type=int, default=20, help="of more players, per column")
    parser.add_argument("--seconds", type=float, default=1.0, help="the limit for more players")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    solver = Solver()
    next(timed(solver, round, 1.0) for round in positions(2, 2, 1, 0))  # compile
    two_players(solver, options.deals, options.seed)
    more_players(solver, options.positions, options.seed, options.seconds)


if __name__ == "__main__":
    main()
