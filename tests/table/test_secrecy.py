"""The secrecy law for live tables: what an audience cannot know changes no byte it gets (R33).

Two tables are dealt the two rounds of a pair and live through the same things: the same actions
(hidden discards differ), talk, pauses, absences, clocks, requests to take back. Every frame,
snapshot, answer and error text for the audience of the pair must be the same bytes.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from live_tables import TOKENS, Scripted, kinds, refusal, resent, seated, snapshot
from policies import TABLES
from secrecy.pairs import Pair, pairs

from catinthebox import ACTIONS, CatInTheBoxError, Phase, Setup
from catinthebox.protocol.messages import Message, encode
from catinthebox.table import (
    WORKER,
    Act,
    AgreeUndo,
    AskUndo,
    Broadcaster,
    Command,
    DealtHands,
    Entry,
    Gone,
    Here,
    Leave,
    Pause,
    Ready,
    RefuseUndo,
    Rematch,
    Resume,
    Say,
    Start,
    Table,
    decide,
    needs,
    tick,
    wake,
)

MOMENTS = 3_000


class World:
    """One of the two tables, and the bytes that its audience has got."""

    def __init__(
        self, pair: Pair, setup: Setup, after: DealtHands, people: int, options: dict[str, object]
    ) -> None:
        dealer = Scripted(DealtHands(setup.hands, setup.aside), after, starter=setup.starter)
        options = {**options, "face": setup.face.name}
        self.party = seated(setup.players, people, dealer, **options)
        self.party.audited = False
        self.broadcaster = Broadcaster(self.party.table)
        self.seat = pair.seat
        self.got: list[bytes] = []

    @property
    def table(self) -> Table:
        """The table as it is."""
        return self.party.table

    def send(self, message: Message) -> None:
        """Send the audience something."""
        self.got.append(encode(message))

    def keep(self, entries: list[Entry]) -> None:
        """Write down, then tell."""
        for entry in entries:
            self.party.keep([entry])
            self.got.append(self.broadcaster.step(entry, self.table).frame(self.seat))

    def do(self, command: Command, who: str, id: str = "") -> str:
        """Let somebody do something; what becomes of it is visible to all."""
        party = self.party
        try:
            self.keep(decide(self.table, command, who, party.now, party.dealer, id=id))
        except CatInTheBoxError as error:
            if self.seat is not None and self.table.seat_of(who) == self.seat:
                self.send(refusal(id, error))
            return error.code
        return ""

    def wait(self, ms: int) -> None:
        """Let time go by."""
        self.party.now += ms
        self.keep(tick(self.table, self.party.now, self.party.dealer))

    def look(self) -> None:
        """Show the audience everything that it can ask for."""
        self.got.append(self.broadcaster.snapshot(self.seat))
        self.got.append(repr(self.broadcaster.view(self.seat)).encode())
        self.got.append(str(wake(self.table)).encode())
        turns = needs(self.table, view=self.broadcaster.view)
        self.got += [repr(turn).encode() for turn in turns if turn.seat == self.seat]
        self.got.append(repr([turn.seat for turn in turns]).encode())


def manners(table: Table, rng: Random) -> list[tuple[Command, str]]:
    """Things that people do besides playing."""
    people = [who.token for who in table.people.values()] or [TOKENS["Ada"]]
    who = rng.choice(people)
    options: list[list[tuple[Command, str]]] = [
        [(Say(rng.choice(["wow", "oops"])), who)],
        [(Say(f"hm {rng.randrange(99)}", preset=False), who)],
        [(Pause(), who), (Resume(), rng.choice(people))],
        [(Gone(), who)],
        [(Gone(), who)],
        [(Here(), who)],
        [(AskUndo(), who), (RefuseUndo(), rng.choice(people))],
        [(AskUndo(), who), *((AgreeUndo(), other) for other in people)],
        [(Act(rng.choice(ACTIONS)), who)],
        [(Ready(), who), (Rematch(), who)],
        [(Leave(), who)] if rng.random() < 0.05 else [],
    ]
    return rng.choice(options)


def actor(table: Table, seat: int) -> str:
    """The one that decides for a seat."""
    who = table.people.get(seat)
    return WORKER if who is None or who.covered or seat in table.lent else who.token


def both(worlds: list[World], command: Command, who: str, id: str = "") -> str:
    """The same thing in both worlds; the outcome is the same."""
    outcomes = {world.do(command, who, id) for world in worlds}
    assert len(outcomes) == 1, (command, outcomes)
    return outcomes.pop()


def misbehave(worlds: list[World], rng: Random, met: Counter[str]) -> None:
    """Something besides playing; an action that another seat might be refused is left out."""
    table = worlds[0].table
    for command, who in manners(table, rng):
        seat = table.seat_of(who)
        if isinstance(command, Act):
            own = seat is not None and seat == worlds[0].seat
            if seat is None or not own or can(table, seat, command):
                continue
        met[both(worlds, command, who, f"x{rng.randrange(10**6)}")] += 1
    for world in worlds:
        world.wait(0)


def can(table: Table, seat: int, command: Act) -> bool:
    """Whether a seat could really do it, which would lead away from the pair."""
    return table.round is not None and command.action in table.round.legal_for(seat)


def step(worlds: list[World], pair: Pair, met: Counter[str], rng: Random) -> int:
    """Live through both rounds of a pair; count the moments at which the worlds differ."""
    met[both(worlds, Start(), TOKENS["Ada"])] += 1
    compared = 0
    order = list(zip(pair.left.actions, pair.right.actions, strict=True))
    discards = sum(a.action.phase is Phase.DISCARD for a, _ in order)
    order[:discards] = rng.sample(order[:discards], discards)
    done = 0
    while done < len(order):
        if rng.random() < 0.4:
            misbehave(worlds, rng, met)
        for world in worlds:
            world.wait(500 if done % 3 else (done * 1_733) % 9_000)
        if worlds[0].table.paused is not None:
            both(worlds, Resume(), next(iter(worlds[0].table.people.values())).token)
        moves = worlds[0].table.moves
        id = f"a{worlds[0].table.version}"
        todo = [plays for plays in order if plays[0] not in moves]
        for world, play in zip(worlds, todo[0], strict=True):
            world.do(Act(play.action, play.seat), actor(world.table, play.seat), id)
        same(worlds)
        compared += 1
        done = len(worlds[0].table.moves)
    return compared


def same(worlds: list[World]) -> None:
    """Compare everything that was got since the last time, and a snapshot."""
    left, right = worlds
    for world in worlds:
        world.look()
    assert left.got == right.got
    assert left.table.version == right.table.version
    left.got.clear()
    right.got.clear()


@pytest.mark.long
@pytest.mark.clause("R32", "R33")
@pytest.mark.parametrize(("players", "face"), TABLES)
def test_live_tables_reveal_nothing_hidden(players: int, face: str) -> None:
    """Frames, snapshots, answers, errors, bots' views and wake-up times are the same bytes."""
    rng = Random(f"live {players} {face}")
    met: Counter[str] = Counter()
    moments = 0
    while moments < MOMENTS // len(TABLES):
        for pair in pairs(players, face, rng, 4):
            moments += live(pair, rng, met)
    assert moments >= MOMENTS // len(TABLES)
    assert met[""] > 50
    assert {"Undone", "UndoRefused", "Covered", "ClockRanOut", "Paused", "Said"} <= set(met), met


def live(pair: Pair, rng: Random, met: Counter[str]) -> int:
    """Live through a pair, and a little of the next round."""
    players = pair.left.players
    options: dict[str, object] = {
        "chat": "free",
        "house_rules": True,
        "move_ms": rng.choice([0, 4_000]),
        "bank_ms": rng.choice([0, 9_000]),
        "grace_ms": rng.choice([400, 3_000, 90_000]),
    }
    after = Setup.shuffled(players, rng)
    following = DealtHands(after.hands, after.aside)
    people = rng.randrange(1, players + 1)
    sides = (pair.left, pair.right)
    worlds = [World(pair, side.setup, following, people, options) for side in sides]
    moments = step(worlds, pair, met, rng)
    for action in rng.sample(ACTIONS, 3):
        for world in worlds:
            world.send(world.broadcaster.why(pair.seat, action))
    if worlds[0].table.stage == "between":
        for world in worlds:
            world.wait(60_000)
    misbehave(worlds, rng, met)
    same(worlds)
    for world in worlds:
        world.got += map(encode, resent(world.party.log, 3, pair.seat))
    same(worlds)
    met.update(kinds(worlds[0].party.log))
    return moments


@pytest.mark.clause("R33")
def test_the_law_notices_a_leak() -> None:
    """The log itself, or another seat's snapshot, would be caught."""
    rng = Random(5)
    caught = [0, 0]
    for pair in pairs(3, "white", rng, 20):
        following = DealtHands(pair.left.setup.hands)
        worlds = [World(pair, side.setup, following, 3, {}) for side in (pair.left, pair.right)]
        for world in worlds:
            world.do(Start(), TOKENS["Ada"])
        logs = {repr(world.party.log) for world in worlds}
        other = 0 if pair.seat is None else (pair.seat + 1) % 3
        shown = {encode(snapshot(world.table, other)) for world in worlds}
        caught[0] += len(logs) > 1
        caught[1] += len(shown) > 1
    assert caught[0] > 10
    assert caught[1] > 10
