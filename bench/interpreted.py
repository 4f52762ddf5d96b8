"""Speed of the interpreted engine beside the naive oracle, one core, as a table.

Every row plays the same kind of round in the same run: 4 players, shuffled deck, discards, bids,
uniformly random legal plays, scores. The ratio is what counts; absolute figures are this machine's.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from time import process_time

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from oracle import Oracle

from catinthebox import FACES, Round, Setup
from catinthebox.rules.actions import act, legal_actions
from catinthebox.rules.layout import OVER, PHASE, TURN
from catinthebox.rules.score import seat_score

PLAYERS = 4
TOUCH = FACES["white"].touch


def pick(ids: int, rng: Random) -> int:
    """One of the set bits at random."""
    for _ in range(int(rng.random() * ids.bit_count())):
        ids &= ids - 1
    return (ids & -ids).bit_length() - 1


def rule_functions(rng: Random) -> int:
    """The bare rule functions on a list of integers."""
    s = Setup.shuffled(PLAYERS, rng).state()
    decisions = 0
    while s[PHASE] != OVER:
        seat = s[TURN]
        act(s, seat, pick(legal_actions(s, seat), rng))
        decisions += 1
    for seat in range(PLAYERS):
        seat_score(s, seat, TOUCH)
    return decisions


def round_objects(rng: Random) -> int:
    """Immutable `Round` objects, checked."""
    round = Round.shuffled(PLAYERS, rng)
    while not round.over:
        legal = tuple(round.legal)
        round = round.play(legal[int(rng.random() * len(legal))])
    assert round.scores is not None
    return len(round.actions)


def naive_oracle(rng: Random) -> int:
    """The oracle of the tests: sets and dicts."""
    setup = Setup.shuffled(PLAYERS, rng)
    oracle = Oracle(PLAYERS, [[int(rank) for rank in hand] for hand in setup.hands])
    decisions = 0
    while oracle.phase != "over":
        seat = oracle.to_act()[0]
        oracle.act(seat, rng.choice(sorted(oracle.legal(seat))))
        decisions += 1
    oracle.scores()
    return decisions


ROWS: dict[str, Callable[[Random], int]] = {
    "rule functions": rule_functions,
    "Round objects": round_objects,
    "naive oracle": naive_oracle,
}


def measure(play: Callable[[Random], int], seconds: float) -> tuple[float, float]:
    """Rounds and decisions per second: the best of three spans, since machines are noisy."""
    best = (0.0, 0.0)
    rng = Random(7)
    for _ in range(3):
        rounds = decisions = 0
        begin = process_time()
        while (spent := process_time() - begin) < seconds / 3:
            decisions += play(rng)
            rounds += 1
        best = max(best, (rounds / spent, decisions / spent))
    return best


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3.0, help="per row")
    seconds = parser.parse_args().seconds
    speeds = {name: measure(play, seconds) for name, play in ROWS.items()}
    base = speeds["naive oracle"][0]
    print(f"Python {sys.version.split()[0]}, {PLAYERS} players, uniform play, one core\n")
    print(f"{'':16} {'rounds/s':>10} {'decisions/s':>12} {'× oracle':>9}")
    for name, (rounds, decisions) in speeds.items():
        print(f"{name:16} {rounds:10,.0f} {decisions:12,.0f} {rounds / base:9.1f}")


if __name__ == "__main__":
    main()
