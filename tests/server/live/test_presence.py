"""Who is here, as reported by the processes that hold their connections."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager

import pytest
from simulation.disk import Disk
from simulation.loop import SimLoop
from simulation.store import SimStore

from catinthebox.game import Action
from catinthebox.server.bots.fair_queue import Place
from catinthebox.server.live.hub import Hub
from catinthebox.server.live.outbox import Outbox
from catinthebox.server.live.scheduler import Pace, Scheduler
from catinthebox.table import (
    AddBot,
    BotTurn,
    Close,
    Leave,
    Sent,
    Settings,
    Sit,
    Start,
    Went,
    decode,
    token_hash,
)

pytestmark = pytest.mark.timing

ADA, BOB = token_hash("a" * 43), token_hash("b" * 43)
PACE = Pace(bot_ms=0, gone_ms=150, poll_ms=50, seen_ms=3_000)


class First:
    """A bot that takes whatever comes first."""

    async def choose(self, turn: BotTurn, seed: int, place: Place) -> Action:
        """Choose."""
        return min(turn.view.legal)


class Broken:
    """A bot that never answers properly, and counts how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    async def choose(self, turn: BotTurn, seed: int, place: Place) -> Action:
        """Fail."""
        self.asked += 1
        raise RuntimeError("no")


@asynccontextmanager
async def hub_on(store: SimStore, bots: First | Broken | None = None) -> AsyncIterator[Hub]:
    """A worker; it has the time of the loop."""
    hub = Hub(store, lambda: int(store.loop.time() * 1000))
    Scheduler(hub, bots or First(), PACE)
    await hub.open()
    try:
        yield hub
    finally:
        await hub.close()


def run(story: Callable[[SimStore], Coroutine[None, None, None]]) -> None:
    """Let a story happen in a world of its own, in which nothing takes longer than it should."""
    with SimLoop(1, jitter=False) as loop:
        loop.run(story(SimStore(loop, Disk())))


def went(store: SimStore, table: str) -> int:
    return sum(isinstance(decode(event).event, Went) for _, event in store.read(table))


def test_a_connection_that_moves_to_another_worker_makes_nobody_away() -> None:
    """Two workers, one store: anyone who comes to the other one is held there in time."""

    async def story(store: SimStore) -> None:
        async with hub_on(store) as one, hub_on(store) as other:
            table = await one.create(Settings(2), ADA, [Sit("Ada"), AddBot(1, "gentle"), Start()])
            async with other.table(table) as there, other.connect(there, Outbox(ADA)):
                async with one.table(table) as here, one.connect(here, Outbox(ADA)):
                    await asyncio.sleep(0.1)
                async with other.connect(there, Outbox(ADA)):  # here again, on the other side
                    await asyncio.sleep(0.1)
                async with one.table(table) as here, one.connect(here, Outbox(ADA)):
                    pass
                async with other.connect(there, Outbox(ADA)):
                    await asyncio.sleep(0.6)
                    assert went(store, table) == 0
            await asyncio.sleep(0.6)
            assert went(store, table) == 1

    run(story)


def test_what_one_worker_reports_is_known_to_the_others() -> None:
    """Somebody sits down by way of one worker, and listens to another one before it has heard."""

    async def story(store: SimStore) -> None:
        async with hub_on(store) as one, hub_on(store) as other:
            table = await one.create(Settings(2), ADA)
            async with one.table(table) as here, other.table(table) as there:
                other._unsubscribe()
                await one.do(here, Sent("1", Sit("Bob")), BOB)
                assert there.table.seat_of(BOB) is None
                line = Outbox(BOB)
                async with other.connect(there, line):
                    assert line.audience == there.table.seat_of(BOB) == 0

    run(story)


def test_a_spectator_who_sat_down_leaves_like_everybody() -> None:
    """The seat is held by the connection that was there before it."""

    async def story(store: SimStore) -> None:
        async with hub_on(store) as hub:
            table = await hub.create(Settings(2), ADA, [AddBot(1, "gentle")])
            async with hub.table(table) as live:
                async with hub.connect(live, Outbox(BOB)):
                    await hub.do(live, Sent("1", Sit("Bob")), BOB)
                    await hub.do(live, Sent("2", Start()), ADA)
                    await asyncio.sleep(0.6)
                    assert went(store, table) == 0
                await asyncio.sleep(0.9)  # less than somebody has who is only seen now and then
                assert went(store, table) == 1

    run(story)


def test_a_table_that_nobody_waits_at_is_not_listed() -> None:
    """An open table is in the lobby while somebody is there, and comes back with them."""

    async def story(store: SimStore) -> None:
        async with hub_on(store) as hub:
            settings = Settings(2, visibility="open", grace_ms=200)
            table = await hub.create(settings, ADA, [Sit("Ada")])
            async with hub.table(table) as live, hub.connect(live, Outbox(ADA)):
                assert [entry.game for entry in store.games(state="open")] == [table]
            await asyncio.sleep(1.2)
            assert store.games(state="open") == []
            async with hub.table(table) as live:
                assert live.table.people == {}  # the seat is free again
                await hub.do(live, Sent("1", Sit("Bob")), BOB)
                assert len(store.games(state="open")) == 1
                await hub.do(live, Sent("2", Leave()), BOB)
                assert store.games(state="open") == []

    run(story)


def test_a_closed_table_is_not_listed() -> None:
    """Closing takes a table out of the lobby."""

    async def story(store: SimStore) -> None:
        async with hub_on(store) as hub:
            table = await hub.create(Settings(2, visibility="open"), ADA, [Sit("Ada")])
            async with hub.table(table) as live:
                await hub.do(live, Sent("1", Close()), ADA)
            assert store.games(state="open") == []

    run(story)


def test_a_bot_that_fails_is_not_asked_over_and_over(caplog: pytest.LogCaptureFixture) -> None:
    """After a failure the list of work is soon enough."""

    async def story(store: SimStore) -> None:
        bots = Broken()
        async with hub_on(store, bots) as hub:
            await hub.create(Settings(2), ADA, [Sit("Ada"), AddBot(1, "gentle"), Start()])
            await asyncio.sleep(0.5)
            assert 1 <= bots.asked <= 3

    with SimLoop(1) as loop:  # `run` would complain about what is in the log
        loop.run_until_complete(story(SimStore(loop, Disk())))
    assert "a background task failed" in caplog.text
