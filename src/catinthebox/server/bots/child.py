"""A child process of the pool, seen from the server; `process.py` is what runs in it.

>>> [ChildSlot(fallback=False, failures=failures).delay() for failures in (1, 2, 3, 4, 99)]
[0.0, 0.25, 0.5, 1.0, 30.0]
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from ...game import Action
from ...processes import backoff, python_module
from ...table import BotTurn
from ..child_process import ChildProcess
from .fair_queue import Place
from .process import LENGTH_SIZE, framed

PROGRAM: Final = python_module("catinthebox.server.bots.process")
MAX_BYTES: Final = 4096  # of an answer
EXIT_S: Final = 2.0  # for a child to end by itself


class Child(ChildProcess):
    """A process that answers one question after the other."""

    async def ask(self, question: bytes) -> str:
        """Send a question, and return the answer."""
        self.stdin.write(framed(question))
        await self.stdin.drain()
        return await self.read()

    async def read(self) -> str:
        """Return the next text that the process writes."""
        length = int.from_bytes(await self.stdout.readexactly(LENGTH_SIZE))
        if length > MAX_BYTES:
            raise ValueError(f"an answer of {length} bytes")
        return (await self.stdout.readexactly(length)).decode()

    async def stop(self, *, at_once: bool) -> None:
        """Close the standard input, upon which the process ends; kill it if it does not."""
        self.stdin.close()
        await self.end(0.0 if at_once else EXIT_S)


async def start_child(mode: str, on_exit: Callable[[], None]) -> Child:
    """Start a child; `on_exit` is called at its end."""
    child = await Child.start(*PROGRAM, mode)
    child.exit.add_done_callback(lambda _: on_exit())
    return child


@dataclass(eq=False)
class ChildSlot:
    """One of the pool's children: its state, and the process that runs as this one now."""

    fallback: bool  # compiles nothing, and runs only while no other child is ready
    child: Child | None = None
    ready: bool = False
    failures: int = 0  # in a row
    backing_off: bool = False  # waits before the next start

    def delay(self) -> float:
        """Return the seconds to wait after a failure: none after the first one."""
        return backoff(self.failures - 1)


@dataclass(eq=False)
class PendingMove:
    """A move that a table waits for."""

    turn: BotTurn
    seed: int
    until: float | None  # the deadline, by the loop's clock
    answer: asyncio.Future[Action | None]  # None: no child has chosen one
    place: Place = field(default_factory=Place)  # in the queue
    retried: bool = False
    exact: bool = False  # see `process.question`

    def resolve(self, action: Action | None) -> None:
        """Set the answer, unless nothing waits for it any more."""
        if not self.answer.done():
            self.answer.set_result(action)
