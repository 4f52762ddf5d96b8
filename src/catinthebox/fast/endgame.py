"""The rest of a round with open hands, solved exactly (docs/endgame.md).

>>> from catinthebox import Round, Setup
>>> round = Round(Setup(("112233445", "123344555"), aside="12512", discarded=True))
>>> solution = solve(round.vector)
>>> solution.solved, solution.margin(0), len(solution.line)
(True, 2, 16)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from threading import local
from types import ModuleType
from typing import Any

import numpy as np

from ..rules.actions import action_of_cell
from ..rules.chance import seeded, step
from ..rules.layout import (
    BEST,
    BID,
    BOARD,
    COPIES,
    COUNT,
    COUNT_BITS,
    FREE,
    HAND,
    HELD,
    IN_LANE,
    LANE_START,
    LEADER,
    LED,
    LEFT,
    LEGAL,
    MAX_RANK,
    MAX_SEATS,
    NOBODY,
    OVER,
    OWN,
    PARADOX,
    PHASE,
    PLAYERS,
    PLAYING,
    RED_OPEN,
    ROW,
    SIZE,
    STARTER,
    TRICK,
    TRUMP,
    TURN,
    WON,
    State,
)
from ..rules.round import give_hand, legal_cells, play
from ..rules.score import seat_score
from ..rules.worlds import cards
from ..tactics import endgame, reachable, tree
from . import cpu
from .rounds import checked_players, touching

LIMIT = 20_000_000  # nodes; some seconds
SLICE = 1 << 16  # nodes between two checks of `stop`
TRICKS = 12  # of a round; `game.setup` allows no more
LEVELS = TRICKS * MAX_SEATS + 1
MEMORY = 1 << 20  # remembered positions, 16 bytes each
AIMS = {"points": tree.POINTS, "ahead": tree.AHEAD}

Vector = Sequence[int]


@dataclass(frozen=True)
class Solution:
    """The outcome of a position if every seat plays its best with open hands."""

    solved: bool
    nodes: int  # positions reached
    scores: tuple[int, ...] = ()  # at the end of the round, by seat; empty if not solved
    line: tuple[int, ...] = ()  # action ids of best play, to the end unless stopped early

    @property
    def action(self) -> int | None:
        """The id of a best action; None if there is none, or if not solved."""
        return self.line[0] if self.line else None

    def margin(self, seat: int) -> int:
        """Return a seat's points minus the sum of the others'.

        At two players this is the value of the position, the same for every best line.
        """
        return 2 * self.scores[seat] - sum(self.scores)


class Solver:
    """Solves positions one after the other, in its own memory; for one thread at a time."""

    def __init__(self, memory: int = MEMORY, *, compiled: bool = True) -> None:
        if memory < 1 or memory & memory - 1 != 0:
            raise ValueError(f"memory for {memory} positions; it must be a power of two")
        self._kernel: ModuleType = cpu.tactics().endgame if compiled else endgame
        self._codes = _room(compiled, reachable.CODES)
        reachable.fill_codes(self._codes)
        self._stack = _room(compiled, LEVELS, SIZE)
        self._frames = _room(compiled, LEVELS, tree.FRAME)
        self._memory = _room(compiled, memory, tree.WORDS)
        self._scratch = _room(compiled, endgame.SCRATCH)
        self._control = _room(compiled, tree.CONTROL)
        self._compiled = compiled
        self._touch: Any = ()
        self._salt = seeded(2021, 0)  # independent of the stream for the codes
        self._patience: Callable[[], bool] = lambda: False

    def solve(
        self,
        state: Vector,
        face: str | Sequence[int] = "white",
        *,
        aim: str = "points",
        nodes: int = LIMIT,
        stop: Callable[[], bool] | None = None,
    ) -> Solution:
        """Solve a position in the play phase; `stop` is polled every few milliseconds.

        With three or more seats, stopping after the first action and the scores are known returns
        them and the moves found so far. With two seats, scores are known only at the end.
        """
        s = checked(state)
        if aim not in AIMS:
            raise ValueError(f"no aim {aim!r}; there are {', '.join(AIMS)}")
        touch = touching(face)
        self._touch = touch if self._compiled else touch.tolist()
        self._begin(tree.DUEL if s[PLAYERS] == 2 else AIMS[aim])
        self._patience = lambda: self._control[tree.NODES] >= nodes or (stop is not None and stop())
        line: list[int] = []
        results: list[int] = []
        try:
            for action, result in self._best(s):
                line.append(action)
                results.append(result)
        except _Stopped:
            if s[PLAYERS] == 2 or not line:
                return Solution(False, int(self._control[tree.NODES]))
        if s[PHASE] == OVER:
            scores = [seat_score(s, seat, touch.tolist()) for seat in range(s[PLAYERS])]
        else:
            scores = [endgame.score_in(results[0], seat) for seat in range(s[PLAYERS])]
        return Solution(True, int(self._control[tree.NODES]), tuple(scores), tuple(line))

    def _begin(self, mode: int) -> None:
        self._salt = step(self._salt)  # never repeats, so old entries do not match
        self._control[tree.MODE] = mode
        self._control[tree.NODES] = 0
        self._control[tree.SALT] = self._salt

    def _best(self, s: State) -> Iterator[tuple[int, int]]:
        """Play best actions on `s` to the end of the round; yield each with its result."""
        value = self._margin(s) if s[PLAYERS] == 2 and s[PHASE] != OVER else 0
        while s[PHASE] != OVER:
            # Two seats: seat 0 gets at least the value, seat 1 allows no more.
            result = self._ask(s, value + s[TURN])
            cell = int(self._frames[0][tree.CHOICE])
            play(s, cell)
            yield action_of_cell(cell), result

    def _margin(self, s: State) -> int:
        """Find the margin of seat 0 by null-window searches (MTD(f))."""
        low, high, found = -tree.FAR, tree.FAR, 0
        while low < high:
            target = max(found, low + 1)
            found = self._ask(s, target)
            if found >= target:
                low = found
            else:
                high = found
        return low

    def _ask(self, s: State, target: int) -> int:
        """Search a position; the chosen action is in the first frame."""
        for slot in range(SIZE):
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


class _Stopped(Exception):
    """The search ran out of nodes, or was stopped."""


def _room(compiled: bool, *shape: int) -> Any:
    """Allocate numbers: an array for the compiled search, lists for the interpreted one."""
    if compiled:
        return np.zeros(shape, dtype=np.int64)
    if len(shape) == 1:
        return [0] * shape[0]
    return [[0] * shape[1] for _ in range(shape[0])]


# ── Trust ────────────────────────────────────────────────────────────────────────────────────
# Compiled code does not check bounds: a wrong number would write outside an array.


def checked(state: Vector) -> State:
    """Return a copy of a state; raise `ValueError` if it cannot be solved."""
    s = [int(number) for number in state]
    if len(s) != SIZE:
        raise ValueError(f"{len(s)} numbers; a state has {SIZE}")
    checked_players(s[PLAYERS])
    if s[PHASE] not in (PLAYING, OVER):
        raise ValueError("the cards are not played yet; discards and bids come first")
    _refuse(_table_problems(s))
    if s[PHASE] == PLAYING:
        _refuse(_turn_problems(s))
        _refuse([*_trick_problems(s), *_hand_problems(s)])
    return s


def _refuse(problems: Iterable[str]) -> None:
    if found := "; ".join(problems):
        raise ValueError(found)


def _table_problems(s: State) -> Iterator[str]:
    """Check the board and the tricks won."""
    seats = range(s[PLAYERS])
    for slot, number in enumerate(s):
        if not NOBODY <= number < 1 << 63:
            yield f"slot {slot} is {number}; numbers are -1 to 2**63 - 1"
    taken = 0
    for name, cells in [("FREE", s[FREE]), *((f"OWN of seat {n}", s[OWN + n]) for n in seats)]:
        if cells & ~BOARD != 0:
            yield f"{name} has cells that are not on the board"
        if cells & taken != 0:
            yield f"{name} has cells that are taken twice"
        taken |= cells
    won = s[WON : WON + s[PLAYERS]]
    if min(*won, s[LEFT]) < 0 or sum(won) + s[LEFT] > TRICKS:
        yield f"tricks won {won}, {s[LEFT]} left; a round has {TRICKS} tricks at most"
    for seat in seats:
        if not 0 <= s[BID + seat] <= TRICKS:
            yield f"seat {seat} bids {s[BID + seat]}; 0 is no bid, and {TRICKS} the most"


def _turn_problems(s: State) -> Iterator[str]:
    """Check the turn and the state of the round."""
    for name, slot in (("TURN", TURN), ("LEADER", LEADER), ("STARTER", STARTER)):
        if not 0 <= s[slot] < s[PLAYERS]:
            yield f"{name} is {s[slot]}; seats are 0 to {s[PLAYERS] - 1}"
    if s[LEFT] == 0:
        yield "no trick is left; such a round is over"
    if s[PARADOX] != NOBODY:
        yield f"seat {s[PARADOX]} has caused a paradox; such a round is over"
    red = any(s[OWN + seat] & ROW for seat in range(s[PLAYERS]))
    if s[RED_OPEN] != red:
        yield f"RED_OPEN is {s[RED_OPEN]}; by the tokens in the red row it is {int(red)}"


def _trick_problems(s: State) -> Iterator[str]:
    """Check that exactly the seats from the leader to the one on turn have played a card."""
    led = best = tokens = 0
    followers = (s[TURN] - s[LEADER]) % s[PLAYERS]
    for place in range(s[PLAYERS]):
        seat = (s[LEADER] + place) % s[PLAYERS]
        token = s[TRICK] & s[OWN + seat]
        tokens |= token
        if token.bit_count() != (place < followers):
            yield f"seat {seat} has {token.bit_count()} cards in the trick, TURN being {s[TURN]}"
        elif token != 0:
            cell = token.bit_length() - 1
            row = ROW << (cell & LANE_START)
            led = led or row
            card = (row == ROW) * TRUMP | (cell & IN_LANE) << 3 | seat
            best = max(best, card * (row in (led, ROW)))  # R18
    if s[TRICK] != tokens:
        yield "TRICK has cells without a token"
    elif (s[LED], s[BEST]) != (led, best):
        yield f"LED and BEST are {s[LED]} and {s[BEST]}; by the trick they are {led} and {best}"


def _hand_problems(s: State) -> Iterator[str]:
    """Check that all hands are open, and that hands and legal cells agree."""
    for seat in range(s[PLAYERS]):
        hand = s[HAND + seat]
        size = s[LEFT] + 1 - reachable.played(s, seat)
        if hand == 0:
            yield f"the hand of seat {seat} is not known; all hands must be open"
        elif any(hand >> place & COUNT > COPIES for place in range(0, 64, COUNT_BITS)):
            yield f"the hand of seat {seat} has more than {COPIES} cards of a rank"
        elif hand >> COUNT_BITS * MAX_RANK != 0 or cards(hand) != size:
            yield f"the hand of seat {seat} should have {size} cards of ranks 1 to {MAX_RANK}"
        fresh = s.copy()
        give_hand(fresh, seat, hand)
        if hand != 0 and fresh[HELD + seat] != s[HELD + seat]:
            yield f"HELD of seat {seat} does not fit its hand"
    legal = legal_cells(s, s[TURN])
    if s[LEGAL] != legal:
        yield f"LEGAL is {s[LEGAL]}; by the rules it is {legal}"
    if legal == 0:
        yield "the seat on turn can declare nothing; such a round is over"


# ── A solver for every thread ────────────────────────────────────────────────────────────────

_of_thread = local()


def solve(
    state: Vector,
    face: str | Sequence[int] = "white",
    *,
    aim: str = "points",
    nodes: int = LIMIT,
    stop: Callable[[], bool] | None = None,
) -> Solution:
    """Solve a position with this thread's solver."""
    if not hasattr(_of_thread, "solver"):
        _of_thread.solver = Solver()
    solver: Solver = _of_thread.solver
    return solver.solve(state, face, aim=aim, nodes=nodes, stop=stop)
