"""A child process of the pool, seen from the server; `process.py` is what runs in it.

>>> [ChildSlot(fallback=False, failures=failures).delay() for failures in (1, 2, 3, 4, 99)]
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
from .process import LENGTH_SIZE, framed

PROGRAM: Final = python_module("catinthebox.server.bots.process")
MAX_BYTES: Final = 4096  # of an answer
EXIT_S: Final = 2.0  # for a child to end by itself


class Child:
    """A process that answers one question after the other; `on_exit` is called at its end."""

    def __init__(self, process: Process, on_exit: Callable[[], None]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.process = process
        self._stdin, self._stdout = process.stdin, process.stdout
        self._exit = asyncio.create_task(process.wait())
        self._exit.add_done_callback(lambda _: on_exit())

    @classmethod
    async def start(cls, mode: str, on_exit: Callable[[], None]) -> Child:
        """Start a child, in a session of its own: Ctrl-C is for the server alone."""
        process = await asyncio.create_subprocess_exec(
            *PROGRAM, mode, stdin=PIPE, stdout=PIPE, start_new_session=True
        )
        return cls(process, on_exit)

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return not self._exit.done()

    async def ask(self, question: bytes) -> str:
        """Send a question, and return the answer."""
        self._stdin.write(framed(question))
        await self._stdin.drain()
        return await self.read()

    async def read(self) -> str:
        """Return the next text that the process writes."""
        length = int.from_bytes(await self._stdout.readexactly(LENGTH_SIZE))
        if length > MAX_BYTES:
            raise ValueError(f"an answer of {length} bytes")
        return (await self._stdout.readexactly(length)).decode()

    async def stop(self, *, at_once: bool) -> None:
        """Close the standard input, upon which the process ends; kill it if it does not."""
        self._stdin.close()
        if not at_once:
            await asyncio.wait([self._exit], timeout=EXIT_S)
        with suppress(ProcessLookupError):
            self.process.kill()
        await self._stdout.read()  # asyncio reports the end only after everything was read
        await self._exit


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

    def resolve(self, action: Action | None) -> None:
        """Set the answer, unless nothing waits for it any more."""
        if not self.answer.done():
            self.answer.set_result(action)
