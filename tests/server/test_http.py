"""The HTTP part of the protocol, asked of a real server."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from server.harness import House, house, public_id, refused, token

from catinthebox.server.ops.limits import Limits, Rate
from catinthebox.store import About, Busy
from catinthebox.table import token_hash


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("http")) as running:
        yield running


# ── Tokens ───────────────────────────────────────────────────────────────────────────────────


def test_a_token_is_256_bits_that_nobody_else_gets(here: House) -> None:
    """43 characters of base64url, new each time."""
    drawn = [here.post("/api/v1/token", {}) for _ in range(3)]
    tokens = {answer.json()["token"] for answer in drawn}
    assert [answer.status_code for answer in drawn] == [201] * 3
    assert len(tokens) == 3
    assert {len(one) for one in tokens} == {43}


def test_a_request_for_a_token_says_nothing_else(here: House) -> None:
    """A body would mean that somebody expects something that does not exist."""
    assert refused(here.post("/api/v1/token", {"name": "Ada"})) == (400, "input.field")


@pytest.mark.parametrize(
    "header",
    ["", "Bearer", "Basic abc", "Bearer swordfish", f"Bearer {token('x')[:-1]}B"],
)
def test_what_is_no_token_is_refused(here: House, header: str) -> None:
    """Also 43 characters with bits to spare: there is one way to write a token."""
    answer = here.http.get("/api/v1/tables/nowhere", headers={"Authorization": header})
    assert refused(answer) == (401, "input.token")
    assert answer.headers["www-authenticate"] == "Bearer"


def test_a_table_knows_the_hash_of_a_token(here: House) -> None:
    """And nothing else of it."""
    table = here.open("Ada")
    assert here.context.hub.tables[public_id(table)].table.host == token_hash(token("Ada"))


# ── Opening tables ───────────────────────────────────────────────────────────────────────────


def test_a_table_is_opened_with_nothing_but_settings(here: House) -> None:
    """The host need not sit."""
    answer = here.post("/api/v1/tables", {"settings": {"players": 3}}, "Ada")
    assert (answer.status_code, answer.json()["seat"]) == (201, None)
    assert (
        answer.json()["commitment"] == here.snapshot(answer.json()["table"])["room"]["commitment"]
    )


def test_a_quick_game_is_one_request(here: House) -> None:
    """Sit, bring bots, begin: the cards are dealt when the answer comes."""
    bots = [{"level": "gentle", "seat": 0}, {"level": "gentle"}]
    body = {
        "settings": {"players": 3},
        "name": "Ada",
        "bots": bots,
        "start": True,
        "nonce": "ab" * 32,
    }
    answer = here.post("/api/v1/tables", body, "Ada")
    seen = here.snapshot(answer.json()["table"], "Ada")
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
def test_all_or_nothing(here: House, change: dict[str, Any], status: int, code: str) -> None:
    """Whatever is wrong, no table is opened."""
    before = set(here.context.hub.tables)
    body = {"settings": {"players": 3, "visibility": "open"}, "name": "Ada", **change}
    assert refused(here.post("/api/v1/tables", body, "Ada")) == (status, code)
    assert set(here.context.hub.tables) == before


def test_opening_needs_a_token(here: House) -> None:
    """Somebody must be the host."""
    answer = here.post("/api/v1/tables", {"settings": {"players": 3}})
    assert refused(answer) == (401, "input.token")


def test_open_tables_are_listed_and_others_are_not(tmp_path: Path) -> None:
    """A lobby shows what its hosts want to be seen; it may be a second old."""
    with house(tmp_path) as here:
        here.context.lobby.fresh_s = 0
        hidden = here.open("Ada")
        seen = here.open("Bohr", settings={"visibility": "open"})
        listed = here.get("/api/v1/tables").json()["tables"]
        assert [(one["table"], one["seats"]) for one in listed] == [(seen, ["Bohr", "", ""])]
        assert hidden not in here.get("/api/v1/tables").text


def test_an_entry_that_cannot_be_read_hides_no_other(tmp_path: Path) -> None:
    """A lobby lists what it can."""
    with house(tmp_path) as here:
        seen = here.open("Bohr", settings={"visibility": "open"})
        for number, summary in enumerate(("", "{}", "[1")):
            about = About("open", summary)
            here.context.hub.store.append(f"broken{number}", 0, [b"x"], about).result()
        assert [one["table"] for one in here.get("/api/v1/tables").json()["tables"]] == [seen]


# ── At a table ───────────────────────────────────────────────────────────────────────────────


def test_a_snapshot_is_for_whoever_asks(here: House) -> None:
    """A seat sees its own cards, a spectator none."""
    table = here.game()
    mine, public = here.snapshot(table, "Ada"), here.snapshot(table)
    assert (mine["seat"], bool(mine["own"]["hand"])) == (0, True)
    assert (public["seat"], public["own"]) == (None, None)
    assert here.snapshot(table, "Stranger") == public


def test_a_game_without_spectators_shows_nothing(here: House) -> None:
    """Before and after the game anybody may look."""
    table = here.game(spectators=False)
    assert refused(here.get(f"/api/v1/tables/{table}")) == (403, "table.no_spectators")
    assert here.snapshot(table, "Ada")["seat"] == 0


def test_commands_are_done_once(here: House) -> None:
    """The same id again is the same answer."""
    table = here.open("Ada")
    done = [here.do(table, "Bohr", "m1", type="Sit", name="Bohr").json() for _ in range(2)]
    assert done[0] == done[1] == {"type": "Done", "id": "m1", "version": 3}
    assert here.snapshot(table)["version"] == 3


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
def test_refusals(here: House, who: str, command: dict[str, Any], status: int, code: str) -> None:
    """Each kind of mistake has its status; nothing changes."""
    table = here.open("Ada")
    assert refused(here.do(table, who, "m1", **command)) == (status, code)
    assert here.snapshot(table)["version"] == 2


def test_a_refusal_names_the_command(here: House) -> None:
    """If it could be read at all."""
    table = here.open("Ada")
    assert here.do(table, "Ada", "m7", type="Start").json()["id"] == "m7"


@pytest.mark.parametrize("id", ["", "a b", "x" * 65, 7])
def test_ids_have_a_form(here: House, id: object) -> None:
    """1 to 64 plain characters."""
    body = {"id": id, "command": {"type": "Pause"}}
    answer = here.post(f"/api/v1/tables/{here.open()}/commands", body, "Ada")
    assert answer.status_code == 400


def test_free_chat_is_for_servers_that_want_it(tmp_path: Path) -> None:
    """And for tables that want it, too."""
    with house(tmp_path, free_chat=True) as here:
        table = here.open("Ada", settings={"chat": "free"})
        assert here.do(table, "Ada", "m1", type="Say", text="meow", preset=False).status_code == 200
        assert here.snapshot(table)["chat"][0]["text"] == "meow"


def test_why_explains(here: House) -> None:
    """What a seat may not do, and by which clause."""
    table = here.game()
    answer = here.get(f"/api/v1/tables/{table}/why?action==2", "Ada").json()
    assert (answer["type"], answer["id"], answer["action"]) == ("Why", "", "=2")
    assert answer["code"]
    legal = here.snapshot(table, "Ada")["own"]["legal"][0]
    assert here.get(f"/api/v1/tables/{table}/why?action={legal}", "Ada").json()["code"] == ""


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
def test_why_needs_a_question(here: House, query: str, who: str, status: int, code: str) -> None:
    """And somebody who has cards."""
    answer = here.get(f"/api/v1/tables/{here.game()}/why{query}", who)
    assert refused(answer) == (status, code)


@pytest.mark.parametrize("id", ["nope", "_keys", "..", "%2e%2e", "a" * 65, "ä"])
def test_unknown_tables(here: House, id: str) -> None:
    """Whatever a name looks like, it is unknown, and nothing else is said about it."""
    answer = here.get(f"/api/v1/tables/{id}/why?action=5b", "Ada")
    assert answer.status_code == 404


# ── Manners of HTTP ──────────────────────────────────────────────────────────────────────────


def test_methods(here: House) -> None:
    """GET answers HEAD; OPTIONS tells; others are refused, and told what would be right."""
    everything = "GET, HEAD, OPTIONS, POST"
    head, options = here.http.head("/api/v1/levels"), here.http.options("/api/v1/tables")
    assert (head.status_code, head.content) == (200, b"")
    assert (options.status_code, options.headers["allow"]) == (204, everything)
    for method in ("PUT", "DELETE", "PATCH", "TRACE"):
        answer = here.http.request(method, "/api/v1/tables")
        assert refused(answer) == (405, "http.method")
        assert answer.headers["allow"] == everything
    assert here.http.get("/api/v1/token").status_code == 405


def test_paths(here: House) -> None:
    """What does not exist is not guessed."""
    for path in ("/api/v1", "/api/v1/tables/", "/api/v2/tables", "/nothing", "/t/a/b"):
        assert refused(here.get(path)) == (404, "http.unknown")


def test_no_cors(here: House) -> None:
    """Pages of others can neither ask nor read."""
    headers = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
    answer = here.http.options("/api/v1/tables", headers=headers)
    assert not [name for name in answer.headers if name.startswith("access-control")]
    posted = here.http.post("/api/v1/token", json={}, headers=headers)
    assert refused(posted) == (403, "http.origin")


def test_a_socket_is_no_page(here: House) -> None:
    """Whoever asks for it without an upgrade is told what it is."""
    answer = here.get("/api/v1/tables/x/socket")
    assert refused(answer) == (426, "http.upgrade")
    assert answer.headers["upgrade"] == "websocket"


def test_unknown_parameters_are_refused(here: House) -> None:
    """A parameter that nobody reads is a misunderstanding, or a token in the wrong place."""
    assert refused(here.get("/api/v1/levels?x=1")) == (400, "input.query")


def test_a_mistake_of_ours_is_a_500_without_details(
    here: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it was is in the log, by type and place."""

    async def broken() -> None:
        raise RuntimeError("a secret")

    monkeypatch.setattr(here.context.lobby, "tables", broken)
    answer = here.get("/api/v1/tables")
    assert refused(answer) == (500, "server.failure")
    assert "secret" not in answer.text
    line = next(line for line in here.lines if '"failure"' in line)
    assert "RuntimeError" in line
    assert "secret" not in line
    here.lines.remove(line)


def test_what_cannot_be_written_down_may_be_sent_again(
    here: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """503, and when to try."""
    table = here.open("Ada")

    def busy(*_: object) -> None:
        raise Busy("too much")

    monkeypatch.setattr(here.context.hub.store, "append", busy)
    answer = here.do(table, "Ada", "m1", type="AddBot", seat=1, level="gentle")
    assert refused(answer) == (503, "server.unavailable")
    assert (answer.headers["retry-after"], answer.json()["id"]) == ("1", "m1")
    monkeypatch.undo()
    assert here.do(table, "Ada", "m1", type="AddBot", seat=1, level="gentle").status_code == 200


# ── Limits ───────────────────────────────────────────────────────────────────────────────────


def limited(answer: Any) -> str:
    """The code of an answer that tells somebody to wait."""
    status, code = refused(answer)
    assert status == 429
    assert int(answer.headers["retry-after"]) >= 1
    return code


def test_requests_are_limited(tmp_path: Path) -> None:
    """Except those of whoever looks after the server."""
    limits = replace(Limits.unlimited(), address_requests=Rate(0.001, 3))
    with house(tmp_path, limits=limits) as here:
        assert [here.get("/api/v1/levels").status_code for _ in range(3)] == [200] * 3
        assert limited(here.get("/api/v1/levels")) == "limit.requests"
        assert limited(here.get("/")) == "limit.requests"
        assert here.get("/healthz").status_code == 200


def test_commands_are_limited_by_seat_and_address(tmp_path: Path) -> None:
    """Another seat of the same address goes on, until the address has had enough."""
    limits = replace(Limits.unlimited(), seat_moves=Rate(0.001, 2), address_moves=Rate(0.001, 3))
    with house(tmp_path, limits=limits) as here:
        table = here.open("Ada")
        for id in ("1", "2"):
            assert here.do(table, "Ada", id, type="Pause").status_code == 409
        assert limited(here.do(table, "Ada", "3", type="Pause")) == "limit.seat"
        assert here.do(table, "Bohr", "1", type="Sit", name="Bohr").status_code == 200
        assert limited(here.do(table, "Curie", "1", type="Pause")) == "limit.address"


def test_chat_is_limited(tmp_path: Path) -> None:
    """Nobody reads that fast."""
    limits = replace(Limits.unlimited(), seat_chat=Rate(0.001, 1))
    with house(tmp_path, limits=limits) as here:
        table = here.open("Ada")
        assert here.do(table, "Ada", "1", type="Say", text="hello").status_code == 200
        assert limited(here.do(table, "Ada", "2", type="Say", text="hello")) == "limit.chat"


def test_tables_are_limited(tmp_path: Path) -> None:
    """How many are opened, and how many go on."""
    limits = replace(Limits.unlimited(), address_tables=Rate(0.001, 3), tables_per_address=2)
    with house(tmp_path, limits=limits) as here:
        body = {"settings": {"players": 3}}
        first = here.open("Ada")
        here.open("Ada")
        assert limited(here.post("/api/v1/tables", body, "Ada")) == "limit.tables"
        here.do(first, "Ada", "1", type="Close")
        assert here.post("/api/v1/tables", body, "Ada").status_code == 201
        assert here.post("/api/v1/tables", {"settings": {"players": 1}}, "Ada").status_code == 400


def test_guessing_is_limited(tmp_path: Path) -> None:
    """Unknown tables and bad tokens."""
    limits = replace(Limits.unlimited(), address_misses=Rate(0.001, 2))
    with house(tmp_path, limits=limits) as here:
        assert here.get("/api/v1/tables/nope").status_code == 404
        bad = {"Authorization": "Bearer nope"}
        assert here.http.get("/api/v1/tables/x", headers=bad).status_code == 401
        assert limited(here.get("/api/v1/tables/nope")) == "limit.misses"
        assert limited(here.http.get("/api/v1/tables/x", headers=bad)) == "limit.misses"
