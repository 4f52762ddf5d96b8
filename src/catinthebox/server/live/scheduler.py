"""What happens at tables without a request: timers, bots' moves, noticing that people are away.

The process that has a table in memory does this at once. In case it dies, everything is also on the
work list of the store, due a little later: the first process that finds it there does it then. So
each worker works for the tables of its own connections, and together they leave nothing undone.

| on the work list | due | what is done |
|---|---|---|
| `wake/TABLE` | when time causes something | the table's timers are checked |
| `bots/TABLE` | when bots should have moved | bots are asked for their moves |
| `seat/TABLE/N` | when a person has no connection any more | the person is away |

A process with a connection of a person holds the lease on their seat. If the process dies, the
lease runs out; if the person's last connection ends, the process releases it; if the person has
connected to another process by then, that one takes it. So nobody is called away who is connected
somewhere else.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Protocol

from ...game import Action, CatInTheBoxError
from ...store import StoreError
from ...store.protocol import FAR
from ...table import WORKER, Act, BotTurn, Gone, Here, Sent, Table, bots_due, needs, wake
from ..bots.fair_queue import FairPace, Place
from ..errors import DAMAGED, WORN_OUT, CorruptLog, Unavailable
from .background import BackgroundTasks
from .listener import Plans, TableListener
from .live_table import LiveTable, TableSchedule

if TYPE_CHECKING:
    from .hub import Hub

AGAIN_MS: Final = 60_000  # no timer is longer; then the work list is brought up to date, too
LATEST_MS: Final = 2 * AGAIN_MS  # nothing is put on the work list for a later time than this
LONGEST_MS: Final = FAR - 10_000  # no wait is longer: clocks differ, and requests are late
SOON_MS: Final = 50  # no timer that found nothing to do is shorter
CLAIMED: Final = 32  # how much due work a process takes at once


class BotPlayers(Protocol):
    """Chooses moves for bots, in other processes."""

    async def choose(self, turn: BotTurn, seed: int, place: Place) -> Action:
        """Choose a bot's move; `place` is the table's place in the queue."""


@dataclass(frozen=True)
class Pace:
    """Intervals of the scheduler, in milliseconds."""

    bot_ms: int = 700  # a bot's move takes at least so long, or people cannot follow
    busy_ms: int = 3  # between two moves of bots here; more tables than that are slower, fairly
    unwatched_ms: int = 40  # the same for tables without connections, all of them together
    gone_ms: int = 5_000  # a person who connects again within this time was never away
    idle_ms: int = 300_000  # an unused table leaves the memory after this time
    takeover_ms: int = 5_000  # what a process has not done by then is done by another one
    seen_ms: int = 75_000  # a person whom no process has seen for so long is away
    poll_ms: int = 1_000  # how often a process checks for due work

    def __post_init__(self) -> None:
        if max(self.gone_ms, self.seen_ms, LATEST_MS + self.takeover_ms) > LONGEST_MS:
            takeover = LONGEST_MS - LATEST_MS
            raise ValueError(f"gone_ms and seen_ms: up to {LONGEST_MS}; takeover_ms: {takeover}")


class Scheduler(TableListener):
    """The work of one hub; it listens to the hub, and acts through `do`, `tick` and `table`."""

    def __init__(self, hub: Hub, bots: BotPlayers, pace: Pace | None = None) -> None:
        hub.listener = self
        self.pace = pace = pace or Pace()
        self.bots = bots
        self._hub = hub
        self._paces = {True: FairPace(pace.busy_ms), False: FairPace(pace.unwatched_ms)}
        self._owner = f"hub-{hub.chance.id()}"
        self._tasks = BackgroundTasks()

    def open(self) -> None:
        """Start to check for due work, and to hold the seats of people who are connected."""
        self._tasks.start(self._poll())
        self._tasks.start(self._hold_seats())

    async def close(self) -> None:
        """Stop; what is not done is on the work list."""
        await self._tasks.close()

    def _serves(self, live: LiveTable) -> bool:
        """Whether a table is still this process's to work for."""
        return self._hub.tables.get(live.id) is live and not self._tasks.closed

    # ── Around the changes of a table ────────────────────────────────────────────────────────

    def plans(self, live: LiveTable, after: Table) -> Plans:
        """Return what to put on the work list in the commit that leads to the table `after`."""
        plans: Plans = {}
        schedule = _look_ahead(live, after)
        key = f"wake/{live.id}"
        due, known = schedule.due, schedule.plans.get(key)
        if due is None:
            if known is not None:
                plans[key] = None
        else:
            wanted = self._wake_takeover(live, due)
            slack = self._slack(live, due)
            if known is None or not wanted - slack <= known <= wanted + SOON_MS:
                plans[key] = wanted
        if schedule.bots:
            key, now, late = f"bots/{live.id}", self._hub.now(), self._bots_takeover_ms(live)
            if not now + late // 2 <= (schedule.plans.get(key) or 0) <= now + late:
                plans[key] = now + late  # one plan for many moves; found done, it is taken off
        return plans

    # What is on the list is due by the wall clock, which is the only one that processes share, and
    # soon: so a time that is far ahead is known to be of a clock that was set back (`store.FAR`).

    def _wake_takeover(self, live: LiveTable, due: int) -> int:
        """When another process should act on a time of a table."""
        rest = min(max(0, due - live.clock.now()), LATEST_MS)
        return self._hub.now() + rest + self.pace.takeover_ms

    def _slack(self, live: LiveTable, due: int) -> int:
        """How much earlier than it should be a plan may be; those of a far time are put off."""
        far = due - live.clock.now() > LATEST_MS
        return LATEST_MS // 4 if far else SOON_MS

    def _bots_takeover_ms(self, live: LiveTable) -> int:
        """After how many milliseconds another process should make a bot's move."""
        place = live.place
        pace = round(self._paces[place.watched].interval(place.owner))
        return self.pace.takeover_ms + min(pace, LATEST_MS)

    def changed(self, live: LiveTable, stored: Plans | None) -> None:
        """Set the timer, ask the bots, contradict a wrong absence.

        After a change by another process (`stored` is None) that process asks the bots.
        """
        schedule = live.schedule
        if schedule.table is not live.table:  # `plans` has not looked at it before
            _look_ahead(live, live.table)
        if stored:
            schedule.plans |= stored
        if schedule.due != schedule.timer_due:
            self._set_timer(live)
        if stored is not None and schedule.bots:
            self._ask_bots(live)
        if live.table.seats is not schedule.seats:
            schedule.seats = live.table.seats
            self._contradict_absences(live)
            if live.table.present:  # somebody may have come without a connection
                schedule.watched.set()

    def loaded(self, live: LiveTable) -> None:
        """Go on with a table that was read from its log."""
        self.changed(live, {})
        with suppress(StoreError):
            for seat in live.table.present:
                self._plan_seat(live, seat)  # a process that they are connected to takes it again

    def dropped(self, live: LiveTable) -> None:
        """Cancel the timer of a table that leaves the memory."""
        if live.schedule.timer is not None:
            live.schedule.timer.cancel()

    # ── Time ─────────────────────────────────────────────────────────────────────────────────

    def _set_timer(self, live: LiveTable, least: int = 0) -> None:
        schedule = _look_ahead(live, live.table)
        due = schedule.due
        if due == schedule.timer_due and not least:
            return
        if schedule.timer is not None:
            schedule.timer.cancel()
        schedule.timer_due, schedule.timer = due, None
        if due is not None and self._serves(live):
            rest = min(max(due - live.clock.now(), least), AGAIN_MS)
            loop = asyncio.get_running_loop()
            schedule.timer = loop.call_later(rest / 1000, self._timer_fired, live)

    def _timer_fired(self, live: LiveTable) -> None:
        if not self._tasks.closed:
            self._tasks.start(self._tick(live))

    async def _tick(self, live: LiveTable) -> None:
        try:
            with suppress(Unavailable):  # tried again soon
                await self._hub.tick(live)
        except CatInTheBoxError as error:
            if error.code != DAMAGED:
                raise
            return  # the table is in quarantine, and its connections were ended
        self._set_timer(live, least=SOON_MS)
        with suppress(StoreError):
            self._replan(live)

    def _replan(self, live: LiveTable) -> None:
        """Put off the takeover of a time that is far ahead: this process still serves it."""
        for key, due in self.plans(live, live.table).items() if self._serves(live) else ():
            live.schedule.plans[key] = due
            self._hub.store.plan(key, due)

    # ── Bots ─────────────────────────────────────────────────────────────────────────────────

    def _ask_bots(self, live: LiveTable) -> None:
        """Start to make the bots' moves, if some are due and nobody does so already."""
        schedule = _look_ahead(live, live.table)
        if schedule.bots and schedule.thinking is None and self._serves(live):
            task = schedule.thinking = self._tasks.start(self._play_bots(live))
            task.add_done_callback(lambda task: self._bots_played(live, task))

    def _bots_played(self, live: LiveTable, task: asyncio.Task[None]) -> None:
        live.schedule.thinking = None
        if not task.cancelled() and task.exception() is None:
            self._ask_bots(live)  # after a failure the work list is soon enough

    async def _play_bots(self, live: LiveTable) -> None:
        """Make the moves of bots as long as some are due."""
        while turns := needs(live.table, view=live.broadcaster.view):
            turn = turns[0]
            action = await self._paced_move(live, turn)
            try:
                await self._hub.do(live, Sent("", Act(action, turn.seat, turn.turn)), WORKER)
            except CatInTheBoxError as error:
                if error.code == DAMAGED:
                    return
                if error.code == WORN_OUT:
                    raise
                await asyncio.sleep(SOON_MS / 1000)  # the table has changed: see what is due
            except Unavailable:
                await asyncio.sleep(self.pace.poll_ms / 1000)

    async def _paced_move(self, live: LiveTable, turn: BotTurn) -> Action:
        """Ask a bot for a move, and return it when the table may go on.

        When somebody connects to a table without connections, it goes on at the usual pace.
        """
        began, place = asyncio.get_running_loop().time(), live.place
        if turn.deadline is not None:  # in the time of the table; bots read the wall clock
            ahead = live.clock.now() - self._hub.now()
            turn = replace(turn, deadline=turn.deadline - ahead)
        with self._paces[place.watched].playing(place.owner):
            action = await self._choose(turn, place)
            connected = await self._wait_for_pace(live, place, began)
        if connected:
            with self._paces[True].playing(place.owner):
                await self._wait_for_pace(live, live.place._replace(watched=True), began)
        return action

    async def _choose(self, turn: BotTurn, place: Place) -> Action:
        loop = asyncio.get_running_loop()
        began, metrics = loop.time(), self._hub.metrics
        metrics.bots_waiting.value += 1
        try:
            action = await self.bots.choose(turn, self._hub.chance.seed(), place)
        finally:
            metrics.bots_waiting.value -= 1
        metrics.bot_seconds.observe(loop.time() - began)
        metrics.bot_moves.value += 1
        return action

    async def _wait_for_pace(self, live: LiveTable, place: Place, began: float) -> bool:
        """Wait until a move may be made; true if somebody connected to an unwatched table."""
        least = max(self.pace.bot_ms, self._paces[place.watched].interval(place.owner))
        left = max(0.0, began + least / 1000 - asyncio.get_running_loop().time())
        if place.watched:
            await asyncio.sleep(left)
            return False
        watched = live.schedule.watched
        watched.clear()
        if live.place.watched:  # while the bot was asked
            return True
        with suppress(TimeoutError):
            async with asyncio.timeout(left):
                return await watched.wait()
        return False

    # ── People ───────────────────────────────────────────────────────────────────────────────

    def connected(self, live: LiveTable, who: str) -> None:
        """Hold the seat of a person, and wake bots that play slowly without an audience."""
        live.schedule.watched.set()
        seat = live.table.seat_of(who)
        if seat is not None and not self._tasks.closed:
            self._tasks.start(self._hold_seat(live, seat, who))
            self._contradict_absences(live)

    def _contradict_absences(self, live: LiveTable) -> None:
        """Correct the log if it says that a connected person is away."""
        for person in live.table.people.values():
            if not person.here and live.has_connection(person.token) and not self._tasks.closed:
                self._tasks.start(self._say_here(live, person.token))

    async def _say_here(self, live: LiveTable, who: str) -> None:
        """Store that a person is here, as long as that is true."""
        while live.has_connection(who):
            try:
                await self._hub.do(live, Sent("", Here()), who)
            except CatInTheBoxError:
                return  # they have left for good
            except Unavailable:
                await asyncio.sleep(self.pace.poll_ms / 1000)
            else:
                return

    def seen(self, live: LiveTable, who: str) -> None:
        """Put off the absence of a person who sends requests without a connection."""
        seat = live.table.seat_of(who) if who else None
        if seat is None:
            return
        key, until = f"seat/{live.id}/{seat}", self._hub.now() + self.pace.seen_ms
        plans = live.schedule.plans
        if not until - self.pace.seen_ms // 3 <= (plans.get(key) or 0) <= until:
            plans[key] = until
            with suppress(StoreError):
                self._plan_seat(live, seat)

    def disconnected(self, live: LiveTable, who: str) -> None:
        """Release the seat of a person; they may connect again in a moment, here or elsewhere."""
        seat = live.table.seat_of(who)
        if seat is not None and not live.has_connection(who) and not self._tasks.closed:
            self._tasks.start(self._release_seat(live, seat))

    async def _hold_seat(self, live: LiveTable, seat: int, who: str) -> None:
        """Take the lease on a seat; while another process has it, try again."""
        while not await self._seat_taken(live, seat):
            if not live.has_connection(who):
                return
            await asyncio.sleep(self.pace.gone_ms / 2000)
        if not live.has_connection(who):  # it was a short visit
            await self._release_seat(live, seat)

    async def _seat_taken(self, live: LiveTable, seat: int) -> bool:
        with suppress(StoreError):
            if await self._lease_held(key := f"seat/{live.id}/{seat}"):
                await self._hub.bridge.result(self._plan_seat(live, seat))  # or it would not end
                return await self._lease_held(key)
        return False

    async def _lease_held(self, key: str) -> bool:
        """Renew a lease, or take it; false if another process has it."""
        store, now, result = self._hub.store, self._hub.now(), self._hub.bridge.result
        until = now + self.pace.seen_ms
        return await result(store.renew(key, self._owner, until, now)) or await result(
            store.take(key, self._owner, until, now)
        )

    async def _release_seat(self, live: LiveTable, seat: int) -> None:
        """Release the lease: if no process has taken it in a while, the person is away."""
        key, due = f"seat/{live.id}/{seat}", self._hub.now() + self.pace.gone_ms
        with suppress(StoreError):
            await self._hub.bridge.result(self._hub.store.release(key, self._owner, due))

    def _plan_seat(self, live: LiveTable, seat: int) -> Future[None]:
        """Let a seat be checked if no process has held it for long."""
        due = self._hub.now() + self.pace.seen_ms
        return self._hub.store.plan(f"seat/{live.id}/{seat}", due)

    async def _hold_seats(self) -> None:
        while True:
            await asyncio.sleep(self.pace.seen_ms / 3000)
            for live in list(self._hub.tables.values()):
                for seat in live.seated:
                    self._tasks.start(self._renew_seat(f"seat/{live.id}/{seat}"))

    async def _renew_seat(self, key: str) -> None:
        with suppress(StoreError):
            await self._lease_held(key)

    # ── The work list ────────────────────────────────────────────────────────────────────────

    async def _poll(self) -> None:
        """Forget unused tables, and do the work that is due."""
        while True:
            await asyncio.sleep(self.pace.poll_ms / 1000)
            unused = asyncio.get_running_loop().time() - self.pace.idle_ms / 1000
            self._hub.forget_unused(unused)
            now = self._hub.now()
            with suppress(StoreError):
                store, until = self._hub.store, now + 2 * self.pace.takeover_ms
                claimed = store.claim(self._owner, until, now, CLAIMED)
                for key in await self._hub.bridge.result(claimed):
                    self._tasks.start(self._do_due(key))

    async def _do_due(self, key: str) -> None:
        """Do an entry of the work list; it stays there until it is done."""
        kind, table, *rest = key.split("/")
        again: int | None = None
        try:
            async with self._hub.table(table) as live:
                await self._act_on(live, kind, rest)
                again = live.schedule.plans[key] = self._due_again(live, kind)
        except CatInTheBoxError:
            pass  # no such table, a damaged one, or no such person any more: off the list
        except CorruptLog:
            return  # another version of this program may be able to read it
        except Unavailable:
            return  # the lease runs out, and a process tries again
        with suppress(StoreError):
            await self._hub.bridge.result(self._hub.store.release(key, self._owner, again))

    async def _act_on(self, live: LiveTable, kind: str, rest: list[str]) -> None:
        if kind == "wake":
            await self._hub.tick(live)
        elif kind == "bots":
            self._ask_bots(live)
        elif kind == "seat":
            person = live.table.people.get(int(rest[0]))
            if person is not None and person.here and not live.has_connection(person.token):
                await self._hub.do(live, Sent("", Gone()), person.token)

    def _due_again(self, live: LiveTable, kind: str) -> int | None:
        """When an entry of the work list is due again, as things are now."""
        if kind == "wake":
            due = wake(live.table)
            return None if due is None else self._wake_takeover(live, due)
        if kind == "bots" and bots_due(live.table):
            return self._hub.now() + self._bots_takeover_ms(live)
        return None


def _look_ahead(live: LiveTable, table: Table) -> TableSchedule:
    """Find what is due at a table; it is asked for before and after an event is stored."""
    schedule = live.schedule
    if schedule.table is not table:
        schedule.table, schedule.due, schedule.bots = table, wake(table), bots_due(table)
    return schedule
