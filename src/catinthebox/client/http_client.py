"""A table on a remote server: commands are sent by POST, events arrive as a stream of JSON lines.

Every command has an id, so one without an answer can be sent again, and the stream resumes at any
version. HTTP is the standard library's.

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
READ_TIMEOUT: Final = 60.0  # seconds; a live stream has a heartbeat every 20
FIRST_PAUSE, LONGEST_PAUSE = 0.25, 5.0  # seconds between two attempts
LONGEST_WAIT: Final = 60.0  # seconds; the most that `Retry-After` can ask for
RETRY_STATUSES: Final = (408, 425, 429, *range(500, 600))  # of a server or a proxy
MOVED: Final = (301, 302, 307, 308)
MESSAGES: Final = Codec[FromServer](FromServer)


class RetryLater(Exception):
    """The server did not answer, or asked to retry after `wait` seconds."""

    def __init__(self, sentence: str, wait: float = 0.0) -> None:
        super().__init__(sentence)
        self.wait = wait


class Declined(CatInTheBoxError):
    """The server refused a request."""


# ── Links ────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Link:
    """A link to a table, as people share it."""

    secure: bool
    host: str  # with its port, if any
    prefix: str  # of the path, if a proxy adds one
    table: str  # the key to play there

    @classmethod
    def parse(cls, text: str) -> Link:
        """Read a link, or the table's address in the API."""
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
        """The path of the table in the API."""
        return f"{self.prefix}{API}/tables/{self.table}"

    def connect(self, timeout: float) -> HTTPConnection:
        """Return a connection, which opens when it is used."""
        kind = HTTPSConnection if self.secure else HTTPConnection
        return kind(self.host, timeout=timeout)

    def __str__(self) -> str:
        scheme = "https" if self.secure else "http"
        return f"{scheme}://{self.host}{self.prefix}/t/{self.table}"


def _named(host: str) -> bool:
    """Whether a text can be a host with an optional port."""
    try:
        HTTPConnection(host)
    except HTTPException:  # the port is not a number
        return False
    return bool(host) and "@" not in host


# ── Requests ─────────────────────────────────────────────────────────────────────────────────


class HttpClient:
    """Requests to one table of a server, with one token."""

    def __init__(self, link: Link, token: str) -> None:
        self.link = link
        self._headers = {"Authorization": f"Bearer {token}", "Connection": "close"}

    def probe(self) -> None:
        """Connect and send nothing; raise `RetryLater` if the server cannot be reached."""
        with self._connection() as connection:
            connection.connect()

    def do(self, id: str, command: ClientCommand) -> Done:
        """Send a command; raise `Declined` if it is refused, `RetryLater` if there is no answer.

        After `RetryLater` it may have been carried out all the same: send it again, and always
        with the same id.
        """
        body = write_command(CommandBody(id, command))
        headers = {"Content-Type": "application/json"}
        with self._answer("POST", "/commands", body, headers) as answer:
            said = _message(answer)
        if not isinstance(said, Done):
            raise NotUnderstood("input.value", f"{self.link.host} sent an unexpected message")
        return said

    def messages(self, version: int | None) -> Iterator[FromServer]:
        """Yield every message after a version; without one, the first is a snapshot.

        The iterator never just ends: it raises `RetryLater` when the stream does.
        """
        query = "" if version is None else f"?version={version}"
        with self._answer("GET", f"/events{query}", None, {}) as answer:
            while line := answer.readline(MAX_BYTES + 1):
                if not line.endswith(b"\n"):
                    break
                yield _read(line.rstrip())
        raise RetryLater("the stream has ended")

    @contextmanager
    def _answer(
        self, method: str, path: str, body: bytes | None, headers: dict[str, str]
    ) -> Iterator[HTTPResponse]:
        with self._connection() as connection:
            connection.request(method, f"{self.link.path}{path}", body, self._headers | headers)
            answer = connection.getresponse()
            self._check(answer)
            yield answer

    @contextmanager
    def _connection(self) -> Iterator[HTTPConnection]:
        """Open a connection for one request; raise `RetryLater` if it fails at any point."""
        connection = self.link.connect(READ_TIMEOUT)
        try:
            yield connection
        except (OSError, HTTPException) as error:
            raise RetryLater(_reason(error)) from error
        finally:
            connection.close()

    def _check(self, answer: HTTPResponse) -> None:
        """Raise an error unless a request succeeded."""
        if answer.status == 200:
            return
        with suppress(NotUnderstood):
            said = _message(answer)
            if isinstance(said, Refused):
                self._refused(answer, said)
        if answer.status in RETRY_STATUSES:
            raise RetryLater(f"HTTP {answer.status}", _retry_after(answer))
        where = answer.getheader("Location") if answer.status in MOVED else None
        sentence = f"{self.link}: no table of catinthebox (HTTP {answer.status})"
        more = f"; try {quoted(where)}" if where else ""
        raise NotUnderstood("input.option", f"{sentence}{more}")

    def _refused(self, answer: HTTPResponse, said: Refused) -> None:
        if answer.status in RETRY_STATUSES:
            raise RetryLater(said.message, _retry_after(answer))
        raise Declined(said.code, said.message, said.clause)


def _read(line: bytes) -> FromServer:
    return MESSAGES.read_loosely(line)


def _message(answer: HTTPResponse) -> FromServer:
    """Read the only message of an answer; raise `IncompleteRead` if it was cut off.

    When it reads up to a limit, `http.client` returns a short body without an error, and it takes
    a truncated head for a complete one, whose length is then missing or wrong.
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
    """Whether a body that cannot be read may be the beginning of a longer one.

    Without a length, only the body itself shows whether it is complete.
    """
    return answer.length is None and body[:1] in (b"", b"{")


def _retry_after(answer: HTTPResponse) -> float:
    """The seconds in `Retry-After`; 0 if it is absent or a date."""
    seconds = answer.getheader("Retry-After", "")
    return min(float(seconds), LONGEST_WAIT) if seconds.isdecimal() else 0.0


def _reason(error: OSError | HTTPException) -> str:
    """Say in a few words why a request failed."""
    if isinstance(error, TimeoutError):
        return "no answer in time"
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


# ── Waiting ──────────────────────────────────────────────────────────────────────────────────


@dataclass
class Backoff:
    """Exponential back-off with jitter: `wait` sleeps longer each time, for `seconds` in total.

    >>> slept: list[float] = []
    >>> backoff = Backoff(2.0, sleep=slept.append, clock=lambda: sum(slept), chance=lambda: 1.0)
    >>> try:
    ...     while True: backoff.wait(RetryLater("nobody there"))
    ... except RetryLater as error:
    ...     print(slept, error)
    [0.25, 0.5, 1.0, 2.0] nobody there
    """

    seconds: float
    sleep: Callable[[float], object] = sleep
    clock: Callable[[], float] = monotonic
    chance: Callable[[], float] = field(default=random)
    tries: int = 0
    since: float = 0.0

    def wait(self, error: RetryLater) -> None:
        """Sleep before the next attempt, or raise the error once the time is used up."""
        if not self.tries:
            self.since = self.clock()
        elif self.clock() - self.since >= self.seconds:
            raise error
        pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(self.tries, 20))
        self.tries += 1
        # Jitter, so that not all clients return at the same moment.
        self.sleep(max(error.wait, pause * (0.5 + 0.5 * self.chance())))

    def reset(self) -> None:
        """Start again from the shortest pause, after a success."""
        self.tries = 0
