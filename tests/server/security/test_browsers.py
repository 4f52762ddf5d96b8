"""S43 to S46: what is sent to browsers, and what is installed."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from server.harness import RunningServer, running_server
from server.raw_bytes import HOST, connection, head, headers, raw, status, upgrade

from catinthebox.server.http.static import WEB
from catinthebox.server.ops.limits import Limits, Rate

ROOT = Path(__file__).parents[3]
INLINE = re.compile(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son[a-z]+=|javascript:", re.I)
WASM = "'wasm-unsafe-eval'"  # the rules are a module; it allows no eval of texts
JSON = "Content-Type: application/json"


def policy(answer: dict[str, str]) -> dict[str, list[str]]:
    """Read a content security policy."""
    parts = [part.split() for part in answer["content-security-policy"].split(";")]
    assert len({part[0] for part in parts}) == len(parts)  # of two, browsers obey the first
    return {part[0]: part[1:] for part in parts}


def test_s43_content_security_policy(tmp_path: Path) -> None:
    """Nothing from elsewhere, nothing inline, no eval, no frames; the pages need no more."""
    with running_server(tmp_path, names=("cats.example",)) as server:
        for host in (f"127.0.0.1:{server.port}", "cats.example", "[::1]"):
            request = head("GET / HTTP/1.1", f"Host: {host}", "Connection: close")
            found = policy(headers(raw(server, request)))
            assert found["default-src"] == ["'none'"]
            for directive in ("base-uri", "form-action", "frame-ancestors"):
                assert found[directive] == ["'none'"]
            for directive in ("style-src", "font-src", "worker-src"):
                assert found[directive] == ["'self'"]
            assert found["script-src"] == ["'self'", WASM]
            assert set(found["img-src"]) == {"'self'", "data:"}
            own = {"'self'", f"ws://{host}", f"wss://{host}"}
            assert set(found["connect-src"]) <= own
            assert found["require-trusted-types-for"] == ["'script'"]
            words = {word for words in found.values() for word in words}
            assert not {word for word in words - {WASM} if "unsafe" in word or "*" in word}
        evil = headers(raw(server, head("GET / HTTP/1.1", "Host: 127.0.0.1; script-src *")))
        assert "*" not in evil["content-security-policy"]
        assert not INLINE.search(server.get("/").text)
        assert not INLINE.search(server.get("/t/x").text)
    for page in WEB.rglob("*.html"):
        assert not INLINE.search(page.read_text("utf-8")), page


ALWAYS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


def every_kind(server: RunningServer, table: str) -> Iterator[tuple[int, str, bytes]]:
    """Requests for an answer of every kind: the status, the path, the request."""

    def get(path: str, *lines: str, method: str = "GET") -> tuple[str, bytes]:
        return path, head(f"{method} {path} HTTP/1.1", HOST, *lines, "Connection: close")

    known, bad = f"/api/v1/tables/{table}", "/api/v1/levels?x=1"
    yield 200, *get("/")
    yield 200, *get(f"/t/{table}")
    yield 200, *get("/api/v1/openapi.json")
    yield 200, *get(known)
    yield 200, *get("/healthz")
    yield 200, *get("/metrics")
    yield 201, *get("/api/v1/token", JSON, "Content-Length: 0", method="POST")
    yield 204, *get("/api/v1/tables", method="OPTIONS")
    yield 400, *get(bad)
    yield 401, *get(known, "Authorization: Basic x")
    yield 403, *get("/api/v1/token", JSON, "Origin: null", method="POST")
    yield 404, *get("/api/nothing")
    yield 405, *get("/", method="DELETE")
    yield 409, *get(f"{known}/games/1/record.cat")
    yield 413, *get("/api/v1/token", JSON, "Content-Length: 99999", method="POST")
    yield 415, *get("/api/v1/token", "Content-Length: 0", method="POST")
    yield 426, *get(f"{known}/socket")
    yield 431, *get("/", f"X: {'y' * 20000}")
    yield 404, "/api/v1/x", upgrade("x/y")  # a socket where there is none
    yield 421, "/", head("GET / HTTP/1.1", "Host: evil.example")


def test_s44_security_headers_on_every_response(tmp_path: Path) -> None:
    """Pages, answers, refusals, mistakes; also when an upgrade is refused, or somebody waits."""
    limits = replace(Limits.unlimited(), address_sockets=Rate(0.001, 1))
    with running_server(tmp_path, limits=limits) as server:
        table = server.open("Ada")
        cases = [*every_kind(server, table), (429, "/api/v1/x", upgrade(table))]
        with connection(server) as plain:
            plain.sendall(upgrade(table))
            assert status(plain.recv(4096)) == 101
        for code, path, request in cases:
            answer = raw(server, request)
            assert status(answer) == code, (path, answer)
            found = headers(answer)
            assert {name: found.get(name) for name in ALWAYS} == ALWAYS, (code, path)
            assert found["permissions-policy"].count("=()") > 10
            assert policy(found)["default-src"] == ["'none'"]
            if path.startswith("/api") and "openapi" not in path:
                assert found["cache-control"] == "no-store", (code, path)
        for nothing in (b"\x16\x03\x01\r\n\r\n", upgrade(table).replace(b"-Key", b"-Lock")):
            # Neither HTTP nor WebSocket: there is nothing that could be misread.
            answer = raw(server, nothing)
            assert status(answer) == 400
            assert b"html" not in answer.lower()


def test_s45_only_the_clients_files(tmp_path: Path) -> None:
    """No path leads out of the folder: not up, not by a link, not by a file that came later."""
    web, secret = tmp_path / "web", "a secret of somebody else's"
    (web / "assets").mkdir(parents=True)
    (web / "index.html").write_text("<!doctype html><title>cats</title>")
    (web / "assets" / "app.js").write_text("let cat = 1;")
    (tmp_path / "secret.txt").write_text(secret)
    (web / "link.txt").symlink_to(tmp_path / "secret.txt")
    (web / "folder").symlink_to(tmp_path)
    with running_server(tmp_path, web=web) as server:
        (web / "later.txt").write_text(secret)
        assert server.get("/assets/app.js").text == "let cat = 1;"
        for path in (
            *(
                "/link.txt",
                "/folder/secret.txt",
                "/later.txt",
                "/../secret.txt",
                "/assets",
                "/assets/",
            ),
            *(
                "/..%2fsecret.txt",
                "/%2e%2e/secret.txt",
                "/%252e%252e/secret.txt",
                "/..\\secret.txt",
            ),
            *("/assets/../../secret.txt", "/assets/%2e%2e/%2e%2e/secret.txt", "//secret.txt"),
            *(f"/{tmp_path}/secret.txt", "/../games.db", "/games.db", "/t/../../secret.txt", "/./"),
            *("/index.html%00.js", "/assets/app.js/", "/assets/app.js%00", "/ASSETS/app.js", "/~"),
        ):
            answer = raw(server, head(f"GET {path} HTTP/1.1", HOST, "Connection: close"))
            assert status(answer) == 404, path
            assert secret.encode() not in answer
        for method in ("POST", "PUT", "DELETE"):
            answer = raw(server, head(f"{method} /assets/app.js HTTP/1.1", HOST, JSON))
            assert status(answer) == 405
        assert server.get("/assets/app.js").text == "let cat = 1;"


def needed(name: str, extras: set[str]) -> set[str]:
    """The names of everything that a package needs here, and what that needs."""
    found = {name}
    for text in distribution(name).requires or ():
        wanted = Requirement(text)
        marker = wanted.marker
        if marker is None or any(marker.evaluate({"extra": extra}) for extra in {"", *extras}):
            found |= needed(wanted.name.lower().replace("_", "-"), wanted.extras)
    return found


def test_s46_dependencies_are_pinned() -> None:
    """What a server is made of is little, in the versions of `constraints.txt`, with hashes."""
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    pins = dict(line.split("==") for line in lines if line and not line.startswith("#"))
    pinned = {name.lower().replace("_", "-"): version for name, version in pins.items()}
    assert all(re.fullmatch(r"[0-9][0-9a-z.+]*", version) for version in pinned.values())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    always = [Requirement(text) for text in project["dependencies"]]
    assert [one.name for one in always] == ["platformdirs"]
    wanted = [*always, *map(Requirement, project["optional-dependencies"]["serve"])]
    installed = set[str]()
    for one in wanted:
        if one.marker is None or one.marker.evaluate():
            installed |= needed(one.name.lower(), one.extras)
    for name in installed:
        try:
            assert distribution(name).version == pinned[name], name
        except PackageNotFoundError:
            pytest.fail(f"{name} is needed and not installed")
    lock = (ROOT / "locks" / "play.txt").read_text("utf-8")
    hashed = set(re.findall(r"^([a-z0-9-]+)==.*\n    --hash=sha256:[0-9a-f]{64}\b", lock, re.M))
    assert installed <= hashed, "make lock"
    assert len(installed) <= 12, sorted(installed)
