"""A minimal WebSocket client, for thousands of sockets on one core.

Only what the load bench needs: the upgrade, short masked texts out, whole texts in, pings. Whatever
else a server does is an error.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, cast
from urllib.parse import urlsplit

PATIENCE: Final = 30.0  # seconds for a handshake

TEXT, PING, PONG = 0x81, 0x89, 0x8A  # whole frames
UPGRADE: Final = (
    "GET {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n"
    "Upgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
POST: Final = (
    "POST {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n"
    "Content-Type: application/json\r\nContent-Length: {size}\r\nConnection: close\r\n\r\n"
)


def masked(kind: int, payload: bytes) -> bytes:
    """Return a client's frame with a zero mask, which costs no work."""
    size = len(payload)
    assert size < 65_536, "clients send short messages only"
    long = size >= 126
    head = bytes((kind, 0x80 | (126 if long else size)))
    return head + (size.to_bytes(2, "big") if long else b"") + bytes(4) + payload


class Socket(asyncio.Protocol):
    """One seat's connection, with the minimum that our server and the bare one need."""

    transport: asyncio.Transport

    def __init__(self, host: str, path: str) -> None:
        self.upgrade = UPGRADE.format(host=host, path=path).encode()
        self.open = asyncio.get_running_loop().create_future()
        self.shaken = False
        self.rest = b""
        self.on_frame: Callable[[bytes], None] = lambda frame: None
        self.fail: Callable[[str], None] = self.refuse

    def refuse(self, sentence: str) -> None:
        """Fail before play begins."""
        if not self.open.done():
            self.open.set_exception(ConnectionError(sentence))

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the upgrade."""
        self.transport = cast(asyncio.Transport, transport)  # uvloop's are no subclass
        self.transport.write(self.upgrade)

    def connection_lost(self, exc: Exception | None) -> None:
        """Fail: connections must last for the whole bench."""
        self.fail(f"a connection was lost: {exc}")

    def send(self, text: bytes) -> None:
        """Send a text."""
        self.transport.write(masked(TEXT, text))

    def data_received(self, data: bytes) -> None:
        """Split received bytes into frames."""
        if self.rest:
            data = self.rest + data
        at = 0 if self.shaken else self.shake(data)
        end = len(data)
        while end - at >= 2:
            kind, size = data[at], data[at + 1]
            start = at + 2
            if size >= 126:
                start += 2 if size == 126 else 8
                if start > end:
                    break
                size = int.from_bytes(data[at + 2 : start], "big")
            if start + size > end:
                break
            at = start + size
            self.take(kind, data[start:at])
        self.rest = data[at:]

    def take(self, kind: int, payload: bytes) -> None:
        """Take one frame."""
        if kind == TEXT:
            self.on_frame(payload)
        elif kind == PING:
            self.transport.write(masked(PONG, payload))
        else:
            self.fail(f"an unexpected frame: {kind:#x} {payload[:80]!r}")

    def shake(self, data: bytes) -> int:
        """Read the answer to the upgrade; return where it ends, 0 if it has not."""
        end = data.find(b"\r\n\r\n")
        if end < 0:
            return 0
        status, _, _ = data.partition(b"\r\n")
        self.shaken = b" 101 " in status
        if not self.shaken:
            self.refuse(f"no WebSocket: {data[:200]!r}")
        elif not self.open.done():
            self.open.set_result(None)
        return end + 4


async def connect(url: str, path: str) -> Socket:
    """Open one socket."""
    at = urlsplit(url)
    assert at.hostname is not None
    loop = asyncio.get_running_loop()
    _, socket = await loop.create_connection(
        lambda: Socket(at.netloc, path), at.hostname, at.port or 80
    )
    await asyncio.wait_for(socket.open, PATIENCE)
    return socket


async def post(url: str, path: str, token: str, body: bytes) -> bytes:
    """Send a body to one of our servers; return the body of its answer."""
    at = urlsplit(url)
    reader, writer = await asyncio.open_connection(at.hostname, at.port)
    head = POST.format(path=path, host=at.netloc, token=token, size=len(body))
    writer.write(head.encode() + body)
    answer = await asyncio.wait_for(reader.read(), PATIENCE)
    writer.close()
    head, _, rest = answer.decode().partition("\r\n\r\n")
    if " 201 " not in head:
        raise ConnectionError(f"{path}: {answer[:400]!r}")
    return rest.encode()
