"""Child processes: heard while they live, known to have ended at once, and never left behind."""

from __future__ import annotations

import asyncio
import signal
import sys

import pytest
from waiting import HANG

from catinthebox.server.child_process import ChildProcess

pytestmark = [pytest.mark.process, pytest.mark.timing]

ECHO = "print(input(), flush=True); input()"
STUBBORN = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); "
STUBBORN += f"time.sleep({HANG})"


async def started(code: str) -> ChildProcess:
    """Start a few lines of Python."""
    return await ChildProcess.start(sys.executable, "-c", code)


def test_a_child_is_read_and_ends_with_its_input() -> None:
    """It reads the end of its input, and so knows that nobody is left."""

    async def story() -> None:
        child = await started(
            "import sys; print(input(), flush=True); sys.stdin.read(); sys.exit(3)"
        )
        child.stdin.write(b"hello\n")
        assert await child.stdout.readline() == b"hello\n"
        assert child.alive
        child.stdin.close()
        assert await child.wait() == 3
        assert not child.alive
        child.send_signal(signal.SIGTERM)
        await child.end()

    asyncio.run(story())


def test_a_signal_is_sent() -> None:
    """As the parent of a worker does it."""

    async def story() -> None:
        child = await started(ECHO)
        child.send_signal(signal.SIGTERM)
        await child.end(grace_s=HANG)
        assert await child.wait() == -signal.SIGTERM

    asyncio.run(story())


def test_a_child_that_does_not_end_is_killed() -> None:
    """Whatever it ignores; what it said last and nobody read is no obstacle."""

    async def story() -> None:
        child = await started(STUBBORN)
        assert await child.stdout.readline()
        child.send_signal(signal.SIGTERM)
        await child.end(grace_s=0.01)
        assert await child.wait() == -signal.SIGKILL

    asyncio.run(story())


def test_nobody_who_waits_can_cancel_the_watch() -> None:
    """The end of a child is noticed also after somebody has stopped waiting for it."""

    async def story() -> None:
        child = await started(ECHO)
        waiting = asyncio.create_task(child.wait())
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.wait([waiting])
        assert child.alive
        await child.end()
        assert not child.exit.cancelled()

    asyncio.run(story())


def test_a_child_ends_with_its_parent() -> None:
    """As upon SIGTERM, once what it waits for says that the parent has ended."""
    code = "import sys, time; from catinthebox.processes import exit_with_parent\n"
    code += f"exit_with_parent(sys.stdin.read); print(flush=True); time.sleep({HANG})"

    async def story() -> None:
        child = await started(code)
        assert await child.stdout.readline()
        assert child.alive
        child.stdin.close()
        assert await child.wait() == -signal.SIGTERM

    asyncio.run(story())
