"""Tables full of people, and everybody at all of them."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from random import Random
from typing import Final

from crash.people import Person
from crash.servers import Way, post, servers_live
from waiting import HANG

from catinthebox.protocol.commands import ClientCommand
from catinthebox.protocol.messages import Snapshot
from catinthebox.table import AddBot, Start

NAMES: Final = ("Ada", "Bohr", "Curie", "Dirac", "Emmy")
BOT: Final = "gentle"
MANY: Final = 1_000_000  # games


class Party:
    """A table: the people who come to it, and the bots that they bring."""

    def __init__(self, crowd: Crowd, ways: Sequence[Way], players: int, **settings: object) -> None:
        self.crowd = crowd
        self.players = players
        self.games = MANY  # how many they want to play
        self.settings = {"players": players, "cover": BOT, **settings}
        chances = [Random(crowd.chance.random()) for _ in ways]
        names = zip(NAMES, ways, chances, strict=False)
        self.people = [Person(self, *each) for each in names]
        self._table: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    @property
    def table(self) -> str:
        """The key of the table."""
        return self._table.result()

    @property
    def id(self) -> str:
        """What the store calls it."""
        return self.table.rpartition("-")[0]

    @property
    def bots(self) -> int:
        """How many seats are theirs."""
        return self.players - len(self.people)

    @property
    def version(self) -> int:
        """How far anybody has seen."""
        return max(person.version for person in self.people)

    async def open(self) -> None:
        """Let the first of them open the table; if nobody answers, another one."""
        host = self.people[0]
        wanted = {"settings": self.settings, "name": host.name}
        while not self._table.done():
            answer = await post(await host.way.port(), "/tables", wanted, host.token, host.address)
            if answer is not None and "table" in answer:
                self._table.set_result(answer["table"])
            else:
                await asyncio.sleep(0.02)

    async def opened(self) -> str:
        """Wait for the table, and give its key."""
        return await asyncio.shield(self._table)

    def arrange(self, seen: Snapshot) -> ClientCommand | None:
        """Bring the bots once everybody sits, and begin."""
        kinds = [who.kind for who in seen.seats.seats]
        if "empty" not in kinds:
            return Start()
        seated = kinds.count("person") == len(self.people)
        return AddBot(kinds.index("empty"), BOT) if seated else None

    def play_on(self) -> None:
        """Let the game that goes on, or else the next one, be the last."""
        seen = max(self.people, key=lambda person: person.version).copy
        number = 0 if seen is None or seen.game is None else seen.game.number
        over = seen is None or seen.room.stage in ("lobby", "over")
        self.games = number + over

    @property
    def at_rest(self) -> bool:
        """Whether the last game is over, and everybody knows it and waits for nothing."""
        return all(map(self._rests, self.people)) and len({one.version for one in self.people}) == 1

    def _rests(self, person: Person) -> bool:
        return person.asking is None and person.sees(self._over)

    def _over(self, seen: Snapshot) -> bool:
        over = seen.game is not None and seen.game.number >= self.games
        return over and seen.room.stage == "over"


class Crowd:
    """Everybody at every table."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.parties: list[Party] = []
        self.figures: Counter[str] = Counter()
        self._tasks: asyncio.TaskGroup | None = None

    @property
    def people(self) -> list[Person]:
        """Everybody."""
        return [person for party in self.parties for person in party.people]

    def party(self, ways: Sequence[Way], players: int, **settings: object) -> Party:
        """Let some people want a table, each by a way of their own."""
        party = Party(self, ways, players, **settings)
        self.parties.append(party)
        return party

    def begin(self, work: Coroutine[None, None, None]) -> None:
        """Let something be done meanwhile."""
        assert self._tasks is not None
        self._tasks.create_task(work)

    @asynccontextmanager
    async def playing(self) -> AsyncIterator[None]:
        """Let everybody play for a while; a law that they find broken ends it all."""
        async with asyncio.TaskGroup() as self._tasks:
            tasks = [self._tasks.create_task(party.open()) for party in self.parties]
            tasks += [self._tasks.create_task(person.live()) for person in self.people]
            yield
            for task in tasks:
                task.cancel()

    @property
    def in_flight(self) -> int:
        """How many commands wait for an answer."""
        return sum(person.asking is not None for person in self.people)


async def until(
    so: Callable[[], object], what: str, seconds: float = HANG, every: float = 0.003
) -> None:
    """Wait until something is so, and look every so many seconds; all servers have to live."""
    try:
        async with asyncio.timeout(seconds):
            while not so():
                servers_live()
                await asyncio.sleep(every)
    except TimeoutError:
        raise AssertionError(f"it never came: {what}") from None
