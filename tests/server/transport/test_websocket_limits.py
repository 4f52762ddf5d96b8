"""Connections over WebSockets at their limits, and at their end."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from server.harness import (
    PATIENT,
    RunningServer,
    SocketClient,
    ended,
    eventually,
    running_server,
    token,
)
from waiting import last_words
from websockets.exceptions import ConnectionClosed, InvalidStatus

from catinthebox.protocol.messages import Done
from catinthebox.server.access.commands import CommandRunner
from catinthebox.server.ops.limits import Limits, Rate
from catinthebox.server.transport.uvicorn_protocols import WebSocketProtocol

FEW = 100  # messages: not so many at once that they are a flood

pytestmark = pytest.mark.timing


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running_server(tmp_path_factory.mktemp("lines")) as running:
        yield running


# ── Limits ───────────────────────────────────────────────────────────────────────────────────


def test_messages_are_limited_and_too_many_end_the_connection(tmp_path: Path) -> None:
    """First they are refused; anyone who does not mind has to go."""
    limits = replace(Limits.unlimited(), socket_moves=Rate(0.001, 3))
    with (
        running_server(tmp_path, limits=limits) as server,
        server.client(server.open("Ada"), "Ada") as client,
    ):
        for _ in range(40):
            client.send("Ping")
        messages, close = client.rest()
        kinds = [message["type"] for message in messages]
        assert kinds.count("Pong") == 3
        refused = [message for message in messages if message["type"] == "Refused"]
        assert {message["code"] for message in refused} == {"limit.socket"}
        assert all(0 < message["retry_ms"] <= 1_000_000 for message in refused)
        assert (messages[-1]["code"], close) == ("limit.nonsense", 4429)


def test_nonsense_ends_the_connection(server: RunningServer) -> None:
    """Twenty times in a row is no misunderstanding."""
    with server.client(server.open("Ada"), "Ada") as client:
        for _ in range(40):
            client.socket.send("meow")
        assert ended(client) == ("limit.nonsense", 4429)


def test_frames_have_a_size(server: RunningServer) -> None:
    """8 KiB, or the connection ends."""
    with server.client(server.open("Ada"), "Ada") as client:
        client.receive("Snapshot")
        client.socket.send("x" * 8193)
        with pytest.raises(ConnectionClosed) as closed:
            client.receive()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009


@pytest.mark.parametrize(
    ("limits", "status"),
    [
        (replace(Limits.unlimited(), sockets_per_address=2), 429),
        (replace(Limits.unlimited(), sockets=2), 503),
    ],
)
def test_sockets_are_limited(tmp_path: Path, limits: Limits, status: int) -> None:
    """For an address, and for all; anyone who goes makes room."""
    with running_server(tmp_path, limits=limits) as server:
        table = server.open("Ada")
        with server.socket(table), server.socket(table):
            with pytest.raises(InvalidStatus) as refused, server.socket(table):
                pass
            assert refused.value.response.status_code == status
            assert int(refused.value.response.headers["retry-after"]) >= 1
        eventually(lambda: server.parts.rate_limits.sockets.total == 0)
        with server.client(table, "Ada") as client:
            client.receive("Snapshot")


def test_upgrades_are_limited(tmp_path: Path) -> None:
    """Also those that end at once."""
    limits = replace(Limits.unlimited(), address_sockets=Rate(0.001, 1))
    with running_server(tmp_path, limits=limits) as server:
        table = server.open("Ada")
        with server.socket(table):
            pass
        with pytest.raises(InvalidStatus) as refused, server.socket(table):
            pass
        assert refused.value.response.status_code == 429


def test_lines_of_a_seat_and_spectators_are_limited(tmp_path: Path) -> None:
    """By the hello, since only then it is known who they are."""
    limits = replace(Limits.unlimited(), connections_per_person=1, spectators_per_table=1)
    with running_server(tmp_path, limits=limits) as server:
        table = server.open("Ada")
        with server.client(table, "Ada") as client, server.client(table) as public:
            client.receive("Snapshot")
            public.receive("Snapshot")
            with server.client(table, "Ada") as second:
                assert ended(second) == ("limit.lines", 4429)
            with server.client(table) as second:
                assert ended(second) == ("limit.spectators", 4429)


def test_origins_are_checked(tmp_path: Path) -> None:
    """Before anything else."""
    with running_server(tmp_path, origins=("https://club.example",)) as server:
        table = server.open("Ada")
        with server.socket(table, origin="https://club.example"):
            pass
        for origin in ("https://evil.example", "null"):
            with pytest.raises(InvalidStatus) as refused, server.socket(table, origin=origin):
                pass
            assert refused.value.response.status_code == 403


def test_other_paths_have_no_socket(server: RunningServer) -> None:
    """Nor has a socket parameters: a token in a URL would be in every log."""
    for table in ("x/y", f"x/socket?token={token('Ada')}&to="):
        with pytest.raises(InvalidStatus) as refused, server.socket(table):
            pass
        assert refused.value.response.status_code == 404


# ── Time ─────────────────────────────────────────────────────────────────────────────────────


def test_a_silent_connection_has_a_heartbeat(tmp_path: Path) -> None:
    """With the server's time."""
    limits = replace(Limits.unlimited(), heartbeat_s=0.1)
    with (
        running_server(tmp_path, limits=limits) as server,
        server.client(server.open("Ada"), "Ada") as client,
    ):
        client.receive("Snapshot")
        first, second = client.receive("Beat"), client.receive("Beat")
        assert 0 < second["at"] - first["at"] < 5000


def test_an_idle_connection_ends(tmp_path: Path) -> None:
    """Nobody asked for anything in a long time; pings are no questions."""
    limits = replace(Limits.unlimited(), heartbeat_s=0.1, idle_s=0.3)
    with (
        running_server(tmp_path, limits=limits) as server,
        server.client(server.open("Ada"), "Ada") as client,
    ):
        client.send("Ping")
        assert ended(client) == ("line.idle", 1000)


def test_a_reader_that_does_not_read_is_cut_off(tmp_path: Path) -> None:
    """Nobody else notices; the client can come back with its version.

    It sends a few messages at a time: with too many of them at once it would be cut off for those.
    """
    limits = replace(Limits.unlimited(), write_s=0.5, heartbeat_s=0.4)
    with running_server(tmp_path, limits=limits) as server:
        table = server.game()
        metrics = server.parts.metrics
        dropped, handled = metrics.connections_dropped, metrics.frames_in

        def caught_up(sent: float) -> bool:
            return bool(dropped.value) or handled.value >= sent

        with socket.socket() as slow:
            slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            slow.connect(("127.0.0.1", server.port))
            with (
                suppress(ConnectionClosed, OSError),
                server.socket(table, sock=slow, max_queue=1, close_timeout=0.1) as opened,
            ):
                client = SocketClient(opened)
                client.send("Hello", token=token("Ada"))
                while not dropped.value:
                    sent = handled.value + FEW
                    for _ in range(FEW):
                        client.send("Resync")
                    eventually(partial(caught_up, sent))
            eventually(lambda: not server.parts.monitor.connections)
        assert dropped.value == 1
        with server.client(table, "Ada", server.snapshot(table)["version"]) as again:
            assert again.receive()["type"] == "Beat"


# ── The end ──────────────────────────────────────────────────────────────────────────────────


def test_a_server_that_closes_says_so(tmp_path: Path) -> None:
    """On every connection."""
    with running_server(tmp_path) as server:
        table = server.game()
        with server.client(table, "Ada") as client, server.client(table) as public:
            client.receive("Snapshot")
            server.stop()
            assert ended(client) == ("server.closing", 1001)
            assert ended(public) == ("server.closing", 1001)


def test_a_connection_that_is_lost_during_a_command_is_not_written_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its session waits for the store; meanwhile all others see what happens at the table."""
    usual, begun, go_on = CommandRunner.run, threading.Event(), threading.Event()

    async def slow(self: CommandRunner, *command: Any) -> Done:
        if command[3] == "slow":
            begun.set()
            await asyncio.to_thread(go_on.wait, PATIENT)
        return await usual(self, *command)

    monkeypatch.setattr(CommandRunner, "run", slow)
    loop = uvicorn.Config("", log_config=None).get_loop_factory()  # the one of real servers
    with running_server(tmp_path, loop) as server:
        table = server.open("Ada")
        protocols = server.uvicorn.server_state.connections

        def sockets() -> int:
            return sum(isinstance(one, WebSocketProtocol) for one in list(protocols))

        with socket.create_connection(("127.0.0.1", server.port)) as lost:
            opened = server.socket(table, sock=lost, close_timeout=0.1)
            with suppress(ConnectionClosed, OSError), opened as ada:
                client = SocketClient(ada)
                client.send("Hello", token=token("Ada"))
                client.receive("Snapshot")
                with (
                    server.client(table) as public,
                    server.client(table, "Bob") as bob,
                    ExitStack() as stack,
                ):
                    stack.callback(go_on.set)
                    public.receive("Snapshot")
                    bob.receive("Snapshot")
                    client.do("slow", type="Leave")
                    assert begun.wait(PATIENT)
                    lost.shutdown(socket.SHUT_RDWR)  # without a close frame
                    eventually(lambda: sockets() == 2)
                    bob.do("quick", type="Sit", seat=1, name="Bob")
                    assert bob.receive("Done", "Bye")["type"] == "Done"
                    assert public.receive("Frame", "Bye")["type"] == "Frame"


def test_an_internal_error_ends_the_connection(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a word about what it was."""

    def broken(*_: object) -> None:
        raise RuntimeError("a secret")

    with server.client(server.open("Ada"), "Ada") as client:
        client.receive("Snapshot")
        monkeypatch.setattr(server.parts.rate_limits, "move", broken)
        client.do("m1", type="Leave")
        messages, close = client.rest()
        assert (messages[-1]["code"], close) == ("server.failure", 1011)
        assert "secret" not in str(messages)
    failures = [one for one in server.lines if '"failure"' in one]
    assert failures
    assert "secret" not in str(failures)
    for one in failures:
        server.lines.remove(one)


SERVE = """
import asyncio, sys
from pathlib import Path
from catinthebox.server.ops.config import Config
from catinthebox.server.ops.run import serve
asyncio.run(serve(Config(db=Path(sys.argv[1]), port=0, processes=0, logs="json")))
"""


@pytest.mark.process
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_is_a_good_end(tmp_path: Path, number: signal.Signals) -> None:
    """The process says that it stops, and ends by itself, without an error."""
    program = [sys.executable, "-c", SERVE, str(tmp_path / "games.db")]
    with subprocess.Popen(program, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        first = process.stderr.readline()
        assert first, last_words(process)
        assert json.loads(first)["event"] == "started"
        process.send_signal(number)
        rest = [json.loads(line)["event"] for line in process.stderr]
        assert process.wait(PATIENT) == 0
    assert [event for event in rest if event != "library"] == ["stopping", "stopped"]


# ── Below the protocol ───────────────────────────────────────────────────────────────────────


def raw(server: RunningServer, request: bytes) -> bytes:
    """Send bytes, and give everything that comes back until the server closes."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENT) as plain:
        plain.sendall(request)
        answer = b""
        try:
            while part := plain.recv(65536):
                answer += part
        except ConnectionResetError:
            pass
        return answer


def test_heads_come_in_time_and_are_small(tmp_path: Path) -> None:
    """Anyone who sends a byte a minute, or headers without end, holds nothing for long."""
    limits = replace(Limits.unlimited(), head_s=0.2, head_bytes=4096)
    with running_server(tmp_path, limits=limits) as server:
        assert raw(server, b"").startswith(b"HTTP/1.1 408 ")
        assert raw(server, b"GET / HTTP/1.1\r\nHost: x").startswith(b"HTTP/1.1 408 ")
        assert raw(server, b"GET / HTTP/1.1\r\nX: " + b"y" * 5000).startswith(b"HTTP/1.1 431 ")
        whole = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"y" * 5000 + b"\r\n\r\n"
        assert b"HTTP/1.1 431 " in raw(
            server, whole.replace(b"\r\nX", b"\r\nConnection: close\r\nX")
        )


@pytest.mark.parametrize("more", [b"\r\n", b"\r\n" * 9, b"G"], ids=["a line", "lines", "a letter"])
def test_bytes_after_an_answer_do_not_hold_a_connection(tmp_path: Path, more: bytes) -> None:
    """Not even those that begin no request: uvicorn's own timer ends with the first byte."""
    limits = replace(Limits.unlimited(), head_s=PATIENT, keep_alive_s=1)
    with running_server(tmp_path, limits=limits) as server:
        client = HTTPConnection("127.0.0.1", server.port, timeout=PATIENT)
        client.request("GET", "/healthz")
        answer = client.getresponse()
        assert (answer.status, answer.will_close) == (200, False)
        answer.read()
        http: Any = server.uvicorn.config.http_protocol_class
        http.limits = replace(limits, head_s=0.1)
        with client.sock as plain, suppress(ConnectionError):
            plain.sendall(more)
            while plain.recv(65536):
                pass


@pytest.mark.parametrize("protocol", [b"h2c", b"websockets", b"TLS/1.0"])
def test_requests_after_an_unknown_upgrade_are_answered(
    server: RunningServer, protocol: bytes
) -> None:
    """Also those that come in the same read: the parser stops behind such a request."""
    first = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    upgrade = first + b"Connection: Upgrade\r\nUpgrade: " + protocol + b"\r\n\r\n"
    last = first + b"Connection: close\r\n\r\n"
    assert raw(server, upgrade * 3 + last + b"\r\n\r\n").count(b"HTTP/1.1 200 ") == 4


@pytest.mark.parametrize(
    "headers",
    [b"", b"Sec-WebSocket-Version: 13\r\n", b"Sec-WebSocket-Key: x\r\n" + b"X: y\r\n" * 200],
)
def test_a_bad_upgrade_does_not_stay_open(server: RunningServer, headers: bytes) -> None:
    """Neither one that the library refuses nor one that it gives up on."""
    request = b"GET /api/v1/tables/x/socket HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    request += b"Connection: Upgrade\r\nUpgrade: websocket\r\n" + headers + b"\r\n"
    assert raw(server, request).startswith(b"HTTP/1.1 4")


HANDSHAKE = (
    b"GET /api/v1/tables/x/socket HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\n"
    b"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
MASK = bytes(4)


@pytest.mark.long
@pytest.mark.parametrize(
    "flood",
    [
        b"\x89\x80" + MASK,  # pings
        b"\x89\xfd" + MASK + bytes(125),  # large ones
        b"\x00\x80" + MASK,  # empty pieces of a message that has no end
        b"\x8a\x80" + MASK,  # answers to nothing
    ],
    ids=["pings", "large pings", "pieces", "pongs"],
)
def test_a_flood_below_the_protocol_is_cut_off(tmp_path: Path, flood: bytes) -> None:
    """None of these is a message, so none of them is counted as one."""
    with (
        running_server(tmp_path, limits=Limits(hello_s=300)) as server,
        socket.create_connection(("127.0.0.1", server.port), timeout=PATIENT) as plain,
    ):
        plain.sendall(HANDSHAKE)
        assert plain.recv(12) == b"HTTP/1.1 101"
        plain.sendall(b"\x01\x81" + MASK + b"{")
        with suppress(OSError):  # once it is cut off
            for _ in range(1000):
                plain.sendall(flood * 100)
        eventually(lambda: server.parts.rate_limits.sockets.total == 0)
