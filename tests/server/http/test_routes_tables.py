"""The HTTP part of the protocol, asked of a real server."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from server.harness import RunningServer, public_id, refused, running_server, token

from catinthebox.server.ops.limits import Limits, Rate
from catinthebox.store import About, Busy
from catinthebox.table import token_hash


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running_server(tmp_path_factory.mktemp("http")) as running:
        yield running


# ── Tokens ───────────────────────────────────────────────────────────────────────────────────


def test_a_token_is_256_bits_that_nobody_else_gets(server: RunningServer) -> None:
    """43 characters of base64url, new each time."""
    drawn = [server.post("/api/v1/token", {}) for _ in range(3)]
    tokens = {answer.json()["token"] for answer in drawn}
    assert [answer.status_code for answer in drawn] == [201] * 3
    assert len(tokens) == 3
    assert {len(one) for one in tokens} == {43}


def test_a_request_for_a_token_says_nothing_else(server: RunningServer) -> None:
    """A body would mean that somebody expects something that does not exist."""
    assert refused(server.post("/api/v1/token", {"name": "Ada"})) == (400, "input.field")


@pytest.mark.parametrize(
    "header",
    ["", "Bearer", "Basic abc", "Bearer swordfish", f"Bearer {token('x')[:-1]}B"],
)
def test_what_is_no_token_is_refused(server: RunningServer, header: str) -> None:
    """Also 43 characters with bits to spare: there is one way to write a token."""
    answer = server.http.get("/api/v1/tables/nowhere", headers={"Authorization": header})
    assert refused(answer) == (401, "input.token")
    assert answer.headers["www-authenticate"] == "Bearer"


def test_a_table_knows_the_hash_of_a_token(server: RunningServer) -> None:
    """And nothing else of it."""
    table = server.open("Ada")
    assert server.parts.hub.tables[public_id(table)].table.host == token_hash(token("Ada"))


# ── Opening tables ───────────────────────────────────────────────────────────────────────────


def test_a_table_is_opened_with_nothing_but_settings(server: RunningServer) -> None:
    """The host need not sit."""
    answer = server.post("/api/v1/tables", {"settings": {"players": 3}}, "Ada")
    assert (answer.status_code, answer.json()["seat"]) == (201, None)
    assert (
        answer.json()["commitment"] == server.snapshot(answer.json()["table"])["room"]["commitment"]
    )


def test_a_quick_game_is_one_request(server: RunningServer) -> None:
    """Sit, bring bots, begin: the cards are dealt when the answer comes."""
    bots = [{"level": "gentle", "seat": 0}, {"level": "gentle"}]
    body = {
        "settings": {"players": 3},
        "name": "Ada",
        "bots": bots,
        "start": True,
        "nonce": "ab" * 32,
    }
    answer = server.post("/api/v1/tables", body, "Ada")
    seen = server.snapshot(answer.json()["table"], "Ada")
    assert answer.json()["seat"] == seen["seat"] == 1
    assert [seat["kind"] for seat in seen["seats"]["seats"]] == ["bot", "person", "bot"]
    assert seen["room"]["stage"] == "play"
    assert seen["game"]["nonces"] == ["", "ab" * 32, ""]


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        ({"settings": {"players": 9}}, 400, "input.value"),
        ({"settings": {"players": 3, "cheat": True}}, 400, "input.field"),
        ({"settings": {"players": 5, "face": "white"}}, 400, "setup.face"),
        ({"settings": {"players": 3, "face": "face x\n" + "." * 5000}}, 400, "input.settings"),
        ({"settings": {"players": 3, "chat": "free"}}, 400, "input.settings"),
        ({"settings": {"players": 3, "cover": "external:cmd=ls"}}, 400, "input.level"),
        ({"bots": [{"level": "search:rollouts=99999"}]}, 400, "input.level"),
        ({"bots": [{"level": "gentle", "seat": 1}] * 2}, 400, "input.seat"),
        ({"bots": [{"level": "gentle"}] * 3}, 400, "input.seat"),
        ({"bots": [{"level": "gentle"}] * 6}, 400, "input.value"),
        ({"name": None, "seat": 1}, 400, "input.field"),
        ({"name": "a|b"}, 400, "input.name"),
        ({"seat": 4}, 400, "input.seat"),
        ({"nonce": "xyz"}, 400, "input.nonce"),
        ({"start": True}, 409, "table.empty_seats"),
    ],
)
def test_all_or_nothing(
    server: RunningServer, change: dict[str, Any], status: int, code: str
) -> None:
    """Whatever is wrong, no table is opened."""
    before = set(server.parts.hub.tables)
    body = {"settings": {"players": 3, "visibility": "open"}, "name": "Ada", **change}
    assert refused(server.post("/api/v1/tables", body, "Ada")) == (status, code)
    assert set(server.parts.hub.tables) == before


def test_opening_needs_a_token(server: RunningServer) -> None:
    """Somebody must be the host."""
    answer = server.post("/api/v1/tables", {"settings": {"players": 3}})
    assert refused(answer) == (401, "input.token")


def test_open_tables_are_listed_and_others_are_not(tmp_path: Path) -> None:
    """A lobby shows what its hosts want to be seen; it may be a second old."""
    with running_server(tmp_path) as server:
        server.parts.lobby.latest.fresh_s = 0
        hidden = server.open("Ada")
        seen = server.open("Bohr", settings={"visibility": "open"})
        listed = server.get("/api/v1/tables").json()["tables"]
        assert [(one["table"], one["seats"]) for one in listed] == [(seen, ["Bohr", "", ""])]
        assert hidden not in server.get("/api/v1/tables").text


def test_an_entry_that_cannot_be_read_hides_no_other(tmp_path: Path) -> None:
    """A lobby lists what it can."""
    with running_server(tmp_path) as server:
        seen = server.open("Bohr", settings={"visibility": "open"})
        for number, summary in enumerate(("", "{}", "[1")):
            about = About("open", summary)
            server.parts.hub.store.append(f"broken{number}", 0, [b"x"], about).result()
        assert [one["table"] for one in server.get("/api/v1/tables").json()["tables"]] == [seen]


# ── At a table ───────────────────────────────────────────────────────────────────────────────


def test_a_snapshot_is_for_the_seat_that_asks(server: RunningServer) -> None:
    """A seat sees its own cards, a spectator none."""
    table = server.game()
    mine, public = server.snapshot(table, "Ada"), server.snapshot(table)
    assert (mine["seat"], bool(mine["own"]["hand"])) == (0, True)
    assert (public["seat"], public["own"]) == (None, None)
    assert server.snapshot(table, "Stranger") == public


def test_a_game_without_spectators_shows_nothing(server: RunningServer) -> None:
    """Before and after the game anybody may look."""
    table = server.game(spectators=False)
    assert refused(server.get(f"/api/v1/tables/{table}")) == (403, "table.no_spectators")
    assert server.snapshot(table, "Ada")["seat"] == 0


def test_commands_are_done_once(server: RunningServer) -> None:
    """The same id again is the same answer."""
    table = server.open("Ada")
    done = [server.do(table, "Bohr", "m1", type="Sit", name="Bohr").json() for _ in range(2)]
    assert done[0] == done[1] == {"type": "Done", "id": "m1", "version": 3}
    assert server.snapshot(table)["version"] == 3


@pytest.mark.parametrize(
    ("who", "command", "status", "code"),
    [
        ("Bohr", {"type": "Start"}, 403, "table.host_only"),
        ("Bohr", {"type": "Leave"}, 403, "table.not_seated"),
        ("Ada", {"type": "Start"}, 409, "table.empty_seats"),
        ("Ada", {"type": "Act", "action": "5b"}, 409, "table.not_begun"),
        ("Ada", {"type": "Act", "action": "5x"}, 400, "input.action"),
        ("Ada", {"type": "Gone"}, 400, "input.type"),
        ("Ada", {"type": "Say", "text": "hi", "preset": False}, 409, "table.chat"),
        ("Ada", {"type": "AddBot", "seat": 1, "level": "external"}, 400, "input.level"),
        ("Ada", {"type": "AddBot", "seat": 4, "level": "gentle"}, 400, "input.seat"),
        ("Ada", {"type": "Pause", "why": "tea"}, 400, "input.field"),
        ("", {"type": "Pause"}, 401, "input.token"),
    ],
)
def test_refusals(
    server: RunningServer, who: str, command: dict[str, Any], status: int, code: str
) -> None:
    """Each kind of mistake has its status; nothing changes."""
    table = server.open("Ada")
    assert refused(server.do(table, who, "m1", **command)) == (status, code)
    assert server.snapshot(table)["version"] == 2


def test_a_refusal_names_the_command(server: RunningServer) -> None:
    """If it could be read at all."""
    table = server.open("Ada")
    assert server.do(table, "Ada", "m7", type="Start").json()["id"] == "m7"


@pytest.mark.parametrize("id", ["", "a b", "x" * 65, 7])
def test_ids_have_a_form(server: RunningServer, id: object) -> None:
    """1 to 64 plain characters."""
    body = {"id": id, "command": {"type": "Pause"}}
    answer = server.post(f"/api/v1/tables/{server.open()}/commands", body, "Ada")
    assert answer.status_code == 400


def test_free_chat_is_for_servers_that_want_it(tmp_path: Path) -> None:
    """And for tables that want it, too."""
    with running_server(tmp_path, free_chat=True) as server:
        table = server.open("Ada", settings={"chat": "free"})
        assert (
            server.do(table, "Ada", "m1", type="Say", text="meow", preset=False).status_code == 200
        )
        assert server.snapshot(table)["chat"][0]["text"] == "meow"


def test_why_explains(server: RunningServer) -> None:
    """What a seat may not do, and by which clause."""
    table = server.game()
    answer = server.get(f"/api/v1/tables/{table}/why?action==2", "Ada").json()
    assert (answer["type"], answer["id"], answer["action"]) == ("Why", "", "=2")
    assert answer["code"]
    legal = server.snapshot(table, "Ada")["own"]["legal"][0]
    assert server.get(f"/api/v1/tables/{table}/why?action={legal}", "Ada").json()["code"] == ""


@pytest.mark.parametrize(
    ("query", "who", "status", "code"),
    [
        ("?action=5b", "", 401, "input.token"),
        ("?action=5b", "Bohr", 403, "table.not_seated"),
        ("?action=5x", "Ada", 400, "input.action"),
        ("", "Ada", 400, "input.query"),
        ("?action=5b&action=5r", "Ada", 400, "input.query"),
        ("?action=5b&loud=1", "Ada", 400, "input.query"),
    ],
)
def test_why_needs_a_question(
    server: RunningServer, query: str, who: str, status: int, code: str
) -> None:
    """And somebody who has cards."""
    answer = server.get(f"/api/v1/tables/{server.game()}/why{query}", who)
    assert refused(answer) == (status, code)


@pytest.mark.parametrize("id", ["nope", "_keys", "..", "%2e%2e", "a" * 65, "ä"])
def test_unknown_tables(server: RunningServer, id: str) -> None:
    """Whatever a name looks like, it is unknown, and nothing else is said about it."""
    answer = server.get(f"/api/v1/tables/{id}/why?action=5b", "Ada")
    assert answer.status_code == 404


# ── Manners of HTTP ──────────────────────────────────────────────────────────────────────────


def test_methods(server: RunningServer) -> None:
    """GET answers HEAD; OPTIONS tells; others are refused, and told what would be right."""
    everything = "GET, HEAD, OPTIONS, POST"
    head, options = server.http.head("/api/v1/levels"), server.http.options("/api/v1/tables")
    assert (head.status_code, head.content) == (200, b"")
    assert (options.status_code, options.headers["allow"]) == (204, everything)
    for method in ("PUT", "DELETE", "PATCH", "TRACE"):
        answer = server.http.request(method, "/api/v1/tables")
        assert refused(answer) == (405, "http.method")
        assert answer.headers["allow"] == everything
    assert server.http.get("/api/v1/token").status_code == 405


def test_paths(server: RunningServer) -> None:
    """What does not exist is not guessed."""
    for path in ("/api/v1", "/api/v1/tables/", "/api/v2/tables", "/nothing", "/t/a/b"):
        assert refused(server.get(path)) == (404, "http.unknown")


def test_no_cors(server: RunningServer) -> None:
    """Pages of others can neither ask nor read."""
    headers = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
    answer = server.http.options("/api/v1/tables", headers=headers)
    assert not [name for name in answer.headers if name.startswith("access-control")]
    posted = server.http.post("/api/v1/token", json={}, headers=headers)
    assert refused(posted) == (403, "http.origin")


def test_a_socket_is_no_page(server: RunningServer) -> None:
    """Anyone who asks for it without an upgrade is told what it is."""
    answer = server.get("/api/v1/tables/x/socket")
    assert refused(answer) == (426, "http.upgrade")
    assert answer.headers["upgrade"] == "websocket"


def test_unknown_parameters_are_refused(server: RunningServer) -> None:
    """A parameter that nobody reads is a misunderstanding, or a token in the wrong place."""
    assert refused(server.get("/api/v1/levels?x=1")) == (400, "input.query")


def test_a_mistake_of_ours_is_a_500_without_details(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it was is in the log, by type and place."""

    async def broken() -> None:
        raise RuntimeError("a secret")

    monkeypatch.setattr(server.parts.lobby, "tables", broken)
    answer = server.get("/api/v1/tables")
    assert refused(answer) == (500, "server.failure")
    assert "secret" not in answer.text
    line = next(line for line in server.lines if '"failure"' in line)
    assert "RuntimeError" in line
    assert "secret" not in line
    server.lines.remove(line)


def test_what_cannot_be_written_down_may_be_sent_again(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """503, and when to try."""
    table = server.open("Ada")

    def busy(*_: object) -> None:
        raise Busy("too much")

    monkeypatch.setattr(server.parts.hub.store, "append", busy)
    answer = server.do(table, "Ada", "m1", type="AddBot", seat=1, level="gentle")
    assert refused(answer) == (503, "server.unavailable")
    assert (answer.headers["retry-after"], answer.json()["id"]) == ("1", "m1")
    monkeypatch.undo()
    assert server.do(table, "Ada", "m1", type="AddBot", seat=1, level="gentle").status_code == 200


# ── Limits ───────────────────────────────────────────────────────────────────────────────────


def limited(answer: Any) -> str:
    """The code of an answer that tells somebody to wait."""
    status, code = refused(answer)
    assert status == 429
    assert int(answer.headers["retry-after"]) >= 1
    return code


def test_requests_are_limited(tmp_path: Path) -> None:
    """Except those of anyone who looks after the server."""
    limits = replace(Limits.unlimited(), address_requests=Rate(0.001, 3))
    with running_server(tmp_path, limits=limits) as server:
        assert [server.get("/api/v1/levels").status_code for _ in range(3)] == [200] * 3
        assert limited(server.get("/api/v1/levels")) == "limit.requests"
        assert server.get("/").status_code == 200
        assert server.get("/healthz").status_code == 200


def test_files_have_a_limit_of_their_own(tmp_path: Path) -> None:
    """Browsers keep all of them, and many may share an address; commands must not wait for that."""
    limits = replace(Limits.unlimited(), address_files=Rate(0.001, 3))
    with running_server(tmp_path, limits=limits) as server:
        assert [server.get("/").status_code for _ in range(3)] == [200] * 3
        assert limited(server.get("/")) == "limit.requests"
        assert server.get("/api/v1/levels").status_code == 200


def test_commands_are_limited_by_seat_and_address(tmp_path: Path) -> None:
    """Another seat of the same address goes on, until the address has had enough."""
    limits = replace(Limits.unlimited(), seat_moves=Rate(0.001, 2), address_moves=Rate(0.001, 3))
    with running_server(tmp_path, limits=limits) as server:
        table = server.open("Ada")
        for id in ("1", "2"):
            assert server.do(table, "Ada", id, type="Pause").status_code == 409
        assert limited(server.do(table, "Ada", "3", type="Pause")) == "limit.seat"
        assert server.do(table, "Bohr", "1", type="Sit", name="Bohr").status_code == 200
        assert limited(server.do(table, "Curie", "1", type="Pause")) == "limit.address"


def test_chat_is_limited(tmp_path: Path) -> None:
    """Nobody reads that fast."""
    limits = replace(Limits.unlimited(), seat_chat=Rate(0.001, 1))
    with running_server(tmp_path, limits=limits) as server:
        table = server.open("Ada")
        assert server.do(table, "Ada", "1", type="Say", text="hello").status_code == 200
        assert limited(server.do(table, "Ada", "2", type="Say", text="hello")) == "limit.chat"


def test_tables_are_limited(tmp_path: Path) -> None:
    """How many are opened, and how many go on."""
    limits = replace(Limits.unlimited(), address_tables=Rate(0.001, 3), tables_per_address=2)
    with running_server(tmp_path, limits=limits) as server:
        body = {"settings": {"players": 3}}
        first = server.open("Ada")
        server.open("Ada")
        assert limited(server.post("/api/v1/tables", body, "Ada")) == "limit.tables"
        server.do(first, "Ada", "1", type="Close")
        assert server.post("/api/v1/tables", body, "Ada").status_code == 201
        assert server.post("/api/v1/tables", {"settings": {"players": 1}}, "Ada").status_code == 400


def test_guessing_is_limited(tmp_path: Path) -> None:
    """Unknown tables and bad tokens."""
    limits = replace(Limits.unlimited(), address_misses=Rate(0.001, 2))
    with running_server(tmp_path, limits=limits) as server:
        assert server.get("/api/v1/tables/nope").status_code == 404
        bad = {"Authorization": "Bearer nope"}
        assert server.http.get("/api/v1/tables/x", headers=bad).status_code == 401
        assert limited(server.get("/api/v1/tables/nope")) == "limit.misses"
        assert limited(server.http.get("/api/v1/tables/x", headers=bad)) == "limit.misses"
