"""uvicorn's two protocols, and what they lack against visitors who mean harm.

The head of a request must come in time and be of a reasonable size, nothing may follow a body, few
requests wait for others, there are not more connections than there is room for, nor too many of one
address, and a connection whose reader does not read can be cut off: the extension `ABORT` in the
scope of an application says how.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Final

from starlette.types import Receive, Scope, Send
from uvicorn._types import ASGI3Application
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

from .limits import Bucket, Held, Limits, Trusted, address_key
from .socket import ABORT, WRITE

SPARE: Final = 500  # connections that are neither sockets nor streams
SPARE_EACH: Final = 64  # of those, for an address: a class room opens the page
PIPELINED: Final = 16  # requests that wait for an answer to another one; browsers send none
PIECES: Final = 64  # of one message; browsers send one
TEXT: Final = 0x81  # the first byte of a whole text
SHORTEST: Final = 6  # bytes of a client's frame: two, and its mask
LONG: Final = 126  # bytes of a text, from which on its length is written in another way
AHEAD: Final = 4  # messages that may wait for the one that is being done; then nobody reads on
WAITING: Final = 1024  # messages of one socket that nobody has looked at yet


def _bare(status: str) -> bytes:
    return f"HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n".encode()


TOO_LATE: Final = _bare("408 Request Timeout")
TOO_LARGE: Final = _bare("431 Request Header Fields Too Large")
BAD: Final = _bare("400 Bad Request")


@lru_cache(maxsize=4096)
def head(size: int) -> bytes:
    """Give what stands before a text of so many bytes: one whole frame, not masked (RFC 6455).

    >>> head(5).hex(), head(200).hex(), head(70_000).hex()
    ('8105', '817e00c8', '817f0000000000011170')
    """
    if size < 126:
        return bytes((TEXT, size))
    if size < 1 << 16:
        return bytes((TEXT, 126)) + size.to_bytes(2, "big")
    return bytes((TEXT, 127)) + size.to_bytes(8, "big")


def message(data: bytes) -> str | None:
    """Read what came if it is one whole short text, as a player's messages are; None if not.

    >>> message(bytes.fromhex("8185 01020304 69676f686e"))
    'hello'
    >>> message(bytes.fromhex("8105 68656c6c6f")) is message(b"") is None  # not masked; nothing
    True
    """
    size = len(data) - SHORTEST
    if not 0 <= size < LONG or data[0] != TEXT or data[1] != 0x80 | size:
        return None
    mask = (data[2:SHORTEST] * (size // 4 + 1))[:size]
    hidden = int.from_bytes(data[SHORTEST:], "big") ^ int.from_bytes(mask, "big")
    try:
        return hidden.to_bytes(size, "big").decode()
    except UnicodeDecodeError:
        return None


def ends_whole(data: bytes) -> bool:
    """Say whether what begins with a frame of a client ends with one, and so does not cut one.

    >>> ends_whole(bytes(6) * 2), ends_whole(bytes(6) + bytes(5))
    (True, False)
    """
    at, end = 0, len(data)
    while end - at >= SHORTEST:
        size = data[at + 1] & 0x7F
        wide = {126: 2, 127: 8}.get(size, 0)
        if wide:
            size = int.from_bytes(data[at + 2 : at + 2 + wide], "big")
        at += SHORTEST + wide + size
    return at == end


class Guests:
    """The connections that are open: not too many, and not too many of one address.

    >>> guests = Guests(Limits(sockets_per_address=1, streams_per_address=1), Trusted())
    >>> [guests.enter("203.0.113.9") for _ in range(67)].count("")
    1
    """

    def __init__(self, limits: Limits, trusted: Trusted) -> None:
        each = limits.sockets_per_address + limits.streams_per_address + SPARE_EACH
        self._held = Held[str](each, limits.sockets + limits.streams + SPARE)
        self._trusted = trusted
        self._count = 0

    def enter(self, peer: str | None) -> str:
        """Let somebody in; the answer is what they are called here, or nothing: no room."""
        self._count += 1
        proxy = self._trusted.believes(peer)  # speaks for many: each connection is another guest
        name = f"proxy {self._count}" if proxy else address_key(peer or "")
        return name if self._held.enter(name) else ""

    def leave(self, name: str) -> None:
        """Let them go."""
        if name:
            self._held.leave(name)


class Http(HttpToolsProtocol):
    """A connection that speaks HTTP."""

    limits: Limits = Limits()
    guests: Guests = Guests(Limits(), Trusted())

    _guest = ""  # what this connection is called there
    _running: RequestResponseCycle | None = None  # the request that is being answered
    _timer: asyncio.TimerHandle | None = None
    _in_head = True
    _steps = 0  # heads and pieces of bodies that were read
    _size = 0  # of what was read since

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Let somebody in, if there is room."""
        super().connection_made(transport)
        self._guest = self.guests.enter(self.client and self.client[0])
        if self._guest:
            self._begin_head()
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget about it; also whoever answers the first of several requests is told so."""
        self._end_timer()
        self.guests.leave(self._guest)
        super().connection_lost(exc)
        if self._running is not None:
            self._running.disconnected = not self._running.response_complete
            self._running.message_event.set()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self._running = cycle
        super()._start_asgi_task(cycle, app)

    def data_received(self, data: bytes) -> None:
        """Read on; what is neither a whole head nor a body, and goes on and on, is too large."""
        steps = self._steps
        super().data_received(data)
        if self._steps == steps:
            self._size += len(data)
            if self._size > self.limits.head_bytes:
                self._refuse(TOO_LARGE)

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP, without a word."""
        self._refuse(BAD)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Read a header; after a body there is none, where a proxy might not have looked."""
        if not self._in_head:
            raise ValueError("a trailer")
        super().on_header(name, value)

    def on_body(self, body: bytes) -> None:
        """Read on in a body, which the application measures."""
        self._step()
        super().on_body(body)

    def on_message_begin(self) -> None:
        """Begin another request."""
        super().on_message_begin()
        self.scope["extensions"] = {ABORT: {"call": self.transport.abort}}
        if self._timer is None:
            self._begin_head()

    def on_headers_complete(self) -> None:
        """Begin to answer."""
        if len(self.pipeline) >= PIPELINED:
            raise ValueError("too many requests at once")
        self._end_timer()
        self._in_head = False
        self._step()
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
        if isinstance(protocol, Socket):
            protocol.leave = partial(self.guests.leave, self._guest)
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


class Socket(WebSocketsSansIOProtocol):
    """A connection that has become a WebSocket.

    The application counts messages. What is no message (pings, which are answered by themselves,
    and pieces of messages without an end) is counted here, by its bytes.
    """

    limits: Limits = Limits()
    leave: Callable[[], None] = staticmethod(lambda: None)

    _bytes: Bucket | None = None
    _whole = True  # no frame was cut in two by how its bytes came

    def connection_lost(self, exc: Exception | None) -> None:
        """Make room for another one."""
        self.leave()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on; whoever sends without end, or does not read what we answer, is cut off."""
        if self._bytes is None:
            size, moves = self.limits.frame_bytes, self.limits.socket_moves
            self._bytes = Bucket(size * moves.rate, size * moves.burst)
        elif self._bytes.take(self.loop.time(), len(data)):
            self.transport.abort()
            return
        self._read(data)
        unsent = self.transport.get_write_buffer_size()
        flooded = len(self.frames) > PIECES or self.queue.qsize() > WAITING
        if flooded or unsent > 2 * self.limits.queue_bytes:
            self.transport.abort()

    def _read(self, data: bytes) -> None:
        """Read a text by hand, if it comes by itself; the library reads everything else.

        Once it was given a part of a frame, it has to be given all that follows.
        """
        text = message(data) if self._whole and self.handshake_complete else None
        if text is None or self.frames or self.conn.state is not State.OPEN:
            if self.handshake_initiated:  # what comes first is no frame, but the request
                self._whole = self._whole and ends_whole(data)
            super().data_received(data)
            return
        self.queue.put_nowait({"type": "websocket.receive", "text": text})
        if self.queue.qsize() > AHEAD and not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()

    def write(self, text: bytes) -> bool:
        """Send a text at once; false, and nothing is sent, if it has to wait, or nobody is there.

        The library would do the same with five objects and a task for each text.
        """
        if self.close_sent or not self.writable.is_set() or self.transport.is_closing():
            return False
        self.transport.write(head(len(text)) + text)
        return True

    async def run_asgi(self) -> None:
        """Let the application begin, and know how to end."""
        self.scope["extensions"][ABORT] = {"call": self.transport.abort}
        self.scope["extensions"][WRITE] = {"call": self.write}
        app = self.app

        async def answered(scope: Scope, receive: Receive, send: Send) -> None:
            await app(scope, receive, send)
            if self.initial_response is not None:  # refused in words, which is an end, too
                self.handshake_complete = True

        self.app = answered
        await super().run_asgi()


def protocols(limits: Limits, trusted: Trusted) -> tuple[type[Http], type[Socket]]:
    """Give both, with the limits of a server and the proxies that it knows."""
    guests = Guests(limits, trusted)
    http = type("Http", (Http,), {"limits": limits, "guests": guests})
    return http, type("Socket", (Socket,), {"limits": limits})
