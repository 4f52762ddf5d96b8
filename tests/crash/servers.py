"""Servers as processes of their own that can be killed, and the way to them."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import SystemRandom
from typing import TYPE_CHECKING, Any, Final

from server_process import FAST, OPEN, RUN, environment
from waiting import HANG

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

HERE: Final = "127.0.0.1"
QUIET: Final = range(20_000, 32_000)  # ports that systems give to nobody who does not ask for them
RUNNER: Final = Path(__file__).with_name("runner.py")
LONG: Final = 3 * HANG  # seconds for a whole story; no machine takes so long

Json = dict[str, Any]

_given: set[int] = set()  # ports that are somebody's here already
_up: set[Server] = set()  # servers that are to live until they are told to end


def quiet_port() -> int:
    """Return a free port that stays free while nobody listens there.

    One that the system chose might be given to anybody else meanwhile, even to a client of ours
    that calls: it would be connected to itself.
    """
    for port in SystemRandom().sample(QUIET, 100):
        if port not in _given:
            with suppress(OSError), socket.create_server((HERE, port)):
                _given.add(port)
                return port
    raise OSError("no port is free")


# ── Servers ──────────────────────────────────────────────────────────────────────────────────


def command(db: str, port: int, *options: str) -> list[str]:
    """Return the command that starts a server."""
    words = ["--db", db, "--port", str(port), *FAST, "--proxy", HERE, "--log", "json"]
    return [*RUN, "serve", *words, *options]


def paced(db: str, port: int, **pace: int) -> list[str]:
    """Return the command that starts a server whose time passes as a test wants it."""
    wanted = {"db": db, "port": port, "pace": pace, "open": OPEN}
    return [sys.executable, str(RUNNER), json.dumps(wanted)]


class Server:
    """A server that can be killed at any moment, and started again."""

    def __init__(self, words: Sequence[str], port: int, log: Path) -> None:
        self.port = port
        self.log = log
        self._words = words
        self._process: Process | None = None

    @property
    def process(self) -> Process:
        """The process that runs."""
        assert self._process is not None, "start() comes first"
        return self._process

    async def spawn(self) -> None:
        """Start it, and do not wait for anything."""
        with self.log.open("a") as log:
            self._process = await asyncio.create_subprocess_exec(
                *self._words, stdin=DEVNULL, stdout=PIPE, stderr=log, env=environment()
            )

    async def start(self) -> None:
        """Start it, and wait until it is open."""
        await self.spawn()
        assert self.process.stdout is not None
        line = await asyncio.wait_for(self.process.stdout.readline(), HANG)
        assert line.startswith(OPEN.encode()), f"{line!r} {self.log.read_text()}"
        _up.add(self)

    async def kill(self) -> None:
        """End it in the middle of whatever it does."""
        await self.end(signal.SIGKILL)

    async def end(self, number: int = signal.SIGTERM) -> int:
        """Send it a signal, and wait for its end."""
        _up.discard(self)
        if self.process.returncode is None:
            self.process.send_signal(number)
        await asyncio.wait_for(self.process.communicate(), HANG)
        assert self.process.returncode is not None
        return self.process.returncode

    async def leave_nothing(self) -> None:
        """Whatever became of it, let it not live on."""
        if self._process is not None:
            await self.kill()

    def events(self, *names: str) -> list[Json]:
        """The lines of its log about something."""
        lines = [json.loads(line) for line in self.log.read_text().splitlines()]
        return [line for line in lines if line["event"] in names]

    def troubles(self) -> list[Json]:
        """What it wrote about mistakes of its own."""
        lines = [json.loads(line) for line in self.log.read_text().splitlines()]
        return [line for line in lines if line["level"] == "error" or line["event"] == "failure"]


def servers_live() -> None:
    """Fail, with what it said, if a server has ended that nobody has told to."""
    for server in _up:
        status = server.process.returncode
        assert status is None, f"a server ended with status {status}: {server.log.read_text()}"


@asynccontextmanager
async def running(*servers: Server) -> AsyncIterator[None]:
    """Start servers, all at once, and leave none behind."""
    try:
        await asyncio.gather(*(server.start() for server in servers))
        yield
    finally:
        for server in servers:
            await server.leave_nothing()


def lives(pid: int) -> bool:
    """Whether there is such a process."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


# ── The way to them ──────────────────────────────────────────────────────────────────────────


class Way:
    """Where somebody finds a server, whenever one is there."""

    def __init__(self, port: int | None = None) -> None:
        self._port = port
        self._open = asyncio.Event()
        if port is not None:
            self._open.set()

    def leads_to(self, port: int) -> None:
        """A server is open."""
        self._port = port
        self._open.set()

    def leads_nowhere(self) -> None:
        """It is not any more."""
        self._open.clear()

    async def port(self) -> int:
        """Wait until a server is open, and give its port."""
        await self._open.wait()
        assert self._port is not None
        return self._port


async def post(port: int, path: str, body: object, token: str, address: str) -> Json | None:
    """Send a request; None if there is no answer."""
    content = json.dumps(body).encode()
    head = (
        f"POST /api/v1{path} HTTP/1.1\r\nHost: {HERE}:{port}\r\nConnection: close\r\n"
        f"Authorization: Bearer {token}\r\nX-Forwarded-For: {address}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
    )
    try:
        async with asyncio.timeout(HANG):
            reader, writer = await asyncio.open_connection(HERE, port)
            try:
                writer.write(head.encode() + content)
                status, _, answer = (await reader.read()).partition(b"\r\n\r\n")
            finally:
                writer.close()
        return dict(json.loads(answer)) if status else None
    except (OSError, ValueError):  # nobody is there, or it died over its answer
        return None
