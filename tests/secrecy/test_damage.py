"""A log that cannot be true: anyone who asks is told that something is wrong, and not what.

The words in which a codec or a fold explains what it met are for the server's host. They may
quote an event, and an event may be a deal.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from typing import Any, Final

import pytest
from live_tables import NOON, TOKENS, Party, seated
from msgspec.structs import replace
from secrecy.canary import Canary
from secrecy.people import API, EVERYBODY, Person
from secrecy.simulated_server import LOG, Said, SimulatedServer, Wire, overheard
from simulation.loop import SimLoop

from catinthebox import Action
from catinthebox.server.bots.fair_queue import Place
from catinthebox.server.ops.limits import Limits
from catinthebox.store.requests import Append
from catinthebox.table import (
    Acted,
    BotTurn,
    CardsDealt,
    Entry,
    Ready,
    Rematch,
    Start,
    Table,
    decode,
    encode,
    replay,
)

SENTENCE: Final = "a server error; it has been logged"
BEAT: Final = 0.05

Log = list[bytes]
Damage = Callable[[Log], None]


class NoBots:
    """Nobody plays here but people."""

    async def choose(self, turn: BotTurn, seed: int, place: Place) -> Action:
        """Never be asked."""
        raise AssertionError("there are no bots")


class Club:
    """Ada and Bohr in the middle of a round, dealt by the server's own dealer."""

    id: str

    def __init__(self, loop: SimLoop) -> None:
        self.server = SimulatedServer(loop, None, NoBots(), Limits.unlimited())
        self.ada, self.bohr = Person(self.server, "Ada"), Person(self.server, "Bohr")

    @property
    def log(self) -> Log:
        """The table on the disk."""
        return self.server.disk.logs[self.id]

    @property
    def table(self) -> Table:
        """The table as it should be."""
        return replay(map(decode, self.log))

    @property
    def path(self) -> str:
        """Where it is."""
        return f"{API}/tables/{self.key}"

    @property
    def key(self) -> str:
        """The key to play there."""
        return self.server.parts.hub.links.play(self.id)

    async def begin(self) -> None:
        """Open a table, sit down, begin, discard and play a card."""
        await self.server.open()
        self.ada.post(f"{API}/tables", {"settings": {"players": 2}, "name": "Ada"})
        await asyncio.sleep(BEAT)
        (self.id,) = self.server.parts.hub.tables
        self.ada.come(self.key)
        self.bohr.come(self.key)
        self.bohr.do("Sit", name="Bohr")
        await asyncio.sleep(BEAT)
        self.ada.do("Start")
        await asyncio.sleep(BEAT)
        for _ in range(3):
            round = self.table.round
            assert round is not None
            seat = round.to_act[0]
            (self.ada, self.bohr)[seat].do("Act", action=str(min(round.legal_for(seat))))
            await asyncio.sleep(BEAT)
        assert len(self.table.moves) == 3

    async def again(self) -> None:
        """Crash, and come back on the same disk."""
        self.server.crash()
        await self.server.open()
        self.server.said.clear()

    async def ask(self) -> list[Wire]:
        """Ask for everything there is, as a seat and as nobody."""
        ada, path = self.ada, self.path
        wires = [
            *(ada.get(path), self.bohr.get(path), self.server.ask(EVERYBODY, path)),
            *(ada.get(f"{path}/why?action=5b"), ada.streamed(), ada.streamed(3)),
            *(ada.get(f"{path}/games/1/record.{ending}") for ending in ("cat", "json")),
            ada.post(f"{path}/commands", {"id": "x", "command": {"type": "Pause"}}),
            *(
                ada.socket(),
                self.bohr.socket(3),
                Person(self.server, "", to=EVERYBODY).come(self.key),
            ),
        ]
        await asyncio.sleep(BEAT)
        return wires


def lived(run: Callable[[Club], Coroutine[Any, Any, None]]) -> list[Said]:
    """Live through something; errors in logs are what it is about."""
    with SimLoop(5, jitter=False) as loop:
        club = Club(loop)
        with overheard(lambda words: club.server.record(LOG, words)):
            loop.run_until_complete(run(club))
        return club.server.said


def says_nothing(wire: Wire) -> None:
    """Insist on the answer that is always the same: 500, or a good-bye and 1011."""
    first, last = wire.got[0], wire.got[-1]
    if first.startswith(b"accept"):
        bye, close = wire.got[-2:]
        assert close == b"close 1011\nserver.failure"
        assert json.loads(bye) == {"type": "Bye", "code": "server.failure", "message": SENTENCE}
        return
    assert first.startswith(b"http.response.start 500\n")
    body = json.loads(last.removesuffix(b"\n(end)"))
    assert (body["type"], body["code"], body["message"]) == ("Refused", "server.failure", SENTENCE)
    assert not any(value for name, value in body.items() if name not in ("type", "code", "message"))


# ── A table that is read ─────────────────────────────────────────────────────────────────────


def deal(log: Log) -> int:
    """Where the deal is."""
    return next(place for place, line in enumerate(log) if b'"Dealt"' in line)


def dealt(log: Log, hands: Callable[[tuple[str, ...]], tuple[str, ...]]) -> None:
    """Let something else be dealt."""
    entry = decode(log[deal(log)])
    assert isinstance(entry.event, CardsDealt)
    event = replace(entry.event, hands=hands(entry.event.hands))
    log[deal(log)] = encode(replace(entry, event=event))


def swapped(log: Log) -> None:
    """Seat 0 has other cards, so that it did what it could not."""
    entries = map(decode, log)
    did = next(e.event.action for e in entries if isinstance(e.event, Acted) and not e.event.seat)

    def others(hands: tuple[str, ...]) -> tuple[str, ...]:
        gone = hands[0].count(str(did.rank))
        taken = hands[1].replace(str(did.rank), "")[:gone]
        mine = hands[0].replace(str(did.rank), "") + taken
        cards = sorted(hands[0] + hands[1])
        for card in mine:
            cards.remove(card)
        return "".join(sorted(mine)), "".join(cards)

    dealt(log, others)


def one_too_many(log: Log) -> None:
    """A hand has a card more."""
    dealt(log, lambda hands: (hands[0] + "1", *hands[1:]))


def no_cards(log: Log) -> None:
    """Hands are words."""
    dealt(log, lambda hands: (f"{hands[0]} and a cat", *hands[1:]))


def cut_off(log: Log) -> None:
    """The end of a line is missing."""
    log[deal(log)] = log[deal(log)][:-20]


def no_text(log: Log) -> None:
    """A line is not even text."""
    log[deal(log)] = log[deal(log)].replace(b"hands", b"h\xffnds")


def another_event(log: Log) -> None:
    """An event of another time."""
    log[deal(log)] = log[deal(log)].replace(b'"Dealt"', b'"Shown"')


def another_field(log: Log) -> None:
    """An event knows more than it should."""
    log[deal(log)] = log[deal(log)].replace(b'"type":"Dealt"', b'"seen":"9","type":"Dealt"')


def lost(log: Log) -> None:
    """The deal is missing."""
    del log[deal(log)]


def twice(log: Log) -> None:
    """The deal happens twice."""
    log.insert(deal(log), log[deal(log)])


def out_of_time(log: Log) -> None:
    """Time runs backwards."""
    entry = decode(log[deal(log)])
    log[deal(log)] = encode(replace(entry, at=NOON - 1))


DAMAGES: Final[tuple[Damage, ...]] = (
    *(swapped, one_too_many, no_cards, cut_off, no_text, another_event, another_field, lost),
    *(twice, out_of_time),
)


@pytest.mark.clause("R33")
@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_a_damaged_log_fails_without_a_word(damage: Damage) -> None:
    """What is wrong with it is in no frame, no answer and no log line."""

    async def run(club: Club) -> None:
        await club.begin()
        table = club.table
        damage(club.log)
        await club.again()
        for wire in await club.ask():
            says_nothing(wire)
        Canary(club.server.disk, ("Ada", "Bohr")).look(club.server.said, table)
        logged = [said.text for said in club.server.said if said.to == LOG]
        assert b'"event":"failure"' in b"".join(logged)
        assert not any(word in line for line in logged for word in (b"hands", b"Dealt", b" a cat"))
        well = club.server.ask(EVERYBODY, "/healthz")
        await asyncio.sleep(BEAT)
        assert well.got[0].startswith(b"http.response.start 200\n")

    lived(run)


# ── A table that is read on ──────────────────────────────────────────────────────────────────


@pytest.mark.clause("R33")
@pytest.mark.parametrize("damage", [cut_off, no_text, another_field, one_too_many])
def test_what_another_worker_writes_fails_without_a_word(damage: Damage) -> None:
    """A table in memory cannot go on with a log that cannot be true; nobody learns why."""

    async def run(club: Club) -> None:
        await club.begin()
        table, bad = club.table, club.log.copy()
        damage(bad)
        club.server.said.clear()
        line = club.bohr.line
        club.server.disk.carry(Append(club.id, table.version, (bad[deal(bad)],), None, ()))
        await asyncio.sleep(BEAT)
        wires = [
            club.ada.post(f"{club.path}/commands", {"id": "x", "command": {"type": "Pause"}}),
            *(club.ada.streamed(table.version + 1), club.ada.socket(table.version + 1)),
        ]
        club.bohr.do("Pause")
        await asyncio.sleep(BEAT)
        assert line is not None
        for wire in (*wires, line):
            says_nothing(wire)
        Canary(club.server.disk, ("Ada", "Bohr")).look(club.server.said, table)

    lived(run)


# ── A game that is over ──────────────────────────────────────────────────────────────────────


def two_games() -> Party:
    """A table at which another game was begun."""
    party = seated(2)
    party.do(Start(), "Ada")
    while party.table.stage != "over":
        party.finish_round()
        for name in ("Ada", "Bohr") if party.table.stage == "between" else ():
            party.do(Ready(), name)
    for name in ("Ada", "Bohr"):
        party.do(Rematch(), name)
    return party


@pytest.mark.clause("R33")
@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_the_record_of_a_damaged_game_fails_without_a_word(damage: Damage) -> None:
    """Records of earlier games are made from the log; what is wrong with it is not told either."""
    created, *rest = two_games().log
    entries: list[Entry] = [replace(created, event=replace(created.event, keyed=True)), *rest]

    async def run(club: Club) -> None:
        await club.server.open()
        club.id = "lab-7"
        club.server.disk.carry(Append(club.id, 0, tuple(map(encode, entries)), None, ()))
        club.server.ask(EVERYBODY, club.path)  # it is in memory from here on
        await asyncio.sleep(BEAT)
        damage(club.log)
        for ending in ("cat", "json"):
            wire = club.server.ask(EVERYBODY, f"{club.path}/games/1/record.{ending}")
            await asyncio.sleep(BEAT)
            says_nothing(wire)

    said = b"".join(said.text for said in lived(run))
    assert not any(token.encode() in said for token in TOKENS.values())
