"""People of a simulated world: what they know comes from messages alone.

A client keeps a copy of the table, comes back when its connection is lost, and sends a command
again, under the same id, until it is answered. Some wait for ever as long as they believe that
their connection is alive: if nobody wakes them, the world does not come to its end.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Final

import msgspec
from simulation.choices import choose_command
from simulation.clock import milliseconds
from simulation.history import law
from simulation.network import End, LineLost, Outbox
from simulation.serve import SNAPSHOT, Call

from catinthebox.protocol.codec import Codec, encode
from catinthebox.protocol.commands import ClientCommand, CommandBody
from catinthebox.protocol.messages import Done, Frame, Refused, Snapshot
from catinthebox.protocol.stream import Beat, Bye, Do, FromServer, Hello, Ping, Pong, Resync
from catinthebox.table import token_hash

if TYPE_CHECKING:
    from simulation.world import World

MESSAGES: Final = Codec[FromServer](FromServer)
ENCODER: Final = msgspec.json.Encoder(enc_hook=str)
PASSING: Final = ("server.", "limit.")  # what is refused like this may be asked for again
CURIOUS: Final = 0.02  # how often somebody asks whether they know everything
PATIENCE: Final = 12.0  # seconds that a lively client waits for a sign of life


@dataclass(frozen=True)
class Manners:
    """What somebody is like."""

    name: str
    waits: bool = False  # believes in a connection until it is known to be dead
    naps: tuple[int, int] = (10, 200)  # milliseconds between two looks at the table
    restless: float = 0.0  # how often they hang up and come back
    talks: float = 0.0  # how often they do what the game does not need


class Client:
    """One person, or one spectator."""

    def __init__(self, world: World, manners: Manners, token: str) -> None:
        self.manners = manners
        self.name = manners.name
        self.token = token
        self.copy: Snapshot | None = None
        self.outbox = Outbox(world.network)
        self.asleep = False  # gone without a word
        self._world = world
        self._chance: Random = world.loop.chance(self.name)
        self._end: End | None = None
        self._again: set[str] = set()  # refused for a reason that passes
        self._numbers = 0
        self._news = asyncio.Event()
        self._unanswered: dict[str, int] = {}  # on this connection

    @property
    def who(self) -> str:
        """The name by which tables know this person; empty for a spectator without one."""
        return token_hash(self.token) if self.token else ""

    @property
    def talks(self) -> float:
        """How often they do what the game does not need."""
        return self.manners.talks

    @property
    def version(self) -> int:
        """The last version that was seen."""
        return 0 if self.copy is None else self.copy.version

    @property
    def settled(self) -> bool:
        """Whether nothing is waited for, and nothing was missed."""
        waits = self.outbox.open or any(self._unanswered.values())
        return self.asleep or (not waits and self.version == self._world.laws.history.last)

    def _note(self, *words: object) -> None:
        self._world.loop.trace.note(self.name, *words)

    # ── The connection ───────────────────────────────────────────────────────────────────────

    async def live(self) -> None:
        """Come, and come back, for ever."""
        while True:
            await self._until(lambda: not self.asleep)
            with suppress(LineLost, TimeoutError):
                await self._visit()
            await self._nap((20, 300))

    async def _until(self, so: Callable[[], bool]) -> None:
        while not so():
            await self._nap((100, 400))

    async def _nap(self, span: tuple[int, int]) -> None:
        await asyncio.sleep(milliseconds(self._chance, span))

    async def _visit(self) -> None:
        """Hold a connection until it is lost."""
        self._end = end = self._world.dial()
        self._world.laws.figures["visits"] += 1
        self._unanswered.clear()
        try:
            await self._greet(end)
            while (message := await self._receive(end)) is not None:
                if self._end is not end:
                    return  # hung up, and somebody else's by now
                before = self.version
                for line in message.splitlines():
                    self.hear(line)
                if self.version > before and self._chance.random() < self.manners.restless:
                    return
        finally:
            self._end = None
            end.close()

    async def _receive(self, end: End) -> bytes | None:
        if self.manners.waits:
            return await end.receive()
        async with asyncio.timeout(PATIENCE):
            return await end.receive()

    async def _greet(self, end: End) -> None:
        """Say who it is, what was seen, and what was not answered."""
        await end.send(ENCODER.encode(Call("socket")))
        await end.send(encode(Hello(self.token, self._says())))
        for id in self.outbox.open:
            self._counts(end, id)
        await self.outbox.repeat(end)

    def _says(self) -> int | None:
        """Return the version that was seen; sometimes everything is forgotten."""
        if self._chance.random() < 0.1:
            self.copy = None
        version = None if self.copy is None else self.version
        self._note("calls", version)
        return version

    # ── Hearing ──────────────────────────────────────────────────────────────────────────────

    def hear(self, line: bytes) -> None:
        """Take a message in."""
        message, laws = MESSAGES.read(line), self._world.laws
        self._news.set()
        match message:
            case Snapshot():
                self.copy = laws.shown(self.who, self.copy, line, message)
                self._note("sees", message.version)
            case Frame():
                self.copy = laws.received(self.who, self.copy, line, message)
                self._note("hears", message.version)
                self._answered(message.ack)
            case Done(id):
                laws.done(self.who, message)
                self._was_answered(id)
                self._answered(id)
            case Refused(id, code):
                self._was_answered(id)
                self._refused(id, code)
            case Bye(code):
                self._note("bye", code)
            case _:
                law(isinstance(message, Beat | Pong), f"nobody has asked for {message}")

    def _answered(self, id: str) -> None:
        self.outbox.received(id)
        self._again.discard(id)

    def _refused(self, id: str, code: str) -> None:
        self._note("refused", id, code)
        self._world.laws.figures[f"refused {code}"] += 1
        law(code != "server.failure", "the server made a mistake")
        if code.startswith(PASSING):
            self._again.add(id)
        else:
            self._answered(id)

    def _counts(self, end: End, id: str) -> None:
        if end is self._end:
            self._unanswered[id] = self._unanswered.get(id, 0) + 1

    def _was_answered(self, id: str) -> None:
        """Every `Do` has one answer, and there is no answer without one."""
        law(self._unanswered.get(id, 0) > 0, f"{id} was answered more often than asked")
        self._unanswered[id] -= 1

    # ── Asking ───────────────────────────────────────────────────────────────────────────────

    async def think(self) -> None:
        """Look at the copy of the table when something is new, and now and then."""
        while True:
            timer = self._world.loop.call_later(self._chance.uniform(0.2, 1.0), self._news.set)
            await self._news.wait()
            timer.cancel()
            self._news.clear()
            await self._nap(self.manners.naps)
            with suppress(LineLost, TimeoutError):
                await self._look()

    async def _look(self) -> None:
        if self._end is None or self.copy is None or not self.token or self.asleep:
            return
        if self._chance.random() < CURIOUS:
            await self._wonder(self._end)
        elif self._again:
            await self._repeat(self._end)
        elif not self.outbox.open:
            command = choose_command(self._world, self, self.copy, self._chance)
            if command is not None:
                await self.ask(command)

    async def _wonder(self, end: End) -> None:
        """Ask whether all is well."""
        await end.send(encode(self._chance.choice((Resync(), Ping()))))

    async def _repeat(self, end: End) -> None:
        """Ask once more for what was refused for a reason that passes."""
        id = min(self._again)
        self._again.discard(id)
        if id in self.outbox.open:
            await self._send(end, id, self.outbox.open[id])

    async def ask(self, command: ClientCommand) -> None:
        """Ask for something."""
        self._numbers += 1
        id = f"{self.name}-{self._numbers}"
        self._world.laws.asks(self.who, id, command)
        self._world.ground.seen[self.who, id] = self.version
        self._note("asks", id, type(command).__name__)
        assert self._end is not None
        await self._send(self._end, id, self._written(id, command))

    @staticmethod
    def _written(id: str, command: ClientCommand) -> bytes:
        return ENCODER.encode(Do(id, command))

    async def _send(self, end: End, id: str, message: bytes) -> None:
        """Send a command, sometimes twice; it is remembered until it is answered."""
        self.outbox.open[id] = message
        self._counts(end, id)
        await end.send(message)
        while self._world.network.hits(self._world.network.weather.again):
            self._counts(end, id)
            await end.send(message)

    # ── Changes ──────────────────────────────────────────────────────────────────────────────

    def hang_up(self) -> None:
        """End the connection, and come back in a moment."""
        end, self._end = self._end, None
        if end is not None:
            end.close()

    def swap(self, other: Client) -> None:
        """Sit down at each other's device: anyone who has a token is its person."""
        for client in (self, other):
            client.copy = None
            client.hang_up()
        self.token, other.token = other.token, self.token
        self.outbox, other.outbox = other.outbox, self.outbox
        self._again, other._again = other._again, self._again


class Reader(Client):
    """Somebody who reads a stream, and posts every command to whichever worker answers."""

    def _was_answered(self, id: str) -> None:
        """Posts are answered one by one."""

    async def _wonder(self, end: End) -> None:
        """Have a look at the table, wherever that is; the stream may know more, or less."""
        other = self._world.dial()
        try:
            await other.send(ENCODER.encode(Call(SNAPSHOT, self.token)))
            status, answer = await self._receive(other), await self._receive(other)
        finally:
            other.close()
        if status == b"200" and answer is not None:
            self._world.laws.looks(self.who, answer)

    async def _greet(self, end: End) -> None:
        await end.send(ENCODER.encode(Call("events", self.token, self._says())))
        status = await self._receive(end)
        law(status != b"500", "the server made a mistake")

    @staticmethod
    def _written(id: str, command: ClientCommand) -> bytes:
        return ENCODER.encode(CommandBody(id, command))

    async def _send(self, end: End, id: str, message: bytes) -> None:
        self.outbox.open[id] = message
        self._world.begin(self._post(id, message))
        while self._world.network.hits(self._world.network.weather.again):
            self._world.begin(self._post(id, message))

    async def _post(self, id: str, message: bytes) -> None:
        """Ask until there is an answer."""
        call, answered = ENCODER.encode(Call("commands", self.token, body=message.decode())), False
        while not answered and id in self.outbox.open:
            end = self._world.dial()
            self._world.laws.figures["posts"] += 1
            with suppress(LineLost, TimeoutError):
                await end.send(call)
                answered = await self._answer(end)
            end.close()
            await self._nap((20, 300))

    async def _answer(self, end: End) -> bool:
        status, answer = await self._receive(end), await self._receive(end)
        law(status != b"500", "the server made a mistake")
        if answer is None:
            return False
        self.hear(answer)
        return True
