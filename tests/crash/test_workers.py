"""Several workers on one PostgreSQL: players are anywhere, and anyone who dies is stood in for."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from crash.history import check
from crash.parties import Crowd, Party, until
from crash.people import Person
from crash.servers import LONG, Server, Way, command, lives, paced, post, quiet_port, running

from catinthebox.protocol.messages import Snapshot
from catinthebox.server.live.scheduler import LONGEST_MS
from catinthebox.store import open_store
from catinthebox.table import Acted, Came, ClockRanOut, Covered, Entry, Start, Went, decode

pytestmark = [pytest.mark.process, pytest.mark.timing]

TAKEOVER, POLL, SEEN = 1_000, 200, 3_000  # milliseconds
QUICK = {"takeover_ms": TAKEOVER, "poll_ms": POLL}
PRESENT = {"gone_ms": LONGEST_MS, "seen_ms": LONGEST_MS}  # nobody is away because a machine is slow
DEATHS = 4
SLACK = 600_000  # milliseconds that a busy machine may be late


class Pair:
    """Two workers, a crowd, and a way to each of them."""

    def __init__(self, db: str, folder: Path, first: dict[str, int], second: dict[str, int]):
        self.db = db
        self.first, self.second = (
            Server(paced(db, port, **QUICK, **pace), port, folder / f"{port}.log")
            for port, pace in ((quiet_port(), first), (quiet_port(), second))
        )
        self.to_first, self.to_second = Way(), Way()
        self.crowd = Crowd(seed=7)

    @asynccontextmanager
    async def playing(self) -> AsyncIterator[None]:
        """Let them work, and people play; in the end the log is what everybody was told."""
        async with asyncio.timeout(LONG), running(self.first, self.second):
            self.to_first.leads_to(self.first.port)
            self.to_second.leads_to(self.second.port)
            async with self.crowd.playing():
                yield
                assert await self.second.end() == 0
        assert self.first.troubles() + self.second.troubles() == []
        with open_store(self.db, readonly=True) as store:
            for party in self.crowd.parties:
                check(store, party)

    async def one_dies(self, number: int) -> None:
        """Kill a worker under load and start it again; most of its people come back to it."""
        sides = ((self.first, self.to_first), (self.second, self.to_second))
        (server, way), (other, _) = sides[number], sides[1 - number]
        crowd, chance = self.crowd, self.crowd.chance
        far = crowd.figures["answers"] + chance.choice((10, 30, 60))
        await until(lambda: crowd.figures["answers"] >= far, "answers")
        way.leads_nowhere()
        await server.kill()
        way.leads_to(other.port)
        await until(lambda: all(person.connected for person in crowd.people), "everybody")
        await server.start()
        way.leads_to(server.port)
        for person in crowd.people:
            if person.way is way and chance.random() < 0.7:
                await person.hang_up()

    async def first_dies(self, *, back: bool) -> int:
        """Kill the first worker; its people come back to the other one, or not. Give the time."""
        self.to_first.leads_nowhere()
        await self.first.kill()
        killed = now_ms()
        if back:
            self.to_first.leads_to(self.second.port)
        return killed

    def log(self, party: Party) -> list[Entry]:
        """What is in the store so far."""
        with open_store(self.db, readonly=True) as store:
            return [decode(event) for _, event in store.read(party.id)]


def now_ms() -> int:
    """The time that all workers share."""
    return time.time_ns() // 1_000_000


def never(seen: Snapshot) -> bool:
    """Think for ever, once the game has begun."""
    return seen.room.stage == "lobby"


def until_mid_trick(seen: Snapshot) -> bool:
    """Stop in the middle of the third trick, or of a later one."""
    return not mid_trick(seen)


def mid_trick(seen: Snapshot) -> bool:
    """Whether somebody has led, and somebody else has not followed."""
    round = seen.round
    return round is not None and bool(round.trick) and sum(round.won) >= 2


async def let_go(*people: Person) -> None:
    """Let people do what they were kept from."""
    for person in people:
        person.acts = lambda seen: True
        await person.nudge()


async def finished(party: Party) -> None:
    """Play to the end of the game."""
    party.play_on()
    await let_go(*party.people)
    await until(lambda: party.at_rest, "the end of the game", LONG)


# ── Playing ──────────────────────────────────────────────────────────────────────────────────


def test_players_of_a_table_are_on_different_workers(tmp_path: Path, postgres_url: str) -> None:
    """They finish games; anyone who asks both workers for the same thing gets it once."""

    async def story() -> None:
        pair = Pair(postgres_url, tmp_path, {}, {})
        one, other = pair.to_first, pair.to_second
        parties = [
            pair.crowd.party([one, other, one, other], 4),
            pair.crowd.party([one, other], 3),
        ]
        for person in pair.crowd.people:
            person.also = other if person.way is one else one
        async with pair.playing():
            for party in parties:
                await finished(party)
            assert await pair.first.end() == 0

    asyncio.run(story())


def test_a_worker_is_killed_in_the_middle_of_a_trick(tmp_path: Path, postgres_url: str) -> None:
    """Its people come back to the other one, and the game goes on."""

    async def story() -> None:
        pair = Pair(postgres_url, tmp_path, PRESENT, PRESENT)
        one, other = pair.to_first, pair.to_second
        party = pair.crowd.party([one, other, one, other], 5)
        for person in party.people:
            person.acts = until_mid_trick
        async with pair.playing():
            await until(lambda: party.people[1].sees(mid_trick), "a third trick")
            orphans = [person for person in party.people if person.way is one]
            await let_go(*orphans)  # somebody's card may be on its way
            await pair.first_dies(back=True)
            await finished(party)
            assert all(person.lines == 2 for person in orphans)
        assert not any(isinstance(entry.event, Went) for entry in pair.log(party))

    asyncio.run(story())


def test_workers_behind_one_port(tmp_path: Path, postgres_url: str) -> None:
    """`--workers 2`: each of them is killed once in the middle of games, and replaced."""
    port = quiet_port()
    words = command(postgres_url, port, "--workers", "2")
    server = Server(words, port, tmp_path / "server.log")
    crowd = Crowd(seed=11)

    def pids() -> list[int]:
        return [int(line["pid"]) for line in server.events("worker_started")]

    async def story() -> None:
        way = Way()
        parties = [crowd.party([way] * people, players) for people, players in ((4, 4), (2, 3))]
        async with asyncio.timeout(LONG), running(server):
            way.leads_to(port)
            async with crowd.playing():
                for victim in pids():
                    await some_moves(parties)
                    os.kill(victim, signal.SIGKILL)
                for party in parties:
                    await finished(party)
                await until(lambda: len(pids()) == 4, "others in their places", every=0.1)
                assert await server.end() == 0
        assert not any(map(lives, pids()))

    asyncio.run(story())
    assert server.troubles() == []
    with open_store(postgres_url, readonly=True) as store:
        for party in crowd.parties:
            check(store, party)


async def some_moves(parties: list[Party]) -> None:
    """Let every table play on for a while."""
    far = [party.version + 20 for party in parties]
    await until(lambda: all(p.version > v for p, v in zip(parties, far, strict=True)), "moves")


def test_workers_die_in_turns(tmp_path: Path, postgres_url: str) -> None:
    """Both are at work, one is killed, its people go over to the other one; then the other way."""

    async def story() -> None:
        pair = Pair(postgres_url, tmp_path, {}, {})
        ways = (pair.to_first, pair.to_second, pair.to_first, pair.to_second)
        for people, players in ((4, 4), (3, 3), (2, 3), (2, 4)):
            pair.crowd.party(ways[:people], players)
        async with pair.playing():
            for death in range(DEATHS):
                await pair.one_dies(death % 2)
            for party in pair.crowd.parties:
                await finished(party)
            assert await pair.first.end() == 0

    asyncio.run(story())


# ── Standing in ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("looking", [True, False], ids=["seen", "unseen"])
def test_bots_of_a_dead_worker_move(looking: bool, tmp_path: Path, postgres_url: str) -> None:
    """A worker dies while its bots think; the other one asks its own, looking on or not."""

    async def story() -> None:
        pair = Pair(postgres_url, tmp_path, {"bot_ms": 60_000}, {})
        party = pair.crowd.party([pair.to_second if looking else pair.to_first], 3)
        (ada,) = party.people
        ada.acts = lambda seen: not full(seen)
        async with pair.playing():
            await until(lambda: ada.sees(full), "the bots")
            body = {"id": "start", "command": {"type": "Start"}}
            path = f"/tables/{party.table}/commands"
            ada.sent["start"], version = Start(), party.version
            done = await post(pair.first.port, path, body, ada.token, ada.address)
            assert done == {"type": "Done", "id": "start", "version": version + 2}
            await pair.first_dies(back=False)
            await until(lambda: len(bot_moves(pair, party)) >= 2, "their moves", every=0.1)
        begun = next(entry.at for entry in pair.log(party) if entry.receipt is not None)
        first = bot_moves(pair, party)[0].at
        assert first >= begun + TAKEOVER
        assert first <= begun + TAKEOVER + POLL + SLACK

    asyncio.run(story())


def full(seen: Snapshot) -> bool:
    """Whether every seat is taken."""
    return all(who.kind != "empty" for who in seen.seats.seats)


def bot_moves(pair: Pair, party: Party) -> list[Entry]:
    """What bots did."""
    log = pair.log(party)
    return [entry for entry in log if isinstance(entry.event, Acted) and entry.event.bot]


@pytest.mark.parametrize("looking", [True, False], ids=["seen", "unseen"])
def test_clocks_of_a_dead_worker_run_on(looking: bool, tmp_path: Path, postgres_url: str) -> None:
    """Time runs out while nobody's worker is there; the other one notices, and a bot moves."""

    async def story(move_ms: int) -> bool:
        """Whether the worker could be killed before the time had run out; then all is well."""
        pair = Pair(postgres_url, tmp_path, {}, {})
        ways = [pair.to_first, pair.to_second if looking else pair.to_first]
        party = pair.crowd.party(ways, 2, move_ms=move_ms)
        ada, bohr = party.people
        ada.acts = bohr.acts = never
        async with pair.playing():
            await until(lambda: bohr.sees(lambda seen: seen.room.stage == "play"), "the deal")
            deadline = min(filter(None, bohr.seen.turn.deadlines))
            killed = await pair.first_dies(back=False)
            await until(lambda: len(bot_moves(pair, party)) >= 2, "their moves", every=0.1)
        late = [e for e in pair.log(party) if e.event in (ClockRanOut(0), ClockRanOut(1))]
        assert late[0].event != late[1].event
        assert deadline <= late[0].at <= deadline + TAKEOVER + POLL + SLACK
        return killed < deadline

    assert any(asyncio.run(story(move_ms)) for move_ms in (2_500, 10_000, 40_000))


def test_people_whose_worker_died_are_away(tmp_path: Path, postgres_url: str) -> None:
    """Nobody says so; it is noticed, a bot covers the seat, and hands it back."""

    async def story() -> None:
        pair = Pair(postgres_url, tmp_path, {"seen_ms": SEEN}, {"seen_ms": SEEN})
        party = pair.crowd.party([pair.to_first, pair.to_second], 3, grace_ms=400)
        ada, bohr = party.people
        ada.acts = bohr.acts = until_mid_trick
        async with pair.playing():
            await until(lambda: bohr.sees(mid_trick), "a third trick")
            await let_go(bohr)
            killed = await pair.first_dies(back=False)
            seat = ada.seen.seat
            assert seat is not None
            await until(lambda: not bohr.seen.seats.seats[seat].here, "that she is away")
            await until(lambda: bohr.seen.seats.seats[seat].covered, "a bot")
            await until(lambda: bohr.seen.room.stage == "between", "the end of the round")
            pair.to_first.leads_to(pair.second.port)
            await until(lambda: bohr.seen.seats.seats[seat].here, "that she is back")
            await finished(party)
        log = [entry for entry in pair.log(party) if entry.at >= killed]
        fate = [Went(seat), Covered(seat), Came(seat)]
        moments = [entry for entry in log if entry.event in fate]
        assert [entry.event for entry in moments[:3]] == fate
        assert moments[0].at <= killed + SEEN + POLL + SLACK
        acts = [entry.event for entry in log if isinstance(entry.event, Acted)]
        assert any(act.bot for act in acts if act.seat == seat)

    asyncio.run(story())
