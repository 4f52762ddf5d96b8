"""A table in memory for clients: they talk to it as to a server, and nothing waits.

`Toy` is asked directly; `serving` puts it behind bytes of HTTP, where an answer can be `cut`.
"""

from __future__ import annotations

import io
import re
import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from random import Random
from typing import TypeAlias

import pytest
from live_tables import resent, snapshot

from catinthebox import CatInTheBoxError
from catinthebox.client.bot_client import Lost
from catinthebox.client.http_client import Declined, HttpClient, Link, RetryLater
from catinthebox.protocol.codec import encode
from catinthebox.protocol.commands import CommandBody
from catinthebox.protocol.messages import Done
from catinthebox.protocol.stream import Beat, FromServer
from catinthebox.server.http.responses import refusal, status
from catinthebox.table import (
    WORKER,
    Act,
    AddBot,
    Command,
    Settings,
    Start,
    carry,
    create,
    done,
    needs,
    practice,
    read_command,
    replay,
    token_hash,
)

ADA, ROBO = token_hash("ada"), token_hash("robo")
LINK = Link.parse("http://localhost:8123/t/lab7")
Bytes: TypeAlias = Iterator[bytes]
Server: TypeAlias = Callable[[bytes], Bytes]  # a request in, the pieces of an answer out


class Toy(HttpClient):
    """A table in memory; with `trouble`, connections break and answers are lost all the time."""

    def __init__(self, settings: Settings, trouble: float = 0.0, seed: int = 1) -> None:
        super().__init__(LINK, "a token")
        self.dealer = practice(seed)
        self.log = [create("lab7", settings, ADA, self.dealer.commitment("lab7", 1), 0)]
        self.table = replay(self.log)
        self.sent: list[tuple[str, Command]] = []  # by the guest, and carried out
        self.steps: list[Callable[[], object]] = []  # what happens when nothing else does
        self.trouble = trouble
        self.chance = Random(seed)

    def happen(self, command: Command, who: str = ADA, id: str = "") -> int:
        """Carry a command out; return how many events that were."""
        draft = carry(self.table, command, who, self.table.at + 1, self.dealer, id=id)
        self.log += draft.entries
        self.table = draft.table
        return len(draft.entries)

    def begin(self) -> None:
        """Put bots on the free seats, and start."""
        for seat, who in enumerate(self.table.seats):
            if not who.name:
                self.happen(AddBot(seat, "gentle"))
        self.happen(Start())

    def do(self, id: str, command: Command) -> Done:
        """Carry a command of the guest out, perhaps without an answer."""
        self.fail()
        try:
            if self.happen(command, ROBO, id):
                self.sent.append((id, command))
        except CatInTheBoxError as error:
            raise Declined(error.code, error.message) from None
        self.fail()
        return done(self.table, ROBO, id)

    def fail(self) -> None:
        """Now and then."""
        if self.chance.random() < self.trouble:
            raise RetryLater("a cable was pulled", wait=self.chance.choice([0.0, 1.0]))

    def messages(self, version: int | None) -> Iterator[FromServer]:
        """Tell everything that happens; with trouble, leave something out."""
        self.fail()
        seat = self.table.seat_of(ROBO)
        first = Beat(0) if version is not None else snapshot(self.table, seat)
        version = self.table.version if version is None else version
        yield first
        while True:
            self.fail()
            for frame in resent(self.log, version, seat):
                version = frame.version
                lost = version < self.table.version and self.chance.random() < self.trouble / 4
                if not lost:
                    yield frame
                self.fail()
            if version == self.table.version and not self.bots():
                self.step()
                if self.table.seat_of(ROBO) != seat:
                    yield snapshot(self.table, None)

    def bots(self) -> bool:
        """Let a bot of the server move; whether there was anything to do."""
        for turn in needs(self.table):
            self.happen(Act(min(turn.view.legal), turn.seat, turn.turn), WORKER)
            return True
        return False

    def step(self) -> None:
        """Let something else happen; if nothing can, the test is over."""
        if not self.steps:
            raise Lost("nothing happens any more")
        self.steps.pop(0)()

    def did(self, kind: type) -> int:
        """How often the guest has done such a thing."""
        return sum(type(command) is kind for _, command in self.sent)


# ── Bytes of HTTP ────────────────────────────────────────────────────────────────────────────

FRAMINGS = ("length", "chunked", "close")  # the three ways to say where a body ends


def http(status: str, body: Iterable[bytes] = (), framing: str = "length", *headers: str) -> Bytes:
    """An answer, piece by piece; a stream is made while it is read."""
    if framing == "length":
        body = [b"".join(body)]
        headers = (*headers, f"Content-Length: {len(body[0])}")
    elif framing == "chunked":
        body = chunks(body)
        headers = (*headers, "Transfer-Encoding: chunked")
    yield "\r\n".join([f"HTTP/1.1 {status}", *headers, "Connection: close", "", ""]).encode()
    yield from body


def chunks(body: Iterable[bytes]) -> Bytes:
    """A body in the chunked coding (RFC 9112)."""
    for piece in body:
        yield b"%x\r\n%b\r\n" % (len(piece), piece)
    yield b"0\r\n\r\n"


def cut(answer: Bytes, size: int, reset: bool = False) -> Bytes:
    """The first bytes of an answer; then the connection is closed, or reset."""
    for piece in answer:
        if size <= len(piece):
            yield piece[:size]
            break
        yield piece
        size -= len(piece)
    if reset:
        raise ConnectionResetError(104, "Connection reset by peer")


class Received(io.RawIOBase):
    """What comes out of a connection: a piece for every read."""

    def __init__(self, pieces: Bytes) -> None:
        self._pieces = pieces
        self._rest = b""

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Return some bytes; none at the end."""
        rest = self._rest or next(self._pieces, b"")
        taken = rest[: len(buffer)]
        buffer[: len(taken)] = taken
        self._rest = rest[len(taken) :]
        return len(taken)


class Connection:
    """What a client takes for a socket: a request goes in, an answer comes out."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._sent = b""

    def sendall(self, data: bytes) -> None:
        """Take a part of the request."""
        self._sent += data

    def makefile(self, mode: str) -> io.BufferedReader:
        """Return the answer to the request."""
        return io.BufferedReader(Received(self._server(self._sent)))

    def setsockopt(self, *_: int) -> None:
        """Nothing that matters here."""

    def close(self) -> None:
        """Nothing is open."""


@contextmanager
def served_by(server: Server) -> Iterator[None]:
    """Let every connection of this process lead to a server of ours."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(socket, "create_connection", lambda *_, **__: Connection(server))
        monkeypatch.setenv("no_proxy", "*")
        yield


def command_in(request: bytes) -> CommandBody | None:
    """The command that a request sends; None if it wants the stream."""
    head, _, body = request.partition(b"\r\n\r\n")
    return read_command(body) if head.startswith(b"POST") else None


def serving(toy: Toy) -> Server:
    """Let a toy table answer requests as the server does."""

    def answer(request: bytes) -> Bytes:
        sent = command_in(request)
        if sent is None:
            found = re.search(rb"[?]version=(\d+)", request)
            lines = toy.messages(int(found[1]) if found else None)
            return http("200 OK", (encode(line) + b"\n" for line in lines), "chunked")
        try:
            return http("200 OK", [encode(toy.do(sent.id, sent.command))])
        except Declined as error:
            return http(f"{status(error)} No", [encode(refusal(error, sent.id))])

    return answer
