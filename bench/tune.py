"""Tune `tactics.weights`: every seat plays changed weights, and the changes that paid are made.

    python -m bench.tune 4 --minutes 5

In each round every seat changes each weight by a step up, a step down or nothing, at random. A
regression of what the seats got on all these changes tells the effect of every weight at once.
What counts is the margin over the others, less `--peace` points for a paradox at the table, and
half as much more for a bonus; and, with three players or more, the margin of a seat alone among
players with the weights that the tuning began with. Why: decision 0034.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
from numba import njit

from bench.compiled import FACES
from catinthebox.fast import cpu
from catinthebox.fast.rounds import Numbers, touching
from catinthebox.rules.layout import MAX_SEATS, SIZE
from catinthebox.rules.playout import FOLLOW
from catinthebox.tactics import weights
from catinthebox.tactics.rollout import CAREFUL

MARGIN, PARADOXES, BONUS, MINE = range(4)  # columns of what a seat got
ALONE = 2.0  # how much the margin of a seat alone among the first weights counts
STEPS = {  # where a third of the weight, or eight, would be too large or too small
    "ONE_OF_SEVERAL": 20, "COLOR": 20, "COLOR_LEFT": 5, "SOON": 3, "KEEN": 4, "IDLE": 3, "WHIM": 2,
    "CHOKE_1": 20, "CHOKE_2": 12, "CHOKE_3": 6, "CHOKE_4": 4, "KEEP_HIGH": 4, "SHED_HIGH": 4,
    "HIGH_ASIDE": 5, "MIDDLE_ASIDE": 5, "BASE": 12, "SLOPE": 3, "TOP": 6, "PAIRED": 5, "OTHERS": 6,
}  # fmt: skip


def referee() -> Any:
    """Compile rounds in which every seat has weights of its own, or all but one the first ones."""
    tactics, rules = cpu.tactics(), cpu.rules()
    deal, seeded = rules.playout.shuffled_deal, rules.chance.seeded
    act_once, seat_score = tactics.rollout.act_once, rules.score.seat_score
    bonus_earned = rules.score.bonus_earned
    phase, turn, over, paradox, careful = 2, 3, 3, 11, CAREFUL
    assert (phase, turn, over) == (rules.layout.PHASE, rules.layout.TURN, rules.layout.OVER)
    assert paradox == rules.layout.PARADOX

    @njit(nogil=True)  # type: ignore[untyped-decorator]
    def play(
        s: Any, rows: Any, players: int, seed: int, first: int, changes: Any, steps: Any,
        others: Any, alone: bool, policy: int, touch: Any, ratings: Any, got: Any,
    ) -> None:  # fmt: skip
        base = rows[players]
        for index in range(len(changes) // players):
            mine = index // players % players
            for seat in range(players):
                for place in range(len(base)):
                    change = changes[index * players + seat, place] * steps[place]
                    rows[seat, place] = base[place] + change
            g = deal(s, players, index % players, seeded(seed, first + index))
            while s[phase] != over:
                if alone and s[turn] != mine:
                    g = act_once(s, policy, others, touch, ratings, g)
                else:
                    g = act_once(s, careful, rows[s[turn]], touch, ratings, g)
            total = 0
            for seat in range(players):
                total += seat_score(s, seat, touch)
            for seat in range(players):
                own, at = seat_score(s, seat, touch), index * players + seat
                got[at, 0] = own - (total - own) / (players - 1)
                got[at, 1] = s[paradox] >= 0
                got[at, 2] = s[paradox] != seat and bonus_earned(s, seat)
                got[at, 3] = seat == mine

    return play


def effects(changes: Any, got: Any) -> tuple[Any, Any, float]:
    """Return what each change gains, how that bends, and the standard error, by least squares."""
    levels = changes.astype(np.float32)
    both = np.concatenate([levels, np.abs(levels) - 2 / 3], axis=1)
    least = both.T @ both + 30 * np.eye(both.shape[1])
    found = np.linalg.solve(least, both.T @ (got - got.mean()).astype(np.float32))
    middle = changes.shape[1]
    return found[:middle], found[middle:], float(got.std() / np.sqrt(len(got) * 2 / 3))


class Tuner:
    """Improves one row step by step."""

    def __init__(self, players: int, rounds: int, seed: int, peace: float) -> None:
        self.players, self.rounds, self.peace = players, rounds, peace
        self.play = referee()
        self.touch = touching(FACES[players])
        self.rng = np.random.default_rng(seed)
        self.first = self.row = np.array(weights.WEIGHTS[players], dtype=np.int64)
        self.begun = 0  # rounds, each with a deal of its own

    def trial(
        self, steps: Numbers, *, alone: bool, policy: int = CAREFUL, rounds: int = 0
    ) -> tuple[Any, Any]:
        """Play rounds; return the changes of every seat, and what it got."""
        rounds = rounds or self.rounds
        shape = (rounds * self.players, len(self.row))
        changes = self.rng.integers(-1, 2, shape).astype(np.int8)
        got = np.zeros((len(changes), 4))
        rows = np.zeros((self.players + 1, len(self.row)), dtype=np.int64)
        rows[self.players] = self.row
        self.play(
            np.zeros(SIZE, dtype=np.int64), rows, self.players, 11, self.begun, changes, steps,
            self.first, alone, policy, self.touch, np.zeros(64, dtype=np.int64), got,
        )  # fmt: skip
        self.begun += rounds
        if alone:
            mine = got[:, MINE] == 1
            changes, got = changes[mine], got[mine]
        return changes, got

    def steps(self, size: float) -> Numbers:
        """How far each weight is changed."""
        found = np.maximum(np.abs(self.row) / 3, 8.0)
        for name, step in STEPS.items():
            found[getattr(weights, name)] = step
        return np.maximum(np.rint(found * size), 1).astype(np.int64)

    def improve(self, size: float) -> None:
        """Move every weight as far as its effect is clear, and at most by a step."""
        steps = self.steps(size)
        changes, got = self.trial(steps, alone=False)
        prize = got[:, MARGIN] + self.peace * (got[:, BONUS] / 2 - got[:, PARADOXES])
        line, bend, error = effects(changes, prize)
        if self.players > 2:
            other = effects(*self._alone(steps))
            line, bend = line + ALONE * other[0], bend + ALONE * other[1]
            error = float(np.hypot(error, ALONE * other[2]))
        clear = np.maximum(0, 1 - (error / np.maximum(np.abs(line), 1e-9)) ** 2)
        curve = np.maximum(-bend, np.abs(line) / 2) + 2 * error
        move = np.clip(clear * line / (2 * curve), -1, 1)
        self.row = self.row + np.rint(move * steps).astype(np.int64)
        self.row[weights.WHIM] = max(0, self.row[weights.WHIM])
        _, paradoxes, bonus, _ = got.mean(0)
        print(f"±{error:.3f}, paradoxes {paradoxes:.1%}, bonus {bonus:.1%}", end=" ")

    def _alone(self, steps: Numbers) -> tuple[Any, Any]:
        changes, got = self.trial(steps, alone=True, rounds=2 * self.rounds)
        return changes, got[:, MARGIN]

    def gain(self, policy: int = CAREFUL, rounds: int = 20_000) -> tuple[float, float]:
        """Points per round of a seat alone among others, and the standard error."""
        still = np.zeros(len(self.row), dtype=np.int64)
        margin = self.trial(still, alone=True, policy=policy, rounds=rounds)[1][:, MARGIN]
        return float(margin.mean()), float(margin.std() / len(margin) ** 0.5)

    def climb(self, minutes: float) -> None:
        """Improve with smaller and smaller steps until the time is over."""
        begin = time.monotonic()
        while (done := (time.monotonic() - begin) / 60 / minutes) < 1:
            self.improve(1 - 0.75 * done)
            print(self.row.tolist(), flush=True)


def main() -> None:
    """Tune one table size and print its row."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("players", type=int, choices=range(2, MAX_SEATS + 1))
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--rounds", type=int, default=40_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--peace", type=float, default=8.0, help="points less for a paradox")
    options = parser.parse_args()
    tuner = Tuner(options.players, options.rounds, options.seed, options.peace)
    tuner.climb(options.minutes)
    print("against the row before:", tuner.gain())
    print("against follow:", tuner.gain(policy=FOLLOW))
    print(tuple(tuner.row.tolist()))


if __name__ == "__main__":
    main()
