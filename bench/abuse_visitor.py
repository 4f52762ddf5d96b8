"""A minimal client for the abuse bench: plain HTTP requests and WebSockets from any address.

It knows the protocol (docs/protocol.md) and nothing of the server's code, so it can talk to any
version of it. An address is claimed by `X-Forwarded-For`, which a server believes if it was started
with `--proxy` and the address that the bench runs at.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count
from secrets import token_urlsafe
from typing import Any, Final
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

API: Final = "/api/v1/tables"
PATIENCE: Final = 30.0  # seconds for any answer; then it is counted as lost
STARTS: Final = range(10, 250)  # the last parts of addresses, in the networks for documentation

Json = dict[str, Any]


class TurnedAway(Exception):
    """A connection that the server did not accept, or ended with a `Bye`."""


def token() -> str:
    """Draw the token of a new person."""
    return token_urlsafe(32)


def address(number: int) -> str:
    """Return one of many addresses, none of which belongs to anybody (RFC 5737).

    >>> address(0), address(1), address(240)
    ('198.51.100.10', '198.51.100.11', '203.0.113.10')
    """
    network, host = divmod(number, len(STARTS))
    return f"{('198.51.100', '203.0.113', '192.0.2')[network]}.{STARTS[host]}"


# ── HTTP ─────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Answer:
    """The answer to a request; status 0 if none came."""

    status: int
    body: bytes = b""

    @property
    def json(self) -> Json:
        """The body of an answer that is not packed."""
        found: Json = json.loads(self.body)
        return found


@dataclass(frozen=True)
class Visitor:
    """Somebody at an address, who talks to the server at `url`."""

    url: str
    address: str

    async def get(self, path: str, who: str = "") -> Answer:
        """Send a GET request; `who` is a token."""
        return await self._request("GET", path, who, b"")

    async def post(self, path: str, body: object, who: str = "") -> Answer:
        """Send JSON."""
        return await self._request("POST", path, who, json.dumps(body).encode())

    async def open(self, who: str, **body: object) -> str:
        """Open a table and return its id."""
        answer = await self.post(API, body, who)
        if answer.status != 201:
            raise TurnedAway(f"no table: {answer.status} {answer.body[:200]!r}")
        return str(answer.json["table"])

    async def do(self, table: str, who: str, id: str, **command: object) -> Answer:
        """Send a command to a table by POST."""
        return await self.post(f"{API}/{table}/commands", {"id": id, "command": command}, who)

    async def _request(self, method: str, path: str, who: str, body: bytes) -> Answer:
        try:
            async with asyncio.timeout(PATIENCE):
                return await self._exchange(self._head(method, path, who, len(body)) + body)
        except (OSError, TimeoutError):
            return Answer(0)

    def _head(self, method: str, path: str, who: str, size: int) -> bytes:
        lines = [
            f"{method} {path} HTTP/1.1",
            f"Host: {urlsplit(self.url).netloc}",
            f"X-Forwarded-For: {self.address}",
            "Connection: close",
            *(["Accept-Encoding: gzip"] if path.endswith("replay.json") else []),
            *([f"Authorization: Bearer {who}"] if who else []),
            *(["Content-Type: application/json", f"Content-Length: {size}"] if size else []),
        ]
        return "\r\n".join([*lines, "", ""]).encode()

    async def _exchange(self, request: bytes) -> Answer:
        at = urlsplit(self.url)
        reader, writer = await asyncio.open_connection(at.hostname, at.port or 80)
        try:
            writer.write(request)
            head, _, body = (await reader.read()).partition(b"\r\n\r\n")
        finally:
            writer.close()
        words = head.split(b" ", 2)
        return Answer(int(words[1]), body) if len(words) > 1 else Answer(0)

    # ── WebSockets ───────────────────────────────────────────────────────────────────────────

    @asynccontextmanager
    async def connection(self, table: str, who: str = "") -> AsyncIterator[Connection]:
        """Connect to a table, say hello, and wait for the snapshot."""
        try:
            socket = await self._connect(table)
        except (OSError, TimeoutError, InvalidHandshake) as error:
            raise TurnedAway(str(error)) from None
        try:
            line = Connection(socket)
            await line.send("Hello", token=who)
            await line.receive("Snapshot")
            yield line
        finally:
            socket.transport.abort()

    async def _connect(self, table: str) -> ClientConnection:
        return await connect(
            f"ws{self.url.removeprefix('http')}{API}/{table}/socket",
            additional_headers={"X-Forwarded-For": self.address},
            compression=None,
            open_timeout=PATIENCE,
            ping_interval=None,
            max_size=None,
        )


class Connection:
    """A WebSocket at a table, and the state received so far."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.known: Json = {}  # the snapshot, with the parts of later frames in their places
        self._ids = count(1)

    async def send(self, type: str, **fields: object) -> None:
        """Send a message."""
        try:
            await self.socket.send(json.dumps({"type": type, **fields}))
        except ConnectionClosed as error:
            raise TurnedAway(str(error)) from None

    async def do(self, **command: object) -> Json:
        """Send a command and return its answer, a `Done` or a `Refused`."""
        id = f"c{next(self._ids)}"
        await self.send("Do", id=id, command=command)
        while True:
            answer = await self.receive("Done", "Refused")
            if answer["id"] == id:
                return answer

    async def receive(self, *types: str) -> Json:
        """Wait for a message of one of some types; without types, for any."""
        try:
            async with asyncio.timeout(PATIENCE):
                while True:
                    message: Json = json.loads(await self.socket.recv())
                    self._learn(message)
                    if not types or message["type"] in types:
                        return message
        except (ConnectionClosed, TimeoutError) as error:
            raise TurnedAway(str(error) or "no answer") from None

    def _learn(self, message: Json) -> None:
        if message["type"] == "Bye":
            raise TurnedAway(message["code"])
        if message["type"] == "Snapshot":
            self.known = message
        elif message["type"] == "Frame":
            for news in message["news"]:
                part = PARTS.get(news["type"])
                if part:
                    self.known[part] = news
            self.known["own"] = message["own"] or self.known["own"]

    # ── What a player wants to know ──────────────────────────────────────────────────────────

    @property
    def stage(self) -> str:
        """Where the table stands."""
        return str(self.known["room"]["stage"])

    @property
    def paused(self) -> bool:
        """Whether the table is paused."""
        return self.known["room"]["paused"] is not None

    @property
    def legal(self) -> list[str]:
        """The actions that are legal now; none if it is not this seat's turn."""
        if self.stage != "play" or self.known["seat"] not in self.known["turn"]["to_act"]:
            return []
        return list(self.known["own"]["legal"])

    @property
    def wanted(self) -> str:
        """The command with which to go on after a round or a game; nothing if none is due."""
        if self.known["seat"] in self.known["room"]["ready"]:
            return ""
        return {"between": "Ready", "over": "Rematch"}.get(self.stage, "")


PARTS: Final = {
    **{"Seats": "seats", "Room": "room", "GameShown": "game"},
    **{"RoundShown": "round", "Turn": "turn"},
}
