"""Workers of a simulated world: the real server; disk, clock and connections are simulated.

A connection begins with a `Call`, in place of the head of a request. From there on the server's own
code speaks, over a `Wire` that looks like any other connection to it (ASGI).
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Final, Literal

import msgspec
from simulation.clock import Clock
from simulation.disk import Disk
from simulation.history import law
from simulation.laws import Laws
from simulation.loop import SimLoop
from simulation.network import End, LineLost, Network
from simulation.process import Process
from simulation.store import Faults, SimStore
from starlette.types import Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from catinthebox.game import Action, CatInTheBoxError
from catinthebox.protocol.messages import Done
from catinthebox.server.bots.fair_queue import Place
from catinthebox.server.composition import ServerParts, compose
from catinthebox.server.http.app import table_endpoints, websockets
from catinthebox.server.http.routes_tables import ROUTES
from catinthebox.server.http.routing import ADDRESS, starlette_routes
from catinthebox.server.live.connection import Connection
from catinthebox.server.live.hub import Hub
from catinthebox.server.live.live_table import LiveTable
from catinthebox.server.live.randomness import Randomness
from catinthebox.server.live.scheduler import Scheduler
from catinthebox.server.ops.config import Config
from catinthebox.server.ops.logs import Logs
from catinthebox.server.ops.metrics import Metrics
from catinthebox.server.transport.websocket import ABORT
from catinthebox.store import StoreError
from catinthebox.table import BotTurn, Sent

ADDRESSES: Final = "203.0.113.7"
BY_PATH: Final = {route.path.rpartition("/")[2]: route for route in ROUTES}
SNAPSHOT: Final = "{key}"  # the path ends with the table


class Call(msgspec.Struct, frozen=True):
    """The head of a request, and its body."""

    path: Literal["socket", "events", "commands", "{key}"]
    token: str = ""
    version: int | None = None
    body: str = ""


@dataclass
class Ground:
    """What the workers of a world stand on, and who looks at them."""

    loop: SimLoop
    clock: Clock
    disk: Disk
    network: Network
    faults: Faults
    config: Config
    laws: Laws
    skew: int = 0  # milliseconds between the clocks of two workers
    seen: dict[tuple[str, str], int] = field(default_factory=dict)  # what a sender knew, by command


class FailingStore(SimStore):
    """A store whose faults are counted."""

    figures: Counter[str]

    def hits(self, fault: str) -> bool:
        """Draw whether a fault happens now."""
        hit = super().hits(fault)
        if hit:
            self.figures[f"store {fault}"] += 1
        return hit


class QuickBots:
    """Bots that do anything legal, at once or after a while."""

    async def choose(self, turn: BotTurn, seed: int, place: Place) -> Action:
        """Return a bot's move."""
        chance = Random(seed)
        await asyncio.sleep(chance.choice((0.0, 0.0, 0.01, 0.05, 0.3)))
        return chance.choice(sorted(turn.view.legal))


class InOrder(set[Connection]):
    """A set that does not depend on addresses in memory."""

    def __init__(self) -> None:
        super().__init__()
        self._order: dict[Connection, None] = {}

    def add(self, connection: Connection) -> None:
        """Put one in."""
        super().add(connection)
        self._order[connection] = None

    def discard(self, connection: object) -> None:
        """Take one out."""
        super().discard(connection)
        self._order = {other: None for other in self._order if other is not connection}

    def __iter__(self) -> Iterator[Connection]:
        return iter(self._order)


class WatchedHub(Hub):
    """The hub, and what it may say no to."""

    ground: Ground

    async def do(self, live: LiveTable, sent: Sent, who: str) -> Done:
        """Carry a command out. A refusal is an answer of the present, not of the past.

        It was not carried out before, and the answer knows of all that its sender has seen.
        """
        laws, seen = self.ground.laws, self.ground.seen.get((who, sent.id), 0)
        known = bool(sent.id) and live.id == laws.history.id and laws.known(who, sent.id)
        try:
            return await super().do(live, sent, who)
        except CatInTheBoxError as error:
            law(not known, f"{sent.id} was refused ({error.code}), and had been carried out")
            late = live.table.version < seen
            law(not late, f"refused ({error.code}) at {live.table.version}, seen was {seen}")
            raise


class Worker:
    """A server that crashes and comes back."""

    process: Process
    store: FailingStore
    parts: ServerParts

    def __init__(self, ground: Ground, number: int) -> None:
        self._ground = ground
        self._number = number
        self._lives = 0
        self.open = False  # whether connections are taken
        self.doomed = False  # never to come back

    # ── Life ─────────────────────────────────────────────────────────────────────────────────

    def start(self) -> None:
        """Begin, or begin again after a crash."""
        if self.doomed or (self._lives and not self.process.dead):
            return
        self._lives += 1
        self.process = self._ground.loop.process(f"worker {self._number}")
        self.process.at_death(self._died)
        self.process.start(self._open(), "opening")

    def _died(self) -> None:
        self.open = False

    def kill(self, back: float) -> None:
        """Die at once, and come back after so many seconds."""
        if not self.process.dead:
            self._ground.laws.figures["deaths"] += 1
            self._ground.loop.trace.note("killed", self._number)
        self.process.kill()
        self._ground.network.later(back, self.start)

    async def _open(self) -> None:
        ground, life = self._ground, f"worker {self._number}, life {self._lives}"
        self.store = FailingStore(ground.loop, ground.disk, ground.faults)
        self.store.figures = ground.laws.figures
        chance = Randomness(ground.loop.chance(life))
        metrics = Metrics()
        hub = WatchedHub(self.store, self._now, chance=chance, metrics=metrics)
        Scheduler(hub, QuickBots(), ground.config.pace)
        hub.ground = ground
        logs = Logs(self._logged, ground.loop.time, bytes(32))
        self.parts = compose(ground.config, hub, metrics, logs, ground.loop.time)
        self.parts.monitor.connections = InOrder()
        try:
            await hub.open()
        except StoreError:  # anyone who looks after it starts it again
            self.kill(back=0.3)
            return
        self.process.start(self.parts.monitor.run(), "watch")
        self.open = True
        ground.loop.trace.note("opened", self._number)

    def _now(self) -> int:
        return self._ground.clock.now() + self._number * self._ground.skew

    @staticmethod
    def _logged(line: str) -> None:
        expected = '"event":"store_failed"' in line or '"level":"error"' not in line
        law(expected, f"the server writes to its log: {line}")

    def stop(self, back: float) -> None:
        """Stop in order: nothing that was begun is lost."""
        if self.open:
            self.process.start(self._close(back), "closing")

    async def _close(self, back: float) -> None:
        self.open = False
        await self.parts.lifecycle.close()
        await asyncio.to_thread(self.store.close)
        self.kill(back)

    def mend(self, faults: Faults) -> None:
        """Let nothing fail any more."""
        if self.process.dead:
            self.start()
        elif self.open:
            self.store.faults = faults

    @property
    def left(self) -> list[str]:
        """What is remembered here about tables and connections."""
        if not self.open:
            return ["it is not open"]
        hub, watch, rate_limits = self.parts.hub, self.parts.monitor, self.parts.rate_limits
        return [
            *(f"table {id}, {vars(live)}" for id, live in hub.tables.items()),
            *(f"line {connection.outbox.who}" for connection in watch.connections),
            *(f"loading {id}" for id in hub._grown),
            *(["a socket"] * rate_limits.sockets.total),
            *(["a stream"] * rate_limits.streams.total),
        ]

    # ── Connections ──────────────────────────────────────────────────────────────────────────

    def serve(self, end: End) -> None:
        """Take a connection over, if anybody is there."""
        if not self.open:
            end.close()
            return
        self.process.call(end.own)
        self.process.start(self._serve(end), "line")

    async def _serve(self, end: End) -> None:
        head = await end.receive()
        if head is not None:
            call = msgspec.json.decode(head, type=Call)
            wire = Wire(end, call, self._ground.laws)
            scope = self._scope(call, wire)
            if call.path == "socket":
                await websockets(self.parts).serve(WebSocket(scope, *wire.ways))
            else:
                parts = self.parts
                (route,) = starlette_routes(
                    table_endpoints(parts), [BY_PATH[call.path]], parts.metrics, parts.logs
                )
                await route.app(scope, *wire.ways)
        end.close()

    def _scope(self, call: Call, wire: Wire) -> Scope:
        headers = [(b"authorization", b"Bearer " + call.token.encode())] if call.token else []
        return {
            "type": "websocket" if call.path == "socket" else "http",
            "method": "POST" if call.path == "commands" else "GET",
            "path": call.path,
            "headers": headers if call.path != "socket" else [],
            "query_string": b"" if call.version is None else f"version={call.version}".encode(),
            "client": (ADDRESSES, 80),
            "path_params": {"key": self.parts.hub.links.play(self._ground.laws.history.id)},
            ADDRESS: ADDRESSES,
            "extensions": {ABORT: {"call": wire.abort}, "websocket.http.response": {}},
        }


class Wire:
    """A connection as the server sees it."""

    def __init__(self, end: End, call: Call, laws: Laws) -> None:
        self._end = end
        self._laws = laws
        self._socket = call.path == "socket"
        first: Message = {"type": "http.request", "body": call.body.encode(), "more_body": False}
        self._first: Message | None = {"type": "websocket.connect"} if self._socket else first

    @property
    def ways(self) -> tuple[Receive, Send]:
        """How to receive and how to send."""
        return self.receive, self.send

    def abort(self) -> None:
        """Cut the connection off."""
        self._end.line.cut()
        self._end.notice()

    async def receive(self) -> Message:
        """Wait for what the client sends."""
        first, self._first = self._first, None
        if first is not None:
            return first
        message = await self._end.receive()
        if message is None:
            return {"type": "websocket.disconnect" if self._socket else "http.disconnect"}
        return {"type": "websocket.receive", "text": message.decode()}

    async def send(self, message: Message) -> None:
        """Send; a socket that is gone is an error, a request that is gone is not."""
        kind = message["type"]
        if kind == "websocket.send":
            await self._out(message["text"].encode())
        elif kind == "websocket.close":
            self._end.close()
        elif kind == "http.response.start":
            with suppress(LineLost):
                await self._end.send(str(message["status"]).encode())
        elif kind == "http.response.body":
            with suppress(LineLost):
                if message["body"]:
                    await self._out(message["body"])
            if not message.get("more_body", False):
                self._end.close()

    async def _out(self, body: bytes) -> None:
        for line in body.splitlines():
            self._laws.leaves(line)
        await self._end.send(body)
