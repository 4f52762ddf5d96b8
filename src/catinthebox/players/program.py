"""A child process that answers lines; it starts with the first question, and time is limited.

Two threads read and write, so that no full or empty pipe can block a decision.

>>> import sys
>>> echo = Program([sys.executable, "-c", "print(input().upper())"], seconds=20)
>>> echo.ask("hello")
'HELLO'
>>> echo.end()
"""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import weakref
from contextlib import suppress
from queue import Empty, Queue, SimpleQueue
from threading import Thread
from time import monotonic
from typing import IO, Final

from ..game import CatInTheBoxError

MAX_LINE: Final = 65_536  # bytes, the end of the line included
PATIENCE: Final = 1.0  # seconds for a program to end by itself, and again after a signal
KILL: Final = getattr(signal, "SIGKILL", signal.SIGTERM)  # not every system has it
CHUNK: Final = 4096
WAITING: Final = 64  # chunks read but not processed; more wait in the pipe
SHOWN: Final = 60  # characters of a program's output that an error quotes


class ExternalError(CatInTheBoxError):
    """An external program broke the protocol; `code` says how."""

    def __reduce__(self) -> tuple[type[ExternalError], tuple[str, str]]:
        """Support pickling, since it may be raised in another process."""
        return ExternalError, (self.code, self.message)


def shown(said: bytes | str) -> str:
    """Quote a program's output, shortened and escaped, on one line."""
    text = said if isinstance(said, str) else said[: 4 * SHOWN].decode("utf-8", "replace")
    text = text.rstrip("\r\n")
    return ascii(text) if len(text) <= SHOWN else f"{text[:SHOWN]!a}… (shortened)"


class Program:
    """A process that answers each line with a line."""

    def __init__(self, words: list[str], seconds: float) -> None:
        self.name = shlex.join(words)
        self._words = words
        self._seconds = seconds
        self._running: _Running | None = None

    @property
    def started(self) -> bool:
        """Whether the process was started and has not failed."""
        return self._running is not None

    def ask(self, line: str) -> str:
        """Send a line and return the answer; start the program if needed."""
        try:
            return self._answer(line).decode("utf-8")
        except UnicodeDecodeError as error:
            said = shown(error.object)
            raise self.failed("external.json", f"sent {said}; a line is JSON in UTF-8") from None

    def _answer(self, line: str) -> bytes:
        early = self._running.unasked() if self._running is not None else b""
        if early:
            sentence = f"sent {shown(early)} before it was asked; one line answers one question"
            raise self.failed("external.answer", sentence)
        running = self._running or self._start()
        running.outbox.put(line.encode() + b"\n")
        deadline = monotonic() + self._seconds
        while b"\n" not in running.said:
            if len(running.said) >= MAX_LINE:
                raise self._too_long(running.said)
            self._more(running, deadline)
        answer, _, running.said = running.said.partition(b"\n")
        if len(answer) >= MAX_LINE:
            raise self._too_long(answer)
        return answer

    def _start(self) -> _Running:
        try:
            self._running = running = _Running(self._words)
        except (OSError, ValueError) as error:
            sentence = f"cannot be started: {error}; is it installed, and written as in a shell?"
            raise self.failed("external.start", sentence) from None
        # Ends it with this object, and when Python exits.
        self._forgotten = weakref.finalize(self, _Running.end, running)
        return running

    def _more(self, running: _Running, deadline: float) -> None:
        """Return more output; raise an error at the deadline or the end of the output."""
        try:
            chunk = running.inbox.get(timeout=max(0.0, deadline - monotonic()))
        except Empty:
            raise self._late(running.said) from None
        if not chunk:
            raise self._over(running)
        running.said += chunk

    def _late(self, said: bytes) -> ExternalError:
        half = f" It sent {shown(said)} without an end of line." if said else ""
        sentence = (
            f"did not answer within {self._seconds * 1000:.0f} ms.{half} An answer is one line; "
            "end it with a newline and flush the output"
        )
        return self.failed("external.late", sentence)

    def _over(self, running: _Running) -> ExternalError:
        status, said = running.status(), running.said
        last = f" after {shown(said)} without an end of line" if said else ""
        how = "closed its output" if status is None else f"ended with status {status}"
        sentence = f"{how}{last}; it should answer lines until its input ends"
        return self.failed("external.ended", sentence)

    def _too_long(self, said: bytes) -> ExternalError:
        sentence = f"sent a line longer than {MAX_LINE} bytes: {shown(said)}; an answer is short"
        return self.failed("external.line", sentence)

    def failed(self, code: str, sentence: str) -> ExternalError:
        """End the program and return an error that names it; the next question starts it again."""
        self.end(patience=0)
        return ExternalError(code, f"the program {self.name} {sentence}")

    def end(self, patience: float = PATIENCE) -> None:
        """Close its input, wait a moment, then end it by signals."""
        if self._running is not None:
            self._forgotten.detach()
            self._running.end(patience)
            self._running = None


class _Running:
    """A process with its two threads. It does not refer to `Program`, which can be collected."""

    def __init__(self, words: list[str]) -> None:
        self.process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,  # Ctrl-C is not for it
        )
        self.said = b""
        self.inbox: Queue[bytes] = Queue(WAITING)
        self.outbox: SimpleQueue[bytes | None] = SimpleQueue()
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        Thread(target=_write, args=(self.process.stdin, self.outbox), daemon=True).start()
        self._reader = Thread(target=_read, args=(self.process.stdout, self.inbox), daemon=True)
        self._reader.start()

    def unasked(self) -> bytes:
        """Return the output that came before a question."""
        while not self.inbox.empty() and len(self.said) < MAX_LINE:
            chunk = self.inbox.get()
            if not chunk:  # it has ended; the next request raises the error
                self.inbox.put(b"")
                break
            self.said += chunk
        return self.said

    def status(self, patience: float = PATIENCE) -> int | None:
        """Return the exit status of the process; None if it does not end in this time."""
        try:
            return self.process.wait(patience)
        except subprocess.TimeoutExpired:
            return None

    def end(self, patience: float = PATIENCE) -> None:
        """End the process, gently at first; may be called twice."""
        self.outbox.put(None)
        if self.status(patience) is None:
            self._signal(signal.SIGTERM)
        if self.status() is None:
            self._signal(KILL)
        self.status()
        self._drain()

    def _signal(self, number: int) -> None:
        with suppress(ProcessLookupError):  # it may have ended meanwhile
            if hasattr(os, "killpg"):
                os.killpg(self.process.pid, number)
            else:
                self.process.send_signal(number)

    def _drain(self) -> None:
        """Drain the queue until the reader has reached the end, so that its thread ends."""
        until = monotonic() + PATIENCE
        while self._reader.is_alive() and monotonic() < until:
            try:
                self.inbox.get(timeout=0.01)
            except Empty:
                continue


def _write(pipe: IO[bytes], outbox: SimpleQueue[bytes | None]) -> None:
    """Write lines to the program until the end of the queue, or until it has ended."""
    with pipe:
        try:
            while (line := outbox.get()) is not None:
                rest = memoryview(line)
                while rest:
                    rest = rest[pipe.write(rest) :]
        except OSError:
            return  # it has ended; the reader reaches the end of its output


def _read(pipe: IO[bytes], inbox: Queue[bytes]) -> None:
    """Read from the program until its output ends; the last chunk is empty."""
    with pipe:
        chunk = pipe.read(CHUNK)
        while chunk:
            inbox.put(chunk)
            chunk = pipe.read(CHUNK)
    inbox.put(b"")
