"""Two workers on one PostgreSQL, the players of every table on both of them.

    python -m bench.workers                                  # 100 tables, four players each
    python -m bench.workers --postgres postgresql://…/scratch

First tables move at a steady rate: how long does it take from saying a move to one worker until it
arrives at the same worker, and at the other one? Then every table has a command in flight all the
time: how many durable events a second go through both workers? Rows take turns, and the best span
of each counts. Everything, PostgreSQL and the players included, shares the cores of this machine.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import socket
import subprocess
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from random import Random
from secrets import token_urlsafe
from time import perf_counter
from typing import Final
from urllib.request import Request, urlopen

import msgspec
import uvloop

from bench.load_rig import ROOT, cpu_seconds, free_port, python
from bench.load_socket import Socket, connect
from bench.store import SPANS, postgres

HERE: Final = "127.0.0.1"
SEATS: Final = 4
TICK: Final = 0.001  # seconds between two looks at what is due
OPENING: Final = 8  # tables that are opened at the same time
PATIENCE: Final = 60.0  # seconds for anything; then it is broken
HERE_OR_THERE: Final = ("the same worker", "the other worker")

# ── What a player reads ──────────────────────────────────────────────────────────────────────


class News(msgspec.Struct):
    """A part of a message, as much of it as a player needs."""

    type: str = ""
    stage: str = ""
    ready: tuple[int, ...] = ()
    turn: int = 0
    to_act: tuple[int, ...] = ()


class Own(msgspec.Struct):
    """What a seat may do."""

    legal: tuple[str, ...]


class Message(msgspec.Struct):
    """Any message, as much of it as a player needs."""

    type: str
    version: int = 0
    seat: int | None = None
    news: tuple[News, ...] = ()
    room: News | None = None
    turn: News | None = None
    own: Own | None = None
    message: str = ""


READ: Final = msgspec.json.Decoder(Message).decode


# ── Tables ───────────────────────────────────────────────────────────────────────────────────


@dataclass(eq=False)
class Seat:
    """Somebody with a line to one of the workers."""

    number: int
    side: int
    token: str
    socket: Socket
    version: int = 0
    legal: tuple[str, ...] = ()


@dataclass(eq=False)
class Table:
    """Four seats, with one command in flight at most."""

    id: str
    seats: list[Seat] = field(default_factory=list)
    room: News = field(default_factory=News)
    turn: News = field(default_factory=News)
    version: int = 0
    commands: int = 0
    begun: float = 0.0
    side: int = 0  # of the one who asked last
    awaited: set[int] = field(default_factory=set)  # sides where it has not arrived yet
    answered: int = 0  # the version that the answer gave

    def request(self, chance: Random) -> tuple[Seat, dict[str, object]]:
        """Say who does what next."""
        ready, stage = self.room.ready, self.room.stage
        if stage == "play":
            seat = self.seats[chance.choice(self.turn.to_act)]
            action = chance.choice(seat.legal)
            return seat, {"type": "Act", "action": action, "turn": self.turn.turn}
        seat = chance.choice([seat for seat in self.seats if seat.number not in ready])
        return seat, {"type": "Ready" if stage == "between" else "Rematch"}

    @property
    def settled(self) -> bool:
        """Whether everybody knows what became of the last command."""
        return 0 < self.answered <= min(seat.version for seat in self.seats)


class Hall:
    """All tables, and what is measured at them."""

    def __init__(self, ports: Sequence[int]) -> None:
        self.urls = [f"http://{HERE}:{port}" for port in ports]
        self.chance = Random(1)
        self.tables: list[Table] = []
        self.idle: deque[Table] = deque()
        self.broken: str | None = None
        self.delays: tuple[list[float], list[float]] = ([], [])  # here, there
        self.rate = self.begin = self.end = 0.0
        self.begun = 0

    # ── Sitting down ─────────────────────────────────────────────────────────────────────────

    async def open(self, count: int) -> None:
        """Open the tables, and begin all games."""
        gate = asyncio.Semaphore(OPENING)

        async def one() -> None:
            async with gate:
                self.tables.append(await self._seated())

        async with asyncio.TaskGroup() as tasks:
            for _ in range(count):
                tasks.create_task(one())
        self.idle.extend(self.tables)

    async def _seated(self) -> Table:
        host = token_urlsafe(32)
        request = {"settings": {"players": SEATS, "chat": "off"}}
        table = Table(await asyncio.to_thread(self._open_table, host, request))
        for number in range(SEATS):
            side, token = number % 2, host if number == 0 else token_urlsafe(32)
            line = await connect(self.urls[side], f"/api/v1/tables/{table.id}/socket")
            seat = Seat(number, side, token, line)
            table.seats.append(seat)
            self._listen(table, seat)
            line.send(json.dumps({"type": "Hello", "token": token}).encode())
            name = f"Player {number}"
            self._send(table, seat, {"type": "Sit", "name": name, "seat": number})
            await self._until(table)
        self._send(table, table.seats[0], {"type": "Start"})
        await self._until(table)
        return table

    def _open_table(self, host: str, request: object) -> str:
        headers = {"Authorization": f"Bearer {host}", "Content-Type": "application/json"}
        url, body = f"{self.urls[0]}/api/v1/tables", json.dumps(request).encode()
        with urlopen(Request(url, body, headers), timeout=PATIENCE) as answer:
            return str(json.loads(answer.read())["table"])

    async def _until(self, table: Table) -> None:
        async with asyncio.timeout(PATIENCE):
            while not table.settled:
                self._check()
                await asyncio.sleep(TICK)

    def _check(self) -> None:
        if self.broken:
            raise ConnectionError(self.broken)

    # ── Talking ──────────────────────────────────────────────────────────────────────────────

    def _send(self, table: Table, seat: Seat, command: dict[str, object]) -> None:
        table.commands += 1
        table.answered, table.side, table.awaited = 0, seat.side, {0, 1}
        message = {"type": "Do", "id": str(table.commands), "command": command}
        table.begun = perf_counter()
        seat.socket.send(json.dumps(message).encode())

    def _listen(self, table: Table, seat: Seat) -> None:
        def on_frame(line: bytes) -> None:
            self._received(table, seat, READ(line))

        def fail(sentence: str) -> None:
            self.broken = sentence

        seat.socket.on_frame, seat.socket.fail = on_frame, fail

    def _received(self, table: Table, seat: Seat, message: Message) -> None:
        if message.type in ("Frame", "Snapshot"):
            self._frame(table, seat, message)
        elif message.type == "Done":
            table.answered = message.version
        elif message.type != "Beat":
            self.broken = f"{message.type}: {message.message}"
        if table.settled and self.end:
            table.answered = 0
            self._free(table)

    def _frame(self, table: Table, seat: Seat, message: Message) -> None:
        self._arrived(table, seat.side)
        seat.version = message.version
        table.version = max(table.version, message.version)
        seat.legal = message.own.legal if message.own else seat.legal
        for news in (*message.news, message.room, message.turn):
            if news is None:
                continue
            if news.type == "Room":
                table.room = news
            elif news.type == "Turn":
                table.turn = news

    def _arrived(self, table: Table, side: int) -> None:
        """Note when a command first arrives at a side."""
        if side in table.awaited:
            table.awaited.discard(side)
            self.delays[side != table.side].append(perf_counter() - table.begun)

    # ── Spans ────────────────────────────────────────────────────────────────────────────────

    def _go(self) -> None:
        table = self.idle.popleft()
        self.begun += 1
        self._send(table, *table.request(self.chance))

    def _free(self, table: Table) -> None:
        self.idle.append(table)
        if not self.rate and perf_counter() < self.end:
            self._go()

    async def span(self, rate: float, seconds: float) -> Span:
        """Play for a while, and until nothing is in flight; rate 0: as fast as it goes."""
        self.delays, self.begun, self.rate = ([], []), 0, rate
        before = sum(table.version for table in self.tables)
        self.begin = perf_counter()
        self.end = self.begin + seconds
        if not rate:
            for _ in range(len(self.idle)):
                self._go()
        while (now := perf_counter()) < self.end or len(self.idle) < len(self.tables):
            self._check()
            assert now < self.end + PATIENCE, "a command is lost"
            while now < self.end and self.idle and self.begun < (now - self.begin) * rate:
                self._go()
            await asyncio.sleep(TICK)
        spent = perf_counter() - self.begin
        events = sum(table.version for table in self.tables) - before
        return Span(self.begun / spent, events / spent, *map(sorted, self.delays))


@dataclass(frozen=True)
class Span:
    """The result: commands and events a second, and sorted delays."""

    commands: float
    events: float
    here: list[float]
    there: list[float]

    @property
    def worst(self) -> float:
        """The delay to the other worker that one in a hundred passes."""
        return quantile(self.there, 0.99)


def quantile(ordered: Sequence[float], share: float) -> float:
    """Return the value that `share` of all are not above."""
    return ordered[min(int(len(ordered) * share), len(ordered) - 1)] if ordered else 0.0


# ── Processes ────────────────────────────────────────────────────────────────────────────────


def serve(db: str, port: int) -> None:
    """Be a worker, for anybody who asks however often."""
    from catinthebox.server.ops.config import Config  # noqa: PLC0415 (a worker only)
    from catinthebox.server.ops.limits import Limits  # noqa: PLC0415
    from catinthebox.server.ops.workers import serve_in_process  # noqa: PLC0415

    config = Config(db=db, port=port, limits=Limits.unlimited(), processes=0, logs="json")
    serve_in_process(config, socket.create_server((HERE, port)), lambda: print("open", flush=True))


@contextmanager
def worker(db: str, port: int) -> Iterator[subprocess.Popen[str]]:
    """Run a worker for a while."""
    words = python("bench.workers", "--serve", db, str(port))
    with subprocess.Popen(
        words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        try:
            assert process.stdout is not None
            if process.stdout.readline() != "open\n":
                raise RuntimeError("a worker does not start")
            yield process
        finally:
            process.terminate()


# ── The table ────────────────────────────────────────────────────────────────────────────────


def rows(calm: Span, full: Span, cpu: float, rate: float) -> Iterator[str]:
    """Return the lines of the table."""
    yield f"{'':44}{'commands/s':>11}{'p50':>9}{'p99':>9}"
    for name, span in ((f"{rate:,.0f} a second", calm), ("all tables all the time", full)):
        for place, delays in zip(HERE_OR_THERE, (span.here, span.there), strict=True):
            middle, worst = (quantile(delays, share) * 1e3 for share in (0.5, 0.99))
            label = f"{name}, to {place}"
            yield f"{label:44}{span.commands:11,.0f}{middle:6.1f} ms{worst:6.1f} ms"
    yield f"{'durable events a second':44}{full.events:11,.0f}"
    yield f"{'the same, per CPU-second of both workers':44}{full.events / cpu:11,.0f}"


async def measure(ports: list[int], pids: list[int], options: argparse.Namespace) -> None:
    """Open the tables, let the rows take turns, and print."""
    hall = Hall(ports)
    await hall.open(options.tables)
    gc.freeze()
    calm, full, costs = [], [], []
    for turn in range(SPANS + 1):
        quiet = await hall.span(options.rate, options.seconds / SPANS)
        before = sum(map(cpu_seconds, pids))
        busy = await hall.span(0, options.seconds / SPANS)
        if turn:  # the first one warms everything up
            calm.append(quiet)
            full.append(busy)
            costs.append((sum(map(cpu_seconds, pids)) - before) * SPANS / options.seconds)
    best = max(range(SPANS), key=lambda turn: full[turn].events)
    quickest = min(calm, key=lambda span: span.worst)
    print("\n".join(rows(quickest, full[best], costs[best], options.rate)))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--postgres", metavar="URL")
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--rate", type=float, default=50.0, help="commands a second, calm spans")
    parser.add_argument("--seconds", type=float, default=10.0, help="for each row")
    parser.add_argument("--serve", nargs=2, metavar=("DB", "PORT"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(options.serve[0], int(options.serve[1]))
        return
    print(f"two workers, one PostgreSQL, {options.tables} tables of {SEATS}, two on each worker")
    with ExitStack() as stack:
        try:
            db = stack.enter_context(postgres(options.postgres))
        except (ImportError, OSError, RuntimeError) as error:
            sys.exit(f"no PostgreSQL: {error}")
        ports = [free_port(), free_port()]
        workers = [stack.enter_context(worker(db, port)) for port in ports]
        uvloop.run(measure(ports, [worker.pid for worker in workers], options))


if __name__ == "__main__":
    main()
