"""A table whose stored log is damaged: its players are told, and every other table goes on."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from server.harness import House, ended, eventually, house, public_id, refused

from catinthebox.server.live.deal_secret import open_key
from catinthebox.store import Damaged, open_store

API = "/api/v1/tables"
EVENT = "UPDATE events SET event = x'00' WHERE game = ? AND seq = 2"
ENTRY = "UPDATE games SET seal = 1 WHERE game = ?"


def spoil(tmp_path: Path, game: str, damage: str) -> None:
    """Change a stored log behind the back of the server."""
    with closing(sqlite3.connect(tmp_path / "games.db")) as line, line:
        assert line.execute(damage, (game,)).rowcount == 1, f"{game} is not stored"


def is_damaged(here: House, table: str) -> None:
    """Insist that everybody is told, whatever they ask for."""
    for answer in (
        here.get(f"{API}/{table}", "Ada"),
        here.get(f"{API}/{table}/events", "Ada"),
        here.get(f"{API}/{table}/why?action=5b", "Ada"),
        here.get(f"{API}/{table}/games/1/record.cat"),
        here.do(table, "Ada", "m1", type="Leave"),
    ):
        assert refused(answer) == (410, "table.damaged")
        sentence = answer.json()["message"]
        assert "damaged" in sentence
        assert "other games are not affected" in sentence
        assert "who run this server can restore it from a backup" in sentence
    with here.line(table, "Ada") as line:
        assert ended(line) == ("table.damaged", 4410)


def is_well(here: House, table: str, id: str) -> None:
    """Insist that a table goes on."""
    assert here.snapshot(table, "Ada")["type"] == "Snapshot"
    with here.line(table, "Ada") as line:
        line.do(f"{id}-2", type="AddBot", seat=2, level="gentle")
        assert line.hear("Done", "Refused")["type"] == "Done"


def logged(here: House) -> list[str]:
    """The events in the log of a server."""
    return [json.loads(line)["event"] for line in here.lines]


@pytest.mark.long
@pytest.mark.parametrize("damage", [EVENT, ENTRY])
def test_damage_that_is_there_at_the_start(tmp_path: Path, damage: str) -> None:
    """The server begins; it reports the table once, and counts it."""
    with house(tmp_path) as here:
        bad, good = here.open(), here.open()
    spoil(tmp_path, public_id(bad), damage)
    with house(tmp_path) as here:
        is_damaged(here, bad)
        is_well(here, good, "m1")
        assert logged(here).count("table_damaged") == 1
        assert bad not in "".join(here.lines)
        numbers = here.get("/metrics").text
        assert "catinthebox_games_damaged 1\n" in numbers
        assert here.get("/readyz").status_code == 200


def test_damage_while_people_are_there(tmp_path: Path) -> None:
    """Whoever is at the table is told and sent away; nobody plays on from what is in memory."""
    with house(tmp_path) as here:
        bad, good = here.open(), here.open()
        with here.line(bad, "Ada") as line:
            line.hear("Snapshot")
            spoil(tmp_path, public_id(bad), ENTRY)
            with here.line(bad, "Ben", version=999) as late:  # the log is read for this one
                assert ended(late) == ("table.damaged", 4410)
            assert ended(line) == ("table.damaged", 4410)
        is_damaged(here, bad)
        is_well(here, good, "m1")


def test_work_for_a_damaged_table_is_taken_off_the_list(tmp_path: Path) -> None:
    """Nobody tries it again and again."""
    with house(tmp_path) as here:
        bad = here.game()
    spoil(tmp_path, public_id(bad), EVENT)
    with open_store(tmp_path / "games.db") as store:
        keys = [work.key for work in store.due()]
        for key in keys:
            store.plan(key, 1).result()
        assert [key for key in keys if public_id(bad) in key]
    with house(tmp_path) as here:
        eventually(lambda: not here.context.hub.store.due())
        is_damaged(here, bad)
        assert logged(here).count("table_damaged") == 1


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
    with house(tmp_path) as here:
        table = here.open()
        assert here.get("/readyz").status_code == 200
        path.rename(kept)
        assert refused(here.do(table, "Ada", "m1", type="AddBot", seat=2, level="gentle")) == (
            503,
            "server.unavailable",
        )
        eventually(lambda: here.get("/readyz").status_code == 503)
        assert here.get("/readyz").json() == {"status": "store"}
        assert logged(here).count("store_unavailable") == 1
        assert not path.exists()
        kept.rename(path)
        eventually(lambda: here.get("/readyz").status_code == 200)
        assert logged(here).count("store_unavailable") == 1
        assert logged(here).count("store_available") == 1
        assert here.do(table, "Ada", "m1", type="AddBot", seat=2, level="gentle").status_code == 200
