"""Tune `tactics.weights`: rows of weights play against each other, the better one stays.

    python -m bench.tune 4 --minutes 5

A challenger differs from the champion in a few considerations. It takes every seat in turn among
champions, on the same deals, and replaces the champion if it gains clearly.
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


def referee() -> Any:
    """Compile a match of two sets of weights; the challenger's seat is `index % players`."""
    tactics, rules = cpu.tactics(), cpu.rules()
    deal, seeded = rules.playout.shuffled_deal, rules.chance.seeded
    act_once, seat_score = tactics.rollout.act_once, rules.score.seat_score
    phase, turn, over, careful = 2, 3, 3, CAREFUL
    assert (phase, turn, over) == (rules.layout.PHASE, rules.layout.TURN, rules.layout.OVER)

    @njit(nogil=True)  # type: ignore[untyped-decorator]
    def match(
        s: Any, champion: Any, challenger: Any, players: int, seed: int, first: int, count: int,
        policy: int, touch: Any, ratings: Any, gains: Any,
    ) -> None:  # fmt: skip
        for index in range(count):
            gain = 0.0
            for mine in range(players):
                g = deal(s, players, index % players, seeded(seed, first + index))
                while s[phase] != over:
                    if s[turn] == mine:
                        g = act_once(s, careful, challenger, touch, ratings, g)
                    else:
                        g = act_once(s, policy, champion, touch, ratings, g)
                total = 0
                for seat in range(players):
                    total += seat_score(s, seat, touch)
                own = seat_score(s, mine, touch)
                gain += own - (total - own) / (players - 1)
            gains[index] = gain / players

    return match


class Tuner:
    """A hill climber over one row."""

    def __init__(self, players: int, deals: int, seed: int, company: float = 0.0) -> None:
        self.players, self.deals, self.company = players, deals, company
        self.match = referee()
        self.touch = touching(FACES[players])
        self.rng = np.random.default_rng(seed)
        self.champion = np.array(weights.WEIGHTS[players], dtype=np.int64)
        self.first = 0

    def gain(
        self, champion: Numbers, challenger: Numbers, deals: int, policy: int = CAREFUL
    ) -> tuple[float, float]:
        """Points per round that a challenger gains, and its standard error."""
        gains = np.zeros(deals)
        state = np.zeros(SIZE, dtype=np.int64)
        ratings = np.zeros(64, dtype=np.int64)
        arguments = (self.players, 11, self.first, deals, policy, self.touch, ratings, gains)
        self.match(state, champion, challenger, *arguments)
        return float(gains.mean()), float(gains.std() / deals**0.5)

    def gain_over(self, row: Numbers, deals: int) -> tuple[float, float]:
        """What a challenger gains among champions and, where asked for, among simple followers."""
        mean, error = self.gain(self.champion, row, deals)
        if self.company == 0:
            return mean, error
        new, one = self.gain(self.champion, row, deals, FOLLOW)
        old, two = self.gain(self.champion, self.champion, deals, FOLLOW)
        part = self.company
        mixed = (1 - part) * mean + part * (new - old)
        return mixed, ((1 - part) ** 2 * error**2 + part**2 * (one**2 + two**2) / 2) ** 0.5

    def challenger(self) -> Numbers:
        """Change a few considerations of the champion."""
        row = self.champion.copy()
        for place in self.rng.choice(len(row), self.rng.integers(1, 4), replace=False):
            reach = max(2.0, abs(row[place]) * 0.35)
            row[place] += round(self.rng.normal(0, reach))
        row[weights.WHIM] = max(0, row[weights.WHIM])
        return row

    def climb(self, minutes: float) -> None:
        """Let challengers come until the time is over."""
        end = time.monotonic() + 60 * minutes
        tried = won = 0
        while time.monotonic() < end:
            row = self.challenger()
            self.first += self.deals
            tried += 1
            mean, error = self.gain_over(row, self.deals)
            if mean < error:
                continue
            self.first += self.deals
            mean, error = self.gain_over(row, 4 * self.deals)
            if mean > 2 * error:
                self.champion = row
                won += 1
                print(f"{tried:5} {won:3} +{mean:.3f}", self.champion.tolist(), flush=True)


def main() -> None:
    """Tune one table size and print its row."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("players", type=int, choices=range(2, MAX_SEATS + 1))
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--deals", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--company", type=float, default=0.0, help="the part that followers count")
    options = parser.parse_args()
    tuner = Tuner(options.players, options.deals, options.seed, options.company)
    start = tuner.champion
    tuner.climb(options.minutes)
    tuner.first = 10**9
    print("against the row before:", tuner.gain(start, tuner.champion, 20_000))
    print("against follow:", tuner.gain(start, tuner.champion, 20_000, policy=FOLLOW))
    print(tuple(tuner.champion.tolist()))


if __name__ == "__main__":
    main()
