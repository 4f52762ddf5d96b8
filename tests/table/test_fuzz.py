"""Random people do random things: only clear errors, and every law holds after every event."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from random import Random
from typing import get_args

import pytest
from live_tables import NOON, Party, frame, snapshot, some_settings, stir, wild

from catinthebox import NotLegal, NotUnderstood
from catinthebox.client.state import apply_frame
from catinthebox.protocol.messages import Frame, News
from catinthebox.protocol.parts import Stage
from catinthebox.table import (
    BrokenLog,
    Close,
    Entry,
    Table,
    TableEvent,
    apply,
    decode,
    encode,
    needs,
    practice,
    replay,
    wake,
)

COMMANDS = 20_000
PARTIES = 40


def standing(table: Table) -> tuple[Stage, tuple[int, ...]]:
    """Return the stage of a table and whose move is due, by its game alone."""
    game = table.game
    if table.closed:
        return "closed", ()
    if game is None or not game.rounds:
        return ("lobby" if game is None else "between"), ()
    ended: Stage = "over" if game.over else "between"
    return (ended if game.current.over else "play"), game.current.to_act


class Client:
    """Somebody who believes what a seat is told, and keeps it."""

    def __init__(self, table: Table, audience: int | None) -> None:
        self.table, self.audience = table, audience
        self.known = snapshot(table, audience)
        self.received: Counter[str] = Counter()

    def receive(self, frame: Frame) -> None:
        """Keep what is news; frames come without a gap."""
        self.received.update(type(news).__name__ for news in frame.news)
        assert frame.version == self.known.version + 1
        self.known = apply_frame(self.known, frame)

    def listen(self, party: Party) -> None:
        """Hear everything that was missed: the same as a newcomer would be shown."""
        for entry in party.log[self.known.version :]:
            after = apply(self.table, entry)
            self.receive(frame(self.table, entry, after, self.audience))
            self.table = after
            assert (after.stage, after.to_act) == standing(after)
        assert self.table == party.table
        assert self.known == snapshot(party.table, self.audience)


def run(seed: int, commands: int) -> tuple[Party, Counter[str]]:
    """A table at which much is tried."""
    rng = Random(seed)
    party = Party(some_settings(rng), practice(seed), audited=seed % 4 == 0)
    audience = rng.choice([None, *range(party.table.settings.players)])
    client = Client(party.table, audience)
    met: Counter[str] = Counter()
    strange = rng.choice([0.05, 0.2, 0.6])
    for number in range(commands):
        id = rng.choice(["", f"c{number}", f"c{number - 1}"])
        met[stir(party, rng, strange, id)] += 1
        if number % 50 == 0 and seed % 4 == 0:
            client.listen(party)
    if seed % 4 == 0:
        client.listen(party)
    met.update(f"event {type(entry.event).__name__}" for entry in party.log)
    met.update(f"news {kind}" for kind in client.received.elements())
    return party, met


def closed(party: Party, rng: Random) -> Counter[str]:
    """Close a table if its host can; nothing happens there any more."""
    with suppress(NotLegal):
        party.do(Close(), party.table.host)
    if not party.table.closed:
        return Counter(["table.others_play"])
    before = party.table
    assert (before.stage, before.to_act) == standing(before)
    for command, who in (wild(rng) for _ in range(5)):
        with pytest.raises((NotUnderstood, NotLegal), match="closed"):
            party.do(command, who)
    assert party.wait(10**7) == []
    assert (needs(before), wake(before), party.table) == ([], None, before)
    return Counter(["event Closed"])


@pytest.mark.long
def test_random_people_meet_clear_errors_only() -> None:
    """Twenty thousand commands; every event and nearly every refusal happens."""
    met: Counter[str] = Counter()
    for seed in range(PARTIES):
        party, found = run(seed, COMMANDS // PARTIES)
        met += found
        met += closed(party, Random(seed))
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
