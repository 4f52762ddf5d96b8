"""uvicorn's two protocols with the limits that they lack against hostile clients.

The head of a request must arrive in time and be of a reasonable size, no trailer may follow a body,
few requests may be pipelined, the number of connections is limited in all and per address, and a
connection whose client does not read can be dropped: the ASGI extension `ABORT` holds the function.
The extension `SEND` holds one that writes a WebSocket message without waiting.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from functools import partial
from typing import Final

from starlette.types import Receive, Scope, Send
from uvicorn._types import ASGI3Application
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, Opcode
from websockets.protocol import State

from ..ops.limits import Limits
from ..ops.networks import Networks, address_key
from ..ops.throttling import Bucket, HeldCount
from .websocket import ABORT, SEND

SPARE: Final = 500  # connections that are neither WebSockets nor streams
SPARE_EACH: Final = 64  # of those, per address: a class opens the page
PIPELINED: Final = 16  # requests that wait for the response to another one; browsers send none
PIECES: Final = 64  # fragments of one WebSocket message; browsers send one
WAITING: Final = 1024  # WebSocket messages that are received and not yet handled


def _bare(status: str) -> bytes:
    return f"HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n".encode()


TOO_LATE: Final = _bare("408 Request Timeout")
TOO_LARGE: Final = _bare("431 Request Header Fields Too Large")
BAD: Final = _bare("400 Bad Request")


class ConnectionLimit:
    """Counts the open connections, in all and per address, and refuses too many.

    >>> limit = ConnectionLimit(Limits(sockets_per_address=1, streams_per_address=1), Networks())
    >>> [limit.enter("203.0.113.9") for _ in range(67)].count("")
    1
    """

    def __init__(self, limits: Limits, trusted: Networks) -> None:
        each = limits.sockets_per_address + limits.streams_per_address + SPARE_EACH
        self._held = HeldCount[str](each, limits.sockets + limits.streams + SPARE)
        self._trusted = trusted
        self._count = 0

    def enter(self, peer: str | None) -> str:
        """Count a connection; the key for `leave` is returned, or an empty text: no room."""
        self._count += 1
        proxy = peer in self._trusted  # has many clients: each connection counts alone
        key = f"proxy {self._count}" if proxy else address_key(peer or "")
        return key if self._held.enter(key) else ""

    def leave(self, key: str) -> None:
        """Forget a connection that was counted."""
        if key:
            self._held.leave(key)


class HttpProtocol(HttpToolsProtocol):
    """An HTTP connection."""

    limits: Limits = Limits()
    connection_limit: ConnectionLimit = ConnectionLimit(Limits(), Networks())

    _connection_key = ""  # of this connection there
    _running: RequestResponseCycle | None = None  # the request that is being answered
    _timer: asyncio.TimerHandle | None = None
    _in_head = True
    _steps = 0  # heads and pieces of bodies that were read
    _size = 0  # of what was read since
    _data = b""  # that is being parsed

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept a connection, if there is room."""
        super().connection_made(transport)
        self._connection_key = self.connection_limit.enter(self.client and self.client[0])
        if self._connection_key:
            self._begin_head()
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Clean up, and notify the request that is being handled, even if others are pipelined."""
        self._end_timer()
        self.connection_limit.leave(self._connection_key)
        super().connection_lost(exc)
        if self._running is not None:
            self._running.disconnected = not self._running.response_complete
            self._running.message_event.set()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self._running = cycle
        super()._start_asgi_task(cycle, app)

    def data_received(self, data: bytes) -> None:
        """Parse what came; a head that does not end within the limit is refused."""
        steps = self._steps
        self._parse(data)
        if self._steps == steps:
            self._size += len(data)
            if self._size > self.limits.head_bytes:
                self._refuse(TOO_LARGE)
        if self._timer is None and self._idle():
            self._begin_head()

    def _parse(self, data: bytes) -> None:
        self._data = data
        super().data_received(data)

    def _idle(self) -> bool:
        """Whether nothing is being answered, and no other timer will end the connection.

        uvicorn stops its own at any byte, even at an empty line, which begins no request.
        """
        answered = self._running is None or self._running.response_complete
        ours = self.transport.get_protocol() is self
        return answered and ours and self.timeout_keep_alive_task is None

    def _unsupported_upgrade_warning(self) -> None:
        """Go on after a request for a protocol that we do not speak: the parser stops behind it."""
        super()._unsupported_upgrade_warning()
        stopped = sys.exception()
        assert stopped is not None  # uvicorn calls this while it handles what the parser raised
        if rest := self._data[stopped.args[0] :]:
            self._parse(rest)

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP, without quoting it."""
        self._refuse(BAD)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header; trailers are refused, as proxies may not have checked them."""
        if not self._in_head:
            raise ValueError("a trailer")
        super().on_header(name, value)

    def on_body(self, body: bytes) -> None:
        """Take a part of a body, whose size the application limits."""
        self._step()
        super().on_body(body)

    def on_message_begin(self) -> None:
        """Begin a request: its head has to arrive in time."""
        super().on_message_begin()
        self.scope["extensions"] = {ABORT: {"call": self.transport.abort}}
        if self._timer is None:
            self._begin_head()

    def on_headers_complete(self) -> None:
        """Begin to handle a request, unless too many are pipelined."""
        if len(self.pipeline) >= PIPELINED:
            raise ValueError("too many requests at once")
        self._end_timer()
        self._in_head = False
        self._step()
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Expect the head of another request."""
        self._in_head = True
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        """Hand over to the WebSocket protocol; a handshake that it rejects must not stay open."""
        self._end_timer()
        super().handle_websocket_upgrade()
        protocol = self.transport.get_protocol()
        if isinstance(protocol, WebSocketProtocol):
            protocol.leave = partial(self.connection_limit.leave, self._connection_key)
            if not protocol.handshake_initiated:
                self._refuse(BAD)

    def _step(self) -> None:
        self._steps += 1
        self._size = 0

    def _begin_head(self) -> None:
        self._timer = self.loop.call_later(self.limits.head_s, self._refuse, TOO_LATE)

    def _end_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _refuse(self, answer: bytes) -> None:
        if self.transport.is_closing():
            return
        cycle = self._running
        begun = cycle is not None and cycle.response_started and not cycle.response_complete
        if begun or self.pipeline:
            self.transport.abort()  # in the middle of another answer
        else:
            self.transport.write(answer)
            self.transport.close()


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """A WebSocket connection.

    The application limits messages. Pings, which the library answers, and fragments without an end
    never reach it; they are limited here, by their bytes.
    """

    limits: Limits = Limits()
    leave: Callable[[], None] = staticmethod(lambda: None)

    _bytes: Bucket | None = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Make room for another connection."""
        self.leave()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse what came; a client that floods us, or does not read our answers, is dropped."""
        if self._bytes is None:
            size, moves = self.limits.frame_bytes, self.limits.socket_moves
            self._bytes = Bucket(size * moves.rate, size * moves.burst)
        elif self._bytes.take(self.loop.time(), len(data)):
            self.transport.abort()
            return
        super().data_received(data)
        unsent = self.transport.get_write_buffer_size()
        flooded = len(self.frames) > PIECES or self.queue.qsize() > WAITING
        if flooded or unsent > 2 * self.limits.queue_bytes:
            self.transport.abort()

    def send_now(self, message: bytes) -> bool:
        """Write a text message; false if the client reads too slowly, or the connection is closed.

        A closed transport must not be written to: uvloop raises an error then, and a broadcast to a
        whole table would not reach the clients after this one.
        """
        if not self.writable.is_set() or self.conn.state is not State.OPEN:
            return False
        if self.transport.is_closing():  # lost: the WebSocket was not closed, and is still open
            return False
        self.transport.write(Frame(Opcode.TEXT, message).serialize(mask=False))
        return True

    async def run_asgi(self) -> None:
        """Run the application with our extensions."""
        extensions = self.scope["extensions"]
        extensions[ABORT] = {"call": self.transport.abort}
        extensions[SEND] = {"call": self.send_now}
        app = self.app

        async def answered(scope: Scope, receive: Receive, send: Send) -> None:
            await app(scope, receive, send)
            if self.initial_response is not None:  # a denial response completes the handshake, too
                self.handshake_complete = True

        self.app = answered
        await super().run_asgi()


def protocols(
    limits: Limits, trusted: Networks
) -> tuple[type[HttpProtocol], type[WebSocketProtocol]]:
    """Return both protocol classes, with the limits and trusted proxies of a server."""
    connection_limit = ConnectionLimit(limits, trusted)
    http = type("Http", (HttpProtocol,), {"limits": limits, "connection_limit": connection_limit})
    return http, type("Socket", (WebSocketProtocol,), {"limits": limits})
