"""What every HTTP request must bring and every response carries: three layers around the app.

`Gate` looks at `Host` and `Origin`, `Bodies` takes a small body whole or not at all, and
`SecurityHeaders` tells browsers how little our pages need. `guarded` puts them around an app,
outside of everything that the app answers, errors too. What they refuse never reaches the app.

>>> print(policy("cats.example").partition("; manifest-src")[0])  # doctest: +NORMALIZE_WHITESPACE
default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self';
connect-src 'self' ws://cats.example wss://cats.example
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, Literal, NamedTuple, TypeAlias

from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..table.messages import Refused, encode
from .limits import Limits
from .origins import Host, Origins

Reason: TypeAlias = Literal["host", "origin", "framing", "media", "too_large", "too_slow"]
Turned: TypeAlias = Callable[[Reason], None]
"""Is told why somebody was turned away, for counters and logs."""


class Problem(NamedTuple):
    """Why a request is refused."""

    status: int
    reason: Reason
    message: str


SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
METHODS: Final = SAFE | {"POST"}  # that some door has
JSON: Final = "application/json"
API: Final = "/api"
STARTS: Final = ("http.response.start", "websocket.http.response.start")  # the latter: no upgrade


def guarded(
    app: ASGIApp, origins: Origins, limits: Limits, turned: Turned = lambda _: None
) -> ASGIApp:
    """Put all three around an app."""
    bodies = Bodies(app, limits.body_bytes, limits.body_s, turned)
    return SecurityHeaders(Gate(bodies, origins, turned))


def refusal(status: int, code: str, message: str) -> Response:
    """Make an answer that says what was wrong and what would be right, and quotes nothing.

    It looks like every other refusal of the server. The connection is closed after it: what is
    still on its way there is not worth reading.

    >>> refusal(413, "http.too_large", "16 KiB at most").body
    b'{"type":"Refused","id":"","code":"http.too_large","clause":"","message":"16 KiB at most",\
"retry_ms":null}'
    """
    body = encode(Refused("", code, "", message, None))
    return Response(body, status, {"connection": "close"}, JSON)


def _refused(problem: Problem) -> Response:
    return refusal(problem.status, f"http.{problem.reason}", problem.message)


def header(scope: Scope, name: bytes) -> list[str]:
    """Give every value of a header."""
    return [value.decode("latin-1").strip() for key, value in scope["headers"] if key == name]


# ── What responses carry ─────────────────────────────────────────────────────────────────────

POLICY: Final = (
    "default-src 'none'",
    "script-src 'self'",  # no inline script, no eval: a text that becomes markup still runs nothing
    # No inline style either: Svelte's `style:` and transitions go through the CSSOM, which is
    # allowed; a literal style="…" in a template is not, and has no effect.
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'{sockets}",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    # Svelte, from 5.51, makes its templates under a policy of this name, and the client may have
    # one of its own: registering a service worker needs a TrustedScriptURL.
    "require-trusted-types-for 'script'",
    "trusted-types svelte-trusted-html catinthebox",
)
UNUSED: Final = (  # features of a browser that no page here asks for
    *("accelerometer", "camera", "display-capture", "geolocation", "gyroscope"),
    *("hid", "magnetometer", "microphone", "midi", "payment", "publickey-credentials-get"),
    *("serial", "usb", "xr-spatial-tracking"),
)
ALWAYS: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),  # a link to a table is the key to it
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", ", ".join(f"{name}=()" for name in UNUSED).encode()),
)
OURS: Final = frozenset({b"content-security-policy", *(name for name, _ in ALWAYS)})


def policy(host: str | None) -> str:
    """Give the content security policy of pages that a host serves.

    `'self'` includes WebSockets in the standard of today; Safari before 15.4 wants them named. That
    is possible for names and IPv4 addresses: the grammar of a policy has no IPv6 address.
    """
    return "; ".join(POLICY).format(sockets=_sockets(host))


def _sockets(host: str | None) -> str:
    try:
        found = Host.parse(host or "")
    except ValueError:
        return ""
    place = found.name if found.port is None else f"{found.name}:{found.port}"
    return "" if ":" in found.name else f" ws://{place} wss://{place}"


class SecurityHeaders:
    """Adds the security headers to every response, in place of any that the app has set."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and complete what is answered."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return

        async def complete(message: Message) -> None:
            if message["type"] in STARTS:
                message["headers"] = _completed(scope, message.get("headers", ()))
            await send(message)

        await self.app(scope, receive, complete)


def _completed(scope: Scope, given: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    kept = [(name, value) for name, value in given if name.lower() not in OURS]
    hosts = header(scope, b"host")
    kept += [*ALWAYS, (b"content-security-policy", policy(hosts[0] if hosts else None).encode())]
    if _under(scope["path"], API) and all(name.lower() != b"cache-control" for name, _ in kept):
        kept.append((b"cache-control", b"no-store"))  # what is true now; and it may be a secret
    return kept


def _under(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder}/")


# ── Who may come in ──────────────────────────────────────────────────────────────────────────


class Gate:
    """Refuses names we do not have, and pages elsewhere that want to change something."""

    def __init__(self, app: ASGIApp, origins: Origins, turned: Turned = lambda _: None) -> None:
        self.app = app
        self.origins = origins
        self.turned = turned

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or not."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        problem = self._problem(scope)
        if problem is None:
            await self.app(scope, receive, send)
            return
        self.turned(problem.reason)
        if scope["type"] == "websocket":  # before it is accepted, this is an answer of 403
            await send({"type": "websocket.close", "code": 1008, "reason": problem.reason})
        else:
            await _refused(problem)(scope, receive, send)

    def _problem(self, scope: Scope) -> Problem | None:
        hosts, origins = header(scope, b"host"), header(scope, b"origin")
        # HTTP/1.0 has no Host; simple health checks speak it, browsers do not.
        if len(hosts) != 1 and (hosts or scope.get("http_version") != "1.0"):
            return Problem(400, "host", "a request has one Host")
        if hosts and not self.origins.knows(hosts[0]):
            sentence = "this server does not go by that name; --host-name tells it one"
            return Problem(421, "host", sentence)
        if scope["type"] == "http" and scope["method"] in SAFE:
            return None
        host, origin = hosts[0] if hosts else None, origins[0] if origins else None
        if len(origins) > 1 or not self.origins.allows(origin, host, scope["scheme"]):
            sentence = "pages of other sites may not do that; --origin allows one"
            return Problem(403, "origin", sentence)
        return None


# ── What they may bring ──────────────────────────────────────────────────────────────────────


class Bodies:
    """Takes a body whole before the app sees anything of it: small, in time, and JSON.

    `application/json` is a type that no form of another site can send unasked. A method that no
    door has is the app's to refuse, and its body nobody's to read.
    """

    def __init__(
        self, app: ASGIApp, most: int, seconds: float, turned: Turned = lambda _: None
    ) -> None:
        self.app = app
        self.most = most
        self.seconds = seconds
        self.turned = turned

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read the body, then let the app answer; or refuse, or give up on who has gone."""
        if scope["type"] != "http" or scope["method"] not in METHODS:
            await self.app(scope, receive, send)
            return
        body = _framing(scope) or self._announced(scope) or await self._read(receive)
        if isinstance(body, Problem):
            self.turned(body.reason)
            await _refused(body)(scope, receive, send)
        elif body is not None:
            await self.app(scope, _again(body, receive), send)

    async def _read(self, receive: Receive) -> bytes | Problem | None:
        """Read a body; None if whoever sent it has gone."""
        try:
            async with asyncio.timeout(self.seconds):
                return await self._whole(receive)
        except TimeoutError:
            return Problem(408, "too_slow", f"a body arrives within {self.seconds:g} seconds")

    def _too_large(self) -> Problem:
        return Problem(413, "too_large", f"a body has at most {self.most} bytes")

    def _announced(self, scope: Scope) -> Problem | None:
        """What is wrong with a body by its headers alone."""
        if sum(map(int, header(scope, b"content-length"))) > self.most:
            return self._too_large()
        media = [text.partition(";")[0].strip().lower() for text in header(scope, b"content-type")]
        if scope["method"] not in SAFE and media != [JSON]:
            return Problem(415, "media", f"a request that changes something is {JSON}")
        if header(scope, b"content-encoding"):  # we unpack nothing, so nothing can blow up
            return Problem(415, "media", "a body is not compressed")
        return None

    async def _whole(self, receive: Receive) -> bytes | Problem | None:
        body = bytearray()
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            body += message.get("body", b"")
            if len(body) > self.most:
                return self._too_large()
            if not message.get("more_body", False):
                return bytes(body)


def _framing(scope: Scope) -> Problem | None:
    """Refuse what a proxy in front of us might cut into requests elsewhere than we do."""
    sizes, codings = header(scope, b"content-length"), header(scope, b"transfer-encoding")
    sized = len(sizes) == 1 and sizes[0].isascii() and sizes[0].isdigit() and len(sizes[0]) < 19
    chunked = [coding.lower() for coding in codings] == ["chunked"]
    if (sizes and not sized) or (codings and not chunked) or (sizes and codings):
        return Problem(400, "framing", "a body has one Content-Length, or is chunked")
    return None


def _again(body: bytes, receive: Receive) -> Receive:
    """Give a body that was read, then whatever comes after it."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def next_message() -> Message:
        return waiting.pop() if waiting else await receive()

    return next_message
