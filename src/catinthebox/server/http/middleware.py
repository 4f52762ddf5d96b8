"""Three ASGI middlewares around the whole application.

`HostOriginGuard` checks the headers `Host` and `Origin`, `BodyLimit` reads a small body whole or
not at all, and `SecurityHeaders` restricts what browsers let our pages do. A request that they
reject never reaches the application; they are used in `app.py`.

>>> print(policy("cats.example").partition("; manifest-src")[0])  # doctest: +NORMALIZE_WHITESPACE
default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:;
font-src 'self'; connect-src 'self' ws://cats.example wss://cats.example
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, Literal, NamedTuple, TypeAlias

from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ...protocol.codec import encode
from ...protocol.messages import Refused
from .origins import HostName, Origins

RejectReason: TypeAlias = Literal["host", "origin", "framing", "media", "too_large", "too_slow"]
OnReject: TypeAlias = Callable[[RejectReason], None]
"""Is called with the reason when a request is rejected, for metrics and logs."""


class Rejection(NamedTuple):
    """Why a request is rejected."""

    status: int
    reason: RejectReason
    message: str


SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
METHODS: Final = SAFE | {"POST"}  # all methods that any route has
JSON: Final = "application/json"
API: Final = "/api"
STARTS: Final = ("http.response.start", "websocket.http.response.start")  # the latter: no upgrade


def rejection_response(rejection: Rejection) -> Response:
    """Return a response with the body that all errors have; it quotes nothing of the request.

    The connection is closed after it, so that the rest of the request is not read.

    >>> rejection_response(Rejection(413, "too_large", "16 KiB at most")).body
    b'{"type":"Refused","id":"","code":"http.too_large","clause":"","message":"16 KiB at most",\
"retry_ms":null}'
    """
    body = encode(Refused("", f"http.{rejection.reason}", "", rejection.message, None))
    return Response(body, rejection.status, {"connection": "close"}, JSON)


def header(scope: Scope, name: bytes) -> list[str]:
    """Return every value of a request header."""
    return [value.decode("latin-1").strip() for key, value in scope["headers"] if key == name]


# ── Security headers ─────────────────────────────────────────────────────────────────────────

POLICY: Final = (
    "default-src 'none'",
    # No inline script, no eval: a text that becomes markup still runs nothing. The rules are a
    # WebAssembly module, which needs a word of its own; it reaches only what a script passes to it.
    "script-src 'self' 'wasm-unsafe-eval'",
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
    """Return the content security policy of the pages that a host serves.

    In the current standard `'self'` includes WebSockets; Safari before 15.4 needs them listed. That
    works for names and IPv4 addresses: the grammar of a policy has no IPv6 addresses.
    """
    return "; ".join(POLICY).format(sockets=_sockets(host))


def _sockets(host: str | None) -> str:
    try:
        found = HostName.parse(host or "")
    except ValueError:
        return ""
    place = found.name if found.port is None else f"{found.name}:{found.port}"
    return "" if ":" in found.name else f" ws://{place} wss://{place}"


class SecurityHeaders:
    """Adds the security headers to every response; they replace those that the app has set."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and add the headers to its response."""
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
        kept.append((b"cache-control", b"no-store"))  # it changes, and may be secret
    return kept


def _under(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder}/")


# ── Host and Origin ──────────────────────────────────────────────────────────────────────────


class HostOriginGuard:
    """Rejects unknown host names, and requests from pages of other sites that change something."""

    def __init__(
        self, app: ASGIApp, origins: Origins, on_reject: OnReject = lambda _: None
    ) -> None:
        self.app = app
        self.origins = origins
        self.on_reject = on_reject

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or reject it."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        rejection = self._check(scope)
        if rejection is None:
            await self.app(scope, receive, send)
            return
        self.on_reject(rejection.reason)
        if scope["type"] == "websocket":  # before it is accepted, this is an answer of 403
            await send({"type": "websocket.close", "code": 1008, "reason": rejection.reason})
        else:
            await rejection_response(rejection)(scope, receive, send)

    def _check(self, scope: Scope) -> Rejection | None:
        hosts, origins = header(scope, b"host"), header(scope, b"origin")
        # HTTP/1.0 has no Host; simple health checks speak it, browsers do not.
        if len(hosts) != 1 and (hosts or scope.get("http_version") != "1.0"):
            return Rejection(400, "host", "a request needs exactly one Host header")
        if hosts and not self.origins.knows(hosts[0]):
            message = "this is not a host name of this server; --host-name adds one"
            return Rejection(421, "host", message)
        if scope["type"] == "http" and scope["method"] in SAFE:
            return None
        host, origin = hosts[0] if hosts else None, origins[0] if origins else None
        if len(origins) > 1 or not self.origins.allows(origin, host, scope["scheme"]):
            message = "pages of other sites may not do this; --origin allows one"
            return Rejection(403, "origin", message)
        return None


# ── Bodies ───────────────────────────────────────────────────────────────────────────────────


class BodyLimit:
    """Reads the body before the app gets the request: it must be small, arrive in time, be JSON.

    A form on another site cannot send `application/json` without a CORS preflight. A method that no
    route has is refused by the app, and its body is not read.
    """

    def __init__(
        self, app: ASGIApp, most: int, seconds: float, on_reject: OnReject = lambda _: None
    ) -> None:
        self.app = app
        self.most = most
        self.seconds = seconds
        self.on_reject = on_reject

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read the body and pass the request on, reject it, or drop it if the client is gone."""
        if scope["type"] != "http" or scope["method"] not in METHODS:
            await self.app(scope, receive, send)
            return
        body = _check_framing(scope) or self._check_headers(scope) or await self._read(receive)
        if isinstance(body, Rejection):
            self.on_reject(body.reason)
            await rejection_response(body)(scope, receive, send)
        elif body is not None:
            await self.app(scope, _replay(body, receive), send)

    async def _read(self, receive: Receive) -> bytes | Rejection | None:
        """Read a body; None if the client disconnected."""
        try:
            async with asyncio.timeout(self.seconds):
                return await self._whole(receive)
        except TimeoutError:
            return Rejection(
                408, "too_slow", f"the body must arrive within {self.seconds:g} seconds"
            )

    def _too_large(self) -> Rejection:
        return Rejection(413, "too_large", f"the body may have at most {self.most} bytes")

    def _check_headers(self, scope: Scope) -> Rejection | None:
        """Check a body by its headers alone."""
        if sum(map(int, header(scope, b"content-length"))) > self.most:
            return self._too_large()
        media = [text.partition(";")[0].strip().lower() for text in header(scope, b"content-type")]
        if scope["method"] not in SAFE and media != [JSON]:
            return Rejection(415, "media", f"the Content-Type must be {JSON}")
        # Bodies are never decompressed, so there are no decompression bombs.
        if header(scope, b"content-encoding"):
            return Rejection(415, "media", "the body must not be compressed")
        return None

    async def _whole(self, receive: Receive) -> bytes | Rejection | None:
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


def _check_framing(scope: Scope) -> Rejection | None:
    """Reject a body that a proxy might delimit differently (request smuggling)."""
    sizes, codings = header(scope, b"content-length"), header(scope, b"transfer-encoding")
    sized = len(sizes) == 1 and sizes[0].isascii() and sizes[0].isdigit() and len(sizes[0]) < 19
    chunked = [coding.lower() for coding in codings] == ["chunked"]
    if (sizes and not sized) or (codings and not chunked) or (sizes and codings):
        return Rejection(400, "framing", "the body needs one Content-Length, or must be chunked")
    return None


def _replay(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that first returns the body that was read, then what comes after it."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def next_message() -> Message:
        return waiting.pop() if waiting else await receive()

    return next_message
