"""S1 to S7: which pages and programs a server listens to, and under which name."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from server.harness import RunningServer, bearer, refused, running_server, token
from server.raw_bytes import HOST, connection, head, raw, status, upgrade
from server.security.state import unchanged

from catinthebox.server.http.documents import ROUTES
from catinthebox.server.ops.limits import Limits, Rate

EVIL = "https://evil.example"
JSON = "Content-Type: application/json"
FORWARDED = ("X-Forwarded-For", "X-Real-IP", "Client-IP", "True-Client-IP")


def first(server: RunningServer, request: bytes) -> bytes:
    """The first line of an answer; the connection may stay open after it."""
    with connection(server) as plain:
        plain.sendall(request)
        return plain.recv(4096)


def test_s01_origin_is_checked_on_every_upgrade(tmp_path: Path) -> None:
    """Another site, another port, `null`, a name that looks like ours, two of them: refused."""
    with running_server(tmp_path, origins=("https://club.example",)) as server:
        table, place = server.open("Ada"), f"127.0.0.1:{server.port}"
        host = f"Host: {place}"
        lies = [
            *(EVIL, "null", "", "file://", "http://127.0.0.1:1", f"http://{place}.evil.example"),
            *(f"http://{place}@evil.example", f"http://evil.example@{place}", f"ftp://{place}"),
            *("https://club.example:444", "http://club.example", "https://club.example/x"),
            *(f"http://{place} {EVIL}", f"http://localhost:{server.port}"),
        ]
        for lie in lies:
            answer = first(server, upgrade(table, f"Origin: {lie}", host=host))
            assert status(answer) == 403, lie
        twice = (f"Origin: http://{place}", f"Origin: {EVIL}")
        for order in (twice, twice[::-1]):
            assert status(first(server, upgrade(table, *order, host=host))) in (400, 403)
        for good in (f"http://{place}", "https://club.example"):
            assert status(first(server, upgrade(table, f"Origin: {good}", host=host))) == 101
        assert status(first(server, upgrade(table, host=host))) == 101  # a program has no origin
        assert server.parts.metrics.turned_away["origin"].value == len(lies)


def test_s02_changes_check_the_origin_too(server: RunningServer) -> None:
    """Whatever the method and the path, and whatever token comes with it."""
    table = server.open("Ada")
    bodies = {
        "/api/v1/token": {},
        "/api/v1/tables": {"settings": {"players": 3}},
        "/api/v1/replay": {"record": "catinthebox 1"},
        "/api/v1/daily/2026-11-15": {"name": "Ada", "record": "catinthebox 1"},
        f"/api/v1/tables/{table}/commands": {"id": "1", "command": {"type": "Leave"}},
    }
    posts = {route.path for route in ROUTES if route.method == "POST"}
    plain = {path.replace(table, "{key}").replace("2026-11-15", "{date}") for path in bodies}
    assert posts == plain
    with unchanged(server):
        for path, body in bodies.items():
            for origin in (EVIL, "null"):
                sent = {"Origin": origin, **bearer("Ada")}
                answer = server.http.post(path, json=body, headers=sent)
                assert refused(answer) == (403, "http.origin")
            for method in ("PUT", "PATCH", "DELETE", "QUERY"):
                answer = server.http.request(method, path, headers={"Origin": EVIL})
                assert answer.status_code == 403


def test_s03_unknown_host_names_are_refused(tmp_path: Path) -> None:
    """A page whose name was made to lead here is of the same origin, but still says its name."""
    with running_server(tmp_path, names=("cats.example",)) as server:
        port = server.port
        lies = [
            *("evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "a b", "[::1"),
            *("x@127.0.0.1", "127.0.0.1:99999", "cats.example.", "127.1", "0x7f000001", ""),
        ]
        for lie in lies:
            own = f"Origin: http://{lie}"
            get = head("GET /api/v1/levels HTTP/1.1", f"Host: {lie}", "Connection: close")
            post = head(
                "POST /api/v1/token HTTP/1.1", f"Host: {lie}", own, JSON, "Content-Length: 0"
            )
            assert status(raw(server, get)) in (400, 421), lie
            assert status(raw(server, post)) in (400, 421), lie
            assert status(raw(server, upgrade("x", own, host=f"Host: {lie}"))) in (400, 403), lie
        for hosts in ([], [HOST, HOST], [HOST, "Host: evil.example"]):
            assert status(raw(server, head("GET / HTTP/1.1", *hosts, "Connection: close"))) == 400
        for good in ("127.0.0.1", f"127.0.0.1:{port}", "localhost", "[::1]:80", "Cats.Example"):
            request = head("GET /api/v1/levels HTTP/1.1", f"Host: {good}", "Connection: close")
            assert status(raw(server, request)) == 200, good


def test_s04_get_changes_nothing(server: RunningServer) -> None:
    """No path does anything upon GET, HEAD or OPTIONS, for any client and any headers."""
    table = server.game("Ada")
    override = {"X-HTTP-Method-Override": "POST", "X-HTTP-Method": "DELETE", **bearer("Ada")}
    with unchanged(server):
        for route in ROUTES:
            path = route.path.replace("{key}", table).replace("{number}", "1")
            query = "?action=5b" if path.endswith("/why") else ""
            for method in ("GET", "HEAD", "OPTIONS"):
                with server.http.stream(method, path + query, headers=override) as answer:
                    assert answer.status_code < 500
        for path in ("/", "/t/x", f"/t/{table}"):
            assert server.get(path).status_code == 200
    assert server.get(f"/api/v1/tables/{table}/commands", "Ada").status_code == 405


@pytest.mark.parametrize(
    "media",
    [
        *("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"),
        *("", "application/jsonp", "text/plain; application/json", "application/json, text/plain"),
    ],
)
def test_s05_changes_must_be_json(server: RunningServer, media: str) -> None:
    """What a form of another site can send is not read, not even if it is JSON inside."""
    table = server.open("Ada")
    sent = {"Content-Type": media, **bearer("Ada")} if media else bearer("Ada")
    bodies = {
        "/tables": {"settings": {"players": 3}},
        f"/tables/{table}/commands": {"id": "1", "command": {"type": "Leave"}},
    }
    with unchanged(server):
        for path, body in bodies.items():
            text = json.dumps(body)
            answer = server.http.post(f"/api/v1{path}", content=text, headers=sent)
            assert refused(answer) == (415, "http.media")
        assert server.http.post("/api/v1/token", content="{}", headers=sent).status_code == 415


def test_s06_no_cors_headers(server: RunningServer) -> None:
    """On nothing that is answered, and least of all on the question whether one may ask."""
    asking = {
        "Origin": EVIL,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization, content-type",
        "Access-Control-Request-Private-Network": "true",
    }
    answers = [server.http.options(path, headers=asking) for path in ("/", "/api/v1/tables", "/x")]
    answers += [server.http.get(path, headers=asking) for path in ("/", "/api/v1/levels", "/x")]
    answers += [server.http.post("/api/v1/token", json={}, headers=asking)]
    for answer in answers:
        assert not [name for name in answer.headers if name.startswith("access-control")]
        assert "timing-allow-origin" not in answer.headers
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"


def test_named_origins_read_the_levels_only(tmp_path: Path) -> None:
    """A site that was named may see that this is a server of ours, and nothing that is in it."""
    club = "https://club.example"
    with running_server(tmp_path, origins=(club,)) as server:
        table = server.open("Ada")
        answer = server.http.get("/api/v1/levels", headers={"Origin": club})
        assert answer.headers["access-control-allow-origin"] == club
        assert "access-control-allow-credentials" not in answer.headers
        others = [server.http.get("/api/v1/levels", headers={"Origin": EVIL})]
        others += [server.http.get("/api/v1/levels", headers={"Origin": "null"})]
        others += [server.http.get("/api/v1/levels")]
        assert all(other.headers["vary"] == "Origin" for other in (answer, *others))
        paths = [route.path.replace("{key}", table) for route in ROUTES if route.method == "GET"]
        assert "/api/v1/levels" in paths
        paths = [path for path in paths if path != "/api/v1/levels" and not path.endswith("events")]
        others += [server.http.get(path, headers={"Origin": club}) for path in paths]
        for other in others:
            assert not [name for name in other.headers if name.startswith("access-control")]


def test_s07_forwarded_addresses_need_a_trusted_proxy(tmp_path: Path) -> None:
    """Otherwise the address is that of the connection, whatever anybody writes anywhere."""
    limits = replace(Limits.unlimited(), address_misses=Rate(0.001, 3))

    def tries(server: RunningServer, *claims: str) -> list[int]:
        path = "/api/v1/tables/nowhere"
        return [
            server.http.get(path, headers=dict.fromkeys(FORWARDED, claim)).status_code
            for claim in claims
        ]

    strangers = [f"203.0.113.{number}" for number in range(5)]
    with running_server(tmp_path / "alone", limits=limits) as server:
        assert tries(server, *strangers) == [404, 404, 404, 429, 429]
    with running_server(tmp_path / "behind", limits=limits, proxies=("127.0.0.1",)) as server:
        assert tries(server, *strangers) == [404] * 5  # a proxy says who they are
        made_up = [f"6.6.6.{number}, 198.51.100.1" for number in range(5)]
        assert tries(server, *made_up) == [404, 404, 404, 429, 429]  # and only that part counts
        trailer = head(
            "POST /api/v1/tables/nowhere/commands HTTP/1.1",
            *(HOST, JSON, f"Authorization: Bearer {token('Ada')}", "Transfer-Encoding: chunked"),
            "X-Forwarded-For: 198.51.100.2",
        )
        leave = b'{"id":"1","command":{"type":"Leave"}}'
        for number in range(5):  # nor one that comes after the body, where a proxy did not look
            after = f"%x\r\n%s\r\n0\r\nX-Forwarded-For: 6.6.6.{number}\r\n\r\n".encode()
            assert status(raw(server, trailer + after % (len(leave), leave))) == 400
