"""People at the tables of real servers: what they know comes from their lines alone.

Everybody keeps a copy of the table, every message that told them something, and every command with
its answer. When a line breaks they come back and say what they have seen; a command without an
answer is sent again under its id.
"""

from __future__ import annotations

import asyncio
from base64 import urlsafe_b64encode
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec
from cli.hosted import SECONDS
from crash.doors import HERE, Way, post
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

from catinthebox import Action
from catinthebox.server.wire import Asked, Beat, Bye, Do, FromServer, Hello, Pong, encode
from catinthebox.table import (
    PRESETS,
    Act,
    AddBot,
    Ready,
    Rematch,
    Say,
    Sit,
    Start,
    heard,
    token_hash,
)
from catinthebox.table.codec import Codec
from catinthebox.table.messages import Done, Frame, Refused, Snapshot

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

MESSAGES: Final = Codec[FromServer](FromServer)
ENCODER: Final = msgspec.json.Encoder(enc_hook=str)
PASSING: Final = ("server.", "limit.")  # what is refused like this may be asked for again
LOST: Final = (OSError, EOFError, ConnectionClosed, InvalidHandshake, InvalidMessage)
NAMES: Final = ("Ada", "Bohr", "Curie", "Dirac", "Emmy")
BOT: Final = "gentle"


class Told(NamedTuple):
    """A frame or a snapshot as it came, and whom it was for."""

    version: int
    seat: int | None
    line: bytes


class Asking(NamedTuple):
    """A command that waits for its answer."""

    id: str
    command: Asked


# ── One of them ──────────────────────────────────────────────────────────────────────────────


class Person:
    """Somebody who plays, whatever becomes of the server."""

    def __init__(self, party: Party, name: str, way: Way, chance: Random) -> None:
        self.party = party
        self.name = name
        self.way = way
        self.chance = chance
        self.token = urlsafe_b64encode(chance.randbytes(32)).rstrip(b"=").decode()
        self.address = f"10.{chance.randrange(256)}.{chance.randrange(256)}.7"
        self.copy: Snapshot | None = None
        self.told: list[Told] = []
        self.sent: dict[str, Asked] = {}
        self.done: list[Done] = []  # also the acknowledgements in frames
        self.refused: list[Refused] = []
        self.asking: Asking | None = None
        self.lines = 0  # that were opened so far, and began to tell something
        self.also: Way | None = None  # another server, which is sent the same commands
        self.acts: Callable[[Snapshot], bool] = lambda seen: True  # whether they go on now
        self._line: ClientConnection | None = None

    @property
    def who(self) -> str:
        """The name by which tables know this person."""
        return token_hash(self.token)

    @property
    def version(self) -> int:
        """The last version that was seen."""
        return 0 if self.copy is None else self.copy.version

    @property
    def seen(self) -> Snapshot:
        """The table, as far as it was told."""
        assert self.copy is not None, f"{self.name} has seen nothing yet"
        return self.copy

    @property
    def late(self) -> int:
        """How many commands had been carried out by a server that died before it could say so."""
        told = Counter(done.id for done in self.done)
        return sum(told[id] == 1 and not isinstance(self.sent[id], Sit) for id in told)

    def sees(self, so: Callable[[Snapshot], bool]) -> bool:
        """Whether something is so, by what was told."""
        return self.copy is not None and so(self.copy)

    # ── The line ─────────────────────────────────────────────────────────────────────────────

    async def live(self) -> None:
        """Come, and come back, for ever."""
        while True:
            table, port = await self.party.opened(), await self.way.port()
            with suppress(*LOST):
                await self._visit(f"ws://{HERE}:{port}/api/v1/tables/{table}/socket")
            self._line = None
            await asyncio.sleep(self.chance.uniform(0.0, 0.03))

    async def _visit(self, url: str) -> None:
        """Hold a line until it breaks, or leads to the wrong place."""
        headers = {"X-Forwarded-For": self.address}
        async with connect(
            url, additional_headers=headers, compression=None, ping_interval=None, proxy=None
        ) as line:
            copy = self.copy
            await line.send(encode(Hello(self.token, copy and copy.version)).decode())
            if self.asking is not None:
                await self._send(line, self.asking)
            async for message in line:
                assert isinstance(message, str)
                self.lines += self._line is None
                self._line = line
                self.hear(message.encode())
                await self._go_on(line)

    @property
    def connected(self) -> bool:
        """Whether there is a line that has told something."""
        return self._line is not None

    async def nudge(self) -> None:
        """Let them look at the table once more."""
        if self._line is not None:
            with suppress(*LOST):
                await self._go_on(self._line)

    # ── Hearing ──────────────────────────────────────────────────────────────────────────────

    def hear(self, line: bytes) -> None:
        """Take a message in; versions go up by one, but for snapshots, and never down."""
        message = MESSAGES.read(line)
        match message:
            case Snapshot():
                assert message.version >= self.version, f"back from {self.version} to {message}"
                self.copy = message
                self.told.append(Told(message.version, message.seat, line))
            case Frame():
                seen = self.seen
                assert message.version == seen.version + 1, f"after {seen.version}: {message}"
                self.copy = heard(seen, message)
                self.told.append(Told(message.version, seen.seat, line))
                if message.ack:
                    self.done.append(Done(message.ack, message.version))
            case Done(id):
                self.done.append(message)
                self._answered(id)
            case Refused(id):
                assert message.code != "server.failure", message
                self.refused.append(message)
                if not message.code.startswith(PASSING):
                    self._answered(id)
            case _:
                assert isinstance(message, Beat | Pong | Bye), message

    def _answered(self, id: str) -> None:
        if self.asking is not None and self.asking.id == id:
            self.asking = None
            self.party.crowd.figures["answers"] += 1

    # ── Asking ───────────────────────────────────────────────────────────────────────────────

    async def _go_on(self, line: ClientConnection) -> None:
        """Do what is to be done next, if nothing is waited for."""
        if self.asking is None:
            command = None if self.copy is None else self._wish(self.copy)
            if command is not None:
                await self._ask(line, command)
        elif self.refused and self.refused[-1].id == self.asking.id:
            await asyncio.sleep(0.1)  # refused for a reason that passes
            await self._send(line, self.asking)

    async def _ask(self, line: ClientConnection, command: Asked) -> None:
        self.asking = Asking(f"{self.name}-{len(self.sent)}", command)
        self.sent[self.asking.id] = command
        await self._send(line, self.asking)

    async def _send(self, line: ClientConnection, asking: Asking) -> None:
        """Send a command, sometimes twice, and to another server besides."""
        text = ENCODER.encode(Do(asking.id, asking.command)).decode()
        if self.also is not None and self.chance.random() < 0.3:
            self.party.crowd.begin(self._send_elsewhere(await self.also.port(), asking))
        for _ in range(2 if self.chance.random() < 0.05 else 1):
            await line.send(text)

    async def _send_elsewhere(self, port: int, asking: Asking) -> None:
        body = msgspec.to_builtins({"id": asking.id, "command": asking.command}, enc_hook=str)
        path = f"/tables/{await self.party.opened()}/commands"
        answer = await post(port, path, body, self.token, self.address)
        if answer is not None:  # what is to be done next the line says
            said = MESSAGES.read_loosely(ENCODER.encode(answer))
            assert isinstance(said, Done | Refused), said
            (self.done if isinstance(said, Done) else self.refused).append(said)  # type: ignore

    def _wish(self, seen: Snapshot) -> Asked | None:
        """Give what this person wants to do now, if anything."""
        party, stage, me = self.party, seen.room.stage, seen.seat
        if me is None:
            return Sit(self.name, nonce=self.chance.randbytes(32).hex())
        if not self.acts(seen):
            return None
        if stage == "lobby":
            return party.arrange(seen) if seen.seats.host == me else None
        if stage == "play" and me in seen.turn.to_act:
            assert seen.own is not None
            assert seen.own.legal
            if self.chance.random() < 0.02:
                return Say(self.chance.choice(PRESETS))
            return Act(Action(self.chance.choice(seen.own.legal)), turn=seen.turn.turn)
        if me in seen.room.ready:
            return None
        if stage == "between":
            return Ready()
        assert seen.game is not None
        again = stage == "over" and seen.game.number < party.games
        return Rematch(self.chance.randbytes(32).hex()) if again else None


# ── All of them ──────────────────────────────────────────────────────────────────────────────


class Party:
    """A table: the people who come to it, and the bots that they bring."""

    def __init__(self, crowd: Crowd, ways: Sequence[Way], players: int, **settings: object) -> None:
        self.crowd = crowd
        self.players = players
        self.games = 1_000_000  # how many they want to play
        self.settings = {"players": players, "cover": BOT, **settings}
        chances = [Random(crowd.chance.random()) for _ in ways]
        names = zip(NAMES, ways, chances, strict=False)
        self.people = [Person(self, *each) for each in names]
        self._table: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    @property
    def table(self) -> str:
        """The id of the table."""
        return self._table.result()

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
        """Wait for the table, and give its id."""
        return await asyncio.shield(self._table)

    def arrange(self, seen: Snapshot) -> Asked | None:
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
        seen = person.copy
        over = seen is not None and seen.game is not None and seen.room.stage == "over"
        return over and seen.game.number >= self.games and person.asking is None


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

    def begin(self, work: Awaitable[None]) -> None:
        """Let something be done meanwhile."""
        assert self._tasks is not None

        async def done() -> None:
            await work

        self._tasks.create_task(done())

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


async def until(so: Callable[[], object], what: str, seconds: float = SECONDS) -> None:
    """Wait until something is so."""
    try:
        async with asyncio.timeout(seconds):
            while not so():
                await asyncio.sleep(0.003)
    except TimeoutError:
        raise AssertionError(f"it never came: {what}") from None
