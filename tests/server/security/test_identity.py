"""S8 to S15: tokens, and what they allow."""

from __future__ import annotations

import re
import threading
from base64 import urlsafe_b64decode
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from random import SystemRandom
from typing import Any, get_args

import msgspec
import pytest
from live_tables import HOST, TOKENS, seated, started
from server.harness import (
    RunningServer,
    SocketClient,
    ended,
    eventually,
    public_id,
    refused,
    running_server,
    token,
)
from server.malformed import COMMANDS
from server.raw_bytes import HOST as IP
from server.raw_bytes import head, raw, status, upgrade
from server.security.state import unchanged

from catinthebox import CatInTheBoxError
from catinthebox.protocol.commands import ClientCommand
from catinthebox.server.live.live_table import LiveTable
from catinthebox.server.live.outbox import Outbox
from catinthebox.server.ops.limits import Limits, Rate
from catinthebox.table import Kick, Person, Start, Table, decide, token_hash


def test_s08_tokens_have_256_bits(server: RunningServer) -> None:
    """Every bit of those that are drawn is by chance; what is written otherwise is none."""
    assert type(server.parts.hub.chance.rng) is SystemRandom
    drawn = [server.post("/api/v1/token", {}).json()["token"] for _ in range(64)]
    numbers = [int.from_bytes(urlsafe_b64decode(f"{one}=")) for one in drawn]
    assert len(set(numbers)) == len(numbers)
    assert all(re.fullmatch(r"[\w-]{43}", one, re.ASCII) for one in drawn)
    for bit in range(256):  # each is sometimes set and sometimes not
        assert 0 < sum(number >> bit & 1 for number in numbers) < len(numbers)
    good, table = token("Ada"), server.open("Ada")
    written = f"{good[:3]}+{good[4:]}"  # in the other alphabet
    others = [
        good[:-1],
        f"{good}=",
        f"{good}A",
        f"{good[:-1]}B",
        written,
        token_hash(good),
        "ä" * 43,
    ]
    for other in (*others, f"{good[:42]} ", f" {good}", f"{good}\n", f"{good}\x00"):
        with server.socket(table) as opened:
            SocketClient(opened).send("Hello", token=other)
            assert ended(SocketClient(opened)) == ("input.token", 4401), other
    path = f"GET /api/v1/tables/{table} HTTP/1.1"
    for other in (*others, "", f"{good} x", f"x {good}"):
        sent = head(path, IP, "Connection: close", f"Authorization: Bearer {other}")
        assert status(raw(server, sent)) == 401, other
    for scheme in ("Basic", "Digest", "Token", ""):
        sent = head(path, IP, "Connection: close", f"Authorization: {scheme} {good}")
        assert status(raw(server, sent)) == 401, scheme
    twice = [f"Authorization: Bearer {good}"] * 2
    assert status(raw(server, head(path, IP, "Connection: close", *twice))) == 401


def test_s09_tokens_are_stored_hashed(tmp_path: Path) -> None:
    """No file of the store holds a token, in any form; its hash is what acts for a seat."""
    with running_server(tmp_path) as server:
        table = server.game("Ada")
        server.do(table, "Bohr", "m1", type="Sit", name="Bohr")
        with server.client(table, "Ada") as client:
            client.receive("Snapshot")
        kept = repr(server.parts.hub.tables[public_id(table)].table)
        stored = b"".join(entry.event for entry in server.parts.hub.store.read(public_id(table)))
    files = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    secret = token("Ada")
    plain = urlsafe_b64decode(f"{secret}=")
    for form in (secret, secret.lower(), secret.encode().hex()[:64], plain.hex(), plain.hex()[:32]):
        assert form not in kept
        assert form.encode() not in stored + files
    assert plain not in stored + files
    hashed = sha256(secret.encode()).hexdigest()
    assert hashed in kept
    assert hashed.encode() in files


class Secret(str):
    """A hash that must not be compared in the open."""

    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        raise AssertionError("compared in the open")

    __ne__ = __eq__


def guarded(table: Table) -> Table:
    """A table at which every hash is one of those."""
    seats = tuple(
        msgspec.structs.replace(who, token=Secret(who.token)) if isinstance(who, Person) else who
        for who in table.seats
    )
    return msgspec.structs.replace(table, seats=seats, host=Secret(table.host))


def test_s10_tokens_are_compared_in_constant_time() -> None:
    """Who has a seat, who is the host, who may look: none of it uses a plain comparison."""
    table, almost = guarded(seated().table), f"{HOST[:-1]}{'0' if HOST[-1] != '0' else '1'}"
    with pytest.raises(AssertionError, match="in the open"):
        assert Secret("x") == "x"
    assert [table.seat_of(TOKENS[name]) for name in ("Ada", "Bohr", "Curie")] == [0, 1, 2]
    assert [table.seat_of(who) for who in (almost, TOKENS["Stranger"], "")] == [None] * 3
    dealer = seated().dealer
    for command in (Start(), Kick(1)):
        for who in (almost, TOKENS["Bohr"]):
            with pytest.raises(CatInTheBoxError) as caught:
                decide(table, command, who, table.at, dealer)
            assert caught.value.code == "table.host_only"
    assert decide(table, Start(), HOST, table.at, dealer)
    game = started(spectators=False).table
    live = LiveTable(guarded(msgspec.structs.replace(game, host=TOKENS["Stranger"])))
    live.admit(Outbox(TOKENS["Stranger"]))  # a host without a seat
    with pytest.raises(CatInTheBoxError):
        live.admit(Outbox(almost))


def test_s11_tokens_are_not_taken_from_urls(server: RunningServer) -> None:
    """Nor from cookies: there is one header and one message, and nothing else is looked at."""
    table, secret = server.game("Ada"), token("Ada")
    path = f"/api/v1/tables/{table}"
    for name in ("token", "access_token", "authorization", "Bearer"):
        for end in ("", "/events", "/commands", "/why"):
            answer = server.get(f"{path}{end}?{name}={secret}")
            assert answer.status_code in (400, 401, 405), (name, end)
        assert status(raw(server, upgrade(f"{table}/socket?{name}={secret}&x="))) == 404
    asked = {"Cookie": f"token={secret}; Authorization=Bearer {secret}"}
    for public in (
        server.http.get(path, headers=asked),
        server.http.get(f"http://{secret}:{secret}@127.0.0.1:{server.port}{path}", headers={}),
    ):
        assert public.status_code == 401 or public.json()["own"] is None
    assert server.snapshot(table, "Ada")["own"]
    assert not [line for line in server.lines if secret in line]
    assert secret not in server.get("/metrics").text
    assert "set-cookie" not in server.get("/").headers


def test_s12_guessing_is_slowed_down(tmp_path: Path) -> None:
    """Tables and tokens share an allowance, over every way to ask; who is right is not slowed."""
    limits = replace(Limits.unlimited(), address_misses=Rate(0.001, 4))
    assert Limits().address_misses.rate < 1
    with running_server(tmp_path, limits=limits) as server:
        table = server.open("Ada")
        bad = {"Authorization": f"Bearer {token('Ada')[:-1]}B"}
        assert server.get("/api/v1/tables/nowhere").status_code == 404
        assert server.http.get(f"/api/v1/tables/{table}", headers=bad).status_code == 401
        with server.client("elsewhere", "Ada") as client:
            assert ended(client) == ("table.unknown", 4404)
        with server.socket(table) as opened:
            SocketClient(opened).send("Hello", token="swordfish")
            assert ended(SocketClient(opened)) == ("input.token", 4401)
        guesses = [
            server.get("/api/v1/tables/nowhere"),
            server.http.get(f"/api/v1/tables/{table}", headers=bad),
            server.get("/api/v1/tables/nowhere/events"),
            server.get("/api/v1/tables/nowhere/why?action=5b", "Ada"),
            server.get("/api/v1/tables/nowhere/games/1/record.cat"),
            server.do("nowhere", "Ada", "m1", type="Leave"),
        ]
        assert [refused(answer) for answer in guesses] == [(429, "limit.misses")] * len(guesses)
        with server.client("elsewhere", "Ada") as client:
            assert ended(client) == ("limit.misses", 4429)
        assert server.snapshot(table, "Ada")["seat"] == 0


COMMAND: dict[str, dict[str, Any]] = {command["type"]: command for command in COMMANDS}
HOSTS = {"AddBot", "RemoveBot", "Kick", "Readmit", "Host", "Close", "Start"}


@pytest.mark.long
@pytest.mark.parametrize("name", COMMAND)
def test_s13_every_command_is_authorized(server: RunningServer, name: str) -> None:
    """By a spectator, a stranger, another seat: over HTTP and over a WebSocket, again and again."""
    assert set(COMMAND) == {kind.__name__ for kind in get_args(ClientCommand)}
    table = server.open("Ada", players=3, bots=[{"level": "gentle", "seat": 2}])
    server.do(table, "Bohr", "sit", type="Sit", name="Bohr", seat=1)
    if name not in ("Sit", "AddBot", "RemoveBot"):
        server.do(table, "Ada", "go", type="Start")
        eventually(lambda: server.snapshot(table)["turn"]["to_act"] == [0, 1])
    command, strangers = COMMAND[name], ["", "Stranger"]
    denied = {"table.host_only", "table.not_seated", "input.token", "table.not_your_seat"}
    denied |= {"table.name_taken"} if name == "Sit" else set()  # or anybody may sit down
    with unchanged(server):
        for who in [*strangers, *(["Bohr"] if name in HOSTS else [])]:
            for again in range(2):
                answer = server.do(table, who, f"m{again}", **command)
                assert answer.json()["code"] in denied, (who, answer.text)
            with server.client(table, who) as client:
                client.do("m9", **command)
                assert client.receive("Done", "Refused")["code"] in denied
        if name == "Act":  # in the name of somebody else
            mine = server.snapshot(table, "Bohr")["own"]["legal"]
            for action in mine:
                asked = server.do(table, "Bohr", "m1", type="Act", action=action, seat=0)
                assert refused(asked) == (403, "table.not_your_seat")


def test_s14_a_lost_seat_loses_its_view(server: RunningServer) -> None:
    """With the event that takes it, on connections and by request; nothing of it comes later."""
    table = server.open("Ada", bots=[{"level": "gentle", "seat": 2}])
    server.do(table, "Bohr", "sit", type="Sit", name="Bohr", seat=1)
    server.do(table, "Ada", "go", type="Start")
    with server.client(table, "Bohr") as first, server.client(table, "Bohr") as second:
        for client in (first, second):
            assert client.receive("Snapshot")["own"]["hand"]
        assert server.do(table, "Ada", "out", type="Kick", seat=1).status_code == 200
        server.do(table, "Ada", "say", type="Say", text="hello")
        for client in (first, second):
            shown = client.receive("Snapshot")
            assert (shown["seat"], shown["own"]) == (None, None)
            spoken = False
            while not spoken:
                frame = client.receive()
                assert frame["own"] is None
                spoken = any(news["type"] == "Spoken" for news in frame["news"])
        first.do("m1", type="Act", action="-1")
        assert first.receive("Done", "Refused")["code"] == "table.not_seated"
    assert server.snapshot(table, "Bohr")["own"] is None
    with server.client(table, "Bohr", version=1) as client:  # nor by coming back
        assert client.receive()["own"] is None


def test_s15_a_seat_is_taken_once(server: RunningServer) -> None:
    """However many sit down at the same moment."""
    table, people = server.open("Ada"), [f"Guest {number}" for number in range(8)]
    start, answers = threading.Barrier(len(people)), dict[str, int]()

    def sit(who: str) -> None:
        start.wait()
        answers[who] = server.do(table, who, "m1", type="Sit", name=who, seat=1).status_code

    threads = [threading.Thread(target=sit, args=(who,)) for who in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers.values()) == [200, *[409] * (len(people) - 1)]
    (winner,) = [who for who, code in answers.items() if code == 200]
    assert server.snapshot(table)["seats"]["seats"][1]["name"] == winner
    assert [who for who in people if server.snapshot(table, who)["seat"] == 1] == [winner]
    assert server.parts.hub.store.last(public_id(table)) == 3
