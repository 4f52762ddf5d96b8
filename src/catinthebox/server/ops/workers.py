"""Several server processes behind one socket, with one store.

`supervise` accepts no connections itself: it starts workers that inherit the socket, and replaces
those that end. Workers know nothing of each other; what they share is in the store
(docs/hosting.md). A worker is `python -m catinthebox.server.ops.workers FD`: it reads its `Config`
from its standard input, reports on its standard output whether it could start, and ends when its
parent process has ended.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from socket import socket as Socket  # noqa: N812 (a class, whatever it is called)
from time import monotonic
from typing import Final

import uvicorn

from ...processes import backoff, exit_with_parent, python_module
from ...store import StoreError
from ..child_process import ChildProcess
from .config import Config
from .logs import Logs
from .run import Server, logs_of, serve

PROGRAM: Final = python_module("catinthebox.server.ops.workers")
READY, FAILED = "ready", "failed"  # the first word of what a worker reports
POLL_S: Final = 0.01  # between two checks whether a server has started
START_S: Final = 60.0  # in which a worker must report
SPARE_S: Final = 5.0  # to end in, besides the time that a server takes to close
HEALTHY_S: Final = 10.0  # a worker that lived so long did not fail because of its start


class StartFailed(Exception):
    """A server could not start; the message says why."""


def serve_in_process(config: Config, socket: Socket, on_ready: Callable[[], None]) -> None:
    """Serve in this process until a signal comes; `StartFailed` if it cannot start."""
    factory = uvicorn.Config(_no_app, log_config=None).get_loop_factory()
    try:
        with asyncio.Runner(loop_factory=factory) as runner:
            runner.run(_serve(config, socket, on_ready))
    except StoreError as error:
        raise StartFailed(str(error)) from error


def _no_app() -> None:
    """Take the place of the application, which uvicorn's configuration insists on."""


async def _serve(config: Config, socket: Socket, on_ready: Callable[[], None]) -> None:
    """Serve; call `on_ready` once connections are accepted and signals are handled."""
    servers: asyncio.Queue[Server] = asyncio.Queue()

    async def report() -> None:
        server = await servers.get()
        while not server.started:
            await asyncio.sleep(POLL_S)
        on_ready()

    reporting = asyncio.create_task(report())
    try:
        await serve(config, [socket], on_start=servers.put_nowait)
    finally:
        reporting.cancel()


# ── The supervisor ───────────────────────────────────────────────────────────────────────────


def supervise(config: Config, count: int, socket: Socket, on_ready: Callable[[], None]) -> None:
    """Keep `count` workers running until a signal; raise `StartFailed` if they cannot start."""
    asyncio.run(Supervisor(config, count, socket).run(on_ready))


@dataclass(eq=False)
class WorkerSlot:
    """One of the workers: its number, and the process that runs as this one now."""

    number: int
    process: ChildProcess | None = None
    since: float = 0.0
    failures: int = 0  # in a row

    def delay(self) -> float:
        """Return the seconds to wait before the next start."""
        return backoff(self.failures)

    def ended(self, now: float) -> None:
        """Count a process that has ended; one that lived long enough is replaced at once."""
        self.failures = 0 if now - self.since > HEALTHY_S else self.failures + 1


class Supervisor:
    """Starts workers, replaces those that end, and stops all of them in the end."""

    def __init__(
        self, config: Config, count: int, socket: Socket, program: Sequence[str] = PROGRAM
    ) -> None:
        self._config = config
        self._socket = socket
        self._program = program
        self._slots = [WorkerSlot(number) for number in range(1, count + 1)]
        self._stopping = asyncio.Event()
        self._logs: Logs = logs_of(config)

    async def run(self, on_ready: Callable[[], None]) -> None:
        """Run all workers until a signal comes; call `on_ready` once all have started."""
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, self._on_signal)
        try:
            await self._start_all()
            tasks = [asyncio.create_task(self._keep(slot)) for slot in self._slots]
            if not self._stopping.is_set():
                on_ready()
            await self._stopping.wait()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        finally:
            await self._stop_all()

    def _on_signal(self) -> None:
        """Stop; upon a second signal, without waiting for open connections."""
        again = self._stopping.is_set()
        self._stopping.set()
        if again:
            self._send(signal.SIGINT)

    def _send(self, number: int) -> list[ChildProcess]:
        """Send a signal to all workers; return their processes."""
        running = [slot.process for slot in self._slots if slot.process is not None]
        for process in running:
            process.send_signal(number)
        return running

    async def _start_all(self) -> None:
        """Start the first worker, which migrates the store if need be, and then the others."""
        first, *others = self._slots
        for slots in ([first], others):
            found = await asyncio.gather(*map(self._start_first, slots))
            errors = [error for error in found if error]
            if errors and not self._stopping.is_set():
                raise StartFailed(errors[0])

    async def _start_first(self, slot: WorkerSlot) -> str:
        """Start the first process of a slot; return why it could not start, or an empty text."""
        try:
            return await self._start(slot)
        except OSError as error:
            return f"a worker cannot be started: {error.strerror or error}"

    async def _start(self, slot: WorkerSlot) -> str:
        """Start a worker; return why it could not start, or an empty text.

        Raises `OSError` if the system starts no process, as when its limits are reached.
        """
        slot.since = monotonic()
        socket = self._socket.fileno()
        command = (*self._program, str(socket))
        slot.process = process = await ChildProcess.start(*command, pass_fds=[socket])
        try:
            async with asyncio.timeout(START_S):
                report = await _exchange(process, self._config)
        except TimeoutError:
            report = f"{FAILED} a worker did not start within {START_S:g} s"
        word, _, error = report.strip().partition(" ")
        if word == READY:
            self._logs.info("worker_started", worker=slot.number, pid=process.pid)
            return ""
        await process.end()
        return error or "a worker ended as soon as it was started"

    async def _keep(self, slot: WorkerSlot) -> None:
        """Start another process whenever one has ended."""
        while True:
            assert slot.process is not None
            status = await slot.process.wait()
            self._logs.warning("worker_lost", worker=slot.number, status=status)
            slot.ended(monotonic())
            await asyncio.sleep(slot.delay())
            try:
                if await self._start(slot):
                    self._logs.error("store_failed", worker=slot.number)
            except OSError as error:  # the next attempt may succeed
                self._logs.failure(error, worker=slot.number)

    async def _stop_all(self) -> None:
        """Stop all workers; kill those that take too long."""
        grace_s = self._config.limits.closing_s + SPARE_S
        await asyncio.gather(*(process.end(grace_s) for process in self._send(signal.SIGTERM)))


async def _exchange(process: ChildProcess, config: Config) -> str:
    """Send a worker its configuration, and return its report."""
    with suppress(ConnectionError):  # it has ended already, and perhaps reported why
        process.stdin.write(pickle.dumps(config))
        await process.stdin.drain()
    return (await process.stdout.readline()).decode()


# ── A worker ─────────────────────────────────────────────────────────────────────────────────


def main(listening: str) -> int:
    """Serve on the inherited socket with this file descriptor."""
    with os.fdopen(os.dup(0), "rb") as pipe:
        config: Config = pickle.load(pipe)
    exit_with_parent(_input_ended)
    try:
        serve_in_process(config, Socket(fileno=int(listening)), lambda: _report(READY))
    except StartFailed as error:
        _report(f"{FAILED} {error}")
        return 2
    return 0


def _report(text: str) -> None:
    """Write one line to the parent, and whatever is printed later to standard error."""
    with suppress(BrokenPipeError):
        os.write(1, " ".join(text.split()).encode() + b"\n")
    os.dup2(2, 1)


def _input_ended() -> None:
    """Wait until the parent has closed the other end of standard input."""
    with suppress(OSError):
        while os.read(0, 64):
            pass


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
