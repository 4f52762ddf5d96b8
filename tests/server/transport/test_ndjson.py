"""The stream over plain HTTP, as bots and curl read it."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from server.harness import (
    PATIENT,
    QUICK,
    Json,
    QuickBots,
    RunningServer,
    bearer,
    eventually,
    running_server,
    token,
)
from server_process import curls
from starlette.types import Message
from waiting import line_of

from catinthebox.server.composition import opened
from catinthebox.server.http.app import table_endpoints
from catinthebox.server.http.responses import CLOSING
from catinthebox.server.ops.config import Config
from catinthebox.server.ops.limits import Limits
from catinthebox.server.ops.logs import Logs
from catinthebox.server.transport.ndjson import Stream
from catinthebox.table import Settings, token_hash

pytestmark = pytest.mark.timing

CURLS = ["ours", *(["system"] if shutil.which("curl") else [])]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running_server(tmp_path_factory.mktemp("ndjson")) as running:
        yield running


class Reader:
    """A stream, message by message."""

    def __init__(self, response: httpx.Response) -> None:
        self.response = response
        self._lines = response.iter_lines()

    def receive(self, *types: str) -> Json:
        """Wait for a message of one of some types; others are skipped."""
        while True:
            message: Json = json.loads(next(self._lines))
            if not types or message["type"] in types:
                return message

    def rest(self) -> list[Json]:
        """Return everything until the stream ends."""
        return [json.loads(line) for line in self._lines]


@contextmanager
def stream(server: RunningServer, table: str, who: str = "", query: str = "") -> Iterator[Reader]:
    """Read a table's stream."""
    headers = bearer(who) if who else {}
    url = f"http://127.0.0.1:{server.port}/api/v1/tables/{table}/events{query}"
    with (
        httpx.Client(timeout=PATIENT) as client,
        client.stream("GET", url, headers=headers) as response,
    ):
        yield Reader(response)


def test_a_stream_begins_with_everything(server: RunningServer) -> None:
    """For a seat, or for a spectator; then it goes on, line by line."""
    table = server.open("Ada")
    with stream(server, table, "Ada") as mine, stream(server, table) as public:
        assert mine.response.headers["content-type"] == "application/x-ndjson"
        assert mine.response.headers["x-accel-buffering"] == "no"
        assert mine.receive() == server.snapshot(table, "Ada")
        assert public.receive()["seat"] is None
        server.do(table, "Ada", "m1", type="Say", text="hello")
        frame = mine.receive()
        assert (frame["type"], frame["news"][0]["text"]) == ("Frame", "hello")
        assert public.receive()["version"] == frame["version"]


def test_a_stream_goes_on_where_it_was(server: RunningServer) -> None:
    """With a version, what came after it; a beat if nothing did."""
    table = server.open("Ada")
    for seat in (1, 2):
        server.do(table, "Ada", f"b{seat}", type="AddBot", seat=seat, level="gentle")
    with stream(server, table, "Ada", "?version=2") as reader:
        assert [reader.receive()["version"], reader.receive()["version"]] == [3, 4]
    with stream(server, table, "Ada", "?version=4") as reader:
        assert reader.receive()["type"] == "Beat"
    with stream(server, table, "Ada", "?version=99") as reader:
        assert reader.receive()["type"] == "Snapshot"


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("{}/events?version=x", 400, "input.query"),
        ("{}/events?version=-1", 400, "input.query"),
        ("{}/events?since=1", 400, "input.query"),
        ("nowhere/events", 404, "table.unknown"),
    ],
)
def test_a_stream_that_cannot_be(server: RunningServer, path: str, status: int, code: str) -> None:
    """It is refused as any other request."""
    answer = server.get("/api/v1/tables/" + path.format(server.open("Ada")))
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_a_game_without_spectators_has_no_public_stream(server: RunningServer) -> None:
    """For nobody but its players and the host."""
    table = server.game(spectators=False)
    assert server.get(f"/api/v1/tables/{table}/events").status_code == 403
    with stream(server, table, "Ada") as reader:
        assert reader.receive()["seat"] == 0


def test_the_head_of_a_stream_is_no_stream(server: RunningServer) -> None:
    """HEAD answers and ends."""
    answer = server.http.head(f"/api/v1/tables/{server.open('Ada')}/events")
    assert (answer.status_code, answer.content) == (200, b"")


def test_a_silent_stream_beats(tmp_path: Path) -> None:
    """So that nobody in between takes it for dead, however long a bot thinks."""
    limits = replace(Limits.unlimited(), heartbeat_s=0.1)
    with (
        running_server(tmp_path, limits=limits) as server,
        stream(server, server.open("Ada"), "Ada") as reader,
    ):
        reader.receive("Snapshot")
        assert [reader.receive()["type"] for _ in range(3)] == ["Beat"] * 3


def test_a_forgotten_stream_ends(tmp_path: Path) -> None:
    """If nothing at all happens at its table for a long time."""
    limits = replace(Limits.unlimited(), heartbeat_s=0.1, idle_s=0.3)
    with (
        running_server(tmp_path, limits=limits) as server,
        stream(server, server.open("Ada"), "Ada") as reader,
    ):
        assert reader.rest()[-1]["code"] == "line.idle"


def test_streams_are_limited(tmp_path: Path) -> None:
    """For an address; anyone who goes makes room."""
    limits = replace(Limits.unlimited(), streams_per_address=1)
    with running_server(tmp_path, limits=limits) as server:
        table = server.open("Ada")
        with stream(server, table, "Ada") as reader:
            reader.receive("Snapshot")
            answer = server.get(f"/api/v1/tables/{table}/events")
            assert (answer.status_code, answer.json()["code"]) == (429, "limit.streams")
            assert "retry-after" in answer.headers
        eventually(lambda: not server.parts.monitor.connections)
        with stream(server, table, "Ada") as reader:
            reader.receive("Snapshot")


def test_a_stream_that_is_cut_off_leaves_nothing(server: RunningServer) -> None:
    """As the watch does it when nobody reads."""
    eventually(lambda: not server.parts.monitor.connections)
    with stream(server, server.open("Ada"), "Ada") as reader:
        reader.receive("Snapshot")
        (connection,) = server.parts.monitor.connections
        server.uvicorn.servers[0].get_loop().call_soon_threadsafe(connection.abort)
        with pytest.raises(httpx.TransportError):
            reader.rest()
    eventually(lambda: not server.parts.monitor.connections)


def test_a_server_that_closes_says_so(tmp_path: Path) -> None:
    """A last line, and a clean end."""
    with running_server(tmp_path) as server, stream(server, server.open("Ada"), "Ada") as reader:
        reader.receive("Snapshot")
        stopping = threading.Thread(target=server.stop)
        stopping.start()
        assert reader.rest()[-1]["code"] == "server.closing"
        stopping.join()


def test_a_person_who_only_reads_and_posts_is_here(tmp_path: Path) -> None:
    """A stream is a presence, as a socket is; and so is a command."""
    with running_server(tmp_path, pace=replace(QUICK, gone_ms=50)) as server:
        table = server.open("Ada")

        def present() -> object:
            return server.snapshot(table)["seats"]["seats"][0]["here"]

        with stream(server, table, "Ada") as reader:
            reader.receive("Snapshot")
        eventually(lambda: not present())
        server.do(table, "Ada", "m1", type="Say", text="hello")
        assert present()


def test_a_person_who_only_posts_is_away_after_a_while(tmp_path: Path) -> None:
    """Somebody without a line is here for as long as they ask for something."""
    with running_server(tmp_path, pace=replace(QUICK, seen_ms=300)) as server:
        table = server.open("Ada")
        server.do(table, "Ada", "m1", type="Say", text="hello")
        eventually(lambda: not server.snapshot(table)["seats"]["seats"][0]["here"])


def test_a_bot_plays_a_game_by_reading_and_posting(server: RunningServer) -> None:
    """The loop of every bot: read, and post when there is something legal to do."""
    table, moves = server.game(), 0
    with stream(server, table, "Ada") as reader:
        while True:
            message = reader.receive("Snapshot", "Frame")
            own, news = message["own"], message.get("news", ())
            happened = {one["type"] for one in news}
            if "GameOver" in happened:
                break
            if "RoundOver" in happened:
                server.do(table, "Ada", f"r{message['version']}", type="Ready")
            elif own and own["legal"]:
                moves += 1
                done = server.do(table, "Ada", f"m{moves}", type="Act", action=own["legal"][0])
                assert done.status_code == 200, done.text
    assert moves > 10


@pytest.mark.process
@pytest.mark.parametrize("name", CURLS)
def test_curl_can_read_it(server: RunningServer, tmp_path: Path, name: str) -> None:
    """As docs/protocol.md shows; a machine's own curl and ours see the same."""
    table = server.open("Ada")
    url = f"http://127.0.0.1:{server.port}/api/v1/tables/{table}/events"
    auth = f"Authorization: Bearer {token('Ada')}"
    words = [curls(tmp_path)[name], "-sN", "-H", auth, url]
    with subprocess.Popen(words, stdout=subprocess.PIPE) as curl:
        assert json.loads(line_of(curl))["type"] == "Snapshot"
        server.do(table, "Ada", "m1", type="Say", text="hello")
        assert json.loads(line_of(curl))["type"] == "Frame"
        curl.kill()


def test_the_last_words_are_watched(tmp_path: Path) -> None:
    """Anyone who does not even read those is cut off."""
    since: list[float | None] = []
    logs = Logs(lambda _: None, time.time, bytes(32))

    async def story() -> None:
        config = Config(tmp_path / "games.db")
        async with opened(config, logs, QuickBots()) as parts:
            table = await parts.hub.create(Settings(3), token_hash(token("Ada")))

            async def send(message: Message) -> None:
                (connection,) = parts.monitor.connections
                connection.outbox.end(CLOSING)
                if not message.get("more_body", True):
                    since.append(connection.sending)

            answer = Stream(
                table_endpoints(parts).streams, parts.hub.links.play(table), "", "local", None
            )
            await answer({"type": "http"}, asyncio.Event().wait, send)  # type: ignore[arg-type]

    asyncio.run(story())
    assert since
    assert since[0] is not None
