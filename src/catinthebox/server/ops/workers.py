"""Several processes behind one socket, for a store that they share.

`supervise` listens to nobody itself: it starts workers that inherit the socket, so that whichever
is free answers, and starts another one where one dies. Workers know nothing of each other; what
they share is in the store (docs/hosting.md). A worker is
`python -m catinthebox.server.ops.workers FD`: it gets its `Config` through its standard input, says
through its standard output whether it could begin, and ends when the process that started it has
gone.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from socket import socket as Socket  # noqa: N812 (a class, whatever it is called)
from threading import Thread
from time import monotonic
from typing import Final

import uvicorn

from ...processes import backoff, python_module
from ...store import StoreError
from .config import Config
from .logs import Logs
from .run import Server, logs_of, serve

PROGRAM: Final = python_module("catinthebox.server.ops.workers")
READY, FAILED = "ready", "failed"  # the words that a worker says first
LOOK: Final = 0.01  # seconds between two looks whether a server has started
STARTING: Final = 60.0  # seconds in which a worker must begin
SPARE: Final = 5.0  # seconds to end in, besides those that a server takes
HEALTHY: Final = 10.0  # seconds: whoever lived so long did not fail because of how it began


class NoWorker(Exception):
    """A server could not begin, and why."""


def alone(config: Config, socket: Socket, begun: Callable[[], None]) -> None:
    """Serve in this process, until a signal comes; `NoWorker` if it cannot begin."""
    factory = uvicorn.Config(_nothing, log_config=None).get_loop_factory()
    try:
        with asyncio.Runner(loop_factory=factory) as runner:
            runner.run(_serve(config, socket, begun))
    except StoreError as error:
        raise NoWorker(str(error)) from error


def _nothing() -> None:
    """Stand where uvicorn wants an application to be."""


async def _serve(config: Config, socket: Socket, begun: Callable[[], None]) -> None:
    """Serve; tell somebody once visitors are let in, and signals are listened to."""
    servers: asyncio.Queue[Server] = asyncio.Queue()

    async def tell() -> None:
        server = await servers.get()
        while not server.started:
            await asyncio.sleep(LOOK)
        begun()

    telling = asyncio.create_task(tell())
    try:
        await serve(config, [socket], begun=servers.put_nowait)
    finally:
        telling.cancel()


# ── The one who looks after them ─────────────────────────────────────────────────────────────


def supervise(config: Config, count: int, socket: Socket, begun: Callable[[], None]) -> None:
    """Keep so many workers at work until a signal comes; `NoWorker` if they cannot begin."""
    asyncio.run(Supervisor(config, count, socket).run(begun))


@dataclass(eq=False)
class WorkerSlot:
    """A place for a worker, and the process that holds it now."""

    number: int
    process: Process | None = None
    since: float = 0.0
    failures: int = 0  # in a row

    def rest(self) -> float:
        """Say how long to wait before another try."""
        return backoff(self.failures)

    def lost(self, now: float) -> None:
        """Count a worker that has ended; one that lived long enough is replaced at once."""
        self.failures = 0 if now - self.since > HEALTHY else self.failures + 1


class Supervisor:
    """Starts workers, replaces them, ends them."""

    def __init__(
        self, config: Config, count: int, socket: Socket, program: Sequence[str] = PROGRAM
    ) -> None:
        self._config = config
        self._socket = socket
        self._program = program
        self._posts = [WorkerSlot(number) for number in range(1, count + 1)]
        self._stopping = asyncio.Event()
        self._logs: Logs = logs_of(config)

    async def run(self, begun: Callable[[], None]) -> None:
        """Do all of it."""
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, self._asked_to_stop)
        try:
            await self._begin()
            tasks = [asyncio.create_task(self._keep(post)) for post in self._posts]
            if not self._stopping.is_set():
                begun()
            await self._stopping.wait()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        finally:
            await self._end()

    def _asked_to_stop(self) -> None:
        """Stop; whoever asks again does not want to wait."""
        again = self._stopping.is_set()
        self._stopping.set()
        for post in self._posts if again else ():
            _send(post.process, signal.SIGINT)

    async def _begin(self) -> None:
        """Start the first worker, which brings the store up to date, and then the others."""
        first, *others = self._posts
        for posts in ([first], others):
            found = await asyncio.gather(*map(self._start, posts))
            trouble = [sentence for sentence in found if sentence]
            if trouble and not self._stopping.is_set():
                raise NoWorker(trouble[0])

    async def _start(self, post: WorkerSlot) -> str:
        """Start a worker; give why it could not begin, or nothing."""
        post.since = monotonic()
        post.process = process = await asyncio.create_subprocess_exec(
            *(*self._program, str(self._socket.fileno())),
            stdin=PIPE,
            stdout=PIPE,
            pass_fds=[self._socket.fileno()],
            start_new_session=True,  # Ctrl-C is for us; they are told in another way
        )
        try:
            async with asyncio.timeout(STARTING):
                said = await _introduced(process, self._config)
        except TimeoutError:
            said = f"{FAILED} a worker does not begin"
        word, _, sentence = said.strip().partition(" ")
        if word == READY:
            self._logs.info("worker_started", worker=post.number, pid=process.pid)
            return ""
        _send(process, signal.SIGKILL)
        return sentence or "a worker ended as soon as it began"

    async def _keep(self, post: WorkerSlot) -> None:
        """Start another worker whenever one has ended."""
        while True:
            assert post.process is not None
            status = await post.process.wait()
            self._logs.warning("worker_lost", worker=post.number, status=status)
            post.lost(monotonic())
            await asyncio.sleep(post.rest())
            if await self._start(post):
                self._logs.error("store_failed", worker=post.number)

    async def _end(self) -> None:
        """Let everybody finish, but not for ever."""
        running = [post.process for post in self._posts if post.process is not None]
        for process in running:
            _send(process, signal.SIGTERM)
        ends = asyncio.gather(*(process.wait() for process in running))
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(ends), self._config.limits.closing_s + SPARE)
        for process in running:
            _send(process, signal.SIGKILL)
        await ends


def _send(process: Process | None, number: int) -> None:
    if process is not None and process.returncode is None:
        with suppress(ProcessLookupError):
            process.send_signal(number)


async def _introduced(process: Process, config: Config) -> str:
    """Tell a worker everything, and hear how it is. Its input stays open for as long as we live."""
    assert process.stdin is not None
    assert process.stdout is not None
    with suppress(ConnectionError):  # it has ended already; perhaps it says why
        process.stdin.write(pickle.dumps(config))
        await process.stdin.drain()
    return (await process.stdout.readline()).decode()


# ── A worker ─────────────────────────────────────────────────────────────────────────────────


def main(listening: str) -> int:
    """Serve on a socket that somebody else has opened."""
    with os.fdopen(os.dup(0), "rb") as pipe:
        config: Config = pickle.load(pipe)
    Thread(target=_exit_with_parent, daemon=True).start()
    try:
        alone(config, Socket(fileno=int(listening)), lambda: _tell(READY))
    except NoWorker as error:
        _tell(f"{FAILED} {error}")
        return 2
    return 0


def _tell(line: str) -> None:
    """Say one line: what comes after it nobody reads."""
    with suppress(BrokenPipeError):
        os.write(1, " ".join(line.split()).encode() + b"\n")
    os.dup2(2, 1)


def _exit_with_parent() -> None:
    """Stop, as upon a signal, when the other end of the standard input has gone."""
    with suppress(OSError):
        while os.read(0, 64):
            pass
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
