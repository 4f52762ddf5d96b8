"""The laws can fail: each of these mistakes, made on purpose, is found within a few worlds."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress

import pytest
from msgspec.structs import replace
from simulation.loop import WorldFailed
from simulation.world import lived

from catinthebox.protocol.messages import Done
from catinthebox.server.errors import Unavailable
from catinthebox.server.live.hub import Decision, Hub
from catinthebox.server.live.listener import Plans
from catinthebox.server.live.live_table import LiveTable, TableClock
from catinthebox.server.live.outbox import Outbox
from catinthebox.server.live.scheduler import Scheduler
from catinthebox.store import About
from catinthebox.table import (
    Broadcaster,
    Dealer,
    Draft,
    Entry,
    EventFrames,
    Sent,
    Table,
    apply,
    carry,
    done,
)

Patch = pytest.MonkeyPatch

WORLDS = 300  # that are tried; a mistake that takes more is not found in a thousand, either


def caught(words: str, *kinds: str, first: int = 0) -> None:
    """Insist that a world breaks a law, and which; `first` is one that does."""
    for seed in range(first, first + WORLDS):
        try:
            lived(seed, *kinds)
        except WorldFailed as error:
            assert words in str(error)  # noqa: PT017 (most worlds may well be as they should)
            return
    pytest.fail(f"no law was broken in {WORLDS} worlds")


def without_a_second_look(monkeypatch: Patch) -> None:
    """Show anyone who comes what is known: a look into the log would mend some mistakes again."""

    async def refresh(self: Hub, live: LiveTable, version: int | None = None) -> None:
        if version is not None and version > live.table.version:
            await self._read_log(live)

    monkeypatch.setattr(Hub, "refresh", refresh)


# ── Durability ───────────────────────────────────────────────────────────────────────────────


def test_the_laws_catch_a_hub_that_tells_before_it_has_written(monkeypatch: Patch) -> None:
    """Persist, then tell."""
    write = Hub._append

    def received_first(
        self: Hub,
        live: LiveTable,
        version: int,
        entries: Sequence[Entry],
        about: About | None,
        plans: Plans,
    ) -> asyncio.Future[int]:
        broadcaster = Broadcaster(live.table)
        for entry in entries if version else ():  # a new table has no connections
            received = broadcaster.step(entry, apply(broadcaster.table, entry))
            for line in live.outboxes:
                line.put(received.frame(line.audience))
        return write(self, live, version, entries, about, plans)

    monkeypatch.setattr(Hub, "_append", received_first)
    caught("told before it is on the disk")


def test_the_laws_catch_an_answer_before_it_is_true(monkeypatch: Patch) -> None:
    """What is acknowledged is in the log."""

    async def hasty(self: Hub, live: LiveTable, sent: Sent, who: str) -> Done:
        draft = carry(live.table, sent.command, who, self.now(), self.dealer, id=sent.id)
        self.tasks.start(self._change(live, lambda *_, **__: draft))
        return done(draft.table, who, sent.id)

    monkeypatch.setattr(Hub, "do", hasty)
    caught("told before it is on the disk")


def test_the_laws_catch_a_command_that_is_done_twice(monkeypatch: Patch) -> None:
    """A command that is sent again is not done again."""

    async def forgetful(self: Hub, live: LiveTable, sent: Sent, who: str) -> Done:
        def decide(table: Table, *, now: int, dealer: Dealer) -> Draft:
            blank = replace(table, answered={})
            return carry(blank, sent.command, who, now, dealer, id=sent.id)

        await self._change(live, decide)
        return done(live.table, who, sent.id)

    monkeypatch.setattr(Hub, "do", forgetful)
    caught("carried out", "doubles", "talk")


def test_the_laws_catch_a_log_that_is_not_what_was_decided(monkeypatch: Patch) -> None:
    """An entry that is written and not told comes to light."""
    advance = LiveTable.advance

    def skips(self: LiveTable, entries: list[Entry], last: Table | None = None) -> None:
        if len(entries) == 1 or last is None:
            advance(self, entries, last)

    monkeypatch.setattr(LiveTable, "advance", skips)
    caught("is at", "doubles")


# ── Secrecy ──────────────────────────────────────────────────────────────────────────────────


def test_the_laws_catch_a_frame_for_another_seat(monkeypatch: Patch) -> None:
    """Nobody is told what another seat knows."""

    def leaky(self: LiveTable, received: EventFrames, *, moved: bool) -> None:
        for line in self.outboxes:
            line.put(received.frame(0))

    monkeypatch.setattr(LiveTable, "_broadcast", leaky)
    caught("for somebody else")


def test_the_laws_catch_frames_for_a_seat_that_was_left(monkeypatch: Patch) -> None:
    """Anyone who leaves a seat is not told what it knows from then on."""

    def unmoved(self: LiveTable, received: EventFrames, *, moved: bool) -> None:
        for line in self.outboxes:
            line.put(received.frame(line.audience))

    monkeypatch.setattr(LiveTable, "_broadcast", unmoved)
    caught("without a snapshot", "people", "talk")


@pytest.mark.long
def test_the_laws_catch_what_was_missed_in_another_seat(monkeypatch: Patch) -> None:
    """Anyone who changed seats while away is shown everything, not told on."""

    def naive(self: LiveTable, version: int, who: str) -> list[EventFrames] | None:
        missed = [received for received in self._recent if received.version > version]
        return missed if version + len(missed) == self.table.version else None

    monkeypatch.setattr(LiveTable, "_missed", naive)
    caught("without a snapshot", "restlessness", "talk", first=21)


def test_the_laws_catch_a_snapshot_for_another_seat(monkeypatch: Patch) -> None:
    """A snapshot shows what its own seat knows."""
    monkeypatch.setattr(LiveTable, "_seat_of", lambda self, line: 0)
    caught("somebody else")


# ── Versions ─────────────────────────────────────────────────────────────────────────────────


def test_the_laws_catch_a_gap(monkeypatch: Patch) -> None:
    """Anyone who comes back is told everything, or shown everything."""

    def gappy(self: LiveTable, version: int, who: str) -> list[EventFrames] | None:
        return [received for received in self._recent if received.version > version]

    monkeypatch.setattr(LiveTable, "_missed", gappy)
    caught("from version", "restlessness", "crashes", first=2)


def test_the_laws_catch_a_worker_that_goes_back_in_time(monkeypatch: Patch) -> None:
    """Anyone who has seen more than a worker knows is not shown less."""

    @asynccontextmanager
    async def joined(
        self: Hub, live: LiveTable, line: Outbox, version: int | None, admit: Callable[[], None]
    ) -> AsyncIterator[int | None]:
        live.admit(line)
        admit()
        resent = live.join(line, version)
        self.listener.connected(live, line.who)
        try:
            yield resent
        finally:
            live.leave(line)
            self.listener.disconnected(live, line.who)

    monkeypatch.setattr(Hub, "connect", joined)
    caught("back from", "restlessness", "rumours", first=8)


def test_the_laws_catch_a_refusal_of_the_past(monkeypatch: Patch) -> None:
    """Nobody is refused by a table that is older than what they have seen."""
    try_to_change = Hub._try_to_change

    async def refused_at_once(self: Hub, live: LiveTable, decide: Decision) -> bool:
        if live.behind:
            await self._read_new(live)
        decide(live.table, now=live.clock.now(), dealer=self.dealer)
        return await try_to_change(self, live, decide)

    monkeypatch.setattr(Hub, "_try_to_change", refused_at_once)
    caught("refused", "rumours", "restlessness", first=2)


# ── Nobody waits for ever ────────────────────────────────────────────────────────────────────


def test_the_laws_catch_a_reading_that_fails_and_is_not_tried_again(monkeypatch: Patch) -> None:
    """A worker that could not read the log must try again, though nobody tells it to."""

    async def once(self: Hub, live: LiveTable) -> None:
        try:
            with suppress(Unavailable):
                async with live.lock:
                    if live.behind:
                        await self._read_new(live)
        finally:
            live.catching_up = False

    monkeypatch.setattr(Hub, "_catch_up", once)
    caught("does not come to an end", "blindness", first=2)


@pytest.mark.long
def test_the_laws_catch_a_note_that_is_lost_while_a_worker_writes(monkeypatch: Patch) -> None:
    """What is heard of while a table is locked must be looked at afterwards."""

    async def changed(self: Hub, live: LiveTable, decide: Decision) -> None:
        async with live.lock:
            while not await self._try_to_change(live, decide):
                pass

    monkeypatch.setattr(Hub, "_change", changed)
    caught("does not come to an end", "doubles", first=85)


def test_the_laws_catch_a_note_that_is_lost_while_a_table_is_read(monkeypatch: Patch) -> None:
    """What is heard of while a table is being loaded must be looked at afterwards."""

    def deaf(self: Hub, id: str, version: int) -> None:
        if (live := self.tables.get(id)) is not None:
            live.log_version = max(live.log_version, version)
            self._start_catching_up(live)

    without_a_second_look(monkeypatch)
    monkeypatch.setattr(Hub, "_log_grew", deaf)
    caught("does not come to an end", first=527)


@pytest.mark.long
def test_the_laws_catch_work_that_a_dead_worker_leaves_undone(monkeypatch: Patch) -> None:
    """Somebody else makes the moves of its bots."""

    async def idle(self: Scheduler) -> None:
        while True:
            await asyncio.sleep(self.pace.poll_ms / 1000)
            now = asyncio.get_running_loop().time()
            self._hub.forget_unused(now - self.pace.idle_ms / 1000)

    monkeypatch.setattr(Scheduler, "_poll", idle)
    caught("does not come to an end", "crashes", first=223)


class WallClock(TableClock):
    """The time at a table, measured by a clock that can be set."""

    def __init__(self, wall: Callable[[], int]) -> None:
        self._wall = wall

    def now(self) -> int:
        """Tell the time."""
        return self._wall()

    def follow(self, at: int) -> None:
        """Do nothing: it is what it is."""


@pytest.mark.long
def test_the_laws_catch_time_that_is_measured_by_the_wall_clock(monkeypatch: Patch) -> None:
    """Nobody waits for an hour because the clock was set back by one."""
    monkeypatch.setattr(Hub, "_clock", lambda self, at: WallClock(self.now))
    caught("does not come to an end", "clocks", "people", first=41)


@pytest.mark.long
def test_the_laws_catch_somebody_who_is_taken_for_absent(monkeypatch: Patch) -> None:
    """Anyone who is here is known to be here."""
    monkeypatch.setattr(Scheduler, "_contradict_absences", lambda self, live: None)
    caught("does not come to an end", "restlessness", first=2)


@pytest.mark.long
def test_the_laws_catch_somebody_who_came_back_while_they_were_let_go(monkeypatch: Patch) -> None:
    """Anyone who comes back while it is being written down that they went is known to be here."""

    def changed(self: Scheduler, live: LiveTable, stored: Plans | None) -> None:
        live.schedule.plans |= stored or {}
        self._set_timer(live)
        if stored is not None:
            self._ask_bots(live)
        else:
            self._contradict_absences(live)

    without_a_second_look(monkeypatch)
    monkeypatch.setattr(Scheduler, "changed", changed)
    caught("does not come to an end", "restlessness", first=574)
