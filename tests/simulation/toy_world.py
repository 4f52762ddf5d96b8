"""A small world for the tests of the ground: clients count, workers write the count down.

It shows how a world is made. Each client sends numbered commands over connections that die, to
workers that are killed and come back, over one disk. A worker stores a command once and answers it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from random import Random
from typing import TypeVar

from simulation.clock import Clock
from simulation.disk import Disk
from simulation.loop import SimLoop
from simulation.network import End, LineLost, Network, Outbox, Weather
from simulation.process import Process
from simulation.store import Faults, SimStore

from catinthebox.store import Busy, Conflict, Store, StoreFailed

T = TypeVar("T")
COMMANDS = 12
GAME = "count"


class Worker:
    """A server that crashes: it answers a command once that is on the disk."""

    process: Process
    _store: SimStore

    def __init__(self, world: World) -> None:
        self._world = world
        self.start()

    def start(self) -> None:
        """Begin, or begin again after a crash."""
        world = self._world
        self.process = world.loop.process("worker")
        self._store = self.process.call(SimStore, world.loop, world.disk, world.faults)

    def serve(self, end: End) -> None:
        """Take a connection over."""
        self.process.call(end.own)
        self.process.start(self._serve(end))

    async def _serve(self, end: End) -> None:
        while (command := await end.receive()) is not None:
            await _write_down(self._store, command)
            try:
                await end.send(command)
            except LineLost:
                return


async def _write_down(store: Store, command: bytes) -> None:
    while True:
        try:
            log = await asyncio.to_thread(store.read, GAME)
            if any(stored.event == command for stored in log):
                return
            await asyncio.wrap_future(store.append(GAME, len(log), [command]))
        except (Busy, Conflict, StoreFailed):
            await asyncio.sleep(0.01)
        else:
            return


class World:
    """One seed, one world."""

    def __init__(self, loop: SimLoop, clients: int = 3, workers: int = 2) -> None:
        self.loop = loop
        self.chance: Random = loop.chance("world")
        self.clock = Clock(loop.time)
        self.disk = Disk()
        self.faults = Faults.drawn(self.chance)
        self.network = Network(loop, Weather.drawn(self.chance))
        self.workers = [Worker(self) for _ in range(workers)]
        self.answered: list[bytes] = []
        self._clients = clients

    async def run(self) -> None:
        """Run to the end, then look: every answer is in the log, and nothing is there twice."""
        chaos = asyncio.create_task(self._chaos())
        await asyncio.gather(*(self._client(f"client {n}") for n in range(self._clients)))
        chaos.cancel()
        log = self.disk.logs[GAME]
        assert len(set(log)) == len(log) == self._clients * COMMANDS
        assert set(self.answered) == set(log)

    async def _chaos(self) -> None:
        while True:
            await asyncio.sleep(self.chance.uniform(0.2, 5.0))
            worker = self.chance.choice(self.workers)
            worker.process.kill()
            self.loop.trace.note("killed")
            await asyncio.sleep(self.chance.uniform(0.0, 0.5))
            worker.start()
            self.clock.jump(self.chance.randint(-9000, 9000))

    async def _client(self, name: str) -> None:
        outbox = Outbox(self.network)
        left = [f"{name} says {n}".encode() for n in range(COMMANDS)]
        while left:
            end = self._dial()
            try:
                await outbox.repeat(end)
                await self._talk(end, outbox, left)
            except (LineLost, TimeoutError):
                end.close()
                await asyncio.sleep(0.02)

    def _dial(self) -> End:
        client, server = self.network.connect()
        worker = self.chance.choice(self.workers)
        if worker.process.dead:
            server.close()
        else:
            worker.serve(server)
        return client

    async def _talk(self, end: End, outbox: Outbox, left: list[bytes]) -> None:
        while left:
            await outbox.say(end, left[0].decode(), left[0])
            async with asyncio.timeout(30):
                while outbox.open:
                    answer = await end.receive()
                    if answer is None:
                        raise LineLost("no answer")
                    self._receive(answer, outbox, left)

    def _receive(self, answer: bytes, outbox: Outbox, left: list[bytes]) -> None:
        outbox.received(answer.decode())
        if answer in left:
            left.remove(answer)
            self.answered.append(answer)
            self.loop.trace.note(answer, self.clock.now())


def digest(seed: int) -> str:
    """Run a world and sum it up."""
    with SimLoop(seed) as loop:
        loop.run(World(loop).run())
        return loop.trace.digest()


def lived(main: Callable[[SimLoop], Awaitable[T]], seed: int = 1, *, jitter: bool = True) -> T:
    """Run a world to its end."""

    async def begin(loop: SimLoop) -> T:
        return await main(loop)

    with SimLoop(seed, jitter=jitter) as loop:
        return loop.run(begin(loop), steps=20_000)
