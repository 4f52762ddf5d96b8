"""Random people do random things: only clear errors, and every law holds after every event."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import get_args

import pytest
from live import NAMES, NOON, TOKENS, Party

from catinthebox import ACTIONS, NotLegal, NotUnderstood
from catinthebox.table import (
    WORKER,
    Act,
    AddBot,
    AgreeUndo,
    AskUndo,
    BrokenLog,
    Command,
    Entry,
    Gone,
    Here,
    Kick,
    Leave,
    Pause,
    Ready,
    RefuseUndo,
    Rematch,
    RemoveBot,
    Resume,
    Say,
    Settings,
    Sit,
    Start,
    Table,
    TableEvent,
    apply,
    decode,
    encode,
    needs,
    practice,
    replay,
    snapshot,
    told,
    wake,
)
from catinthebox.table import messages as m
from catinthebox.table.messages import Frame, News, Snapshot

COMMANDS = 20_000
PARTIES = 40
PEOPLE = list(TOKENS.values())


def some_settings(rng: Random) -> Settings:
    players = rng.choice([2, 2, 3, 3, 4, 5])
    return Settings(
        players,
        move_ms=rng.choice([0, 5_000]),
        bank_ms=rng.choice([0, 20_000]),
        grace_ms=rng.choice([0, 10_000]),
        look_ms=rng.choice([0, 8_000]),
        undo=rng.random() < 0.9,
        pause=rng.random() < 0.8,
        chat=rng.choice(["off", "preset", "free"]),
    )


def likely(party: Party, rng: Random) -> tuple[Command, str]:
    """Something that moves a table on."""
    table, host = party.table, party.table.host
    if table.stage == "lobby" or (table.stage == "over" and not table.full):
        empty = [seat for seat, who in enumerate(table.seats) if not who.name]
        if not empty:
            return Start(), host
        if rng.random() < 0.4:
            return AddBot(rng.choice(empty), "sharp"), host
        name = rng.choice(NAMES)
        return Sit(name, rng.choice(empty), rng.choice(["", "5e" * 32])), TOKENS[name]
    people = [*(person.token for person in table.people.values()), host]
    if table.stage in ("between", "over"):
        return (Ready() if table.stage == "between" else Rematch()), rng.choice(people)
    if table.paused is not None or (table.undo is not None and rng.random() < 0.7):
        manners: list[Command] = [AgreeUndo(), RefuseUndo()]
        chosen = Resume() if table.paused is not None else rng.choice(manners)
        return chosen, rng.choice(people)
    return a_move(party, rng)


def a_move(party: Party, rng: Random) -> tuple[Command, str]:
    """A legal action by whoever is to decide."""
    table = party.table
    last = table.moves[-1].seat if table.moves else 0
    if last in table.people and rng.random() < 0.1:
        return AskUndo(), table.people[last].token
    for turn in needs(table)[:1]:
        return Act(rng.choice(sorted(turn.view.legal)), turn.seat, turn.turn), WORKER
    seat = rng.choice(table.to_act)
    assert table.round is not None
    action = rng.choice(sorted(table.round.legal_for(seat)))
    who = table.people[seat].token if seat in table.people else WORKER
    return Act(action, rng.choice([None, seat]), rng.choice([None, table.turn])), who


def wild(rng: Random) -> tuple[Command, str]:
    """Something that may make no sense at all."""
    seat = rng.randrange(-1, 6)
    commands: list[Command] = [
        Sit(rng.choice([*NAMES, "", "a|b", "ada", "x" * 41]), rng.choice([None, seat])),
        Sit("Zoe", None, rng.choice(["", "xyz"])),
        Leave(),
        AddBot(seat, rng.choice(["sharp", "Sharp!", "search:ms=40"])),
        RemoveBot(seat),
        Kick(seat),
        Start(),
        Act(rng.choice(ACTIONS), rng.choice([None, seat]), rng.choice([None, 7])),
        Act(rng.choice(ACTIONS)),
        Ready(),
        Rematch(rng.choice(["", "no"])),
        Say(rng.choice(["hello", "rude"])),
        Say(rng.choice(["what a deal!", "", "x" * 201, "two\nlines"]), preset=False),
        *(Pause(), Resume(), AskUndo(), AskUndo(), AgreeUndo(), RefuseUndo()),
        *(Here(), Here(), Gone(), Gone()),
    ]
    return rng.choice(commands), rng.choice([*PEOPLE, PEOPLE[0], WORKER])


class Client:
    """Somebody who believes what a seat is told, and keeps it."""

    def __init__(self, table: Table, audience: int | None) -> None:
        seen = snapshot(table, audience)
        self.table, self.audience = table, audience
        self.version = seen.version
        self.parts: dict[type, object] = {}
        for part in (seen.seats, seen.room, seen.game, seen.round, seen.turn, seen.own):
            self.parts[type(part)] = part
        self.chat = list(seen.chat)
        self.heard: Counter[str] = Counter()

    def hear(self, frame: Frame) -> None:
        """Keep what is news; frames come without a gap."""
        self.heard.update(type(news).__name__ for news in frame.news)
        assert frame.version == self.version + 1
        self.version = frame.version
        if frame.own is not None:
            self.parts[m.Own] = frame.own
        for news in frame.news:
            if isinstance(news, m.Seats | m.Room | m.GameShown | m.RoundShown | m.Turn):
                self.parts[type(news)] = news
            if isinstance(news, m.Spoken):
                self.chat = [*self.chat, news][-50:]

    def listen(self, party: Party) -> None:
        """Hear everything that was missed, and compare it with a snapshot."""
        for entry in party.log[self.version :]:
            after = apply(self.table, entry)
            self.hear(told(self.table, entry, after, self.audience))
            self.table = after
        assert self.table == party.table
        self.agrees(snapshot(party.table, self.audience))

    def agrees(self, seen: Snapshot) -> None:
        """What was pieced together is what a newcomer would be shown."""
        parts = (seen.seats, seen.room, seen.game, seen.round, seen.turn, seen.own)
        assert all(part is None or self.parts[type(part)] == part for part in parts)
        assert self.chat == list(seen.chat)


def turn_the_clock(party: Party, rng: Random) -> None:
    """Time goes on, jumps, and is set back."""
    party.now += rng.choice([0, 0, 10, 500, 3_000, -2_000])
    if rng.random() < 0.02:
        party.now += rng.choice([60_000, -60_000, 3_600_000])
    if rng.random() < 0.15:
        party.wait(0)
        due = wake(party.table)
        assert due is None or due > max(party.now, party.table.at)


def run(seed: int, commands: int) -> tuple[Party, Counter[str]]:
    """A table at which much is tried."""
    rng = Random(seed)
    party = Party(some_settings(rng), practice(seed), audited=seed % 4 == 0)
    audience = rng.choice([None, *range(party.table.settings.players)])
    client = Client(party.table, audience)
    met: Counter[str] = Counter()
    strange = rng.choice([0.05, 0.2, 0.6])
    for number in range(commands):
        turn_the_clock(party, rng)
        command, who = wild(rng) if rng.random() < strange else likely(party, rng)
        before = len(party.log)
        id = rng.choice(["", f"c{number}", f"c{number - 1}"])
        try:
            party.do(command, who, id=id)
        except (NotUnderstood, NotLegal) as error:
            met[error.code if error.message else "no words"] += 1
            assert len(party.log) == before
        if number % 50 == 0 and seed % 4 == 0:
            client.listen(party)
    if seed % 4 == 0:
        client.listen(party)
    met.update(f"event {type(entry.event).__name__}" for entry in party.log)
    met.update(f"news {kind}" for kind in client.heard.elements())
    return party, met


def test_random_people_meet_clear_errors_only() -> None:
    """Twenty thousand commands; every event and nearly every refusal happens."""
    met: Counter[str] = Counter()
    for seed in range(PARTIES):
        party, found = run(seed, COMMANDS // PARTIES)
        met += found
        again = [decode(encode(entry)) for entry in party.log]
        assert again == party.log
        assert replay(again) == party.table
        assert all(e.at >= NOON - 10**9 for e in party.log)
    expected = {f"event {kind.__name__}" for kind in get_args(TableEvent)}
    expected |= {f"news {kind.__name__}" for kind in get_args(News)}
    assert expected <= set(met), expected - set(met)
    assert "no words" not in met
    assert met["illegal.cell_taken"]
    assert sum(code.startswith("table.") for code in met) > 25, met


def test_foreign_events_break_a_log_clearly() -> None:
    """An event from elsewhere fits by chance, or the fold says where the log is broken."""
    parties = [run(seed, 150)[0] for seed in range(100, 106)]
    rng = Random(3)
    broken = 0
    foreign = [entry.event for party in parties for entry in party.log]
    for party in parties:
        table = None
        for entry in party.log:
            for event in rng.sample(foreign, 8):
                try:
                    apply(table, Entry(entry.at, event))
                except BrokenLog as error:
                    broken += error.version == (0 if table is None else table.version) + 1
            table = apply(table, entry)
    assert broken > 1_000


def test_time_in_a_log_never_falls() -> None:
    """An entry before its predecessor is a broken log."""
    party, _ = run(1, 20)
    late = party.log[-1]
    with pytest.raises(BrokenLog, match="time runs backwards"):
        apply(party.table, Entry(late.at - 1, late.event))
