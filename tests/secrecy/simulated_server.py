"""A whole server in a world of its own, without sockets: whatever it says to anybody is kept.

Everything between the doors and the disk is the real thing. The loop, its clock, the disk, chance,
the dealer and the bots are the test's, so one seed gives the same server to the last byte.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

from simulation.clock import Clock
from simulation.disk import Disk
from simulation.loop import SimLoop
from simulation.process import Process
from simulation.serve import InOrder
from simulation.store import QUIET, SimStore
from starlette.types import ASGIApp, Message, Scope

from catinthebox.server.composition import ServerParts, compose
from catinthebox.server.http.app import application
from catinthebox.server.http.documents import ROUTE_LABELS
from catinthebox.server.live.hub import Hub
from catinthebox.server.live.randomness import Randomness
from catinthebox.server.live.scheduler import BotPlayers, Pace, Scheduler
from catinthebox.server.ops.config import Config
from catinthebox.server.ops.limits import Limits
from catinthebox.server.ops.logs import Logs
from catinthebox.server.ops.metrics import Metrics
from catinthebox.table import Dealer

PACE: Final = Pace(bot_ms=20, gone_ms=100, seen_ms=3_000, takeover_ms=400, poll_ms=500)
ELSEWHERE, HERE = "203.0.113.7", "127.0.0.1"  # where visitors come from, and who looks after it
LOG: Final = "log"  # to whom the server writes about itself


class Said(NamedTuple):
    """Something that left the server: when, to whom, and the very bytes."""

    at: float
    to: str
    text: bytes


class SimulatedServer:
    """A server that crashes, and comes back on the same disk."""

    process: Process
    store: SimStore
    parts: ServerParts
    app: ASGIApp

    def __init__(
        self, loop: SimLoop, dealer: Dealer | None, bots: BotPlayers, limits: Limits
    ) -> None:
        self.loop = loop
        self.disk = Disk()
        self.said: list[Said] = []
        self._clock = Clock(loop.time)
        self._dealer = dealer
        self._bots = bots
        self._lives = 0
        nowhere = Path(__file__).parent / "no client"
        self._config = Config(limits=limits, pace=PACE, free_chat=True, web=nowhere)

    def record(self, to: str, text: bytes) -> None:
        """Keep what somebody is told."""
        self.said.append(Said(self.loop.time(), to, text))

    # ── Life ─────────────────────────────────────────────────────────────────────────────────

    async def open(self) -> None:
        """Begin, or begin again."""
        self._lives += 1
        self.process = self.loop.process(f"life {self._lives}")
        await self.process.start(self._open())

    async def _open(self) -> None:
        loop, config = self.loop, self._config
        self.store = SimStore(loop, self.disk)
        metrics = Metrics(ROUTE_LABELS, Path(__file__).parent / "no process")
        chance = Randomness(loop.chance(f"life {self._lives}"))
        hub = Hub(self.store, self._clock.now, chance=chance, metrics=metrics)
        Scheduler(hub, self._bots, config.pace)
        logs = Logs(self._logged, lambda: self._clock.now() / 1000, bytes(32))
        self.parts = compose(config, hub, metrics, logs, loop.time)
        self.parts.monitor.connections = InOrder()
        self.app = application(self.parts)
        await hub.open()
        hub.dealer = self._dealer or hub.dealer
        self.parts.lifecycle.started = True
        self.process.start(self.parts.monitor.run())

    def _logged(self, line: str) -> None:
        self.record(LOG, line.encode())

    def crash(self) -> None:
        """Die without a last word."""
        self.process.kill()

    async def close(self) -> None:
        """End as upon a signal."""
        await self.process.start(self.parts.lifecycle.close())
        await asyncio.to_thread(self.store.close)
        self.process.kill()

    def fail(self, **faults: float) -> None:
        """Let the store fail from now on, or not any more."""
        self.store.faults = QUIET.__class__(**faults)  # type: ignore[arg-type]

    # ── Doors ────────────────────────────────────────────────────────────────────────────────

    def ask(
        self,
        to: str,
        path: str,
        token: str = "",
        *,
        method: str = "GET",
        body: bytes = b"",
        address: str = ELSEWHERE,
    ) -> Wire:
        """Send a request; the answer is for `to`."""
        wire = Wire(self, to)
        wire.put({"type": "http.request", "body": body, "more_body": False})
        scope = {**_scope("http", path, token, address), "method": method}
        if method == "POST":
            scope["headers"].append((b"content-type", b"application/json"))
        return self._serve(wire, scope)

    def connect(self, to: str, path: str) -> Wire:
        """Open a WebSocket."""
        wire = Wire(self, to)
        wire.put({"type": "websocket.connect"})
        return self._serve(wire, _scope("websocket", path, "", ELSEWHERE))

    def _serve(self, wire: Wire, scope: Scope) -> Wire:
        wire.serving = self.process.start(_run(self.app, wire, scope))
        return wire


async def _run(app: ASGIApp, wire: Wire, scope: Scope) -> None:
    await app(scope, wire.receive, wire.send)


def _scope(kind: str, path: str, token: str, address: str) -> Scope:
    path, _, query = path.partition("?")
    headers = [(b"host", b"127.0.0.1:8123")]
    if token:
        headers.append((b"authorization", b"Bearer " + token.encode()))
    return {
        "type": kind,
        "http_version": "1.1",
        "scheme": "ws" if kind == "websocket" else "http",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": query.encode(),
        "headers": headers,
        "client": (address, 80),
        "extensions": {"websocket.http.response": {}},
    }


class Wire:
    """A connection as the server sees it, and all that was said over it."""

    serving: asyncio.Task[None]

    def __init__(self, server: SimulatedServer, to: str) -> None:
        self.to = to
        self.got: list[bytes] = []
        self._server = server
        self._inbox: deque[Message] = deque()
        self._closed = False  # by the server
        self._waiting: asyncio.Future[None] | None = None

    @property
    def over(self) -> bool:
        """Whether nobody listens any more."""
        return self._closed or self.serving.done() or self._server.process.dead

    def put(self, message: Message) -> None:
        """Let the server receive something."""
        self._inbox.append(message)
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    def say(self, text: str) -> None:
        """Send a message over a WebSocket."""
        self.put({"type": "websocket.receive", "text": text})

    def hang_up(self, kind: str = "websocket") -> None:
        """Close the connection."""
        self.put({"type": f"{kind}.disconnect", "code": 1000})

    async def receive(self) -> Message:
        """Wait for what was put here."""
        while not self._inbox:
            self._waiting = self._server.loop.create_future()
            await self._waiting
        return self._inbox.popleft()

    async def send(self, message: Message) -> None:
        """Keep what the server says."""
        text = written(message)
        self.got.append(text)
        self._server.record(self.to, text)
        if message["type"] == "websocket.close":
            self._closed = True
            self.hang_up()


def written(message: Message) -> bytes:
    """Write an ASGI message as bytes; two different ones never look the same."""
    kind: str = message["type"].removeprefix("websocket.")
    if kind == "send":
        text: str = message["text"]
        return text.encode()
    if kind.endswith("body"):
        body: bytes = message.get("body", b"")
        return body if message.get("more_body") else body + b"\n(end)"
    lines = [f"{kind} {message.get('status', message.get('code', ''))}".encode()]
    lines += [name + b": " + value for name, value in message.get("headers", ())]
    return b"\n".join([*lines, str(message.get("reason", "")).encode()])


# ── What is logged ───────────────────────────────────────────────────────────────────────────


class _Ear(logging.Handler):
    def __init__(self, record: Callable[[bytes], None]) -> None:
        super().__init__(logging.NOTSET)
        self._record = record

    def emit(self, record: logging.LogRecord) -> None:
        self._record(self.format(record).encode())


@contextmanager
def overheard(record: Callable[[bytes], None]) -> Iterator[None]:
    """Hear every word that anything logs, at any level, before it is left out of the lines."""
    root, ear = logging.getLogger(), _Ear(record)
    level = root.level
    root.addHandler(ear)
    root.setLevel(logging.NOTSET)
    try:
        yield
    finally:
        root.setLevel(level)
        root.removeHandler(ear)
        with suppress(ValueError):
            ear.close()
