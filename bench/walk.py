"""The walk of one move through the server, from the WebSocket message to the last frame.

    python -m bench.walk                # the second card of a round
    python -m bench.walk --card 4       # the card that ends the first trick
    python -m bench.walk --functions    # and every function on the way

A real server with a SQLite file runs in a thread; four players are connected, and one of them plays
a card. `sys.setprofile` records every Python function that is called on the way, in the event loop
and in the store's writer thread, with the functions of uvicorn and of the standard library. Deals
and ids come from a seed, so the same code gives the same counts. The microseconds are the least of
some tries, with the disk's time, without the recorder's own and without that of uvloop's C code;
compare them within one run.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import threading
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from types import CodeType, FrameType
from typing import Final, NamedTuple

import uvloop

import catinthebox
from bench.load_client import Ours, Table
from bench.load_ours import Nobody, Unread
from catinthebox.server.composition import opened
from catinthebox.server.http.app import application
from catinthebox.server.live.randomness import Randomness
from catinthebox.server.ops.config import Config
from catinthebox.server.ops.limits import Limits
from catinthebox.server.ops.logs import Logs
from catinthebox.server.ops.run import Server, uvicorn_config

SEATS: Final = 4
SETUP: Final = 2 * SEATS  # discards and bids come before the first card
TRIES: Final = 4
LOOPS: Final = 500
SPINS: Final = 40
QUIET: Final = 0.004  # seconds in which nothing happens when a move is over
STUCK: Final = 30.0  # seconds
PACKAGE: Final = Path(catinthebox.__file__).parent

CONNECTION: Final = "connection"
STATIONS: Final = {
    CONNECTION: "reads the message, writes the answer",
    "hub": "rate limits, the table's lock, what is due next",
    "decide": "the command against the rules: events or an error",
    "append": "the events into the store, one thread and back",
    "fold": "the events into the table's state",
    "broadcast": "a frame for every audience, written to its socket",
}
MODULES: Final = {  # under src/catinthebox; any other function belongs to the station that calls it
    "server/access": "hub",
    "server/live/hub": "hub",
    "server/live/scheduler": "hub",
    "table/decide": "decide",
    "store/": "append",
    "server/live/thread_bridge": "append",
    "table/fold": "fold",
    "table/broadcaster": "broadcast",
    "server/live/live_table": "broadcast",
}


# ── Recording ────────────────────────────────────────────────────────────────────────────────


class Event(NamedTuple):
    """A function that was entered (or resumed), or left (or suspended), on one thread.

    Calls of functions written in C are recorded only for their time; their code is None.
    """

    code: CodeType | None
    entered: bool
    waits: bool  # it is a lock that the thread waits for
    began: int  # nanoseconds, when the recorder was called …
    ended: int  # … and when it had taken this down


class Track(NamedTuple):
    """What one thread did in its whole life, and the number of the first event of the move."""

    events: Sequence[Event]
    start: int


class Recorder:
    """Records the calls of every thread that it watches, all the time."""

    def __init__(self) -> None:
        self.threads: dict[int, list[Event]] = {}

    def watch(self) -> None:
        """Record this thread from here on."""
        sys.setprofile(self)

    def __call__(self, frame: FrameType, event: str, arg: object) -> None:
        """Take an event down; this is what Python calls at each of them."""
        began = time.perf_counter_ns()
        events = self.threads.setdefault(threading.get_ident(), [])
        code = frame.f_code if event in ("call", "return") else None
        waits = event == "c_call" and getattr(arg, "__name__", "") == "acquire"
        events.append(Event(code, event == "call", waits, began, time.perf_counter_ns()))

    def mark(self) -> dict[int, int]:
        """Return how many events each thread has so far."""
        return {thread: len(events) for thread, events in self.threads.items()}


def lag() -> float:
    """Measure the nanoseconds that recording adds to each event beside those it can see itself."""

    def step() -> int:
        return len("")

    def spin() -> int:
        begin = time.perf_counter_ns()
        for _ in range(LOOPS):
            step()
        return time.perf_counter_ns() - begin

    def recorded() -> tuple[int, int]:
        recorder = Recorder()
        recorder.watch()
        spin()
        sys.setprofile(None)
        events = recorder.threads[threading.get_ident()]
        return sum(now.began - last.ended for last, now in pairwise(events)), len(events)

    plain = min(spin() for _ in range(SPINS))
    seen, events = min(recorded() for _ in range(SPINS))
    return max(0.0, (seen - plain) / events)


# ── A server and its players ─────────────────────────────────────────────────────────────────


@contextmanager
def server(recorder: Recorder, seed: int) -> Iterator[int]:
    """Run a server in a recorded thread, and record the threads that it starts; yield its port."""
    ready, running = threading.Event(), []

    async def serve(folder: str) -> None:
        config = Config(db=Path(folder) / "games.db", port=0, limits=Limits.unlimited())
        logs = Logs.on(Unread(), time.time, bytes(32))
        async with opened(config, logs, Nobody(), Randomness(Random(seed))) as parts:
            one = Server(uvicorn_config(config, application(parts)), parts)
            running.append(one)
            task = asyncio.create_task(one.serve())
            while not one.started:
                await asyncio.sleep(0.01)
            ready.set()
            await task

    def run() -> None:
        recorder.watch()
        with TemporaryDirectory() as folder:
            uvloop.run(serve(folder))

    threading.setprofile(recorder)
    thread = threading.Thread(target=run)
    thread.start()
    try:
        assert ready.wait(STUCK), "the server does not start"
        threading.setprofile(None)
        yield running[0].port
    finally:
        for one in running:
            one.should_exit = True
        thread.join(STUCK)


@asynccontextmanager
async def players(port: int) -> AsyncIterator[tuple[Ours, Table]]:
    """Connect four players to a table and start the game."""
    driver = Ours(f"http://127.0.0.1:{port}")
    table = await driver.seat(0)
    try:
        yield driver, table
    finally:
        for socket in table.seats:
            socket.fail = lambda _: None  # closing the connection is no failure now
            socket.transport.close()


async def move(driver: Ours, table: Table) -> None:
    """Make the next move; return when all four players know it."""
    await driver.sent_and_known(table, *driver.move(table))


async def record(port: int, recorder: Recorder, card: int) -> list[Track]:
    """Play as far as a card of the first round; return what each thread did for that card."""
    async with players(port) as (driver, table):
        for _ in range(SETUP + card - 1):
            await move(driver, table)
        await quiet(recorder)
        before = recorder.mark()
        await move(driver, table)
        await quiet(recorder)
        after = recorder.mark()
    return [
        Track(recorder.threads[thread][:last], before.get(thread, 0))
        for thread, last in after.items()
    ]


async def quiet(recorder: Recorder) -> None:
    """Wait until nothing happens any more: the last frame was read, the writer thread sleeps."""
    last: dict[int, int] = {}
    while last != (last := recorder.mark()):
        await asyncio.sleep(QUIET)


# ── Stations ─────────────────────────────────────────────────────────────────────────────────


class Call(NamedTuple):
    """A function that was called for the move: at which station, how deep in the stack."""

    code: CodeType
    station: str
    depth: int

    @property
    def ours(self) -> bool:
        """Whether it is a function of this package."""
        return self.code.co_filename.startswith(str(PACKAGE))


@dataclass
class Walk:
    """All calls of one move, and the nanoseconds that each station took."""

    calls: list[Call] = field(default_factory=list)
    spent: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))

    def follow(self, track: Track, lag: float) -> None:
        """Add what one thread did; its whole life says which functions were under way before."""
        stations = [CONNECTION]
        for event in track.events[: track.start]:
            enter_or_leave(stations, event)
        base = lowest(len(stations), track.events[track.start :])
        last: Event | None = None
        for event in track.events[track.start :]:
            if last is not None and not last.waits and len(stations) > base:
                self.spent[stations[-1]] += max(0.0, event.began - last.ended - lag)
            enter_or_leave(stations, event)
            if event.entered and event.code is not None:
                self.calls.append(Call(event.code, stations[-1], len(stations) - base))
            last = event

    def at(self, station: str) -> list[Call]:
        """Return the calls of one station."""
        return [call for call in self.calls if call.station == station]


def enter_or_leave(stations: list[str], event: Event) -> None:
    """Keep the stations of the functions that are under way, the innermost one last."""
    if event.code is None:
        return
    if event.entered:
        stations.append(station_of(event.code) or stations[-1])
    elif len(stations) > 1:
        stations.pop()


def lowest(depth: int, events: Sequence[Event]) -> int:
    """Return the smallest depth of a stack that begins at `depth`; there the thread only waits."""
    steps = (0 if event.code is None else 1 if event.entered else -1 for event in events)
    return max(1, min(accumulate(steps, initial=depth)))


def station_of(code: CodeType) -> str | None:
    """Return the station that a function's module belongs to, if it says."""
    if not code.co_filename.startswith(str(PACKAGE)):
        return None
    module = Path(code.co_filename).relative_to(PACKAGE).as_posix()
    return next((name for start, name in MODULES.items() if module.startswith(start)), None)


def walk(card: int, seed: int) -> Walk:
    """Record a move several times; return the fewest calls, and the least time of each station.

    A timer that fires meanwhile adds calls, and so do caches that are empty at first.
    """
    delay = lag()
    walks = [walk_once(card, seed, delay) for _ in range(TRIES)]
    best = min(walks, key=lambda one: len(one.calls))
    for station in STATIONS:
        best.spent[station] = min(one.spent[station] for one in walks)
    return best


def walk_once(card: int, seed: int, lag: float) -> Walk:
    """Record a move on a new server."""
    recorder, found = Recorder(), Walk()
    with server(recorder, seed) as port:
        for track in asyncio.run(record(port, recorder, card)):
            found.follow(track, lag)
    return found


# ── The table ────────────────────────────────────────────────────────────────────────────────


def row(name: str, calls: Sequence[Call], nanoseconds: float) -> str:
    """Return one line of the table."""
    ours = [call for call in calls if call.ours]
    functions = {call.code for call in ours}
    files = {call.code.co_filename for call in ours}
    depth = max((call.depth for call in calls), default=0)
    return (
        f"| {name} | {len(ours)} | {len(functions)} | {len(files)} | {len(calls) - len(ours)} "
        f"| {depth} | {nanoseconds / 1e3:,.0f} |"
    )


def table(found: Walk) -> Iterator[str]:
    """Yield the lines of the table, in Markdown."""
    yield "| station | calls | functions | files | calls of libraries | depth | µs |"
    yield "|---|---:|---:|---:|---:|---:|---:|"
    for station, what in STATIONS.items():
        yield row(f"**{station}**: {what}", found.at(station), found.spent[station])
    yield row("**one move**", found.calls, sum(found.spent.values()))


def functions(found: Walk) -> Iterator[str]:
    """Yield every call in its order, indented by its depth."""
    for call in found.calls:
        file = Path(call.code.co_filename)
        where = file.relative_to(PACKAGE).as_posix() if call.ours else file.name
        yield f"{call.station:10} {'  ' * call.depth}{call.code.co_qualname}  ({where})"


def main() -> None:
    """Print the walk."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--card", type=int, default=2, help="of the first round, from 1")
    parser.add_argument("--seed", type=int, default=7, help="of the deals")
    parser.add_argument("--functions", action="store_true", help="print every call, too")
    options = parser.parse_args()
    found = walk(options.card, options.seed)
    if options.functions:
        print("\n".join(functions(found)), end="\n\n")
    print("\n".join(table(found)))


if __name__ == "__main__":
    main()
