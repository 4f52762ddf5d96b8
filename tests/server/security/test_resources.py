"""S33 to S42: nobody gets so much of anything that others get nothing."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from server.harness import (
    Json,
    RunningServer,
    SocketClient,
    bearer,
    ended,
    eventually,
    refused,
    running_server,
    token,
)
from server.malformed import STILL
from server.raw_bytes import (
    FIN,
    HOST,
    PING,
    TEXT,
    connection,
    frame,
    head,
    raw,
    rest,
    status,
    upgrade,
    websocket,
)
from server.security.state import unchanged
from websockets.exceptions import ConnectionClosed, InvalidStatus

from catinthebox import Round
from catinthebox.players import Budget
from catinthebox.players.modest import Modest
from catinthebox.server.bots.offered import LIMITS, offered_level
from catinthebox.server.bots.pool import BotPool
from catinthebox.server.composition import opened
from catinthebox.server.live.scheduler import Scheduler
from catinthebox.server.ops.config import Config
from catinthebox.server.ops.limits import Limits, Rate
from catinthebox.server.ops.logs import Logs
from catinthebox.server.transport.uvicorn_protocols import PIPELINED, SPARE_EACH, WAITING
from catinthebox.store import StoreFailed
from catinthebox.table import BotTurn
from catinthebox.views import View

pytestmark = pytest.mark.timing

API = "/api/v1/tables"
FREE = Limits.unlimited()
FEW = Rate(0.001, 3)


def codes(client: SocketClient, count: int) -> list[str]:
    """The codes of the next answers; nothing for what was done."""
    answers = [client.receive("Done", "Refused", "Pong", "Why") for _ in range(count)]
    return [answer.get("code", "") for answer in answers]


def test_s33_moves_are_limited_per_socket_seat_and_address(tmp_path: Path) -> None:
    """More connections do not give a seat more moves, nor more seats an address; chat is extra."""
    usual = Limits()
    assert (usual.socket_moves, usual.seat_moves) == (Rate(10, 20), Rate(10, 20))
    assert usual.address_moves == Rate(50, 200)
    pause = {"type": "Pause"}
    with running_server(tmp_path / "socket", limits=replace(FREE, socket_moves=FEW)) as server:
        table = server.open("Ada")
        with server.client(table, "Ada") as client, server.client(table, "Ada") as other:
            for number in range(5):
                client.do(f"m{number}", **pause)
            assert codes(client, 5)[3:] == ["limit.socket"] * 2
            other.do("m9", **pause)
            assert codes(other, 1) == ["table.not_begun"]
    with running_server(tmp_path / "seat", limits=replace(FREE, seat_moves=FEW)) as server:
        table = server.open("Ada")
        with server.client(table, "Ada") as client, server.client(table, "Ada") as other:
            for number, one in enumerate([client, other, client]):
                one.do(f"m{number}", **pause)
                assert codes(one, 1) == ["table.not_begun"]
            other.do("m4", **pause)
            assert codes(other, 1) == ["limit.seat"]
        assert refused(server.do(table, "Ada", "m5", **pause)) == (429, "limit.seat")
        asked = server.get(f"{API}/{table}/why?action=5b", "Ada")
        assert refused(asked) == (429, "limit.seat")
    limits = replace(FREE, address_moves=FEW, seat_chat=Rate(0.001, 1), address_requests=Rate(1, 9))
    with running_server(tmp_path / "address", limits=limits) as server:
        table = server.open("Ada")
        said = [server.do(table, "Ada", f"s{n}", type="Say", text="hello") for n in range(2)]
        assert [answer.status_code for answer in said] == [200, 429]
        assert server.do(table, "Bohr", "m1", **pause).json()["code"] == "table.not_seated"
        assert refused(server.do(table, "Curie", "m1", **pause)) == (429, "limit.address")
        answers = [server.get("/api/v1/levels") for _ in range(9)]
        assert answers[-1].json()["code"] == "limit.requests"
        assert int(answers[-1].headers["retry-after"]) >= 1


def test_s34_tables_are_limited_per_address(tmp_path: Path) -> None:
    """How many are opened, and how many go on; anyone who closes one may open another."""
    usual = Limits()
    assert (round(usual.address_tables.rate * 3600), usual.tables_per_address) == (120, 50)
    request = {"settings": {"players": 3}}
    with running_server(tmp_path / "fast", limits=replace(FREE, address_tables=FEW)) as server:
        answers = [server.post(API, request, f"Guest {number}") for number in range(5)]
        assert [answer.status_code for answer in answers] == [201, 201, 201, 429, 429]
        assert refused(answers[-1]) == (429, "limit.tables")
        assert server.parts.hub.store.last(answers[0].json()["links"]["id"]) == 1
        assert len(server.parts.hub.tables) == 3
    with running_server(tmp_path / "many", limits=replace(FREE, tables_per_address=2)) as server:
        tables = [server.open("Ada") for _ in range(2)]
        assert refused(server.post(API, request, "Bohr")) == (429, "limit.tables")
        server.do(tables[0], "Ada", "m1", type="Close")
        assert server.post(API, request, "Bohr").status_code == 201


def test_s35_connections_are_limited(tmp_path: Path) -> None:
    """For an address, for a table, for all; others still get in."""
    usual = Limits()
    assert (usual.sockets_per_address, usual.spectators_per_table, usual.sockets) == (64, 200, 5000)
    assert usual.sockets_per_address + usual.streams_per_address + SPARE_EACH == 160
    limits = replace(FREE, sockets_per_address=3, spectators_per_table=1, streams_per_address=1)
    limits = replace(limits, arriving_per_address=1)
    with running_server(tmp_path, limits=limits) as server, ExitStack() as stack:
        table = server.open("Ada")
        lines = [stack.enter_context(server.client(table, "Ada")), *watching(server, table, stack)]
        assert lines[0].receive()["type"] == "Snapshot"
        assert ended(lines[2]) == ("limit.spectators", 4429)
        eventually(lambda: server.parts.rate_limits.sockets.total == 2)
        for _ in range(2):  # the second one may be a player's, for whom a spectator would go
            stack.enter_context(server.socket(table))
        assert status(raw(server, upgrade(table))) == 429
        stack.enter_context(
            server.http.stream("GET", f"{API}/{table}/events", headers=bearer("Ada"))
        )
        assert refused(server.get(f"{API}/{table}/events", "Ada")) == (429, "limit.streams")
        # Connections that say nothing, which are neither sockets nor streams.
        most = 3 + 1 + SPARE_EACH
        plain = [stack.enter_context(connection(server)) for _ in range(2 * most)]
        assert rest(plain[-1]) == b""
        eventually(lambda: len(server.uvicorn.server_state.connections) <= most)
        with connection(server, source="127.0.0.2") as other:
            other.sendall(head("GET /healthz HTTP/1.1", HOST, "Connection: close"))
            assert status(rest(other)) == 200


def watching(server: RunningServer, table: str, stack: ExitStack) -> Iterator[SocketClient]:
    """Two spectators, one after the other."""
    first = stack.enter_context(server.client(table))
    first.receive("Snapshot")
    yield first
    yield stack.enter_context(server.client(table))


def test_s36_slow_readers_are_dropped_and_resync(tmp_path: Path) -> None:
    """Others are told at once meanwhile; who comes back gets what was missed, byte for byte."""
    usual = Limits()
    assert (usual.queue_frames, usual.queue_bytes) == (256, 512 * 1024)
    limits = replace(FREE, write_s=0.5, heartbeat_s=0.4, queue_frames=64)
    with running_server(tmp_path, limits=limits) as server:
        table, dropped = server.game("Ada"), server.parts.metrics.connections_dropped
        version = server.snapshot(table)["version"]
        with server.client(table, "Ada", version) as quick, socket.socket() as slow:
            slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            slow.connect(("127.0.0.1", server.port))
            with (
                suppress(ConnectionClosed, OSError),
                server.socket(table, sock=slow, max_queue=1, close_timeout=0.1) as opened,
            ):
                client, asked = SocketClient(opened), 0
                client.send("Hello", token=token("Ada"))
                while not dropped.value:
                    client.send("Resync")  # large answers, which nobody reads
                    if asked < 30:
                        asked += 1
                        quick.do(f"m{asked}", type="Say", text="hello")
                        assert quick.receive("Done", "Refused")["type"] == "Done"
        eventually(lambda: not server.parts.monitor.connections)
        assert dropped.value == 1
        with (
            server.client(table, "Ada", version) as again,
            server.client(table, "Ada", version) as third,
        ):
            missed = server.snapshot(table)["version"] - version
            assert missed >= asked > 0
            frames = [again.receive() for _ in range(missed)]
            assert {frame["type"] for frame in frames} == {"Frame"}
            assert [third.receive() for _ in range(missed)] == frames


@pytest.mark.long
def test_s37_hello_comes_in_time(tmp_path: Path) -> None:
    """Pings, and the beginning of a message, are no hello; the place is free again."""
    assert Limits().hello_s == 10
    limits = replace(FREE, hello_s=1.5, sockets=2)
    with running_server(tmp_path, limits=limits) as server:
        table = server.open("Ada")
        with connection(server) as plain, server.socket(table) as opened:
            plain.sendall(upgrade(table))
            plain.sendall(frame(b'{"type":"Hello"', TEXT))  # and nothing after it
            for _ in range(4):
                plain.sendall(frame(b"", FIN | PING))
            assert ended(SocketClient(opened)) == ("line.silent", 4408)
            received = b""
            while b"line.silent" not in received:
                part = plain.recv(4096)
                assert part
                received += part
        eventually(lambda: server.parts.rate_limits.sockets.total == 0)
        with server.client(table, "Ada") as client:
            assert client.receive()["type"] == "Snapshot"


@pytest.mark.long
def test_s38_heartbeat_and_idle_time_outs(tmp_path: Path) -> None:
    """A connection whose other end is gone, an unused one, one behind which another waits."""
    usual = Limits()
    assert (usual.heartbeat_s, usual.heartbeat_wait_s, usual.idle_s) == (20, 20, 7200)
    limits = replace(FREE, heartbeat_s=0.3, heartbeat_wait_s=0.3, idle_s=60)
    with running_server(tmp_path / "dead", limits=limits, pace=STILL) as server:
        table = server.open("Ada")
        with websocket(server, table, "Ada") as dead:  # answers no ping
            assert dead.messages()[1] == 1011
        eventually(lambda: not server.parts.monitor.connections)
        events = head(f"GET {API}/{table}/events HTTP/1.1", HOST)
        with connection(server) as plain:  # a stream, and a request that waits for its end
            plain.sendall(events)
            eventually(lambda: server.parts.monitor.connections)
            plain.sendall(head("GET /healthz HTTP/1.1", HOST))
            time.sleep(0.1)
        eventually(lambda: not server.parts.monitor.connections)
    limits = replace(FREE, heartbeat_s=0.2, idle_s=0.5)
    with (
        running_server(tmp_path / "idle", limits=limits) as server,
        server.client(server.open("Ada")) as client,
    ):
        client.receive("Snapshot")
        received = {"type": "Pong"}
        while received["type"] == "Pong":  # to ask for a sign of life is no use of a connection
            with suppress(ConnectionClosed):
                client.send("Ping")
            received = client.receive("Pong", "Bye")
        assert (received["code"], client.rest()[1]) == ("line.idle", 1000)


def test_s39_a_full_server_says_so(tmp_path: Path) -> None:
    """503 and when to come back; those who are in go on. And nothing that waits grows for ever."""
    limits = replace(FREE, sockets=1, streams=1, tables=1)
    with running_server(tmp_path / "full", limits=limits) as server:
        table = server.open("Ada")
        with (
            server.client(table, "Ada") as client,
            server.http.stream("GET", f"{API}/{table}/events", headers=bearer("Ada")) as stream,
        ):
            client.receive("Snapshot")
            with pytest.raises(InvalidStatus) as full, server.socket(table):
                pass
            answers = [
                server.get(f"{API}/{table}/events", "Ada"),
                server.post(API, {"settings": {"players": 3}}, "Bohr"),
            ]
            assert [refused(answer) for answer in answers] == [(503, "server.full")] * 2
            response = full.value.response
            assert response.status_code == 503
            for one in (response.headers, *(answer.headers for answer in answers)):
                assert int(one["retry-after"]) >= 1
            client.do("m1", type="Say", text="hello")
            assert client.receive("Done")["id"] == "m1"
            assert next(stream.iter_lines())
    with running_server(tmp_path / "waiting", limits=FREE) as server:
        table = server.open("Ada")
        get = head("GET /healthz HTTP/1.1", HOST)
        with connection(server) as plain:
            answer = b""
            with suppress(ConnectionError):
                plain.sendall(get * 2000)
                answer = rest(plain)
            assert answer.count(b"HTTP/1.1 200") <= PIPELINED + 1
        with websocket(server, table, "Ada") as flood:
            pings = frame(b'{"type":"Ping"}') * 8 * WAITING
            with suppress(ConnectionError):
                flood.plain.sendall(pings)
            assert flood.messages()[1] == 1006
        assert server.snapshot(table)["version"] == 2


STRANGE = ("external:cmd=ls", "external", "player:x", "os.system", "/bin/sh", "sharp:ms=9")
GREEDY = ("search:rollouts=9000", "search:ms=nan", "search:ms=1e9", "ismcts:iterations=999999")


@pytest.mark.parametrize("level", STRANGE + GREEDY)
def test_s40_bots_run_no_programs(server: RunningServer, level: str) -> None:
    """By no way in, and not even if a log that somebody brought along says so."""
    table = server.open("Ada")
    add = {"type": "AddBot", "seat": 1, "level": level}
    with unchanged(server):
        assert refused(server.do(table, "Ada", "m1", **add)) == (400, "input.level")
        with server.client(table, "Ada") as client:
            client.do("m1", **add)
            assert client.receive("Done", "Refused")["code"] == "input.level"
        for request in (
            {"settings": {"players": 3}, "bots": [{"level": level}]},
            {"settings": {"players": 3, "cover": level}},
        ):
            assert refused(server.post(API, request, "Ada")) == (400, "input.level")
    assert offered_level(level) == "steady"


def turn(seed: int) -> BotTurn:
    """A bot's first decision in some round."""
    return BotTurn(0, "sharp", View.of(Round.shuffled(3, Random(seed)), 0), 0, None)


@pytest.mark.process
def test_s41_bot_work_is_bounded(tmp_path: Path) -> None:
    """In another process; past a number of moves that wait, a modest bot answers, and at once."""
    assert Limits().bots_waiting == 1000
    assert LIMITS == {"rollouts": 2000, "iterations": 2000, "ms": 200}
    config = Config(tmp_path / "games.db", processes=0, limits=replace(FREE, bots_waiting=50))

    async def story() -> None:
        async with opened(config, Logs(lambda _: None, time.time, bytes(32))) as parts:
            assert isinstance(parts.hub.listener, Scheduler)
            crew = parts.hub.listener.bots
            assert isinstance(crew, BotPool)
            flood = [asyncio.create_task(crew.choose(turn(seed), seed)) for seed in range(200)]
            await asyncio.sleep(0.01)
            assert crew.waiting == 50
            done = [(seed, task.result()) for seed, task in enumerate(flood) if task.done()]
            assert len(done) == 150
            for seed, action in done:
                assert action == Modest().choose(turn(seed).view, Budget(), Random(seed))
            for seed, task in enumerate(flood):
                assert await task in turn(seed).view.legal
        assert not crew.pids

    asyncio.run(story())


def test_s42_nothing_is_sent_that_is_not_stored(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that fails: refused, nobody hears of it, nobody gets in; then it goes on."""
    table = server.open("Ada")
    store = server.parts.hub.store

    def failing(*_: object) -> Future[int]:
        future: Future[int] = Future()
        error = StoreFailed("the disk is full", settled=True)
        threading.Timer(0.05, future.set_exception, [error]).start()
        return future

    with server.client(table, "Ada") as client, server.client(table) as public:
        before: list[Json] = [client.receive("Snapshot"), public.receive("Snapshot")]
        monkeypatch.setattr(store, "append", failing)
        with unchanged(server):
            answer = server.do(table, "Bohr", "m1", type="Sit", name="Bohr")
            assert refused(answer) == (503, "server.unavailable")
            assert "disk" not in answer.text
            assert server.post(API, {"settings": {"players": 3}}, "Bohr").status_code == 503
            assert server.snapshot(table, "Bohr")["seat"] is None
        for one in (client, public):
            one.send("Ping")
            assert one.receive()["type"] == "Pong"  # and nothing came before it
        monkeypatch.undo()
        assert server.do(table, "Bohr", "m1", type="Sit", name="Bohr").status_code == 200
        frames = [one.receive("Frame") for one in (client, public)]
        assert [frame["version"] for frame in frames] == [before[0]["version"] + 1] * 2
