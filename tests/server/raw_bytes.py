"""Bytes to a server, without a library that would know better."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from server.harness import PATIENT, Json, RunningServer, token

MASK = b"\x01\x02\x03\x04"
TEXT, BINARY, CONTINUED, CLOSE, PING, PONG = 1, 2, 0, 8, 9, 10
FIN = 0x80
HOST = "Host: 127.0.0.1"


# ── HTTP ─────────────────────────────────────────────────────────────────────────────────────


@contextmanager
def connection(server: RunningServer, source: str = "") -> Iterator[socket.socket]:
    """Connect, perhaps from another address of this machine."""
    came_from = (source, 0) if source else None
    place = ("127.0.0.1", server.port)
    with socket.create_connection(place, PATIENT, came_from) as plain:
        yield plain


def rest(plain: socket.socket) -> bytes:
    """Everything that comes until the server closes."""
    answer = b""
    with suppress(ConnectionError):
        while part := plain.recv(65536):
            answer += part
    return answer


def raw(server: RunningServer, *parts: bytes) -> bytes:
    """Send bytes, and give everything that comes back until the server closes."""
    with connection(server) as plain, suppress(ConnectionError):
        for part in parts:
            plain.sendall(part)
        return rest(plain)
    return b""


def head(*lines: str) -> bytes:
    """Write the head of a request."""
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


def status(answer: bytes) -> int:
    """Return the status of an answer; 0 if there is none."""
    words = answer.split(b" ", 2)
    return int(words[1]) if words[0] == b"HTTP/1.1" else 0


def headers(answer: bytes) -> dict[str, str]:
    """Return the headers of an answer."""
    lines = answer.partition(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")[1:]
    return {name.lower(): value.strip() for name, _, value in (one.partition(":") for one in lines)}


# ── WebSockets ───────────────────────────────────────────────────────────────────────────────


def upgrade(table: str, *more: str, host: str = HOST) -> bytes:
    """Write a handshake."""
    return head(
        f"GET /api/v1/tables/{table}/socket HTTP/1.1",
        *(host, "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"),
        *("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", *more),
    )


def frame(
    payload: bytes, first: int = FIN | TEXT, *, masked: bool = True, mask: bytes = MASK
) -> bytes:
    """Write a frame; `first` is its first byte: FIN, reserved bits, opcode."""
    size, mark = len(payload), 0x80 if masked else 0
    if size < 126:
        length = bytes([mark | size])
    elif size < 65536:
        length = bytes([mark | 126]) + size.to_bytes(2)
    else:
        length = bytes([mark | 127]) + size.to_bytes(8)
    hidden = bytes(byte ^ mask[place % 4] for place, byte in enumerate(payload))
    return bytes([first]) + length + (mask + hidden if masked else payload)


def hello(who: str = "") -> bytes:
    """Write a hello, as a frame."""
    message = {"type": "Hello", "token": token(who) if who else ""}
    return frame(json.dumps(message).encode())


class Raw:
    """A WebSocket over which anything can be sent."""

    def __init__(self, plain: socket.socket) -> None:
        self.plain = plain
        self._read = plain.makefile("rb")

    def receive(self) -> tuple[int, bytes]:
        """Return the next frame: its opcode and its payload; (0, b"") if there is none any more."""
        try:
            first = self._read.read(2)
            if len(first) < 2:
                return 0, b""
            size = first[1] & 0x7F
            if size > 125:
                size = int.from_bytes(self._read.read(2 if size == 126 else 8))
            return first[0] & 0x0F, self._read.read(size)
        except ConnectionError:
            return 0, b""

    def messages(self) -> tuple[list[Json], int]:
        """Return all messages until the connection ends, and its close code, or 1006."""
        found: list[Json] = []
        while True:
            opcode, payload = self.receive()
            if opcode == TEXT:
                found.append(json.loads(payload))
            elif opcode == CLOSE:
                return found, int.from_bytes(payload[:2])
            elif opcode == 0:
                return found, 1006

    def until(self, *kinds: str) -> list[Json]:
        """Return all messages up to one of some kinds."""
        found: list[Json] = []
        while not found or found[-1]["type"] not in kinds:
            opcode, payload = self.receive()
            assert opcode in (TEXT, PING, PONG), (opcode, payload)
            found += [json.loads(payload)] if opcode == TEXT else []
        return found


@contextmanager
def websocket(server: RunningServer, table: str, who: str = "", *more: str) -> Iterator[Raw]:
    """Open a connection by hand, and say hello."""
    with connection(server) as plain:
        plain.sendall(upgrade(table, *more))
        answer = b""
        while not answer.endswith(b"\r\n\r\n"):
            part = plain.recv(1)
            assert part, answer
            answer += part
        assert status(answer) == 101, answer
        plain.sendall(hello(who))
        client = Raw(plain)
        try:
            yield client
        finally:
            client._read.close()
