"""What happens at tables without anybody asking: clocks, bots' moves, noticing who is gone.

Whoever has a table in memory does this at once. In case that process dies, everything is also on a
list in the store, due a little later: whichever process looks there first does it then. So each
worker works for the tables of its own lines, and together they leave nothing undone.

| on the list | due | what is done |
|---|---|---|
| `wake/TABLE` | when time causes something | the table's clocks are looked at |
| `bots/TABLE` | when bots should have moved | bots are asked for their moves |
| `seat/TABLE/N` | when a person was not seen for long | the person is away |
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from ..game import Action, CatInTheBoxError
from ..store import StoreError
from ..table import WORKER, Act, BotTurn, Gone, Here, Sent, Table, bots_due, needs, wake
from .errors import Broken, Unavailable
from .live import Live

if TYPE_CHECKING:
    from .hub import Hub

log = logging.getLogger("catinthebox.errands")

AGAIN_MS: Final = 60_000  # no timer is longer: the clock on the wall may be set meanwhile
SOON_MS: Final = 50  # no timer that found nothing to do is shorter
CLAIMED: Final = 32  # how much left work a process takes at once


class Bots(Protocol):
    """Whoever thinks for bots, somewhere else."""

    async def choose(self, turn: BotTurn, seed: int) -> Action:
        """Give a bot's move."""


@dataclass(frozen=True)
class Pace:
    """How time is spent, in milliseconds."""

    bot_ms: int = 700  # a bot's move takes at least so long, or people cannot follow
    gone_ms: int = 5_000  # a line that is back within this time was never gone
    idle_ms: int = 300_000  # a table that nobody uses leaves the memory after this time
    takeover_ms: int = 5_000  # what a process has not done by then is somebody else's work
    seen_ms: int = 75_000  # whoever was not seen by any process for so long is away
    poll_ms: int = 1_000  # how often a process looks for work that others have left


class Errands:
    """The work of one hub."""

    def __init__(self, hub: Hub, bots: Bots, pace: Pace) -> None:
        self.closed = False
        self.pace = pace
        self._hub = hub
        self._bots = bots
        self._owner = f"hub-{hub.chance.id()}"
        self._tasks: set[asyncio.Task[None]] = set()

    def open(self) -> None:
        """Begin."""
        self.begin(self._look_for_work())
        self.begin(self._say_who_is_seen())

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
        due, late = wake(after), self.pace.takeover_ms
        key = f"wake/{live.id}"
        if (wanted := None if due is None else due + late) != live.plans.get(key):
            plans[key] = wanted
        key, now = f"bots/{live.id}", self._hub.now()
        if bots_due(after) and (live.plans.get(key) or 0) < now + late // 2:
            plans[key] = now + late  # one plan for many moves; found done, it is taken off
        return plans

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
        for seat in live.table.present:
            self._seen(live, seat)  # whoever is with another process is seen there, too

    # ── Time ─────────────────────────────────────────────────────────────────────────────────

    def _set_timer(self, live: Live, least: int = 0) -> None:
        due = wake(live.table)
        if due == live.due and not least:
            return
        live.stop()
        live.due, live.timer = due, None
        if due is not None and not self.closed and self._hub.tables.get(live.id) is live:
            rest = min(max(due - self._hub.now(), least), AGAIN_MS)
            loop = asyncio.get_running_loop()
            live.timer = loop.call_later(rest / 1000, lambda: self.begin(self._tick(live)))

    async def _tick(self, live: Live) -> None:
        with suppress(Unavailable):  # tried again soon
            await self._hub.tick(live)
        self._set_timer(live, least=SOON_MS)

    # ── Bots ─────────────────────────────────────────────────────────────────────────────────

    def _ask_bots(self, live: Live) -> None:
        if live.thinking is None and bots_due(live.table) and not self.closed:
            live.thinking = self.begin(self._play(live))
            live.thinking.add_done_callback(lambda _: self._have_thought(live))

    def _have_thought(self, live: Live) -> None:
        live.thinking = None
        self._ask_bots(live)

    async def _play(self, live: Live) -> None:
        """Make the moves of bots as long as some are due."""
        while turns := needs(live.table, view=live.teller.view):
            turn = turns[0]
            action = await self._thought(turn)
            try:
                await self._hub.do(live, Sent("", Act(action, turn.seat, turn.turn)), WORKER)
            except CatInTheBoxError:
                await asyncio.sleep(SOON_MS / 1000)  # the table is not as it was; look again
            except Unavailable:
                await asyncio.sleep(self.pace.poll_ms / 1000)

    async def _thought(self, turn: BotTurn) -> Action:
        loop = asyncio.get_running_loop()
        began, metrics = loop.time(), self._hub.metrics
        metrics.bots_waiting.value += 1
        try:
            action = await self._bots.choose(turn, self._hub.chance.seed())
        finally:
            metrics.bots_waiting.value -= 1
        metrics.bot_seconds.observe(loop.time() - began)
        metrics.bot_moves.value += 1
        await asyncio.sleep(max(0.0, began + self.pace.bot_ms / 1000 - loop.time()))
        return action

    # ── People ───────────────────────────────────────────────────────────────────────────────

    def came(self, live: Live, who: str) -> None:
        """Notice a line of somebody."""
        seat = live.table.seat_of(who)
        if seat is None:
            return
        self._seen(live, seat)
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
        if (live.plans.get(key) or 0) < until - self.pace.seen_ms // 3:
            live.plans[key] = until
            self._seen(live, seat)

    def went(self, live: Live, who: str) -> None:
        """Notice that somebody's line has ended; they may be back in a moment."""
        if live.table.seat_of(who) is not None and not self.closed:
            self.begin(self._gone(live, who))

    async def _gone(self, live: Live, who: str) -> None:
        live.users += 1
        try:
            await asyncio.sleep(self.pace.gone_ms / 1000)
        finally:
            live.users -= 1
        seat = live.table.seat_of(who)
        if seat is not None and live.table.people[seat].here and not live.connected(who):
            with suppress(CatInTheBoxError, Unavailable):  # the list knows of it, too
                await self._hub.do(live, Sent("", Gone()), who)

    def _seen(self, live: Live, seat: int) -> None:
        with suppress(StoreError):
            self._hub.store.plan(f"seat/{live.id}/{seat}", self._hub.now() + self.pace.seen_ms)

    async def _say_who_is_seen(self) -> None:
        while True:
            await asyncio.sleep(self.pace.seen_ms / 3000)
            for live in list(self._hub.tables.values()):
                for seat in live.seated:
                    self._seen(live, seat)

    # ── The list ─────────────────────────────────────────────────────────────────────────────

    async def _look_for_work(self) -> None:
        while True:
            await asyncio.sleep(self.pace.poll_ms / 1000)
            now = self._hub.now()
            self._hub.forget_unused(now - self.pace.idle_ms)
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
        except (Broken, CatInTheBoxError):
            pass  # no such table, or nobody there any more: off the list
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
            due = wake(live.table)
            return None if due is None else due + self.pace.takeover_ms
        if kind == "bots" and bots_due(live.table):
            return self._hub.now() + self.pace.takeover_ms
        return None
