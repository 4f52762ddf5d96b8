"""How fast players think: rollouts a second beside raw playouts, and how long decisions take.

python -m bench.thinking            or: make bench

Rollouts start from a view: a world is sampled, an action is taken, the round is played to its
end and scored. CPU seconds on one core, the best of some spans taken in turns.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from random import Random
from statistics import quantiles
from time import perf_counter

from bench.compiled import CHUNK, FACES
from bench.timing import Contender, Row, measure, stay_on_one_core
from catinthebox import Face, Round
from catinthebox.fast.rounds import playouts
from catinthebox.players import LEVELS, Budget, Player, player
from catinthebox.players.ismcts import Ismcts
from catinthebox.players.ismcts import TreeSearch as Tree
from catinthebox.players.search import Search
from catinthebox.views import View, opening, visible

PROMISE = 1 / 3  # of raw playouts
ROLLOUTS = 20_000
RAW = "raw playouts"
FLAT = "search without a tree"


def raw(players: int) -> Callable[[], int]:
    """Play whole rounds, from the shuffle on."""

    def play() -> int:
        playouts(CHUNK, players=players, policy="follow", face=FACES[players])
        return CHUNK

    return play


def opened(players: int) -> View:
    """What a seat sees before it sets a card aside: the whole round lies ahead."""
    face = Face.named(FACES[players])
    return View.of(Round.shuffled(players, Random(7), face=face), seat=1)


def searching(search: Search, view: View) -> Callable[[], int]:
    """Make rollouts as a search does, all of it included."""

    def play() -> int:
        return search.think(view, Budget(), Random(1)).rollouts

    return play


def growing(view: View, policy: str) -> Callable[[], int]:
    """Grow a tree over imagined worlds."""

    def play() -> int:
        tree = Tree(view, ROLLOUTS, Ismcts.exploration, policy, 1)
        tree.go_on(ROLLOUTS)
        return ROLLOUTS

    return play


def contenders(players: int) -> list[Contender]:
    """Everything that ends rounds."""
    view = opened(players)
    flat = {policy: Search(ROLLOUTS, policy=policy, explore=0) for policy in ("follow", "careful")}
    return [
        Contender(RAW, "follow", raw(players)),
        Contender(FLAT, "follow", searching(flat["follow"], view)),
        Contender("search", "follow", searching(Search(ROLLOUTS, policy="follow"), view)),
        Contender("ismcts", "follow", growing(view, "follow")),
        Contender(FLAT, "careful", searching(flat["careful"], view)),
        Contender("search", "careful", searching(Search(ROLLOUTS, policy="careful"), view)),
    ]


def print_rollouts(players: int, rows: list[Row]) -> None:
    """Print rounds ended a second; `<` marks a promise that was missed."""
    speed = {(row.name, row.policy): row.rate for row in rows}
    base = speed[RAW, "follow"]
    print(f"\n{players} players {'':14} {'policy':8} {'rounds/s':>12} {'of raw':>7}")
    for row in rows:
        missed = row.name == FLAT and row.policy == "follow" and row.rate < PROMISE * base
        share = row.rate / base
        print(f"{row.name:24} {row.policy:8} {row.rate:12,.0f} {share:7.2f} {'<' * missed}")


# ── Decisions ────────────────────────────────────────────────────────────────────────────────


def decisions(who: Player, players: int, rounds: int) -> Iterator[float]:
    """Let a player play rounds with itself; return the milliseconds of every decision."""
    rng = Random(3)
    for number in range(rounds):
        face = Face.named(FACES[players])
        round = Round.shuffled(players, rng, starter=number % players, face=face)
        views = [View(opening(round, seat)) for seat in range(players)]
        while not round.over:
            seat = round.to_act[0]
            begin = perf_counter()
            action = who.choose(views[seat], Budget(), rng)
            yield 1000 * (perf_counter() - begin)
            after = round.play(action, seat)
            played = next(play for play in reversed(after.actions) if play.seat == seat)
            views = [
                view.see(*visible(round, played, after, other)) for other, view in enumerate(views)
            ]
            round = after


def print_decisions(rounds: int) -> None:
    """Print how long levels take, by the clock on the wall."""
    print(f"\n{'level':8} {'players':>7} {'p50 ms':>8} {'p99 ms':>8} {'max ms':>8}")
    for level in LEVELS:
        for players in (2, 3, 4, 5):
            who = player(level)
            list(decisions(who, players, 1))  # compiles
            times = list(decisions(who, players, rounds))
            cuts = quantiles(times, n=100)
            shown = (cuts[49], cuts[98], max(times))
            print(f"{level:8} {players:7}", *(f"{ms:8.2f}" for ms in shown))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="per row")
    parser.add_argument("--rounds", type=int, default=10, help="of every level at every table")
    options = parser.parse_args()
    stay_on_one_core()
    for players in (4, 2, 3, 5):
        print_rollouts(players, measure(contenders(players), options.seconds))
    print_decisions(options.rounds)


if __name__ == "__main__":
    main()
