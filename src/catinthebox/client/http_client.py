"""A table on somebody's server, seen from here: commands by POST, the stream as lines of JSON.

Every command has an id, so whatever has no answer can be sent again, and the stream goes on where
it was left. Nothing but the standard library is needed to talk.

>>> link = Link.parse("https://cats.example/t/lab7")
>>> link.path, str(link)
('/api/v1/tables/lab7', 'https://cats.example/t/lab7')
>>> Link.parse("localhost:8123/api/v1/tables/lab7/events") == Link.parse("http://localhost:8123/t/lab7")
True
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.client import (
    HTTPConnection,
    HTTPException,
    HTTPResponse,
    HTTPSConnection,
    IncompleteRead,
)
from random import random
from time import monotonic, sleep
from typing import Final
from urllib.parse import urlsplit

from ..game import CatInTheBoxError, NotUnderstood
from ..game.errors import quoted
from ..protocol.codec import MAX_BYTES, Codec
from ..protocol.commands import ClientCommand, CommandBody, write_command
from ..protocol.messages import Done, Refused
from ..protocol.stream import FromServer

API: Final = "/api/v1"
TABLE: Final = re.compile(rf"(.*?)(?:{API}/tables|/t)/([A-Za-z0-9-][A-Za-z0-9_-]{{0,63}})(?:/.*)?")
WATCH: Final = re.compile(r"/w/[^/]+/?$")
SAYS_NOTHING: Final = 60.0  # seconds; a line that is alive says something every 20
FIRST_PAUSE, LONGEST_PAUSE = 0.25, 5.0  # seconds between two tries
LONGEST_WAIT: Final = 60.0  # seconds; a server that asks for more is asked again after these
LATER: Final = (408, 425, 429, *range(500, 600))  # a server, or a proxy, that is not well now
MOVED: Final = (301, 302, 307, 308)
MESSAGES: Final = Codec[FromServer](FromServer)


class Later(Exception):
    """Nobody answers, or they ask to come again; `wait` is in seconds."""

    def __init__(self, sentence: str, wait: float = 0.0) -> None:
        super().__init__(sentence)
        self.wait = wait


class Declined(CatInTheBoxError):
    """The server says no."""


# ── Where ────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Link:
    """The link of a table, as people pass it on."""

    secure: bool
    host: str  # with a port, if there is one
    prefix: str  # of the path, where a proxy put one
    table: str  # the key to play there

    @classmethod
    def parse(cls, text: str) -> Link:
        """Read a link; the address of the table in the API will do, too."""
        url = urlsplit(text if "://" in text else f"http://{text}")
        found = TABLE.fullmatch(url.path)
        if WATCH.search(url.path):
            sentence = "that link is for watching; a player needs the one to play, with /t/"
            raise NotUnderstood("input.option", sentence)
        if url.scheme not in ("http", "https") or not _named(url.netloc) or found is None:
            sentence = f"{quoted(text)} is no link to a table, such as http://localhost:8123/t/lab7"
            raise NotUnderstood("input.option", sentence)
        return cls(url.scheme == "https", url.netloc, found[1], found[2])

    @property
    def path(self) -> str:
        """Where the table is in the API."""
        return f"{self.prefix}{API}/tables/{self.table}"

    def connect(self, timeout: float) -> HTTPConnection:
        """Make a connection; it is opened when it is used."""
        kind = HTTPSConnection if self.secure else HTTPConnection
        return kind(self.host, timeout=timeout)

    def __str__(self) -> str:
        scheme = "https" if self.secure else "http"
        return f"{scheme}://{self.host}{self.prefix}/t/{self.table}"


def _named(host: str) -> bool:
    """Whether a connection to such a host can be thought of."""
    try:
        HTTPConnection(host)
    except HTTPException:  # a port that is no number
        return False
    return bool(host) and "@" not in host


# ── Talking ──────────────────────────────────────────────────────────────────────────────────


class HttpClient:
    """A table on a server, for the holder of a token."""

    def __init__(self, link: Link, token: str) -> None:
        self.link = link
        self._headers = {"Authorization": f"Bearer {token}", "Connection": "close"}

    def probe(self) -> None:
        """Connect and send nothing; `Later` if the server cannot be reached."""
        with self._connection() as line:
            line.connect()

    def do(self, id: str, command: ClientCommand) -> Done:
        """Ask for something; `Declined` says why not, `Later` that it may be asked again.

        After `Later` it may have been done all the same: ask again with the same id, never with
        another one.
        """
        body = write_command(CommandBody(id, command))
        headers = {"Content-Type": "application/json"}
        with self._answer("POST", "/commands", body, headers) as answer:
            said = _message(answer)
        if not isinstance(said, Done):
            raise NotUnderstood("input.value", f"{self.link.host} answers something else")
        return said

    def messages(self, version: int | None) -> Iterator[FromServer]:
        """Listen to everything after a version; without one, first how things stand.

        It never just ends: `Later` says that it is time to come again.
        """
        query = "" if version is None else f"?version={version}"
        with self._answer("GET", f"/events{query}", None, {}) as answer:
            while line := answer.readline(MAX_BYTES + 1):
                if not line.endswith(b"\n"):
                    break
                yield _read(line.rstrip())
        raise Later("the line has ended")

    @contextmanager
    def _answer(
        self, method: str, path: str, body: bytes | None, headers: dict[str, str]
    ) -> Iterator[HTTPResponse]:
        with self._connection() as line:
            line.request(method, f"{self.link.path}{path}", body, self._headers | headers)
            answer = line.getresponse()
            self._check(answer)
            yield answer

    @contextmanager
    def _connection(self) -> Iterator[HTTPConnection]:
        """A connection for one request; `Later` if it breaks, at whatever byte."""
        line = self.link.connect(SAYS_NOTHING)
        try:
            yield line
        except (OSError, HTTPException) as error:
            raise Later(_told(error)) from error
        finally:
            line.close()

    def _check(self, answer: HTTPResponse) -> None:
        """Insist on an answer that is none of trouble."""
        if answer.status == 200:
            return
        with suppress(NotUnderstood):
            said = _message(answer)
            if isinstance(said, Refused):
                self._refused(answer, said)
        if answer.status in LATER:
            raise Later(f"HTTP {answer.status}", _retry_after(answer))
        where = answer.getheader("Location") if answer.status in MOVED else None
        sentence = f"{self.link}: no table of catinthebox (HTTP {answer.status})"
        more = f"; try {quoted(where)}" if where else ""
        raise NotUnderstood("input.option", f"{sentence}{more}")

    def _refused(self, answer: HTTPResponse, said: Refused) -> None:
        if answer.status in LATER:
            raise Later(said.message, _retry_after(answer))
        raise Declined(said.code, said.message, said.clause)


def _read(line: bytes) -> FromServer:
    return MESSAGES.read_loosely(line)


def _message(answer: HTTPResponse) -> FromServer:
    """Read the only message of an answer; `IncompleteRead` if the connection closed before its end.

    With a limit, `http.client` gives a short body without an error, and it takes a head that was
    cut for a whole one: then there is no length, or a wrong one, and no body.
    """
    body = answer.read(MAX_BYTES + 1)
    if answer.length and len(body) <= MAX_BYTES:
        raise IncompleteRead(body, answer.length)
    try:
        return _read(body)
    except NotUnderstood:
        if _may_be_cut(answer, body):
            raise IncompleteRead(body) from None
        raise


def _may_be_cut(answer: HTTPResponse, body: bytes) -> bool:
    """Whether a body that cannot be read may be the beginning of a message.

    Where no length was told, nothing but the body itself shows that it is whole.
    """
    return answer.length is None and body[:1] in (b"", b"{")


def _retry_after(answer: HTTPResponse) -> float:
    """The seconds that an answer asks to wait for; 0 if it does not say, or gives a date."""
    seconds = answer.getheader("Retry-After", "")
    return min(float(seconds), LONGEST_WAIT) if seconds.isdecimal() else 0.0


def _told(error: OSError | HTTPException) -> str:
    """Say in a few words why nobody can be talked to."""
    if isinstance(error, TimeoutError):
        return "no answer in time"
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


# ── Waiting ──────────────────────────────────────────────────────────────────────────────────


@dataclass
class Patience:
    """Waits before each new try, longer each time, for so many seconds in all.

    >>> slept: list[float] = []
    >>> patience = Patience(2.0, sleep=slept.append, clock=lambda: sum(slept), chance=lambda: 1.0)
    >>> try:
    ...     while True: patience.wait(Later("nobody there"))
    ... except Later as error:
    ...     print(slept, error)
    [0.25, 0.5, 1.0, 2.0] nobody there
    """

    seconds: float
    sleep: Callable[[float], object] = sleep
    clock: Callable[[], float] = monotonic
    chance: Callable[[], float] = field(default=random)
    tries: int = 0
    since: float = 0.0

    def wait(self, error: Later) -> None:
        """Wait because of an error, or raise it once that has been long enough."""
        if not self.tries:
            self.since = self.clock()
        elif self.clock() - self.since >= self.seconds:
            raise error
        pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(self.tries, 20))
        self.tries += 1  # not all who were cut off come back in the same moment
        self.sleep(max(error.wait, pause * (0.5 + 0.5 * self.chance())))

    def rewarded(self) -> None:
        """Somebody has answered."""
        self.tries = 0
