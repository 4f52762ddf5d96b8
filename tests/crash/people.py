"""People at the tables of real servers: what they know comes from their connections alone.

Everybody keeps a copy of the table, every frame and snapshot, and every command with its answer.
When a connection breaks they come back with the version that they have seen; a command without an
answer is sent again under its id.
"""

from __future__ import annotations

import asyncio
from base64 import urlsafe_b64encode
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec
from crash.servers import HERE, Way, post
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from catinthebox import Action
from catinthebox.client.state import apply_frame
from catinthebox.protocol.codec import Codec, encode
from catinthebox.protocol.commands import ClientCommand
from catinthebox.protocol.messages import Done, Frame, Refused, Snapshot
from catinthebox.protocol.stream import Beat, Bye, Do, FromServer, Hello, Pong
from catinthebox.table import PRESETS, Act, Ready, Rematch, Say, Sit, token_hash

if TYPE_CHECKING:
    from crash.parties import Party

MESSAGES: Final = Codec[FromServer](FromServer)
ENCODER: Final = msgspec.json.Encoder(enc_hook=str)
PASSING: Final = ("server.", "limit.")  # what is refused like this may be asked for again
LOST: Final = (OSError, EOFError, ConnectionClosed, InvalidHandshake)


class ReceivedFrame(NamedTuple):
    """A frame or a snapshot as it came, and whom it was for."""

    version: int
    seat: int | None
    line: bytes


class Asking(NamedTuple):
    """A command that waits for its answer."""

    id: str
    command: ClientCommand


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
        self.received: list[ReceivedFrame] = []
        self.sent: dict[str, ClientCommand] = {}
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
        received = Counter(done.id for done in self.done)
        return sum(received[id] == 1 and not isinstance(self.sent[id], Sit) for id in received)

    def sees(self, so: Callable[[Snapshot], bool]) -> bool:
        """Whether something is so, by what was told."""
        return self.copy is not None and so(self.copy)

    # ── The connection ───────────────────────────────────────────────────────────────────────

    async def live(self) -> None:
        """Come, and come back, for ever."""
        while True:
            table, port = await self.party.opened(), await self.way.port()
            with suppress(*LOST):
                await self._visit(f"ws://{HERE}:{port}/api/v1/tables/{table}/socket")
            self._line = None
            await asyncio.sleep(self.chance.uniform(0.0, 0.03))

    async def _visit(self, url: str) -> None:
        """Hold a connection until it breaks, or leads to the wrong place."""
        headers = {"X-Forwarded-For": self.address}
        async with connect(
            url, additional_headers=headers, compression=None, ping_interval=None, proxy=None
        ) as line:
            await line.send(encode(Hello(self.token, self.version or None)).decode())
            if self.asking is not None:
                await self._send(line, self.asking)
            async for message in line:
                assert isinstance(message, str)
                self.lines += self._line is None
                self._line = line
                self.receive(message.encode())
                await self._go_on(line)

    @property
    def connected(self) -> bool:
        """Whether there is a connection that has told something."""
        return self._line is not None

    async def hang_up(self) -> None:
        """End the connection, and come back."""
        if self._line is not None:
            await self._line.close()

    async def nudge(self) -> None:
        """Let them look at the table once more."""
        if self._line is not None:
            with suppress(*LOST):
                await self._go_on(self._line)

    # ── Hearing ──────────────────────────────────────────────────────────────────────────────

    def receive(self, line: bytes) -> None:
        """Take a message in; versions go up by one, but for snapshots, and never down."""
        message = MESSAGES.read(line)
        match message:
            case Snapshot():
                assert message.version >= self.version, f"back from {self.version} to {message}"
                self.copy = message
                self.received.append(ReceivedFrame(message.version, message.seat, line))
            case Frame():
                seen = self.seen
                assert message.version == seen.version + 1, f"after {seen.version}: {message}"
                self.copy = apply_frame(seen, message)
                self.received.append(ReceivedFrame(message.version, seen.seat, line))
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
            command = None if self.copy is None else self._choose_command(self.copy)
            if command is not None:
                await self._ask(line, command)
        elif self.refused and self.refused[-1].id == self.asking.id:
            await asyncio.sleep(0.1)  # refused for a reason that passes
            if self.asking is not None:  # it may have been answered meanwhile
                await self._send(line, self.asking)

    async def _ask(self, line: ClientConnection, command: ClientCommand) -> None:
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
        if answer is not None:  # what is to be done next the connection says
            said = MESSAGES.read_loosely(ENCODER.encode(answer))
            self.done += [said] if isinstance(said, Done) else []
            self.refused += [said] if isinstance(said, Refused) else []

    # ── Wishing ──────────────────────────────────────────────────────────────────────────────

    def _choose_command(self, seen: Snapshot) -> ClientCommand | None:
        """Return what this person wants to do now, if anything."""
        if seen.seat is None:
            return Sit(self.name, nonce=self._nonce())
        if not self.acts(seen):
            return None
        if seen.room.stage == "lobby":
            return self.party.arrange(seen) if seen.seats.host == seen.seat else None
        if seen.room.stage == "play":
            return self._move(seen) if seen.seat in seen.turn.to_act else None
        return None if seen.seat in seen.room.ready else self._next(seen)

    def _move(self, seen: Snapshot) -> ClientCommand:
        """Do anything legal; say something now and then."""
        assert seen.own is not None
        assert seen.own.legal, "it is their turn, and there is nothing to do"
        if self.chance.random() < 0.02:
            return Say(self.chance.choice(PRESETS))
        return Act(Action(self.chance.choice(seen.own.legal)), turn=seen.turn.turn)

    def _next(self, seen: Snapshot) -> ClientCommand | None:
        """Go on to the next round, or to the next game."""
        if seen.room.stage == "between":
            return Ready()
        assert seen.game is not None
        return Rematch(self._nonce()) if seen.game.number < self.party.games else None

    def _nonce(self) -> str:
        return self.chance.randbytes(32).hex()
