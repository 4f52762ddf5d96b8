"""The live tables of this process: decide, write down, then tell.

A command is decided on the table in memory, appended to the log under the number of events it was
decided on, and only then folded and told. If somebody else was first (another worker of the same
data base), the log is read on and the command decided again. So the store alone says what
happened, in which order, and a process that dies loses nothing that anybody was told.

Time, chance and the bots are arguments: a test runs a hub in a world of its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Final

from ..game import CatInTheBoxError
from ..store import About, Busy, Closed, Conflict, Damaged, Full, Store, StoreFailed
from ..table import (
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
from ..table.messages import Done
from . import index
from .chance import Chance
from .crossing import Crossing
from .errands import Bots, Errands, Pace
from .errors import DAMAGED, Broken, Unavailable, damaged, trusting_the_log, unknown, worn_out
from .keys import open_key
from .line import Line
from .links import LinkKeys
from .live import Live
from .metrics import Metrics
from .table_clock import TableClock

AGAIN: Final = 0.2  # seconds until a failed reading is tried again
TRIES: Final = 16  # how often a command is decided anew because somebody else was first


class Hub:
    """Every table that somebody here looks at, plays at, or works for."""

    def __init__(
        self,
        store: Store,
        now: Callable[[], int],
        bots: Bots,
        *,
        chance: Chance | None = None,
        pace: Pace | None = None,
        most: int = 2_000,
        metrics: Metrics | None = None,
    ) -> None:
        self.store = store
        self.metrics = metrics or Metrics()
        self.now = now  # the wall clock, in milliseconds; what is measured, `Live.clock` measures
        self.chance = chance or Chance()
        self.tables: dict[str, Live] = {}
        self.errands = Errands(self, bots, pace or Pace())
        self._most = most
        self._loading: dict[str, asyncio.Task[None]] = {}
        self._told: dict[str, int] = {}  # how far the logs go of tables that are being read
        self._dealer: Dealer | None = None
        self._links: LinkKeys | None = None
        self._crossing: Crossing | None = None
        self._hear_nothing: Callable[[], None] = lambda: None

    # ── The beginning and the end ────────────────────────────────────────────────────────────

    async def open(self) -> None:
        """Begin: find the key of the store, listen to it, look for work that others have left."""
        crossing = self._crossing = Crossing(asyncio.get_running_loop())
        key = await open_key(self.store, self.chance.bytes)
        self._dealer, self._links = key.dealer, LinkKeys(key.for_links)
        self._hear_nothing = self.store.subscribe(
            lambda game, seq: crossing.call(partial(self._heard, game, seq))
        )
        self.errands.open()

    async def close(self) -> None:
        """End: begin nothing new, finish what was accepted, let every line go."""
        self._hear_nothing()
        await self.errands.close()
        for live in list(self.tables.values()):
            async with live.lock:  # whoever is writing writes, and tells
                for line in list(live.lines):
                    line.end("server.closing")

    @property
    def dealer(self) -> Dealer:
        """Whoever keeps the secrets."""
        assert self._dealer is not None, "open() comes first"
        return self._dealer

    @property
    def links(self) -> LinkKeys:
        """The keys of all links."""
        assert self._links is not None, "open() comes first"
        return self._links

    @property
    def crossing(self) -> Crossing:
        """The way from the threads of the store to here."""
        assert self._crossing is not None, "open() comes first"
        return self._crossing

    # ── Tables ───────────────────────────────────────────────────────────────────────────────

    async def create(
        self, settings: Settings, host: str, wishes: Sequence[Command] = (), opener: str = ""
    ) -> str:
        """Open a table and let its host do a few things there, all at once or not at all.

        `opener` is the address that it is opened from; it is kept in memory only.
        It gives the table's public id; `links` has the keys that open it.
        """
        id, now = self.chance.id(), self.now()
        commitment = self.dealer.commitment(id, 1)
        entries = [create(id, settings, host, commitment, now, keyed=True)]
        table = replay(entries)
        for wish in wishes:
            draft = carry(table, wish, host, now, self.dealer)
            entries, table = entries + draft.entries, draft.table
        live = Live(table, self._clock(table.at), opener)
        try:
            await self._append(live, 0, entries, table, index.about(table))
        except (StoreFailed, Damaged) as error:  # if it was written, nobody knows its name
            raise Unavailable("it could not be written down") from error
        self._keep(live)
        self.errands.after(live)
        return id

    @asynccontextmanager
    async def table(self, id: str) -> AsyncIterator[Live]:
        """Hold on to a table; one that does not exist is an error."""
        while (live := self.tables.get(id)) is None:  # it may be forgotten before we wake up
            await self._load(id)
        live.users += 1
        try:
            yield live
        finally:
            live.users -= 1
            live.left = asyncio.get_running_loop().time()

    async def _load(self, id: str) -> None:
        """Read a table from its log; several who want it at once wait for one reading."""
        loading = self._loading.get(id)
        if loading is None:
            loading = self._loading[id] = asyncio.ensure_future(self._read(id))
            loading.add_done_callback(lambda _: self._loaded(id))
        await asyncio.shield(loading)

    def _loaded(self, id: str) -> None:
        del self._loading[id]
        self._told.pop(id, None)

    async def _read(self, id: str) -> None:
        entries = [] if id.startswith("_") else await self._entries(id, 0)
        if not entries:
            raise unknown()
        with trusting_the_log():
            table = await asyncio.to_thread(replay, entries)
        live = Live(table, self._clock(table.at))
        live.heard = self._told.get(id, 0)  # while it was read
        self._keep(live)
        self.errands.loaded(live)
        self._look_again(live)

    def _clock(self, at: int) -> TableClock:
        """Give the clock of a table whose log ends at a time."""
        return TableClock(asyncio.get_running_loop().time, at, self.now())

    def _keep(self, live: Live) -> None:
        """Keep a table in memory, and not too many."""
        if len(self.tables) >= self._most:
            unused = [live for live in self.tables.values() if live.unused]
            self._forget(sorted(unused, key=lambda live: live.left)[: self._most // 8 + 1])
        live.left = asyncio.get_running_loop().time()
        self.tables[live.id] = live

    def forget_unused(self, before: float) -> None:
        """Let go of the tables that nobody has used since a time of the loop's clock."""
        tables = self.tables.values()
        self._forget([live for live in tables if live.unused and live.left < before])

    def _forget(self, tables: Iterable[Live]) -> None:
        for live in tables:
            live.stop()
            del self.tables[live.id]

    async def log(self, id: str) -> list[Entry]:
        """Give everything that has happened at a table."""
        return await self._entries(id, 0)

    async def _entries(self, id: str, after: int) -> list[Entry]:
        try:
            with trusting_the_log():  # a long log is decoded in the thread, too: nobody waits
                return await asyncio.to_thread(_read_entries, self.store, id, after)
        except Damaged:
            raise self._quarantined(id) from None
        except (StoreFailed, Closed) as error:
            raise Unavailable("the games cannot be read just now") from error

    # ── Commands ─────────────────────────────────────────────────────────────────────────────

    async def do(self, live: Live, sent: Sent, who: str) -> Done:
        """Carry a command out; an error of the table says why not."""

        def decide(table: Table) -> Draft:
            return carry(table, sent.command, who, live.clock.now(), self.dealer, id=sent.id)

        seat = live.table.seat_of(who)
        await self._change(live, decide)
        if seat != live.table.seat_of(who) and live.connected(who):
            self.errands.came(live, who)  # with a line from before they had this seat
        return done(live.table, who, sent.id)

    async def tick(self, live: Live) -> None:
        """Let happen what time has caused."""
        await self._change(live, lambda table: elapse(table, live.clock.now(), self.dealer))

    async def _change(self, live: Live, decide: Callable[[Table], Draft]) -> None:
        """Decide, write down, tell."""
        try:
            async with live.lock:
                await self._decided(live, decide)
        finally:
            self._look_again(live)

    async def _decided(self, live: Live, decide: Callable[[Table], Draft]) -> None:
        for _ in range(TRIES):
            doubted = live.doubtful
            await self._read_on(live)
            try:
                draft = decide(live.table)
            except CatInTheBoxError:
                if self.store.shared and await self._read_on(live, anyway=True):
                    continue  # it was refused by a table of the past
                raise
            if not draft.entries:
                if doubted:  # it was written after all, and what follows from it is ours to do
                    self.errands.after(live)
                return
            if await self._written(live, draft):
                live.advance(draft.entries, draft.table)
                self.errands.after(live)
                return
        raise Unavailable("too many want to change this table at once")

    async def _written(self, live: Live, draft: Draft) -> bool:
        """Write a draft down; false if the log must be read first, and all decided again."""
        before, after = live.table, draft.table
        usual = before.seats is after.seats and before.stage == after.stage  # a move of a game
        about = None if usual or not index.changed(before, after) else index.about(after)
        live.doubtful = True  # until there is an answer, whatever becomes of whoever waits for it
        try:
            await self._append(live, before.version, draft.entries, after, about)
        except Conflict:
            self.metrics.store_errors["conflict"].value += 1
            return False
        except Damaged:
            live.doubtful = False
            raise self._quarantined(live.id) from None
        except Full:
            self.metrics.store_errors["full"].value += 1
            live.doubtful = False
            raise worn_out() from None
        except StoreFailed as error:
            self.metrics.store_errors["failed"].value += 1
            if not error.settled:
                return False
            live.doubtful = False
            raise Unavailable("it could not be written down") from error
        live.doubtful = False
        if about is not None and after.stage == "over" != before.stage:
            self.metrics.games_finished.value += 1
        return True

    async def _append(
        self,
        live: Live,
        version: int,
        entries: Sequence[Entry],
        after: Table,
        about: About | None,
    ) -> None:
        plans = self.errands.plans(live, after)
        try:
            future = self.store.append(live.id, version, list(map(encode, entries)), about, plans)
        except (Busy, Closed) as error:
            self.metrics.store_errors["busy" if isinstance(error, Busy) else "closed"].value += 1
            live.doubtful = False
            raise Unavailable("too much waits to be written down") from error
        loop = asyncio.get_running_loop()
        began = loop.time()
        await self.crossing.result(future)
        self.metrics.store_seconds.observe(loop.time() - began)
        self.metrics.events_stored.value += len(entries)
        live.plans |= plans

    # ── Lines ────────────────────────────────────────────────────────────────────────────────

    @asynccontextmanager
    async def listening(
        self,
        live: Live,
        line: Line,
        version: int | None = None,
        admit: Callable[[], None] = lambda: None,
    ) -> AsyncIterator[int | None]:
        """Let a line hear everything after a version; without one, first how things stand.

        It gives how many frames were sent again, or None if it is shown everything. `admit` is
        called once it is known which seat the line has, and may refuse it.
        """
        await self.refresh(live, version)
        live.admit(line)
        admit()
        resent = live.join(line, version)
        self.errands.came(live, line.who)
        try:
            yield resent
        finally:
            live.part(line)
            self.errands.went(live, line.who)

    async def refresh(self, live: Live, version: int | None = None) -> None:
        """See to it that whoever comes is shown at least what they were told elsewhere.

        A seat that was taken by way of one worker is known to all of them soon. Whoever took it
        and asks another one at once should not be told that it is nobody's.
        """
        if self.store.shared if version is None else version > live.table.version:
            await self._read_anyway(live)

    # ── What others have written ─────────────────────────────────────────────────────────────

    def _heard(self, id: str, version: int) -> None:
        """The store says how far a table's log goes."""
        live = self.tables.get(id)
        if live is not None:
            live.heard = max(live.heard, version)
            self._look_again(live)
        elif id in self._loading:
            self._told[id] = version

    def _look_again(self, live: Live) -> None:
        if live.behind and not (live.lock.locked() or live.catching_up or self.errands.closed):
            live.catching_up = True
            self.errands.begin(self._catch_up(live))

    async def _catch_up(self, live: Live) -> None:
        """Read on until nothing more is heard of; what fails at first is tried again."""
        try:
            while live.behind and not self.errands.closed:
                try:
                    async with live.lock:
                        await self._read_on(live)
                except Unavailable:
                    await asyncio.sleep(AGAIN)
                except CatInTheBoxError:  # it is damaged; everybody there was told
                    return
                except Broken:  # nobody may go on from a table of the past
                    self._drop(live)
                    raise
        finally:
            live.catching_up = False

    def _drop(self, live: Live, why: str = "server.failure") -> None:
        """Let go of a table whose log cannot be read on."""
        self.tables.pop(live.id, None)
        live.stop()
        for line in list(live.lines):
            line.end(why)

    def _quarantined(self, id: str) -> CatInTheBoxError:
        """Let go of a table whose stored log is damaged; the error is for whoever asked for it."""
        self.metrics.store_errors["damaged"].value += 1
        if (live := self.tables.get(id)) is not None:
            self._drop(live, DAMAGED)
        return damaged()

    async def _read_anyway(self, live: Live) -> None:
        """Look into the log although nothing more was heard of."""
        try:
            async with live.lock:
                await self._read_on(live, anyway=True)
        finally:
            self._look_again(live)

    async def _read_on(self, live: Live, *, anyway: bool = False) -> bool:
        """Fold what the log holds beyond the table in memory; say whether there was anything."""
        if not (live.behind or anyway):
            return False
        heard = live.heard
        entries = await self._entries(live.id, live.table.version)
        live.doubtful = False
        if not entries and live.heard == heard:
            live.heard = 0  # a data base was restored under us: there is nothing to wait for
        if entries:
            with trusting_the_log():
                live.advance(entries)
            self.errands.heard(live)
        return bool(entries)


def _read_entries(store: Store, id: str, after: int) -> list[Entry]:
    return [decode(event) for _, event in store.read(id, after)]
