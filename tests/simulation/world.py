"""One seed, one world: people and bots at a table, workers that die, a disk, bad connections.

For a while everything goes wrong that a seed can think of. Then the weather is fine, and what must
come true comes true: the game ends, and everybody knows how.
"""

from __future__ import annotations

import asyncio
from base64 import urlsafe_b64encode
from collections.abc import Callable, Coroutine
from dataclasses import replace
from random import Random
from typing import Final

from simulation.client import Client, Manners, Reader
from simulation.clock import Clock
from simulation.disk import Disk
from simulation.history import law
from simulation.laws import Laws
from simulation.loop import SimLoop
from simulation.network import End, Network, Weather
from simulation.plan import Plan
from simulation.position import Guest, prepare
from simulation.serve import Ground, Worker
from simulation.store import QUIET, Faults

from catinthebox.server.errors import Unavailable
from catinthebox.server.ops.config import Config
from catinthebox.store.protocol import FAR
from catinthebox.table import Command, Sit, Table, token_hash

TABLE: Final = "lab-7"
NAMES: Final = ("Ada", "Bohr", "Curie", "Dirac", "Emmy")
FINE: Final = Weather(slowly=(0, 5))
LONG: Final = 120.0  # seconds after which nothing takes so long any more
STEPS: Final = 120_000


class World:
    """One seed, one world."""

    def __init__(self, loop: SimLoop, kinds: frozenset[str] | None = None) -> None:
        self.loop = loop
        self.chance: Random = loop.chance("world")
        self.plan = plan = Plan.drawn(self.chance, kinds)
        self.people, self.games, self.closes = plan.people, plan.games, plan.closes
        self.calm = False
        loop.thread = plan.thread
        self.clock = Clock(loop.time)
        self.network = Network(loop, plan.weather)
        self._begun: list[asyncio.Task[None]] = []
        tokens = [self._token() for _ in range(plan.people + 2)]
        guests = list(map(Guest, NAMES, tokens[: plan.people]))
        disk, key = Disk(), self.chance.randbytes(32)
        if plan.stage != "opened":
            now = self.clock.now()
            prepare(disk, key, TABLE, plan.settings, guests, plan.stage, now, self.chance)
        self.laws = Laws(disk, TABLE, _secrets(tokens, key))
        config = Config(limits=plan.limits, pace=plan.pace, free_chat=True)
        self.ground = Ground(
            *(loop, self.clock, disk, self.network, plan.faults, config, self.laws), skew=plan.skew
        )
        self.workers = [Worker(self.ground, number) for number in range(plan.workers)]
        self.clients = [self._client(name, token) for name, token in guests]
        self.clients += [self._client(f"watcher {n}", tokens[-1 - n]) for n in range(plan.watchers)]
        if plan.twin:
            self.clients.append(self._client("twin", tokens[0]))

    def _token(self) -> str:
        return urlsafe_b64encode(self.chance.randbytes(32)).rstrip(b"=").decode()

    def _client(self, name: str, token: str) -> Client:
        """Draw what somebody is like."""
        chance = self.chance
        manners = Manners(
            name,
            waits=chance.random() < 0.5,
            naps=chance.choice(self.plan.naps),
            restless=chance.choice((0.0, 0.05, 0.3)) * self.plan.has("restlessness"),
            talks=chance.choice((0.0, 0.05, 0.2)) * self.plan.has("talk"),
        )
        if name == "watcher 1":
            token = ""  # one without a name
        kind = Reader if chance.random() < 0.25 else Client
        return kind(self, manners, token)

    # ── What clients and workers need ────────────────────────────────────────────────────────

    def dial(self) -> End:
        """Open a connection to any worker."""
        client, server = self.network.connect()
        self.chance.choice(self.workers).serve(server)
        return client

    def begin(self, work: Coroutine[object, object, None]) -> None:
        """Let something be done meanwhile."""
        self._begun.append(asyncio.create_task(work))

    # ── From the beginning to the end ────────────────────────────────────────────────────────

    async def run(self) -> None:
        """Run to the end, and look at it."""
        for worker in self.workers:
            worker.start()
        if self.plan.stage == "opened":
            await self._open()
        for client in self.clients:
            self.begin(client.live())
            self.begin(client.think())
        chaos = asyncio.create_task(self._chaos())
        await self._wait(self.plan.storm, self._played)
        chaos.cancel()
        self._clear_up()
        leases = FAR / 1000 if self.plan.has("clocks") else 0.0  # of a clock that was ahead
        await self._wait(LONG + leases, self._settled)
        law(self._settled(), f"it does not come to an end: {self._describe()}")
        self._trace_end()
        await self._go_home()

    @property
    def table(self) -> Table:
        """The table as it is on the disk."""
        return self.laws.history.table

    async def _wait(self, seconds: float, so: Callable[[], bool]) -> None:
        end = self.loop.time() + seconds
        while not so() and self.loop.time() < end:
            await asyncio.sleep(0.25)

    async def _open(self) -> None:
        """Let a worker open the table."""
        host = self.clients[0]
        wishes: list[Command] = [Sit(host.name)]
        while True:
            await self._wait(LONG, lambda: self.workers[0].open)
            worker = self.workers[0]
            create = worker.parts.hub.create(self.plan.settings, host.who, wishes)
            try:
                table = await worker.process.start(create)
            except Unavailable:
                continue
            self.laws.follow(table)
            return

    def _played(self) -> bool:
        return self.table.stage in ("over", "closed") and self.table.games >= self.games

    def _settled(self) -> bool:
        over = self.table.stage in ("over", "closed")
        return over and all(client.settled for client in self.clients) and self._known_to_be_here()

    def _known_to_be_here(self) -> bool:
        """Whether everybody who sits here is known to be here, or to be away, as they are."""
        here = {client.who for client in self.clients if not client.asleep}
        people = self.table.people.values()
        return self.table.closed or all(one.here == (one.token in here) for one in people)

    def _describe(self) -> str:
        table, clients = self.table, self.clients
        known = ", ".join(f"{one.name} {one.version} {[*one.outbox.open]}" for one in clients)
        return f"{table.stage}, version {table.version}, to act {table.to_act}; {known}"

    def _trace_end(self) -> None:
        table = self.laws.end()
        self.laws.figures["events"] += table.version - self.laws.history.before
        self.laws.figures["games"] += table.games
        self.loop.trace.note("end", table.version, table.stage, repr(table))

    # ── Trouble ──────────────────────────────────────────────────────────────────────────────

    async def _chaos(self) -> None:
        """Let everything go wrong that the plan has."""
        plan, storm = self.plan, self.plan.storm
        troubles: list[tuple[float, str]] = []
        for name, many in plan.troubles.items():
            troubles += [(self.chance.uniform(0, storm), name) for _ in range(many)]
        for at, name in sorted(troubles):
            await asyncio.sleep(max(0.0, at - self.loop.time()))
            self.laws.figures[name] += 1
            self.loop.trace.note("trouble", name)
            getattr(self, f"_{name}")()

    def _kill(self) -> None:
        later = self.chance.choice(((0, 0.3), (0, 0.3), (0.5, 6.0)))
        self.chance.choice(self.workers).kill(self.chance.uniform(*later))

    def _stop(self) -> None:
        self.chance.choice(self.workers).stop(self.chance.uniform(0, 2.0))

    def _jump(self) -> None:
        hour = 3_600_000
        jumps = (-hour, -10_000, -1000, -50, 50, 1000, 5000, 60_000, hour)
        self.clock.jump(self.chance.choice(jumps))

    def _swap(self) -> None:
        sockets = [one for one in self.clients[: self.plan.people] if type(one) is Client]
        if len(sockets) > 1:
            one, other = self.chance.sample(sockets, 2)
            one.swap(other)

    def _vanish(self) -> None:
        """Go without a word, in the middle of a game; not the first one, so that somebody stays."""
        if self.table.stage == "play" and self.plan.people > 1:
            client = self.chance.choice(self.clients[1 : self.plan.people])
            client.asleep = True
            client.hang_up()

    def _clear_up(self) -> None:
        """Let everything be well from now on; one of several workers may be dead for good."""
        self.loop.trace.note("calm")
        self.calm = True
        self.games = max(1, self.table.games)
        self.network.weather = FINE
        self.ground.faults = mended(self.ground.faults)
        if len(self.workers) > 1 and self.plan.loses:
            worker = self.workers.pop()
            worker.doomed = True
            worker.kill(0)
        for worker in self.workers:
            worker.mend(self.ground.faults)
        for client in self.clients:
            client.asleep = client.asleep and self.chance.random() < 0.5

    # ── The end ──────────────────────────────────────────────────────────────────────────────

    async def _go_home(self) -> None:
        """Let everybody go: after a while no worker remembers anything."""
        for task in self._begun:
            task.cancel()
        for client in self.clients:
            client.hang_up()
        await self._wait(LONG, lambda: not any(worker.left for worker in self.workers))
        left = [worker.left for worker in self.workers if worker.left]
        law(not left, f"not forgotten: {left}")
        self.laws.end()


def _secrets(tokens: list[str], key: bytes) -> list[bytes]:
    """What no client is ever sent."""
    hashes = [token_hash(token) for token in tokens]
    return [text.encode() for text in (*tokens, *hashes, key.hex())]


def mended(faults: Faults) -> Faults:
    """Return a store that takes its time as before, and does not fail."""
    return replace(
        QUIET, lanes=faults.lanes, commit=faults.commit, answer=faults.answer, news=faults.news
    )


def lived(seed: int, *kinds: str) -> World:
    """Run the world of a seed; with the kinds of trouble that are named, if any are."""
    with SimLoop(seed) as loop:
        world = World(loop, frozenset(kinds) if kinds else None)
        try:
            loop.run(world.run(), STEPS)
        except BaseException as error:
            error.add_note(
                f"alone: python tests/simulation/run.py {seed} {' '.join(kinds)} --trace"
            )
            raise
        return world


def digest(seed: int) -> str:
    """Run a world and sum it up."""
    return lived(seed).loop.trace.digest()
