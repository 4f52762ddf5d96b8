"""Lines over WebSockets, with a real server and a real client."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from server.harness import QUICK, House, Json, Line, ended, eventually, house

from catinthebox.server.ops.limits import Limits
from catinthebox.store import Busy

pytestmark = pytest.mark.timing


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("socket")) as running:
        yield running


# ── Hello ────────────────────────────────────────────────────────────────────────────────────


def test_hello_is_answered_by_everything(here: House) -> None:
    """Which is different for a seat and for a spectator."""
    table = here.game()
    with here.line(table, "Ada") as mine, here.line(table) as public:
        assert mine.hear() == here.snapshot(table, "Ada")
        assert public.hear() == here.snapshot(table)


def test_hello_with_a_version_is_answered_by_what_was_missed(here: House) -> None:
    """The very bytes that others were told then."""
    table = here.open("Ada")
    with here.line(table, "Ada") as line:
        version = line.hear("Snapshot")["version"]
        for seat in (1, 2):
            here.do(table, "Ada", f"b{seat}", type="AddBot", seat=seat, level="gentle")
        told = [line.hear("Frame"), line.hear("Frame")]
    with here.line(table, "Ada", version) as again:
        assert [again.hear(), again.hear()] == told
    with here.line(table, "Ada", version + 1) as again:
        assert again.hear() == told[1]


def test_whoever_has_missed_nothing_is_told_so(here: House) -> None:
    """By a beat: the line is open."""
    table = here.open("Ada")
    with here.line(table, "Ada", version=2) as line:
        assert line.hear()["type"] == "Beat"


@pytest.mark.parametrize("version", [0, 77])
def test_a_version_that_nobody_knows_is_answered_by_everything(here: House, version: int) -> None:
    """From before the server's memory, or from the future."""
    with here.line(here.open("Ada"), "Ada", version) as line:
        assert line.hear()["type"] == "Snapshot"


def test_whoever_has_changed_seats_is_shown_everything(here: House) -> None:
    """What they missed was told to another audience."""
    table = here.open("Ada")
    with here.line(table, "Bohr") as line:
        version = line.hear("Snapshot")["version"]
    here.do(table, "Bohr", "s", type="Sit", name="Bohr")
    with here.line(table, "Bohr", version) as line:
        seen = line.hear()
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
def test_a_line_begins_with_a_hello(here: House, first: Json, code: str, close: int) -> None:
    """Whatever else comes first is the end of it."""
    with here.socket(here.open("Ada")) as opened:
        opened.send(json.dumps(first))
        assert ended(Line(opened)) == (code, close)


def test_an_unknown_table_ends_the_line(here: House) -> None:
    """After the hello, so that a browser can be told."""
    with here.line("nowhere") as line:
        assert ended(line) == ("table.unknown", 4404)


def test_a_game_without_spectators_ends_the_line(here: House) -> None:
    """At the hello, or when the game begins."""
    table = here.game(spectators=False)
    with here.line(table) as line:
        assert ended(line) == ("table.no_spectators", 4403)
    table = here.open("Ada", settings={"spectators": False}, bots=[{"level": "gentle"}] * 2)
    with here.line(table, "Bohr") as line:
        line.hear("Snapshot")
        here.do(table, "Ada", "go", type="Start")
        assert ended(line) == ("table.no_spectators", 4403)


def test_hello_comes_in_time(tmp_path: Path) -> None:
    """A line that says nothing is closed."""
    limits = replace(Limits.unlimited(), hello_s=0.1)
    with house(tmp_path, limits=limits) as here, here.socket(here.open("Ada")) as opened:
        assert ended(Line(opened)) == ("line.silent", 4408)


# ── Commands ─────────────────────────────────────────────────────────────────────────────────


def test_a_command_is_told_and_then_answered(here: House) -> None:
    """Everybody gets the frame; whoever asked gets the answer after it."""
    table = here.game()
    with here.line(table, "Ada") as line, here.line(table) as other:
        own = line.hear("Snapshot")["own"]
        line.do("m1", type="Act", action=own["legal"][0])
        frame = next(f for f in iter(lambda: line.hear("Frame"), None) if "CardDiscarded" in str(f))
        done = line.hear("Done")
        assert done == {"type": "Done", "id": "m1", "version": frame["version"]}
        assert frame["own"]["discard"] == int(own["legal"][0][1:])
        assert other.hear("Frame")["own"] is None


def test_every_command_has_one_answer(here: House) -> None:
    """Also one that was carried out before, and one that is refused."""
    table = here.open("Ada")
    with here.line(table, "Ada") as line:
        for id, command in (
            ("1", {"type": "Say", "text": "hello"}),
            ("1", {"type": "Say", "text": "hello"}),
            ("2", {"type": "Start"}),
            ("3", {"type": "Kick", "seat": 9}),
            ("4", {"type": "Gone"}),
            ("5", {"type": "Leave"}),
        ):
            line.do(id, **command)
        answers = [line.hear("Done", "Refused") for _ in range(6)]
        assert [answer["id"] for answer in answers] == ["1", "1", "2", "3", "4", "5"]
        assert [answer.get("code") for answer in answers] == [
            *(None, None, "table.empty_seats", "input.value", "input.type", None)
        ]
        assert answers[0] == answers[1]


def test_what_is_not_understood_is_refused_by_name(here: House) -> None:
    """If the name can be read; the line goes on."""
    with here.line(here.open("Ada"), "Ada") as line:
        line.hear("Snapshot")
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
            line.socket.send(text)
            answer = line.hear()
            assert (answer["type"], answer["id"]) == ("Refused", id), text
        line.socket.send(b'{"type":"Ping"}')  # a binary frame
        assert line.hear()["code"] == "input.json"
        line.say("Ping")
        assert line.hear() == {"type": "Pong"}


def test_a_spectator_without_a_token_asks_for_nothing(here: House) -> None:
    """They can look, and be told how to do more."""
    with here.line(here.open("Ada")) as line:
        line.do("m1", type="Sit", name="Bohr")
        answer = line.hear("Refused")
        assert (answer["id"], answer["code"]) == ("m1", "input.token")


def test_whoever_sits_down_becomes_a_seat(here: House) -> None:
    """The line stays, and shows what the seat may know; when it is lost, so is the view."""
    table = here.open("Ada")
    with here.line(table, "Bohr") as line:
        assert line.hear("Snapshot")["seat"] is None
        line.do("s", type="Sit", name="Bohr")
        assert line.hear("Snapshot")["seat"] == 1
        assert line.hear()["type"] == "Done"
        here.do(table, "Ada", "k", type="Kick", seat=1)
        assert line.hear("Snapshot")["seat"] is None


def test_why_and_resync(here: House) -> None:
    """Questions that change nothing."""
    table = here.game()
    with here.line(table, "Ada") as line:
        line.hear("Snapshot")
        line.say("Ask", id="q1", action="=2")
        answer = line.hear("Why")
        assert (answer["id"], answer["action"], bool(answer["code"])) == ("q1", "=2", True)
        line.say("Resync")
        assert line.hear("Snapshot") == here.snapshot(table, "Ada")
    with here.line(table) as public:
        public.say("Ask", id="q1", action="=2")
        refused = public.hear("Refused")
        assert (refused["id"], refused["code"]) == ("q1", "table.not_seated")


def test_what_cannot_be_written_down_is_refused(
    here: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And may be sent again."""
    with here.line(here.open("Ada"), "Ada") as line:

        def busy(*_: object) -> None:
            raise Busy("too much")

        monkeypatch.setattr(here.context.hub.store, "append", busy)
        line.do("m1", type="Say", text="hello")
        answer = line.hear("Done", "Refused")
        assert (answer["code"], answer["retry_ms"]) == ("server.unavailable", 1000)
        monkeypatch.undo()
        for id in ("m1", "m2"):
            line.do(id, type="Say", text="hello")
            assert line.hear("Done", "Refused")["type"] == "Done"
    events = [json.loads(line)["event"] for line in here.lines]
    assert [event for event in events if "store" in event] == ["store_failed", "store_recovered"]


def test_people_are_away_when_their_last_line_ends(tmp_path: Path) -> None:
    """Not before, and not for a moment only."""
    with house(tmp_path, pace=replace(QUICK, gone_ms=100)) as here:
        table = here.open("Ada")

        def present() -> Any:
            return here.snapshot(table)["seats"]["seats"][0]["here"]

        with here.line(table, "Ada") as line:
            line.hear("Snapshot")
            with here.line(table, "Ada") as second:
                second.hear("Snapshot")
            time.sleep(0.3)
            assert present()
        eventually(lambda: not present())
        with here.line(table, "Ada"):
            eventually(present)
