"""Connections between clients and a server in a simulated world: slow, and they may die unnoticed.

A connection carries messages in order and without holes, as TCP does. It can die at any time; then
a part of what was under way, from some message on, is lost in each direction, and each end notices
after a while. Until then, sending seems to work and receiving waits. Connections are independent of
each other, so what is sent over two of them arrives in any order.

>>> async def talk(network: Network) -> tuple[bytes | None, bytes | None]:
...     client, server = network.connect()
...     await client.send(b"play 4 of red")
...     client.close()
...     return await server.receive(), await server.receive()
>>> with SimLoop(seed=1) as loop:
...     loop.run(talk(Network(loop)))
(b'play 4 of red', None)
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Final

from simulation.clock import Span, milliseconds
from simulation.loop import SimLoop
from simulation.process import current_process


class LineLost(ConnectionError):
    """The connection is closed, or dead as far as this end knows."""


@dataclass(frozen=True)
class Weather:
    """How bad connections are. Rates are for a message, an end or a command."""

    delay: Span = (1, 20)  # until a message arrives, if none before it is later
    stall: float = 0.0  # a message takes as long as this:
    stalled: Span = (200, 3000)
    life: int = 0  # milliseconds that a connection lives, on average; 0: for ever
    notice: Span = (0, 50)  # from the death of a connection until an end notices
    deaf: float = 0.0  # an end notices as late as this:
    deafness: Span = (1000, 20_000)
    window: int = 64  # messages under way or unread; anyone who sends more waits
    slow: float = 0.0  # an end takes as long as this to read a message:
    slowly: Span = (20, 800)
    again: float = 0.0  # a client sends a command twice, or more often

    @classmethod
    def drawn(cls, chance: Random) -> Weather:
        """Draw a day: each trouble is absent, rare or frequent."""

        def rate() -> float:
            return chance.choice((0.0, 0.0, 0.02, 0.1, 0.3))

        return cls(
            delay=chance.choice(((0, 0), (1, 20), (5, 200))),
            stall=rate() / 4,
            life=chance.choice((0, 0, 300, 2000, 10_000)),
            deaf=rate(),
            window=chance.choice((2, 16, 64, 64)),
            slow=rate(),
            again=rate(),
        )


CALM: Final = Weather()


class Network:
    """All the connections of a world."""

    def __init__(self, loop: SimLoop, weather: Weather = CALM, *, name: str = "network") -> None:
        self.loop = loop
        self.weather = weather
        self.chance = loop.chance(name)
        self.lines: list[Line] = []  # that have not died

    def connect(self) -> tuple[End, End]:
        """Open a connection; return the client's end and the server's."""
        line = Line(self)
        self.lines.append(line)
        if self.weather.life:
            self.later(round(self.chance.expovariate(1 / self.weather.life)) / 1000, line.cut)
        return line.ends

    def later(self, seconds: float, act: Callable[[], None]) -> None:
        """Let something happen after a while, no matter who is dead by then."""
        loop = self.loop
        loop.world_at(loop.time() + seconds, act, context=loop.outside)

    def hits(self, rate: float) -> bool:
        """Draw whether something happens now."""
        return rate > 0.0 and self.chance.random() < rate


class Way:
    """One direction of a connection: messages under way, then messages that wait to be read."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self.flying: deque[bytes | None] = deque()  # None: the other end was closed
        self.landed: deque[bytes | None] = deque()
        self.lost = 0  # sent when nothing could arrive any more
        self.broken = False
        self._arrival = 0.0
        self._received: Callable[[], None] = lambda: None

    def tell(self, received: Callable[[], None]) -> None:
        """Say whom to tell when something arrives."""
        self._received = received

    @property
    def full(self) -> bool:
        """Whether the sender has to wait."""
        waiting = len(self.flying) + len(self.landed) + self.lost
        return waiting >= self._network.weather.window

    def send(self, message: bytes | None) -> None:
        """Let a message go; it arrives after all that was sent before it."""
        if self.broken:
            self.lost += 1
            return
        network, now = self._network, self._network.loop.time()
        weather = network.weather
        span = weather.stalled if network.hits(weather.stall) else weather.delay
        self._arrival = max(self._arrival, now + milliseconds(network.chance, span))
        self.flying.append(message)
        network.later(self._arrival - now, self._arrive)

    def _arrive(self) -> None:
        """Take whichever is the first under way, since timers that fall together have no order."""
        if self.flying:
            self.landed.append(self.flying.popleft())
            self._received()

    def lose(self, chance: Random) -> None:
        """Lose everything from some message on, and all that will be sent."""
        self.broken = True
        kept = chance.randint(0, len(self.landed) + len(self.flying))
        while self.flying and len(self.landed) + len(self.flying) > kept:
            self.flying.pop()
        while len(self.landed) > kept:
            self.landed.pop()

    def shut(self) -> None:
        """Let nothing arrive any more."""
        self.broken = True
        self.flying.clear()


class Line:
    """Two ends and two ways between them."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self.dead = False
        there, back = Way(network), Way(network)
        self.ends = End(network, self, there, back), End(network, self, back, there)

    def cut(self) -> None:
        """Die now; each end notices after a while."""
        if self.dead:
            return
        self.dead = True
        network, weather = self._network, self._network.weather
        network.lines.remove(self)
        for end in self.ends:
            end.outgoing.lose(network.chance)
            span = weather.deafness if network.hits(weather.deaf) else weather.notice
            network.later(milliseconds(network.chance, span), end.notice)

    def part(self) -> None:
        """Be forgotten once both ends are gone."""
        if not self.dead and all(end.gone for end in self.ends):
            self.dead = True
            self._network.lines.remove(self)


class End:
    """One end of a connection. One coroutine receives, any number send."""

    def __init__(self, network: Network, line: Line, outgoing: Way, incoming: Way) -> None:
        self.line = line
        self.outgoing = outgoing
        self.incoming = incoming
        self.gone = False  # closed here, or known to be dead
        self._network = network
        self._slow = network.hits(network.weather.slow)
        self._waiting: list[asyncio.Future[None]] = []
        incoming.tell(self.stir)

    def own(self) -> End:
        """Let the connection die with the process that calls this."""
        if process := current_process():
            process.at_death(self.line.cut)
        return self

    async def send(self, message: bytes) -> None:
        """Send a message; wait while too many are under way. `LineLost` once that is known."""
        self._check()
        while self.outgoing.full:
            await self._change()
            self._check()
        self.outgoing.send(bytes(message))

    def _check(self) -> None:
        if self.gone or None in self.incoming.landed:
            raise LineLost("the line is gone")

    async def receive(self) -> bytes | None:
        """Wait for a message; `None` if the connection is gone, as far as is known here."""
        if self._slow:
            await asyncio.sleep(milliseconds(self._network.chance, self._network.weather.slowly))
        landed = self.incoming.landed
        while not landed:
            if self.gone:
                return None
            await self._change()
        message = landed.popleft()
        if message is None:
            self._hang_up()
        self._other.stir()  # there is room again
        return message

    def close(self) -> None:
        """End the connection in order: what was sent arrives, then the other end hears of it."""
        if not self.gone:
            self.outgoing.send(None)
            self._hang_up()
            self.incoming.landed.clear()

    @property
    def _other(self) -> End:
        first, second = self.line.ends
        return second if self is first else first

    def _hang_up(self) -> None:
        """Hear and say nothing more."""
        self.gone = True
        self.incoming.shut()
        self.line.part()
        self.stir()

    def notice(self) -> None:
        """Notice that the connection is dead; what has arrived can still be read."""
        if not self.gone:
            self._hang_up()

    async def _change(self) -> None:
        """Wait until something is different."""
        future: asyncio.Future[None] = self._network.loop.create_future()
        self._waiting.append(future)
        await future

    def stir(self) -> None:
        """Wake everybody who waits at this end."""
        waiting, self._waiting = self._waiting, []
        for future in waiting:
            if not future.done():
                future.set_result(None)


class Outbox:
    """A client's commands that were not answered yet: impatient clients send them again."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self.open: dict[str, bytes] = {}

    async def say(self, end: End, id: str, command: bytes) -> None:
        """Send a command under an id, sometimes twice, and remember it."""
        self.open[id] = command
        await end.send(command)
        while self._network.hits(self._network.weather.again):
            await end.send(command)

    def received(self, id: str) -> None:
        """Forget a command that was answered."""
        self.open.pop(id, None)

    async def repeat(self, end: End) -> None:
        """Send all of them again, in order: over a new connection, or after a while."""
        for command in list(self.open.values()):
            await end.send(command)
