"""Batches of rounds: arrays in, arrays out, no Python code per round.

>>> batch = Batch(1000, players=4, seed=7)
>>> scores, over = batch.step(batch.choose("follow"))
>>> int(over.sum()), scores.shape
(0, (1000, 4))
>>> playouts(100_000, players=4, policy="follow", seed=7).paradoxes
72308
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..rules import encode, faces, layout, playout
from . import cpu

Result = TypeVar("Result")
Numbers = NDArray[np.int64]
Observations = NDArray[np.int8]

POLICIES = {"uniform": playout.UNIFORM, "follow": playout.FOLLOW}
FACES = {"white": faces.white, "black": faces.white, "purple": faces.purple}
TOUCH = 4 * layout.LANE  # a set of cells for every cell; some numbers are not cells
SUMS = 2 * layout.MAX_SEATS + 2
MAX_THREADS = 256


@dataclass(frozen=True)
class Totals:
    """The sums over many rounds."""

    rounds: int
    plays: int
    paradoxes: int
    points: tuple[int, ...]  # by seat
    tricks: tuple[int, ...]


def totals_of(rounds: int, players: int, sums: Numbers) -> Totals:
    """Name the sums of `rules.batch.add_up`."""
    points, tricks = sums[:players].tolist(), sums[layout.MAX_SEATS :][:players].tolist()
    return Totals(rounds, int(sums[-2]), int(sums[-1]), tuple(points), tuple(tricks))


def touching(face: str | Sequence[int]) -> Numbers:
    """Return a face as the compiled rules need it, from its name or its `Face.touch`."""
    if not isinstance(face, str):
        touch = np.array(face, dtype=np.int64)
        if touch.shape != (TOUCH,):  # compiled rules do not check bounds
            raise ValueError(f"a face of shape {touch.shape}; `Face.touch` has {TOUCH} numbers")
        return touch
    if face not in FACES:
        raise ValueError(f"no face {face!r}; there are {', '.join(FACES)}")
    return np.array(faces.touching(FACES[face]()), dtype=np.int64)


def policy_number(policy: str) -> int:
    """Return the rules' own number of a policy."""
    if policy not in POLICIES:
        raise ValueError(f"no policy {policy!r}; there are {', '.join(POLICIES)}")
    return POLICIES[policy]


def checked_players(players: int) -> int:
    """Return the number of players; raise `ValueError` unless it is 2 to 5."""
    if not 2 <= players <= layout.MAX_SEATS:
        raise ValueError(f"{players} players; 2 to 5 can play")
    return players


# ── Whole rounds ─────────────────────────────────────────────────────────────────────────────


def playouts(
    rounds: int,
    *,
    players: int,
    policy: str = "uniform",
    face: str | Sequence[int] = "white",
    seed: int = 0,
    first: int = 0,
    threads: int = 1,
) -> Totals:
    """Play the rounds first … first + rounds - 1 of a seed; the sums do not depend on `threads`."""
    kernel = cpu.rules().batch.playout_sums
    touch, number = touching(face), policy_number(policy)
    checked_players(players)

    def part(begin: int, end: int) -> Numbers:
        sums = np.zeros(SUMS, dtype=np.int64)
        state = np.zeros(layout.SIZE, dtype=np.int64)
        kernel(state, sums, seed, first + begin, end - begin, players, number, touch)
        return sums

    sums = sum(share(part, rounds, threads), np.zeros(SUMS, dtype=np.int64))
    return totals_of(rounds, players, sums)


def ends(
    rounds: int,
    *,
    players: int,
    policy: str = "uniform",
    face: str | Sequence[int] = "white",
    seed: int = 0,
    first: int = 0,
    threads: int = 1,
) -> tuple[Numbers, Numbers]:
    """Play rounds; return their final state vectors and scores, one row per round."""
    kernel = cpu.rules().batch.playout_rows
    touch, number = touching(face), policy_number(policy)
    table = np.zeros((rounds, layout.SIZE), dtype=np.int64)
    scores = np.zeros((rounds, checked_players(players)), dtype=np.int64)

    def part(begin: int, end: int) -> None:
        rows = slice(begin, end)
        kernel(table[rows], scores[rows], seed, first + begin, players, number, touch)

    share(part, rounds, threads)
    return table, scores


def share(part: Callable[[int, int], Result], rows: int, threads: int) -> list[Result]:
    """Split rows among threads; compiled code releases the GIL."""
    if rows < 0 or not 1 <= threads <= MAX_THREADS:
        raise ValueError(f"{rows} rounds on {threads} threads; 1 to {MAX_THREADS} threads")
    cuts = [rows * thread // threads for thread in range(threads + 1)]
    if threads == 1:
        return [part(0, rows)]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(part, cuts, cuts[1:]))


# ── Step by step ─────────────────────────────────────────────────────────────────────────────


class Batch:
    """A batch of rounds played in parallel; a finished round is dealt anew.

    After each step `legal`, `seats` and, if asked for, `observations` describe the seat to act in
    every row. Row i plays the rounds i, i + rows, i + 2 rows … of the seed.
    """

    def __init__(
        self,
        rows: int,
        *,
        players: int,
        seed: int = 0,
        face: str | Sequence[int] = "white",
        observe: bool = False,
        threads: int = 1,
    ) -> None:
        self.players = checked_players(players)
        self.seed = seed
        self.threads = threads
        self._rules = cpu.rules().batch
        self._touch = touching(face)
        self.rounds: Numbers = np.arange(rows, dtype=np.int64)  # the number of each row's round
        self.states: Numbers = np.zeros((rows, layout.SIZE), dtype=np.int64)
        self.legal: Numbers = np.zeros(rows, dtype=np.int64)  # sets of action ids, as bits
        self.scores: Numbers = np.zeros((rows, players), dtype=np.int64)
        self.over = np.zeros(rows, dtype=np.bool_)
        self.observations: Observations | None = None
        if observe:
            self.observations = np.zeros((rows, encode.WIDTH), dtype=np.int8)
        self._steps = 0
        self._each(self._deal)

    @property
    def rows(self) -> int:
        """How many rounds are side by side."""
        return len(self.rounds)

    @property
    def stride(self) -> int:
        """How far apart the rounds of a row are."""
        return self.rows

    @property
    def seats(self) -> Numbers:
        """The seat to act in every row."""
        seats: Numbers = self.states[:, layout.TURN]
        return seats

    @property
    def masks(self) -> NDArray[np.bool_]:
        """The legal actions as a table of truth values, an action id per column."""
        octets = self.legal.astype("<i8").view(np.uint8).reshape(self.rows, 8)
        return np.unpackbits(octets, axis=1, bitorder="little", count=49).view(np.bool_)

    def step(self, actions: Numbers) -> tuple[Numbers, NDArray[np.bool_]]:
        """Act in every row; return the scores of the rounds that ended with it, and which did.

        One illegal action refuses the whole step, and nothing has happened.
        """
        actions = np.ascontiguousarray(actions, dtype=np.int64)
        if actions.shape != (self.rows,):
            raise ValueError(f"{actions.shape} actions for {self.rows} rows: one each is needed")
        wrong = self._rules.refused_row(self.legal, actions)
        if wrong != layout.NOBODY:
            legal = [action for action in range(49) if self.legal[wrong] >> action & 1]
            raise ValueError(f"row {wrong}: action {actions[wrong]} is not legal; legal: {legal}")
        self._each(self._step, actions)
        self._steps += 1
        return self.scores, self.over

    def choose(self, policy: str = "uniform") -> Numbers:
        """Choose an action in every row under a policy, for trials and baselines."""
        actions = np.zeros(self.rows, dtype=np.int64)
        number = policy_number(policy)
        kernel = self._rules.choose_rows
        seed = self.seed ^ 0x5EED

        def part(rows: slice) -> None:
            kernel(self.states[rows], actions[rows], number, seed, self._steps, rows.start)

        self._each(part)
        return actions

    def _each(self, work: Callable[..., None], *arguments: Any) -> None:
        def part(begin: int, end: int) -> None:
            work(slice(begin, end), *arguments)

        share(part, self.rows, self.threads)

    def _deal(self, rows: slice) -> None:
        self._rules.deal_rows(self.states[rows], self.rounds[rows], self.seed, self.players)
        self._observe(rows)

    def _step(self, rows: slice, actions: Numbers) -> None:
        self._rules.step_rows(
            self.states[rows],
            actions[rows],
            self.scores[rows],
            self.over[rows],
            self.rounds[rows],
            self.stride,
            self.seed,
            self._touch,
        )
        self._observe(rows)

    def _observe(self, rows: slice) -> None:
        self._rules.legal_rows(self.states[rows], self.legal[rows])
        if self.observations is not None:
            scratch = np.zeros((1, layout.SIZE), dtype=np.int64)
            self._rules.observe_rows(self.states[rows], scratch, self.observations[rows])
