"""Spectators never take the room of those who play, nor all of it from other spectators."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from server.harness import (
    RunningServer,
    SocketClient,
    bearer,
    ended,
    eventually,
    refused,
    running_server,
    token,
)
from server.raw_bytes import raw, status, upgrade
from websockets.exceptions import InvalidStatus

from catinthebox.server.access.admission import REPLACED, Admission
from catinthebox.server.errors import Limited, Overloaded
from catinthebox.server.live.outbox import Outbox
from catinthebox.server.ops.limits import Limits

FREE = Limits.unlimited()
API = "/api/v1/tables"


# ── Laws ─────────────────────────────────────────────────────────────────────────────────────


def outbox(address: str, player: bool) -> Outbox:
    """A connection of a player or a visitor."""
    line = Outbox("", address=address)
    line.player = player
    return line


class Inside:
    """Connections that were admitted and have not gone."""

    def __init__(self, each: int, total: int) -> None:
        self.admission = Admission("sockets", each, total, Limits())
        self.lines: dict[Outbox, ExitStack] = {}

    def come(self, line: Outbox) -> bool:
        """Admit a connection, if there is room for it; one that was replaced for it is gone."""
        stack = ExitStack()
        with suppress(Limited, Overloaded):
            stack.enter_context(self.admission.arriving(line.address))
            stack.enter_context(self.admission.admitted(line))
            self.lines[line] = stack
            for other in [other for other in self.lines if other.ended]:
                self.go(other)
            return True
        stack.close()
        return False

    def go(self, line: Outbox) -> None:
        """Let it go."""
        self.lines.pop(line).close()

    def count(self, address: str) -> int:
        """How many there are of an address."""
        return sum(line.address == address for line in self.lines)


comings = st.tuples(st.sampled_from("abcd"), st.booleans())


@settings(deadline=None, derandomize=True, max_examples=50)
@given(st.integers(1, 3), st.integers(1, 6), st.lists(comings, max_size=40))
def test_players_come_before_visitors(
    each: int, total: int, arrivals: list[tuple[str, bool]]
) -> None:
    """Within the limits, a player is refused only by players, and no player has to go."""
    inside = Inside(each, total)
    for address, player in arrivals:
        before = dict.fromkeys(inside.lines)
        line = outbox(address, player)
        own = [other.player for other in before if other.address == address]
        came = inside.come(line)
        assert len(inside.lines) <= total
        assert all(inside.count(one) <= each for one in "abcd")
        gone = [other for other in before if other not in inside.lines]
        assert len(gone) <= came
        assert all(other.ended == REPLACED and not other.player for other in gone)
        if player and not came:
            full = own if len(own) >= each else [other.player for other in before]
            assert all(full)


@settings(deadline=None, derandomize=True)
@given(st.integers(1, 12), st.lists(st.sampled_from("abcd"), max_size=60))
def test_visitors_share_evenly(total: int, arrivals: list[str]) -> None:
    """Anyone who comes from an address that has less than its share gets in; nobody else does."""
    inside = Inside(100, total)
    for address in arrivals:
        counts = Counter(line.address for line in inside.lines)
        most = max(counts.values(), default=0)
        came = inside.come(outbox(address, player=False))
        assert came == (len(counts) == 0 or counts.total() < total or most > counts[address] + 1)
        assert inside.count(address) == counts[address] + came


def test_everything_is_given_back() -> None:
    """Also by connections that were replaced, and by those who were refused."""
    inside = Inside(2, 3)
    for address in "aabbcc" * 3:
        inside.come(outbox(address, player=False))
        inside.come(outbox(address, player=True))
    assert inside.admission.total == len(inside.lines) == 3
    for line in list(inside.lines):
        inside.go(line)
    assert inside.admission.total == 0
    assert all(inside.come(outbox(address, player=False)) for address in "abc")


# ── A server ─────────────────────────────────────────────────────────────────────────────────


@contextmanager
def hall(path: Path, **limits: int) -> Iterator[RunningServer]:
    """A server with small limits that believes what we say about addresses."""
    small = replace(FREE, **limits)  # type: ignore[arg-type]
    with running_server(path, limits=small, proxies=("127.0.0.1",)) as server:
        yield server


def come(
    server: RunningServer, stack: ExitStack, table: str, address: str, who: str = ""
) -> SocketClient:
    """Connect from an address."""
    headers = {"X-Forwarded-For": address}
    line = SocketClient(stack.enter_context(server.socket(table, additional_headers=headers)))
    line.send("Hello", token=token(who) if who else "")
    return line


def welcome(line: SocketClient) -> None:
    """See that a connection was let in."""
    assert line.receive()["type"] == "Snapshot"


def test_spectators_do_not_keep_players_from_a_table(tmp_path: Path) -> None:
    """Neither one who has a seat, nor the host, nor a friend who wants to sit down."""
    with hall(tmp_path, spectators_per_table=4) as server, ExitStack() as stack:
        table = server.open("Ada")
        crowd = [come(server, stack, table, "198.51.100.1", f"Mallory {n}") for n in range(4)]
        for line in crowd:
            welcome(line)
        assert ended(come(server, stack, table, "198.51.100.1")) == (REPLACED, 4429)
        welcome(come(server, stack, table, "203.0.113.1", "Ada"))
        friend = come(server, stack, table, "203.0.113.2", "Ben")
        welcome(friend)
        assert ended(crowd[-1]) == (REPLACED, 4429)
        friend.do("sit", type="Sit", name="Ben")
        assert friend.receive("Done", "Refused")["type"] == "Done"
        welcome(come(server, stack, table, "203.0.113.2", "Ben"))
        for line in crowd[:-1]:
            line.send("Ping")
            assert line.receive("Pong", "Bye")["type"] == "Pong"


def test_a_host_without_a_seat_is_no_spectator(tmp_path: Path) -> None:
    """They arrange the table."""
    with hall(tmp_path, spectators_per_table=1) as server, ExitStack() as stack:
        opened = server.post(API, {"settings": {"players": 3}}, "Ada").json()["table"]
        welcome(come(server, stack, opened, "198.51.100.1"))
        welcome(come(server, stack, opened, "198.51.100.1", "Ada"))


def test_spectators_do_not_keep_players_from_a_server(tmp_path: Path) -> None:
    """A player gets the socket of a visitor; a server full of players says so at the door."""
    with hall(tmp_path, sockets=2, arriving=1) as server, ExitStack() as stack:
        tables = [server.open(who) for who in ("Ada", "Ben")]
        crowd = [come(server, stack, tables[0], "198.51.100.1") for _ in range(2)]
        for line in crowd:
            welcome(line)
        assert ended(come(server, stack, tables[0], "198.51.100.1")) == ("server.full", 1013)
        eventually(lambda: server.parts.rate_limits.sockets.total == 2)
        for who, table, visitor in zip(("Ada", "Ben"), tables, reversed(crowd), strict=True):
            welcome(come(server, stack, table, "203.0.113.1", who))
            assert ended(visitor) == (REPLACED, 4429)
            eventually(lambda: server.parts.rate_limits.sockets.total == 2)
        with pytest.raises(InvalidStatus) as full:
            come(server, stack, tables[0], "203.0.113.1", "Ada")
        assert full.value.response.status_code == 503


def test_spectators_do_not_keep_players_from_their_address(tmp_path: Path) -> None:
    """People behind one address share its limits, and those who play come first, too."""
    with (
        hall(tmp_path, sockets_per_address=2, arriving_per_address=1) as server,
        ExitStack() as stack,
    ):
        table = server.open("Ada")
        crowd = [come(server, stack, table, "198.51.100.1") for _ in range(2)]
        for line in crowd:
            welcome(line)
        assert ended(come(server, stack, table, "198.51.100.1")) == ("limit.sockets", 4429)
        eventually(lambda: server.parts.rate_limits.sockets.total == 2)
        welcome(come(server, stack, table, "198.51.100.1", "Ada"))
        assert ended(crowd[1]) == (REPLACED, 4429)
        welcome(come(server, stack, table, "203.0.113.1"))


def test_streams_are_shared_in_the_same_way(tmp_path: Path) -> None:
    """A player's bot gets the stream of a visitor."""
    with hall(tmp_path, streams=1) as server, ExitStack() as stack:
        table = server.open("Ada")
        path = f"{API}/{table}/events"
        lines = stack.enter_context(server.http.stream("GET", path)).iter_lines()
        assert "Snapshot" in next(lines)
        assert refused(server.get(path)) == (503, "server.full")
        own = stack.enter_context(
            server.http.stream("GET", path, headers=bearer("Ada"))
        ).iter_lines()
        assert "Snapshot" in next(own)
        assert REPLACED in next(lines)
        eventually(lambda: server.parts.rate_limits.streams.total == 1)
        assert refused(server.get(path, "Ada")) == (503, "server.full")


def test_few_may_keep_silent_beyond_the_limit(tmp_path: Path) -> None:
    """Anyone who has not said who they are yet, in case they are a player; the next is refused."""
    with hall(tmp_path, sockets=1, arriving=1) as server, ExitStack() as stack:
        table = server.open("Ada")
        welcome(come(server, stack, table, "198.51.100.1"))
        stack.enter_context(server.socket(table))
        assert status(raw(server, upgrade(table))) == 503
