"""The writer thread: commits all waiting requests at once, answers them, then notifies.

Requests that arrive during a commit share the next one. So a busy store needs one durable write
per batch, and an idle one adds no delay.

>>> writer = Writer("example", commit=lambda requests: [7 for _ in requests])
>>> future = writer.put(Append("cheshire", 6, (b"play",)))
>>> future.result()
7
>>> writer.close()
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from threading import Condition, Thread
from typing import Final, NamedTuple

from .errors import Busy, Damaged, Malformed, StoreClosed, StoreError, StoreFailed
from .requests import Append, StoreAnswer, StoreRequest, size_of

WAITING: Final = 10_000  # requests, and …
WAITING_BYTES: Final = 64 * 1024 * 1024
BATCH: Final = 1000  # what one commit takes at most: requests, and …
BATCH_BYTES: Final = 8 * 1024 * 1024

Commit = Callable[[Sequence[StoreRequest]], Sequence[StoreAnswer]]
Growth = list[tuple[str, int]]


def damaged(append: Append, error: Malformed) -> Damaged:
    """Return the error for a damaged game."""
    return Damaged(append.game, None, str(error))


def isolated(
    requests: Sequence[StoreRequest],
    transaction: Commit,
    blamed: Callable[[Append, Malformed], StoreError] = damaged,
) -> Sequence[StoreAnswer]:
    """Carry a batch out in one transaction; raise any error but `Malformed`.

    If a page is unreadable, each request gets its own transaction, so that only those that need
    that page fail; for appends, `blamed` returns the error.
    """
    try:
        return transaction(requests)
    except Malformed:
        return [_alone(request, transaction, blamed) for request in requests]


def _alone(
    request: StoreRequest, transaction: Commit, blamed: Callable[[Append, Malformed], StoreError]
) -> StoreAnswer:
    try:
        return transaction([request])[0]
    except Malformed as error:
        return blamed(request, error) if isinstance(request, Append) else error
    except StoreError as error:
        return error


class Job(NamedTuple):
    """A request and the future of its answer."""

    request: StoreRequest
    future: Future[StoreAnswer]
    size: int


class Writer:
    """One thread and a bounded queue; `commit` carries a batch out, and may raise."""

    def __init__(
        self, name: str, commit: Commit, notify: Callable[[Growth], None] = lambda _: None
    ) -> None:
        self._commit = commit
        self._notify = notify
        self._jobs: deque[Job] = deque()
        self._bytes = 0
        self._changed = Condition()
        self._closing = False
        self._thread = Thread(target=self._run, name=f"store {name}", daemon=True)
        self._thread.start()

    def put(self, request: StoreRequest) -> Future[StoreAnswer]:
        """Accept a request; raise `Busy` instead of blocking if too many are waiting."""
        job = Job(request, Future(), size_of(request))
        with self._changed:
            if self._closing:
                raise StoreClosed("the store is closed")
            full = len(self._jobs) >= WAITING or self._bytes + job.size > WAITING_BYTES
            if self._jobs and full:
                raise Busy(f"{len(self._jobs)} requests wait to be written; try again later")
            self._jobs.append(job)
            self._bytes += job.size
            self._changed.notify()
        return job.future

    def close(self) -> None:
        """Write and answer what was accepted, then end the thread."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        self._thread.join()

    def _run(self) -> None:
        while batch := self._take():
            answers = self._answers([job.request for job in batch])
            for job, answer in zip(batch, answers, strict=True):
                if isinstance(answer, StoreError):
                    job.future.set_exception(answer)
                else:
                    job.future.set_result(answer)
            self._notify(_growth(batch, answers))

    def _take(self) -> list[Job]:
        """Wait for requests and return as many as one commit may hold; none means the end."""
        batch: list[Job] = []
        size = 0
        while not batch:  # all of them may have been cancelled
            with self._changed:
                while not self._jobs:
                    if self._closing:
                        return []
                    self._changed.wait()
                while self._jobs and len(batch) < BATCH and size < BATCH_BYTES:
                    job = self._jobs.popleft()
                    self._bytes -= job.size
                    if job.future.set_running_or_notify_cancel():
                        batch.append(job)
                        size += job.size
        return batch

    def _answers(self, requests: Sequence[StoreRequest]) -> Sequence[StoreAnswer]:
        try:
            return self._commit(requests)
        except StoreError as error:
            return [error] * len(requests)
        except Exception as error:  # even a bug must not leave callers waiting
            return [StoreFailed(f"the store failed: {error!r}", settled=False)] * len(requests)


def _growth(batch: Sequence[Job], answers: Sequence[StoreAnswer]) -> Growth:
    """Return the games that grew, each with its last number."""
    grown: dict[str, int] = {}
    for job, answer in zip(batch, answers, strict=True):
        if isinstance(job.request, Append) and isinstance(answer, int):
            grown[job.request.game] = answer
    return list(grown.items())
