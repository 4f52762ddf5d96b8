"""A process in a simulated world: it can be killed, as `kill -9` does it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextvars import Context, ContextVar
from typing import Any, Final, Protocol, TypeVar, TypeVarTuple

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

PROCESS: Final[ContextVar[Process | None]] = ContextVar("process", default=None)


class Begin(Protocol):
    """How a loop begins a task."""

    def __call__(
        self, coro: Coroutine[Any, Any, T], *, name: object = None, context: Context | None = None
    ) -> asyncio.Task[T]:
        """Begin a task."""


class Process:
    """Tasks and timers that die together, without a last word: `finally` is for the living.

    What is begun in a process belongs to it. To begin: `start` a coroutine, or `call` a function.
    """

    def __init__(self, name: str, begin: Begin, outside: Context) -> None:
        self.name = name
        self.dead = False
        self._begin = begin
        self._after: list[Callable[[], object]] = []
        self._context = outside.copy()
        self._context.run(PROCESS.set, self)

    def start(self, coro: Coroutine[Any, Any, T], name: str | None = None) -> asyncio.Task[T]:
        """Begin a task."""
        return self._begin(coro, name=name, context=self._context.copy())

    def call(self, act: Callable[[*Ts], T], *args: *Ts) -> T:
        """Do something as a part of the process, such as opening its store."""
        return self._context.copy().run(act, *args)

    def at_death(self, act: Callable[[], object]) -> None:
        """Call something when the process dies: its store crashes, its connections break."""
        self._after.append(act)

    def kill(self) -> None:
        """End it between two steps. Nothing of it runs again."""
        if not self.dead:
            self.dead = True
            for act in self._after:
                act()


def current_process() -> Process | None:
    """Return the process that runs just now."""
    return PROCESS.get()
