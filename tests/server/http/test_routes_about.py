"""About a server: its bots, its health, its numbers, its files."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path

import pytest
from httpx import Response
from server.harness import RunningServer, eventually, refused, running_server
from waiting import HANG, completed

from catinthebox.players import LEVELS
from catinthebox.server.http.static import LARGE, Site
from catinthebox.server.ops import store_health
from catinthebox.server.ops.store_health import StoreHealth
from catinthebox.store import Busy, Store, StoreFailed, open_store

pytestmark = pytest.mark.timing


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running_server(tmp_path_factory.mktemp("about")) as running:
        yield running


# ── About the server ─────────────────────────────────────────────────────────────────────────


def test_levels(server: RunningServer) -> None:
    """A name and a sentence each."""
    levels = server.get("/api/v1/levels").json()["levels"]
    assert [level["name"] for level in levels] == [*LEVELS]
    assert levels[-1]["name"] == "uncanny"
    assert all(level["sentence"] for level in levels)


def test_health(server: RunningServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Alive is one thing, ready another."""
    assert server.get("/healthz").json() == {"status": "ok"}
    assert server.get("/readyz").json() == {"status": "ok"}
    for name, value, status in (("closing", True, "closing"), ("started", False, "starting")):
        monkeypatch.setattr(server.parts.lifecycle, name, value)
        answer = server.get("/readyz")
        assert (answer.status_code, answer.json()) == (503, {"status": status})
        monkeypatch.undo()
    assert server.get("/readyz").status_code == 200


@pytest.mark.long
def test_a_store_that_fails_is_not_ready(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody should be sent here."""

    def broken(*_: object) -> None:
        raise Busy("too much")

    monkeypatch.setattr(server.parts.hub.store, "last", broken)
    eventually(lambda: server.get("/readyz").json() == {"status": "store"})
    assert server.get("/healthz").status_code == 200
    monkeypatch.undo()
    eventually(lambda: server.get("/readyz").status_code == 200)


@pytest.mark.long
def test_a_store_that_cannot_be_written_is_not_ready(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk can be read, and would refuse every move."""
    full: Future[None] = Future()
    full.set_exception(StoreFailed("database or disk is full", settled=True))
    monkeypatch.setattr(server.parts.hub.store, "probe", lambda: full)
    eventually(lambda: server.get("/readyz").json() == {"status": "store"})
    monkeypatch.undo()
    eventually(lambda: server.get("/readyz").status_code == 200)


class Patient:
    """A store, how often it was asked, and a clock to be turned by hand."""

    def __init__(self, store: Store, last: Callable[[], int]) -> None:
        self.asked = 0
        self.now = 0.0
        self.changes: list[bool] = []

        def counted(game: str) -> int:
            self.asked += 1
            return last()

        store.last = counted  # type: ignore[method-assign]
        self.store_health = StoreHealth(store, lambda: self.now, self.changes.append)

    async def beats(self) -> set[bool]:
        """Ask five times at once."""
        return {*await asyncio.gather(*(self.store_health.available() for _ in range(5)))}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "games.db") as opened:
        yield opened


def test_readiness_is_asked_once_a_second(store: Store) -> None:
    """Nobody counts who asks; so the answer is kept for a moment."""

    async def story() -> None:
        patient = Patient(store, lambda: 1)
        for now, asked in ((0.0, 1), (0.9, 1), (1.1, 2)):
            patient.now = now
            assert await patient.beats() == {True}
            assert patient.asked == asked
        assert patient.changes == []

    asyncio.run(story())


def test_a_change_is_reported_once(store: Store) -> None:
    """However often anybody asks meanwhile, and also if the store has never been well."""
    well = [False]

    def last() -> int:
        if not well[0]:
            raise StoreFailed("no disk", settled=True)
        return 1

    async def story() -> None:
        patient = Patient(store, last)
        for now, is_well in enumerate((False, False, True, True, False, False, True)):
            patient.now, well[0] = 2.0 * now, is_well
            assert await patient.beats() == {is_well}
        assert patient.changes == [False, True, False, True]

    asyncio.run(story())


def test_a_store_that_hangs_is_asked_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each question would hold a thread."""
    monkeypatch.setattr(store_health, "TIMEOUT_S", 0.01)
    awake = threading.Event()

    async def story() -> None:
        patient = Patient(store, lambda: int(awake.wait(HANG)))
        for now in (0.0, 2.0, 4.0):
            patient.now = now
            assert await patient.beats() == {False}
        assert patient.asked == 1
        awake.set()
        monkeypatch.setattr(store_health, "TIMEOUT_S", 10)
        patient.now = 6.0
        assert await patient.beats() == {True}

    asyncio.run(story())


def test_metrics_are_for_this_machine(server: RunningServer) -> None:
    """Behind a proxy that nobody told us of, everybody would be this machine."""
    answer = server.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert 'catinthebox_http_requests_total{route="/api/v1/levels",status="2xx"}' in answer.text
    for name in ("X-Forwarded-For", "Forwarded", "X-Real-IP", "Via"):
        forwarded = server.http.get("/metrics", headers={name: "127.0.0.1"})
        assert refused(forwarded) == (403, "http.address")


def test_addresses_are_shown_to_this_machine(tmp_path: Path) -> None:
    """For invitations; a visitor from elsewhere needs none, and learns nothing of the network."""
    ours = ("http://192.168.1.7:8123/",)
    with running_server(tmp_path, addresses=ours) as server:
        assert server.get("/api/v1/addresses").json() == {"addresses": [*ours]}
        forwarded = server.http.get("/api/v1/addresses", headers={"X-Forwarded-For": "203.0.113.9"})
        assert forwarded.json() == {"addresses": []}


def test_metrics_can_be_for_others(tmp_path: Path) -> None:
    """By networks, or for nobody."""
    with running_server(tmp_path, metrics=("10.0.0.0/8",), proxies=("127.0.0.1",)) as server:
        assert server.get("/metrics").status_code == 403
        inside = {"X-Forwarded-For": "10.1.2.3"}
        assert server.http.get("/metrics", headers=inside).status_code == 200


@pytest.mark.process
def test_the_server_does_not_import_the_compiler() -> None:
    """It would cost a second and a hundred megabytes."""
    program = "import sys, catinthebox.server.ops.run; sys.exit('numba' in sys.modules)"
    completed([sys.executable, "-c", program])


# ── Files ────────────────────────────────────────────────────────────────────────────────────


def test_without_a_client_there_is_a_plain_page(server: RunningServer, tmp_path: Path) -> None:
    """It says how to connect, and keeps the policy: nothing inline."""
    with running_server(tmp_path, web=tmp_path) as bare:
        page = bare.get("/")
        assert page.status_code == 200
        assert "/api/v1/tables" in page.text
        assert "<script" not in page.text
        assert "style=" not in page.text
        assert bare.get("/plain.css").headers["content-type"] == "text/css; charset=utf-8"
        assert bare.get("/t/some-table").text == page.text


def test_a_built_client_is_served(tmp_path: Path) -> None:
    """The page is asked for again, what has a hash in its name never."""
    web = tmp_path / "web"
    (web / "assets").mkdir(parents=True)
    (web / "index.html").write_text("<!doctype html><title>cats</title>")
    (web / "assets" / "app-1a2b.js").write_text("let cat = 1;")
    (web / "robots.txt").write_text("User-agent: *")
    with running_server(tmp_path, web=web) as server:
        page, script = server.get("/"), server.get("/assets/app-1a2b.js")
        for link in (
            "/t/lab-7",
            "/w/lab-7",
            "/g/lab-7",
            "/g/lab-7.2",
            "/g",
            "/learn",
            "/rules/",
            "/settings",
        ):
            assert server.get(link).text == page.text
        assert page.headers["cache-control"] == "no-cache"
        assert "immutable" in script.headers["cache-control"]
        assert script.headers["content-type"] == "text/javascript; charset=utf-8"
        again = server.http.get("/", headers={"If-None-Match": page.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert server.get("/robots.txt").status_code == 200
        for path in ("/index.html", "/assets", "/../games.db", "/%2e%2e/games.db", "/assets/x.js"):
            assert server.get(path).status_code == 404
        assert server.post("/", {}).status_code == 405
        assert server.http.options("/").headers["allow"] == "GET, HEAD, OPTIONS"


def test_large_files_are_served_without_being_kept(tmp_path: Path) -> None:
    """An idle server does not hold networks in memory; one that was removed is not found."""
    web, content = tmp_path / "web", bytes(range(256)) * (LARGE // 256 + 1)
    (web / "assets").mkdir(parents=True)
    (web / "index.html").write_text("<!doctype html>")
    (network := web / "assets" / "4-players-1a2b.net").write_bytes(content)
    kept = [file.content for file in Site.read(web).files.values()]
    assert sum(len(each) for each in kept if isinstance(each, bytes)) < LARGE
    path = f"/assets/{network.name}"
    with running_server(tmp_path, web=web) as server:
        first = server.get(path)
        assert first.content == content
        known = {"If-None-Match": first.headers["etag"]}
        assert server.http.get(path, headers=known).status_code == 304
        network.unlink()
        assert refused(server.get(path)) == (404, "http.unknown")


def test_people_who_are_lost_see_the_page(tmp_path: Path) -> None:
    """With the status that programs look at; programs get their answer in JSON."""
    (tmp_path / "index.html").write_text("<!doctype html><title>cats</title>")
    with running_server(tmp_path, web=tmp_path) as server:
        browser = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
        lost = server.http.get("/nowhere", headers=browser)
        assert (lost.status_code, lost.text) == (404, server.get("/").text)
        again = server.http.get(
            "/nowhere", headers=browser | {"If-None-Match": lost.headers["etag"]}
        )
        assert again.status_code == 404
        assert server.http.get("/nowhere.js", headers=browser).json()["code"] == "http.unknown"
        assert server.get("/nowhere").json()["code"] == "http.unknown"


def test_texts_are_packed_for_those_who_can_unpack(tmp_path: Path) -> None:
    """Each form has a tag of its own; what does not become smaller stays."""
    (tmp_path / "index.html").write_text("<!doctype html>" + "cats " * 500)
    (tmp_path / "tiny.txt").write_text("cat")
    (tmp_path / "cat.png").write_bytes(bytes(2000))
    with running_server(tmp_path, web=tmp_path) as server:

        def get(path: str, can: str, **more: str) -> Response:
            return server.http.get(path, headers={"Accept-Encoding": can} | more)

        small, plain = get("/", "br, gzip"), get("/", "gzip;q=0")
        assert small.text == plain.text
        assert small.headers["content-encoding"] == "gzip"
        assert int(small.headers["content-length"]) < 200 < int(plain.headers["content-length"])
        assert small.headers["vary"] == plain.headers["vary"] == "Accept-Encoding"
        tags = [one.headers["etag"] for one in (small, plain)]
        assert tags[0] != tags[1]
        assert [get("/", "gzip", **{"If-None-Match": tag}).status_code for tag in tags] == [
            304,
            200,
        ]
        for path in ("/tiny.txt", "/cat.png"):
            answer = get(path, "gzip")
            assert "content-encoding" not in answer.headers
            assert "vary" not in answer.headers
