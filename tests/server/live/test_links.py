"""Links to play, to watch and to replay: each opens what it is for, and none tells another."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from httpx import Response
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from server.harness import RunningServer, public_id, refused, running_server, token
from server.http.test_routes_records import finish

from catinthebox.game import record
from catinthebox.server.live.deal_secret import DealSecret
from catinthebox.server.live.links import REPLAYS, LinkKeys
from catinthebox.server.ops.limits import Limits, Rate
from catinthebox.table import Created, Entry, Settings, create, decode, encode, replay, token_hash

API = "/api/v1/tables"
KEYS = LinkKeys(bytes(range(32)))
CODE = "a" * 26


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server for all tests of this page."""
    with running_server(tmp_path_factory.mktemp("links"), limits=Limits.unlimited()) as found:
        yield found


def links(server: RunningServer, key: str) -> dict[str, object]:
    """Return the links that the holder of a key is told."""
    answer = server.get(f"{API}/{key}/links")
    assert answer.status_code == 200, answer.text
    found: dict[str, object] = answer.json()
    return found


def timeless(answer: Response) -> list[tuple[str, str]]:
    """Return the headers of an answer without the one that says when it was given."""
    return [(name, value) for name, value in answer.headers.items() if name != "date"]


# ── Keys ─────────────────────────────────────────────────────────────────────────────────────


@given(st.binary(min_size=32, max_size=32), st.integers(1, 9999), st.integers(1, 9999))
def test_a_key_opens_what_it_was_made_for(secret: bytes, game: int, other: int) -> None:
    """And nothing else: no two purposes, games, tables or stores have the same key."""
    keys, table = LinkKeys(secret), "abc7"
    made = [keys.play(table), keys.watch(table), keys.replay(table, game)]
    read = [keys.read(key, game) for key in made]
    assert [(one.table, one.purpose) for one in read if one] == [
        (table, "play"),
        (table, "watch"),
        (table, "replay"),
    ]
    assert keys.read(made[2]) is None
    assert (keys.read(made[2], other) is None) == (other != game)
    for key in made:
        assert keys.read(f"abc8-{key.partition('-')[2]}", game) is None
        assert LinkKeys(secret[::-1] + b"x").read(key, game) is None


@given(st.integers(5, 30), st.sampled_from("abcdefghijklmnopqrstuvwxyz234567-_A"))
def test_a_key_with_another_letter_is_none(place: int, letter: str) -> None:
    """Wherever it is; an upper-case letter is another one, too."""
    key = KEYS.play("abc7")
    other = key[:place] + letter + key[place + 1 :]
    assert (KEYS.read(other) is not None) == (other == key)


def test_keys_are_long_enough_and_do_not_follow_from_secrets_that_are_shown() -> None:
    """130 bits; the key behind links is not the secret of any game."""
    assert len(KEYS.play("abc7").rpartition("-")[2]) * 5 >= 128
    key = DealSecret(bytes(32))
    assert key.for_links not in {key.secret(table, game) for table in ("", "t") for game in (0, 1)}


def test_keys_do_not_show() -> None:
    """In no error and no log, should anybody print them."""
    assert repr(KEYS) == "LinkKeys()"


# ── What each of them opens ──────────────────────────────────────────────────────────────────


def test_opening_a_table_returns_its_links(server: RunningServer) -> None:
    """Three that differ, and the id, which is in all of them and opens nothing."""
    request = {"settings": {"players": 3}, "name": "Ada"}
    opened = server.post(API, request, "Ada").json()
    received = opened["links"]
    assert opened["table"] == received["play"] != received["watch"]
    assert {public_id(received["play"]), public_id(received["watch"])} == {received["id"]}
    assert received["replays"] == []
    assert links(server, received["play"]) == received
    assert links(server, received["watch"]) == {**received, "play": None, "code": None}


def test_the_link_to_watch_does_not_let_anybody_play(server: RunningServer) -> None:
    """By no way: not by a request, not on a connection, not with the token of a seat."""
    table = server.open("Ada")
    watch = str(links(server, table)["watch"])
    for who in ("Bohr", "Ada"):
        answer = server.do(watch, who, "m1", type="Sit", name="Bohr")
        assert refused(answer) == (403, "table.watch_only")
        assert server.get(f"{API}/{watch}/why?action=5b", who).json()["code"] == "table.not_seated"
        with server.client(watch, who) as line:
            assert line.receive("Snapshot")["seat"] is None
            line.do("m2", type="Sit", name="Bohr")
            assert line.receive("Refused")["code"] == "table.watch_only"
    assert server.snapshot(watch, "Ada")["seat"] is None
    assert server.snapshot(table, "Ada")["seat"] == 0
    assert [seat["kind"] for seat in server.snapshot(watch)["seats"]["seats"]][1:] == ["empty"] * 2


def test_who_watches_is_shown_no_cards(server: RunningServer) -> None:
    """Not even their own, on a screen that others may look at."""
    table = server.game("Ada")
    watch = str(links(server, table)["watch"])
    assert server.snapshot(watch, "Ada") == server.snapshot(table)
    assert server.snapshot(watch, "Ada")["own"] is None


def test_a_table_without_spectators_has_no_link_to_watch(server: RunningServer) -> None:
    """It would lead to a closed door."""
    table = server.game("Ada", spectators=False)
    assert links(server, table)["watch"] is None
    watch = server.parts.hub.links.watch(public_id(table))
    assert refused(server.get(f"{API}/{watch}")) == (403, "table.no_spectators")


def test_the_id_opens_nothing(server: RunningServer) -> None:
    """Neither while the game goes on nor after it: it is in every record."""
    table = server.game("Ada")
    paths = ("", "/links", "/events", "/why?action=5b", "/games/1/record.cat")
    for over in (False, True):
        if over:
            finish(server, table)
        for path in paths:
            known, none = (server.get(f"{API}/{id}{path}", "Ada") for id in (public_id(table), "x"))
            assert refused(known) == (404, "table.unknown")
            assert known.text == none.text
        assert refused(server.do(public_id(table), "Ada", "m", type="Leave"))[0] == 404


def test_a_wrong_key_is_answered_like_a_table_that_does_not_exist(server: RunningServer) -> None:
    """To the byte; nothing tells that there is such a table."""
    table = server.game("Ada")
    replayed = server.parts.hub.links.replay(public_id(table), 1)
    wrong = [f"{public_id(table)}-{CODE}", replayed, table[:-1], f"{table}a", "-", f"-{CODE}"]
    for path in ("", "/links", "/events", "/games/2/replay.json"):
        answers = [server.get(f"{API}/{key}{path}", "Ada") for key in [*wrong, "nowhere"]]
        assert {refused(answer) for answer in answers} == {(404, "table.unknown")}
        assert len({(answer.text, *timeless(answer)) for answer in answers}) == 1
    for key in wrong:
        with server.client(key, "Ada") as line:
            assert line.receive("Bye")["code"] == "table.unknown"


def test_wrong_keys_count_as_misses(tmp_path: Path) -> None:
    """Guessing is slow, and a wrong key costs no look into the store."""
    with running_server(tmp_path, limits=Limits(address_misses=Rate(0.001, 3))) as server:
        table = public_id(server.open("Ada"))
        server.parts.hub.tables.clear()
        statuses = [server.get(f"{API}/{table}-{CODE}").status_code for _ in range(4)]
        assert statuses == [404, 404, 404, 429]
        assert not server.parts.hub.tables


def test_a_record_holds_the_id_and_no_key(server: RunningServer) -> None:
    """Nor does the name of its file; so a record can be passed on."""
    table = server.game("Ada")
    finish(server, table)
    received = links(server, table)
    (replayed,) = json.loads(json.dumps(received["replays"]))
    assert replayed["game"] == 1
    for key in (table, str(received["watch"]), replayed["key"]):
        answers = [
            server.get(f"{API}/{key}/games/1/{name}")
            for name in ("record.cat", "record.json", "replay.json")
        ]
        assert {answer.status_code for answer in answers} == {200}
        for answer in answers:
            said = f"{answer.headers} {answer.text}"
            assert public_id(table) in said
            assert not [
                one for one in (table, received["watch"], replayed["key"]) if str(one) in said
            ]
    game = record.read(server.get(f"{API}/{replayed['key']}/games/1/record.cat").text)
    assert game.fairness is not None
    assert game.fairness.table == public_id(table)


def test_a_link_to_replay_is_for_one_game(server: RunningServer) -> None:
    """Anyone who was sent one game does not see the next one at that table, nor the table."""
    table = server.game("Ada")
    keys = server.parts.hub.links
    finish(server, table)
    first, second = (keys.replay(public_id(table), game) for game in (1, 2))
    server.do(table, "Ada", "again", type="Rematch", nonce="")
    finish(server, table)
    found = {
        (key, number): server.get(f"{API}/{key}/games/{number}/record.cat").status_code
        for key in (first, second)
        for number in (1, 2)
    }
    assert found == {(first, 1): 200, (first, 2): 404, (second, 1): 404, (second, 2): 200}
    for path in ("", "/links", "/events"):
        assert server.get(f"{API}/{first}{path}").status_code == 404
    assert [one["game"] for one in json.loads(json.dumps(links(server, table)["replays"]))] == [
        1,
        2,
    ]


def test_the_list_of_links_to_replays_is_bounded() -> None:
    """The last ones are, with their numbers."""
    many = replace(replay([created(keyed=True)]), games=500)
    received = KEYS.links_for(many, "play").replays
    assert (len(received), received[0].game, received[-1].game) == (REPLAYS, 400, 499)


def test_listed_tables_show_what_lets_anybody_join(server: RunningServer) -> None:
    """The link to play; those of other tables are not in the list, nor are links to watch."""
    server.parts.lobby.latest.fresh_s = 0
    shown = server.open("Ada", settings={"visibility": "open"})
    hidden = server.open("Bohr")
    text = server.get(API).text
    assert shown in [one["table"] for one in json.loads(text)["tables"]]
    assert server.do(shown, "Curie", "m1", type="Sit", name="Curie").status_code == 200
    for key in (hidden, public_id(hidden), server.parts.hub.links.watch(public_id(shown))):
        assert key not in text


def test_workers_of_a_store_and_a_restart_accept_the_same_keys(tmp_path: Path) -> None:
    """The key behind them is in the store."""
    with running_server(tmp_path) as server:
        table = server.open("Ada")
        received = links(server, table)
    with running_server(tmp_path) as again:
        assert links(again, table) == received
        assert again.snapshot(str(received["watch"]))["table"] == received["id"]


# ── Tables of the past ───────────────────────────────────────────────────────────────────────

PAST = "eu3cd2rngr6nv2yi3udkawa6x9z"


def created(*, keyed: bool = False) -> Entry:
    """Return the first event of a log."""
    settings = Settings(3, visibility="open")
    return create(PAST, settings, token_hash(token("Ada")), "cd" * 32, 5, keyed=keyed)


def test_a_log_without_keys_is_written_and_read_as_before() -> None:
    """To the byte; so logs of the past still are canonical, and so are exports."""
    line = encode(created())
    assert b"keyed" not in line
    event = decode(line).event
    assert isinstance(event, Created)
    assert event.keyed is False
    assert b'"keyed":true' in encode(created(keyed=True))


def test_links_of_the_past_lead_where_they_led(tmp_path: Path) -> None:
    """The id of such a table was passed on as its link: it stays the key to all of it."""
    with running_server(tmp_path) as server:
        lines = [encode(created())]
        asyncio.run(_appended(server, lines))
        assert server.snapshot(PAST)["table"] == PAST
        assert server.do(PAST, "Ada", "m1", type="Sit", name="Ada").status_code == 200
        assert links(server, PAST) == {
            "id": PAST,
            "play": PAST,
            "watch": PAST,
            "replays": [],
            "code": None,
        }
        server.parts.lobby.latest.fresh_s = 0
        assert [one["table"] for one in server.get(API).json()["tables"]] == [PAST]
        for key in (server.parts.hub.links.play(PAST), server.parts.hub.links.watch(PAST)):
            assert refused(server.get(f"{API}/{key}")) == (404, "table.unknown")
        for seat in (1, 2):
            bot = {"type": "AddBot", "seat": seat, "level": "gentle"}
            assert server.do(PAST, "Ada", f"b{seat}", **bot).status_code == 200
        assert server.do(PAST, "Ada", "go", type="Start").status_code == 200
        finish(server, PAST)
        assert server.get(f"{API}/{PAST}/games/1/record.cat").status_code == 200
        assert links(server, PAST)["replays"] == [{"game": 1, "key": PAST}]


async def _appended(server: RunningServer, lines: list[bytes]) -> None:
    await asyncio.wrap_future(server.parts.hub.store.append(PAST, 0, lines))
