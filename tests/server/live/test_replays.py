"""Replays cost the players nothing: rendered once, one at a time, and not for everybody at once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from server.harness import RunningServer, refused, running_server
from server.http.test_routes_records import film_path, finish, path

from catinthebox import Game
from catinthebox.server.errors import Limited, Overloaded
from catinthebox.server.http import routes_records
from catinthebox.server.live.replays import Replays, game_key, record_key
from catinthebox.server.ops.limits import Limits, Rate

FREE = Limits.unlimited()


def test_keys_do_not_meet() -> None:
    """Neither two games, nor a game and a record that looks like its key."""
    keys = [game_key("t", 11), game_key("t1", 1), record_key("game t 11"), record_key("")]
    assert len(set(keys)) == 4


# ── Rendering ────────────────────────────────────────────────────────────────────────────────


class Studio:
    """Replays whose rendering waits until it is let go on; `most` were rendered at once."""

    def __init__(self, limits: Limits = FREE) -> None:
        self.replays = Replays(limits)
        self.go = asyncio.Event()
        self.rendered: list[str] = []
        self.now = self.most = 0

    def ask(self, key: str, address: str = "ada") -> Coroutine[None, None, bytes]:
        """Ask for a replay."""
        return self.replays.get(key, address, self._render(key))

    def _render(self, key: str) -> Callable[[], Awaitable[bytes]]:
        async def render() -> bytes:
            self.rendered.append(key)
            self.now += 1
            self.most = max(self.most, self.now)
            await self.go.wait()
            self.now -= 1
            return key.encode()

        return render


async def asked(studio: Studio, *asks: tuple[str, str]) -> list[asyncio.Task[bytes]]:
    """Let several ask, all before anything is rendered."""
    tasks = [asyncio.create_task(studio.ask(key, address)) for key, address in asks]
    for _ in range(3):
        await asyncio.sleep(0)
    return tasks


def test_the_same_replay_is_rendered_once() -> None:
    """For all who ask at once, from anywhere, and for all who ask later."""

    async def story() -> None:
        studio = Studio()
        tasks = await asked(studio, *(("a", f"address {number}") for number in range(20)))
        studio.go.set()
        assert await asyncio.gather(*tasks) == [b"a"] * 20
        assert await studio.ask("a", "somebody else") == b"a"
        assert studio.rendered == ["a"]

    asyncio.run(story())


def test_one_is_rendered_at_a_time() -> None:
    """However many different ones are wanted."""

    async def story() -> None:
        studio = Studio()
        tasks = await asked(studio, *((f"game {number}", "ada") for number in range(8)))
        assert studio.rendered == ["game 0"]
        studio.go.set()
        await asyncio.gather(*tasks)
        assert studio.most == 1

    asyncio.run(story())


def test_a_few_wait_for_it_and_the_others_must_retry() -> None:
    """An address can neither fill the queue for others nor wait with more than its share."""
    limits = replace(FREE, replays_waiting=3, replays_per_address=2)

    async def story() -> None:
        studio = Studio(limits)
        tasks = await asked(studio, ("a", "ada"), ("b", "ada"))
        with pytest.raises(Limited) as own:
            await studio.ask("c", "ada")
        assert (own.value.code, own.value.wait) == ("limit.replays", limits.retry_after_s)
        tasks += await asked(studio, ("a", "ada"), ("c", "ben"))  # somebody waits for "a" already
        with pytest.raises(Overloaded) as full:
            await studio.ask("d", "cyd")
        assert (full.value.code, full.value.wait) == ("server.full", limits.retry_after_s)
        studio.go.set()
        assert await asyncio.gather(*tasks) == [b"a", b"b", b"a", b"c"]
        assert await studio.ask("d", "cyd") == b"d"

    asyncio.run(story())


def test_the_renderer_rests_as_long_as_it_worked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also after a mistake; so games have at least half of the time, whatever is asked for."""

    async def story() -> None:
        loop, rests = asyncio.get_running_loop(), list[float]()
        replays, now = Replays(FREE), 100.0

        def call_later(rest: float, call: Callable[[], None]) -> None:
            rests.append(rest)
            call()

        monkeypatch.setattr(loop, "time", lambda: now)
        monkeypatch.setattr(loop, "call_later", call_later)

        async def takes(seconds: float) -> bytes:
            nonlocal now
            now += seconds
            if seconds > 1:
                raise ValueError("something is wrong")
            return b""

        await replays.get("a", "ada", lambda: takes(0.25))
        with pytest.raises(ValueError, match="wrong"):
            await replays.get("b", "ada", lambda: takes(2))
        assert rests == [0.25, 2]

    asyncio.run(story())


def test_an_error_is_reported_and_not_cached() -> None:
    """The next one who asks may have more luck, and the place in the queue is free again."""

    async def story() -> None:
        replays = Replays(replace(FREE, replays_per_address=1))

        async def fails() -> bytes:
            raise ValueError("something is wrong")

        async def works() -> bytes:
            return b"a"

        with pytest.raises(ValueError, match="wrong"):
            await replays.get("a", "ada", fails)
        assert await replays.get("a", "ada", works) == b"a"

    asyncio.run(story())


def test_the_replay_is_kept_when_its_first_client_leaves() -> None:
    """Others wait for the same rendering."""

    async def story() -> None:
        studio = Studio()
        first, second = await asked(studio, ("a", "ada"), ("a", "ben"))
        first.cancel()
        studio.go.set()
        assert await second == b"a"
        assert studio.rendered == ["a"]

    asyncio.run(story())


# ── A server ─────────────────────────────────────────────────────────────────────────────────


def finished(server: RunningServer) -> str:
    """Play a game to its end."""
    table = server.game()
    finish(server, table)
    return table


def test_a_finished_game_is_rendered_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In either encoding, and after a rematch has begun; a record counts by its text."""
    games: list[Game] = []
    rendered = routes_records.rendered

    def counted(game: Game, number: int = 1) -> bytes:
        games.append(game)
        return rendered(game, number)

    monkeypatch.setattr(routes_records, "rendered", counted)
    with running_server(tmp_path) as server:
        table = finished(server)
        first = server.get(film_path(table))
        plain = server.http.get(film_path(table), headers={"Accept-Encoding": "identity"})
        server.do(table, "Ada", "again", type="Rematch")
        assert first.content == plain.content == server.get(film_path(table)).content
        assert len(games) == 1
        texts = [server.get(path(table, 1, ending)).text for ending in ("cat", "json", "cat")]
        films = [server.post("/api/v1/replay", {"record": text}) for text in texts]
        assert {film.content for film in films} == {first.content}
        assert len(games) == 3
        assert server.get(film_path(table, 2)).status_code == 409
        assert server.get(film_path("nowhere")).status_code == 404


def test_finished_games_have_a_rate_limit_of_their_own(tmp_path: Path) -> None:
    """Replays, records, and records that are brought along; other requests go on."""
    with running_server(tmp_path, limits=replace(FREE, address_replays=Rate(0.001, 4))) as server:
        table = finished(server)
        text = server.get(path(table, 1)).text
        asks: list[Callable[[], httpx.Response]] = [
            lambda: server.get(film_path(table)),
            lambda: server.get(path(table, 1, "json")),
            lambda: server.post("/api/v1/replay", {"record": text}),
            lambda: server.get(path(table, 1)),
        ]
        assert [ask().status_code for ask in asks[:3]] == [200] * 3
        for ask in asks:
            answer = ask()
            assert refused(answer) == (429, "limit.replays")
            assert int(answer.headers["retry-after"]) >= 1
        assert server.snapshot(table)["room"]["stage"] == "over"
        assert server.parts.metrics.turned_away["rate"].value == 4
