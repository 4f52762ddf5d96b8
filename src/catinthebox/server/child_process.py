"""Child processes of a server, as its event loop sees them: started, watched, stopped."""

from __future__ import annotations

import asyncio
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence
from contextlib import suppress
from typing import Self


class ChildProcess:
    """A process with pipes to its standard input and from its standard output.

    `exit` is done as soon as the process has ended. The pipe to its standard input stays open until
    it is stopped or this process ends, in whatever way: so a child notices that.
    """

    def __init__(self, process: Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.pid = process.pid
        self.stdin, self.stdout = process.stdin, process.stdout
        self.exit = asyncio.create_task(process.wait())
        self._process = process

    @classmethod
    async def start(cls, *command: str, pass_fds: Sequence[int] = ()) -> Self:
        """Start a process, in a session of its own: Ctrl-C is for the server alone."""
        process = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, pass_fds=pass_fds, start_new_session=True
        )
        return cls(process)

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return not self.exit.done()

    def send_signal(self, number: int) -> None:
        """Send a signal, unless the process has ended."""
        with suppress(ProcessLookupError):
            self._process.send_signal(number)

    async def wait(self) -> int:
        """Wait until the process has ended; return its exit status."""
        return await asyncio.shield(self.exit)  # the caller may be cancelled, the task may not

    async def end(self, grace_s: float = 0.0) -> None:
        """Let the process end by itself for some seconds, then kill it."""
        await asyncio.wait([self.exit], timeout=grace_s)
        with suppress(ProcessLookupError):
            self._process.kill()
        await self.stdout.read()  # asyncio reports the end only after everything was read
        await self.wait()
