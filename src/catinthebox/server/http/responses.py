"""Responses, and how errors become responses: HTTP statuses, bodies, WebSocket close codes.

Whatever goes wrong, a client gets a `Refused` with a code for programs and a message for people,
and nothing more: no stack trace, and nothing that another client sent.

>>> from catinthebox.server.errors import unknown
>>> status(unknown()), status(NoToken()), status(Unavailable("the disk is full"))
(404, 401, 503)
>>> refusal(Unavailable("the disk is full"), "m1").code
'server.unavailable'
>>> error_response(Unavailable("the disk is full")).headers["retry-after"]
'1'
"""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import Final

from msgspec import Struct
from starlette.responses import Response

from ...game import BadSetup, CatInTheBoxError, NotUnderstood
from ...game.record import RecordError
from ...protocol.codec import encode
from ...protocol.messages import Refused
from ...protocol.stream import Bye
from ..errors import (
    DAMAGED,
    DAMAGED_MESSAGE,
    CorruptLog,
    Limited,
    NoToken,
    Overloaded,
    Unavailable,
)

JSON: Final = "application/json"
PLAIN: Final = "text/plain"
RETRY_S: Final = 1  # after which a command that was not stored may be sent again
MAX_MESSAGE: Final = 1000  # characters of an error message; some list many problems
MAX_WAIT: Final = 3600  # seconds in Retry-After


class InternalError(Exception):
    """A bug of the server; clients do not learn what it was."""


class HttpError(CatInTheBoxError):
    """An error with an HTTP status and headers of its own."""

    def __init__(
        self, status: int, code: str, message: str, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(code, message)
        self.status = status
        self.headers = dict(headers or {})


# ── Statuses ─────────────────────────────────────────────────────────────────────────────────

FORBIDDEN: Final = frozenset(
    {
        *("table.host_only", "table.not_your_seat", "table.not_a_bot", "table.not_seated"),
        *("table.no_spectators", "table.removed", "table.watch_only"),
    }
)
BY_CODE: Final = {"table.unknown": 404, "daily.off": 404, DAMAGED: 410}
STATUSES: Final = {
    NoToken: 401,
    NotUnderstood: 400,
    BadSetup: 400,
    RecordError: 400,
    Limited: 429,
    Overloaded: 503,
    Unavailable: 503,
    InternalError: 500,
    CorruptLog: 500,
}


def status(error: Exception) -> int:
    """Return the HTTP status of an error."""
    if isinstance(error, HttpError):
        return error.status
    for kind, number in STATUSES.items():
        if isinstance(error, kind):
            return number
    code = error.code if isinstance(error, CatInTheBoxError) else ""
    if code in BY_CODE:
        return BY_CODE[code]
    return 403 if code in FORBIDDEN else 409


def refusal(error: Exception, id: str = "") -> Refused:
    """Return the message about an error for a client; `id` is that of its command."""
    wait = _wait(error)
    ms = None if wait is None else ceil(1000 * wait)
    if isinstance(error, CatInTheBoxError):
        return Refused(id, error.code, error.clause, error.message[:MAX_MESSAGE], ms)
    if isinstance(error, Unavailable):
        message = f"{error}; nothing has changed, so it may be sent again"
        return Refused(id, "server.unavailable", "", message, ms)
    return Refused(id, "server.failure", "", "a server error; it has been logged", ms)


def _wait(error: Exception) -> float | None:
    """Return the seconds after which the client may try again; None if waiting does not help."""
    if isinstance(error, Limited | Overloaded):
        return min(error.wait, MAX_WAIT)
    return RETRY_S if isinstance(error, Unavailable) else None


def json_response(
    body: Struct, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """Return a response whose body is a struct."""
    return Response(encode(body), status, headers, JSON)


def error_response(error: Exception, id: str = "") -> Response:
    """Return the response for an error."""
    return json_response(refusal(error, id), status(error), _headers(error))


def _headers(error: Exception) -> dict[str, str]:
    if isinstance(error, HttpError):
        return error.headers
    if isinstance(error, NoToken):
        return {"WWW-Authenticate": "Bearer"}
    wait = _wait(error)
    return {} if wait is None else {"Retry-After": str(max(1, ceil(wait)))}


# ── The end of a connection ──────────────────────────────────────────────────────────────────

CLOSING, SLOW, IDLE, GONE = "server.closing", "line.slow", "line.idle", "line.gone"
ENDS: Final = {  # why the server ends a connection: a message, and the close code of a WebSocket
    CLOSING: ("the server is restarting; reconnect in a moment", 1001),
    SLOW: ("you read too slowly; reconnect with the version that you have seen", 1013),
    IDLE: ("the connection was idle for too long; reconnect when you like", 1000),
    GONE: ("the connection was closed", 1000),
    "line.silent": ("the first message, Hello, did not arrive in time", 4408),
    "limit.spectators": (
        "too many people watch; a player or another visitor took your place, so try again later",
        4429,
    ),
    "limit.nonsense": ("too many invalid messages", 4429),
    "server.failure": ("a server error; it has been logged", 1011),
    DAMAGED: (DAMAGED_MESSAGE, 4410),
    "table.no_spectators": ("this game is played without spectators", 4403),
}


def goodbye(why: str | Exception) -> tuple[Bye, int]:
    """Return the last message of a connection, and the close code.

    >>> from catinthebox.server.errors import unknown
    >>> goodbye("server.closing")[1], goodbye(unknown())
    (1001, (Bye(code='table.unknown', message='there is no table with this key'), 4404))
    """
    if isinstance(why, str):
        message, close = ENDS[why]
        return Bye(why, message), close
    last, number = refusal(why), status(why)
    close = {500: 1011, 503: 1013}.get(number, 4000 + number)
    return Bye(last.code, last.message), close
