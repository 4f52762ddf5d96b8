"""A pool of child processes that choose the bots' moves, so that the event loop never waits.

A child gets a bot's level, the view of its seat and a seed, nothing else. Children compile the
search before they answer; while none of them is ready, a fallback child that compiles nothing
answers instead. A child that crashes or hangs is replaced, and its move is given to another one,
once; if that fails, too, a simple player moves in this process. So every bot moves, whatever fails.

>>> from catinthebox.table import BotTurn
>>> from catinthebox.views import Dealt, View
>>> view = View(Dealt(3, seat=0, hand="1223345566"))
>>> async def first_move() -> Action:
...     bots = BotPool()
...     await bots.start()
...     try:
...         return await bots.choose(BotTurn(0, "sharp", view, turn=1, deadline=None), seed=7)
...     finally:
...         await bots.close()
>>> asyncio.run(first_move()) in view.legal
True
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable
from contextlib import nullcontext, suppress
from random import Random
from typing import Final

from ...game import Action, CatInTheBoxError
from ...game.errors import quoted
from ...players import Budget
from ...players.modest import Modest
from ...table import BotTurn
from ...views import View
from .child import Child, ChildSlot, PendingMove, start_child
from .fair_queue import FairQueue, Place
from .offered import offered_level
from .process import ACTION, COMPILED, ERROR, INTERPRETED, LOADED, READY, RESTART, question

COMPILE_S: Final = 300.0  # a child that compiles for longer than that hangs
MIN_S: Final = 0.25  # for a move, even if its deadline has passed
MARGIN_S: Final = 0.05  # between the answer and the deadline of a move
BUSY_MS, MIN_MS = 200.0, 10.0  # for a move, while one other waits, and while very many do

_log = logging.getLogger("catinthebox.bots")
LOST: Final = {"event": "bots_lost"}  # the events of the server's log
FAILED: Final = {"event": "bot_failed"}


def epoch_ms() -> int:
    """Return the time in milliseconds, as tables count it."""
    return time.time_ns() // 1_000_000


class BotPool:
    """Child processes that choose moves, and a `FairQueue` of the moves that wait for them.

    `processes` is the number of children that compile; with 0 the fallback child chooses all moves,
    in little memory. If `max_waiting` moves wait, a simple player chooses the others at once. A
    child that takes longer than `timeout_ms` hangs; no move takes more than twice that. `now` is
    the clock of the turns' deadlines, in milliseconds.
    """

    def __init__(
        self,
        processes: int = 1,
        *,
        max_waiting: int = 1_000,
        timeout_ms: int = 10_000,
        now: Callable[[], int] = epoch_ms,
    ) -> None:
        self._max_waiting = max_waiting
        self._timeout = timeout_ms / 1000
        self._now = now
        self._fallback = ChildSlot(fallback=True)
        self._slots = [ChildSlot(fallback=False) for _ in range(processes)]
        self._queue: FairQueue[PendingMove] = FairQueue()
        self._pending: set[PendingMove] = set()
        self._tasks: list[asyncio.Task[None]] = []
        self._stopping: set[asyncio.Task[None]] = set()
        self._change = asyncio.Event()
        self._compiling = asyncio.Lock()

    @property
    def waiting(self) -> int:
        """The number of moves that are being chosen or wait for a child."""
        return len(self._pending)

    @property
    def warm(self) -> bool:
        """Whether all children are ready, and have compiled if there is a compiler."""
        return all(slot.ready for slot in self._slots)

    @property
    def pids(self) -> list[int]:
        """The processes that run now, the fallback child's first."""
        children = [slot.child for slot in (self._fallback, *self._slots)]
        return [child.pid for child in children if child is not None and child.alive]

    async def start(self) -> None:
        """Start the children; they compile in the background."""
        assert not self._tasks, "the pool has been started before"
        self._tasks = [
            asyncio.create_task(self._keep_running(slot)) for slot in (self._fallback, *self._slots)
        ]

    async def close(self) -> None:
        """Stop all children; moves that wait or come later are chosen in this process."""
        tasks, self._tasks = self._tasks, []
        for move in self._pending:
            move.resolve(None)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.gather(*self._stopping, return_exceptions=True)

    # ── Choosing a move ──────────────────────────────────────────────────────────────────────

    async def choose(
        self, turn: BotTurn, seed: int | None = None, place: Place | None = None
    ) -> Action:
        """Return a bot's action, which is legal, before the turn's deadline if it has one.

        The same seed gives the same action, if the level counts rollouts. A single legal action is
        not returned at once: everybody could see that the hand left no choice.
        """
        legal = turn.view.legal
        assert legal, "a bot is asked when it may act"
        seed = secrets.randbits(62) if seed is None else seed
        action = None if self._overloaded else await self._queued(turn, seed, place or Place())
        if action is None:
            await asyncio.sleep(0)  # other tasks run in between if many moves are chosen here
            return Modest().choose(turn.view, Budget(), Random(seed))
        return action

    async def decide(self, level: str, view: View, seed: int, place: Place) -> Action | None:
        """Return what a level decides with a seed, with its whole budget; None if nobody is free.

        It is the same action whenever and wherever this is asked, and no player stands in.
        """
        assert view.seat is not None, "a spectator decides nothing"
        if self._overloaded:
            return None
        turn = BotTurn(view.seat, level, view, turn=0, deadline=None)
        return await self._queued(turn, seed, place, exact=True)

    @property
    def _overloaded(self) -> bool:
        """Whether it is of no use to wait for a child."""
        return not self._tasks or self.waiting >= self._max_waiting or self._unavailable

    @property
    def _unavailable(self) -> bool:
        """Whether no child is ready, and none will be soon."""
        return self._fallback.backing_off and not self._compiled_ready

    @property
    def _compiled_ready(self) -> bool:
        return any(slot.ready for slot in self._slots)

    async def _queued(
        self, turn: BotTurn, seed: int, place: Place, *, exact: bool = False
    ) -> Action | None:
        """Queue a move and wait for its action; None if no child chooses one in time."""
        loop = asyncio.get_running_loop()
        left = self._seconds_left(turn)
        until = None if left is None else loop.time() + left
        move = PendingMove(turn, seed, until, loop.create_future(), place, exact=exact)
        self._pending.add(move)
        self._queue.put(move, place)
        self._notify()
        try:
            async with asyncio.timeout(2 * self._timeout if left is None else left):
                return await move.answer
        except TimeoutError:
            return None
        finally:
            self._pending.discard(move)

    def _seconds_left(self, turn: BotTurn) -> float | None:
        """Return the seconds until a turn's deadline, within bounds; None if it has none."""
        if turn.deadline is None:
            return None
        return min(max(MIN_S, (turn.deadline - self._now()) / 1000), 2 * self._timeout)

    # ── Children ─────────────────────────────────────────────────────────────────────────────

    async def _keep_running(self, slot: ChildSlot) -> None:
        """Keep a child running in a slot: replace it whenever it fails."""
        while True:
            while not self._needed(slot):
                await self._change.wait()
            try:
                await self._run_child(slot)
            except Exception as error:  # whatever it was, the next child may work
                slot.failures += 1
                _log.warning(
                    "a process of the bot pool is replaced: %s", _description(error), extra=LOST
                )
                await self._back_off(slot)

    def _needed(self, slot: ChildSlot) -> bool:
        """Whether a slot needs a child: the fallback only while no other child is ready."""
        return not (slot.fallback and self._compiled_ready)

    async def _back_off(self, slot: ChildSlot) -> None:
        if seconds := slot.delay():
            slot.backing_off = True
            if self._unavailable:
                self._empty_queue()
            await asyncio.sleep(seconds)
            slot.backing_off = False

    def _empty_queue(self) -> None:
        """Let the moves in the queue be chosen in this process."""
        while self._queue:
            self._queue.pop().resolve(None)

    async def _run_child(self, slot: ChildSlot) -> None:
        """Start a child, and give it moves for as long as it works and is needed."""
        failed = False
        try:
            # One after the other: the second child loads what the first one has compiled.
            async with nullcontext() if slot.fallback else self._compiling:
                await self._start_child(slot)
            await self._serve(slot)
        except Exception:
            failed = True
            raise
        finally:
            child, slot.child, slot.ready = slot.child, None, False
            self._notify()
            if child is not None:
                await self._stop_child(child, at_once=failed)

    async def _stop_child(self, child: Child, *, at_once: bool = False) -> None:
        """Stop a child, even if this task is canceled meanwhile: `close` waits for it."""
        stopping = asyncio.create_task(child.stop(at_once=at_once))
        self._stopping.add(stopping)
        stopping.add_done_callback(self._stopping.discard)
        await asyncio.shield(stopping)

    async def _start_child(self, slot: ChildSlot) -> None:
        """Start a child, and wait until it has compiled what it needs."""
        report = await self._first_report(slot, INTERPRETED if slot.fallback else COMPILED)
        if report == RESTART:
            report = await self._first_report(slot, LOADED)
        word, _, error = report.partition(" ")
        if word != READY:
            raise ValueError("no report")
        if error:
            _log.warning("bots search less: the compiler does not work (%s)", quoted(error))
        slot.ready = True
        self._notify()

    async def _first_report(self, slot: ChildSlot, mode: str) -> str:
        """Start a child in place of the one before; return what it reports once it is ready."""
        before, slot.child = slot.child, None
        if before is not None:
            await self._stop_child(before)
        slot.child = await start_child(mode, self._notify)
        async with asyncio.timeout(COMPILE_S):
            return await slot.child.read()

    async def _serve(self, slot: ChildSlot) -> None:
        """Send a child one move after the other."""
        child = slot.child
        assert child is not None
        while (move := await self._next_move(slot, child)) is not None:
            share = 0.0 if move.exact else self._share_ms(move)
            end = _earliest_answer(asyncio.get_running_loop().time(), share, move)
            try:
                async with asyncio.timeout(self._timeout):
                    answer = await child.ask(self._question(move, share))
            except Exception:
                self._retry(move)
                raise
            slot.failures = 0
            _resolve_at(end, move, _legal_action(move.turn, answer))
        if not child.alive:
            raise EOFError

    async def _next_move(self, slot: ChildSlot, child: Child) -> PendingMove | None:
        """Wait for a move; None if the child has ended or is not needed any more."""
        while child.alive and self._needed(slot):
            while self._queue:
                move = self._queue.pop()
                if not move.answer.done():
                    return move
            await self._change.wait()
        return None

    def _retry(self, move: PendingMove) -> None:
        """Send a move to the next free child; give up after a second failure."""
        if move.retried:
            move.resolve(None)
        else:
            move.retried = True
            self._queue.put_back(move)
            self._notify()

    def _question(self, move: PendingMove, share: float) -> bytes:
        turn = move.turn
        level, ms = offered_level(turn.level), _budget_ms(move, share)
        return question(level, turn.view, move.seed, ms, exact=move.exact)

    def _share_ms(self, move: PendingMove) -> float:
        """Return the milliseconds that a move may take because others wait; 0.0 if none do."""
        waiting = self._queue.contention(move.place)
        if not waiting:
            return 0.0
        working = max(1, sum(slot.ready for slot in self._slots))
        return max(MIN_MS, BUSY_MS * working / waiting)

    def _notify(self) -> None:
        """Wake all tasks that wait for a change of the queue or the children."""
        self._change.set()
        self._change = asyncio.Event()


def _budget_ms(move: PendingMove, share: float) -> float | None:
    """Return the milliseconds that a bot may think: its share, or half the time to its deadline."""
    limits = [share] if share else []
    if move.until is not None:
        limits.append(500 * (move.until - asyncio.get_running_loop().time()))
    return max(MIN_MS, min(limits)) if limits else None


def _earliest_answer(now: float, share: float, move: PendingMove) -> float:
    """Return when a move with a share (in milliseconds) is answered, at the earliest.

    With many processes shares are long: bots may think for as long, but there is no reason to hold
    an answer back for longer than under the heaviest load. A deadline always comes first.
    """
    end = now + min(share, BUSY_MS) / 1000
    return end if move.until is None else min(end, move.until - MARGIN_S)


def _resolve_at(end: float, move: PendingMove, action: Action | None) -> None:
    """Answer a move at the end of its share; the child goes on with the next one meanwhile.

    Under load nothing else hides how long a bot has thought, and a quick answer reveals that there
    was little to choose from. Without load, moves are paced (`scheduler.Pace.bot_ms`).
    """
    loop = asyncio.get_running_loop()
    if end > loop.time():
        loop.call_at(end, move.resolve, action)
    else:
        move.resolve(action)


def _legal_action(turn: BotTurn, answer: str) -> Action | None:
    """Return the action of a child's answer; None if it is not a legal one."""
    word, _, rest = answer.partition(" ")
    if word == ACTION:
        with suppress(CatInTheBoxError):
            action = Action(rest)
            if action in turn.view.legal:
                return action
    error = quoted(rest) if word == ERROR else "no legal action"
    _log.error("a bot chose no action: %s", error, extra=FAILED)
    return None


def _description(error: Exception) -> str:
    """Describe what happened to a child, without anything that it was given."""
    if isinstance(error, EOFError | ConnectionError):
        return "it ended"
    if isinstance(error, TimeoutError):
        return "it did not answer in time"
    return type(error).__name__
