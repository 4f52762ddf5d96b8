"""The messages of a table over plain HTTP, one line of JSON each: for bots, and for curl.

Commands are sent by POST. While nothing happens, a `Beat` is sent now and then, so that no proxy
takes the connection for dead, however long a bot thinks.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from ...game import CatInTheBoxError
from ...protocol.codec import encode
from ..access.connector import Connector
from ..access.refusals import RefusalLog
from ..access.tables import TableAccess
from ..errors import CorruptLog, Limited, Overloaded, Unavailable
from ..http.responses import GONE, error_response, goodbye
from ..live.connection import Connection
from ..ops.logs import Logs
from ..ops.metrics import Metrics
from .websocket import abort_of

MEDIA: Final = "application/x-ndjson"
BEAT: Final = b'{"type":"Beat"'
HEADERS: Final = {"X-Accel-Buffering": "no"}  # asks proxies to pass on every line at once


@dataclass(frozen=True)
class NdjsonTransport:
    """The parts of the server that a stream uses."""

    tables: TableAccess
    connector: Connector
    refusals: RefusalLog
    metrics: Metrics
    logs: Logs
    clock: Callable[[], float]


class Stream(Response):
    """A response that goes on for as long as the client reads it."""

    def __init__(
        self, transport: NdjsonTransport, key: str, who: str, address: str, version: int | None
    ) -> None:
        super().__init__(None, 200, HEADERS, MEDIA)
        del self.headers["content-length"]  # it is not known
        self._transport = transport
        self._key = key
        self._who = who
        self._address = address
        self._version = version

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the messages of the table, or an error response before the first one."""
        try:
            await self._serve(scope, receive, send)
        except (Limited, Overloaded) as error:
            self._transport.refusals.rejected_by_limit(error, self._address)
            await error_response(error)(scope, receive, send)
        except (CatInTheBoxError, Unavailable) as error:
            await error_response(error)(scope, receive, send)
        except CorruptLog as error:  # nothing was sent: a table is read whole, or not at all
            self._transport.logs.failure(error)
            await error_response(error)(scope, receive, send)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        transport, address = self._transport, self._address
        abort = abort_of(scope)
        with transport.connector.arriving("ndjson", address):
            async with (
                transport.tables.open(self._key, address) as access,
                transport.connector.connect(
                    access, self._who, self._version, "ndjson", abort, address
                ) as connection,
            ):
                await self._stream(connection, receive, send)

    async def _stream(self, connection: Connection, receive: Receive, send: Send) -> None:
        reader = asyncio.create_task(_end_on_disconnect(connection, receive))
        try:
            start = {"type": "http.response.start", "status": 200, "headers": self.raw_headers}
            await send(start)
            await self._send_frames(connection, send)
            connection.sending = self._transport.clock()
            why = connection.outbox.ended
            last = b"" if why == GONE else _line(encode(goodbye(why)[0]))
            await send({"type": "http.response.body", "body": last, "more_body": False})
        finally:
            reader.cancel()

    async def _send_frames(self, connection: Connection, send: Send) -> None:
        clock, outbox = self._transport.clock, connection.outbox
        while frames := await outbox.take():
            connection.sending = clock()
            body = b"".join(map(_line, frames))
            await send({"type": "http.response.body", "body": body, "more_body": True})
            outbox.frames_sent += len(frames)
            if not body.startswith(BEAT):  # a stream is in use while something happens
                connection.last_request = connection.sending
            connection.sending = None


def _line(message: bytes) -> bytes:
    return message + b"\n"


async def _end_on_disconnect(connection: Connection, receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    connection.outbox.end(GONE)
