"""Messages that are none: each has one answer or ends its connection, and nothing else happens.

Over 80,000 of them in `make test`; `CATINTHEBOX_SOAK=1` sends ten times as many. Most go to the
code behind the sockets without a network in between, several thousand through real ones
(`test_bad_frames.py`). Requests that are none are in `test_bad_requests.py`.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from server.harness import Json, QuickBots, public_id, token
from server.malformed import (
    FROM_CLIENT,
    FROM_SERVER,
    GOOD,
    ON_SOCKETS,
    SOAK,
    STILL,
    Event,
    Flat,
    Wire,
    connect,
    frame,
    meant,
    text,
)

from catinthebox.server.access import rate_limits
from catinthebox.server.composition import ServerParts, opened
from catinthebox.server.ops.config import Config
from catinthebox.server.ops.limits import NO_LIMIT, Limits
from catinthebox.server.ops.logs import Logs
from catinthebox.table import Settings, Sit, token_hash

SEEDS: Final = range(5)
LATER: Final = 12_000 * SOAK  # messages of each seed after the hello …
FIRST: Final = 4_000 * SOAK  # … and in its place
BATCH: Final = 100  # at once; more than 256 answers would not wait for anybody

LAW = settings(max_examples=150 * SOAK, deadline=None, derandomize=SOAK == 1)


# ── A server without a network ───────────────────────────────────────────────────────────────


class InMemoryServer:
    """A server in this event loop, with one table at which Ada sits."""

    def __init__(self, parts: ServerParts, table: str, lines: list[str]) -> None:
        self.parts = parts
        self.table = table
        self.lines = lines  # of its log

    def state(self) -> tuple[int, int, list[str]]:
        """Everything that a message could change: the table, its log, the other tables."""
        id = public_id(self.table)
        live = self.parts.hub.tables[id].table
        return live.version, self.parts.hub.store.last(id), list(self.parts.hub.tables)

    @asynccontextmanager
    async def client(self) -> AsyncIterator[Wire]:
        """Open a connection that has said hello."""
        wire, served = connect(self.parts, self.table)
        wire.feed(text(json.dumps({"type": "Hello", "token": token("Ada")})))
        assert [one["type"] for one in await wire.answers()] == ["Snapshot", "Pong"]
        yield wire
        wire.feed({"type": "websocket.disconnect", "code": 1000})
        await served


@asynccontextmanager
async def serving(folder: Path) -> AsyncIterator[InMemoryServer]:
    """Run one; in the end nothing has changed, nothing has failed, and it still serves."""
    lines: list[str] = []
    logs = Logs(lines.append, time.time, bytes(32), strict=True)
    config = Config(db=folder / "games.db", limits=Limits.unlimited(), pace=STILL)
    async with opened(config, logs, QuickBots()) as parts:
        table = await parts.hub.create(Settings(3), token_hash(token("Ada")), [Sit("Ada")])
        server = InMemoryServer(parts, parts.hub.links.play(table), lines)
        before = server.state()
        yield server
        assert server.state() == before
        async with server.client() as wire:
            say = {"type": "Do", "id": "good", "command": {"type": "Say", "text": "hello"}}
            done = [one["type"] for one in await wire.answers(text(json.dumps(say)))]
            assert done == ["Frame", "Done", "Pong"]
    assert not [line for line in lines if '"error"' in line], lines


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let connections go on that would be closed after twenty messages in vain."""
    monkeypatch.setattr(rate_limits, "REFUSED_MESSAGES", NO_LIMIT)


def refused(event: Event, answer: Json) -> None:
    """Insist that an answer refuses a message, in words that are ours."""
    assert answer["type"] == "Refused", (event, answer)
    assert answer["code"].startswith("input."), (event, answer)
    assert answer["id"] in event.get("text", ""), (event, answer)
    assert 0 < len(answer["message"]) <= 1000, (event, answer)
    FROM_SERVER.validate(answer)


async def insist(wire: Wire, events: list[Event]) -> list[str]:
    """Send messages that are none; each is refused, once, in order. The codes are given."""
    *answers, pong = await wire.answers(*events)
    assert pong["type"] == "Pong", (pong, wire.close)
    for event, answer in zip(events, answers, strict=True):
        refused(event, answer)
    return [answer["code"] for answer in answers]


# ── Many ─────────────────────────────────────────────────────────────────────────────────────


def test_there_are_enough() -> None:
    """The sizes of the tests below, together; and what is damaged is all there is."""
    assert len(SEEDS) * (LATER + FIRST) + ON_SOCKETS >= 80_000
    assert all(FROM_CLIENT.is_valid(message) for message in GOOD)
    kinds = {message["type"] for message in GOOD}
    commands = {message["command"]["type"] for message in GOOD if message["type"] == "Do"}
    assert (len(kinds), len(commands)) == (5, 18)


async def nonsense(folder: Path, seed: int, messages: int) -> Counter[str]:
    """Send so many messages that are none to a server; return how often each code refused one."""
    rng, codes, flat = Random(seed), Counter[str](), Flat(messages // 10)
    async with serving(folder) as server:
        for _ in range(messages // BATCH // 20):
            async with server.client() as wire:  # connections come and go meanwhile
                for _ in range(20):
                    codes.update(await insist(wire, [frame(rng) for _ in range(BATCH)]))
                    flat.at(codes.total())
        flat.end()
    return codes


@pytest.mark.long
@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_no_message_is_refused_and_changes_nothing(tmp_path: Path, seed: int) -> None:
    """One answer for each, of every kind; memory stays as it is."""
    codes = asyncio.run(nonsense(tmp_path, seed, LATER))
    assert codes.total() == LATER
    assert {"input.json", "input.type", "input.field", "input.value"} <= set(codes)


@pytest.mark.long
@pytest.mark.parametrize("seed", SEEDS)
def test_a_first_message_other_than_hello_ends_the_connection(tmp_path: Path, seed: int) -> None:
    """With a last word and a documented code; memory stays as it is."""

    async def story() -> None:
        rng, ends, flat = Random(seed), Counter[int](), Flat(FIRST // 10)
        async with serving(tmp_path) as server:
            for sent in range(FIRST):
                wire, served = connect(server.parts, server.table)
                event = frame(rng)
                wire.feed(event)
                await served
                (last,) = wire.sent
                assert last["type"] == "Bye", event
                assert last["code"].startswith("input."), event
                ends[wire.close] += 1
                flat.at(sent)
            flat.end()
        assert set(ends) == {4400, 4401}

    asyncio.run(story())


def test_too_much_nonsense_ends_the_connection(tmp_path: Path) -> None:
    """Twenty times in a row or so; everything until then is answered."""

    async def story() -> None:
        rng = Random(0)
        async with serving(tmp_path) as server:
            for _ in range(100 * SOAK):
                events = [frame(rng) for _ in range(40)]
                async with server.client() as wire:
                    *answers, last = await wire.answers(*events)
                    assert (last["code"], wire.close) == ("limit.nonsense", 4429)
                    assert 20 <= len(answers) <= 22
                    for event, answer in zip(events, answers, strict=False):
                        refused(event, answer)

    asyncio.run(story())


@pytest.mark.long
@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("place", ['"hello"', '"5b"', "7", '"Say"', '{"type": "Say"'])
def test_no_depth_is_a_surprise(tmp_path: Path, place: str) -> None:
    """Around the depth at which Python's own readers give up, one after the other."""
    say = '{"type": "Do", "id": "m1", "command": {"type": "Say", "text": "hello"}}'
    act = '{"type": "Do", "id": "m1", "command": {"type": "Act", "action": "5b", "turn": 7}}'
    message = say if place in say else act

    async def story() -> None:
        async with serving(tmp_path) as server, server.client() as wire:
            for opening, closing in (("[", "]"), ('{"a":', "}")):
                deep = [opening * depth + "1" + closing * depth for depth in range(900, 1010)]
                await insist(wire, [text(message.replace(place, nested)) for nested in deep])

    asyncio.run(story())


# ── A grammar ────────────────────────────────────────────────────────────────────────────────

VALUES: Final[st.SearchStrategy[Any]] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)
FIELDS: Final = st.dictionaries(
    st.sampled_from(["type", "id", "command", "action", "token", "version", "seat", "name", "x"]),
    st.sampled_from(["Do", "Ask", "Say", "Sit", "m1", "5b", "hello", 0, 1, None]) | VALUES,
)
LINES: Final = (
    (VALUES | FIELDS | FIELDS.map(lambda command: {"type": "Do", "id": "m", "command": command}))
    .map(json.dumps)
    .filter(lambda line: not meant(line))
) | st.text().filter(lambda line: not meant(line))


@pytest.fixture(scope="module")
def running(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[asyncio.Runner, InMemoryServer]]:
    with asyncio.Runner() as runner:
        opening = serving(tmp_path_factory.mktemp("grammar"))
        server = runner.run(opening.__aenter__())
        yield runner, server
        runner.run(opening.__aexit__(None, None, None))


@pytest.mark.long
@LAW
@given(lines=st.lists(LINES, min_size=1, max_size=15))
@example(lines=["", "\ud800", "{}", "null", '{"type":"Ping","type":"Ping"}', '"' + "\\" * 99])
def test_what_a_grammar_makes_is_refused(
    running: tuple[asyncio.Runner, InMemoryServer], lines: list[str]
) -> None:
    """The smallest that is not would be shown."""
    runner, server = running

    async def story() -> None:
        async with server.client() as wire:
            await insist(wire, [text(line) for line in lines])

    runner.run(story())
