"""Runs tasks in this process, in several on this machine, or on a Ray cluster.

The rows are the same everywhere. A task is a few deals of a match, or of something else that makes
rows of a deal; its rows are returned when it is done, in any order. After Ctrl-C, or when something
fails, finished deals are still returned.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import islice
from multiprocessing.process import BaseProcess
from multiprocessing.synchronize import Event
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeVar

from ..game import CatInTheBoxError
from ..optional import needs
from ..players.player import never
from ..processes import exit_with_parent
from .match import Terms
from .table import Stopped

AHEAD: Final = 2  # tasks waiting for each worker, so that none of them idles
TASKS_EACH: Final = 16  # at least this many for every worker, so that they end together
LARGEST: Final = 16  # deals of a task: the most that a crash can lose


Row = TypeVar("Row")
Row_co = TypeVar("Row_co", covariant=True)


class Playable(Protocol[Row_co]):
    """What a worker does with a deal: a match plays it."""

    @property
    def key(self) -> str:
        """The name of it, for errors."""

    def play(
        self, terms: Terms, deal_number: int, stop: Callable[[], bool] = never
    ) -> Sequence[Row_co]:
        """Return the rows of a deal."""


@dataclass(frozen=True)
class Task(Generic[Row]):
    """Some deals of a match."""

    match: Playable[Row]
    terms: Terms
    deals: tuple[int, ...]


@dataclass(frozen=True)
class WorkerFailure:
    """An error to be sent to the main process; exceptions with two arguments cannot be pickled."""

    code: str
    message: str


class Outcome(NamedTuple, Generic[Row]):
    """The rows of the deals that a task has finished, and why it did not finish all."""

    rows: list[Row]
    failure: WorkerFailure | None = None


DIED: Final[Outcome[Any]] = Outcome(
    [],
    WorkerFailure(
        "input.option",
        "a worker process died, killed or out of memory; the finished deals are kept",
    ),
)


def work(task: Task[Row], stop: Callable[[], bool] = never) -> Outcome[Row]:
    """Play the deals of a task, until it is done or stopped."""
    rows: list[Row] = []
    try:
        for deal in task.deals:
            rows += task.match.play(task.terms, deal, stop)
    except Stopped:
        return Outcome(rows)
    except CatInTheBoxError as error:
        sentence = f"{task.match.key}, deal {deal}: {error.message}"
        return Outcome(rows, WorkerFailure(error.code, sentence))
    return Outcome(rows)


def chunk(deals: int, workers: int) -> int:
    """Return how many deals make a task."""
    return 1 if workers == 1 else max(1, min(LARGEST, deals // (workers * TASKS_EACH)))


def rows_of(
    tasks: Iterable[Task[Row]], jobs: int = 1, ray: bool = False
) -> Generator[list[Row], None, None]:
    """Run all tasks; yield the rows of each as soon as it is done. There may be no end of them.

    Once a task fails no other one is started; its error is raised after all finished rows.
    """
    failure = None
    with closing(_outcomes(tasks, jobs, ray)) as outcomes:
        for outcome in outcomes:
            if outcome.rows:
                yield outcome.rows
            failure = failure or outcome.failure
    if failure:
        raise CatInTheBoxError(failure.code, failure.message)


def _outcomes(
    tasks: Iterable[Task[Row]], jobs: int, ray: bool
) -> Generator[Outcome[Row], None, None]:
    if ray:
        return _on_ray(tasks, jobs)
    return _here(tasks) if jobs == 1 else _in_processes(tasks, jobs)


def _here(tasks: Iterable[Task[Row]]) -> Generator[Outcome[Row], None, None]:
    for task in tasks:
        outcome = work(task)
        yield outcome
        if outcome.failure:
            return


# ── Several processes ────────────────────────────────────────────────────────────────────────

_stop: Event | None = None  # in a worker: set when the run must stop


SAFE_PATH: Final = "PYTHONSAFEPATH"  # like -P: no imports from the working directory


def _enter(stop: Event, safe_path: str | None) -> None:
    """Initialize a worker. Ctrl-C reaches all processes; the main one stops the workers.

    `safe_path` is PYTHONSAFEPATH of the whole run, restored for the programs of players.
    """
    global _stop  # noqa: PLW0603 (a process can be handed something in no other way)
    _stop = stop
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _set_safe_path(safe_path)
    exit_with_parent(_parent().join)


def _parent() -> BaseProcess:
    """Return the process that started this worker; `join` waits for a pipe that only it holds.

    The queue of tasks does not show its end, since every worker holds both ends of the queue.
    """
    parent = multiprocessing.parent_process()
    assert parent is not None, "a worker has a parent"
    return parent


def _set_safe_path(value: str | None) -> None:
    if value is None:
        os.environ.pop(SAFE_PATH, None)
    else:
        os.environ[SAFE_PATH] = value


@contextmanager
def _safe_path() -> Iterator[None]:
    """Keep Python processes started in the block from importing from the working directory.

    `multiprocessing` offers no way to start its children with `-P`, only the environment.
    """
    before = os.environ.get(SAFE_PATH)
    _set_safe_path("1")
    try:
        yield
    finally:
        _set_safe_path(before)


def _work(task: Task[Row]) -> Outcome[Row]:
    assert _stop is not None, "a worker has entered"
    return work(task, _stop.is_set)


def _in_processes(tasks: Iterable[Task[Row]], jobs: int) -> Generator[Outcome[Row], None, None]:
    fresh = multiprocessing.get_context("spawn")  # the same on every system
    with _safe_path():  # it may start a process, too
        stop = fresh.Event()
    pool = ProcessPoolExecutor(jobs, fresh, _enter, (stop, os.environ.get(SAFE_PATH)))
    waiting = iter(tasks)
    running: set[Future[Outcome[Row]]] = set()
    found: list[Outcome[Row]] = []
    try:
        running |= _submitted(pool, islice(waiting, jobs * AHEAD))
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            found = [*map(_result, done)]
            yield from found
            if any(outcome.failure for outcome in found):
                break
            running |= _submitted(pool, islice(waiting, len(done)))
        stop.set()
        yield from _last(running, cancel=DIED not in found)  # if something failed, else none
    except KeyboardInterrupt:
        stop.set()
        yield from _last(running)
        raise
    except BrokenProcessPool:  # a worker died just now, so nothing more can be submitted
        yield from _last(running, cancel=False)
        yield DIED
    finally:
        stop.set()
        pool.shutdown(cancel_futures=True)


def _submitted(pool: ProcessPoolExecutor, tasks: Iterable[Task[Row]]) -> set[Future[Outcome[Row]]]:
    """Submit tasks; the pool starts a worker when a task comes and none is free."""
    with _safe_path():
        return {pool.submit(_work, task) for task in tasks}


def _last(running: set[Future[Outcome[Row]]], cancel: bool = True) -> Iterator[Outcome[Row]]:
    """Yield the outcomes of running tasks, each once, even after another Ctrl-C.

    Tasks of a broken pool must not be cancelled: the pool would hang.
    """
    for future in wait({one for one in running if not (cancel and one.cancel())}).done:
        running.discard(future)
        yield _result(future)


def _result(future: Future[Outcome[Row]]) -> Outcome[Row]:
    try:
        return future.result()
    except BrokenProcessPool:
        return DIED


# ── Ray ──────────────────────────────────────────────────────────────────────────────────────


def _on_ray(tasks: Iterable[Task[Row]], jobs: int) -> Generator[Outcome[Row], None, None]:
    """Use the cluster of RAY_ADDRESS, or as many workers as jobs on this machine."""
    with needs("ray", extra="ray"):
        import ray  # noqa: PLC0415 (only where it is used)
    begun = not ray.is_initialized()
    if begun:
        ray.init(**_cluster(jobs))
    try:
        yield from _remote(ray, tasks)
    finally:
        if begun:
            ray.shutdown()


def _cluster(jobs: int) -> dict[str, Any]:
    quiet = {"log_to_driver": False, "include_dashboard": False, "logging_level": "warning"}
    return {"log_to_driver": False} if "RAY_ADDRESS" in os.environ else quiet | {"num_cpus": jobs}


def _remote(ray: Any, tasks: Iterable[Task[Row]]) -> Iterator[Outcome[Row]]:
    remote = ray.remote(work)
    ahead = int(ray.cluster_resources().get("CPU", 1)) * AHEAD
    waiting = iter(tasks)
    running = [remote.remote(task) for task in islice(waiting, ahead)]
    while running:
        done, running = ray.wait(running)
        found = ray.get(done)
        yield from found
        if any(outcome.failure for outcome in found):
            break
        running += [remote.remote(task) for task in islice(waiting, len(done))]
    if running:  # something failed: what the others have finished by now is kept
        done, _ = ray.wait(running, num_returns=len(running), timeout=0)
        yield from ray.get(done)
