"""The tables of the day: who wants to be on one sends the game, which is checked before it counts.

An entry belongs to a token, and there is one for a token and day: the store sees to it. It is
checked that the game has the cards of the day, that every move is legal, and that the bots made the
moves which their levels make with the seeds of the day (`day_check.py`). The pool of the bots
decides all of these moves again, after everything that tables wait for. It is not checked, and
cannot be, whether somebody has looked at the cards before or tried more than once.

Stored are name, cat, points and time, under a hash of the token and the day; no record, and nothing
by which entries of two days, or an entry and a seat, could be seen to be of one person.
"""

from __future__ import annotations

import asyncio
import logging
from bisect import bisect_left
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import Final, NamedTuple, TypeAlias

from msgspec import MsgspecError, Struct

from ...fair.daily import daily
from ...game import Action, BadSetup, Game, NotUnderstood
from ...protocol.codec import Codec
from ...protocol.daily import DayResult, DayRow, DayTable, NewDayEntry
from ...store import Busy, ListEntry, Store, StoreError
from ...store.protocol import PAGE
from ...table.errors import refused
from ...table.names import BOTS, look_alike, tidy_name
from ...views import View
from ..bots.fair_queue import Place
from ..errors import Overloaded, Unavailable
from ..ops.limits import Limits
from ..single_flight import FreshValue, LruCache
from .day_check import another, decisions, later, played

FRESH_S: Final = 1.0  # how old a table may be
TABLES: Final = 8  # that are kept in memory
DROP_S: Final = 3600.0  # between two searches for old tables
BEST: Final = 10  # rows from the first place on …
AROUND: Final = 2  # … and before and after the own one
ALL: Final = "z"  # after every date

Decide: TypeAlias = Callable[[str, View, int, Place], Awaitable[Action | None]]
"""What a level decides with a seed; None if nobody has the time (`BotPool.decide`)."""

log = logging.getLogger("catinthebox.daily")


class DayEntry(Struct, frozen=True):
    """An entry as it is stored; its key is the hash of whose it is."""

    name: str
    cat: str
    points: int
    at: int  # in milliseconds


ENTRIES: Final = Codec[DayEntry](DayEntry)


class Placed(NamedTuple):
    """An entry of a table, with its key."""

    key: str
    entry: DayEntry


async def nobody(_level: str, _view: View, _seed: int, _place: Place) -> Action | None:
    """Decide nothing: the server has no bots."""
    return None


class DayTables:
    """Reads and writes the tables of the day; `days` is how long they are kept, 0 for none."""

    def __init__(
        self,
        store: Store,
        decide: Decide,
        now_ms: Callable[[], int],
        clock: Callable[[], float],
        limits: Limits,
        days: int,
    ) -> None:
        self._store = store
        self._decide = decide
        self._now_ms = now_ms
        self._clock = clock
        self._limits = limits
        self._days = days
        self._tables = LruCache[str, FreshValue[Sequence[Placed]]](TABLES)
        self._checking = asyncio.Semaphore(1)
        self._waiting = 0

    @property
    def today(self) -> str:
        """The day, in UTC."""
        return datetime.fromtimestamp(self._now_ms() / 1000, UTC).date().isoformat()

    # ── Reading ──────────────────────────────────────────────────────────────────────────────

    async def read(self, date: str, who: str) -> DayTable:
        """Return the table of a day, as the holder of a token sees it."""
        self._check_date(date)
        return table(date, await self._placed(date), person_of(date, who), open=self._open(date))

    def _check_date(self, date: str) -> None:
        """Refuse what is no day, and any day if there are no tables."""
        if not self._days:
            raise refused("daily.off", "this server keeps no table of the day")
        try:
            daily(date)
        except BadSetup as error:
            raise NotUnderstood("input.date", error.message) from None

    def _open(self, date: str) -> bool:
        """Whether a day accepts entries: it is today by a clock that is a day off at most."""
        return later(self.today, -1) <= date <= later(self.today, 1)

    async def _placed(self, date: str) -> Sequence[Placed]:
        """Return the entries of a day by their places, as they were a moment ago."""
        fresh = self._tables.get(date)
        if fresh is None:
            fresh = FreshValue(lambda: self._look(date), self._clock, FRESH_S)
            self._tables.put(date, fresh)
        return await fresh.get()

    async def _look(self, date: str) -> Sequence[Placed]:
        try:
            found = await asyncio.to_thread(lambda: [*self._stored(date)])
        except StoreError as error:
            raise Unavailable("the table of the day cannot be read just now") from error
        return sorted(found, key=lambda one: (-one.entry.points, one.entry.at, one.key))

    def _stored(self, date: str) -> Iterator[Placed]:
        after = ""
        for _ in range(0, self._limits.day_entries + PAGE + 1, PAGE):
            page = self._store.entries(date, after)
            if not page:  # a shorter one may lack damaged entries, which others come after
                return
            yield from filter(None, map(_placed, page))
            after = page[-1].key

    # ── Writing ──────────────────────────────────────────────────────────────────────────────

    async def enter(self, date: str, who: str, wanted: NewDayEntry) -> DayTable:
        """Check somebody's game and add it to the table of its day; what is cheap comes first."""
        self._check_date(date)
        if not self._open(date):
            raise refused("daily.closed", "a deal counts on its own day, which is not today")
        name, key = _name(wanted.name), person_of(date, who)
        there = await self._placed(date)
        if any(one.key == key for one in there):
            raise refused("daily.entered")
        if len(there) >= self._limits.day_entries:
            raise refused("daily.full", "the table of that day is full")
        points = await self._points(date, wanted.record)
        await self._add(date, key, DayEntry(name, wanted.cat, points, self._now_ms()))
        return await self.read(date, who)

    async def _add(self, date: str, key: str, entry: DayEntry) -> None:
        try:
            text = ENTRIES.write(entry).decode()
            fresh = await asyncio.wrap_future(self._store.enter(date, key, text))
        except Busy as error:
            raise Overloaded("too much is waiting to be stored", 1) from error
        except StoreError as error:
            raise Unavailable("the table of the day cannot be written just now") from error
        self._tables.put(date, FreshValue(lambda: self._look(date), self._clock, FRESH_S))
        if not fresh:
            raise refused("daily.entered")

    async def _points(self, date: str, record: str) -> int:
        """Check a game, one at a time, and return the person's points."""
        if self._waiting >= self._limits.day_checks_waiting:
            raise self._busy()
        self._waiting += 1
        try:
            async with self._checking:
                game = await asyncio.to_thread(played, date, record)
                await self._check_bots(date, game)
        finally:
            self._waiting -= 1
        return game.totals[daily(date).seat]

    async def _check_bots(self, date: str, game: Game) -> None:
        """Let the bots of a day decide again."""
        found = await asyncio.to_thread(lambda: [*decisions(date, game)])
        for level, view, seed, action, place in found:
            decided = await self._decide(level, view, seed, Place(table=date, watched=False))
            if decided is None:
                raise self._busy()
            if decided != action:
                raise another(f"{place}: the bot of that day decides otherwise")

    def _busy(self) -> Overloaded:
        return Overloaded("no bot has the time to check a game now", self._limits.retry_after_s)

    # ── Deleting ─────────────────────────────────────────────────────────────────────────────

    async def drop_old(self) -> None:
        """Delete the tables of days that are over for long; all of them if there are to be none."""
        before = later(self.today, -self._days) if self._days else ALL
        await asyncio.wrap_future(self._store.drop_lists(before))

    async def run(self) -> None:
        """Delete old tables now and then, until cancelled."""
        while True:
            try:
                await self.drop_old()
            except Exception:  # whatever it was, it is tried again
                log.exception("old tables of the day were not deleted")
            await asyncio.sleep(DROP_S)


def person_of(date: str, who: str) -> str:
    """Return the key of a person's entry, by the hash of their token; empty for nobody.

    >>> person_of("2026-11-15", "") == person_of("2026-11-16", "") == ""
    True
    >>> person_of("2026-11-15", "ada") == person_of("2026-11-16", "ada")
    False
    """
    return sha256(f"catinthebox day {date} {who}".encode()).hexdigest() if who else ""


def _name(wanted: str) -> str:
    """Return a name as tables accept it: tidied, and not like a bot's."""
    name = tidy_name(wanted)
    if any(look_alike(name, bot) for bot in BOTS):
        raise refused("table.name_taken", f"{name} is like a bot's name; take another one")
    return name


def _placed(stored: ListEntry) -> Placed | None:
    """Read an entry; None if it cannot be read, for the others can."""
    try:
        return Placed(stored.key, ENTRIES.read(stored.entry.encode()))
    except (MsgspecError, NotUnderstood):
        return None


# ── What is shown ────────────────────────────────────────────────────────────────────────────


def table(date: str, placed: Sequence[Placed], mine: str, *, open: bool) -> DayTable:
    """Return the table of a day, by the entries in order: the best, and those around one's own.

    >>> some = [Placed(name, DayEntry(name, "", points, 0)) for name, points in
    ...         (("Ada", 9), ("Ben", 7), ("Cleo", 7), ("Dee", 5))]
    >>> [(row.rank, row.name, row.own) for row in table("2026-11-15", some, "Cleo", open=True).rows]
    [(1, 'Ada', False), (2, 'Ben', False), (2, 'Cleo', True), (4, 'Dee', False)]
    """
    worse_first = [-one.entry.points for one in placed]  # for the rank: how many have more points
    own = next((n for n, one in enumerate(placed) if mine and one.key == mine), None)
    shown = set(range(min(BEST, len(placed))))
    if own is not None:
        shown |= set(range(max(0, own - AROUND), min(len(placed), own + AROUND + 1)))
    rows = tuple(
        DayRow(
            n + 1,
            bisect_left(worse_first, -placed[n].entry.points) + 1,
            placed[n].entry.name,
            placed[n].entry.cat,
            placed[n].entry.points,
            n == own,
        )
        for n in sorted(shown)
    )
    counts = sorted(Counter(one.entry.points for one in placed).items())
    results = tuple(DayResult(points, number) for points, number in counts)
    return DayTable(date, open, len(placed), results, rows)
