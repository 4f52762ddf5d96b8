"""Is the coach right? What it predicted against what came, in rounds that `net` plays with itself.

python -m bench.coach --rounds 10000                 points, paradoxes and bids against what came
python -m bench.coach --rounds 1000 --method network the same with another way to play rounds on
python -m bench.coach --planted 50                   is a planted mistake found, and named first?
python -m bench.coach --mistakes 50                  what is said about games of `net` alone

In every round one decision is analysed, drawn by lot: the action that was taken, and nothing but
what its seat could know. The slope is that of a straight line through what came, by what was
predicted; 1 is right. Deciles sort the decisions by the predicted chance.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path
from random import Random
from statistics import fmean
from time import perf_counter, process_time
from typing import Final, NamedTuple

from catinthebox import Action, Game, Round
from catinthebox.coach.analysis import METHODS, NETWORK, analyse
from catinthebox.coach.review import review
from catinthebox.coach.rollouts import Method
from catinthebox.players import Budget, player
from catinthebox.views import View

TABLES: Final = (2, 3, 4, 5)
PARTS: Final = 10
BLUNDER: Final = 2.0  # points


class Planted(NamedTuple):
    """Where a mistake was planted."""

    round: int
    step: int


class Predicted(NamedTuple):
    """A decision: what was predicted for its action, and what came."""

    players: int
    step: int
    points: float
    came: int
    paradox: float
    caused: bool
    bid: float
    kept: bool
    ms: float


# ── Rounds ───────────────────────────────────────────────────────────────────────────────────


def played(players: int, spec: str, rng: Random) -> tuple[Round, list[tuple[View, int]]]:
    """Play a round; return it, with every view that had a choice and the place of its action."""
    who, round = player(spec), Round.shuffled(players, rng)
    asked = []
    while round.to_act:
        seat = round.to_act[0]
        view = View.of(round, seat)
        if len(view.legal) > 1:
            asked.append((view, len(round.actions)))
        round = round.play(who.choose(view, Budget(), rng), seat)
    return round, asked


def predicted(players: int, spec: str, worlds: int, method: Method, seed: int) -> Predicted:
    """Play a round and analyse one of its decisions."""
    rng = Random(f"{players} {seed}")
    round, asked = played(players, spec, rng)
    view, place = rng.choice(asked)
    seat, action = round.actions[place]
    begun = perf_counter()
    analysis = analyse(view, worlds, seed=seed, method=method, only=(action,))
    found = analysis.expected(analysis.best)
    ms = 1000 * (perf_counter() - begun)
    assert round.scores is not None
    kept, caused = round.bonus_earned(seat), round.paradox == seat
    points = round.scores[seat]
    return Predicted(
        players, place, found.points, points, found.paradox, caused, found.bid, kept, ms
    )


# ── Planted mistakes ─────────────────────────────────────────────────────────────────────────


def game_of(players: int, spec: str, rng: Random, plant: bool) -> tuple[Game, Planted | None]:
    """Play a game; one action, chosen by lot, may be replaced by the worst one there is.

    It costs two points or more, by careful rollouts and beyond noise by rollouts of the network.
    """
    who, game, planted = player(spec), Game.new(players), None
    begin = rng.randrange(players), rng.randrange(8 * players)
    while not game.over:
        game = game.shuffle(rng)
        while not game.current.over:
            round = game.current
            seat, step, number = round.to_act[0], len(round.actions), len(game.rounds)
            view = View.of(round, seat)
            action = who.choose(view, Budget(), rng)
            if plant and planted is None and (number - 1, step) >= begin:
                worst = blunder(view, rng)
                if worst is not None:
                    action, planted = worst, Planted(number, step)
            game = game.play(action, seat)
    return game, planted


def blunder(view: View, rng: Random) -> Action | None:
    """Return the worst action, if it costs two points or more."""
    if len(view.legal) < 2:
        return None
    seed = rng.getrandbits(62)
    look = analyse(view, 64, seed=seed)
    worst = min(look.actions, key=lambda judged: judged.prospect.margin)
    if worst.loss < BLUNDER:
        return None
    few = (look.best.action, worst.action)
    sure = analyse(view, 96, seed=seed + 1, method=NETWORK, only=few).of(worst.action)
    return worst.action if sure.loss - sure.prospect.loss_within >= BLUNDER else None


def planted(number: int, spec: str, worlds: int, method: Method, seed: int) -> Iterator[str]:
    """Return a line for every game with a planted mistake, and how many were found."""
    found = done = 0
    for place, players in enumerate(cycle(TABLES)):
        if done == number:
            break
        rng = Random(f"planted {seed} {place}")
        game, where = game_of(players, spec, rng, plant=True)
        if where is None:
            continue
        done += 1
        looked = review(game, worlds=worlds, seed=seed, method=method)
        first = next(iter(looked.turning_points), None)
        hit = first is not None and (first.round, first.step) == where
        found += hit
        seen = next(one for one in looked.decisions if (one.round, one.step) == where)
        verdict = f"{seen.verdict}, {seen.loss:.1f} points"
        yield f"{done:>3}  {players} players  {'named first' if hit else 'not first':<12} {verdict}"
    yield f"named first: {found} of {done}"


def mistakes(number: int, spec: str, worlds: int, method: Method, seed: int) -> Iterator[str]:
    """Return what the review says about games without a planted mistake."""
    most, total, faults = 0, 0, Counter[str]()
    for place, players in enumerate(islice(cycle(TABLES), number)):
        game, _ = game_of(players, spec, Random(f"alone {seed} {place}"), plant=False)
        begun = process_time()
        looked = review(game, worlds=worlds, seed=seed, method=method)
        took = process_time() - begun
        here = Counter(one.verdict for one in looked.decisions if one.choice)
        faults += here
        most, total = max(most, here["mistake"]), total + (here["mistake"] > 2)
        yield f"{place + 1:>3}  {players} players  {here['mistake']} mistakes  {took:.1f} s"
    yield f"at most {most} mistakes; more than two in {total} of {number}; {dict(faults)}"


# ── Tables ───────────────────────────────────────────────────────────────────────────────────


def slope(pairs: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return slope and intercept of the line of least squares."""
    mean_x, mean_y = fmean(x for x, _ in pairs), fmean(y for _, y in pairs)
    across = sum((x - mean_x) ** 2 for x, _ in pairs)
    along = sum((x - mean_x) * (y - mean_y) for x, y in pairs)
    tilt = along / across if across else 0.0
    return tilt, mean_y - tilt * mean_x


def deciles(pairs: Sequence[tuple[float, bool]]) -> Iterator[tuple[float, float, int]]:
    """Return the predicted and the actual share in every tenth, sorted by what was predicted."""
    ordered = sorted(pairs)
    for part in range(PARTS):
        some = ordered[part * len(ordered) // PARTS : (part + 1) * len(ordered) // PARTS]
        if some:
            yield fmean(x for x, _ in some), fmean(y for _, y in some), len(some)


def report(found: Sequence[Predicted]) -> Iterator[str]:
    """Return the lines of the table."""
    yield f"{'':<10}{'rounds':>8}{'predicted':>11}{'came':>8}{'slope':>8}{'intercept':>11}{'ms':>8}"
    groups = [("all", list(found))]
    groups += [(f"{n} players", [one for one in found if one.players == n]) for n in TABLES]
    for name, some in groups:
        if len(some) > 1:
            tilt, rest = slope([(one.points, one.came) for one in some])
            ms = sorted(one.ms for one in some)[len(some) // 2]
            mean = fmean(one.points for one in some), fmean(one.came for one in some)
            line = f"{name:<10}{len(some):>8}{mean[0]:>11.2f}{mean[1]:>8.2f}"
            yield f"{line}{tilt:>8.2f}{rest:>11.2f}{ms:>8.1f}"
    for name, pairs in (
        ("paradox", [(one.paradox, one.caused) for one in found]),
        ("bonus", [(one.bid, one.kept) for one in found]),
    ):
        yield ""
        yield f"{name:<10}{'rounds':>8}{'predicted':>11}{'came':>8}{'off':>8}"
        for number, (expected, came, count) in enumerate(deciles(pairs), start=1):
            yield f"{number:<10}{count:>8}{expected:>11.3f}{came:>8.3f}{came - expected:>+8.3f}"


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description="What the coach predicts, against what came.")
    parser.add_argument("--rounds", type=int, default=1000)
    parser.add_argument("--worlds", type=int, default=128)
    parser.add_argument("--method", choices=METHODS, default="careful")
    parser.add_argument("--decisions", type=int, help="that the network makes in a rollout")
    parser.add_argument("--raw", action="store_true", help="without the correction of chances")
    parser.add_argument("--player", default="net")
    parser.add_argument("--players", type=int, choices=TABLES)
    parser.add_argument("--planted", type=int, default=0, help="games with a planted mistake")
    parser.add_argument("--mistakes", type=int, default=0, help="games without one")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rows", type=Path, help="append every decision to this file, as JSON")
    given = parser.parse_args()
    method = METHODS[given.method]
    if given.decisions is not None:
        method = replace(method, decisions=given.decisions)
    if given.raw:
        method = replace(method, corrected=False)
    for count, lines in ((given.planted, planted), (given.mistakes, mistakes)):
        if count:
            for line in lines(count, given.player, given.worlds, method, given.seed):
                print(line, flush=True)
            return 0
    tables = cycle((given.players,) if given.players else TABLES)
    found = []
    for number, players in enumerate(islice(tables, given.rounds)):
        seed = given.seed * 1_000_000 + number
        found.append(predicted(players, given.player, given.worlds, method, seed))
        if given.rows:
            with given.rows.open("a") as file:
                print(json.dumps(found[-1]), file=file)
    print(f"{given.rounds} rounds of {given.player}, {given.worlds} worlds, {method}")
    print("\n".join(report(found)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
