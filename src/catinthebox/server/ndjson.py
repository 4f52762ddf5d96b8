"""The same stream over plain HTTP, a line of JSON for each message: for bots, and for curl.

Whoever reads it sends commands by POST. A bot may think for as long as it likes: while nothing
happens there is a `Beat` now and then, so that nobody in between takes the line for dead.
"""

from __future__ import annotations

import asyncio
from typing import Final

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from ..game import CatInTheBoxError
from .answers import GONE, bye, reply
from .edge import Edge
from .errors import Broken, Limited, Overloaded, Unavailable
from .outlet import Outlet
from .socket import abort_of
from .wire import encode

MEDIA: Final = "application/x-ndjson"
BEAT: Final = b'{"type":"Beat"'
HEADERS: Final = {"X-Accel-Buffering": "no"}  # proxies are asked to pass on every line at once


class Stream(Response):
    """An answer that goes on for as long as somebody reads it."""

    def __init__(self, edge: Edge, key: str, who: str, address: str, version: int | None) -> None:
        super().__init__(None, 200, HEADERS, MEDIA)
        del self.headers["content-length"]  # nobody knows
        self._edge = edge
        self._key = key
        self._who = who
        self._address = address
        self._version = version

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it; if there is nothing to be sent, say why."""
        try:
            await self._serve(scope, receive, send)
        except (Limited, Overloaded) as error:
            self._edge.turn_away(error, self._address)
            await reply(error)(scope, receive, send)
        except (CatInTheBoxError, Unavailable) as error:
            await reply(error)(scope, receive, send)
        except Broken as error:  # before anything was sent: a table is read whole, or not at all
            self._edge.logs.failure(error)
            await reply(error)(scope, receive, send)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        edge, address = self._edge, self._address
        abort = abort_of(scope)
        with edge.books.streams.arriving(address):
            async with (
                edge.table(self._key, address) as access,
                edge.listening(
                    access, self._who, self._version, "ndjson", abort, address
                ) as outlet,
            ):
                await self._flow(outlet, receive, send)

    async def _flow(self, outlet: Outlet, receive: Receive, send: Send) -> None:
        reader = asyncio.create_task(_until_gone(outlet, receive))
        try:
            start = {"type": "http.response.start", "status": 200, "headers": self.raw_headers}
            await send(start)
            await self._pour(outlet, send)
            outlet.sending = self._edge.clock()
            last = b"" if outlet.line.over == GONE else _line(encode(bye(outlet.line.over)[0]))
            await send({"type": "http.response.body", "body": last, "more_body": False})
        finally:
            reader.cancel()

    async def _pour(self, outlet: Outlet, send: Send) -> None:
        clock, counter = self._edge.clock, self._edge.metrics.frames_out
        while frames := await outlet.line.take():
            outlet.sending = clock()
            body = b"".join(map(_line, frames))
            await send({"type": "http.response.body", "body": body, "more_body": True})
            outlet.sent = outlet.sending
            if not body.startswith(BEAT):  # a stream is in use while something happens
                outlet.heard = outlet.sending
            outlet.sending = None
            counter.value += len(frames)


def _line(message: bytes) -> bytes:
    return message + b"\n"


async def _until_gone(outlet: Outlet, receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    outlet.line.end(GONE)
