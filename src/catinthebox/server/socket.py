"""Lines over WebSockets: one task reads and does, another one writes what waits.

The reader does one thing after the other, and answers through the line: an answer comes after
everything that it is about. The writer takes whatever waits and sends all of it. Behind a server of
ours little waits: the hub's frames go straight to the connection, and the writer sleeps.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from starlette.types import Receive, Scope, Send

from ..game import CatInTheBoxError, NotUnderstood
from ..table.messages import encode as encode_message
from .answers import GONE, Failure, bye, refusal, reply
from .books import limited
from .edge import Edge
from .errors import Overloaded, Unavailable
from .links import Access
from .live import Live
from .outlet import Outlet
from .wire import (
    Ask,
    Do,
    FromClient,
    Hello,
    Ping,
    Pong,
    Resync,
    encode,
    read_message,
    readable_id,
)

ABORT: Final = "catinthebox.abort"  # the extension by which a connection can be cut off
WRITE: Final = "catinthebox.write"  # the extension by which a text is sent without waiting
PONG: Final = encode(Pong())
COSTS: Final[dict[type[FromClient], float]] = {Do: 1, Ask: 1, Ping: 1, Resync: 5, Hello: 5}
NONSENSE: Final = 5.0  # what a message costs that cannot be read
SILENT, NONSENSICAL = "line.silent", "limit.nonsense"


def abort_of(scope: Scope) -> Callable[[], None]:
    """Give what cuts a connection off; nothing does, behind a server that is not ours."""
    found: Callable[[], None] = scope.get("extensions", {}).get(ABORT, {}).get("call", lambda: None)
    return found


def write_of(scope: Scope) -> Callable[[bytes], bool] | None:
    """Give what sends a text at once and says whether it could; only a server of ours has it."""
    found: Callable[[bytes], bool] | None = scope.get("extensions", {}).get(WRITE, {}).get("call")
    return found


class Gone(Exception):
    """The client has closed the line."""


async def serve_socket(edge: Edge, key: str, scope: Scope, receive: Receive, send: Send) -> None:
    """Serve a connection that wants to be a WebSocket."""
    await receive()  # that it wants to
    address = edge.address(scope)
    try:
        edge.books.upgrade(address)
        if edge.closing:
            raise Overloaded("this server is being restarted", edge.limits.retry_after_s)
        with edge.books.sockets.arriving(address):
            await send({"type": "websocket.accept"})
            session = Session(edge, key, address, receive, send, abort_of(scope))
            session.write = write_of(scope)
            await session.run()
    except CatInTheBoxError as error:
        edge.turn_away(error, address)
        await reply(error)(scope, receive, send)


class Session:
    """One WebSocket, from its first message to its last."""

    def __init__(
        self,
        edge: Edge,
        key: str,
        address: str,
        receive: Receive,
        send: Send,
        abort: Callable[[], None],
    ) -> None:
        self._edge = edge
        self._key = key
        self._address = address
        self._receive = receive
        self._send = send
        self._abort = abort
        self.write: Callable[[bytes], bool] | None = None  # sends a text at once, if it can
        self._bucket = edge.books.socket()
        self._troubles = edge.books.troubles()

    async def run(self) -> None:
        """Serve it; whatever goes wrong is told in a last message, if anybody still reads."""
        try:
            await self._serve()
        except TimeoutError:  # before OSError, of which it is a kind
            await self._part(SILENT)
        except (Gone, OSError):
            pass
        except (CatInTheBoxError, Unavailable) as error:
            await self._part(error)
        except Exception as error:  # a mistake of ours
            self._edge.logs.failure(error)
            await self._part(Failure())

    async def _serve(self) -> None:
        edge = self._edge
        async with asyncio.timeout(edge.limits.hello_s):
            hello = await self._hello()
        who = edge.person(hello.token, self._address)
        async with (
            edge.table(self._key, self._address) as access,
            edge.listening(
                access, who, hello.version, "websocket", self._abort, self._address
            ) as outlet,
        ):
            await self._talk(access, outlet)

    async def _hello(self) -> Hello:
        message = read_message(await self._next())
        if not isinstance(message, Hello):
            raise NotUnderstood("input.hello", "a line begins with a Hello")
        return message

    async def _next(self) -> str:
        """Wait for a message; what is not a text is as good as nothing."""
        event = await self._receive()
        if event["type"] != "websocket.receive":
            raise Gone
        return event.get("text") or ""

    # ── Writing ──────────────────────────────────────────────────────────────────────────────

    async def _write(self, outlet: Outlet) -> None:
        """Send what waits until the line has ended; then say why, and close."""
        try:
            await self._pour(outlet)
            if outlet.line.over != GONE:
                outlet.sending = self._edge.clock()
                await self._part(outlet.line.over)
        except (Gone, OSError):  # nobody is there any more
            pass
        except Exception as error:  # a mistake of ours; the reader must not wait for ever
            self._edge.logs.failure(error)
            self._abort()

    async def _pour(self, outlet: Outlet) -> None:
        line, send, clock = outlet.line, self._send, self._edge.clock
        counter = self._edge.metrics.frames_out
        while frames := await line.take():
            outlet.sending = clock()
            try:
                for frame in frames:
                    await send({"type": "websocket.send", "text": frame.decode()})
            except RuntimeError:  # closed meanwhile: no heartbeat was answered
                raise Gone from None
            outlet.sent = outlet.sending
            outlet.sending = None
            counter.value += len(frames)

    def _at_once(self, outlet: Outlet) -> Callable[[bytes], bool] | None:
        """Give what sends a frame without the writer, and counts it as the writer does."""
        write, clock, counter = self.write, self._edge.clock, self._edge.metrics.frames_out
        if write is None:
            return None

        def sent(frame: bytes) -> bool:
            if not write(frame):
                return False
            outlet.sent = clock()
            counter.value += 1
            return True

        return sent

    async def _part(self, why: str | Exception) -> None:
        """Say good-bye."""
        last, code = bye(why)
        try:
            await self._send({"type": "websocket.send", "text": encode(last).decode()})
            await self._send({"type": "websocket.close", "code": code, "reason": last.code})
        except (OSError, RuntimeError):  # it was closed already
            pass

    # ── Reading ──────────────────────────────────────────────────────────────────────────────

    async def _talk(self, access: Access, outlet: Outlet) -> None:
        outlet.line.at_once = self._at_once(outlet)
        writer = asyncio.create_task(self._write(outlet))
        try:
            await self._read(access, outlet)
        finally:
            outlet.line.end(GONE)
            await writer

    async def _read(self, access: Access, outlet: Outlet) -> None:
        """Do what is asked, one thing after the other, until the client goes."""
        line, counter = outlet.line, self._edge.metrics.frames_in
        while True:
            text = await self._next()
            if line.over:
                continue  # the writer says good-bye; what comes now comes too late
            counter.value += 1
            if answer := await self._answer(access, outlet, text):
                line.put(answer)

    async def _answer(self, access: Access, outlet: Outlet, text: str) -> bytes | None:
        try:
            message = read_message(text)
        except NotUnderstood as error:
            return self._not_understood(outlet, text, error)
        now = self._edge.clock()
        if wait := self._bucket.take(now, COSTS[type(message)]):
            return self._too_fast(outlet, message, wait)
        if isinstance(message, Do):
            outlet.heard = now
            return await self._done(access, outlet, message)
        return self._told(access.live, outlet, message)

    async def _done(self, access: Access, outlet: Outlet, message: Do) -> bytes:
        edge = self._edge
        try:
            done = await edge.do(
                access, outlet.line.who, self._address, message.id, message.command
            )
        except (CatInTheBoxError, Unavailable) as error:
            edge.refused(error, self._address)
            return encode(refusal(error, message.id))
        edge.metrics.commands["done"].value += 1
        return encode_message(done)

    def _told(self, live: Live, outlet: Outlet, message: FromClient) -> bytes | None:
        if isinstance(message, Ask):
            outlet.heard = self._edge.clock()
            return self._why(live, outlet, message)
        if isinstance(message, Ping):
            return PONG
        if isinstance(message, Resync):
            self._edge.metrics.resyncs.value += 1
            live.show(outlet.line)
            return None
        return encode(refusal(NotUnderstood("input.hello", "you have said Hello already")))

    def _why(self, live: Live, outlet: Outlet, message: Ask) -> bytes:
        try:
            edge, who = self._edge, outlet.line.who
            return encode_message(edge.why(live, who, self._address, message.action, message.id))
        except CatInTheBoxError as error:
            self._edge.refused(error, self._address)
            return encode(refusal(error, message.id))

    # ── Trouble ──────────────────────────────────────────────────────────────────────────────

    def _not_understood(self, outlet: Outlet, text: str, error: NotUnderstood) -> bytes:
        self._edge.refused(error, self._address)
        self._bucket.take(self._edge.clock(), NONSENSE)
        self._trouble(outlet)
        return encode(refusal(error, readable_id(text)))

    def _too_fast(self, outlet: Outlet, message: FromClient, wait: float) -> bytes:
        error = limited("limit.socket", "too many messages on this line", wait)
        self._edge.refused(error, self._address)
        self._trouble(outlet)
        return encode(refusal(error, message.id if isinstance(message, Do | Ask) else ""))

    def _trouble(self, outlet: Outlet) -> None:
        if self._troubles.take(self._edge.clock()):
            outlet.line.end(NONSENSICAL)
