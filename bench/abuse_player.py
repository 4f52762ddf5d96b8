"""Honest players for the abuse bench, in their own process so that nothing else slows them.

    python -m bench.abuse_player people http://127.0.0.1:8123

Kinds: `people` (two people against each other), `bot` (one person and one bot), `guest` (one person
and a seat for somebody who comes by the link). The first line that it prints names the table. Then
each line of its standard input, a number of seconds, is answered by a line with a `Report`.

What is measured for `people` and `guest` is the time from a person's first try to move until the
server says that it is done; for `bot`, how long each move of the bot takes.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass
from time import perf_counter
from typing import Final, Literal

from bench.abuse_visitor import Connection, TurnedAway, Visitor, token

HERE: Final = "192.0.2.254"  # the players' own address, which no attacker uses
THINK: Final = 0.1  # seconds until a person moves
AGAIN: Final = 0.05  # seconds until a person tries again what was refused
SETTINGS: Final = {"players": 2, "look_ms": 1000, "chat": "preset"}

Kind = Literal["people", "bot", "guest"]


# ── Figures ──────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Report:
    """What honest players saw in some time; times are milliseconds."""

    moves: int
    tries: int
    p50: float
    p99: float
    most: float

    @classmethod
    def of(cls, seconds: list[float], moves: int, tries: int) -> Report:
        """Summarize the times of some moves.

        >>> Report.of([0.002, 0.001, 0.003], 3, 3)
        Report(moves=3, tries=3, p50=2.0, p99=3.0, most=3.0)
        """
        ordered = sorted(1000 * one for one in seconds)
        p50, p99, most = (quantile(ordered, share) for share in (0.5, 0.99, 1))
        return cls(moves, tries, p50, p99, most)


def quantile(ordered: list[float], share: float) -> float:
    """Return the value that `share` of all are not above; NaN of none at all."""
    if not ordered:
        return float("nan")
    return ordered[min(int(len(ordered) * share), len(ordered) - 1)]


# ── A person ─────────────────────────────────────────────────────────────────────────────────


class Person:
    """Somebody who plays the first legal action, and asks for the next round and the next game."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.begin_anew()

    def begin_anew(self) -> None:
        """Reset the counts."""
        self.moves = self.tries = 0
        self.delays: list[float] = []  # from the first try until it was done
        self.waits: list[float] = []  # for each move of somebody else
        self.trying: float | None = None  # since when a move is tried
        self.waiting: float | None = None  # since when somebody else is to move

    async def play(self) -> None:
        """Play until somebody cancels this."""
        while True:
            if self.connection.legal:
                await self.move()
            elif wanted := self.connection.wanted:
                await self.connection.do(type=wanted)
            else:
                await self.connection.receive()

    async def move(self) -> None:
        """Make one move, however often it takes, and wait until it is the own turn again."""
        await asyncio.sleep(THINK)
        self.trying = perf_counter()
        while self.connection.legal and not await self.tried():
            await asyncio.sleep(AGAIN)
        self.delays.append(perf_counter() - self.trying)
        self.trying = None
        await self.wait()

    async def wait(self) -> None:
        """Wait while others are to move."""
        self.waiting = perf_counter()
        while self.connection.stage == "play" and not self.connection.legal:
            turn = self.connection.known["turn"]["turn"]
            await self.connection.receive()
            if self.connection.known["turn"]["turn"] != turn:
                now = perf_counter()
                self.waits.append(now - self.waiting)
                self.waiting = now
        self.waiting = None

    async def tried(self) -> bool:
        """Try to move, after ending a pause if there is one."""
        if self.connection.paused:
            await self.connection.do(type="Resume")
            await asyncio.sleep(AGAIN)  # people take longer, and so give a script more time
        self.tries += 1
        turn, action = self.connection.known["turn"]["turn"], self.connection.legal[0]
        answer = await self.connection.do(type="Act", action=action, turn=turn)
        self.moves += answer["type"] == "Done"
        return bool(answer["type"] == "Done")


class Party:
    """The honest people of one table."""

    def __init__(self, kind: Kind, people: list[Person]) -> None:
        self.kind = kind
        self.people = people

    async def measure(self, seconds: float) -> Report:
        """Play for a while; what has not ended by then counts with the time that it took so far."""
        for person in self.people:
            person.begin_anew()
        playing = [asyncio.create_task(person.play()) for person in self.people]
        await asyncio.wait(playing, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        delays = [delay for person in self.people for delay in self._delays(person)]
        for task in playing:
            task.cancel()
        await asyncio.wait(playing)
        moves, tries = (sum(counts) for counts in zip(*self._counts(), strict=True))
        return Report.of(delays, moves, tries)

    def _counts(self) -> list[tuple[int, int]]:
        return [(person.moves, person.tries) for person in self.people]

    def _delays(self, person: Person) -> list[float]:
        bot = self.kind == "bot"
        finished, since = (person.waits, person.waiting) if bot else (person.delays, person.trying)
        return finished if since is None else [*finished, perf_counter() - since]


# ── A process ────────────────────────────────────────────────────────────────────────────────


async def seated(kind: Kind, url: str, stack: AsyncExitStack) -> tuple[str, Party]:
    """Open a table, sit down, and begin as soon as every seat is taken."""
    visitor, host = Visitor(url, HERE), token()
    bots = [{"level": "gentle"}] if kind == "bot" else []
    table = await visitor.open(host, settings=SETTINGS, name="Ada", bots=bots, start=bool(bots))
    connections = [await stack.enter_async_context(visitor.connection(table, host))]
    if kind == "people":
        connections.append(await stack.enter_async_context(visitor.connection(table, token())))
        await connections[1].do(type="Sit", name="Ben")
    print(json.dumps({"table": table}), flush=True)
    while connections[0].stage == "lobby":
        if (await connections[0].do(type="Start"))["type"] == "Refused":
            await connections[0].receive()  # somebody sits down
    return table, Party(kind, [Person(connection) for connection in connections])


async def play(kind: Kind, url: str) -> None:
    """Play whenever a line of standard input says so, until there are no more."""
    async with AsyncExitStack() as stack:
        _, party = await seated(kind, url, stack)
        while line := await asyncio.to_thread(sys.stdin.readline):
            print(json.dumps(asdict(await party.measure(float(line)))), flush=True)


def main() -> None:
    """Play."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=("people", "bot", "guest"))
    parser.add_argument("url")
    options = parser.parse_args()
    try:
        asyncio.run(play(options.kind, options.url))
    except TurnedAway as error:
        sys.exit(f"the honest players lost their connection: {error}")


if __name__ == "__main__":
    main()
