"""The ground that worlds stand on: determinism, time, processes, worlds that fail."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from effort import calls
from simulation.clock import Clock
from simulation.loop import SimLoop, WorldFailed
from simulation.process import current_process
from simulation.toy_world import World, digest, lived
from waiting import completed

TESTS = Path(__file__).parents[1]


# ── One seed, one world ──────────────────────────────────────────────────────────────────────


@pytest.mark.long
def test_the_same_seed_is_the_same_world() -> None:
    """Two runs of a seed go the same way, and no two seeds do."""
    worlds = [digest(seed) for seed in range(40)]
    assert [digest(seed) for seed in range(40)] == worlds
    assert len(set(worlds)) == 40


@pytest.mark.process
def test_a_world_does_not_depend_on_the_process_that_runs_it() -> None:
    """Neither addresses in memory nor the salt of hashes change it."""
    program = "from simulation.toy_world import digest; print([digest(seed) for seed in range(8)])"
    runs = [
        completed(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONPATH": str(TESTS), "PYTHONHASHSEED": str(salt)},
        )
        for salt in (1, 2)
    ]
    assert runs[0] == runs[1]


@pytest.mark.long
@pytest.mark.parametrize("part", range(4))
def test_a_small_service_survives_every_world(part: int) -> None:
    """Lines die, workers are killed, the disk fails: what was answered is in the log, once."""
    for seed in range(part * 50, part * 50 + 50):
        digest(seed)


@pytest.mark.timing
def test_worlds_are_quick() -> None:
    """A world of hundreds of events costs some milliseconds; some times as much is a mistake."""
    steps = 0

    def live() -> None:
        nonlocal steps
        for seed in range(20):
            with SimLoop(seed) as loop:
                loop.run(World(loop).run())
                steps += loop.steps

    assert calls(live) < 100 * steps  # it takes 27 of each


# ── Time ─────────────────────────────────────────────────────────────────────────────────────


def test_time_leaps() -> None:
    """A day passes at once, and sleepers wake in order."""
    woken: list[float] = []

    async def nap(seconds: float) -> None:
        await asyncio.sleep(seconds)
        woken.append(seconds)

    async def main(loop: SimLoop) -> float:
        await asyncio.gather(*map(nap, (86_400.0, 0.5, 60.0)))
        return loop.time()

    assert lived(main) == pytest.approx(86_400)
    assert woken == [0.5, 60.0, 86_400.0]


def order_of_timers(seed: int, *, jitter: bool) -> list[int]:
    async def main(loop: SimLoop) -> list[int]:
        order: list[int] = []
        for n in range(6):
            loop.call_later(0.1 + 0.2 if n % 2 else 0.3, order.append, n)  # not the same float
        await asyncio.sleep(1)
        return order

    return lived(main, seed, jitter=jitter)


def test_timers_that_fall_together_come_in_any_order() -> None:
    """By the seed if jittered; else by time, then by age."""
    orders = {tuple(order_of_timers(seed, jitter=True)) for seed in range(50)}
    assert len(orders) > 30
    assert all(sorted(order) == list(range(6)) for order in orders)
    assert {tuple(order_of_timers(seed, jitter=False)) for seed in range(9)} == {(0, 2, 4, 1, 3, 5)}


def test_call_soon_is_first_in_first_out() -> None:
    """What asyncio promises holds in every world, also while time goes on."""

    async def main(loop: SimLoop) -> list[int]:
        order: list[int] = []
        for n in range(100):
            loop.call_later(n / 1000, int)
            (loop.call_soon if n % 2 else loop.call_soon_threadsafe)(order.append, n)
        await asyncio.sleep(1)
        return order

    assert all(lived(main, seed) == list(range(100)) for seed in range(20))


def test_time_goes_on_while_callbacks_wait() -> None:
    """A busy machine is late: a timer may come before callbacks that were made ready earlier."""

    async def main(loop: SimLoop) -> int:
        order: list[str] = []
        loop.call_later(0.001, order.append, "timer")
        for _ in range(5):
            await asyncio.sleep(0)
        return len(order)

    assert {lived(main, seed) for seed in range(100)} == {0, 1}
    assert {lived(main, seed, jitter=False) for seed in range(100)} == {0}


def test_waiting_for_a_moment_ends() -> None:
    """No rounding error makes a loop of short sleeps run for ever."""

    async def main(loop: SimLoop) -> None:
        for n in range(300):
            deadline = loop.time() + 0.1 + n * 0.0371
            while loop.time() < deadline:
                await asyncio.sleep(deadline - loop.time())

    lived(main)


def test_a_clock_jumps() -> None:
    """The clock on the wall goes with the time of the loop, and can be set."""

    async def main(loop: SimLoop) -> list[int]:
        clock = Clock(loop.time, start=1000)
        seen = [clock.now()]
        await asyncio.sleep(2.3)
        clock.jump(-5000)
        seen.append(clock.now())
        wandering = asyncio.create_task(clock.wander(loop.chance("clock"), (10, 20), 300))
        await asyncio.sleep(1)
        wandering.cancel()
        return [*seen, clock.now() - seen[1] - 1000]

    first, second, wandered = lived(main)
    assert (first, second) == (1000, -1700)
    assert wandered != 0


# ── Processes ────────────────────────────────────────────────────────────────────────────────


def test_a_killed_process_does_nothing_more() -> None:
    """Neither its tasks, nor its timers, threads and callbacks, nor any `finally`."""
    said: list[str] = []

    @asynccontextmanager
    async def held() -> AsyncIterator[None]:
        try:
            yield
        finally:
            asyncio.create_task(asyncio.sleep(1))  # noqa: RUF006
            await asyncio.sleep(0)
            said.append("finally")

    async def child() -> None:
        process = current_process()
        assert process is not None
        async with held():
            await asyncio.sleep(100)

    async def begin(loop: SimLoop) -> None:
        loop.call_later(2, said.append, "timer")
        asyncio.create_task(child())  # noqa: RUF006 (the loop keeps it)
        await asyncio.sleep(1)
        loop.call_soon(said.append, "callback")
        asyncio.get_running_loop().run_in_executor(None, said.append, "thread")
        await asyncio.Event().wait()

    async def main(loop: SimLoop) -> list[str]:
        process = loop.process("worker")
        process.at_death(lambda: said.append("dead"))
        process.start(begin(loop))
        await asyncio.sleep(0.5)
        assert loop.time() < 1
        process.kill()
        process.kill()
        await asyncio.sleep(500)
        return list(said)

    assert lived(main, jitter=False) == ["dead"]
    assert said == ["dead"]  # also when the world is over, and coroutines are closed
    assert current_process() is None


def test_others_go_on() -> None:
    """What belongs to no process, or to another one, lives."""

    async def tick(times: list[float], loop: SimLoop) -> None:
        while True:
            await asyncio.sleep(1)
            times.append(loop.time())

    async def main(loop: SimLoop) -> tuple[int, int]:
        short: list[float] = []
        long: list[float] = []
        first, second = loop.process("first"), loop.process("second")
        first.start(tick(short, loop))
        second.start(tick(long, loop))
        await asyncio.sleep(3.5)
        first.kill()
        await asyncio.sleep(3)
        return len(short), len(long)

    assert lived(main) == (3, 6)


# ── Worlds that fail ─────────────────────────────────────────────────────────────────────────


async def never(_: SimLoop) -> None:
    await asyncio.Event().wait()


async def always(_: SimLoop) -> None:
    while True:
        await asyncio.sleep(1)


async def unheard(loop: SimLoop) -> None:
    task = loop.create_task(asyncio.wait_for(loop.create_future(), 1), name="the odd one")
    await asyncio.sleep(2)
    del task


async def callback(loop: SimLoop) -> None:
    loop.call_soon(int, "seven")
    await asyncio.sleep(5)
    raise AssertionError("it should have ended before")


async def blocked(loop: SimLoop) -> None:
    loop.block(lambda: False)


async def wrong(_: SimLoop) -> None:
    raise WorldFailed("two and two are five")


@pytest.mark.parametrize(
    ("main", "complaint"),
    [
        (never, "nothing is left to do, and somebody still waits"),
        (always, "no end after 20000 steps"),
        (unheard, "the odd one failed unheard: TimeoutError"),
        (callback, "Exception in callback"),
        (blocked, "would block the event loop"),
        (wrong, "two and two are five"),
    ],
)
def test_a_world_that_fails_says_its_seed(
    main: Callable[[SimLoop], Awaitable[None]], complaint: str
) -> None:
    """It hangs, does not end, leaves an error lying about, blocks, or is just wrong."""
    with pytest.raises(WorldFailed, match=complaint) as failed:
        lived(main, 77)
    assert failed.value.__notes__[0].startswith("seed 77, at ")


def test_a_trace_tells_the_end() -> None:
    """Its last lines say when and what."""
    with SimLoop(3, jitter=False) as loop:
        loop.run(asyncio.sleep(2))
        loop.trace.note("bid", 3)
        assert loop.trace.tail() == "2.0 bid 3"
