"""A table whose stored log is damaged: its players are told, and every other table goes on."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from server.harness import RunningServer, ended, eventually, public_id, refused, running_server

from catinthebox.server.live.deal_secret import open_key
from catinthebox.store import Damaged, open_store

API = "/api/v1/tables"
EVENT = "UPDATE events SET event = x'00' WHERE game = ? AND seq = 2"
ENTRY = "UPDATE games SET seal = 1 WHERE game = ?"


def spoil(tmp_path: Path, game: str, damage: str) -> None:
    """Change a stored log behind the back of the server."""
    with closing(sqlite3.connect(tmp_path / "games.db")) as database, database:
        assert database.execute(damage, (game,)).rowcount == 1, f"{game} is not stored"


def is_damaged(server: RunningServer, table: str) -> None:
    """Insist that everybody is told, whatever they ask for."""
    for answer in (
        server.get(f"{API}/{table}", "Ada"),
        server.get(f"{API}/{table}/events", "Ada"),
        server.get(f"{API}/{table}/why?action=5b", "Ada"),
        server.get(f"{API}/{table}/games/1/record.cat"),
        server.do(table, "Ada", "m1", type="Leave"),
    ):
        assert refused(answer) == (410, "table.damaged")
        sentence = answer.json()["message"]
        assert "damaged" in sentence
        assert "other games are not affected" in sentence
        assert "who run this server can restore it from a backup" in sentence
    with server.client(table, "Ada") as client:
        assert ended(client) == ("table.damaged", 4410)


def is_well(server: RunningServer, table: str, id: str) -> None:
    """Insist that a table goes on."""
    assert server.snapshot(table, "Ada")["type"] == "Snapshot"
    with server.client(table, "Ada") as client:
        client.do(f"{id}-2", type="AddBot", seat=2, level="gentle")
        assert client.receive("Done", "Refused")["type"] == "Done"


def logged(server: RunningServer) -> list[str]:
    """The events in the log of a server."""
    return [json.loads(line)["event"] for line in server.lines]


@pytest.mark.long
@pytest.mark.parametrize("damage", [EVENT, ENTRY])
def test_damage_that_is_there_at_the_start(tmp_path: Path, damage: str) -> None:
    """The server begins; it reports the table once, and counts it."""
    with running_server(tmp_path) as server:
        bad, good = server.open(), server.open()
    spoil(tmp_path, public_id(bad), damage)
    with running_server(tmp_path) as server:
        is_damaged(server, bad)
        is_well(server, good, "m1")
        assert logged(server).count("table_damaged") == 1
        assert bad not in "".join(server.lines)
        numbers = server.get("/metrics").text
        assert "catinthebox_games_damaged 1\n" in numbers
        assert server.get("/readyz").status_code == 200


def test_damage_while_people_are_there(tmp_path: Path) -> None:
    """Anyone who is at the table is told and sent away; nobody plays on from what is in memory."""
    with running_server(tmp_path) as server:
        bad, good = server.open(), server.open()
        with server.client(bad, "Ada") as client:
            client.receive("Snapshot")
            spoil(tmp_path, public_id(bad), ENTRY)
            with server.client(bad, "Ben", version=999) as late:  # the log is read for this one
                assert ended(late) == ("table.damaged", 4410)
            assert ended(client) == ("table.damaged", 4410)
        is_damaged(server, bad)
        is_well(server, good, "m1")


def test_work_for_a_damaged_table_is_taken_off_the_list(tmp_path: Path) -> None:
    """Nobody tries it again and again."""
    with running_server(tmp_path) as server:
        bad = server.game()
    spoil(tmp_path, public_id(bad), EVENT)
    with open_store(tmp_path / "games.db") as store:
        keys = [work.key for work in store.due()]
        for key in keys:
            store.plan(key, 1).result()
        assert [key for key in keys if public_id(bad) in key]
    with running_server(tmp_path) as server:
        eventually(lambda: not server.parts.hub.store.due())
        is_damaged(server, bad)
        assert logged(server).count("table_damaged") == 1


def test_a_damaged_key_is_not_replaced(tmp_path: Path) -> None:
    """With another one, the games that are being played could not be proven: nothing begins."""
    path = tmp_path / "games.db"
    with open_store(path) as store:
        asyncio.run(open_key(store, lambda size: b"k" * size))
    spoil(tmp_path, "_keys", EVENT.replace("2", "1"))
    with open_store(path) as store:
        with pytest.raises(Damaged, match="the stored log of _keys is damaged at event 1"):
            asyncio.run(open_key(store, bytes))
        assert store.last("_keys") == 1


@pytest.mark.long
def test_a_deleted_file(tmp_path: Path) -> None:
    """The server is not ready, and acknowledges nothing, until the file is back."""
    path, kept = tmp_path / "games.db", tmp_path / "kept"
    with running_server(tmp_path) as server:
        table = server.open()
        assert server.get("/readyz").status_code == 200
        path.rename(kept)
        assert refused(server.do(table, "Ada", "m1", type="AddBot", seat=2, level="gentle")) == (
            503,
            "server.unavailable",
        )
        eventually(lambda: server.get("/readyz").status_code == 503)
        assert server.get("/readyz").json() == {"status": "store"}
        assert logged(server).count("store_unavailable") == 1
        assert not path.exists()
        kept.rename(path)
        eventually(lambda: server.get("/readyz").status_code == 200)
        assert logged(server).count("store_unavailable") == 1
        assert logged(server).count("store_available") == 1
        assert (
            server.do(table, "Ada", "m1", type="AddBot", seat=2, level="gentle").status_code == 200
        )
