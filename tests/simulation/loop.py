"""An event loop with a world of its own: one seed, virtual time, no sockets, threads or waiting.

Time stands still while callbacks run and leaps to the next timer when there is nothing left to do.
Chance comes from the seed alone, so the same seed gives the same world to the last step. What
`asyncio` promises is kept: `call_soon` is first in, first out. What it does not promise is drawn
(`jitter`): the order of timers that fall together, how long a thread takes, and whether time goes
on while callbacks still wait, as it does on a busy machine.

>>> async def nap() -> float:
...     await asyncio.sleep(3600)
...     return round(asyncio.get_running_loop().time())
>>> with SimLoop(seed=7) as loop:
...     loop.run(nap())
3600
"""

from __future__ import annotations

import asyncio
import sys
from collections import deque
from collections.abc import AsyncGenerator, Callable, Coroutine
from concurrent.futures import Executor
from contextvars import Context, copy_context
from functools import partial
from heapq import heappop, heappush
from random import Random
from typing import Any, Final, NamedTuple, Self, TypeVar, TypeVarTuple

from simulation.alarm import Trouble, alarm
from simulation.clock import Trace, milliseconds
from simulation.process import PROCESS, Process

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

STEPS: Final = 200_000  # a world that takes more does not end
STALL: Final = 1 / 16  # how often time goes on although callbacks wait …
STALL_SECONDS: Final = 0.05  # … and how far at most
GRAIN: Final = 10_000  # timers in the same 1/GRAIN of a second fall together
TICK: Final = 1e-9  # no two timers see the same time, so that nobody waits for a rounding error
THREAD: Final = (0, 2)  # milliseconds until a thread does its work, and until the loop hears of it


class WorldFailed(AssertionError):
    """A world went wrong: it hangs, it does not end, or an error was left lying about."""


class SimTask(asyncio.Task[T]):
    """A task that sets keep in an order that does not depend on addresses in memory."""

    _log_destroy_pending: bool

    def __init__(
        self, number: int, process: Process | None, coro: Coroutine[Any, Any, T], **how: Any
    ) -> None:
        self.number = number
        self.process = process
        super().__init__(coro, **how)

    @property
    def unheard(self) -> bool:
        """Whether it failed, and nobody asked."""
        lost = self.done() and not self.cancelled() and self._log_traceback
        return lost and not (self.process is not None and self.process.dead)

    def __hash__(self) -> int:
        return self.number


class _Timer(NamedTuple):
    """Sorted by grain, then by when (strict) or by lot (jittered), then by age."""

    grain: int
    place: float
    number: int
    handle: asyncio.TimerHandle
    process: Process | None

    @property
    def void(self) -> bool:
        return self.handle.cancelled() or (self.process is not None and self.process.dead)


class _Job(NamedTuple):
    """Work for a thread."""

    act: Callable[[], Any]
    future: asyncio.Future[Any]
    process: Process | None


class SimLoop(asyncio.BaseEventLoop):
    """The loop. `jitter=False` gives timers that fall together in order, and prompt threads."""

    def __init__(self, seed: int, *, jitter: bool = True) -> None:
        super().__init__()
        self.seed = seed
        self.steps = 0
        self.thread = THREAD
        self.trace = Trace(self.time)
        self.outside = copy_context()  # belongs to no process
        self.outside.run(PROCESS.set, None)
        self._jitter = jitter
        self._chance = self.chance("loop")
        self._seconds = 0.0
        self._queue: deque[tuple[asyncio.Handle, Process | None]] = deque()
        self._timers: list[_Timer] = []
        self._numbers = 0
        self._tasks: list[SimTask[Any]] = []
        self._pools: dict[Executor, deque[_Job]] = {}
        self._troubles: list[Trouble] = []
        self._foreign = False  # whether something runs as another thread would
        self._over = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def chance(self, name: str) -> Random:
        """Return a generator for one part of the world: parts do not disturb each other."""
        return Random(f"{self.seed}/{name}")

    def process(self, name: str) -> Process:
        """Begin a process that can be killed."""
        return Process(name, self.create_task, self.outside)

    # ── Running ──────────────────────────────────────────────────────────────────────────────

    def run(self, main: Coroutine[Any, Any, T], steps: int = STEPS) -> T:
        """Run a world to the end of its main coroutine.

        An error names the seed. Errors that nobody asked about, and those in a log, count.
        """
        task: asyncio.Task[T] = self.create_task(main, name="main")
        try:
            with alarm(self._troubles.append):
                self.pump(task.done, steps)
            if task.cancelled() or task.exception() is None:
                self._complain()
            return task.result()
        except BaseException as error:
            error.add_note(f"seed {self.seed}, at {self.time():.3f} s, after {self.steps} steps")
            raise

    def pump(self, until: Callable[[], bool], steps: int = STEPS) -> None:
        """Let the world go on until something is so."""
        running, foreign = asyncio._get_running_loop(), self._foreign
        hooks = sys.get_asyncgen_hooks()
        asyncio._set_running_loop(self)
        sys.set_asyncgen_hooks(finalizer=self._finish)
        self._foreign, last = False, self.steps + steps
        try:
            while not until():
                if not self._round():
                    raise WorldFailed("nothing is left to do, and somebody still waits")
                if self.steps > last:
                    raise WorldFailed(f"no end after {steps} steps")
                if self._troubles:
                    self._complain()
        finally:
            self._foreign = foreign
            asyncio._set_running_loop(running)
            sys.set_asyncgen_hooks(*hooks)

    def settle(self, steps: int = STEPS) -> None:
        """Let the world go on until nothing is left to do."""
        self.pump(lambda: not self._busy(), steps)

    def block(self, until: Callable[[], bool]) -> None:
        """Wait as a thread does, while the world goes on; the loop itself must never wait."""
        if asyncio._get_running_loop() is not None:
            raise WorldFailed("this would block the event loop")
        self.pump(until)

    def run_until_complete(self, future: Any) -> Any:
        """Run until a future is done."""
        task = asyncio.ensure_future(future, loop=self)
        self.pump(task.done)
        return task.result()

    def is_running(self) -> bool:
        """Whether this loop runs just now."""
        return asyncio._get_running_loop() is self

    def _busy(self) -> bool:
        while self._timers and self._timers[0].void:
            heappop(self._timers)
        return bool(self._timers or self._queue)

    def _round(self) -> bool:
        """Do what is ready; if nothing is, go on to the next timers. False if there are none."""
        queue = self._queue
        if not queue or (self._jitter and self._stalls()):
            self._wake()
        if not queue:
            return False
        for _ in range(len(queue)):
            if not queue:  # a thread waited, and the rest was done meanwhile
                break
            handle, process = queue.popleft()
            if not (handle.cancelled() or (process is not None and process.dead)):
                self.steps += 1
                handle._run()
        return True

    def _stalls(self) -> bool:
        if not self._timers or self._chance.random() >= STALL:
            return False
        return self._timers[0].grain < (self._seconds + STALL_SECONDS) * GRAIN

    def _wake(self) -> None:
        """Go on to the next timers, and make all ready that fall together."""
        if not self._busy() or not self._timers:
            return
        grain = self._timers[0].grain
        while self._timers and self._timers[0].grain == grain:
            timer = heappop(self._timers)
            if not timer.void:
                self._seconds = max(self._seconds, timer.handle.when()) + TICK
                self.trace.mark(timer.number)
                self._queue.append((timer.handle, timer.process))

    # ── What asyncio asks of a loop ──────────────────────────────────────────────────────────

    def time(self) -> float:
        """Return the virtual time in seconds. It never goes back; a `Clock` may."""
        return self._seconds

    def call_soon(
        self, callback: Callable[[*Ts], object], *args: *Ts, context: Context | None = None
    ) -> asyncio.Handle:
        """Call after all that is to be called already; not from another thread."""
        if self._foreign:
            self._refuse()
        return self.call_soon_threadsafe(callback, *args, context=context)

    def call_soon_threadsafe(
        self, callback: Callable[[*Ts], object], *args: *Ts, context: Context | None = None
    ) -> asyncio.Handle:
        """Call after all that is to be called already."""
        handle = asyncio.Handle(callback, args, self, context)
        if not self._over:
            process = PROCESS.get() if context is None else context.get(PROCESS)
            self._queue.append((handle, process))
        return handle

    def call_at(
        self,
        when: float,
        callback: Callable[[*Ts], object],
        *args: *Ts,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        """Call at a time; not from another thread."""
        if self._foreign:
            self._refuse()
        return self.world_at(when, callback, *args, context=context)

    def world_at(
        self,
        when: float,
        callback: Callable[[*Ts], object],
        *args: *Ts,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        """Let the world do something at a time, no matter who says so, from whichever thread."""
        handle = asyncio.TimerHandle(when, callback, args, self, context)
        if not self._over:
            process = PROCESS.get() if context is None else context.get(PROCESS)
            self._numbers += 1
            place = self._chance.random() if self._jitter else when
            grain = int(when * GRAIN + 0.01)
            heappush(self._timers, _Timer(grain, place, self._numbers, handle, process))
        return handle

    def create_task(
        self, coro: Any, *, name: object = None, context: Context | None = None
    ) -> asyncio.Task[Any]:
        """Begin a task; names are the same in every run."""
        number = len(self._tasks) + 1
        name = f"task {number}" if name is None else str(name)
        process = PROCESS.get() if context is None else context.get(PROCESS)
        task: SimTask[Any] = SimTask(number, process, coro, loop=self, name=name, context=context)
        self._tasks.append(task)
        return task

    def _refuse(self) -> None:
        error = RuntimeError("another thread must use call_soon_threadsafe")
        self._troubles.append((str(error), error))  # the caller may swallow it
        raise error

    # ── Threads ──────────────────────────────────────────────────────────────────────────────

    def elsewhere(self, act: Callable[[*Ts], T], *args: *Ts) -> T:
        """Do something as another thread would: no loop runs there, and one way leads back."""
        running, foreign = asyncio._get_running_loop(), self._foreign
        asyncio._set_running_loop(None)
        self._foreign = True
        try:
            return act(*args)
        finally:
            self._foreign = foreign
            asyncio._set_running_loop(running)

    def run_in_executor(
        self, executor: Executor | None, func: Callable[[*Ts], T], *args: *Ts
    ) -> asyncio.Future[T]:
        """Do something a little later, as a thread would; in order if an executor is named."""
        jobs = deque[_Job]() if executor is None else self._pools.setdefault(executor, deque())
        future: asyncio.Future[T] = self.create_future()
        jobs.append(_Job(partial(func, *args), future, PROCESS.get()))
        self._in_a_while(self._work, jobs)
        return future

    def _in_a_while(self, act: Callable[[*Ts], object], *args: *Ts) -> None:
        pause = milliseconds(self._chance, self.thread) if self._jitter else 0.0
        self.world_at(self._seconds + pause, act, *args, context=self.outside.copy())

    def _work(self, jobs: deque[_Job]) -> None:
        act, future, process = jobs.popleft()
        if future.cancelled() or (process is not None and process.dead):
            return
        try:
            result = self.elsewhere(act)
        except Exception as error:
            answer = partial(future.set_exception, error)
        else:
            answer = partial(future.set_result, result)
        self._in_a_while(_unless_done, future, answer)

    # ── Errors, and the end ──────────────────────────────────────────────────────────────────

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        """Take note of an error that nobody else has heard of: the world has failed."""
        message = context["message"]
        by_garbage = message.endswith("never retrieved")  # not the same in every run
        if not self._over and not by_garbage:
            self._troubles.append((message, context.get("exception")))

    def _complain(self) -> None:
        """Raise the first error that nobody has heard of."""
        for task in self._tasks:
            if task.unheard:
                self._troubles.append((f"{task.get_name()} failed unheard", task.exception()))
        if self._troubles:
            message, error = self._troubles[0]
            raise WorldFailed(f"{message}: {error!r}") from error

    def close(self) -> None:
        """End the world; coroutines that still wait are closed, and what they do is ignored."""
        if self._over:
            return
        self._over = True
        running = asyncio._get_running_loop()
        asyncio._set_running_loop(self)
        try:
            self._end_tasks()
        finally:
            asyncio._set_running_loop(running)
        for rest in (self._queue, self._timers, self._tasks):
            rest.clear()
        super().close()

    def _end_tasks(self) -> None:
        for task in self._tasks:  # and those that are begun by what is closed
            task._log_destroy_pending = False
            if task._log_traceback:
                task._log_traceback = False
            if not task.done():
                _exhaust(task.get_coro().close)

    def _finish(self, generator: AsyncGenerator[object, object]) -> None:
        """Close an asynchronous generator that nobody iterates any more."""
        if not self._over:
            self.create_task(generator.aclose())


def _unless_done(future: asyncio.Future[Any], answer: Callable[[], None]) -> None:
    if not future.done():  # nobody waits for it any more
        answer()


def _exhaust(close: Callable[[], object]) -> None:
    """Close a coroutine that may wait while it is being closed, until it has ended."""
    for _ in range(100):
        try:
            close()
        except RuntimeError:  # "ignored GeneratorExit": it waits in a `finally`
            continue
        except BaseException:  # what the dead say is heard by nobody
            return
        return
