"""A tiny app behind the three layers: what gets through, what does not, what goes out."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from typing import Final, get_args

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from catinthebox.server.http.middleware import (
    POLICY,
    BodyLimit,
    HostOriginGuard,
    RejectReason,
    SecurityHeaders,
    policy,
)
from catinthebox.server.http.origins import Origins
from catinthebox.server.ops.metrics import TURNED_AWAY

LAW = settings(deadline=None, derandomize=True)  # a busy machine proves nothing wrong

MOST: Final = 100
JSON: Final = {"content-type": "application/json"}


async def echo(request: Request) -> Response:
    """Say how long the body was."""
    return JSONResponse(len(await request.body()))


async def rebel(request: Request) -> Response:
    """Try to weaken what every response must say."""
    weak = {"Content-Security-Policy": "default-src *", "Referrer-Policy": "unsafe-url"}
    return PlainTextResponse("", headers={**weak, "Cache-Control": "max-age=60"})


async def broken(request: Request) -> Response:
    """Fail with a secret in hand."""
    raise RuntimeError("a secret")


async def socket(websocket: WebSocket) -> None:
    """Accept everybody who gets here."""
    await websocket.accept()
    await websocket.close()


class GuardedApp:
    """An app behind the three middlewares, and why requests were rejected."""

    def __init__(self, names: Iterable[str] = ("cats.example",), seconds: float = 5.0) -> None:
        self.reasons: list[RejectReason] = []
        routes = [
            Route("/api/echo", echo, methods=["GET", "POST"]),
            Route("/api/rebel", rebel),
            Route("/apiary", rebel),
            Route("/broken", broken),
            WebSocketRoute("/api/socket", socket),
        ]
        bodies = BodyLimit(Starlette(routes=routes), MOST, seconds, self.reasons.append)
        origins = Origins.of(names, ["https://club.example"])
        self.app: ASGIApp = SecurityHeaders(HostOriginGuard(bodies, origins, self.reasons.append))

    def ask(
        self,
        method: str,
        path: str,
        headers: dict[str, str] | None = None,
        body: bytes | AsyncIterator[bytes] = b"",
    ) -> httpx.Response:
        """Send a request."""

        async def ask() -> httpx.Response:
            transport = httpx.ASGITransport(self.app, raise_app_exceptions=False)
            async with httpx.AsyncClient(
                transport=transport, base_url="http://cats.example"
            ) as client:
                return await client.request(method, path, headers=headers, content=body)

        return asyncio.run(ask())

    def raw(self, scope: Scope, messages: list[Message], wait: float = 0.0) -> list[Message]:
        """Talk ASGI; when all messages are read, the next one does not come for a while."""
        sent: list[Message] = []
        waiting = list(messages)

        async def receive() -> Message:
            if not waiting:
                await asyncio.sleep(wait)
                return {"type": "http.disconnect"}
            return waiting.pop(0)

        async def send(message: Message) -> None:
            sent.append(message)

        async def talk() -> None:
            await self.app(scope, receive, send)

        asyncio.run(talk())
        return sent


def http(method: str = "POST", *headers: tuple[str, str], version: str = "1.1") -> Scope:
    """A request to echo, with exactly these headers."""
    return {
        "type": "http",
        "http_version": version,
        "method": method,
        "scheme": "http",
        "path": "/api/echo",
        "query_string": b"",
        "root_path": "",
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in headers],
    }


def part(body: bytes, more: bool = True) -> Message:
    return {"type": "http.request", "body": body, "more_body": more}


HOST: Final = ("host", "cats.example")
TYPE: Final = ("content-type", "application/json")
ORIGIN: Final = ("origin", "http://cats.example")


# ── What goes out ────────────────────────────────────────────────────────────────────────────


def test_a_strange_method_is_the_apps_to_refuse() -> None:
    """No route has it, so nobody reads its body, whatever that is."""
    answer = GuardedApp().ask("PUT", "/api/echo", {"content-type": "text/plain"}, b"x" * 2 * MOST)
    assert answer.status_code == 405


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/echo", 200),
        ("GET", "/api/nothing", 404),
        ("DELETE", "/api/echo", 405),
        ("GET", "/broken", 500),
        ("GET", "/apiary", 200),
    ],
)
def test_every_response_carries_the_headers(method: str, path: str, status: int) -> None:
    """Also errors that the app did not mean to give."""
    answer = GuardedApp().ask(method, path, JSON)
    assert answer.status_code == status
    assert answer.headers["content-security-policy"] == policy("cats.example")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["cross-origin-opener-policy"] == "same-origin"
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"
    assert "camera=()" in answer.headers["permissions-policy"]
    assert "access-control-allow-origin" not in answer.headers
    assert "secret" not in answer.text


def test_an_app_cannot_weaken_them() -> None:
    """Ours stand alone; what else the app says stays."""
    answer = GuardedApp().ask("GET", "/api/rebel")
    assert answer.headers.get_list("content-security-policy") == [policy("cats.example")]
    assert answer.headers.get_list("referrer-policy") == ["no-referrer"]
    assert answer.headers.get_list("cache-control") == ["max-age=60"]


@pytest.mark.parametrize(
    ("path", "cached"), [("/api/echo", "no-store"), ("/api", "no-store"), ("/broken", None)]
)
def test_what_the_api_says_is_not_kept(path: str, cached: str | None) -> None:
    """By nobody, unless the app allows it; files are the app's own affair."""
    assert GuardedApp().ask("GET", path).headers.get("cache-control") == cached


def test_refusals_carry_them_too() -> None:
    """A request that is rejected gets the same headers."""
    answer = GuardedApp().ask("GET", "/api/echo", {"host": "evil.example"})
    assert answer.status_code == 421
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cache-control"] == "no-store"


def test_no_inline_script() -> None:
    """The policy forbids what turns a text into a program."""
    assert "unsafe" not in policy("cats.example").replace("'wasm-unsafe-eval'", "")
    assert "*" not in policy("cats.example")
    assert {"default-src 'none'", "base-uri 'none'"} <= set(POLICY)
    assert {"frame-ancestors 'none'", "form-action 'none'", "style-src 'self'"} <= set(POLICY)


@pytest.mark.parametrize(
    ("host", "sockets"),
    [
        ("cats.example", " ws://cats.example wss://cats.example"),
        ("127.0.0.1:8000", " ws://127.0.0.1:8000 wss://127.0.0.1:8000"),
        ("[::1]:8000", ""),
        ("evil.example; script-src *", ""),
        (None, ""),
    ],
)
def test_sockets_are_named_for_old_browsers(host: str | None, sockets: str) -> None:
    """Where the grammar allows it; a host that is none adds nothing."""
    assert f"; connect-src 'self'{sockets}; " in policy(host)


@LAW
@given(st.text())
def test_no_host_adds_a_directive(host: str) -> None:
    """Whatever stands in the header: the same directives, and one line."""
    found = [directive.split()[0] for directive in policy(host).split("; ")]
    assert found == [directive.split()[0] for directive in POLICY]
    assert policy(host).isprintable()
    assert policy(host).isascii()


# ── Who may come in ──────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("headers", "status", "reason"),
    [
        ({}, 200, None),
        ({"origin": "http://cats.example"}, 200, None),
        ({"origin": "https://club.example"}, 200, None),
        ({"origin": "https://evil.example"}, 403, "origin"),
        ({"origin": "null"}, 403, "origin"),
        ({"host": "evil.example"}, 421, "host"),
        ({"host": "evil.example", "origin": "http://evil.example"}, 421, "host"),
        ({"host": "127.0.0.1:8000"}, 200, None),
        ({"host": "a b"}, 421, "host"),
    ],
)
def test_posts(headers: dict[str, str], status: int, reason: RejectReason | None) -> None:
    """From our pages, from those that were named, from programs; not from anywhere else."""
    guarded = GuardedApp()
    answer = guarded.ask("POST", "/api/echo", JSON | headers, b"{}")
    assert answer.status_code == status
    assert guarded.reasons == ([reason] if reason else [])
    if reason:
        assert list(answer.json()) == ["type", "id", "code", "clause", "message", "retry_ms"]
        assert answer.json()["code"] == f"http.{reason}"
        assert "evil" not in answer.text


def test_reading_is_for_everybody() -> None:
    """A page elsewhere may ask, but its browser shows it nothing: there is no CORS header."""
    answer = GuardedApp().ask("GET", "/api/echo", {"origin": "https://evil.example"})
    assert answer.status_code == 200
    assert not [name for name in answer.headers if name.startswith("access-control")]


@pytest.mark.parametrize(
    ("hosts", "version", "status"),
    [
        ([], "1.1", 400),
        ([], "1.0", 200),
        (["cats.example", "cats.example"], "1.1", 400),
        (["cats.example", "evil.example"], "1.0", 400),
        (["cats.example"], "1.1", 200),
        ([""], "1.1", 421),
    ],
)
def test_a_request_has_one_host(hosts: list[str], version: str, status: int) -> None:
    """Two could be read differently by us and by a proxy; HTTP/1.0 need not have any."""
    scope = http("GET", *[("host", host) for host in hosts], version=version)
    assert GuardedApp().raw(scope, [part(b"", more=False)])[0]["status"] == status


@pytest.mark.parametrize("origins", [["http://evil.example"], ["http://cats.example"] * 2])
def test_one_origin_at_most(origins: list[str]) -> None:
    """And without a host, nothing is the same origin."""
    headers = [HOST, TYPE, *[("origin", origin) for origin in origins]]
    assert GuardedApp().raw(http("POST", *headers), [part(b"", more=False)])[0]["status"] == 403
    nameless = http("POST", TYPE, ORIGIN, version="1.0")
    assert GuardedApp().raw(nameless, [part(b"", more=False)])[0]["status"] == 403


@pytest.mark.parametrize(
    ("headers", "accepted"),
    [
        ([HOST], True),
        ([HOST, ORIGIN], True),
        ([HOST, ("origin", "https://cats.example")], True),
        ([HOST, ("origin", "https://club.example")], True),
        ([HOST, ("origin", "https://evil.example")], False),
        ([HOST, ("origin", "null")], False),
        ([HOST, ORIGIN, ORIGIN], False),
        ([("host", "evil.example"), ("origin", "http://evil.example")], False),
        ([], False),
    ],
)
def test_upgrades(headers: list[tuple[str, str]], accepted: bool) -> None:
    """An upgrade is looked at like a POST, and refused before the app hears of it."""
    guarded = GuardedApp()
    scope = {**http("GET", *headers), "type": "websocket", "scheme": "ws", "subprotocols": []}
    scope["path"] = "/api/socket"
    sent = guarded.raw(scope, [{"type": "websocket.connect"}])
    assert sent[0]["type"] == ("websocket.accept" if accepted else "websocket.close")
    assert len(guarded.reasons) == (not accepted)


def test_the_lifespan_passes() -> None:
    """The beginning and the end of a server are no request."""
    messages: list[Message] = [{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}]
    sent = GuardedApp().raw({"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}, messages)
    assert [message["type"] for message in sent] == [
        "lifespan.startup.complete",
        "lifespan.shutdown.complete",
    ]


# ── What they may bring ──────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("size", "status"), [(0, 200), (MOST, 200), (MOST + 1, 413)])
def test_a_body_that_says_its_size(size: int, status: int) -> None:
    """Refused by its announcement alone."""
    guarded = GuardedApp()
    answer = guarded.ask("POST", "/api/echo", JSON, b"x" * size)
    assert answer.status_code == status
    assert answer.json() == size if status == 200 else guarded.reasons == ["too_large"]
    assert answer.headers.get("connection") == ("close" if status == 413 else None)


@LAW
@given(st.lists(st.integers(0, MOST), max_size=6))
def test_a_body_in_parts(sizes: list[int]) -> None:
    """The sum counts; no more than one part too much is ever read."""
    guarded = GuardedApp()
    messages = [part(b"x" * size) for size in sizes] + [part(b"", more=False)]
    sent = guarded.raw(http("POST", HOST, TYPE), messages)
    assert sent[0]["status"] == (200 if sum(sizes) <= MOST else 413)
    if sum(sizes) <= MOST:
        assert sent[1]["body"] == str(sum(sizes)).encode()


def test_an_endless_body_is_not_read() -> None:
    """The first part over the limit is the last one."""
    guarded = GuardedApp()
    read = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal read
        while True:
            read += 1
            yield b"x" * 40

    answer = guarded.ask("POST", "/api/echo", JSON, endless())
    assert (answer.status_code, read) == (413, 3)


@pytest.mark.parametrize("before", [[], [part(b"{")]])
def test_a_body_that_dribbles(before: list[Message]) -> None:
    """Anyone who holds a request open for too long is told so."""
    guarded = GuardedApp(seconds=0.02)
    sent = guarded.raw(http("POST", HOST, TYPE), before, wait=5.0)
    assert sent[0]["status"] == 408
    assert (b"connection", b"close") in sent[0]["headers"]
    assert guarded.reasons == ["too_slow"]


def test_a_client_that_leaves_is_not_answered() -> None:
    """The app never hears of a request that did not arrive whole."""
    called: list[Scope] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        called.append(scope)

    guarded = GuardedApp()
    guarded.app = BodyLimit(app, MOST, 1.0)
    assert guarded.raw(http("POST", HOST, TYPE), [part(b"{")]) == []
    assert called == []


def test_an_app_hears_of_those_who_leave_later() -> None:
    """After the body the app gets whatever comes: a stream must know when nobody listens."""
    received: list[str] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        received.extend([(await receive())["type"], (await receive())["type"]])

    guarded = GuardedApp()
    guarded.app = BodyLimit(app, MOST, 1.0)
    guarded.raw(http("GET", HOST), [part(b"", more=False)])
    assert received == ["http.request", "http.disconnect"]


@pytest.mark.parametrize(
    "headers",
    [
        [("content-length", "2"), ("content-length", "2")],
        [("content-length", "2"), ("transfer-encoding", "chunked")],
        [("content-length", "+2")],
        [("content-length", "2, 2")],
        [("content-length", "²")],
        [("content-length", "")],
        [("content-length", "1" * 5000)],
        [("transfer-encoding", "gzip, chunked")],
        [("transfer-encoding", "chunked"), ("transfer-encoding", "chunked")],
        [("transfer-encoding", "identity")],
    ],
)
def test_doubtful_framing(headers: list[tuple[str, str]]) -> None:
    """What a proxy might cut elsewhere than we do is refused, and the connection closed."""
    guarded = GuardedApp()
    sent = guarded.raw(http("POST", HOST, TYPE, *headers), [part(b"{}", more=False)])
    assert sent[0]["status"] == 400
    assert (b"connection", b"close") in sent[0]["headers"]
    assert guarded.reasons == ["framing"]


@pytest.mark.parametrize(
    ("media", "status"),
    [
        ("application/json", 200),
        ("Application/JSON; charset=utf-8", 200),
        ("text/plain", 415),
        ("application/x-www-form-urlencoded", 415),
        ("multipart/form-data; boundary=application/json", 415),
        ("text/plain; application/json", 415),
        ("application/json, text/plain", 415),
        ("application/jsonp", 415),
        ("", 415),
    ],
)
def test_changes_are_json(media: str, status: int) -> None:
    """No form of another site can send that unasked."""
    headers = {"content-type": media} if media else {}
    assert GuardedApp().ask("POST", "/api/echo", headers, b"{}").status_code == status


def test_two_types_are_none() -> None:
    """The second one might be what somebody else reads."""
    scope = http("POST", HOST, TYPE, ("content-type", "text/plain"))
    assert GuardedApp().raw(scope, [part(b"{}", more=False)])[0]["status"] == 415


def test_nothing_is_unpacked() -> None:
    """A compressed body is refused, so none can grow."""
    guarded = GuardedApp()
    answer = guarded.ask("POST", "/api/echo", JSON | {"content-encoding": "gzip"}, b"{}")
    assert (answer.status_code, guarded.reasons) == (415, ["media"])


def test_every_reason_can_be_counted() -> None:
    """What the layers report is a label of the metrics."""
    assert set(get_args(RejectReason)) <= {*TURNED_AWAY}
