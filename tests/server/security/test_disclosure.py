"""S16 to S23: what is told, and what is not."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from live_tables import Scripted
from sample_rounds import THREE
from server.harness import (
    PATIENT,
    RunningServer,
    SocketClient,
    bearer,
    eventually,
    public_id,
    refused,
    running_server,
    token,
)
from server.http.test_routes_records import finish
from server.malformed import STILL
from server.raw_bytes import HOST, head, headers, raw, status, upgrade

from catinthebox.server.http.documents import ROUTES
from catinthebox.server.live.deal_secret import GAME
from catinthebox.server.ops.logs import EVENTS
from catinthebox.table import DealtHands

PEOPLE = ("Ada", "Bohr", "Curie")
API = "/api/v1/tables"


# ── Two worlds ───────────────────────────────────────────────────────────────────────────────


class World:
    """A server at which three people play with cards that a test has chosen."""

    def __init__(self, server: RunningServer, hands: tuple[str, ...], audience: str) -> None:
        self.server = server
        self.audience = audience
        server.parts.hub.dealer = Scripted(DealtHands(hands))
        self.table = server.open("Ada")
        for name in PEOPLE[1:]:
            server.do(self.table, name, "sit", type="Sit", name=name)
        self.received: list[str] = []

    def legal(self, who: str) -> set[str]:
        """What somebody may do now."""
        own = self.server.snapshot(self.table, who)["own"]
        return set(own["legal"] if own else ())

    def record(self, client: SocketClient, answer: str) -> None:
        """Keep everything that the audience is told, by its connection and upon request."""
        self.received.append(answer)
        asked = bearer(self.audience) if self.audience else {}
        paths = ("", "/why?action=5b", "/games/1/record.cat")
        answers = [
            self.server.http.get(f"{API}/{self.table}{path}", headers=asked) for path in paths
        ]
        self.received += [f"{answer.status_code} {answer.text}" for answer in answers]
        client.send("Ping")
        while '"Pong"' not in (got := str(client.socket.recv(timeout=PATIENT))):
            self.received.append(got)

    @property
    def bytes(self) -> list[str]:
        """What the audience got, without times and the name of the table."""
        found = [text.replace(public_id(self.table), "TABLE") for text in self.received]
        return [re.sub(r"\b1[0-9]{12}\b", "TIME", text) for text in found]


def told_apart(folder: Path, audience: str, deals: tuple[tuple[str, ...], ...]) -> int:
    """Live through the same in two worlds, insist on the same bytes, and count the moves."""
    with ExitStack() as stack:
        servers = [
            stack.enter_context(running_server(folder / str(n), pace=STILL)) for n in range(2)
        ]
        worlds = [
            World(server, deal, audience) for server, deal in zip(servers, deals, strict=True)
        ]
        clients = [
            stack.enter_context(world.server.client(world.table, audience)) for world in worlds
        ]
        for world in worlds:
            world.server.do(world.table, "Ada", "go", type="Start")
        for number, (who, action) in enumerate(moves(worlds)):
            for world, client in zip(worlds, clients, strict=True):
                act = {"type": "Act", "action": action}
                done = world.server.do(world.table, who, f"m{number}", **act)
                assert done.status_code == 200
                world.record(client, done.text if who == audience else "")
            assert worlds[0].bytes == worlds[1].bytes
        return number + 1


def moves(worlds: list[World]) -> Iterator[tuple[str, str]]:
    """Discards, bids and a few tricks, as they are legal in both worlds.

    Towards the end of a round everybody sees who is left without a legal card.
    """
    for _ in range(15):
        seats = worlds[0].server.snapshot(worlds[0].table)["turn"]["to_act"]
        common = [
            (PEOPLE[seat], action)
            for seat in seats
            for action in sorted(set.intersection(*(one.legal(PEOPLE[seat]) for one in worlds)))
        ]
        if not common:
            return
        yield common[0]


def test_s16_seats_get_their_own_view_only(tmp_path: Path) -> None:
    """Two others have changed their cards: not a byte of what a seat is told is different."""
    other = (THREE[0], THREE[2], THREE[1])
    assert told_apart(tmp_path, "Ada", (THREE, other)) == 15


@pytest.mark.long
def test_s17_spectators_get_the_public_view_only(tmp_path: Path) -> None:
    """All have changed their cards; nor do strangers with a token see more, or watch in secret."""
    other = (THREE[2], THREE[0], THREE[1])
    assert told_apart(tmp_path / "worlds", "", (THREE, other)) == 15
    with running_server(tmp_path, pace=STILL) as server:
        table = server.game("Ada")
        assert server.snapshot(table, "Stranger") == server.snapshot(table)
        alone = server.game("Ada", spectators=False)
        for who in ("", "Stranger"):
            assert refused(server.get(f"{API}/{alone}", who)) == (403, "table.no_spectators")
            assert server.get(f"{API}/{alone}/events", who).status_code == 403
            with server.client(alone, who) as client:
                assert [one["type"] for one in client.rest()[0]] == ["Bye"]


# ── Links and records ────────────────────────────────────────────────────────────────────────


def test_s18_private_tables_are_not_listed(server: RunningServer) -> None:
    """Their keys cannot be guessed, and nothing tells one that is hidden from none at all."""
    server.parts.lobby.latest.fresh_s = 0
    hidden = [server.open("Ada") for _ in range(40)]
    listed = server.open("Ada", settings={"visibility": "open"})
    seen = server.get(API).text
    assert listed in seen
    assert not [table for table in hidden if table in seen or public_id(table) in seen]
    codes = [table.rpartition("-")[2] for table in hidden]
    assert len({letter for code in codes for letter in code}) == 32
    assert {len(code) for code in codes} == {26}  # 5 bits each: more than 128
    for place in range(26):
        assert len({code[place] for code in codes}) > 10
    names = (GAME, "nowhere", "-", "x" * 64, public_id(hidden[0]), hidden[0][:-1])
    paths = ("", "/events", "/links", "/games/1/record.cat", "/games/1/record.json")
    for path in paths:
        answers = [server.get(f"{API}/{id}{path}") for id in names]
        assert {refused(answer) for answer in answers} == {(404, "table.unknown")}
        assert len({answer.text for answer in answers}) == 1


def test_s19_records_only_after_the_game(server: RunningServer) -> None:
    """Not for a seat, not for the host; the secret of the deals comes with it, and not before."""
    table = server.game("Ada")
    secret = server.parts.hub.dealer.reveal(public_id(table), 1)
    for who in ("Ada", "Stranger", ""):
        for ending in ("cat", "json"):
            early = server.get(f"{API}/{table}/games/1/record.{ending}", who)
            assert refused(early) == (409, "table.not_over")
        assert secret not in server.get(f"{API}/{table}", who).text
    finish(server, table)
    assert secret in server.get(f"{API}/{table}/games/1/record.cat").text
    following = server.parts.hub.dealer.reveal(public_id(table), 2)
    assert following not in server.get(f"{API}/{table}/games/1/record.cat").text
    assert server.get(f"{API}/{table}/games/2/record.cat").status_code == 409


def test_s20_the_key_of_the_deals_cannot_be_read(server: RunningServer) -> None:
    """Its log is no table, whatever path is tried, and it is in nothing that is answered."""
    (entry,) = server.parts.hub.store.read(GAME)
    key = entry.event
    table = server.game("Ada")
    finish(server, table)
    forms = {key.hex(), key.hex().upper(), repr(key)[2:-1]}
    names = [GAME, "%5Fkeys", "%255Fkeys", f"./{GAME}", f"x/../{GAME}", f"{GAME}%00", f"{GAME}?"]
    for name in names:
        for route in (route for route in ROUTES if "{key}" in route.path):
            path = route.path.replace("{key}", name).replace("{number}", "1")
            answer = server.get(path, "Ada")
            assert answer.status_code in (400, 404, 405, 426), path
    with server.client(GAME, "Ada") as client:
        assert client.receive() == {"type": "Bye", **unknown(server)}
    for path in ("", "/games/1/record.cat", "/games/1/record.json"):
        text = server.get(f"{API}/{table}{path}", "Ada").text
        assert not [form for form in forms if form in text]
    assert not [line for line in server.lines if any(form in line for form in forms)]
    assert repr(server.parts.hub.dealer).find(key.hex()) < 0


def unknown(server: RunningServer) -> dict[str, str]:
    """What is said about a table that does not exist."""
    body = server.get(f"{API}/nowhere").json()
    return {"code": body["code"], "message": body["message"]}


# ── Errors, logs, numbers ────────────────────────────────────────────────────────────────────

INSIDE = re.compile(
    r"Traceback|File \"|\.py\b|line \d|site-packages|/home|/root|/tmp|/usr|python|uvicorn|"
    r"starlette|msgspec|sqlite|websockets?/\d|\d+\.\d+\.\d+",
    re.I,
)


def test_s21_errors_reveal_nothing(server: RunningServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever goes wrong, and where: no traces, no paths, no names and versions of programs."""
    get = head("GET / HTTP/1.1", HOST, "Connection: close")
    answers = [
        raw(server, request)
        for request in (
            *(
                get.replace(b"GET", b"BREW"),
                get.replace(b"/ ", b"/x "),
                get.replace(b"1.1", b"9.9"),
            ),
            *(b"\x16\x03\x01", b"GET /\xff HTTP/1.1\r\n\r\n", upgrade("x", "Origin: null")),
            *(upgrade("x").replace(b"Version: 13", b"Version: 1"), upgrade("x/y")),
            head("GET /api/v1/tables/x?x HTTP/1.1", HOST, "Connection: close"),
            head("POST /api/v1/tables HTTP/1.1", HOST, "Connection: close"),
            head("GET / HTTP/1.1", "Host: evil.example"),
        )
    ]

    async def broken() -> None:
        raise RuntimeError("/tmp/secret.py, line 7")

    monkeypatch.setattr(server.parts.lobby, "tables", broken)
    answers.append(raw(server, get.replace(b"/ ", b"/api/v1/tables ")))
    for answer in answers:
        assert status(answer) >= 400, answer
        assert "server" not in headers(answer)
        assert "x-powered-by" not in headers(answer)
        said = answer.replace(b"HTTP/1.1", b"", 1).decode()
        assert not INSIDE.search(said.replace("127.0.0.1", "")), answer
    assert status(answers[-1]) == 500
    failures = [line for line in server.lines if '"failure"' in line]
    assert failures
    assert "secret" not in str(failures)
    for line in failures:
        server.lines.remove(line)


FORGED = 'x\n{"level":"error","event":"failure"}\r\n\x1b[31m'


def test_s22_logs_hold_no_secrets(tmp_path: Path) -> None:
    """After everything that people can send: no token, name, text, link, card, address, path."""
    with running_server(tmp_path, free_chat=True) as server:
        table = server.game("Zaphod Beeblebrox", chat="free")
        who = "Zaphod Beeblebrox"
        text = "My hovercraft is full of eels"
        server.do(table, who, "m1", type="Say", text=text, preset=False)
        server.do(table, who, "m2", type="Say", text=FORGED, preset=False)
        server.do(table, who, "m3", type="Sit", name=FORGED)
        finished = server.snapshot(table, who)
        for path in (f"/t/{table}?canary-path", "/%0acanary-path", f"{API}/canary-path"):
            server.http.get(path, headers={"User-Agent": "canary-agent", **bearer(who)})
        raw(server, b"canary-bytes\r\n\r\n", b"\n")
        with server.client(table, who) as client:
            client.socket.send("canary-message")
            client.do("canary-id", type="Act", action="9b")
            client.receive("Refused")
        with server.socket(table) as opened:
            SocketClient(opened).send("Hello", token="canary-token")
            SocketClient(opened).rest()
        eventually(lambda: any("line_closed" in line for line in server.lines))
    log = "".join(server.lines)
    hidden = [who, "Zaphod", token(who), text, "hovercraft", table, "canary", "127.0.0.1", FORGED]
    assert not [secret for secret in hidden if secret in log]
    assert str(tmp_path) not in log
    assert finished["own"]["hand"]
    for written in server.lines:
        assert written.count("\n") == 1
        assert written.isascii()
        found: dict[str, Any] = json.loads(written)
        assert found["event"] in EVENTS
        assert not {"hand", "card", "token", "name", "text", "path"} & set(found)


def test_s23_metrics_hold_no_secrets_and_stay_at_home(tmp_path: Path) -> None:
    """No label that a visitor chose; and no proxy that the server does not know gets them."""
    with running_server(tmp_path / "here") as server:
        table = server.game("Zaphod")
        before = set(re.findall(r"\{.*?\}", server.get("/metrics").text))
        for path in (f"/{table}", f"{API}/{table}/x", f"{API}/{table}?x=1", "/canary", "/t/canary"):
            server.get(path, "Zaphod")
        server.http.request("CANARY", "/")
        text = server.get("/metrics").text
        assert set(re.findall(r"\{.*?\}", text)) == before
        assert not [word for word in (table, "Zaphod", token("Zaphod"), "anary") if word in text]
        for name in ("X-Forwarded-For", "X-Real-IP", "Forwarded", "Via"):
            assert server.http.get("/metrics", headers={name: "127.0.0.1"}).status_code == 403
    with running_server(tmp_path / "proxies", proxies=("198.51.100.1",)) as server:
        assert server.get("/metrics").status_code == 200
        for name in ("X-Forwarded-For", "X-Real-IP", "Forwarded", "Via"):  # of another proxy
            assert server.http.get("/metrics", headers={name: "127.0.0.1"}).status_code == 403
    with running_server(tmp_path / "known", proxies=("127.0.0.1",)) as server:
        for claim, code in (("203.0.113.9", 403), ("127.0.0.2, 203.0.113.9", 403)):
            sent = {"X-Forwarded-For": claim}
            assert server.http.get("/metrics", headers=sent).status_code == code
        assert server.http.get("/metrics", headers={"Via": "1.1 x"}).status_code == 403
