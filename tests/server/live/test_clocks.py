"""A machine's clock is set forwards and backwards: what is measured at tables does not notice."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from simulation.clock import Clock
from simulation.disk import Disk
from simulation.loop import SimLoop
from simulation.serve import QuickBots
from simulation.store import SimStore

from catinthebox.server.live.hub import Hub
from catinthebox.server.live.live_table import TableClock
from catinthebox.server.live.outbox import Outbox
from catinthebox.server.live.randomness import Randomness
from catinthebox.server.live.scheduler import LONGEST_MS, Pace, Scheduler
from catinthebox.store.protocol import FAR
from catinthebox.table import (
    Acted,
    AddBot,
    ClockRanOut,
    Command,
    Covered,
    Entry,
    Sent,
    Settings,
    Sit,
    Start,
    Went,
    decode,
)

ADA, BEN = "ab" * 32, "cd" * 32
HOUR = 3_600_000
SIT: tuple[Command, ...] = (Sit("Ada"), AddBot(1, "gentle"), Start())


# ── One table's clock ────────────────────────────────────────────────────────────────────────


@given(
    st.integers(-HOUR, HOUR),
    st.lists(st.tuples(st.floats(0, 100), st.integers(-HOUR, HOUR))),
)
def test_the_time_at_a_table_never_goes_back_and_runs_as_a_steady_clock(
    ahead: int, steps: list[tuple[float, int]]
) -> None:
    """Whatever the wall clock said at the beginning, and others have written since."""
    seconds, wall = 50.0, 10 * HOUR
    clock = TableClock(lambda: seconds, at=wall + ahead, wall=wall)
    assert clock.now() == wall + max(0, ahead)
    for passed, other in steps:
        before = clock.now()
        seconds += passed
        assert abs(clock.now() - before - passed * 1000) <= 1
        now = clock.now()
        clock.follow(now + other)
        assert clock.now() == now + max(0, other)


# ── A hub whose machine's clock is set ───────────────────────────────────────────────────────


class Machine:
    """A disk, a wall clock that can be set, and hubs that run and die here."""

    def __init__(self, loop: SimLoop) -> None:
        self.loop = loop
        self.disk = Disk()
        self.clock = Clock(loop.time)
        self._started = 0

    async def start(self, *, ahead_ms: int = 0, **pace: int) -> Hub:
        """Start a hub, whose clock may be ahead of the machine's."""
        self._started += 1
        store = SimStore(self.loop, self.disk)
        chance = Randomness(self.loop.chance(f"hub {self._started}"))
        hub = Hub(store, lambda: self.clock.now() + ahead_ms, chance=chance)
        Scheduler(hub, QuickBots(), Pace(bot_ms=10, unwatched_ms=10, **pace))
        await hub.open()
        return hub

    async def kill(self, hub: Hub) -> None:
        """End a hub as a crash does: nothing is given back."""
        await hub.stop()
        hub.tables.clear()

    def entries(self, table: str) -> list[Entry]:
        """A table's log, whose times never go back."""
        found = [decode(event) for event in self.disk.logs[table]]
        assert [entry.at for entry in found] == sorted(entry.at for entry in found)
        return found

    def count(self, table: str, kind: type) -> int:
        """How often something has happened."""
        return sum(isinstance(entry.event, kind) for entry in self.entries(table))


def on_a_machine(story: Callable[[Machine], Awaitable[None]]) -> None:
    """Tell a story in a simulated world."""
    with SimLoop(11) as loop:
        machine = Machine(loop)

        async def whole() -> None:
            await story(machine)

        loop.run(whole())


@pytest.mark.parametrize("jump", [-HOUR, -20_000, 20_000, HOUR])
def test_time_runs_out_as_if_the_clock_had_not_been_set(jump: int) -> None:
    """Ten seconds are ten seconds, and not an hour more or less."""

    async def story(machine: Machine) -> None:
        hub = await machine.start()
        table = await hub.create(Settings(2, move_ms=10_000), ADA, SIT)
        async with hub.table(table) as live, hub.connect(live, Outbox(ADA)):
            await asyncio.sleep(2)
            machine.clock.jump(jump)
            await asyncio.sleep(7.5)
            assert machine.count(table, ClockRanOut) == 0
            await asyncio.sleep(1)
            assert machine.count(table, ClockRanOut) == 1
        await machine.kill(hub)

    on_a_machine(story)


def test_a_log_that_is_ahead_of_the_clock_goes_on() -> None:
    """After a restart the remaining time is measured from there, not from when the clock agrees."""

    async def story(machine: Machine) -> None:
        hub = await machine.start()
        table = await hub.create(Settings(2, move_ms=10_000), ADA, SIT)
        await asyncio.sleep(1)
        await machine.kill(hub)
        machine.clock.jump(-HOUR)
        hub = await machine.start()
        async with hub.table(table) as live, hub.connect(live, Outbox(ADA)):
            await asyncio.sleep(11)
            assert machine.count(table, ClockRanOut) == 1
        await machine.kill(hub)

    on_a_machine(story)


def test_work_on_the_list_of_a_clock_that_was_ahead_is_done() -> None:
    """Nobody comes to this table; a process that was started later finds that its bots wait."""

    async def story(machine: Machine) -> None:
        hub = await machine.start()
        bots = (AddBot(0, "gentle"), AddBot(1, "gentle"), Start())
        table = await hub.create(Settings(2, look_ms=0), ADA, bots)
        await machine.kill(hub)
        before = machine.count(table, Acted)
        machine.clock.jump(-HOUR)
        hub = await machine.start()
        await asyncio.sleep(5)
        assert machine.count(table, Acted) > before
        await machine.kill(hub)

    on_a_machine(story)


@pytest.mark.parametrize("jump", [-HOUR, -60_000, 0])
def test_a_lease_of_a_clock_that_was_ahead_holds_nobody(jump: int) -> None:
    """A person who did not come back after a crash is missed, and covered by a bot."""

    async def story(machine: Machine) -> None:
        hub = await machine.start()
        wishes = (Sit("Ada"), AddBot(2, "gentle"))
        table = await hub.create(Settings(3, grace_ms=1000), ADA, wishes)
        async with hub.table(table) as live:
            await hub.do(live, Sent("", Sit("Ben")), BEN)
            await hub.do(live, Sent("", Start()), ADA)
            async with hub.connect(live, Outbox(ADA)), hub.connect(live, Outbox(BEN)):
                await asyncio.sleep(5)  # both seats are held here
                await machine.kill(hub)
        machine.clock.jump(jump)
        hub = await machine.start()
        async with hub.table(table) as live, hub.connect(live, Outbox(ADA)):
            await asyncio.sleep(FAR / 1000 + 10)
            covered = [entry.event for entry in machine.entries(table)]
            assert Covered(1) in covered
            assert Covered(0) not in covered
        await machine.kill(hub)

    on_a_machine(story)


def test_a_far_time_is_put_off_by_who_looks_after_it() -> None:
    """The list is told now and then, so that no other process takes an hour's wait for its work."""

    async def story(machine: Machine) -> None:
        hub = await machine.start()
        table = await hub.create(Settings(2, move_ms=HOUR), ADA, SIT)
        async with hub.table(table) as live, hub.connect(live, Outbox(ADA)):
            for _ in range(20):
                await asyncio.sleep(60)
                due = [work.due for work in machine.disk.due() if work.key == f"wake/{table}"]
                assert 0 < due[0] - machine.clock.now() <= FAR
            await asyncio.sleep(3600 - 1200)
            assert machine.count(table, ClockRanOut) == 1
        await machine.kill(hub)

    on_a_machine(story)


@pytest.mark.parametrize("ahead", [2_000, 9_000])
def test_nobody_is_away_because_the_clocks_of_two_processes_differ(ahead: int) -> None:
    """The longest waits that are allowed are no far times for a process whose clock is behind."""

    async def story(machine: Machine) -> None:
        longest = {"gone_ms": LONGEST_MS, "seen_ms": LONGEST_MS}
        hub, other = await machine.start(ahead_ms=ahead, **longest), await machine.start(**longest)
        table = await hub.create(Settings(2), ADA, SIT)
        async with hub.table(table) as live:
            async with hub.connect(live, Outbox(ADA)):
                await asyncio.sleep(10)
            await asyncio.sleep(10)
        assert machine.count(table, Went) == 0
        await asyncio.sleep(FAR / 1000)
        assert machine.count(table, Went) == 1
        await machine.kill(hub)
        await machine.kill(other)

    on_a_machine(story)


def test_a_wait_that_another_process_could_take_for_a_far_time_is_refused() -> None:
    """Work that is planned for later than the store reaches would count as past."""
    for name in ("gone_ms", "seen_ms", "takeover_ms"):
        with pytest.raises(ValueError, match=f"seen_ms: up to {LONGEST_MS}"):
            Pace(**{name: LONGEST_MS + 1})
