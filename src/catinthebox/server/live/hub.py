"""The live tables of this process: decide, store, broadcast.

A command is decided on the table in memory, appended to the log under the number of events it was
decided on, and only then folded and broadcast. If another worker of the same database was first,
the log is read and the command decided again. So the store alone says what happened, in which
order, and a process that dies loses nothing that was sent to anybody.

What follows from a change without a request is left to a `TableListener`, the scheduler. Time and
randomness are arguments: a test runs a hub in a simulated world.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from time import monotonic
from typing import Final, Protocol

from ...game import CatInTheBoxError
from ...protocol.messages import Done
from ...store import About, Busy, Conflict, Damaged, Full, Store, StoreClosed, StoreFailed
from ...table import (
    Command,
    Dealer,
    Draft,
    Entry,
    Sent,
    Settings,
    Table,
    carry,
    create,
    decode,
    done,
    elapse,
    encode,
    replay,
)
from ..errors import DAMAGED, CorruptLog, Unavailable, damaged, hide_log_errors, unknown, worn_out
from ..ops.metrics import Metrics
from ..single_flight import SingleFlight
from . import lobby_index
from .background import BackgroundTasks
from .deal_secret import open_key
from .links import LinkKeys
from .listener import Plans, TableListener
from .live_table import LiveTable, TableClock
from .outbox import Outbox
from .randomness import Randomness
from .thread_bridge import ThreadBridge

RETRY_S: Final = 0.2  # until a failed read is tried again
TRIES: Final = 16  # how often a command is decided again because another worker was first


class Decision(Protocol):
    """Decides what happens at a table: what a command leads to (`carry`), or time (`elapse`)."""

    def __call__(self, table: Table, *, now: int, dealer: Dealer) -> Draft: ...  # noqa: D102


class Hub:
    """Every table that has connections, requests or work in this process."""

    dealer: Dealer  # these three are set by `open`
    links: LinkKeys
    bridge: ThreadBridge

    def __init__(
        self,
        store: Store,
        now: Callable[[], int],
        *,
        chance: Randomness | None = None,
        most: int = 2_000,
        metrics: Metrics | None = None,
    ) -> None:
        self.store = store
        self.metrics = metrics or Metrics()
        self.now = now  # the wall clock, in milliseconds; durations are up to `LiveTable.clock`
        self.chance = chance or Randomness()
        self.tables: dict[str, LiveTable] = {}
        self.listener = TableListener()
        self.tasks = BackgroundTasks()
        self._most = most
        self._loading = SingleFlight[str, None]()
        self._grown: dict[str, int] = {}  # log versions of tables that are being loaded
        self._unsubscribe: Callable[[], None] = lambda: None
        self._time: Callable[[], float] = monotonic  # seconds; the loop's, once it is open

    # ── Start and end ────────────────────────────────────────────────────────────────────────

    async def open(self) -> None:
        """Read the key of the store, subscribe to the store, start the listener."""
        loop = asyncio.get_running_loop()
        self._time, bridge = loop.time, ThreadBridge(loop)
        self.bridge = bridge
        key = await open_key(self.store, self.chance.bytes)
        self.dealer, self.links = key.dealer, LinkKeys(key.for_links)
        # Of a store of one process, too: a commit may outlive the command that waited for it.
        self._unsubscribe = self.store.subscribe(partial(bridge.call, self._log_grew))
        self.listener.open()

    async def close(self) -> None:
        """Start nothing new, finish what was accepted, end every connection."""
        await self.stop()
        for live in list(self.tables.values()):
            async with live.lock:  # a command that is being written is also broadcast
                for outbox in list(live.outboxes):
                    outbox.end("server.closing")

    async def stop(self) -> None:
        """End all work in the background; without `close`, this is what others see of a crash."""
        self._unsubscribe()
        await self.listener.close()
        await self.tasks.close()

    # ── Tables ───────────────────────────────────────────────────────────────────────────────

    async def create(
        self, settings: Settings, host: str, commands: Sequence[Command] = (), opener: str = ""
    ) -> str:
        """Open a table and carry out its host's first commands, all or none of it.

        `opener` is the address that it is opened from; it is kept in memory only. Returns the
        table's public id; `links` makes the keys that open it.
        """
        id, now = self.chance.id(), self.now()
        commitment = self.dealer.commitment(id, 1)
        entries = [create(id, settings, host, commitment, now, keyed=True)]
        table = replay(entries)
        for command in commands:
            draft = carry(table, command, host, now, self.dealer)
            entries, table = entries + draft.entries, draft.table
        live = LiveTable(table, self._clock(table.at), opener)
        plans = self.listener.plans(live, table)
        began = self._time()
        try:
            await self._append(live, 0, entries, lobby_index.about(table), plans)
        except (StoreFailed, Damaged) as error:  # if it was written, nobody knows its name
            raise Unavailable("it could not be written down") from error
        self.metrics.store_seconds.observe(self._time() - began)
        self.metrics.events_stored.value += len(entries)
        self._keep(live)
        self.listener.changed(live, plans)
        return id

    @asynccontextmanager
    async def table(self, id: str) -> AsyncIterator[LiveTable]:
        """Hold a table in memory; one that does not exist is an error."""
        while (live := self.tables.get(id)) is None:  # it may be dropped before we wake up
            await self._loading.result(id, partial(self._load, id))
        live.users += 1
        try:
            yield live
        finally:
            live.users -= 1
            live.left = self._time()

    async def _load(self, id: str) -> None:
        """Read a table from its log, and note how far the log grows meanwhile."""
        self._grown[id] = 0
        try:
            await self._read_table(id)
        finally:
            del self._grown[id]

    async def _read_table(self, id: str) -> None:
        entries = [] if id.startswith("_") else await self.log(id)
        if not entries:
            raise unknown()
        with hide_log_errors():
            table = await asyncio.to_thread(replay, entries)
        live = LiveTable(table, self._clock(table.at))
        live.log_version = self._grown[id]  # while it was read
        self._keep(live)
        self.listener.loaded(live)
        self._start_catching_up(live)

    def _clock(self, at: int) -> TableClock:
        """Make the clock of a table whose log ends at a time."""
        return TableClock(self._time, at, self.now())

    def _keep(self, live: LiveTable) -> None:
        """Keep a table in memory; if there are too many, drop unused ones."""
        if len(self.tables) >= self._most:
            unused = [live for live in self.tables.values() if live.unused]
            self._forget(sorted(unused, key=lambda live: live.left)[: self._most // 8 + 1])
        live.left = self._time()
        self.tables[live.id] = live

    def forget_unused(self, before: float) -> None:
        """Drop the tables that were last used before a time of the loop's clock."""
        tables = self.tables.values()
        self._forget([live for live in tables if live.unused and live.left < before])

    def _forget(self, tables: Iterable[LiveTable]) -> None:
        for live in tables:
            del self.tables[live.id]
            self.listener.dropped(live)

    async def log(self, id: str, after: int = 0) -> list[Entry]:
        """Read the log of a table, or the part of it after a version."""
        try:
            with hide_log_errors():  # a long log is decoded in the thread, too: the loop is free
                return await asyncio.to_thread(_read_entries, self.store, id, after)
        except Damaged:
            raise self._quarantined(id) from None
        except (StoreFailed, StoreClosed) as error:
            raise Unavailable("the games cannot be read just now") from error

    # ── Commands ─────────────────────────────────────────────────────────────────────────────

    async def do(self, live: LiveTable, sent: Sent, who: str) -> Done:
        """Carry a command out; an error of the table says why not."""
        before = live.table
        await self._change(live, partial(carry, command=sent.command, who=who, id=sent.id))
        moved = before.seats is not live.table.seats and (
            before.seat_of(who) != live.table.seat_of(who)
        )
        if moved and live.has_connection(who):
            self.listener.connected(live, who)  # by a connection from before they sat here
        return done(live.table, who, sent.id)

    async def tick(self, live: LiveTable) -> None:
        """Carry out what time has caused."""
        await self._change(live, elapse)

    async def _change(self, live: LiveTable, decide: Decision) -> None:
        """Decide, store and broadcast, one change at a time."""
        try:
            async with live.lock:
                for _ in range(TRIES):
                    if await self._try_to_change(live, decide):
                        return
                raise Unavailable("too many want to change this table at once")
        finally:
            if live.behind:
                self._start_catching_up(live)

    async def _try_to_change(self, live: LiveTable, decide: Decision) -> bool:
        """Decide by the newest state, store, broadcast; false if all must be decided again."""
        doubted = live.doubtful
        if live.behind:
            await self._read_new(live)
        before = live.table
        try:
            draft = decide(before, now=live.clock.now(), dealer=self.dealer)
        except CatInTheBoxError:
            if self.store.shared and await self._read_new(live):
                return False  # it was refused by a table of the past
            raise
        if not draft.entries:
            if doubted:  # it was stored after all, and what follows is ours to do
                self.listener.changed(live, {})
            return True
        after, plans = draft.table, self.listener.plans(live, draft.table)
        about = None
        if after.stage != before.stage or after.seats is not before.seats:
            about = lobby_index.about_after(before, after)
        live.doubtful = True  # until there is an answer, even if nobody waits for it any more
        began = self._time()
        try:
            await self._append(live, before.version, draft.entries, about, plans)
        except (Conflict, Damaged, Full, StoreFailed) as error:
            self._check_failure(live, error)
            return False
        live.doubtful = False
        self.metrics.store_seconds.observe(self._time() - began)
        self.metrics.events_stored.value += len(draft.entries)
        if after.stage == "over" != before.stage:
            self.metrics.games_finished.value += 1
        live.advance(draft.entries, after)
        self.listener.changed(live, plans)
        return True

    def _check_failure(
        self, live: LiveTable, error: Conflict | Damaged | Full | StoreFailed
    ) -> None:
        """Raise an error if an append has failed for good, and not because the log has grown."""
        if isinstance(error, Conflict):
            self.metrics.store_errors["conflict"].value += 1
            return
        if isinstance(error, StoreFailed):
            self.metrics.store_errors["failed"].value += 1
            if not error.settled:
                return
            live.doubtful = False
            raise Unavailable("it could not be written down") from error
        live.doubtful = False
        if isinstance(error, Damaged):
            raise self._quarantined(live.id) from None
        self.metrics.store_errors["full"].value += 1
        raise worn_out() from None

    def _append(
        self,
        live: LiveTable,
        version: int,
        entries: Sequence[Entry],
        about: About | None,
        plans: Plans,
    ) -> asyncio.Future[int]:
        """Append entries to the log; the future is done when they are durable."""
        try:
            future = self.store.append(live.id, version, list(map(encode, entries)), about, plans)
        except (Busy, StoreClosed) as error:
            self.metrics.store_errors["busy" if isinstance(error, Busy) else "closed"].value += 1
            live.doubtful = False
            raise Unavailable("too much waits to be written down") from error
        return self.bridge.result(future)

    # ── Connections ──────────────────────────────────────────────────────────────────────────

    @asynccontextmanager
    async def connect(
        self,
        live: LiveTable,
        outbox: Outbox,
        version: int | None = None,
        admit: Callable[[], None] = lambda: None,
    ) -> AsyncIterator[int | None]:
        """Send everything after a version to an outbox; without a version, a snapshot first.

        Yields how many frames were sent again, or None after a snapshot. `admit` is called once
        the seat of the outbox is known, and may refuse it.
        """
        await self.refresh(live, version)
        live.admit(outbox)
        admit()
        resent = live.join(outbox, version)
        self.listener.connected(live, outbox.who)
        try:
            yield resent
        finally:
            live.leave(outbox)
            self.listener.disconnected(live, outbox.who)

    async def refresh(self, live: LiveTable, version: int | None = None) -> None:
        """Read the log if a newcomer may have seen more of it elsewhere.

        A seat that was taken at one worker is known to all of them soon. Who took it and asks
        another worker at once should not be answered that it is free.
        """
        if self.store.shared if version is None else version > live.table.version:
            await self._read_log(live)

    def seen(self, live: LiveTable, who: str) -> None:
        """Note a request of a person who may have no connection."""
        self.listener.seen(live, who)

    # ── Events of other processes ────────────────────────────────────────────────────────────

    def _log_grew(self, id: str, version: int) -> None:
        """Note how far a table's log goes, as the store reports after each commit."""
        live = self.tables.get(id)
        if live is None:
            if id in self._grown:
                self._grown[id] = version
        elif version > live.table.version:
            live.log_version = max(live.log_version, version)
            if not live.lock.locked():  # its holder looks again in the end
                self._start_catching_up(live)

    def _start_catching_up(self, live: LiveTable) -> None:
        """Read the log in the background, unless a task does or will do so anyway."""
        if live.behind and not (live.lock.locked() or live.catching_up or self.tasks.closed):
            live.catching_up = True
            self.tasks.start(self._catch_up(live))

    async def _catch_up(self, live: LiveTable) -> None:
        """Read the log until the table is up to date; after a failure, try again."""
        try:
            while live.behind and not self.tasks.closed:
                try:
                    async with live.lock:
                        if live.behind:
                            await self._read_new(live)
                except Unavailable:
                    await asyncio.sleep(RETRY_S)
                except CatInTheBoxError:  # it is damaged; its connections were ended
                    return
                except CorruptLog:  # nobody may go on from a table of the past
                    self._drop(live)
                    raise
        finally:
            live.catching_up = False

    async def _read_log(self, live: LiveTable) -> None:
        """Read the log although the store has not reported anything new."""
        try:
            async with live.lock:
                await self._read_new(live)
        finally:
            self._start_catching_up(live)

    async def _read_new(self, live: LiveTable) -> bool:
        """Fold what the log holds beyond the table in memory; say whether there was anything."""
        reported = live.log_version
        entries = await self.log(live.id, live.table.version)
        live.doubtful = False
        if not entries:
            if live.log_version == reported:
                live.log_version = 0  # the database was restored: there is nothing to wait for
            return False
        live.clock.follow(entries[-1].at)
        with hide_log_errors():
            live.advance(entries)
        self.listener.changed(live, None)
        return True

    def _drop(self, live: LiveTable, why: str = "server.failure") -> None:
        """Drop a table whose log cannot be read, and end its connections."""
        self.tables.pop(live.id, None)
        self.listener.dropped(live)
        for outbox in list(live.outboxes):
            outbox.end(why)

    def _quarantined(self, id: str) -> CatInTheBoxError:
        """Drop a table whose stored log is damaged; the error is the answer to the request."""
        self.metrics.store_errors["damaged"].value += 1
        if (live := self.tables.get(id)) is not None:
            self._drop(live, DAMAGED)
        return damaged()


def _read_entries(store: Store, id: str, after: int) -> list[Entry]:
    return [decode(event) for _, event in store.read(id, after)]
