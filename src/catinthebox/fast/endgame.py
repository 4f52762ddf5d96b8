"""The rest of a round with open hands, solved exactly (docs/endgame.md).

>>> from catinthebox import Round, Setup
>>> round = Round(Setup(("112233445", "123344555"), aside="12512", discarded=True))
>>> solution = solve(round._s)
>>> solution.solved, solution.margin(0), len(solution.line)
(True, 2, 16)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import local
from types import ModuleType
from typing import Any

import numpy as np

from ..rules import layout
from ..rules.actions import action_of_cell
from ..rules.layout import HAND, LEFT, OVER, OWN, PHASE, PLAYERS, PLAYING, TRICK, TURN
from ..rules.round import play
from ..rules.score import seat_score
from ..tactics import endgame, horizon, tree
from . import cpu
from .rounds import touching

LIMIT = 20_000_000  # nodes; some seconds
SLICE = 1 << 16  # nodes between two looks at `stop`
MEMORY = 1 << 20  # remembered positions, 16 bytes each
AIMS = {"points": tree.POINTS, "ahead": tree.AHEAD}

State = Sequence[int]


@dataclass(frozen=True)
class Solution:
    """What comes of a position if every seat plays its best and all hands are open."""

    solved: bool
    nodes: int  # positions reached
    scores: tuple[int, ...] = ()  # at the end of the line, by seat; empty if it was not solved
    line: tuple[int, ...] = ()  # action ids of best play, to the end of the round

    @property
    def action(self) -> int | None:
        """The id of a best action; None if there is none, or if it was not solved."""
        return self.line[0] if self.line else None

    def margin(self, seat: int) -> int:
        """How many points a seat is ahead of the others: of the other one, or of their sum.

        At two players this is the value of the position, the same for every best line.
        """
        return 2 * self.scores[seat] - sum(self.scores)


class Solver:
    """Solves one position after the other in memory of its own. It is for one thread at a time."""

    def __init__(self, memory: int = MEMORY, *, compiled: bool = True) -> None:
        if memory < 1 or memory & memory - 1 != 0:
            raise ValueError(f"memory for {memory} positions; it must be a power of two")
        self._kernel: ModuleType = cpu.tactics().endgame if compiled else endgame
        self._codes = _room(compiled, horizon.CODES)
        horizon.fill_codes(self._codes)
        self._stack = _room(compiled, LEVELS, layout.SIZE)
        self._frames = _room(compiled, LEVELS, tree.FRAME)
        self._memory = _room(compiled, memory, tree.WORDS)
        self._scratch = _room(compiled, endgame.SCRATCH)
        self._control = _room(compiled, tree.CONTROL)
        self._compiled = compiled
        self._touch: Any = ()
        self._solved = 0  # so many positions, each with another salt
        self._patience: Callable[[], bool] = lambda: False

    def solve(
        self,
        state: State,
        face: str | Sequence[int] = "white",
        *,
        aim: str = "points",
        nodes: int = LIMIT,
        stop: Callable[[], bool] | None = None,
    ) -> Solution:
        """Solve a position in the play phase; `stop` is asked every few milliseconds."""
        start = checked(state)
        if aim not in AIMS:
            raise ValueError(f"no aim {aim!r}; there are {', '.join(AIMS)}")
        touch = touching(face)
        self._touch = touch if self._compiled else touch.tolist()
        self._begin(tree.DUEL if start[PLAYERS] == 2 else AIMS[aim])
        spent = stop or _never
        self._patience = lambda: int(self._control[tree.NODES]) >= nodes or spent()
        try:
            line = self._line(start)
        except _Stopped:
            return Solution(False, int(self._control[tree.NODES]))
        scores = tuple(seat_score(start, seat, touch.tolist()) for seat in range(start[PLAYERS]))
        return Solution(True, int(self._control[tree.NODES]), scores, line)

    def _begin(self, mode: int) -> None:
        self._solved += 1
        self._control[tree.MODE] = mode
        self._control[tree.NODES] = 0
        self._control[tree.SALT] = int(self._codes[self._solved % horizon.CODES])

    def _line(self, s: layout.State) -> tuple[int, ...]:
        """Play best actions to the end of the round; `s` goes along."""
        line = []
        value = self._margin(s) if s[PLAYERS] == 2 and s[PHASE] != OVER else 0
        while s[PHASE] != OVER:
            self._ask(s, value + s[TURN])  # two seats: seat 0 gets the value, seat 1 gives no more
            cell = int(self._frames[0][tree.CHOICE])
            line.append(action_of_cell(cell))
            play(s, cell)
            self._patience = _never  # what is left is mostly remembered
        return tuple(line)

    def _margin(self, s: layout.State) -> int:
        """Find the margin of seat 0 by questions (MTD(f)): is it at least so much."""
        low, high, found = -tree.FAR, tree.FAR, 0
        while low < high:
            target = max(found, low + 1)
            found = self._ask(s, target)
            if found >= target:
                low = found
            else:
                high = found
        return low

    def _ask(self, s: layout.State, target: int) -> int:
        """Run the search of a position; its choice is in the first frame."""
        for slot in range(layout.SIZE):
            self._stack[0][slot] = s[slot]
        self._control[tree.TARGET] = target
        arrays = (
            self._stack,
            self._frames,
            self._memory,
            self._codes,
            self._touch,
            self._scratch,
            self._control,
        )
        self._kernel.begin(*arrays)
        while self._control[tree.LEVEL] >= 0:
            if self._patience():
                raise _Stopped
            self._kernel.run(*arrays, SLICE)
        return int(self._control[tree.VALUE])


LEVELS = 12 * layout.MAX_SEATS + 1  # `game.setup` allows no more than twelve tricks


class _Stopped(Exception):
    """The search ran out of nodes, or was told to stop."""


def _never() -> bool:
    return False


def _room(compiled: bool, *shape: int) -> Any:
    """Room for numbers: an array for the compiled search, lists for the interpreted one."""
    if compiled:
        return np.zeros(shape, dtype=np.int64)
    if len(shape) == 1:
        return [0] * shape[0]
    return [[0] * shape[1] for _ in range(shape[0])]


def checked(state: State) -> layout.State:
    """Give a copy of a state that can be solved; others raise `ValueError`."""
    s = [int(number) for number in state]
    if len(s) != layout.SIZE:
        raise ValueError(f"{len(s)} numbers; a state has {layout.SIZE}")
    if s[PHASE] not in (PLAYING, OVER):
        raise ValueError("the cards are not played yet; discards and bids come first")
    if s[PHASE] == PLAYING:
        for seat in range(s[PLAYERS]):
            size = s[LEFT] + 1 - (s[TRICK] & s[OWN + seat] != 0)
            if horizon.number_of(s[HAND + seat]) != size:
                raise ValueError(f"the hand of seat {seat} is not known; all hands must be open")
    return s


_of_thread = local()


def solve(
    state: State,
    face: str | Sequence[int] = "white",
    *,
    aim: str = "points",
    nodes: int = LIMIT,
    stop: Callable[[], bool] | None = None,
) -> Solution:
    """Solve a position with a solver that this thread keeps."""
    if not hasattr(_of_thread, "solver"):
        _of_thread.solver = Solver()
    solver: Solver = _of_thread.solver
    return solver.solve(state, face, aim=aim, nodes=nodes, stop=stop)
