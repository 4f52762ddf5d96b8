"""A process that thinks, seen from the server: where it stands, and what it is asked.

`server.bot_process` is the other side of its pipes; `server.bots` decides who is asked what.

>>> [ChildSlot(stands_in=False, failures=failures).rest() for failures in (1, 2, 3, 4, 99)]
[0.0, 0.25, 0.5, 1.0, 30.0]
"""

from __future__ import annotations

import asyncio
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from ...game import Action
from ...processes import backoff, python_module
from ...table import BotTurn
from .fair_queue import Place
from .process import HEAD, framed

PROGRAM: Final = python_module("catinthebox.server.bots.process")
MOST_BYTES: Final = 4096  # of an answer
GRACE: Final = 2.0  # seconds for a child to end by itself


class Child:
    """A process that answers one question after the other."""

    def __init__(self, process: Process, gone: Callable[[], None]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.process = process
        self._asked, self._said = process.stdin, process.stdout
        self._end = asyncio.create_task(process.wait())
        self._end.add_done_callback(lambda _: gone())

    @classmethod
    async def start(cls, how: str, gone: Callable[[], None]) -> Child:
        """Start one; in a session of its own, for Ctrl-C is meant for the server."""
        process = await asyncio.create_subprocess_exec(
            *PROGRAM, how, stdin=PIPE, stdout=PIPE, start_new_session=True
        )
        return cls(process, gone)

    @property
    def lives(self) -> bool:
        """Whether it has not ended."""
        return not self._end.done()

    async def ask(self, asked: bytes) -> str:
        """Ask, and wait for the answer."""
        self._asked.write(framed(asked))
        await self._asked.drain()
        return await self.hear()

    async def hear(self) -> str:
        """Wait for the next thing it says."""
        length = int.from_bytes(await self._said.readexactly(HEAD))
        if length > MOST_BYTES:
            raise ValueError(f"an answer of {length} bytes")
        return (await self._said.readexactly(length)).decode()

    async def end(self, kindly: bool) -> None:
        """End it: nobody will ask any more, which it notices; if it does not, it is killed."""
        self._asked.close()
        if kindly:
            await asyncio.wait([self._end], timeout=GRACE)
        with suppress(ProcessLookupError):
            self.process.kill()
        await self._said.read()  # as long as something is left to read, asyncio sees no end
        await self._end


@dataclass(eq=False)
class ChildSlot:
    """A place for a child, and the one that holds it now."""

    stands_in: bool  # compiles nothing, and works only while nobody else can
    child: Child | None = None
    ready: bool = False
    failures: int = 0  # in a row
    resting: bool = False  # until the next try

    def rest(self) -> float:
        """Say how long to wait after a failure: not at all after the first one."""
        return backoff(self.failures - 1)


@dataclass(eq=False)
class Move:
    """A move that somebody waits for."""

    turn: BotTurn
    seed: int
    until: float | None  # by the loop's clock
    answer: asyncio.Future[Action | None]  # None: no child could say
    place: Place = field(default_factory=Place)  # in the queue
    tried: bool = False

    def settle(self, action: Action | None) -> None:
        """Answer, unless nobody waits any more."""
        if not self.answer.done():
            self.answer.set_result(action)
