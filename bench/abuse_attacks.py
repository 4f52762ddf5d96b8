"""What the abuse bench does to a server, one class for each way.

An attack is prepared before anything is measured, goes on for some seconds while honest players are
measured, and then reports its outcome. Each one is bounded: in addresses, tables, connections,
messages and time.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, replace
from itertools import count, cycle
from time import perf_counter
from typing import ClassVar, Final, Self

from websockets.exceptions import ConnectionClosed

from bench.abuse_player import Kind, Person
from bench.abuse_visitor import API, Answer, Connection, TurnedAway, Visitor, address, token

AT_ONCE: Final = 4  # requests that one address has under way
BREATH: Final = 0.01  # seconds between two requests, so that the bench itself stays responsive
REFUSED: Final = 0.1  # seconds that an attacker waits after a refusal: a refusal costs nobody much
PAST: Final = 5.0  # seconds after its end in which an attack must have stopped


@dataclass(frozen=True)
class Sizes:
    """How large the attacks are; the defaults are those that found something."""

    replay_addresses: int = 4
    replay_games: int = 2
    replay_seats: int = 4  # at each of their tables: four make four rounds
    bot_addresses: int = 12
    bot_tables: int = 25  # per address
    watcher_addresses: int = 8  # half of them at each of two tables
    watchers: int = 64  # per address
    chat_addresses: int = 4
    chat_people: int = 12  # throw-away tokens
    chat_lines: int = 5  # of each of them
    returns: int = 5  # times that a removed player sits down again

    def tiny(self) -> Self:
        """Return sizes for a test of the bench itself."""
        return replace(
            self,
            **{"replay_addresses": 2, "replay_games": 1, "bot_addresses": 2, "bot_tables": 2},
            **{
                "replay_seats": 2,
                "watcher_addresses": 2,
                "watchers": 3,
                "chat_people": 3,
                "returns": 1,
            },
        )


class Attack(ABC):
    """One way to abuse a server, aimed at it and at the table of honest players there."""

    name: ClassVar[str]
    finding: ClassVar[int]
    kind: ClassVar[Kind]  # which honest players notice it

    @abstractmethod
    def __init__(self, url: str, table: str, sizes: Sizes) -> None: ...

    @property
    @abstractmethod
    def tried(self) -> str:
        """What is done, for the printed table."""

    async def prepare(self, stack: AsyncExitStack) -> None:  # noqa: B027 (some need nothing)
        """Do what needs to be done before anything is measured."""

    @abstractmethod
    async def go_on(self, seconds: float) -> None:
        """Attack for some time."""

    @abstractmethod
    async def outcome(self) -> str:
        """Describe the outcome, for the printed table."""


async def for_a_while(seconds: float, *attempts: Callable[[], Awaitable[object]]) -> None:
    """Repeat each of several attempts, all at the same time, until the time is over."""
    end = perf_counter() + seconds

    async def repeat(attempt: Callable[[], Awaitable[object]]) -> None:
        while perf_counter() < end:
            with suppress(TurnedAway):
                await attempt()
            await asyncio.sleep(BREATH)

    with suppress(TimeoutError):
        async with asyncio.timeout(seconds + PAST), asyncio.TaskGroup() as tasks:
            for attempt in attempts:
                tasks.create_task(repeat(attempt))


async def at_once(most: int, jobs: list[Coroutine[object, object, None]]) -> None:
    """Do many things, some at a time; being turned away is no error."""
    gate = asyncio.Semaphore(most)

    async def one(job: Coroutine[object, object, None]) -> None:
        async with gate:
            with suppress(TurnedAway):
                await job

    await asyncio.gather(*map(one, jobs))


def counts(statuses: Counter[int]) -> str:
    """Write how often each status was answered.

    >>> counts(Counter({200: 3, 429: 40, 0: 1}))
    '200 ×3, 429 ×40, none ×1'
    """
    ordered = sorted(statuses.items(), key=lambda one: one[0] or 1000)
    return ", ".join(f"{status or 'none'} ×{number}" for status, number in ordered)


# ── Finding 1 ────────────────────────────────────────────────────────────────────────────────


class Replays(Attack):
    """Asks for replays of finished games, by link and by record, as fast as it can."""

    name, finding, kind = "replays", 1, "people"

    def __init__(self, url: str, table: str, sizes: Sizes) -> None:
        self.addresses = sizes.replay_addresses
        self.games = sizes.replay_games
        self.seats = sizes.replay_seats
        self.visitors = [Visitor(url, address(number)) for number in range(self.addresses)]
        self.statuses: dict[str, Counter[int]] = {"GET": Counter(), "POST": Counter()}
        self.paths: list[str] = []
        self.records: list[str] = []

    @property
    def tried(self) -> str:
        """What is done."""
        return f"replays of {self.games} games, GET and POST, from {self.addresses} addresses"

    async def prepare(self, stack: AsyncExitStack) -> None:
        """Play the games to their ends."""
        url = self.visitors[0].url
        playing = (
            finished_game(Visitor(url, address(100 + n)), self.seats) for n in range(self.games)
        )
        for table in await asyncio.gather(*playing):
            game = f"{API}/{table}/games/1"
            record = await self.visitors[0].get(f"{game}/record.cat")
            self.paths.append(f"{game}/replay.json")
            self.records.append(record.body.decode())

    async def go_on(self, seconds: float) -> None:
        """Ask from every address."""
        posts = count()

        def attempt(visitor: Visitor) -> Callable[[], Awaitable[None]]:
            paths, records = cycle(self.paths), cycle(self.records)

            async def ask() -> None:
                await self._noted("GET", visitor.get(next(paths)))
                # Blank lines make it another record for a cache that compares bytes.
                record = next(records) + "\n" * (next(posts) % 500)
                await self._noted("POST", visitor.post("/api/v1/replay", {"record": record}))

            return ask

        await for_a_while(seconds, *(attempt(one) for one in self.visitors for _ in range(AT_ONCE)))

    async def _noted(self, method: str, answer: Awaitable[Answer]) -> None:
        """Count an answer; a clever attacker waits a moment where there is nothing to be had."""
        status = (await answer).status
        self.statuses[method][status] += 1
        if status != 200:
            await asyncio.sleep(REFUSED)

    async def outcome(self) -> str:
        """Which answers came."""
        return "; ".join(f"{method} {counts(seen)}" for method, seen in self.statuses.items())


async def finished_game(visitor: Visitor, players: int) -> str:
    """Let people play a game to its end, and return the table."""
    async with AsyncExitStack() as stack:
        tokens = [token() for _ in range(players)]
        table = await visitor.open(tokens[0], settings={"players": players}, name="Player 1")
        connections = [
            await stack.enter_async_context(visitor.connection(table, one)) for one in tokens
        ]
        for number, connection in enumerate(connections[1:], 2):
            await connection.do(type="Sit", name=f"Player {number}")
        await connections[0].do(type="Start")
        await asyncio.gather(*map(_until_over, connections))
    return table


async def _until_over(connection: Connection) -> None:
    person = Person(connection)
    while connection.stage != "over":
        if connection.legal:
            if not await person.tried():
                await asyncio.sleep(0.1)  # too fast for the server's limits
        elif connection.wanted:
            await connection.do(type=connection.wanted)
        else:
            await connection.receive()


# ── Finding 2 ────────────────────────────────────────────────────────────────────────────────


class Pauses(Attack):
    """Plays at the honest player's table, and stops the time whenever it goes on."""

    name, finding, kind = "pauses", 2, "guest"

    def __init__(self, url: str, table: str, sizes: Sizes) -> None:
        self.visitor = Visitor(url, address(0))
        self.table = table
        self.pausing = False
        self.answers: Counter[str] = Counter()

    @property
    def tried(self) -> str:
        """What is done."""
        return "one of two players pauses after every resume"

    async def prepare(self, stack: AsyncExitStack) -> None:
        """Sit down, and play as anybody would for now."""
        connection = await stack.enter_async_context(self.visitor.connection(self.table, token()))
        await connection.do(type="Sit", name="Mallory")
        playing = asyncio.create_task(self._play(connection))
        stack.callback(playing.cancel)

    async def _play(self, connection: Connection) -> None:
        person = Person(connection)
        while True:
            if connection.legal:
                await person.tried()
            elif self.pausing and connection.stage == "play" and not connection.paused:
                answer = await connection.do(type="Pause")
                self.answers[answer.get("code") or "Done"] += 1
                if answer["type"] == "Refused":
                    await connection.receive()  # and try again when something has happened
            elif connection.wanted:
                await connection.do(type=connection.wanted)
            else:
                await connection.receive()

    async def go_on(self, seconds: float) -> None:
        """Pause from now on."""
        self.pausing = True
        await asyncio.sleep(seconds)
        self.pausing = False

    async def outcome(self) -> str:
        """How many pauses were granted."""
        done, refused = self.answers["Done"], self.answers.total() - self.answers["Done"]
        return f"{done} pauses, {refused} refused"


# ── Finding 3 ────────────────────────────────────────────────────────────────────────────────


class BotTables(Attack):
    """Opens tables of nothing but bots, which then think all the time."""

    name, finding, kind = "bots", 3, "bot"

    def __init__(self, url: str, table: str, sizes: Sizes) -> None:
        self.visitors = [Visitor(url, address(number)) for number in range(sizes.bot_addresses)]
        self.tables = sizes.bot_tables
        self.opened = self.refused = 0

    @property
    def tried(self) -> str:
        """What is done."""
        addresses = len(self.visitors)
        return f"{addresses * self.tables} tables of five bots from {addresses} addresses"

    async def go_on(self, seconds: float) -> None:
        """Open the tables, then let their bots think."""
        end = perf_counter() + seconds
        jobs = [self._open(visitor) for _ in range(self.tables) for visitor in self.visitors]
        await at_once(AT_ONCE, jobs)
        await asyncio.sleep(max(0.0, end - perf_counter()))

    async def _open(self, visitor: Visitor) -> None:
        body = {"settings": {"players": 5, "look_ms": 0}, "bots": [{"level": "fierce"}] * 5}
        answer = await visitor.post(API, {**body, "start": True}, token())
        self.opened += answer.status == 201
        self.refused += answer.status != 201

    async def outcome(self) -> str:
        """How many tables there were."""
        return f"{self.opened} tables opened, {self.refused} refused"


# ── Finding 5 ────────────────────────────────────────────────────────────────────────────────


class Spectators(Attack):
    """Fills two tables with spectators: that of the honest players, and one with a free seat."""

    name, finding, kind = "spectators", 5, "people"

    def __init__(self, url: str, table: str, sizes: Sizes) -> None:
        self.visitors = [Visitor(url, address(number)) for number in range(sizes.watcher_addresses)]
        self.each = sizes.watchers
        self.full = table
        self.lobby = ""
        self.host = token()
        self.watching = 0
        self.came: dict[str, list[bool]] = {"host back": [], "friend in": []}

    @property
    def tried(self) -> str:
        """What is done."""
        each, addresses = len(self.visitors) * self.each // 2, len(self.visitors)
        return f"{each} spectators at each of two tables, from {addresses} addresses"

    async def prepare(self, stack: AsyncExitStack) -> None:
        """Open a table for one person more, and fill both."""
        owner = Visitor(self.visitors[0].url, address(100))
        self.lobby = await owner.open(self.host, settings={"players": 5}, name="Host")
        self._stack = stack

    async def go_on(self, seconds: float) -> None:
        """Fill both tables; meanwhile the host comes back, and friends come in and sit down."""
        end = perf_counter() + seconds
        jobs = [
            self._watch(visitor, table)
            for _ in range(self.each)
            for visitor, table in zip(self.visitors, cycle((self.full, self.lobby)), strict=False)
        ]
        await at_once(2 * AT_ONCE, jobs)
        for number in range(3):
            await self._come(number)
        await asyncio.sleep(max(0.0, end - perf_counter()))

    async def _watch(self, visitor: Visitor, table: str) -> None:
        connection = await self._stack.enter_async_context(visitor.connection(table, token()))
        self.watching += 1
        reading = asyncio.create_task(_read(connection))
        self._stack.callback(reading.cancel)

    async def _come(self, number: int) -> None:
        url = self.visitors[0].url
        host = await _lets_in(Visitor(url, address(100)), self.lobby, self.host)
        self.came["host back"].append(host)
        friend = Visitor(url, address(101 + number))
        came = await _lets_in(friend, self.lobby, token(), name=f"Friend {number}")
        self.came["friend in"].append(came)

    async def outcome(self) -> str:
        """Who was let in."""
        came = (f"{who} {sum(tries)} of {len(tries)}" for who, tries in self.came.items())
        return f"{self.watching} let in to watch; {', '.join(came)}"


async def _read(connection: Connection) -> None:
    with suppress(ConnectionClosed):
        while True:
            await connection.socket.recv()


async def _lets_in(visitor: Visitor, table: str, who: str, name: str = "") -> bool:
    """Whether somebody can come to a table and, if they have a name for it, sit down there."""
    try:
        async with visitor.connection(table, who) as connection:
            answer = await connection.do(type="Sit", name=name) if name else {"type": "Done"}
            return bool(answer["type"] == "Done")
    except TurnedAway:
        return False


# ── Finding 7 ────────────────────────────────────────────────────────────────────────────────


class Chats(Attack):
    """Talks at a table under many throw-away tokens, and comes back after it was sent away."""

    name, finding, kind = "chat", 7, "people"

    def __init__(self, url: str, table: str, sizes: Sizes) -> None:
        self.sizes = sizes
        self.visitors = [Visitor(url, address(number)) for number in range(sizes.chat_addresses)]
        self.owner = Visitor(url, address(100))
        self.host = token()
        self.table = ""
        self.said = self.lines = 0
        self.returned: list[bool] = []

    @property
    def tried(self) -> str:
        """What is done."""
        sizes = self.sizes
        lines = sizes.chat_people * sizes.chat_lines
        return (
            f"{lines} lines under {sizes.chat_people} tokens from {sizes.chat_addresses} "
            "addresses; a removed player sits down again"
        )

    async def prepare(self, stack: AsyncExitStack) -> None:
        """Open a table whose host has said something."""
        self.table = await self.owner.open(self.host, settings={"players": 5}, name="Host")
        for number in range(self.sizes.chat_lines):
            answer = await self._say(self.owner, self.host, f"h{number}", "well_played")
            self.lines += answer

    async def _say(self, visitor: Visitor, who: str, id: str, text: str) -> bool:
        answer = await visitor.do(self.table, who, id, type="Say", text=text)
        return answer.status == 200

    async def go_on(self, seconds: float) -> None:
        """Talk, then let the host send somebody away who sits down again."""
        end = perf_counter() + seconds
        for number, visitor in zip(range(self.sizes.chat_people), cycle(self.visitors)):
            await self._talk(visitor, token(), number)
        for number in range(self.sizes.returns):
            self.returned.append(await self._return(number))
        await asyncio.sleep(max(0.0, end - perf_counter()))

    async def _talk(self, visitor: Visitor, who: str, number: int) -> None:
        await visitor.do(self.table, who, "sit", type="Sit", name=f"Guest {number}")
        for line in range(self.sizes.chat_lines):
            self.said += await self._say(visitor, who, f"s{line}", "laugh")
        await visitor.do(self.table, who, "leave", type="Leave")

    async def _return(self, number: int) -> bool:
        """Sit down, be removed, and come back twice: as the same person, and as somebody new."""
        visitor, name = self.visitors[number % len(self.visitors)], f"Removed {number}"
        same, other = token(), token()
        sat = await visitor.do(self.table, same, "sit", type="Sit", name=name, seat=1)
        if sat.status != 200:  # an earlier removal still holds for this address
            return False
        await self.owner.do(self.table, self.host, f"kick{number}", type="Kick", seat=1)
        answers = []
        for who in (same, other):
            again = await visitor.do(self.table, who, "again", type="Sit", name=name, seat=1)
            answers.append(again.status)
            await visitor.do(self.table, who, "leave", type="Leave")
        return 200 in answers

    async def outcome(self) -> str:
        """What is left of the host's words, and who came back."""
        snapshot = (await self.owner.get(f"{API}/{self.table}", self.host)).json
        kept = sum(line["text"] == "well_played" for line in snapshot["chat"])
        returned = f"{sum(self.returned)} of {len(self.returned)} removals did not hold"
        return f"{self.said} lines accepted; {kept} of the host's {self.lines} kept; {returned}"


ATTACKS: Final[tuple[type[Attack], ...]] = (Replays, Pauses, BotTables, Spectators, Chats)
