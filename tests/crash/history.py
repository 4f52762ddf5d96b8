"""What really happened, as the store has it, and whether that is what people were told.

1. Logs have no gaps and can be folded. 2. What was acknowledged is in the log, there, and once.
3. Nothing else is in it: no command twice, none that was refused, none that nobody sent. 4. What
anybody was told is what the log says, byte by byte. 5. Everybody's copy of the table is the table.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Final

from crash.parties import Party
from crash.people import PASSING, Person, ReceivedFrame

from catinthebox.protocol.messages import encode
from catinthebox.store import Store
from catinthebox.table import Act, Acted, Broadcaster, Entry, Table, apply, decode

Frames = Callable[[int | None], bytes]

SNAPSHOT: Final = b'{"type":"Snapshot"'


class History:
    """The log of a table, and what became of every command."""

    def __init__(self, store: Store, table: str) -> None:
        stored = store.read(table)
        assert [seq for seq, _ in stored] == [*range(1, len(stored) + 1)], "a log with gaps"
        self.log: list[Entry] = [decode(event) for _, event in stored]
        assert self.log, f"the table {table} was opened, and is lost"
        self.receipts: dict[tuple[str, str], int] = {}
        for version, entry in enumerate(self.log, 1):
            if entry.receipt is not None:
                key = entry.receipt.who, entry.receipt.command
                assert key not in self.receipts, f"{key} was carried out twice"
                self.receipts[key] = version

    def acted(self, version: int) -> Acted | None:
        """Return the action of the command that ends at a version: at most a secret follows it."""
        for entry in reversed(self.log[max(0, version - 2) : version]):
            if isinstance(entry.event, Acted):
                return entry.event
        return None


def check(store: Store, party: Party) -> Table:
    """Hold everybody at a table against its log; return the table."""
    history = History(store, party.id)
    for person in party.people:
        _commands_are_there(history, person)
    _nothing_else_is_there(history, party)
    return _told_again(history, party)


def _commands_are_there(history: History, person: Person) -> None:
    for done in person.done:
        place = history.receipts.get((person.who, done.id))
        assert place == done.version, f"{done} is at {place}"
        command = person.sent[done.id]
        if isinstance(command, Act):
            acted = history.acted(place)
            assert acted is not None
            assert (acted.action, acted.bot) == (command.action, False)
    for refused in person.refused:
        if not refused.code.startswith(PASSING):
            assert (person.who, refused.id) not in history.receipts, f"{refused}, but it was done"


def _nothing_else_is_there(history: History, party: Party) -> None:
    sent = {(person.who, id): ask for person in party.people for id, ask in person.sent.items()}
    assert set(history.receipts) <= set(sent), "nobody has sent this"
    acts = Counter(isinstance(sent[key], Act) for key in history.receipts)
    events = [entry.event for entry in history.log]
    assert acts[True] == sum(isinstance(event, Acted) and not event.bot for event in events)


def _told_again(history: History, party: Party) -> Table:
    """Tell everything once more, and compare."""
    got: dict[int, list[tuple[Person, ReceivedFrame]]] = defaultdict(list)
    for person in party.people:
        for received in person.received:
            got[received.version].append((person, received))
    beyond = [version for version in got if version > len(history.log)]
    assert not beyond, f"versions {beyond} were told, and {len(history.log)} are in the log"
    first, *entries = history.log
    broadcaster = Broadcaster(apply(None, first))
    _same(broadcaster, None, got[1])
    for entry in entries:
        step = broadcaster.step(entry, apply(broadcaster.table, entry))
        _same(broadcaster, step.frame, got[step.version])
    for person in party.people:
        if person.version == broadcaster.table.version:
            assert encode(person.seen) == broadcaster.snapshot(person.seen.seat)
    return broadcaster.table


def _same(
    broadcaster: Broadcaster, frame: Frames | None, got: list[tuple[Person, ReceivedFrame]]
) -> None:
    """What was told of the last event is what a teller tells of it."""
    for person, received in got:
        assert received.seat == broadcaster.table.seat_of(person.who)
        snapshot = received.line.startswith(SNAPSHOT)
        assert snapshot or frame is not None
        again = (
            broadcaster.snapshot(received.seat)
            if snapshot or frame is None
            else frame(received.seat)
        )
        assert received.line == again, f"{person.name} was told {received.line!r}; it was {again!r}"
