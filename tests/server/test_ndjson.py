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
from cli.hosted import curls
from server.harness import PATIENT, QUICK, House, Json, QuickBots, bearer, eventually, house, token
from starlette.types import Message
from waiting import line_of

from catinthebox.server.http.app import opened
from catinthebox.server.http.responses import CLOSING
from catinthebox.server.ops.config import Config
from catinthebox.server.ops.limits import Limits
from catinthebox.server.ops.logs import Logs
from catinthebox.server.transport.ndjson import Stream
from catinthebox.table import Settings, token_hash

pytestmark = pytest.mark.timing

CURLS = ["ours", *(["system"] if shutil.which("curl") else [])]


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("ndjson")) as running:
        yield running


class Reader:
    """A stream, message by message."""

    def __init__(self, response: httpx.Response) -> None:
        self.response = response
        self._lines = response.iter_lines()

    def hear(self, *types: str) -> Json:
        """Wait for a message of one of some types; others are skipped."""
        while True:
            message: Json = json.loads(next(self._lines))
            if not types or message["type"] in types:
                return message

    def rest(self) -> list[Json]:
        """Give everything until the stream ends."""
        return [json.loads(line) for line in self._lines]


@contextmanager
def stream(here: House, table: str, who: str = "", query: str = "") -> Iterator[Reader]:
    """Read a table's stream."""
    headers = bearer(who) if who else {}
    url = f"http://127.0.0.1:{here.port}/api/v1/tables/{table}/events{query}"
    with (
        httpx.Client(timeout=PATIENT) as client,
        client.stream("GET", url, headers=headers) as response,
    ):
        yield Reader(response)


def test_a_stream_begins_with_everything(here: House) -> None:
    """For a seat, or for a spectator; then it goes on, line by line."""
    table = here.open("Ada")
    with stream(here, table, "Ada") as mine, stream(here, table) as public:
        assert mine.response.headers["content-type"] == "application/x-ndjson"
        assert mine.response.headers["x-accel-buffering"] == "no"
        assert mine.hear() == here.snapshot(table, "Ada")
        assert public.hear()["seat"] is None
        here.do(table, "Ada", "m1", type="Say", text="hello")
        frame = mine.hear()
        assert (frame["type"], frame["news"][0]["text"]) == ("Frame", "hello")
        assert public.hear()["version"] == frame["version"]


def test_a_stream_goes_on_where_it_was(here: House) -> None:
    """With a version, what came after it; a beat if nothing did."""
    table = here.open("Ada")
    for seat in (1, 2):
        here.do(table, "Ada", f"b{seat}", type="AddBot", seat=seat, level="gentle")
    with stream(here, table, "Ada", "?version=2") as reader:
        assert [reader.hear()["version"], reader.hear()["version"]] == [3, 4]
    with stream(here, table, "Ada", "?version=4") as reader:
        assert reader.hear()["type"] == "Beat"
    with stream(here, table, "Ada", "?version=99") as reader:
        assert reader.hear()["type"] == "Snapshot"


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("{}/events?version=x", 400, "input.query"),
        ("{}/events?version=-1", 400, "input.query"),
        ("{}/events?since=1", 400, "input.query"),
        ("nowhere/events", 404, "table.unknown"),
    ],
)
def test_a_stream_that_cannot_be(here: House, path: str, status: int, code: str) -> None:
    """It is refused as any other request."""
    answer = here.get("/api/v1/tables/" + path.format(here.open("Ada")))
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_a_game_without_spectators_has_no_public_stream(here: House) -> None:
    """For nobody but its players and the host."""
    table = here.game(spectators=False)
    assert here.get(f"/api/v1/tables/{table}/events").status_code == 403
    with stream(here, table, "Ada") as reader:
        assert reader.hear()["seat"] == 0


def test_the_head_of_a_stream_is_no_stream(here: House) -> None:
    """HEAD answers and ends."""
    answer = here.http.head(f"/api/v1/tables/{here.open('Ada')}/events")
    assert (answer.status_code, answer.content) == (200, b"")


def test_a_silent_stream_beats(tmp_path: Path) -> None:
    """So that nobody in between takes it for dead, however long a bot thinks."""
    limits = replace(Limits.unlimited(), heartbeat_s=0.1)
    with house(tmp_path, limits=limits) as here, stream(here, here.open("Ada"), "Ada") as reader:
        reader.hear("Snapshot")
        assert [reader.hear()["type"] for _ in range(3)] == ["Beat"] * 3


def test_a_forgotten_stream_ends(tmp_path: Path) -> None:
    """If nothing at all happens at its table for a long time."""
    limits = replace(Limits.unlimited(), heartbeat_s=0.1, idle_s=0.3)
    with house(tmp_path, limits=limits) as here, stream(here, here.open("Ada"), "Ada") as reader:
        assert reader.rest()[-1]["code"] == "line.idle"


def test_streams_are_limited(tmp_path: Path) -> None:
    """For an address; whoever goes makes room."""
    limits = replace(Limits.unlimited(), streams_per_address=1)
    with house(tmp_path, limits=limits) as here:
        table = here.open("Ada")
        with stream(here, table, "Ada") as reader:
            reader.hear("Snapshot")
            answer = here.get(f"/api/v1/tables/{table}/events")
            assert (answer.status_code, answer.json()["code"]) == (429, "limit.streams")
            assert "retry-after" in answer.headers
        eventually(lambda: not here.context.monitor.connections)
        with stream(here, table, "Ada") as reader:
            reader.hear("Snapshot")


def test_a_stream_that_is_cut_off_leaves_nothing(here: House) -> None:
    """As the watch does it when nobody reads."""
    eventually(lambda: not here.context.monitor.connections)
    with stream(here, here.open("Ada"), "Ada") as reader:
        reader.hear("Snapshot")
        (connection,) = here.context.monitor.connections
        here.server.servers[0].get_loop().call_soon_threadsafe(connection.abort)
        with pytest.raises(httpx.TransportError):
            reader.rest()
    eventually(lambda: not here.context.monitor.connections)


def test_a_server_that_closes_says_so(tmp_path: Path) -> None:
    """A last line, and a clean end."""
    with house(tmp_path) as here, stream(here, here.open("Ada"), "Ada") as reader:
        reader.hear("Snapshot")
        stopping = threading.Thread(target=here.stop)
        stopping.start()
        assert reader.rest()[-1]["code"] == "server.closing"
        stopping.join()


def test_whoever_only_reads_and_posts_is_here(tmp_path: Path) -> None:
    """A stream is a presence, as a socket is; and so is a command."""
    with house(tmp_path, pace=replace(QUICK, gone_ms=50)) as here:
        table = here.open("Ada")

        def present() -> object:
            return here.snapshot(table)["seats"]["seats"][0]["here"]

        with stream(here, table, "Ada") as reader:
            reader.hear("Snapshot")
        eventually(lambda: not present())
        here.do(table, "Ada", "m1", type="Say", text="hello")
        assert present()


def test_whoever_only_posts_is_away_after_a_while(tmp_path: Path) -> None:
    """Somebody without a line is here for as long as they ask for something."""
    with house(tmp_path, pace=replace(QUICK, seen_ms=300)) as here:
        table = here.open("Ada")
        here.do(table, "Ada", "m1", type="Say", text="hello")
        eventually(lambda: not here.snapshot(table)["seats"]["seats"][0]["here"])


def test_a_bot_plays_a_game_by_reading_and_posting(here: House) -> None:
    """The loop of every bot: read, and post when there is something legal to do."""
    table, moves = here.game(), 0
    with stream(here, table, "Ada") as reader:
        while True:
            message = reader.hear("Snapshot", "Frame")
            own, news = message["own"], message.get("news", ())
            happened = {one["type"] for one in news}
            if "GameOver" in happened:
                break
            if "RoundOver" in happened:
                here.do(table, "Ada", f"r{message['version']}", type="Ready")
            elif own and own["legal"]:
                moves += 1
                done = here.do(table, "Ada", f"m{moves}", type="Act", action=own["legal"][0])
                assert done.status_code == 200, done.text
    assert moves > 10


@pytest.mark.process
@pytest.mark.parametrize("name", CURLS)
def test_curl_can_read_it(here: House, tmp_path: Path, name: str) -> None:
    """As docs/protocol.md shows; a machine's own curl and ours see the same."""
    table = here.open("Ada")
    url = f"http://127.0.0.1:{here.port}/api/v1/tables/{table}/events"
    auth = f"Authorization: Bearer {token('Ada')}"
    words = [curls(tmp_path)[name], "-sN", "-H", auth, url]
    with subprocess.Popen(words, stdout=subprocess.PIPE) as curl:
        assert json.loads(line_of(curl))["type"] == "Snapshot"
        here.do(table, "Ada", "m1", type="Say", text="hello")
        assert json.loads(line_of(curl))["type"] == "Frame"
        curl.kill()


def test_the_last_words_are_watched(tmp_path: Path) -> None:
    """Whoever does not even read those is cut off."""
    since: list[float | None] = []
    logs = Logs(lambda _: None, time.time, bytes(32))

    async def story() -> None:
        config = Config(tmp_path / "games.db")
        async with opened(config, logs, QuickBots()) as context:
            table = await context.hub.create(Settings(3), token_hash(token("Ada")))

            async def send(message: Message) -> None:
                (connection,) = context.monitor.connections
                connection.outbox.end(CLOSING)
                if not message.get("more_body", True):
                    since.append(connection.sending)

            answer = Stream(context, context.hub.links.play(table), "", "local", None)
            await answer({"type": "http"}, asyncio.Event().wait, send)  # type: ignore[arg-type]

    asyncio.run(story())
    assert since
    assert since[0] is not None
