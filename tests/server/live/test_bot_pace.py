"""How often bots move at many tables of many owners, by the clock of a simulated world."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack

import msgspec
import pytest
from live_tables import TOKENS, started
from simulation.clock import Clock
from simulation.disk import Disk
from simulation.loop import SimLoop
from simulation.serve import QuickBots
from simulation.store import SimStore

from catinthebox.server.live.hub import Hub
from catinthebox.server.live.live_table import LiveTable
from catinthebox.server.live.outbox import Outbox
from catinthebox.server.live.randomness import Randomness
from catinthebox.server.live.scheduler import Pace, Scheduler
from catinthebox.table import (
    Acted,
    AddBot,
    Command,
    Entry,
    Gone,
    Here,
    HostChanged,
    Sent,
    Settings,
    Sit,
    Start,
    decode,
)

ADA, BEN = "ab" * 32, "cd" * 32
SECONDS = 120  # of a simulated world, in which no game comes to its end
BOTS: tuple[Command, ...] = (AddBot(0, "gentle"), AddBot(1, "gentle"), Start())


def in_a_world(story: Callable[[Hub, Disk], Awaitable[None]], pace: Pace) -> None:
    """Run a hub on a store that keeps what it is given."""
    with SimLoop(7) as loop:
        disk = Disk()

        async def whole() -> None:
            chance = Randomness(loop.chance("hub"))
            now = Clock(loop.time).now
            hub = Hub(SimStore(loop, disk), now, chance=chance)
            Scheduler(hub, QuickBots(), pace)
            await hub.open()
            await story(hub, disk)
            await hub.close()

        loop.run(whole())


def moves(disk: Disk, table: str) -> int:
    """How many moves bots have made at a table."""
    events = [decode(event).event for event in disk.logs[table]]
    return sum(isinstance(event, Acted) and event.bot for event in events)


async def opened(hub: Hub, owner: str, *wishes: Command) -> str:
    """Open a table for two, without a pause between rounds, from an address."""
    return await hub.create(Settings(2, look_ms=0), ADA, wishes, owner)


def test_unwatched_tables_share_one_pace_and_owners_have_equal_parts() -> None:
    """One move in two seconds for all of them together, a third of that for each owner."""

    async def story(hub: Hub, disk: Disk) -> None:
        owners = ["A"] * 6 + ["B"] * 2 + ["C"]
        tables = [await opened(hub, owner, *BOTS) for owner in owners]
        await asyncio.sleep(20)  # the first moves were made when there were fewer tables
        before = [moves(disk, table) for table in tables]
        await asyncio.sleep(SECONDS)
        made: Counter[str] = Counter()
        for owner, table, first in zip(owners, tables, before, strict=True):
            made[owner] += moves(disk, table) - first
            assert moves(disk, table) >= first + 2  # nobody starves
        assert sum(made.values()) <= SECONDS / 2
        assert min(made.values()) > max(made.values()) / 2  # by turns it would be 6 to 1

    in_a_world(story, Pace(bot_ms=100, unwatched_ms=2000))


def test_a_table_with_people_does_not_notice_unwatched_ones() -> None:
    """Its bot moves after the usual time, while others wait for minutes."""

    async def story(hub: Hub, disk: Disk) -> None:
        for number in range(20):
            await opened(hub, f"owner {number % 4}", *BOTS)
        table = await opened(hub, "honest", Sit("Ada"), AddBot(1, "gentle"), Start())
        loop = asyncio.get_running_loop()
        async with hub.table(table) as live, hub.connect(live, Outbox(ADA)):
            began = loop.time()
            while not moves(disk, table):
                await asyncio.sleep(0.01)
            assert loop.time() - began < 1.5  # a choice takes up to 0.3 s here

    in_a_world(story, Pace(bot_ms=700, unwatched_ms=10_000))


def test_an_unwatched_table_goes_on_at_once_when_somebody_comes() -> None:
    """Also in the middle of a long pause."""

    async def story(hub: Hub, disk: Disk) -> None:
        table = await opened(hub, "A", *BOTS)
        await asyncio.sleep(60)
        assert moves(disk, table) == 0
        async with hub.table(table) as live, hub.connect(live, Outbox(BEN)):
            await asyncio.sleep(2)
            assert moves(disk, table) >= 2

    in_a_world(story, Pace(bot_ms=500, unwatched_ms=3_600_000))


def test_somebody_who_comes_without_a_connection_is_noticed() -> None:
    """A program may act by requests alone: its table is not throttled either."""

    async def story(hub: Hub, disk: Disk) -> None:
        table = await opened(hub, "A", Sit("Ada"), AddBot(1, "gentle"), Start())
        async with hub.table(table) as live:
            await hub.do(live, Sent("", Gone()), ADA)
            live.schedule.watched.clear()
            await hub.do(live, Sent("", Here()), ADA)
            assert live.schedule.watched.is_set()

    in_a_world(story, Pace(bot_ms=500, unwatched_ms=3_600_000))


def test_a_host_who_hands_the_table_over_is_a_visitor_from_then_on() -> None:
    """Unless they have a seat: visitors make room for players."""
    table = started().table
    live = LiveTable(msgspec.structs.replace(table, host=TOKENS["Stranger"]))
    visitor = Outbox(TOKENS["Stranger"])
    live.join(visitor, None)
    assert visitor.player
    live.advance([Entry(table.at, HostChanged(1))])
    assert not visitor.player


def test_tables_with_people_share_a_pace_too() -> None:
    """An owner of many tables slows down their own bots, and nobody else's."""

    async def story(hub: Hub, disk: Disk) -> None:
        async with AsyncExitStack() as watching:
            tables = [await opened(hub, "many", *BOTS) for _ in range(10)]
            tables.append(await opened(hub, "one", *BOTS))
            for table in tables:
                live = await watching.enter_async_context(hub.table(table))
                await watching.enter_async_context(hub.connect(live, Outbox(BEN)))
            await asyncio.sleep(SECONDS)
            *many, one = [moves(disk, table) for table in tables]
            assert sum(many) == pytest.approx(one, rel=0.25)
            assert max(many) <= min(many) + 2

    in_a_world(story, Pace(bot_ms=500, busy_ms=2000))


# ── Whose table it is ────────────────────────────────────────────────────────────────────────


def test_the_owner_is_who_opened_it_or_a_person_of_the_table() -> None:
    """Spectators cannot make a table theirs, nor can anybody one that was opened here."""

    async def story(hub: Hub, disk: Disk) -> None:
        table = await opened(hub, "203.0.113.1", Sit("Ada"))
        async with hub.table(table) as live:
            live.note_address(ADA, "203.0.113.2")
            assert live.place == ("203.0.113.1", table, True)
        hub.forget_unused(2**62)
        async with hub.table(table) as live:  # as after a restart: addresses are not in the log
            assert live.owner == ""
            live.note_address(BEN, "203.0.113.3")
            assert live.owner == ""
            live.note_address(ADA, "203.0.113.4")
            assert live.owner == "203.0.113.4"
        assert not any(b"203.0.113" in event for log in disk.logs.values() for event in log)

    in_a_world(story, Pace())
