"""A table over a WebSocket: one task reads messages and carries them out, another one writes.

The reader handles one message after the other and puts its answer into the connection's outbox, so
an answer comes after every frame that the command caused. Frames are written as they are put there.
The writer sends what had to wait because the client reads slowly, and the last message of all.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from starlette.types import Message, Scope
from starlette.websockets import WebSocket, WebSocketDisconnect

from ...game import CatInTheBoxError, NotUnderstood
from ...protocol.codec import encode
from ...protocol.stream import (
    Ask,
    Do,
    FromClient,
    Hello,
    Ping,
    Pong,
    Resync,
    read_message,
    readable_id,
)
from ..access.clients import ClientIdentity
from ..access.commands import CommandRunner
from ..access.connector import Connector
from ..access.rate_limits import RateLimits, limited
from ..access.refusals import RefusalLog
from ..access.tables import TableAccess
from ..errors import Unavailable
from ..http.responses import GONE, HttpError, InternalError, error_response, goodbye, refusal
from ..live.connection import Connection
from ..live.links import Access
from ..live.live_table import LiveTable
from ..ops.logs import Logs
from ..ops.metrics import Metrics

ABORT: Final = "catinthebox.abort"  # the ASGI extension that drops a connection
SEND: Final = "catinthebox.send"  # the one that writes a message, unless it would have to wait
PONG: Final = encode(Pong())
COSTS: Final[dict[type[FromClient], float]] = {Do: 1, Ask: 1, Ping: 1, Resync: 5, Hello: 5}
UNREADABLE_COST: Final = 5.0  # what a message costs that cannot be read
SILENT, NONSENSE = "line.silent", "limit.nonsense"  # reasons to end a connection


def abort_of(scope: Scope) -> Callable[[], None]:
    """Return the function that drops a connection; behind a foreign server it does nothing."""
    found: Callable[[], None] = scope.get("extensions", {}).get(ABORT, {}).get("call", lambda: None)
    return found


def send_of(scope: Scope) -> Callable[[bytes], bool]:
    """Return the function that writes a message at once; behind a foreign server all must wait."""
    found: Callable[[bytes], bool] = (
        scope.get("extensions", {}).get(SEND, {}).get("call", lambda _: False)
    )
    return found


@dataclass(frozen=True)
class WebSocketTransport:
    """Serves WebSockets, with the parts of the server that they use."""

    clients: ClientIdentity
    tables: TableAccess
    connector: Connector
    commands: CommandRunner
    rate_limits: RateLimits
    refusals: RefusalLog
    metrics: Metrics
    logs: Logs
    clock: Callable[[], float]
    hello_s: float  # in which the first message has to arrive

    async def serve(self, websocket: WebSocket) -> None:
        """Serve the WebSocket of a table, whose key is in the path."""
        address = self.clients.address(websocket.scope)
        try:
            if websocket.scope["query_string"]:
                raise HttpError(404, "http.unknown", "there is no socket here")
            with self.connector.arriving("websocket", address):
                await websocket.accept()
                await WebSocketSession(self, websocket, address).run()
        except HttpError as error:
            await websocket.send_denial_response(error_response(error))
        except CatInTheBoxError as error:
            self.refusals.rejected_by_limit(error, address)
            await websocket.send_denial_response(error_response(error))


class WebSocketSession:
    """One accepted WebSocket, from its first message to its last."""

    def __init__(self, transport: WebSocketTransport, websocket: WebSocket, address: str) -> None:
        self._transport = transport
        self._websocket = websocket
        self._key: str = websocket.path_params["key"]
        self._address = address
        self._abort = abort_of(websocket.scope)
        self._bucket = transport.rate_limits.socket()
        self._refusal_bucket = transport.rate_limits.refused_messages()

    async def run(self) -> None:
        """Serve until either side ends; the last message says why, if the client still reads."""
        try:
            await self._serve()
        except TimeoutError:  # before OSError, of which it is a kind
            await self._say_goodbye(SILENT)
        except (WebSocketDisconnect, OSError):
            pass
        except (CatInTheBoxError, Unavailable) as error:
            await self._say_goodbye(error)
        except Exception as error:  # a bug
            self._transport.logs.failure(error)
            await self._say_goodbye(InternalError())

    async def _serve(self) -> None:
        transport = self._transport
        async with asyncio.timeout(transport.hello_s):
            hello = await self._receive_hello()
        who = transport.clients.person(hello.token, self._address)
        async with (
            transport.tables.open(self._key, self._address) as access,
            transport.connector.connect(
                access, who, hello.version, "websocket", self._abort, self._address
            ) as connection,
        ):
            await self._exchange(access, connection)

    async def _receive_hello(self) -> Hello:
        message = read_message(_text(await self._websocket.receive()))
        if not isinstance(message, Hello):
            raise NotUnderstood("input.hello", "the first message of a connection is a Hello")
        return message

    async def _exchange(self, access: Access, connection: Connection) -> None:
        """Read and write until either side ends.

        The reader is a task of its own as well: whenever it waits, only its own calls are resumed,
        and not those of the middleware around this one.
        """
        writer = asyncio.create_task(self._write(connection))
        connection.outbox.send_now = send_of(self._websocket.scope)
        try:
            await asyncio.create_task(self._read(access, connection))
        finally:
            connection.outbox.end(GONE)
            await writer

    # ── Writing ──────────────────────────────────────────────────────────────────────────────

    async def _write(self, connection: Connection) -> None:
        """Send what the outbox holds until it has ended; then say why, and close."""
        try:
            await self._send_frames(connection)
            if connection.outbox.ended != GONE:
                connection.sending = self._transport.clock()
                await self._say_goodbye(connection.outbox.ended)
        except (WebSocketDisconnect, OSError):
            pass
        except Exception as error:  # a bug; the reader must not wait for ever
            self._transport.logs.failure(error)
            self._abort()

    async def _send_frames(self, connection: Connection) -> None:
        outbox, websocket, clock = connection.outbox, self._websocket, self._transport.clock
        while frames := await outbox.take():
            connection.sending = clock()
            try:
                for frame in frames:
                    await websocket.send_text(frame.decode())
            except RuntimeError:  # closed meanwhile: no heartbeat was answered
                raise WebSocketDisconnect from None
            connection.sending = None
            outbox.frames_sent += len(frames)

    async def _say_goodbye(self, why: str | Exception) -> None:
        """Send the last message and close."""
        last, code = goodbye(why)
        with suppress(WebSocketDisconnect, OSError, RuntimeError):  # it was closed already
            await self._websocket.send_text(encode(last).decode())
            await self._websocket.close(code, last.code)

    # ── Reading ──────────────────────────────────────────────────────────────────────────────

    async def _read(self, access: Access, connection: Connection) -> None:
        """Handle one message after the other until the client disconnects."""
        transport, outbox = self._transport, connection.outbox
        while True:
            text = _text(await self._websocket.receive())
            if outbox.ended:
                continue  # the writer says good-bye; what comes now comes too late
            transport.metrics.frames_in.value += 1
            if (sent := self._command_of(text, access.live, connection)) is None:
                continue
            who, address = outbox.who, self._address
            try:
                done = await transport.commands.run(access, who, address, sent.id, sent.command)
                outbox.put(encode(done))
            except (CatInTheBoxError, Unavailable) as error:
                transport.refusals.command(error, address)
                outbox.put(encode(refusal(error, sent.id)))

    def _command_of(self, text: str, live: LiveTable, connection: Connection) -> Do | None:
        """Return the command in a message; any other message is answered at once."""
        try:
            message = read_message(text)
        except NotUnderstood as error:
            connection.outbox.put(self._refuse_unreadable(connection, text, error))
            return None
        now = self._transport.clock()
        if wait := self._bucket.take(now, COSTS[type(message)]):
            connection.outbox.put(self._refuse_too_fast(connection, message, wait))
            return None
        if isinstance(message, Do):
            connection.last_request = now
            return message
        if answer := self._reply(live, connection, message):
            connection.outbox.put(answer)
        return None

    def _reply(self, live: LiveTable, connection: Connection, message: FromClient) -> bytes | None:
        """Answer a message that changes nothing at the table."""
        if isinstance(message, Ask):
            connection.last_request = self._transport.clock()
            return self._why(live, connection, message)
        if isinstance(message, Ping):
            return PONG
        if isinstance(message, Resync):
            self._transport.metrics.resyncs.value += 1
            live.send_snapshot(connection.outbox)
            return None
        return encode(refusal(NotUnderstood("input.hello", "you have said Hello already")))

    def _why(self, live: LiveTable, connection: Connection, message: Ask) -> bytes:
        commands, who = self._transport.commands, connection.outbox.who
        try:
            why = commands.why(live, who, self._address, message.action, message.id)
            return encode(why)
        except CatInTheBoxError as error:
            self._transport.refusals.command(error, self._address)
            return encode(refusal(error, message.id))

    # ── Messages that are not carried out ────────────────────────────────────────────────────

    def _refuse_unreadable(self, connection: Connection, text: str, error: NotUnderstood) -> bytes:
        self._transport.refusals.command(error, self._address)
        self._bucket.take(self._transport.clock(), UNREADABLE_COST)
        self._count_refusal(connection)
        return encode(refusal(error, readable_id(text)))

    def _refuse_too_fast(self, connection: Connection, message: FromClient, wait: float) -> bytes:
        error = limited("limit.socket", "too many messages on this connection", wait)
        self._transport.refusals.command(error, self._address)
        self._count_refusal(connection)
        return encode(refusal(error, message.id if isinstance(message, Do | Ask) else ""))

    def _count_refusal(self, connection: Connection) -> None:
        """End a connection that has sent too many invalid messages."""
        if self._refusal_bucket.take(self._transport.clock()):
            connection.outbox.end(NONSENSE)


def _text(event: Message) -> str:
    """Return the text of a message; a binary one counts as an empty text, which is refused."""
    if event["type"] == "websocket.disconnect":
        raise WebSocketDisconnect
    return event.get("text") or ""
