"""The real server is killed under load, again and again: nothing that anybody was told is lost."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest
from crash.history import check
from crash.parties import Crowd, until
from crash.servers import LONG, Server, Way, command, quiet_port

from catinthebox.store import open_store

pytestmark = [pytest.mark.process, pytest.mark.timing]

SQLITE_KILLS, POSTGRES_KILLS = 15, 10
PARTIES = ((2, 2), (3, 3), (4, 4), (5, 3), (4, 2), (3, 2), (3, 1), (2, 1))  # players, people


async def hard_times(server: Server, crowd: Crowd, way: Way, kills: int, chance: Random) -> None:
    """Kill a server and start it again, at moments that chance decides."""
    for life in range(kills):
        if life and chance.random() < 0.15:  # before it can do anything
            await server.spawn()
            await asyncio.sleep(chance.uniform(0.0, 0.6))
        else:
            await server.start()
            way.leads_to(server.port)
            await some_time(crowd, chance)
        way.leads_nowhere()
        crowd.figures["in flight"] += crowd.in_flight
        crowd.figures["kills"] += 1
        await server.kill()


async def some_time(crowd: Crowd, chance: Random) -> None:
    """Let people play until there were some answers, or bots have made some moves."""
    answers, versions = crowd.figures["answers"], with_bots(crowd)
    if chance.random() < 0.5:
        some = chance.choice((0, 1, 10, 40, 80))
        await until(lambda: crowd.figures["answers"] >= answers + some, "answers")
    else:
        some = chance.choice((10, 30, 60))
        await until(lambda: with_bots(crowd) >= versions + some, "moves at tables with bots")
    await asyncio.sleep(chance.uniform(0.0, 0.02))


def with_bots(crowd: Crowd) -> int:
    """How much has happened where bots play."""
    return sum(party.version for party in crowd.parties if party.bots)


async def killed(db: str, folder: Path, kills: int, seed: int) -> Crowd:
    """Kill a server that many times, then let every table play a game to its end."""
    crowd, way, port = Crowd(seed), Way(), quiet_port()
    server = Server(command(db, port), port, folder / "server.log")
    for players, people in PARTIES:
        crowd.party([way] * people, players)
    try:
        async with asyncio.timeout(LONG), crowd.playing():
            await hard_times(server, crowd, way, kills, crowd.chance)
            await server.start()
            way.leads_to(port)
            for party in crowd.parties:
                party.play_on()
            for person in crowd.people:
                await person.nudge()
            await until(lambda: all(party.at_rest for party in crowd.parties), "rest", LONG)
            assert await server.end() == 0
    finally:
        await server.leave_nothing()
    assert server.troubles() == []
    return crowd


def nothing_is_lost(db: str, crowd: Crowd) -> None:
    """Hold the logs against everything that people were told."""
    with open_store(db, readonly=True) as store:
        for party in crowd.parties:
            table = check(store, party)
            assert table.stage == "over"
            assert {person.version for person in party.people} == {table.version}


def it_was_hard(crowd: Crowd, kills: int) -> None:
    """Insist that the kills came at moments at which something could be lost."""
    acknowledged = sum(len({done.id for done in person.done}) for person in crowd.people)
    assert crowd.figures["kills"] == kills
    assert crowd.figures["in flight"] > kills  # commands were under way when it died
    assert sum(person.late for person in crowd.people) > 0  # some written down, and not yet told
    assert acknowledged > 10 * kills


def test_sqlite(tmp_path: Path) -> None:
    """A file, one process after the other."""
    db = str(tmp_path / "games.db")
    crowd = asyncio.run(killed(db, tmp_path, SQLITE_KILLS, seed=1))
    nothing_is_lost(db, crowd)
    it_was_hard(crowd, SQLITE_KILLS)


def test_postgres(tmp_path: Path, postgres_url: str) -> None:
    """A data base which outlives the server, and may still be busy with its last wish."""
    crowd = asyncio.run(killed(postgres_url, tmp_path, POSTGRES_KILLS, seed=2))
    nothing_is_lost(postgres_url, crowd)
    it_was_hard(crowd, POSTGRES_KILLS)
