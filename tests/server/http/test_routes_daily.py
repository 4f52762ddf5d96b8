"""The table of the day over HTTP: tokens, limits, sizes, and a server that keeps none."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest
from daily_games import EASY, at_random, play_day
from server.harness import RunningServer, refused, running_server

from catinthebox.game.record import write, write_json
from catinthebox.protocol.daily import RECORD_SIZE
from catinthebox.server.ops.config import Config
from catinthebox.server.ops.limits import Limits, Rate

PATH = f"/api/v1/daily/{EASY}"
MORNING = int(datetime.fromisoformat(f"{EASY}T08:00:00+00:00").timestamp() * 1000)
RECORD = write(play_day(EASY, at_random(1)))


def on_that_day(server: RunningServer) -> RunningServer:
    """Set the clock of the server to the morning of the day."""
    server.parts.day_tables._now_ms = lambda: MORNING
    return server


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RunningServer]:
    """A server on that day."""
    with running_server(tmp_path) as running:
        yield on_that_day(running)


def enter(
    server: RunningServer, who: str = "Ada", record: str = RECORD, **fields: object
) -> httpx.Response:
    """Send a game."""
    return server.post(PATH, {"name": who or "Ada", "record": record, **fields}, who)


def test_a_day_over_http(server: RunningServer) -> None:
    """Sent once, read by everybody, and marked for the one whose it is."""
    empty = server.get(PATH)
    assert empty.json() == {"date": EASY, "open": True, "entries": 0, "results": [], "rows": []}
    answer = enter(server, cat="mochi")
    assert answer.status_code == 201
    row = {"place": 1, "rank": 1, "name": "Ada", "cat": "mochi", "own": True}
    assert answer.json()["rows"][0].items() >= row.items()
    assert refused(enter(server)) == (409, "daily.entered")
    assert server.get(PATH, "Ada").json() == answer.json()
    assert [each["own"] for each in server.get(PATH, "Ben").json()["rows"]] == [False]
    assert enter(server, "Ben", write_json(play_day(EASY, at_random(2)))).status_code == 201
    assert server.get(PATH).json()["entries"] == 2


def test_a_table_tells_points_only(server: RunningServer) -> None:
    """Nothing of the game, and nothing of the token, comes back."""
    enter(server)
    for answer in (server.get(PATH), server.get(PATH, "Ada")):
        (row,) = answer.json()["rows"]
        assert set(row) == {"place", "rank", "name", "cat", "points", "own"}
        assert set(answer.json()) == {"date", "open", "entries", "results", "rows"}


def test_what_is_refused(server: RunningServer) -> None:
    """Each with its status and code; nothing is stored."""
    assert refused(enter(server, "")) == (401, "input.token")
    assert refused(enter(server, record=RECORD + "x" * RECORD_SIZE))[0] == 400
    assert refused(enter(server, cat="<b>"))[0] == 400
    assert refused(enter(server, points=99))[0] == 400
    assert refused(enter(server, record="catinthebox 1"))[0] == 400
    other = write(play_day(EASY, at_random(1), bots=False))
    assert refused(enter(server, record=other)) == (409, "daily.game")
    assert refused(server.get("/api/v1/daily/today")) == (400, "input.date")
    past = server.post("/api/v1/daily/2026-01-01", {"name": "Ada", "record": RECORD}, "Ada")
    assert refused(past) == (409, "daily.closed")
    assert server.get(PATH).json()["entries"] == 0


@pytest.mark.long
def test_checks_are_limited(tmp_path: Path) -> None:
    """An address has a rate; other requests have their own."""
    with running_server(tmp_path, limits=Limits(address_days=Rate(0.001, 2))) as running:
        on_that_day(running)
        answers = [enter(running, who) for who in ("Ada", "Ben", "Cleo")]
        assert [answer.status_code for answer in answers] == [201, 201, 429]
        assert refused(answers[2]) == (429, "limit.days")
        assert running.get(PATH).json()["entries"] == 2
        assert any('"reason":"rate"' in line for line in running.lines)


@pytest.mark.long
def test_entries_outlast_a_restart(tmp_path: Path) -> None:
    """They are durable, until their day is over for long."""
    with running_server(tmp_path) as running:
        enter(on_that_day(running))
    today = datetime.now(UTC).date().isoformat()
    days = abs((datetime.fromisoformat(today) - datetime.fromisoformat(EASY)).days) + 2
    with running_server(tmp_path, daily_days=days) as running:
        assert on_that_day(running).get(PATH).json()["entries"] == 1


def test_a_server_without_tables_of_the_day(tmp_path: Path) -> None:
    """The page asks once, and offers nothing."""
    with running_server(tmp_path, daily_days=0) as running:
        assert refused(running.get(PATH)) == (404, "daily.off")
        assert refused(enter(running)) == (404, "daily.off")


def test_a_number_of_days() -> None:
    """Fewer than none are none that exist."""
    with pytest.raises(ValueError, match="daily_days: from 0"):
        Config(daily_days=-1)
