"""Simulated connections: in order and without holes while they live; nothing else is certain."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import pytest
from simulation.loop import SimLoop
from simulation.network import CALM, End, LineLost, Network, Outbox, Weather

T = TypeVar("T")


def talked(main: Callable[[Network], Awaitable[T]], weather: Weather = CALM, seed: int = 1) -> T:
    """Run a world with a network."""

    async def begin(loop: SimLoop) -> T:
        return await main(Network(loop, weather))

    with SimLoop(seed) as loop:
        return loop.run(begin(loop))


async def received(end: End) -> list[bytes]:
    """Receive until the connection is gone."""
    messages = []
    while (message := await end.receive()) is not None:
        messages.append(message)
    return messages


async def said(end: End, most: int = 10_000) -> int:
    """Send numbers until the connection is gone; return how many seemed to leave."""
    for n in range(most):
        try:
            await end.send(b"%d" % n)
        except LineLost:
            return n
        await asyncio.sleep(0.001)
    return most


def numbers(count: int) -> list[bytes]:
    return [b"%d" % n for n in range(count)]


def test_messages_arrive_in_order() -> None:
    """In both directions, in any weather in which connections live."""

    async def main(network: Network) -> None:
        client, server = network.connect()
        both = asyncio.gather(received(client), received(server))
        await asyncio.gather(said(client, 100), said(server, 100))
        await asyncio.sleep(100)
        client.close()
        server.close()
        await both
        assert [*both.result()] == [numbers(100)] * 2
        assert not network.lines

    for seed in range(30):
        talked(main, Weather(stall=0.1, slow=0.3, delay=(0, 9)), seed)


def test_closing_in_order_loses_nothing() -> None:
    """What was sent before `close` arrives, then `None`; the other end cannot send any more."""

    async def main(network: Network) -> None:
        client, server = network.connect()
        await said(client, 5)
        client.close()
        client.close()
        assert await received(server) == numbers(5)
        assert await client.receive() is None
        assert await server.receive() is None
        for end in (client, server):
            with pytest.raises(LineLost):
                await end.send(b"?")

    talked(main)


def dying(seed: int) -> tuple[int, int]:
    """Cut a connection while both talk; return how many messages left, and how many arrived."""

    async def main(network: Network) -> tuple[int, int]:
        client, server = network.connect()
        network.loop.call_later(0.05, client.line.cut)
        sent, got, _, back = await asyncio.gather(
            said(client), received(server), said(server), received(client)
        )
        assert got == numbers(len(got))
        assert back == numbers(len(back))
        return sent, len(got)

    return talked(main, Weather(deaf=0.5), seed)


@pytest.mark.long
def test_a_dead_connection_loses_any_suffix_of_its_messages() -> None:
    """Never a hole; often something; sometimes much, as an end does not notice for long."""
    outcomes = [dying(seed) for seed in range(300)]
    assert all(got <= sent for sent, got in outcomes)
    assert len({sent - got for sent, got in outcomes}) > 30
    assert max(sent for sent, _ in outcomes) > 64  # nobody told them


def test_half_open_lines_look_alive() -> None:
    """Until an end notices, it sends into the void and receives nothing."""

    async def main(network: Network) -> float:
        client, server = network.connect()
        client.line.cut()
        await client.send(b"anybody there?")
        assert await server.receive() is None
        assert await client.receive() is None
        return network.loop.time()

    weather = Weather(deaf=1.0, deafness=(5000, 20_000))
    assert all(5 <= talked(main, weather, seed) <= 20.1 for seed in range(20))


def test_lines_die_by_themselves() -> None:
    """Each at its own time, if the weather says so."""

    async def main(network: Network) -> list[float]:
        times = []
        for _ in range(40):
            client, server = network.connect()
            began = network.loop.time()
            await asyncio.gather(received(client), received(server))
            times.append(network.loop.time() - began)
        assert not network.lines
        return times

    times = talked(main, Weather(life=1000))
    assert 0.4 < sum(times) / len(times) < 2.5
    assert len(set(times)) > 30


def test_a_slow_reader_makes_the_sender_wait() -> None:
    """No more than a window is under way or unread."""

    async def main(network: Network) -> None:
        client, server = network.connect()
        for n in range(4):
            await server.send(b"%d" % n)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(server.send(b"4"), 10)
        assert await client.receive() == b"0"
        await asyncio.wait_for(server.send(b"5"), 10)
        client.line.cut()
        with pytest.raises(LineLost):
            await asyncio.gather(*(server.send(b"x") for _ in range(9)))

    for seed in range(20):
        talked(main, Weather(window=4), seed)


def test_different_lines_overtake_each_other() -> None:
    """What is sent first over one connection may arrive after what is sent over another."""

    async def main(network: Network) -> list[int]:
        order: list[int] = []

        async def listen(end: End, n: int) -> None:
            await end.receive()
            order.append(n)

        lines = [network.connect() for _ in range(4)]
        tasks = [asyncio.create_task(listen(line[1], n)) for n, line in enumerate(lines)]
        for client, _ in lines:
            await client.send(b"me first")
        await asyncio.gather(*tasks)
        return order

    assert len({tuple(talked(main, seed=seed)) for seed in range(60)}) > 15


def test_a_process_takes_its_lines_along() -> None:
    """The other end notices when a process dies."""

    async def main(network: Network) -> None:
        client, server = network.connect()
        process = network.loop.process("server")
        process.call(server.own)
        process.start(received(server))
        await asyncio.sleep(1)
        process.kill()
        assert await client.receive() is None

    talked(main)


def test_what_is_under_way_outlives_its_sender() -> None:
    """A message that was sent does not need its sender any more."""

    async def main(network: Network) -> bytes | None:
        client, server = network.connect()
        process = network.loop.process("client")
        await process.start(client.send(b"my last will"))
        process.kill()
        return await server.receive()

    assert talked(main) == b"my last will"


def test_impatient_clients_send_commands_again() -> None:
    """Sometimes at once, and all that were not answered over the next connection."""

    async def main(network: Network) -> list[bytes]:
        outbox = Outbox(network)
        client, server = network.connect()
        for n in range(20):
            await outbox.say(client, f"{n}", b"%d" % n)
        client.close()
        first = await received(server)
        for n in range(18):
            outbox.received(f"{n}")
        client, server = network.connect()
        await outbox.repeat(client)
        client.close()
        assert await received(server) == [b"18", b"19"]
        return first

    once = talked(main)
    often = talked(main, Weather(again=0.4))
    assert once == numbers(20)
    assert sorted(set(often), key=int) == once
    assert 24 < len(often) < 50
