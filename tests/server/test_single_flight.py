"""One question for all who ask at once, and answers that are kept for as long as they may be."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catinthebox.server.single_flight import FreshValue, LruCache, SingleFlight


class Source:
    """Answers each question with a number, or an error, once it is let go on."""

    def __init__(self, failing: bool = False) -> None:
        self.asked = 0
        self.failing = failing
        self.go = asyncio.Event()

    async def find(self) -> int:
        """Answer with how many questions there were."""
        self.asked += 1
        await self.go.wait()
        if self.failing:
            raise ValueError("something is wrong")
        return self.asked


async def several(flights: SingleFlight[str, int], source: Source) -> list[asyncio.Task[int]]:
    """Let some ask for the same key, before there is an answer."""
    tasks = [asyncio.create_task(flights.result("a", source.find)) for _ in range(5)]
    await asyncio.sleep(0)
    return tasks


# ── In flight ────────────────────────────────────────────────────────────────────────────────


def test_all_who_ask_at_once_are_one_question() -> None:
    """Another key is another question, and so is the same key afterwards."""

    async def story() -> None:
        flights, source, other = SingleFlight[str, int](), Source(), Source()
        tasks = await several(flights, source)
        assert "a" in flights
        assert "b" not in flights
        other.go.set()
        assert await flights.result("b", other.find) == 1
        source.go.set()
        assert await asyncio.gather(*tasks) == [1] * 5
        assert "a" not in flights
        assert await flights.result("a", source.find) == 2

    asyncio.run(story())


def test_an_error_is_raised_for_all_and_is_not_cached() -> None:
    """The next one who asks may have more luck."""

    async def story() -> None:
        flights, source = SingleFlight[str, int](), Source(failing=True)
        tasks = await several(flights, source)
        source.go.set()
        found = await asyncio.gather(*tasks, return_exceptions=True)
        assert [type(one) for one in found] == [ValueError] * 5
        source.failing = False
        assert await flights.result("a", source.find) == 2

    asyncio.run(story())


def test_a_task_that_has_just_ended_is_not_running() -> None:
    """A caller that tries again, as one of a table that was dropped meanwhile, is not stuck."""

    async def story() -> None:
        flights, asked = SingleFlight[str, int](), 0
        late: list[asyncio.Task[None]] = []

        async def find() -> int:
            nonlocal asked
            asked += 1
            if asked == 1:  # runs after this has returned, and before the callback of its end
                late.append(asyncio.create_task(again()))
            return asked

        async def again() -> None:
            assert "a" not in flights
            assert await flights.result("a", find) == 2

        assert await flights.result("a", find) == 1
        await late[0]
        assert "a" not in flights
        assert await flights.result("a", find) == 3

    asyncio.run(story())


@pytest.mark.parametrize("failing", [False, True])
def test_the_task_goes_on_when_all_have_left(failing: bool) -> None:
    """Its error is then nobody's: asyncio's handler for forgotten errors is not called."""
    forgotten: list[object] = []

    async def story() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, what: forgotten.append(what))
        flights, source = SingleFlight[str, int](), Source(failing)
        for task in (tasks := await several(flights, source)):
            task.cancel()
        await asyncio.wait(tasks)
        assert "a" in flights
        source.go.set()
        while "a" in flights:
            await asyncio.sleep(0)
        assert source.asked == 1

    asyncio.run(story())
    assert not forgotten


# ── Kept ─────────────────────────────────────────────────────────────────────────────────────


@settings(deadline=None, derandomize=True)
@given(st.integers(1, 60), st.lists(st.tuples(st.sampled_from("abcdef"), st.binary(max_size=30))))
def test_a_cache_is_bounded_and_tells_the_truth(most: int, puts: list[tuple[str, bytes]]) -> None:
    """Its size is that of what it keeps, never too much, and each key has its last value."""
    cache, last = LruCache[str, bytes](most, cost=len), dict(puts)
    for key, value in puts:
        cache.put(key, value)
        assert cache.get(key) == (value if len(value) <= most else None)
        assert cache.size <= most
    kept = {key: found for key in last if (found := cache.get(key)) is not None}
    assert all(last[key] == value for key, value in kept.items())
    assert cache.size == sum(map(len, kept.values()))


@settings(deadline=None, derandomize=True)
@given(st.integers(1, 6), st.lists(st.tuples(st.booleans(), st.integers(0, 9))))
def test_those_asked_for_last_are_kept(most: int, asks: list[tuple[bool, int]]) -> None:
    """Without a cost it counts values; reading one counts as asking for it."""
    cache, used = LruCache[int, str](most), list[int]()
    for put, key in asks:
        kept = key in used[-most:]
        assert cache.get(key) == (str(key) if kept else None)
        if put:
            cache.put(key, str(key))
        if put or kept:
            used = [*(one for one in used if one != key), key]
    assert [key for key in range(10) if cache.get(key)] == sorted(used[-most:])


def test_a_fresh_value_is_found_once_in_a_while() -> None:
    """However many ask; from the moment at which it is too old it is found again."""

    async def story() -> None:
        now, source = [0.0], Source()
        source.go.set()
        fresh = FreshValue(source.find, partial(now.__getitem__, 0), fresh_s=1.0)
        for time, number in ((0.0, 1), (0.9, 1), (1.0, 2), (1.9, 2), (50.0, 3)):
            now[0] = time
            assert await asyncio.gather(*(fresh.get() for _ in range(5))) == [number] * 5

    asyncio.run(story())


def test_a_value_is_fresh_from_when_it_was_found() -> None:
    """Not from when it was asked for: a slow source would be asked all the time."""

    async def story() -> None:
        now, source = [0.0], Source()
        fresh = FreshValue(source.find, partial(now.__getitem__, 0), fresh_s=1.0)
        first = asyncio.create_task(fresh.get())
        await asyncio.sleep(0)
        now[0] = 10.0
        source.go.set()
        assert await first == await fresh.get() == 1

    asyncio.run(story())


def test_an_error_is_no_fresh_value() -> None:
    """Anyone who asks next asks the source."""

    async def story() -> None:
        source = Source(failing=True)
        source.go.set()
        fresh = FreshValue(source.find, lambda: 0.0, fresh_s=1.0)
        with pytest.raises(ValueError, match="wrong"):
            await fresh.get()
        source.failing = False
        assert await fresh.get() == 2

    asyncio.run(story())
