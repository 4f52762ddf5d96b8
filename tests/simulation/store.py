"""A store in a simulated world: it takes its time, fails, and crashes, all by the seed.

It keeps the promises of `catinthebox.store.protocol` and no more. What is acknowledged is on the
disk; everything else may or may not be there, each append whole or not at all.

>>> with SimLoop(seed=1) as loop, SimStore(loop, Disk()) as store:
...     store.append("cheshire", 0, [b"sit down", b"deal"]).result()
...     store.read("cheshire", after=1)
2
[Stored(seq=2, event=b'deal')]
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextvars import copy_context
from dataclasses import dataclass
from random import Random
from typing import Any, Final, NamedTuple, Self, TypeVar
from zlib import crc32

from simulation.clock import Span, milliseconds
from simulation.disk import Disk
from simulation.loop import SimLoop
from simulation.process import current_process

from catinthebox.store.base import Subscribers
from catinthebox.store.errors import (
    Busy,
    Damaged,
    NotStorable,
    StoreClosed,
    StoreError,
    StoreFailed,
)
from catinthebox.store.protocol import (
    PAGE,
    TIME,
    About,
    IndexEntry,
    ListEntry,
    Stored,
    Subscriber,
    Work,
)
from catinthebox.store.requests import (
    Append,
    Claim,
    DropLists,
    Enter,
    Plan,
    Probe,
    Release,
    Renew,
    StoreAnswer,
    StoreRequest,
    Take,
    checked,
    checked_game,
)

T = TypeVar("T")
BATCH: Final = 1000  # requests that one commit takes


@dataclass(frozen=True)
class Faults:
    """How slow and how bad a store is. Rates are for a request, a batch, a look or a note."""

    lanes: int = 1  # writers side by side; a game, or a key, keeps to one of them
    room: int = 10_000  # requests that may wait; more are `Busy`
    commit: Span = (1, 4)  # until a batch is on the disk
    answer: Span = (0, 1)  # from there until it is acknowledged
    news: Span = (0, 3)  # from there until a listener is told
    busy: float = 0.0  # a request is `Busy`
    slow: float = 0.0  # a batch takes as long as this:
    slowly: Span = (200, 4000)
    settled: float = 0.0  # a batch fails, and nothing of it was written
    unsettled: float = 0.0  # a batch fails, and it was written or not
    ghosts: float = 0.0  # a batch that failed like that, and was not written, is written later on
    late: float = 0.0  # a note takes as long as this:
    lately: Span = (300, 6000)
    unread: float = 0.0  # a look fails

    @classmethod
    def drawn(cls, chance: Random) -> Faults:
        """Draw a store: each fault is absent, rare or frequent."""

        def rate() -> float:
            return chance.choice((0.0, 0.0, 0.01, 0.05, 0.2))

        return cls(
            lanes=chance.choice((1, 1, 2, 4)),
            room=chance.choice((3, 10_000, 10_000)),
            commit=chance.choice(((0, 0), (1, 4), (5, 30))),
            answer=chance.choice(((0, 0), (0, 1), (0, 20))),
            news=chance.choice(((0, 0), (0, 3), (1, 40))),
            busy=rate() / 2,
            slow=rate() / 2,
            settled=rate() / 2,
            unsettled=rate() / 2,
            ghosts=chance.choice((0.0, 0.5)),
            late=rate(),
            unread=rate() / 2,
        )


QUIET: Final = Faults()


class Promise(Future[T]):
    """A future that a thread can wait for, and the event loop cannot."""

    def __init__(self, loop: SimLoop) -> None:
        super().__init__()
        self._loop = loop

    def result(self, timeout: float | None = None) -> T:
        """Return the answer; the world goes on until it is there."""
        if not self.done():
            self._loop.block(self.done)
        return super().result()

    def exception(self, timeout: float | None = None) -> BaseException | None:
        """Return the error, or none; the world goes on until it is there."""
        if not self.done():
            self._loop.block(self.done)
        return super().exception()


class Job(NamedTuple):
    """A request and the future that waits for its answer."""

    request: StoreRequest
    future: Promise[Any]


class Lane:
    """One writer: it takes what waits, writes it, answers it, and begins again."""

    def __init__(self, store: SimStore) -> None:
        self._store = store
        self.waiting: deque[Job] = deque()
        self.batch: list[Job] = []
        self.answers: Sequence[StoreAnswer] | None = (
            None  # once the batch is on the disk, or failed
        )
        self.ghost: list[StoreRequest] = []
        self._ticking = False

    def put(self, job: Job) -> None:
        """Let a request wait its turn."""
        self.waiting.append(job)
        self._go_on()

    def _go_on(self) -> None:
        if not self._ticking and (self.waiting or self.batch):
            self._ticking = True
            self._store.later(self._pause(), self._tick)

    def _tick(self) -> None:
        self._ticking = False
        self.step()
        self._go_on()

    def _pause(self) -> float:
        store, faults = self._store, self._store.faults
        if self.answers is not None:
            return milliseconds(store.chance, faults.answer)
        if not self.batch:
            return 0.0
        return milliseconds(store.chance, faults.slowly if store.hits("slow") else faults.commit)

    def step(self) -> None:
        """Do the next thing."""
        if self.answers is not None:
            self._store.loop.elsewhere(self._reply, self.answers)
        elif self.batch:
            self.answers = self._write([job.request for job in self.batch])
        else:
            self._take()

    def _take(self) -> None:
        while self.waiting and len(self.batch) < BATCH:
            job = self.waiting.popleft()
            if job.future.set_running_or_notify_cancel():
                self.batch.append(job)

    def _write(self, requests: list[StoreRequest]) -> Sequence[StoreAnswer]:
        store = self._store
        if store.hits("settled"):
            error = StoreFailed("the disk failed; nothing of it was written", settled=True)
            return [error] * len(requests)
        if store.hits("unsettled"):
            error = StoreFailed("the disk failed; it may or may not be written", settled=False)
            if store.chance.random() < 0.5:
                self._written(requests)
            elif store.hits("ghosts"):
                self.ghost = requests
                store.later(milliseconds(store.chance, store.faults.lately), self._haunt, requests)
            return [error] * len(requests)
        return self._written(requests)

    def _written(self, requests: list[StoreRequest]) -> list[StoreAnswer]:
        self.ghost = []  # a commit in its place: what might still have come never will
        return [self._store.disk.carry(request) for request in requests]

    def _haunt(self, requests: list[StoreRequest]) -> None:
        """Write what failed long ago after all, if nothing was written since."""
        if self.ghost is requests:
            self._written(requests)

    def _reply(self, answers: Sequence[StoreAnswer]) -> None:
        batch, self.batch, self.answers = self.batch, [], None
        for (_, future), answer in zip(batch, answers, strict=True):
            if isinstance(answer, StoreError):
                future.set_exception(answer)
            else:
                future.set_result(answer)

    def unanswered(self) -> list[StoreRequest]:
        """Return what might turn up on the disk after a crash, in order."""
        under_way = self.batch if self.answers is None else []
        waiting = [job for job in self.waiting if not job.future.cancelled()]
        return [*self.ghost, *(job.request for job in [*under_way, *waiting])]


class SimStore:
    """A store of one process. It belongs to the process that opens it, and crashes with it."""

    shared = True

    def __init__(
        self,
        loop: SimLoop,
        disk: Disk,
        faults: Faults = QUIET,
        *,
        name: str = "store",
        readonly: bool = False,
    ) -> None:
        self.loop = loop
        self.disk = disk
        self.faults = faults
        self.chance = loop.chance(f"{name} {disk.opened}")
        self._readonly = readonly
        self._lanes = [Lane(self) for _ in range(faults.lanes)]
        self._subscribers = Subscribers()
        self._news: dict[str, int] = {}
        self._closed = False
        self._context = copy_context()
        disk.opened += 1
        disk.listeners[self] = self._notified
        if process := current_process():
            process.at_death(self.crash)

    def later(self, seconds: float, act: Callable[..., None], *args: object) -> None:
        """Do something of this store after a while, unless its process dies before."""
        loop = self.loop
        loop.world_at(loop.time() + seconds, act, *args, context=self._context.copy())

    def hits(self, fault: str) -> bool:
        """Draw whether a fault happens now."""
        rate: float = getattr(self.faults, fault)
        return rate > 0.0 and self.chance.random() < rate

    # ── Writing ──────────────────────────────────────────────────────────────────────────────

    def _put(self, request: StoreRequest) -> Promise[Any]:
        checked(request)
        if self._readonly:
            raise NotStorable("this store was opened read-only")
        if self._closed:
            raise StoreClosed("the store is closed")
        name = request.game if isinstance(request, Append) else getattr(request, "key", "")
        lane = self._lanes[crc32(name.encode()) % len(self._lanes)]
        if len(lane.waiting) >= self.faults.room or self.hits("busy"):
            raise Busy(f"{len(lane.waiting)} requests wait to be written; try again later")
        future: Promise[Any] = Promise(self.loop)
        lane.put(Job(request, future))
        return future

    def append(
        self,
        game: str,
        expected: int,
        events: Sequence[bytes],
        about: About | None = None,
        plans: Mapping[str, int | None] | None = None,
    ) -> Future[int]:
        """Add events to a game."""
        copies = tuple(map(bytes, events))
        return self._put(Append(game, expected, copies, about, tuple((plans or {}).items())))

    def plan(self, key: str, due: int | None) -> Future[None]:
        """Put work on the list."""
        return self._put(Plan(key, due))

    def take(self, key: str, owner: str, until: int, now: int) -> Future[bool]:
        """Take a lease."""
        return self._put(Take(key, owner, until, now))

    def claim(self, owner: str, until: int, now: int, limit: int = 1) -> Future[list[str]]:
        """Take leases on work that is due."""
        return self._put(Claim(owner, until, now, limit))

    def probe(self) -> Future[None]:
        """Make a commit."""
        return self._put(Probe())

    def renew(self, key: str, owner: str, until: int, now: int) -> Future[bool]:
        """Hold a lease longer."""
        return self._put(Renew(key, owner, until, now))

    def release(self, key: str, owner: str, due: int | None = None) -> Future[bool]:
        """Release a lease."""
        return self._put(Release(key, owner, due))

    def enter(self, name: str, key: str, entry: str) -> Future[bool]:
        """Add an entry to a list."""
        return self._put(Enter(name, key, entry))

    def drop_lists(self, before: str) -> Future[None]:
        """Delete lists."""
        return self._put(DropLists(before))

    # ── Reading ──────────────────────────────────────────────────────────────────────────────

    def _disk(self) -> Disk:
        if self._closed:
            raise StoreClosed("the store is closed")
        if self.hits("unread"):
            raise StoreFailed("the disk cannot be read just now", settled=True)
        return self.disk

    def read(self, game: str, after: int = 0, limit: int | None = None) -> list[Stored]:
        """Return the events after a number."""
        return self._disk().read(checked_game(game), after, limit)

    def last(self, game: str) -> int:
        """Return the number of the last event."""
        return self._disk().last(checked_game(game))

    def games(
        self, state: str | None = None, after: str = "", limit: int = PAGE
    ) -> list[IndexEntry]:
        """List games by id."""
        return self._disk().games(state, after, limit)

    def due(self, now: int = TIME, limit: int = PAGE) -> list[Work]:
        """List the work that is due."""
        return self._disk().due(now, limit)

    def entries(self, name: str, after: str = "", limit: int = PAGE) -> list[ListEntry]:
        """Return the entries of a list."""
        return self._disk().entries(name, after, limit)

    def survey(self) -> Iterator[IndexEntry | Damaged]:
        """Return all games: nothing is damaged on this disk."""
        yield from self._disk().games()

    def damaged(self) -> list[Damaged]:
        """Nothing is damaged on this disk."""
        return []

    # ── Being told ───────────────────────────────────────────────────────────────────────────

    def subscribe(self, callback: Subscriber) -> Callable[[], None]:
        """Be told of every append."""
        return self._subscribers.add(callback)

    def _notified(self, game: str, seq: int) -> None:
        """Pass a note on after a while; what comes meanwhile is told with it."""
        if game not in self._news:
            span = self.faults.lately if self.hits("late") else self.faults.news
            self.later(milliseconds(self.chance, span), self._notify, game)
        self._news[game] = seq

    def _notify(self, game: str) -> None:
        seq = self._news.pop(game)
        if not self._closed:
            self.loop.elsewhere(self._subscribers.notify, [(game, seq)])

    # ── The end ──────────────────────────────────────────────────────────────────────────────

    def close(self) -> None:
        """Write what was accepted, answer it, and end."""
        for lane in self._lanes:
            while lane.waiting or lane.batch:
                lane.step()
        self._leave()

    def crash(self, keep: float | None = None) -> None:
        """Die. Of what was not acknowledged, any part is on the disk; nobody gets an answer.

        `keep` is the chance of each request to be carried out all the same. An append whose
        predecessor was lost is lost, too, since its number does not fit.
        """
        if self._closed:
            return
        self._leave()
        share = self.chance.choice((0.0, 0.5, 0.9, 1.0)) if keep is None else keep
        for lane in self._lanes:
            for request in lane.unanswered():
                if self.chance.random() < share:
                    self.disk.carry(request)
            lane.waiting.clear()
            lane.batch, lane.answers, lane.ghost = [], None, []

    def _leave(self) -> None:
        self._closed = True
        self.disk.listeners.pop(self, None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
