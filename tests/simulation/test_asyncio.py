"""What asyncio promises holds on the simulated loop, and threads behave as threads do."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import Future, ThreadPoolExecutor

import pytest
from simulation.loop import SimLoop, WorldFailed
from simulation.toy_world import lived

# ── What asyncio has ─────────────────────────────────────────────────────────────────────────


def test_queues_locks_and_events() -> None:
    """They work as anywhere."""

    async def main(_: SimLoop) -> list[int]:
        queue: asyncio.Queue[int] = asyncio.Queue(2)
        lock, done = asyncio.Lock(), asyncio.Event()
        got: list[int] = []

        async def produce() -> None:
            for n in range(20):
                async with lock:
                    await queue.put(n)
            done.set()

        async def consume() -> None:
            while not (done.is_set() and queue.empty()):
                got.append(await queue.get())
                await asyncio.sleep(0.01)

        async with asyncio.TaskGroup() as group:
            group.create_task(produce())
            group.create_task(consume())
        return got

    assert lived(main) == list(range(20))


def test_time_outs() -> None:
    """`wait_for`, `timeout` and `wait` give up at their time, in no time."""

    async def main(loop: SimLoop) -> float:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asyncio.Event().wait(), 100)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(100):
                await asyncio.sleep(101)
        sleeper = asyncio.create_task(asyncio.sleep(1000))
        _, pending = await asyncio.wait([sleeper], timeout=100)
        sleeper.cancel()
        assert pending == {sleeper}
        assert await asyncio.wait_for(asyncio.sleep(1, "slept"), 2) == "slept"
        return loop.time()

    assert lived(main) == pytest.approx(301)


def test_a_task_group_fails_as_a_whole() -> None:
    """The others are cancelled, in an order that is the same in every run."""

    async def main(loop: SimLoop) -> list[str]:
        ended: list[str] = []

        async def wait(name: str) -> None:
            try:
                await asyncio.sleep(10)
            finally:
                ended.append(name)

        async def fail() -> None:
            await asyncio.sleep(1)
            raise ValueError

        async def everybody() -> None:
            async with asyncio.TaskGroup() as group:
                for n in range(20):
                    group.create_task(wait(f"{n}"))
                group.create_task(fail())

        with pytest.raises(ExceptionGroup):
            await everybody()
        assert loop.time() == pytest.approx(1)
        return ended

    ended = lived(main)
    assert len(ended) == 20
    assert all(lived(main) == ended for _ in range(5))


def test_futures_of_threads_can_be_awaited() -> None:
    """`wrap_future`, and being cancelled, go both ways."""

    async def main(loop: SimLoop) -> str:
        future: Future[str] = Future()
        loop.call_later(3, lambda: loop.elsewhere(future.set_result, "done"))
        left: Future[str] = Future()
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asyncio.wrap_future(left), 1)
        assert left.cancelled()
        return await asyncio.wrap_future(future)

    assert lived(main) == "done"


def test_generators_are_closed() -> None:
    """A generator that is left early ends in the loop, one that is left for ever in silence."""
    ended: list[str] = []

    async def numbers(name: str) -> AsyncIterator[int]:
        try:
            while True:
                yield 1
                await asyncio.sleep(1)
        finally:
            await asyncio.sleep(1)
            ended.append(name)

    async def first(name: str) -> int:
        async for n in numbers(name):
            return n
        return 0

    async def main(_: SimLoop) -> None:
        await first("early")
        await asyncio.sleep(10)
        await first("never")

    lived(main)
    assert ended == ["early"]


# ── Threads ──────────────────────────────────────────────────────────────────────────────────


def test_threads_take_their_time() -> None:
    """`to_thread` comes back later, in any order, with a result or an error; no thread is there."""

    async def main(loop: SimLoop) -> list[int]:
        order: list[int] = []

        def work(n: int) -> int:
            assert asyncio._get_running_loop() is None
            order.append(n)
            return n

        assert await asyncio.gather(*(asyncio.to_thread(work, n) for n in range(5))) == [*range(5)]
        with pytest.raises(ZeroDivisionError):
            await loop.run_in_executor(None, lambda: 1 // 0)
        return order

    assert len({tuple(lived(main, seed)) for seed in range(20)}) > 5


def test_an_executor_keeps_its_order() -> None:
    """A pool takes its work in order."""
    pool = ThreadPoolExecutor(1)

    async def main(loop: SimLoop) -> list[int]:
        order: list[int] = []
        await asyncio.gather(*(loop.run_in_executor(pool, order.append, n) for n in range(9)))
        return order

    assert all(lived(main, seed) == list(range(9)) for seed in range(9))
    pool.shutdown()


def test_only_one_way_leads_back_from_a_thread() -> None:
    """Anyone who calls `call_soon` from a thread, directly or not, fails the world."""

    async def main(loop: SimLoop) -> None:
        future = loop.create_future()
        future.add_done_callback(lambda _: None)

        def wrong() -> None:
            with pytest.raises(RuntimeError):
                future.set_result(None)

        await asyncio.to_thread(wrong)
        await asyncio.sleep(1)

    with pytest.raises(WorldFailed, match="call_soon_threadsafe"):
        lived(main)
