"""A server on one core and its players on another, and what the server costs.

What a process and its children use is read from /proc, so this needs Linux.
"""

from __future__ import annotations

import json
import os
import resource
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Timer
from time import monotonic, sleep
from typing import Final, Self

from bench.load_client import Report

ROOT: Final = Path(__file__).parents[1]
PATIENCE: Final = 120.0  # seconds; a time-out for everything
TICKS: Final = os.sysconf("SC_CLK_TCK")
PAGE: Final = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True)
class Contender:
    """How a server and its players are started; {port} and {url} are filled in."""

    name: str
    server: list[str]
    client: list[str]
    tables: int
    environment: Mapping[str, str] = field(default_factory=dict)
    renewed: bool = False  # its players need an order to start anew


def python(module: str, *arguments: str) -> list[str]:
    """Return the command that runs one of our modules."""
    return [sys.executable, "-m", module, *arguments]


# ── What a process uses ──────────────────────────────────────────────────────────────────────


def family(pid: int) -> Iterator[int]:
    """Return a process and all that come from it."""
    yield pid
    for thread in Path(f"/proc/{pid}/task").iterdir():
        for child in (thread / "children").read_text().split():
            yield from family(int(child))


def cpu_seconds(pid: int) -> float:
    """Return the CPU time of a process, its threads and children, in user mode and the kernel."""
    ticks = 0
    for one in family(pid):
        fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / TICKS


def memory(pid: int) -> int:
    """Return the bytes that are resident."""
    pages = (Path(f"/proc/{one}/statm").read_text().split()[1] for one in family(pid))
    return sum(map(int, pages)) * PAGE


# ── Processes ────────────────────────────────────────────────────────────────────────────────


@contextmanager
def on_core(core: int) -> Iterator[None]:
    """Pin the processes that are started in the block to one core."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def cores() -> tuple[int, int]:
    """Return the server's core and the players'; on a machine with one they share it."""
    usable = os.sched_getaffinity(0)
    return min(usable), max(usable)


def allow_files(count: int) -> None:
    """Let this process and those it starts open that many files, if the system lets us."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = count if hard == resource.RLIM_INFINITY else min(count, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def free_port() -> int:
    """Return a free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@dataclass(frozen=True)
class Span:
    """One span: what the players report and what the server spent on it."""

    report: Report
    cpu: float

    @property
    def moves_per_cpu(self) -> float:
        """Moves for each second of the server's CPU time."""
        return self.report.moves / max(self.cpu, 1 / TICKS)

    @property
    def busy(self) -> float:
        """The share of the span in which the server worked."""
        return self.cpu / self.report.seconds


class Rig:
    """A running contender; its processes end with the block."""

    def __init__(self, contender: Contender) -> None:
        self.contender = contender
        self.processes: list[subprocess.Popen[str]] = []

    def __enter__(self) -> Self:
        """Start the server, measure it while it is idle, and seat the players."""
        port = free_port()
        self.port, self.url = port, f"http://127.0.0.1:{port}"
        server, client = cores()
        try:
            self.server = self.start(self.contender.server, server)
            self.await_server()
            self.idle = self.memory()
            self.client = self.start(self.contender.client, client)
            self.answer("ready")
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def start(self, command: list[str], core: int) -> subprocess.Popen[str]:
        """Start a process on a core; its standard input ends with this process."""
        words = [word.format(port=self.port, url=self.url) for word in command]
        environment = {**os.environ, **self.contender.environment}
        pipe = subprocess.PIPE
        with on_core(core):
            process = subprocess.Popen(
                words, cwd=ROOT, env=environment, stdin=pipe, stdout=pipe, text=True
            )
        self.processes.append(process)
        return process

    def stop(self) -> None:
        """End the players, then the server."""
        for process in reversed(self.processes):
            process.terminate()
            try:
                process.communicate(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()

    def await_server(self) -> None:
        """Wait until the server listens."""
        end = monotonic() + PATIENCE
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
            except OSError:
                if self.server.poll() is not None or monotonic() > end:
                    raise RuntimeError(f"{self.contender.name} does not start") from None
                sleep(0.1)
            else:
                sleep(0.5)  # whatever it does last
                return

    def answer(self, wanted: str = "{") -> str:
        """Read a line from the players' process."""
        assert self.client.stdout is not None
        watch = Timer(PATIENCE, self.client.kill)
        watch.start()
        line = self.client.stdout.readline()
        watch.cancel()
        if not line.startswith(wanted):
            raise RuntimeError(f"the players of {self.contender.name} stopped: {line!r}")
        return line

    def order(self, **order: float) -> None:
        """Send the players an order."""
        assert self.client.stdin is not None
        print(json.dumps(order), file=self.client.stdin, flush=True)

    def span(self, moving: int, rate: float, seconds: float) -> Span:
        """Let them play for a while."""
        if self.contender.renewed:
            self.order(renew=True)
            self.answer("ready")
        before = cpu_seconds(self.server.pid)
        self.order(moving=moving, rate=rate, seconds=seconds)
        report = Report(**json.loads(self.answer()))
        return Span(report, cpu_seconds(self.server.pid) - before)

    def memory(self) -> int:
        """Return the bytes that the server holds now."""
        return memory(self.server.pid)
