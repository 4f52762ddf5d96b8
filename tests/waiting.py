"""Waiting in tests: until something is so, and for processes that the test has started.

No test measures how fast a machine is. `HANG` is a limit that no machine reaches: it is there so
that a test that waits in vain ends at all. And no test waits for a process that has ended: it fails
at once, with what the process said.
"""

from __future__ import annotations

import asyncio
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import IO, Any, Final, TypeAlias

HANG: Final = 600.0  # seconds
PAUSE: Final = 0.01  # seconds between two looks
LAST_WORDS: Final = 5.0  # seconds to read what a process said that has ended

Child: TypeAlias = subprocess.Popen[str] | subprocess.Popen[bytes]


class Hanging(AssertionError):
    """Something never came."""


def until(
    so: Callable[[], object], *children: Child, log: Path | None = None, pause: float = PAUSE
) -> None:
    """Wait until something is so; every child has to live until then."""
    end = time.monotonic() + HANG
    while not so():
        living(*children, so=so, log=log)
        if time.monotonic() > end:
            raise Hanging("it never came")
        time.sleep(pause)


async def soon(so: Callable[[], object], *children: Child, log: Path | None = None) -> None:
    """Wait as `until` does, while an event loop goes on."""
    end = time.monotonic() + HANG
    while not so():
        living(*children, so=so, log=log)
        if time.monotonic() > end:
            raise Hanging("it never came")
        await asyncio.sleep(PAUSE)


def living(*children: Child, so: Callable[[], object] = bool, log: Path | None = None) -> None:
    """Fail if a child has ended, unless what was waited for came with its end."""
    for child in children:
        if child.poll() is not None and not so():
            raise AssertionError(last_words(child, log))


def last_words(child: Child, log: Path | None = None) -> str:
    """How a process ended, and what it said that nobody has read yet."""
    output = Output(child)
    output.over(LAST_WORDS)  # not for ever: children of its own may hold its pipes
    said = output.text + (log.read_text() if log else "")
    return f"{child.args!r} has ended with status {child.returncode}; it said:\n{said}"


class Output:
    """What a process still says, read beside everything else.

    `communicate` would miss what `readline` has read ahead.
    """

    def __init__(self, child: Child) -> None:
        self._said = ["", ""]
        pipes = [pipe for pipe in (child.stdout, child.stderr) if pipe is not None]
        self._threads = [
            Thread(target=self._read, args=each, daemon=True) for each in enumerate(pipes)
        ]
        for thread in self._threads:
            thread.start()

    def _read(self, number: int, pipe: IO[Any]) -> None:
        with suppress(ValueError), pipe:  # it may be closed already
            self._said[number] = _text(pipe.read())

    def over(self, seconds: float) -> bool:
        """Whether it ends within so many seconds."""
        for thread in self._threads:
            thread.join(seconds)
        return not any(thread.is_alive() for thread in self._threads)

    @property
    def text(self) -> str:
        """What was said."""
        return "".join(self._said)


def _text(said: str | bytes) -> str:
    return said.decode("utf-8", "replace") if isinstance(said, bytes) else said


def line_of(child: Child, log: Path | None = None) -> str:
    """The next line that a process prints; it has to print one."""
    pipe: IO[Any] | None = child.stdout
    assert pipe is not None
    line = _text(pipe.readline())
    if not line.endswith("\n"):
        child.wait(HANG)
        raise AssertionError(f"{line}{last_words(child, log)}")
    return line


def ended(child: Child, *others: Child, log: Path | None = None) -> tuple[int, str]:
    """The exit status of a process, and what it printed; the others have to live until then."""
    end, output = time.monotonic() + HANG, Output(child)
    while not (output.over(PAUSE) and child.poll() is not None):
        living(*others, log=log)
        if time.monotonic() > end:
            raise Hanging(f"{child.args!r} does not end")
        time.sleep(PAUSE)
    return child.returncode, output.text


def completed(words: Sequence[str], **options: Any) -> str:
    """Run a process that has to end well; return what it printed."""
    done = subprocess.run(
        words,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=HANG,
        check=False,
        **options,
    )
    said = f"{words} has ended with status {done.returncode}; it said:\n{done.stdout}{done.stderr}"
    assert done.returncode == 0, said
    return str(done.stdout)
