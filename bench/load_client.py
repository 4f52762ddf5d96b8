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
from functools import partial
from secrets import token_urlsafe
from time import perf_counter, process_time
from typing import Final, Protocol

import msgspec
import uvloop
from msgspec import Struct

from bench.load_socket import Socket, connect, post

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
        table.waiting = SEATS + 1
        table.moves += 1
        return table.seats[table.moves % SEATS], self.MOVE

    def landed(self, table: Table, seat: int, frame: bytes) -> bool:
        """Count down: a frame for each seat, and an answer."""
        table.waiting -= 1
        return table.waiting == 0


class News(Struct):
    """A part of a frame, as much of it as a player needs; absent fields are as before."""

    type: str = ""
    stage: str = ""
    ready: tuple[int, ...] = ()
    turn: int = 0


class Own(Struct):
    """What a seat may do."""

    legal: tuple[str, ...]


class Told(Struct):
    """Any message of our server, as much of it as a player needs."""

    type: str
    version: int = 0
    news: tuple[News, ...] = ()
    room: News | None = None  # in a snapshot
    own: Own | None = None
    message: str = ""


class Opened(Struct):
    """The answer to a new table."""

    table: str


TOLD: Final = msgspec.json.Decoder(Told)
OPENED: Final = msgspec.json.Decoder(Opened)


@dataclass(slots=True)
class Sight:
    """What a seat of ours knows."""

    version: int = 0
    stage: str = "lobby"
    ready: tuple[int, ...] = ()
    turn: int = 0
    legal: str = ""  # the first legal action

    def take(self, told: Told) -> None:
        """Learn from a frame."""
        self.version = told.version
        if told.own is not None:
            self.legal = told.own.legal[0] if told.own.legal else ""
        for news in told.news:
            if news.type == "Turn":
                self.turn = news.turn
            elif news.type == "Room":
                self.stage, self.ready = news.stage, news.ready


class Ours:
    """The server of this project: four people at each table, who do the first legal thing.

    Whatever somebody says is a move here: an action, and one time in ten `Ready` or `Rematch`. It
    has arrived when the speaker was told that it is done, and all seats know that version.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.sights: dict[Table, list[Sight]] = {}

    async def seat(self, number: int) -> Table:
        """Create a table and seat four people."""
        table = Table(number)
        self.sights[table] = [Sight() for _ in range(SEATS)]
        tokens = [token_urlsafe(32) for _ in range(SEATS)]
        wish = b'{"settings":{"players":4},"name":"Seat 0"}'
        opened = await post(self.url, "/api/v1/tables", tokens[0], wish)
        for seat, token in enumerate(tokens):
            socket = await connect(self.url, f"/api/v1/tables/{OPENED.decode(opened).table}/socket")
            table.seats.append(socket)
            socket.say(b'{"type":"Hello","token":"%s"}' % token.encode())
            if seat:
                name = b"Seat %d" % seat
                await self.asked(table, seat, b'{"name":"%s","type":"Sit"}' % name)
        await self.asked(table, 0, b'{"type":"Start"}')
        return table

    async def asked(self, table: Table, seat: int, command: bytes) -> None:
        """Let somebody ask for something before the game, and wait until everybody knows."""
        await self.said(table, table.seats[seat], self.wish(table, command))

    async def said(self, table: Table, socket: Socket, text: bytes) -> None:
        """Send a command, and wait until all seats know what came of it."""
        arrived = asyncio.get_running_loop().create_future()

        def hear(seat: int, frame: bytes) -> None:
            if self.landed(table, seat, frame) and not arrived.done():
                arrived.set_result(None)

        for seat, one in enumerate(table.seats):
            one.hear = partial(hear, seat)
        socket.say(text)
        await asyncio.wait_for(arrived, STUCK)

    def wish(self, table: Table, command: bytes) -> bytes:
        """Write a command; its id is new."""
        table.moves += 1
        table.waiting = 0  # the version is not known before the answer
        return b'{"type":"Do","id":"%d","command":%s}' % (table.moves, command)

    def move(self, table: Table) -> tuple[Socket, bytes]:
        """Let a seat that is to act do the first legal thing; between rounds, all go on."""
        sights = self.sights[table]
        for socket, sight in zip(table.seats, sights, strict=True):
            if sight.legal:
                command = b'{"type":"Act","action":"%s","turn":%d}' % (
                    sight.legal.encode(),
                    sights[0].turn,
                )
                return socket, self.wish(table, command)
        seat = min({*range(SEATS)} - {*sights[0].ready})
        kind = b"Rematch" if sights[0].stage == "over" else b"Ready"
        return table.seats[seat], self.wish(table, b'{"type":"%s"}' % kind)

    def landed(self, table: Table, seat: int, frame: bytes) -> bool:
        """Say whether all four seats know the version that the move made."""
        sights = self.sights[table]
        told = TOLD.decode(frame)
        if told.type == "Done":
            table.waiting = told.version
        elif told.type in ("Frame", "Snapshot"):
            sights[seat].take(told)
        elif told.type != "Beat":
            raise ConnectionError(frame.decode())
        if not table.waiting:
            return False
        known = min(sight.version for sight in sights[: len(table.seats)])
        if known < table.waiting:
            return False
        table.waiting = 0
        return True


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
        """Return the counts and quantiles of the span."""
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
