"""Records of finished games, as they are downloaded and checked."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from server.harness import RunningServer, public_id, running_server

from catinthebox.fair import proven, verify
from catinthebox.game import record
from catinthebox.protocol.codec import encode as written
from catinthebox.server.live import finished_games, hub
from catinthebox.server.live.finished_games import FinishedGames
from catinthebox.server.live.live_table import LiveTable
from catinthebox.store import open_store
from catinthebox.table import Entry, Settings, Table, create, encode, replay
from catinthebox.table.positions import positions

FILM = Path(__file__).parents[3] / "web/src/pages/replay/replayed.json"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with running_server(tmp_path_factory.mktemp("records")) as running:
        yield running


def finish(server: RunningServer, table: str) -> None:
    """Play a game of Ada against bots to its end."""
    moves = 0
    with server.client(table, "Ada") as line:
        while True:
            message = line.receive("Snapshot", "Frame")
            happened = {one["type"] for one in message.get("news", ())}
            if "GameOver" in happened:
                return
            moves += 1
            id = f"{message['version']}-{moves}"
            if "RoundOver" in happened:
                line.do(id, type="Ready")
            elif message["own"] and message["own"]["legal"]:
                line.do(id, type="Act", action=message["own"]["legal"][0])


def path(table: str, number: int | str, ending: str = "cat") -> str:
    return f"/api/v1/tables/{table}/games/{number}/record.{ending}"


def test_a_record_only_after_the_game(server: RunningServer) -> None:
    """It tells every hand, so it is for afterwards; then it is for everybody."""
    table = server.game()
    early = server.get(path(table, 1), "Ada")
    assert (early.status_code, early.json()["code"]) == (409, "table.not_over")
    finish(server, table)
    answer = server.get(path(table, 1))
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert f'filename="{public_id(table)}-1.cat"' in answer.headers["content-disposition"]
    game = record.read(answer.text)
    assert game.over
    assert game.names == ("Ada", "gentle", "gentle")


def test_the_deals_can_be_checked(server: RunningServer) -> None:
    """By anyone who has the record; one card changed, and it shows."""
    bots = [{"level": "gentle"}] * 2
    table = server.open("Ada", bots=bots, start=True, nonce="ab" * 32)
    commitment = server.snapshot(table)["game"]["commitment"]
    finish(server, table)
    text = server.get(path(table, 1)).text
    game = record.read(text)
    assert game.fairness is not None
    assert game.fairness.commitment == commitment
    assert proven(verify(game))
    secret = game.fairness.secret.hex() if game.fairness.secret else ""
    tampered = text.replace(secret, ("0" if secret[0] != "0" else "1") + secret[1:])
    assert not proven(verify(record.read(tampered)))


def test_both_forms_hold_the_same(server: RunningServer) -> None:
    """For people, and for programs."""
    table = server.game()
    finish(server, table)
    cat, json = server.get(path(table, 1)), server.get(path(table, 1, "json"))
    assert json.headers["content-type"] == "application/json"
    assert record.read(cat.text) == record.read_json(json.text)


def test_earlier_games_keep_their_records(server: RunningServer) -> None:
    """A rematch does not take the first game's record away."""
    table = server.game()
    finish(server, table)
    first = server.get(path(table, 1)).text
    server.do(table, "Ada", "again", type="Rematch")
    assert server.snapshot(table)["room"]["stage"] == "play"
    assert server.get(path(table, 1)).text == first
    assert server.get(path(table, 2)).status_code == 409
    finish(server, table)
    second = server.get(path(table, 2)).text
    assert second != first
    assert server.get(path(table, 1)).text == first
    assert record.read(second).over


@pytest.mark.parametrize(
    ("number", "status"), [("0", 400), ("x", 400), ("-1", 400), ("01", 400), ("7", 409)]
)
def test_games_are_counted_from_one(server: RunningServer, number: str, status: int) -> None:
    """Others do not exist."""
    assert server.get(path(server.game(), number)).status_code == status


def test_before_the_first_game_there_is_no_record(server: RunningServer) -> None:
    """Nor at a table that nobody knows."""
    assert server.get(path(server.open("Ada"), 1)).status_code == 409
    assert server.get(path("nowhere", 1)).status_code == 404


# ── Films ────────────────────────────────────────────────────────────────────────────────────


def film_path(table: str, number: int = 1) -> str:
    return f"/api/v1/tables/{table}/games/{number}/replay.json"


def test_a_film_only_after_the_game(server: RunningServer) -> None:
    """It tells every hand, as its record does."""
    table = server.game()
    early = server.get(film_path(table), "Ada")
    assert (early.status_code, early.json()["code"]) == (409, "table.not_over")
    finish(server, table)
    received = server.get(film_path(table)).json()
    assert received["record"] == server.get(path(table, 1, "json")).json()
    assert received["positions"][-1]["game"]["winners"] == received["record"]["result"]["winners"]
    assert [one["move"] for one in received["positions"]].count("") == 3


@pytest.mark.parametrize("ending", ["cat", "json"])
def test_a_record_becomes_the_same_film(server: RunningServer, ending: str) -> None:
    """In either form, without a token."""
    table = server.game()
    finish(server, table)
    text = server.get(path(table, 1, ending)).text
    answer = server.post("/api/v1/replay", {"record": text})
    assert answer.status_code == 200
    assert answer.json() == server.get(film_path(table)).json()


def test_a_record_that_lies_is_refused(server: RunningServer) -> None:
    """With the place and what is wrong there."""
    table = server.game()
    finish(server, table)
    text = server.get(path(table, 1)).text
    for lie in ("", "cats", "{}", text.replace("deal ", "deal 9"), text[:200], "x" * 8000):
        answer = server.post("/api/v1/replay", {"record": lie})
        assert answer.status_code == 400, answer.text
        assert answer.json()["message"]
    assert server.post("/api/v1/replay", {"records": text}).json()["code"] == "input.field"


def test_films_are_packed_for_those_who_can_unpack(server: RunningServer) -> None:
    """A long text of few words."""
    table = server.game()
    finish(server, table)
    plain = server.http.get(film_path(table), headers={"Accept-Encoding": "identity"})
    small = server.http.get(film_path(table), headers={"Accept-Encoding": "gzip"})
    assert "content-encoding" not in plain.headers
    assert small.headers["content-encoding"] == "gzip"
    assert small.headers["vary"] == plain.headers["vary"] == "Accept-Encoding"
    assert small.json() == plain.json()
    assert 5 * int(small.headers["content-length"]) < int(plain.headers["content-length"])


def test_the_client_is_tested_with_what_the_server_tells() -> None:
    """Its example of a film is one."""
    kept = json.loads(FILM.read_bytes())
    made = [
        json.loads(written(one)) for one in positions(record.read_json(json.dumps(kept["record"])))
    ]
    assert made[: len(kept["positions"])] == kept["positions"]
    text = FILM.with_suffix(".cat").read_text(encoding="utf-8")
    assert text == record.write(record.read_json(json.dumps(kept["record"])))


# ── Earlier games ────────────────────────────────────────────────────────────────────────────

BEGUN = create("t1", Settings(3), "ab" * 32, "cd" * 32, now=5)


def at_game(number: int) -> Table:
    """A table at which some games were played."""
    return replace(replay([BEGUN]), games=number)


class Shelf:
    """Ends of games whose logs are counted: how many were read, and how many at once."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.read = self.now = self.most = 0
        self.ends = FinishedGames(self._log)
        self._live = LiveTable(at_game(9))
        monkeypatch.setattr(finished_games, "end_of_game", lambda _, number: at_game(number))

    async def _log(self, id: str) -> list[Entry]:
        self.read, self.now = self.read + 1, self.now + 1
        self.most = max(self.most, self.now)
        await asyncio.sleep(0.01)
        self.now -= 1
        return [BEGUN]

    async def find(self, *numbers: int) -> list[int]:
        """Ask for some games, all at once."""
        found = await asyncio.gather(*(self.ends.find(self._live, one) for one in numbers))
        return [table.games for table in found]


def test_many_who_want_the_same_game_are_one_question(monkeypatch: pytest.MonkeyPatch) -> None:
    """A log is read once for all of them, and not many logs at once."""
    shelf = Shelf(monkeypatch)
    assert asyncio.run(shelf.find(*[1, 2, 3] * 5)) == [1, 2, 3] * 5
    assert (shelf.read, shelf.most) == (3, finished_games.AT_ONCE)


def test_the_answer_is_kept_when_its_first_client_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Others wait for the same reading."""
    shelf = Shelf(monkeypatch)

    async def story() -> None:
        first, second = asyncio.create_task(shelf.find(1)), asyncio.create_task(shelf.find(1))
        await asyncio.sleep(0)
        first.cancel()
        assert await second == [1]

    asyncio.run(story())
    assert shelf.read == 1


def test_games_that_are_asked_for_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one that nobody has asked for in the longest time is forgotten."""
    monkeypatch.setattr(finished_games, "KEPT", 2)
    shelf = Shelf(monkeypatch)

    async def story() -> None:
        for number in (1, 2, 1, 3, 1):
            await shelf.find(number)

    asyncio.run(story())
    assert shelf.read == 3


def test_a_long_log_keeps_nobody_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is decoded where it is read, and not where everybody is served."""
    threads: set[int] = set()

    def decoded(event: bytes) -> Entry:
        threads.add(threading.get_ident())
        return BEGUN

    monkeypatch.setattr(hub, "decode", decoded)
    with open_store(tmp_path / "games.db") as store:
        store.append("t1", 0, [encode(BEGUN)]).result()
        assert asyncio.run(hub.Hub(store, lambda: 0).log("t1")) == [BEGUN]
    assert threads
    assert threading.get_ident() not in threads
