"""What happens at tables without anybody asking: clocks, bots' moves, noticing who is gone.

Whoever has a table in memory does this at once. In case that process dies, everything is also on a
list in the store, due a little later: whichever process looks there first does it then. So each
worker works for the tables of its own lines, and together they leave nothing undone.

| on the list | due | what is done |
|---|---|---|
| `wake/TABLE` | when time causes something | the table's clocks are looked at |
| `bots/TABLE` | when bots should have moved | bots are asked for their moves |
| `seat/TABLE/N` | when nobody has a line of a person any more | the person is away |

Whoever has a line of a person holds the lease on their seat. A process that dies lets it run out;
one whose last line of a person ends gives it back; a person who has come to another process by then
is held there. So nobody is said to be away who is somewhere else.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Protocol

from ..game import Action, CatInTheBoxError
from ..store import StoreError
from ..store.protocol import FAR
from ..table import WORKER, Act, BotTurn, Gone, Here, Sent, Table, bots_due, needs, wake
from .errors import DAMAGED, WORN_OUT, Broken, Unavailable
from .fair_queue import FairPace, Place
from .live import Foreseen, Live

if TYPE_CHECKING:
    from .hub import Hub

log = logging.getLogger("catinthebox.errands")

AGAIN_MS: Final = 60_000  # no timer is longer; then the list is told, too
LATEST_MS: Final = 2 * AGAIN_MS  # nothing is put on the list for a later time than this
SOON_MS: Final = 50  # no timer that found nothing to do is shorter
CLAIMED: Final = 32  # how much left work a process takes at once


class Bots(Protocol):
    """Whoever thinks for bots, somewhere else."""

    async def choose(self, turn: BotTurn, seed: int, place: Place) -> Action:
        """Give a bot's move; `place` says where the table stands among others."""


@dataclass(frozen=True)
class Pace:
    """How time is spent, in milliseconds."""

    bot_ms: int = 700  # a bot's move takes at least so long, or people cannot follow
    busy_ms: int = 3  # between two moves of bots here; more tables than that are slower, fairly
    unwatched_ms: int = 40  # the same for tables that nobody looks at, all of them together
    gone_ms: int = 5_000  # a line that is back within this time was never gone
    idle_ms: int = 300_000  # a table that nobody uses leaves the memory after this time
    takeover_ms: int = 5_000  # what a process has not done by then is somebody else's work
    seen_ms: int = 75_000  # whoever was not seen by any process for so long is away
    poll_ms: int = 1_000  # how often a process looks for work that others have left

    def __post_init__(self) -> None:
        if max(self.gone_ms, self.seen_ms, LATEST_MS + self.takeover_ms) > FAR:
            raise ValueError(f"gone_ms and seen_ms: up to {FAR}; takeover_ms: {FAR - LATEST_MS}")


class Errands:
    """The work of one hub."""

    def __init__(self, hub: Hub, bots: Bots, pace: Pace) -> None:
        self.closed = False
        self.pace = pace
        self._hub = hub
        self._bots = bots
        self._paces = {True: FairPace(pace.busy_ms), False: FairPace(pace.unwatched_ms)}
        self._owner = f"hub-{hub.chance.id()}"
        self._tasks: set[asyncio.Task[None]] = set()

    def open(self) -> None:
        """Begin."""
        self.begin(self._look_for_work())
        self.begin(self._hold_seats())

    async def close(self) -> None:
        """End; what is not done is on the list."""
        self.closed = True
        for task in (tasks := list(self._tasks)):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def begin(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        """Let something be done meanwhile."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._over)
        return task

    def _over(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("an errand failed", exc_info=error)

    # ── Around the changes of a table ────────────────────────────────────────────────────────

    def plans(self, live: Live, after: Table) -> dict[str, int | None]:
        """Give what is to be put on the list together with the events that lead to a table."""
        plans: dict[str, int | None] = {}
        _, due, bots = _foreseen(live, after)
        key = f"wake/{live.id}"
        wanted, known = self._wake_late(live, due), live.plans.get(key)
        if wanted is None or known is None:
            plans |= {key: wanted} if wanted != known else {}
        elif not wanted - self._slack(live, due) <= known <= wanted + SOON_MS:
            plans[key] = wanted
        key, now, late = f"bots/{live.id}", self._hub.now(), self._bots_late(live)
        if bots and not now + late // 2 <= (live.plans.get(key) or 0) <= now + late:
            plans[key] = now + late  # one plan for many moves; found done, it is taken off
        return plans

    # What is on the list is due by the wall clock, which is the only one that processes share, and
    # soon: so a time that is far ahead is known to be of a clock that was set back (`store.FAR`).

    def _wake_late(self, live: Live, due: int | None) -> int | None:
        """When a time of a table, if it causes something, is somebody else's work."""
        if due is None:
            return None
        rest = min(max(0, due - live.clock.now()), LATEST_MS)
        return self._hub.now() + rest + self.pace.takeover_ms

    def _slack(self, live: Live, due: int | None) -> int:
        """How much earlier than it should be a plan may be; those of a far time are put off."""
        far = due is not None and due - live.clock.now() > LATEST_MS
        return LATEST_MS // 4 if far else SOON_MS

    def _bots_late(self, live: Live) -> int:
        """After how many milliseconds a move of a bot is somebody else's work."""
        place = live.place
        pace = round(self._paces[place.watched].interval(place.owner))
        return self.pace.takeover_ms + min(pace, LATEST_MS)

    def after(self, live: Live) -> None:
        """Go on after a change that was made here."""
        self._set_timer(live)
        self._ask_bots(live)
        self._object(live)

    def heard(self, live: Live) -> None:
        """Go on after a change that another process made: it also asks the bots."""
        self._set_timer(live)
        self._object(live)

    def loaded(self, live: Live) -> None:
        """Go on with a table that was just read."""
        self.after(live)
        with suppress(StoreError):
            for seat in live.table.present:
                self._seen(live, seat)  # whoever is with another process is held there again

    # ── Time ─────────────────────────────────────────────────────────────────────────────────

    def _set_timer(self, live: Live, least: int = 0) -> None:
        _, due, _ = _foreseen(live, live.table)
        if due == live.due and not least:
            return
        live.stop()
        live.due, live.timer = due, None
        if due is not None and not self.closed and self._hub.tables.get(live.id) is live:
            rest = min(max(due - live.clock.now(), least), AGAIN_MS)
            loop = asyncio.get_running_loop()
            live.timer = loop.call_later(rest / 1000, lambda: self.begin(self._tick(live)))

    async def _tick(self, live: Live) -> None:
        try:
            with suppress(Unavailable):  # tried again soon
                await self._hub.tick(live)
        except CatInTheBoxError as error:
            if error.code != DAMAGED:
                raise
            return  # the table is in quarantine, and everybody there was told
        self._set_timer(live, least=SOON_MS)
        with suppress(StoreError):
            self._put_off(live)

    def _put_off(self, live: Live) -> None:
        """Tell the list that a time which is far ahead is still looked after here."""
        mine = self._hub.tables.get(live.id) is live and not self.closed
        for key, due in self.plans(live, live.table).items() if mine else ():
            live.plans[key] = due
            self._hub.store.plan(key, due)

    # ── Bots ─────────────────────────────────────────────────────────────────────────────────

    def _ask_bots(self, live: Live) -> None:
        here = self._hub.tables.get(live.id) is live and not self.closed
        if here and live.thinking is None and _foreseen(live, live.table)[2]:
            live.thinking = self.begin(self._play(live))
            live.thinking.add_done_callback(lambda task: self._have_thought(live, task))

    def _have_thought(self, live: Live, task: asyncio.Task[None]) -> None:
        live.thinking = None
        if not task.cancelled() and task.exception() is None:
            self._ask_bots(live)  # after a failure the list is soon enough

    async def _play(self, live: Live) -> None:
        """Make the moves of bots as long as some are due."""
        while turns := needs(live.table, view=live.teller.view):
            turn = turns[0]
            action = await self._thought(live, turn)
            try:
                await self._hub.do(live, Sent("", Act(action, turn.seat, turn.turn)), WORKER)
            except CatInTheBoxError as error:
                if error.code == DAMAGED:
                    return
                if error.code == WORN_OUT:
                    raise
                await asyncio.sleep(SOON_MS / 1000)  # the table is not as it was; look again
            except Unavailable:
                await asyncio.sleep(self.pace.poll_ms / 1000)

    async def _thought(self, live: Live, turn: BotTurn) -> Action:
        """Ask a bot for a move, and give it when the table may go on.

        If somebody comes to a table that nobody has looked at, it goes on at the usual pace.
        """
        began, place = asyncio.get_running_loop().time(), live.place
        if turn.deadline is not None:  # in the time of the table; bots look at the wall clock
            ahead = live.clock.now() - self._hub.now()
            turn = replace(turn, deadline=turn.deadline - ahead)
        with self._paces[place.watched].playing(place.owner):
            action = await self._choice(turn, place)
            come = await self._pause(live, place, began)
        if come:
            with self._paces[True].playing(place.owner):
                await self._pause(live, live.place._replace(watched=True), began)
        return action

    async def _choice(self, turn: BotTurn, place: Place) -> Action:
        loop = asyncio.get_running_loop()
        began, metrics = loop.time(), self._hub.metrics
        metrics.bots_waiting.value += 1
        try:
            action = await self._bots.choose(turn, self._hub.chance.seed(), place)
        finally:
            metrics.bots_waiting.value -= 1
        metrics.bot_seconds.observe(loop.time() - began)
        metrics.bot_moves.value += 1
        return action

    async def _pause(self, live: Live, place: Place, began: float) -> bool:
        """Wait until a move may be made; true if somebody came to an unwatched table meanwhile."""
        least = max(self.pace.bot_ms, self._paces[place.watched].interval(place.owner))
        left = max(0.0, began + least / 1000 - asyncio.get_running_loop().time())
        if place.watched:
            await asyncio.sleep(left)
            return False
        live.watched.clear()
        if live.place.watched:  # while the bot was asked
            return True
        with suppress(TimeoutError):
            async with asyncio.timeout(left):
                return await live.watched.wait()
        return False

    # ── People ───────────────────────────────────────────────────────────────────────────────

    def came(self, live: Live, who: str) -> None:
        """Notice a line of somebody."""
        live.watched.set()
        seat = live.table.seat_of(who)
        if seat is not None and not self.closed:
            self.begin(self._hold(live, seat, who))
            self._object(live)

    def _object(self, live: Live) -> None:
        """Contradict whoever says that somebody is away who has a line here, or is back by now."""
        for person in live.table.people.values():
            if not person.here and live.connected(person.token) and not self.closed:
                self.begin(self._here(live, person.token))

    async def _here(self, live: Live, who: str) -> None:
        """Say that somebody is here until it is written down, as long as it is true."""
        while live.connected(who):
            try:
                await self._hub.do(live, Sent("", Here()), who)
            except CatInTheBoxError:
                return  # they have left for good
            except Unavailable:
                await asyncio.sleep(self.pace.poll_ms / 1000)
            else:
                return

    def seen(self, live: Live, who: str) -> None:
        """Notice somebody who asks for something without a line: they are here for a while."""
        seat = live.table.seat_of(who) if who else None
        if seat is None:
            return
        key, until = f"seat/{live.id}/{seat}", self._hub.now() + self.pace.seen_ms
        if not until - self.pace.seen_ms // 3 <= (live.plans.get(key) or 0) <= until:
            live.plans[key] = until
            with suppress(StoreError):
                self._seen(live, seat)

    def went(self, live: Live, who: str) -> None:
        """Notice that somebody's line has ended; they may be back in a moment, here or there."""
        seat = live.table.seat_of(who)
        if seat is not None and not live.connected(who) and not self.closed:
            self.begin(self._let_go(live, seat))

    async def _hold(self, live: Live, seat: int, who: str) -> None:
        """Hold a seat while the person has a line here; if another process does, be there next."""
        while not await self._held(live, seat):
            if not live.connected(who):
                return
            await asyncio.sleep(self.pace.gone_ms / 2000)
        if not live.connected(who):  # it was a short visit
            await self._let_go(live, seat)

    async def _held(self, live: Live, seat: int) -> bool:
        with suppress(StoreError):
            if await self._hold_on(key := f"seat/{live.id}/{seat}"):
                await self._hub.crossing.result(self._seen(live, seat))  # or it would have no end
                return await self._hold_on(key)
        return False

    async def _hold_on(self, key: str) -> bool:
        """Hold a lease longer, or take it; false if somebody else has it."""
        store, now, result = self._hub.store, self._hub.now(), self._hub.crossing.result
        until = now + self.pace.seen_ms
        return await result(store.renew(key, self._owner, until, now)) or await result(
            store.take(key, self._owner, until, now)
        )

    async def _let_go(self, live: Live, seat: int) -> None:
        """Give the lease back: if nobody has taken it in a while, the person is away."""
        key, due = f"seat/{live.id}/{seat}", self._hub.now() + self.pace.gone_ms
        with suppress(StoreError):
            await self._hub.crossing.result(self._hub.store.release(key, self._owner, due))

    def _seen(self, live: Live, seat: int) -> Future[None]:
        """Let a seat be looked at if nobody has held it for long."""
        due = self._hub.now() + self.pace.seen_ms
        return self._hub.store.plan(f"seat/{live.id}/{seat}", due)

    async def _hold_seats(self) -> None:
        while True:
            await asyncio.sleep(self.pace.seen_ms / 3000)
            for live in list(self._hub.tables.values()):
                for seat in live.seated:
                    self.begin(self._still_hold(f"seat/{live.id}/{seat}"))

    async def _still_hold(self, key: str) -> None:
        with suppress(StoreError):
            await self._hold_on(key)

    # ── The list ─────────────────────────────────────────────────────────────────────────────

    async def _look_for_work(self) -> None:
        while True:
            await asyncio.sleep(self.pace.poll_ms / 1000)
            unused = asyncio.get_running_loop().time() - self.pace.idle_ms / 1000
            self._hub.forget_unused(unused)
            now = self._hub.now()
            with suppress(StoreError):
                store, until = self._hub.store, now + 2 * self.pace.takeover_ms
                claimed = store.claim(self._owner, until, now, CLAIMED)
                for key in await self._hub.crossing.result(claimed):
                    self.begin(self._work(key))

    async def _work(self, key: str) -> None:
        """Do what is on the list; it stays there until it is done."""
        kind, table, *rest = key.split("/")
        again: int | None = None
        try:
            async with self._hub.table(table) as live:
                await self._done(live, kind, rest)
                again = live.plans[key] = self._again(live, kind)
        except CatInTheBoxError:
            pass  # no such table, a damaged one, or nobody there any more: off the list
        except Broken:
            return  # another version of us may be able to read it
        except Unavailable:
            return  # the lease runs out, and somebody tries again
        with suppress(StoreError):
            await self._hub.crossing.result(self._hub.store.release(key, self._owner, again))

    async def _done(self, live: Live, kind: str, rest: list[str]) -> None:
        if kind == "wake":
            await self._hub.tick(live)
        elif kind == "bots":
            self._ask_bots(live)
        elif kind == "seat":
            person = live.table.people.get(int(rest[0]))
            if person is not None and person.here and not live.connected(person.token):
                await self._hub.do(live, Sent("", Gone()), person.token)

    def _again(self, live: Live, kind: str) -> int | None:
        """When a thing on the list should be looked at again, as things are now."""
        if kind == "wake":
            return self._wake_late(live, wake(live.table))
        if kind == "bots" and bots_due(live.table):
            return self._hub.now() + self._bots_late(live)
        return None


def _foreseen(live: Live, table: Table) -> Foreseen:
    """Look ahead from a table; it is asked for before and after an event is written down."""
    if live.foreseen[0] is not table:
        live.foreseen = table, wake(table), bots_due(table)
    return live.foreseen
