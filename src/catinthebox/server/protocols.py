"""uvicorn's two protocols, and what they lack against visitors who mean harm.

The head of a request must come in time and be of a reasonable size, there are not more connections
than there is room for, and a connection whose reader does not read can be cut off: the extension
`ABORT` in the scope of an application says how.
"""

from __future__ import annotations

import asyncio
from typing import Final, cast

from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from .limits import Bucket, Limits
from .socket import ABORT

SPARE: Final = 500  # connections that are neither sockets nor streams
PIECES: Final = 64  # of one message; browsers send one


def _bare(status: str) -> bytes:
    return f"HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n".encode()


TOO_LATE: Final = _bare("408 Request Timeout")
TOO_LARGE: Final = _bare("431 Request Header Fields Too Large")
BAD_UPGRADE: Final = _bare("400 Bad Request")


class Http(HttpToolsProtocol):
    """A connection that speaks HTTP."""

    limits: Limits = Limits()

    _timer: asyncio.TimerHandle | None = None
    _in_head = True
    _heads = 0  # how many were read
    _size = 0  # of the head that is being read

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Let somebody in, if there is room."""
        super().connection_made(transport)
        limits = self.limits
        if len(self.connections) > limits.sockets + limits.streams + SPARE:
            transport.abort()
        else:
            self._begin_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget about it."""
        self._end_timer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on; a head that goes on and on is too large."""
        heads = self._heads
        super().data_received(data)
        if self._in_head and self._heads == heads:
            self._size += len(data)
            if self._size > self.limits.head_bytes:
                self._refuse(TOO_LARGE)

    def on_message_begin(self) -> None:
        """Begin another request."""
        super().on_message_begin()
        self.scope["extensions"] = {ABORT: {"call": self.transport.abort}}
        if self._timer is None:
            self._begin_head()

    def on_headers_complete(self) -> None:
        """Begin to answer."""
        self._end_timer()
        self._in_head = False
        self._heads += 1
        self._size = 0
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Wait for another request."""
        self._in_head = True
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        """Become a WebSocket; a handshake that the library gives up on must not stay open."""
        self._end_timer()
        super().handle_websocket_upgrade()
        protocol = self.transport.get_protocol()
        if isinstance(protocol, Socket) and not protocol.handshake_initiated:
            self._refuse(BAD_UPGRADE)

    def _begin_head(self) -> None:
        self._timer = self.loop.call_later(self.limits.head_s, self._refuse, TOO_LATE)

    def _end_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _refuse(self, answer: bytes) -> None:
        if self.transport.is_closing():
            return
        cycle = cast("RequestResponseCycle | None", self.cycle)  # None before the first request
        if cycle is not None and not cycle.response_complete:
            self.transport.abort()  # in the middle of another answer
        else:
            self.transport.write(answer)
            self.transport.close()


class Socket(WebSocketsSansIOProtocol):
    """A connection that has become a WebSocket.

    The application counts messages. What is no message (pings, which are answered by themselves,
    and pieces of messages without an end) is counted here, by its bytes.
    """

    limits: Limits = Limits()

    _bytes: Bucket | None = None

    def data_received(self, data: bytes) -> None:
        """Read on; whoever sends without end, or does not read what we answer, is cut off."""
        if self._bytes is None:
            size, moves = self.limits.frame_bytes, self.limits.socket_moves
            self._bytes = Bucket(size * moves.rate, size * moves.burst)
        elif self._bytes.take(self.loop.time(), len(data)):
            self.transport.abort()
            return
        super().data_received(data)
        unsent = self.transport.get_write_buffer_size()
        if len(self.frames) > PIECES or unsent > 2 * self.limits.queue_bytes:
            self.transport.abort()

    async def run_asgi(self) -> None:
        """Let the application begin, and know how to end."""
        self.scope["extensions"][ABORT] = {"call": self.transport.abort}
        app = self.app

        async def answered(scope: Scope, receive: Receive, send: Send) -> None:
            await app(scope, receive, send)
            if self.initial_response is not None:  # refused in words, which is an end, too
                self.handshake_complete = True

        self.app = answered
        await super().run_asgi()


def protocols(limits: Limits) -> tuple[type[Http], type[Socket]]:
    """Give both, with the limits of a server."""
    return type("Http", (Http,), {"limits": limits}), type("Socket", (Socket,), {"limits": limits})
