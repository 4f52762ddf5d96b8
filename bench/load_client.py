"""The players of the load bench: thousands of sockets in one process, as cheap as Python allows.

    python -m bench.load_client bare http://127.0.0.1:8000 --tables 500

It says `ready` when everybody sits, then carries out one order per line of its standard input:

    {"moving": 500, "rate": 0, "seconds": 3}

`moving` tables at most have a move in flight, each one. Rate 0 is a closed loop: as soon as a move
has arrived at all seats, the table that has waited longest makes the next one. Any other rate is
how many moves a second begin, in any case. The answer is a line with the fields of `Report`.
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
TICK: Final = 0.001  # seconds between two checks of what is due, if there is a rate
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
    """How to play on one kind of server."""

    async def seat(self, number: int) -> Table:
        """Open a table with all its seats, ready for a first move."""

    def move(self, table: Table) -> tuple[Socket, bytes]:
        """Return the next message and its socket; nothing is in flight at this table."""

    def landed(self, table: Table, seat: int, frame: bytes) -> bool:
        """Process a frame that came to a seat; return whether the move has arrived everywhere."""


class Bare:
    """`bench.load_bare`: the seats take turns, and any frame is the answer."""

    # As long as a message of one of our players.
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


class Message(Struct):
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


MESSAGES: Final = msgspec.json.Decoder(Message)
OPENED: Final = msgspec.json.Decoder(Opened)


@dataclass(slots=True)
class SeatState:
    """What one of our seats knows."""

    version: int = 0
    stage: str = "lobby"
    ready: tuple[int, ...] = ()
    turn: int = 0
    legal: str = ""  # the first legal action

    def take(self, message: Message) -> None:
        """Update from a frame."""
        self.version = message.version
        if message.own is not None:
            self.legal = message.own.legal[0] if message.own.legal else ""
        for news in message.news:
            if news.type == "Turn":
                self.turn = news.turn
            elif news.type == "Room":
                self.stage, self.ready = news.stage, news.ready


class Ours:
    """The server of this project: four people at each table, who do the first legal thing.

    Every command counts as a move: an action, and one time in ten `Ready` or `Rematch`. It has
    arrived when its sender has the answer, and all seats have received that version.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.states: dict[Table, list[SeatState]] = {}

    async def seat(self, number: int) -> Table:
        """Create a table and seat four people."""
        table = Table(number)
        self.states[table] = [SeatState() for _ in range(SEATS)]
        tokens = [token_urlsafe(32) for _ in range(SEATS)]
        request = b'{"settings":{"players":4},"name":"Seat 0"}'
        opened = await post(self.url, "/api/v1/tables", tokens[0], request)
        for seat, token in enumerate(tokens):
            socket = await connect(self.url, f"/api/v1/tables/{OPENED.decode(opened).table}/socket")
            table.seats.append(socket)
            socket.send(b'{"type":"Hello","token":"%s"}' % token.encode())
            if seat:
                name = b"Seat %d" % seat
                await self.ask(table, seat, b'{"name":"%s","type":"Sit"}' % name)
        await self.ask(table, 0, b'{"type":"Start"}')
        return table

    async def ask(self, table: Table, seat: int, command: bytes) -> None:
        """Send a command before the game, and wait until all seats have received its effect."""
        await self.sent_and_known(table, table.seats[seat], self.request(table, command))

    async def sent_and_known(self, table: Table, socket: Socket, text: bytes) -> None:
        """Send a command, and wait until all seats have received its effect."""
        arrived = asyncio.get_running_loop().create_future()

        def on_frame(seat: int, frame: bytes) -> None:
            if self.landed(table, seat, frame) and not arrived.done():
                arrived.set_result(None)

        for seat, one in enumerate(table.seats):
            one.on_frame = partial(on_frame, seat)
        socket.send(text)
        await asyncio.wait_for(arrived, STUCK)

    def request(self, table: Table, command: bytes) -> bytes:
        """Write a command; its id is new."""
        table.moves += 1
        table.waiting = 0  # the version is not known before the answer
        return b'{"type":"Do","id":"%d","command":%s}' % (table.moves, command)

    def move(self, table: Table) -> tuple[Socket, bytes]:
        """Let a seat that is to act do the first legal thing; between rounds, all go on."""
        states = self.states[table]
        for socket, state in zip(table.seats, states, strict=True):
            if state.legal:
                command = b'{"type":"Act","action":"%s","turn":%d}' % (
                    state.legal.encode(),
                    states[0].turn,
                )
                return socket, self.request(table, command)
        seat = min({*range(SEATS)} - {*states[0].ready})
        kind = b"Rematch" if states[0].stage == "over" else b"Ready"
        return table.seats[seat], self.request(table, b'{"type":"%s"}' % kind)

    def landed(self, table: Table, seat: int, frame: bytes) -> bool:
        """Say whether all four seats know the version that the move made."""
        states = self.states[table]
        message = MESSAGES.decode(frame)
        if message.type == "Done":
            table.waiting = message.version
        elif message.type in ("Frame", "Snapshot"):
            states[seat].take(message)
        elif message.type != "Beat":
            raise ConnectionError(frame.decode())
        if not table.waiting:
            return False
        known = min(state.version for state in states[: len(table.seats)])
        if known < table.waiting:
            return False
        table.waiting = 0
        return True


DRIVERS: Final[dict[str, Callable[[str], Driver]]] = {"bare": Bare, "ours": Ours}

# ── Spans ────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Report:
    """The result of one order."""

    moves: int
    frames: int
    bytes: int  # in those frames
    seconds: float
    cpu: float  # of this process
    p50: float  # seconds from saying a move to the last of its frames
    p99: float


def quantile(ordered: list[float], share: float) -> float:
    """Return the value that `share` of all are not above."""
    return ordered[min(int(len(ordered) * share), len(ordered) - 1)] if ordered else 0.0


class Play:
    """All players at all tables."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver
        self.idle: deque[Table] = deque()
        self.broken: str | None = None
        self.done = asyncio.Event()
        self.rate = 0.0
        self.end = 0.0
        self.begin_anew()

    def begin_anew(self) -> None:
        """Reset the counts."""
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
            socket.on_frame = self.receiver(table, seat)
            socket.fail = self.fail

    def receiver(self, table: Table, seat: int) -> Callable[[bytes], None]:
        """Return the callback for a seat's frames."""
        landed = self.driver.landed

        def on_frame(frame: bytes) -> None:
            self.frames += 1
            self.bytes += len(frame)
            if landed(table, seat, frame):
                self.arrived(table)

        return on_frame

    def fail(self, sentence: str) -> None:
        """End the bench."""
        self.broken = sentence
        self.done.set()

    def send(self) -> None:
        """Move at the table that has waited longest."""
        table = self.idle.popleft()
        socket, text = self.driver.move(table)
        self.flying += 1
        self.begun += 1
        table.begun = perf_counter()
        socket.send(text)

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
            self.send()

    def tick(self, begin: float, moving: int) -> None:
        """Begin the moves that are due."""
        now = perf_counter()
        if now >= self.end:
            if not self.flying:
                self.done.set()
            return
        due = int((now - begin) * self.rate)
        while self.begun < due and self.flying < moving:
            self.send()
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
                self.send()
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
    """Return standard input, without keeping the sockets from answering a ping."""
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
