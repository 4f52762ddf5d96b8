"""A program that answers lines: started when it is first asked, never waited for without end.

Two threads carry the bytes, so that no pipe, however full or empty, can hold up a decision.

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
PATIENCE: Final = 1.0  # seconds for a program to end by itself, and once more when told to
KILL: Final = getattr(signal, "SIGKILL", signal.SIGTERM)  # not every system can insist so
CHUNK: Final = 4096
WAITING: Final = 64  # chunks read and not yet looked at: a flood waits in its own pipe
SHOWN: Final = 60  # characters of what a program sent that an error quotes


class ExternalError(CatInTheBoxError):
    """A program that plays did something that it must not; `code` says what kind of thing."""

    def __reduce__(self) -> tuple[type[ExternalError], tuple[str, str]]:
        """It may have to travel back from another process."""
        return ExternalError, (self.code, self.message)


def shown(said: bytes | str) -> str:
    """Quote what a program said, shortened, on one line, whatever is in it."""
    text = said if isinstance(said, str) else said[: 4 * SHOWN].decode("utf-8", "replace")
    text = text.rstrip("\r\n")
    return ascii(text) if len(text) <= SHOWN else f"{text[:SHOWN]!a}… (shortened)"


class Program:
    """One process that gets a line and gives a line, as often as it is asked."""

    def __init__(self, words: list[str], seconds: float) -> None:
        self.name = shlex.join(words)
        self._words = words
        self._seconds = seconds
        self._running: _Running | None = None

    @property
    def started(self) -> bool:
        """Whether the process runs, as far as we know."""
        return self._running is not None

    def ask(self, line: str) -> str:
        """Send a line and give the line that comes back; start the program if need be."""
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
        # Ends it when nobody can ask any more, and when Python exits.
        self._forgotten = weakref.finalize(self, _Running.end, running)
        return running

    def _more(self, running: _Running, deadline: float) -> None:
        """Take what has come meanwhile; it is an error if nothing comes in time, or nothing can."""
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
        """End the program and give the error that names it; the next question starts it anew."""
        self.end(patience=0)
        return ExternalError(code, f"the program {self.name} {sentence}")

    def end(self, patience: float = PATIENCE) -> None:
        """Close its input, wait a moment, then insist."""
        if self._running is not None:
            self._forgotten.detach()
            self._running.end(patience)
            self._running = None


class _Running:
    """A process with its two threads. It knows nothing of `Program`, which can so be forgotten."""

    def __init__(self, words: list[str]) -> None:
        self.process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,  # Ctrl-C is for us; and what it starts ends with it
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
        """What has come without a question, so far."""
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
        """End the process, kindly at first. It may be called twice."""
        self.outbox.put(None)
        if self.status(patience) is None:
            self._signal(signal.SIGTERM)
        if self.status() is None:
            self._signal(KILL)
        self.status()
        self._drain()

    def _signal(self, number: int) -> None:
        with suppress(ProcessLookupError):  # it may end in this very moment
            if hasattr(os, "killpg"):
                os.killpg(self.process.pid, number)
            else:
                self.process.send_signal(number)

    def _drain(self) -> None:
        """Make room for the reader until it has met the end, so that no thread stays behind."""
        until = monotonic() + PATIENCE
        while self._reader.is_alive() and monotonic() < until:
            try:
                self.inbox.get(timeout=0.01)
            except Empty:
                continue


def _write(pipe: IO[bytes], outbox: SimpleQueue[bytes | None]) -> None:
    """Carry lines to the program until there is nothing more to say, or nobody who listens."""
    with pipe:
        try:
            while (line := outbox.get()) is not None:
                rest = memoryview(line)
                while rest:
                    rest = rest[pipe.write(rest) :]
        except OSError:
            return  # it has ended: the reader meets the end of its output


def _read(pipe: IO[bytes], inbox: Queue[bytes]) -> None:
    """Carry bytes from the program until its output ends; the last thing is an empty chunk."""
    with pipe:
        chunk = pipe.read(CHUNK)
        while chunk:
            inbox.put(chunk)
            chunk = pipe.read(CHUNK)
    inbox.put(b"")
