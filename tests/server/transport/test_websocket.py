"""Connections over WebSockets, with a real server and a real client."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from server.harness import (
    QUICK,
    Json,
    RunningServer,
    SocketClient,
    ended,
    eventually,
    running_server,
)

from catinthebox.server.ops.limits import Limits
from catinthebox.store import Busy

pytestmark = pytest.mark.timing


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running_server(tmp_path_factory.mktemp("socket")) as running:
        yield running


# ── Hello ────────────────────────────────────────────────────────────────────────────────────


def test_hello_is_answered_by_everything(server: RunningServer) -> None:
    """Which is different for a seat and for a spectator."""
    table = server.game()
    with server.client(table, "Ada") as mine, server.client(table) as public:
        assert mine.receive() == server.snapshot(table, "Ada")
        assert public.receive() == server.snapshot(table)


def test_hello_with_a_version_is_answered_by_what_was_missed(server: RunningServer) -> None:
    """The very bytes that others were told then."""
    table = server.open("Ada")
    with server.client(table, "Ada") as client:
        version = client.receive("Snapshot")["version"]
        for seat in (1, 2):
            server.do(table, "Ada", f"b{seat}", type="AddBot", seat=seat, level="gentle")
        received = [client.receive("Frame"), client.receive("Frame")]
    with server.client(table, "Ada", version) as again:
        assert [again.receive(), again.receive()] == received
    with server.client(table, "Ada", version + 1) as again:
        assert again.receive() == received[1]


def test_a_client_that_missed_nothing_gets_a_heartbeat(server: RunningServer) -> None:
    """By a beat: the connection is open."""
    table = server.open("Ada")
    with server.client(table, "Ada", version=2) as client:
        assert client.receive()["type"] == "Beat"


@pytest.mark.parametrize("version", [0, 77])
def test_a_version_that_nobody_knows_is_answered_by_everything(
    server: RunningServer, version: int
) -> None:
    """From before the server's memory, or from the future."""
    with server.client(server.open("Ada"), "Ada", version) as client:
        assert client.receive()["type"] == "Snapshot"


def test_a_person_who_changed_seats_gets_a_snapshot(server: RunningServer) -> None:
    """What they missed was told to another audience."""
    table = server.open("Ada")
    with server.client(table, "Bohr") as client:
        version = client.receive("Snapshot")["version"]
    server.do(table, "Bohr", "s", type="Sit", name="Bohr")
    with server.client(table, "Bohr", version) as client:
        seen = client.receive()
    assert (seen["type"], seen["seat"]) == ("Snapshot", 1)


@pytest.mark.parametrize(
    ("first", "code", "close"),
    [
        ({"type": "Ping"}, "input.hello", 4400),
        ({"type": "Hello"}, "input.field", 4400),
        ({"type": "Hello", "token": "", "version": -1}, "input.value", 4400),
        ({"type": "Hello", "token": "", "name": "Ada"}, "input.field", 4400),
        ({"type": "Hello", "token": "swordfish"}, "input.token", 4401),
        ({"type": "Hallo"}, "input.type", 4400),
    ],
)
def test_a_connection_begins_with_a_hello(
    server: RunningServer, first: Json, code: str, close: int
) -> None:
    """Whatever else comes first is the end of it."""
    with server.socket(server.open("Ada")) as opened:
        opened.send(json.dumps(first))
        assert ended(SocketClient(opened)) == (code, close)


def test_an_unknown_table_ends_the_connection(server: RunningServer) -> None:
    """After the hello, so that a browser can be told."""
    with server.client("nowhere") as client:
        assert ended(client) == ("table.unknown", 4404)


def test_a_game_without_spectators_ends_the_connection(server: RunningServer) -> None:
    """At the hello, or when the game begins."""
    table = server.game(spectators=False)
    with server.client(table) as client:
        assert ended(client) == ("table.no_spectators", 4403)
    table = server.open("Ada", settings={"spectators": False}, bots=[{"level": "gentle"}] * 2)
    with server.client(table, "Bohr") as client:
        client.receive("Snapshot")
        server.do(table, "Ada", "go", type="Start")
        assert ended(client) == ("table.no_spectators", 4403)


def test_hello_comes_in_time(tmp_path: Path) -> None:
    """A connection that says nothing is closed."""
    limits = replace(Limits.unlimited(), hello_s=0.1)
    with (
        running_server(tmp_path, limits=limits) as server,
        server.socket(server.open("Ada")) as opened,
    ):
        assert ended(SocketClient(opened)) == ("line.silent", 4408)


# ── Commands ─────────────────────────────────────────────────────────────────────────────────


def test_a_command_is_broadcast_and_then_answered(server: RunningServer) -> None:
    """Everybody gets the frame; anyone who asked gets the answer after it."""
    table = server.game()
    with server.client(table, "Ada") as client, server.client(table) as other:
        own = client.receive("Snapshot")["own"]
        client.do("m1", type="Act", action=own["legal"][0])
        frame = next(
            f for f in iter(lambda: client.receive("Frame"), None) if "CardDiscarded" in str(f)
        )
        done = client.receive("Done")
        assert done == {"type": "Done", "id": "m1", "version": frame["version"]}
        assert frame["own"]["discard"] == int(own["legal"][0][1:])
        assert other.receive("Frame")["own"] is None


def test_every_command_has_one_answer(server: RunningServer) -> None:
    """Also one that was carried out before, and one that is refused."""
    table = server.open("Ada")
    with server.client(table, "Ada") as client:
        for id, command in (
            ("1", {"type": "Say", "text": "hello"}),
            ("1", {"type": "Say", "text": "hello"}),
            ("2", {"type": "Start"}),
            ("3", {"type": "Kick", "seat": 9}),
            ("4", {"type": "Gone"}),
            ("5", {"type": "Leave"}),
        ):
            client.do(id, **command)
        answers = [client.receive("Done", "Refused") for _ in range(6)]
        assert [answer["id"] for answer in answers] == ["1", "1", "2", "3", "4", "5"]
        assert [answer.get("code") for answer in answers] == [
            *(None, None, "table.empty_seats", "input.value", "input.type", None)
        ]
        assert answers[0] == answers[1]


def test_what_is_not_understood_is_refused_by_name(server: RunningServer) -> None:
    """If the name can be read; the connection goes on."""
    with server.client(server.open("Ada"), "Ada") as client:
        client.receive("Snapshot")
        for text, id in (
            ('{"type":"Do","id":"m1","command":{"type":"Fly"}}', "m1"),
            ('{"type":"Do","id":"m2"}', "m2"),
            ('{"type":"Do","id":"a b","command":{"type":"Leave"}}', ""),
            ('{"type":"Do","id":"m3","id":"m3","command":{"type":"Leave"}}', "m3"),
            ('{"type":"Fly","id":"m4"}', "m4"),
            ('{"type":"Hello","token":""}', ""),
            ("meow", ""),
            ("", ""),
            ("[" * 5000, ""),
        ):
            client.socket.send(text)
            answer = client.receive()
            assert (answer["type"], answer["id"]) == ("Refused", id), text
        client.socket.send(b'{"type":"Ping"}')  # a binary frame
        assert client.receive()["code"] == "input.json"
        client.send("Ping")
        assert client.receive() == {"type": "Pong"}


def test_a_spectator_without_a_token_asks_for_nothing(server: RunningServer) -> None:
    """They can look, and be told how to do more."""
    with server.client(server.open("Ada")) as client:
        client.do("m1", type="Sit", name="Bohr")
        answer = client.receive("Refused")
        assert (answer["id"], answer["code"]) == ("m1", "input.token")


def test_a_person_who_sits_down_becomes_a_seat(server: RunningServer) -> None:
    """The connection stays, and shows what the seat may know; when it is lost, so is the view."""
    table = server.open("Ada")
    with server.client(table, "Bohr") as client:
        assert client.receive("Snapshot")["seat"] is None
        client.do("s", type="Sit", name="Bohr")
        assert client.receive("Snapshot")["seat"] == 1
        assert client.receive()["type"] == "Done"
        server.do(table, "Ada", "k", type="Kick", seat=1)
        assert client.receive("Snapshot")["seat"] is None


def test_why_and_resync(server: RunningServer) -> None:
    """Questions that change nothing."""
    table = server.game()
    with server.client(table, "Ada") as client:
        client.receive("Snapshot")
        client.send("Ask", id="q1", action="=2")
        answer = client.receive("Why")
        assert (answer["id"], answer["action"], bool(answer["code"])) == ("q1", "=2", True)
        client.send("Resync")
        assert client.receive("Snapshot") == server.snapshot(table, "Ada")
    with server.client(table) as public:
        public.send("Ask", id="q1", action="=2")
        refused = public.receive("Refused")
        assert (refused["id"], refused["code"]) == ("q1", "table.not_seated")


def test_what_cannot_be_written_down_is_refused(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And may be sent again."""
    with server.client(server.open("Ada"), "Ada") as client:

        def busy(*_: object) -> None:
            raise Busy("too much")

        monkeypatch.setattr(server.parts.hub.store, "append", busy)
        client.do("m1", type="Say", text="hello")
        answer = client.receive("Done", "Refused")
        assert (answer["code"], answer["retry_ms"]) == ("server.unavailable", 1000)
        monkeypatch.undo()
        for id in ("m1", "m2"):
            client.do(id, type="Say", text="hello")
            assert client.receive("Done", "Refused")["type"] == "Done"
    events = [json.loads(line)["event"] for line in server.lines]
    assert [event for event in events if "store" in event] == ["store_failed", "store_recovered"]


def test_people_are_away_when_their_last_connection_ends(tmp_path: Path) -> None:
    """Not before, and not for a moment only."""
    with running_server(tmp_path, pace=replace(QUICK, gone_ms=100)) as server:
        table = server.open("Ada")

        def present() -> Any:
            return server.snapshot(table)["seats"]["seats"][0]["here"]

        with server.client(table, "Ada") as client:
            client.receive("Snapshot")
            with server.client(table, "Ada") as second:
                second.receive("Snapshot")
            time.sleep(0.3)
            assert present()
        eventually(lambda: not present())
        with server.client(table, "Ada"):
            eventually(present)
