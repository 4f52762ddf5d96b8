"""The players of the load bench: thousands of sockets in one process, as cheap as Python allows.

    python -m bench.load_client bare http://127.0.0.1:8000 --tables 500

It says `ready` when everybody sits, then carries out one order per line of its standard input:

    {"moving": 500, "rate": 0, "seconds": 3}

`moving` tables at most have a move in flight, each one. Rate 0 is a closed loop: as soon as a move
has arrived at all seats, the table that has waited longest makes the next one. Any other rate is
how many moves a second begin, come what may. The answer is a line with the fields of `Report`.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import sys
from collections import deque
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from time import perf_counter, process_time
from typing import Final, Protocol

import uvloop

from bench.load_socket import Socket, connect

SEATS: Final = 4
TICK: Final = 0.001  # seconds between two looks at what is due, where a rate is given
OPENING: Final = 12  # tables that are opened at the same time
STUCK: Final = 30.0  # seconds after which a move is lost for good

# ── Tables ───────────────────────────────────────────────────────────────────────────────────


@dataclass(eq=False)
class Table:
    """Four seats with one move in flight at most."""

    number: int
    seats: list[Socket] = field(default_factory=list)
    moves: int = 0
    waiting: int = 0  # frames of the move in flight that have not arrived
    begun: float = 0.0


class Driver(Protocol):
    """What one kind of server wants to be told."""

    async def seat(self, number: int) -> Table:
        """Open a table with all its seats, ready for a first move."""

    def move(self, table: Table) -> tuple[Socket, bytes]:
        """Say who says what; nothing is in flight at this table."""

    def landed(self, table: Table, seat: int, frame: bytes) -> bool:
        """Take a frame that came to a seat; say whether the move has arrived everywhere now."""


class Bare:
    """`bench.load_bare`: the seats take turns, and any frame is the answer."""

    # As long as what a player of ours says.
    MOVE: Final = b'{"command":{"action":"5b","turn":17,"type":"Act"},"id":"17","type":"Do"}'

    def __init__(self, url: str) -> None:
        self.url = url

    async def seat(self, number: int) -> Table:
        """Fill a room."""
        return Table(number, [await connect(self.url, f"/rooms/{number}") for _ in range(SEATS)])

    def move(self, table: Table) -> tuple[Socket, bytes]:
        """Let the next seat speak."""
        table.waiting = SEATS
        return table.seats[table.moves % SEATS], self.MOVE

    def landed(self, table: Table, seat: int, frame: bytes) -> bool:
        """Count down to the last seat's frame."""
        table.waiting -= 1
        return table.waiting == 0


class Ours:
    """The server of this project. NOT WRITTEN YET: everything below is to be filled in.

    `seat`: POST /api/tables creates a table; each seat connects to /api/tables/{id}/stream, says
    {"type":"Hello","token":…,"version":null} first, and sits; the host starts the game.
    `move`: the first of `legal` in the news of a seat that is to act, as
    {"type":"Do","id":"7","command":{"type":"Act","action":"5b","turn":…}}; "Ready" between rounds
    and "Rematch" after a game, neither of which is a move.
    `landed`: keep the seat's last frame, and compare versions: events that follow by themselves
    (a deal, a secret shown) bring frames of their own.
    """

    def __init__(self, url: str) -> None:
        raise NotImplementedError("there is no driver for our server yet")

    async def seat(self, number: int) -> Table:
        """Create a table and seat four people."""
        raise NotImplementedError

    def move(self, table: Table) -> tuple[Socket, bytes]:
        """Let a seat that is to act do the first legal thing."""
        raise NotImplementedError

    def landed(self, table: Table, seat: int, frame: bytes) -> bool:
        """Say whether all four seats know the version that the move made."""
        raise NotImplementedError


DRIVERS: Final[dict[str, Callable[[str], Driver]]] = {"bare": Bare, "ours": Ours}

# ── Spans ────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Report:
    """What one order came to."""

    moves: int
    frames: int
    bytes: int  # in those frames
    seconds: float
    cpu: float  # of this process
    p50: float  # seconds from saying a move to the last of its frames
    p99: float


def quantile(ordered: list[float], share: float) -> float:
    """Give the value that `share` of all are not above."""
    return ordered[min(int(len(ordered) * share), len(ordered) - 1)] if ordered else 0.0


class Play:
    """Everybody at every table."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver
        self.idle: deque[Table] = deque()
        self.broken: str | None = None
        self.done = asyncio.Event()
        self.rate = 0.0
        self.end = 0.0
        self.begin_anew()

    def begin_anew(self) -> None:
        """Forget what was counted."""
        self.flying = self.begun = self.frames = self.bytes = 0
        self.delays: list[float] = []
        self.done.clear()

    async def sit(self, tables: int) -> None:
        """Open the tables, some at a time."""
        gate = asyncio.Semaphore(OPENING)

        async def one(number: int) -> Table:
            async with gate:
                return await self.driver.seat(number)

        for table in await asyncio.gather(*map(one, range(tables))):
            self.watch(table)
            self.idle.append(table)

    def watch(self, table: Table) -> None:
        """Listen at every seat of a table."""
        for seat, socket in enumerate(table.seats):
            socket.hear = self.ear(table, seat)
            socket.fail = self.fail

    def ear(self, table: Table, seat: int) -> Callable[[bytes], None]:
        """Give what a seat does with a frame."""
        landed = self.driver.landed

        def hear(frame: bytes) -> None:
            self.frames += 1
            self.bytes += len(frame)
            if landed(table, seat, frame):
                self.arrived(table)

        return hear

    def fail(self, sentence: str) -> None:
        """End the bench."""
        self.broken = sentence
        self.done.set()

    def say(self) -> None:
        """Let the table that has waited longest move."""
        table = self.idle.popleft()
        socket, text = self.driver.move(table)
        self.flying += 1
        self.begun += 1
        table.moves += 1
        table.begun = perf_counter()
        socket.say(text)

    def arrived(self, table: Table) -> None:
        """Note that a move is known at all seats, and go on."""
        now = perf_counter()
        self.delays.append(now - table.begun)
        self.idle.append(table)
        self.flying -= 1
        if now >= self.end:
            if not self.flying:
                self.done.set()
        elif not self.rate:
            self.say()

    def tick(self, begin: float, moving: int) -> None:
        """Begin the moves that are due."""
        now = perf_counter()
        if now >= self.end:
            if not self.flying:
                self.done.set()
            return
        due = int((now - begin) * self.rate)
        while self.begun < due and self.flying < moving:
            self.say()
        asyncio.get_running_loop().call_later(TICK, self.tick, begin, moving)

    async def span(self, moving: int, rate: float, seconds: float) -> Report:
        """Play for a while, and until nothing is in flight."""
        self.begin_anew()
        moving = min(moving, len(self.idle))
        cpu, begin = process_time(), perf_counter()
        self.rate, self.end = rate, begin + seconds
        if rate:
            self.tick(begin, moving)
        else:
            for _ in range(moving):
                self.say()
        await asyncio.wait_for(self.done.wait(), seconds + STUCK)
        if self.broken:
            raise ConnectionError(self.broken)
        return self.report(perf_counter() - begin, process_time() - cpu)

    def report(self, seconds: float, cpu: float) -> Report:
        """Sum up."""
        delays = sorted(self.delays)
        p50, p99 = quantile(delays, 0.5), quantile(delays, 0.99)
        return Report(len(delays), self.frames, self.bytes, seconds, cpu, p50, p99)


# ── Orders ───────────────────────────────────────────────────────────────────────────────────


async def orders() -> asyncio.StreamReader:
    """Give standard input, without keeping the sockets from answering a ping."""
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    return reader


async def serve(driver: Driver, tables: int) -> None:
    """Sit down, then carry out orders until there are no more."""
    play = Play(driver)
    await play.sit(tables)
    gc.freeze()  # what exists now stays
    print("ready", flush=True)
    async for line in await orders():
        report = await play.span(**json.loads(line))
        print(json.dumps(asdict(report)), flush=True)


def main() -> None:
    """Play."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=DRIVERS)
    parser.add_argument("url")
    parser.add_argument("--tables", type=int, default=500)
    options = parser.parse_args()
    uvloop.run(serve(DRIVERS[options.kind](options.url), options.tables))


if __name__ == "__main__":
    main()
