"""S24 to S32: messages, bodies, heads, texts."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from server.harness import RunningServer, bearer, refused, running_server, token
from server.raw_bytes import (
    BINARY,
    CONTINUED,
    FIN,
    HOST,
    TEXT,
    connection,
    frame,
    head,
    headers,
    raw,
    rest,
    status,
    upgrade,
    websocket,
)
from server.security.state import unchanged

from catinthebox.game import record
from catinthebox.server.http.documents import ROUTES
from catinthebox.server.ops.limits import Limits

pytestmark = pytest.mark.timing

API = "/api/v1/tables"
JSON = "Content-Type: application/json"
LEAVE = '{"type":"Do","id":"m1","command":{"type":"Leave"}}'
DEEP = "[" * 985 + "1" + "]" * 985
LOOSE = (
    "",
    "null",
    "[]",
    "{}",
    "{'type':'Ping'}",
    '{"type":"Ping"} {"type":"Ping"}',
    LEAVE.replace("Leave", "leave"),
    LEAVE.replace("Leave", "Gone"),
    LEAVE.replace('"Leave"', '["Leave"]'),
    LEAVE.replace('"Leave"', '"Leave","why":1'),
    LEAVE.replace('"Leave"', '"Leave","type":"Leave"'),
    LEAVE.replace('"m1"', '"m1","id":"m1"'),
    LEAVE.replace('"m1"', '"m1","\\u0069d":"m1"'),
    LEAVE.replace('"m1"', "1"),
    LEAVE.replace('"m1"', '"m 1"'),
    LEAVE.replace('"m1"', '"\\ud800"'),
    LEAVE.replace('"Leave"', '"Kick","seat":"1"'),
    LEAVE.replace('"Leave"', '"Kick","seat":1.0'),
    LEAVE.replace('"Leave"', '"Kick","seat":true'),
    LEAVE.replace('"Leave"', '"Kick","seat":NaN'),
    LEAVE.replace('"Leave"', '"Kick","seat":1e999'),
    LEAVE.replace('"Leave"', f'"Kick","seat":{"9" * 5000}'),
    LEAVE.replace('"Leave"', f'"Say","text":{DEEP}'),
    LEAVE.replace('"Leave"', '"Say","text":"hello","preset":0'),
    LEAVE.replace("{", f'{{"x":{DEEP},', 1),
    f"\ufeff{LEAVE}",
    f"{LEAVE}\x00",
    f"// hello\n{LEAVE}",
)


def test_s24_decoding_is_strict(server: RunningServer) -> None:
    """By WebSocket and by POST: whatever is not exactly a message is refused; nothing happens."""
    table = server.open("Ada")
    path = f"{API}/{table}/commands"
    with unchanged(server):
        for text in LOOSE:
            with server.client(table, "Ada") as client:
                client.receive("Snapshot")
                client.socket.send(text)
                answer = client.receive()
                assert answer["type"] == "Refused", text
                assert answer["code"].startswith("input."), text
            body = text.replace('"type":"Do",', "").encode("utf-8")
            sent = bearer("Ada") | {"Content-Type": "application/json"}
            assert server.http.post(path, content=body, headers=sent).status_code == 400, text
        for depth in range(900, 1000):  # around which Python's own readers give up
            deep = LEAVE.replace('"Leave"', f'"Say","text":{"[" * depth}{"]" * depth}')
            body = deep.replace('"type":"Do",', "").encode()
            assert server.http.post(path, content=body, headers=sent).status_code == 400, depth
        for bytes in (frame(LEAVE.encode(), FIN | BINARY), frame(LEAVE.encode("utf-16"))):
            with websocket(server, table, "Ada") as socket:
                socket.plain.sendall(bytes)
                socket.plain.sendall(frame(b"\x03\xe8", FIN | 8))
                assert not [one for one in socket.messages()[0] if one["type"] == "Done"]
    assert server.do(table, "Ada", "m1", type="Leave").status_code == 200  # this is how it is done


def test_s25_frames_have_a_limit(server: RunningServer) -> None:
    """8 KiB are read, a byte more ends the connection; also in pieces, or if only announced."""
    table, most = server.open("Ada"), Limits().frame_bytes
    fitting = f'{{"type":"Ping"{" " * (most - 15)}}}'.encode()
    assert len(fitting) == most
    with websocket(server, table, "Ada") as client:
        client.plain.sendall(frame(fitting))
        assert client.until("Pong")
    half, more = fitting[: most // 2], fitting[most // 2 :]
    for large in (
        frame(fitting + b" "),
        frame(half, TEXT) + frame(more + b" ", FIN | CONTINUED),
        frame(half, TEXT) + frame(half, CONTINUED) + frame(b" ", CONTINUED),
        b"\x81\xfe" + (most + 1).to_bytes(2),  # nothing of it has come yet
    ):
        with unchanged(server), websocket(server, table, "Ada") as client:
            client.plain.sendall(large)
            assert client.messages()[1] == 1009


def chunked(body: bytes, size: int = 1000) -> bytes:
    """Write a body in chunks."""
    parts = [body[place : place + size] for place in range(0, len(body), size)]
    return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


def post(path: str, *lines: str) -> bytes:
    """Write the head of a POST by Ada."""
    auth = f"Authorization: Bearer {token('Ada')}"
    return head(f"POST {path} HTTP/1.1", HOST, auth, JSON, *lines)


@pytest.mark.long
def test_s26_bodies_are_small_and_in_time(tmp_path: Path) -> None:
    """Announced or not; and what has not arrived whole has not arrived at all."""
    most = Limits().body_bytes
    request = b'{"settings":{"players":3}}'
    with (
        running_server(tmp_path, limits=replace(Limits.unlimited(), body_s=0.5)) as server,
        unchanged(server),
    ):
        large = request + b" " * most
        answers = [
            raw(server, post(API, f"Content-Length: {len(large)}") + large),
            raw(server, post(API, f"Content-Length: {10**12}")),
            raw(server, post(API, "Transfer-Encoding: chunked") + chunked(large)),
            raw(server, head(f"GET {API} HTTP/1.1", HOST, f"Content-Length: {most + 1}")),
        ]
        assert [status(answer) for answer in answers] == [413] * 4
        for beginning in (
            post(API, "Content-Length: 26") + request[:-1],
            post(API, "Transfer-Encoding: chunked") + b"1a\r\n" + request + b"\r\n",
        ):
            with connection(server) as plain:
                plain.sendall(beginning)
                assert status(rest(plain)) == 408
        with connection(server) as plain:  # or anyone who sends it leaves before the end
            plain.sendall(post(API, "Content-Length: 26") + request[:-1])


@pytest.mark.long
def test_s27_heads_are_small_and_in_time(tmp_path: Path) -> None:
    """A byte a minute, a line without end, lines without end, before a body or after it."""
    limits = replace(Limits.unlimited(), head_s=0.5)
    with running_server(tmp_path, limits=limits) as server:
        for beginning in (b"", b"G", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: y"):
            assert status(raw(server, beginning)) == 408
        many, long = b"X: y\r\n" * 4000, b"X: " + b"y" * 20000
        for endless in (b"GET /" + b"x" * 20000, b"GET / HTTP/1.1\r\n" + many, long):
            request = endless if endless.startswith(b"GET") else b"GET / HTTP/1.1\r\n" + long
            answer = raw(server, request, b"")
            assert status(answer) in (0, 431), answer  # 0: cut off before the answer could be read
        whole = head("GET / HTTP/1.1", HOST, f"X: {'y' * 20000}", "Connection: close")
        assert status(raw(server, whole)) == 431
        before = server.parts.metrics.turned_away["too_slow"].value
        for trailers in (many, long):  # after the last chunk, before the end
            request = post("/api/v1/token", "Transfer-Encoding: chunked") + b"0\r\n"
            assert status(raw(server, request, *[trailers] * 50)) in (0, 400, 431)
        assert server.parts.metrics.turned_away["too_slow"].value == before


def smuggled() -> Iterator[tuple[str, bytes]]:
    """Requests that one reader might cut in two elsewhere than another one does."""
    inner = head("GET /api/v1/levels HTTP/1.1", HOST, "Connection: close")
    size = f"Content-Length: {len(inner)}"
    te = "Transfer-Encoding: chunked"
    yield "both", post("/api/v1/token", "Content-Length: 4", te) + b"0\r\n\r\n" + inner
    yield "both, the other way", post("/api/v1/token", te, size) + b"0\r\n\r\n" + inner
    yield "two sizes", post("/api/v1/token", "Content-Length: 0", size) + inner
    yield "the same size twice", post("/api/v1/token", "Content-Length: 2", "Content-Length: 2")
    for odd in ("+2", "-1", "2, 2", "0x2", "2 ", "²", "", " 2 2", "1e1", "9" * 30):
        if odd.strip() != "2":
            yield f"a size of {odd!r}", post("/api/v1/token", f"Content-Length: {odd}") + b"{}"
    for odd in ("gzip, chunked", "chunked, identity", "x", "chunked\x0b", "identity"):
        yield odd, post("/api/v1/token", f"Transfer-Encoding: {odd}") + b"0\r\n\r\n"
    yield "two codings", post("/api/v1/token", te, te) + b"0\r\n\r\n" + inner
    yield "a space", post("/api/v1/token", "Transfer-Encoding : chunked") + b"0\r\n\r\n" + inner
    yield "a fold", post("/api/v1/token", "X: y", " Transfer-Encoding: chunked") + inner
    for chunk in (b"2;x\n{}", b"0x2\r\n{}", b"-2\r\n{}", b"2\r\n{}X", b"2 \r\n{}\r\n0\n\n"):
        yield f"a chunk {chunk!r}", post("/api/v1/token", te) + chunk + b"\r\n0\r\n\r\n" + inner
    yield "a trailer", post("/api/v1/token", te) + b"0\r\nAuthorization: Bearer x\r\n\r\n" + inner
    yield "bare line feeds", post("/api/v1/token", te).replace(b"\r\n", b"\n") + b"0\n\n" + inner


@pytest.mark.parametrize("name", [name for name, _ in smuggled()])
def test_s28_doubtful_framing_is_refused(server: RunningServer, name: str) -> None:
    """With a 400 and the end of the connection: what came behind it is not a request."""
    request = dict(smuggled())[name]
    with unchanged(server):
        answer = raw(server, request)
    assert status(answer) == 400, answer
    assert answer.count(b"HTTP/1.1") == 1
    assert b"levels" not in answer


def test_s29_nothing_secret_is_compressed(server: RunningServer) -> None:
    """Not offered, not accepted, not even if it is asked for: only files and finished games."""
    table, offer = server.open("Ada"), "Sec-WebSocket-Extensions: permessage-deflate"
    with connection(server) as plain:
        plain.sendall(upgrade(table, offer))
        answer = plain.recv(4096)
    assert status(answer) == 101
    assert "sec-websocket-extensions" not in headers(answer)
    with websocket(server, table, "Ada", offer) as client:
        # As if compression had been negotiated.
        client.plain.sendall(frame(b"\xaa\x56\x4a", FIN | TEXT | 0x40))
        assert client.messages()[1] == 1002
    asked = {"Accept-Encoding": "gzip, deflate, br, zstd"}
    for path in ("/api/v1/levels", "/api/v1/tables", f"{API}/{table}", f"{API}/{table}/why"):
        assert (
            "content-encoding" not in server.http.get(path, headers=asked | bearer("Ada")).headers
        )
    body = gzip.compress(b'{"settings":{"players":3}}')
    sent = bearer("Ada") | {"Content-Type": "application/json", "Content-Encoding": "gzip"}
    with unchanged(server):
        assert refused(server.http.post(API, content=body, headers=sent)) == (415, "http.media")
        del sent["Content-Encoding"]
        assert server.http.post(API, content=body, headers=sent).status_code == 400


def test_s30_unknown_methods_and_paths(server: RunningServer) -> None:
    """405 with what would be right, 404 for the rest; nothing is guessed, nothing is echoed."""
    table = server.open("Ada")
    with unchanged(server):
        for template in {route.path for route in ROUTES}:
            path = template.replace("{key}", table).replace("{number}", "1")
            methods = {"OPTIONS", *(route.method for route in ROUTES if route.path == template)}
            methods |= {"HEAD"} if "GET" in methods else set()
            others = {"GET", "POST", "PUT", "PATCH", "DELETE", "TRACE", "QUERY"} - methods
            for method in others:
                sent = bearer("Ada") | {"X-Canary": "canary", "Content-Type": "application/json"}
                answer = server.http.request(method, path, headers=sent)
                assert refused(answer) == (405, "http.method"), (method, path)
                assert set(answer.headers["allow"].split(", ")) == methods
                assert "canary" not in answer.text
        assert status(raw(server, head("CONNECT evil.example:443 HTTP/1.1", HOST))) == 400
        for path in (
            *(
                "/api",
                "/api/v1",
                "/api/v1/",
                "/api/v1/levels/",
                "/API/v1/levels",
                "//api/v1/levels",
            ),
            *("/api/v1/levels.json", "/api/v1/../v1/levels", "/api/v1/%2e%2e/v1/levels", "/.env"),
            *(
                "/api/v1/levels;x",
                "/api/v1/levels%00",
                "/api/v2/levels",
                "/healthz/",
                "/t/a/b",
                "/*",
            ),
        ):
            request = head(f"GET {path} HTTP/1.1", HOST, "Connection: close")
            assert status(raw(server, request)) == 404, path


NASTY = (
    "Robert'); DROP TABLE--",
    "<script>alert(1)</script>",
    '"><img src=x onerror=a>',
    "{{7*7}} ${7*7} %s %n",
    "../../etc/passwd",
    "=cmd('/C calc')!A0",
)
UNPRINTABLE = ("", "x" * 41, "a\nb", "a\x00b", "a|b", "\x1b[31m", "\u2028", "\ud800")


def test_s31_texts_are_data(tmp_path: Path) -> None:
    """They come back as they were, as JSON and in records, or they are refused."""
    with running_server(tmp_path, free_chat=True) as server:
        for name in NASTY:
            table = server.open(name, settings={"chat": "free"}, players=3)
            server.do(table, name, "m1", type="Say", text=name, preset=False)
            answer = server.get(f"{API}/{table}")
            assert answer.headers["content-type"] == "application/json"
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert answer.json()["seats"]["seats"][0]["name"] == name
            assert answer.json()["chat"][0]["text"] == name
        with unchanged(server):
            for name in UNPRINTABLE:
                text = json.dumps({"settings": {"players": 3}, "name": name})
                sent = bearer("Ada") | {"Content-Type": "application/json"}
                assert server.http.post(API, content=text, headers=sent).status_code == 400, name
            for name in ("' OR 1=1 --", "x' UNION SELECT", "%27", "x;y", "x" * 65, "é", "_keys"):
                for path in ("", "/games/1/record.cat"):
                    assert server.get(f"{API}/{name.replace('/', '%2f')}{path}").status_code == 404
        turned = server.open("\u202egnp", players=3)  # what shows nothing is dropped
        assert server.get(f"{API}/{turned}").json()["seats"]["seats"][0]["name"] == "gnp"
    written = record.write(record.read(GAME.replace("Ada", NASTY[0])))
    assert record.read(written).names[0] == NASTY[0]


GAME = (Path(__file__).parents[3] / "docs" / "records.md").read_text("utf-8")
GAME = GAME.partition("```cat\n")[2].partition("```")[0]


def test_s32_resent_commands_happen_once(tmp_path: Path) -> None:
    """On another connection, over HTTP, after a restart; ids of different people are different."""
    with running_server(tmp_path, free_chat=True) as server:
        table = server.open("Ada")
        sit = {"type": "Sit", "name": "Bohr"}
        done = server.do(table, "Bohr", "m1", **sit).json()
        with server.client(table, "Bohr") as client, server.client(table, "Bohr") as other:
            for again in (client, other, client):
                again.do("m1", **sit)
                assert again.receive("Done", "Refused") == done
        server.do(table, "Ada", "m1", type="AddBot", seat=2, level="gentle")
        version = server.snapshot(table)["version"]
    with running_server(tmp_path) as server:
        assert server.do(table, "Bohr", "m1", **sit).json() == done
        assert server.snapshot(table)["version"] == version == 4
        assert [who["name"] for who in server.snapshot(table)["seats"]["seats"]].count("Bohr") == 1
