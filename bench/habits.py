"""How players play among themselves: rounds with a paradox, bids, bids hit, tricks that are played.

    python -m bench.habits careful net search:rollouts=1000 --players 3 4 --rounds 1000

Every seat of a round is the same player. The same seed deals the same rounds to every player.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from catinthebox import Round
from catinthebox.arena import play_round
from catinthebox.players import Budget, player


class Habits(NamedTuple):
    """Means over many rounds, and over the seats where a seat is meant."""

    rounds: int
    paradoxes: float  # the share of rounds that end in one
    hits: float  # the share of seats that earn the bonus (R25, R26)
    bid: float
    tricks: float  # won by anybody before the round ends
    points: float


def habits(spec: str, players: int, rounds: int, seed: str) -> Habits:
    """Play some rounds and add up."""
    who = [player(spec)] * players
    ended = [
        play_round(deal(players, f"{seed} {number}"), who, Budget(), f"{seed} {number}").round
        for number in range(rounds)
    ]
    seats = [(round, seat) for round in ended for seat in range(players)]
    return Habits(
        rounds,
        sum(round.paradox is not None for round in ended) / rounds,
        sum(round.bonus_earned(seat) for round, seat in seats) / len(seats),
        sum(round.bids[seat] or 0 for round, seat in seats) / len(seats),
        sum(sum(round.won) for round in ended) / rounds,
        sum(sum(round.scores or ()) for round in ended) / len(seats),
    )


def deal(players: int, seed: str) -> Round:
    """Deal a round, with any starter."""
    rng = Random(seed)
    return Round.shuffled(players, rng, starter=rng.randrange(players))


def line(players: int, spec: str, found: Habits) -> str:
    """Return a row of the table in docs/strength.md."""
    bid = f"{found.bid:.2f}" if players > 2 else "–"
    return (
        f"| {players} | `{spec}` | {found.paradoxes:.0%} | {found.hits:.0%} | {bid} "
        f"| {found.tricks:.2f} | {found.points:.2f} | {found.rounds:,} |"
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a row for every player and table size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("players_by_name", metavar="player", nargs="+")
    parser.add_argument("--players", type=int, nargs="+", default=[2, 3, 4, 5])
    parser.add_argument("--rounds", type=int, default=1000)
    parser.add_argument("--seed", default="habits")
    options = parser.parse_args(arguments)
    print("| players | player | paradox | bonus | bid | tricks played | points | rounds |")
    print("|---|---|---|---|---|---|---|---|")
    for players in options.players:
        for spec in options.players_by_name:
            found = habits(spec, players, options.rounds, options.seed)
            print(line(players, spec, found), flush=True)


if __name__ == "__main__":
    main()
