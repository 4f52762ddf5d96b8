"""A table in memory: its state and clock, the outboxes of its audiences, the latest frames.

Nothing here waits, and nothing here is the truth: that is the log in the store.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from time import monotonic
from typing import Final

from ...table import Broadcaster, Entry, EventFrames, Table, apply
from ...table.errors import refused
from ..access.tokens import same
from ..bots.fair_queue import Place
from .outbox import Outbox

NO_SPECTATORS: Final = "table.no_spectators"
KEPT: Final = 128  # events whose frames can be sent again; after more than that: a snapshot


class TableClock:
    """The time at one table, in the milliseconds of its log: it never goes back.

    A log's times are milliseconds since 1970, so that they can be shown. What is *measured* at a
    table (time to think, absences, pauses) must not depend on somebody setting the machine's clock.
    So the wall clock is read once, when a table comes into memory, and a monotonic clock, which
    gives seconds, counts from there. A log that is ahead of the wall clock, because that was set
    back meanwhile, goes on from its own last time, `at`; so does a table at which another process,
    whose clock is ahead, has written something.

    >>> seconds = 100.0
    >>> clock = TableClock(lambda: seconds, at=5_000, wall=2_000)  # the wall clock was set back
    >>> seconds += 1.5
    >>> clock.now()
    6500
    >>> clock.follow(9_000)  # another process was ahead
    >>> seconds += 1.0
    >>> clock.now()
    10000
    """

    def __init__(self, monotonic: Callable[[], float], at: int, wall: int) -> None:
        self._monotonic = monotonic
        self._offset = 0
        self._offset = max(at, wall) - self.now()

    def now(self) -> int:
        """Return the table's time."""
        return self._offset + int(self._monotonic() * 1000)

    def follow(self, at: int) -> None:
        """Advance at least to the time of a stored event."""
        self._offset += max(0, at - self.now())


@dataclass(slots=True, eq=False)
class TableSchedule:
    """What the scheduler knows about one table; nobody else changes it."""

    plans: dict[str, int | None] = field(default_factory=dict)  # on the work list of the store
    thinking: asyncio.Task[None] | None = None  # makes the bots' moves
    timer: asyncio.TimerHandle | None = None
    timer_due: int | None = None  # the time that `timer` was set for
    table: Table | None = None  # the table that the next two are about …
    due: int | None = None  # … when time will cause something there
    bots: list[int] = field(default_factory=list)  # … and the seats for which bots are to move
    seats: object = None  # `Table.seats` as they were when absences were last checked
    watched: asyncio.Event = field(default_factory=asyncio.Event)  # set when somebody connects


class LiveTable:
    """One table of this process."""

    def __init__(self, table: Table, clock: TableClock | None = None, opener: str = "") -> None:
        self.id = table.id
        self.table = table  # as it is in the log, as far as that was read here
        self.clock = clock or TableClock(monotonic, table.at, table.at)
        self.opener = opener  # the address that opened it, if that was here
        self.owner = opener  # whose share of the bots it uses, see `note_address`
        self.broadcaster = Broadcaster(table)
        self.schedule = TableSchedule()
        self.outboxes: dict[Outbox, None] = {}  # a set that keeps its order
        self.lock = asyncio.Lock()  # one command after the other
        self.doubtful = False  # an append has no answer: the log may hold more than was folded
        self.catching_up = False  # a task is reading the log
        self.log_version = 0  # how far the log goes, as the store has reported
        self.users = 0  # requests that hold this table
        self.left = 0.0  # when the last of them let go, by the loop's clock
        self._recent: deque[EventFrames] = deque(maxlen=KEPT)
        self._moved: dict[int, set[str]] = {}  # who changed seats, at which version

    @property
    def behind(self) -> bool:
        """Whether the log holds, or may hold, more events than were folded here."""
        return self.doubtful or self.log_version > self.table.version

    @property
    def unused(self) -> bool:
        """Whether it can leave the memory."""
        busy = self.outboxes or self.users or self.schedule.thinking or self.lock.locked()
        return not busy

    # ── Its share of what all tables use ─────────────────────────────────────────────────────

    @property
    def place(self) -> Place:
        """Its place in queues that all tables share."""
        watched = bool(self.outboxes or self.table.present)  # they may be with another process
        return Place(self.owner, self.id, watched)

    def note_address(self, who: str, address: str) -> None:
        """Note the owner's address from a command, if the table was not opened here.

        The host and those who sit here count, spectators do not: nobody makes a table of others
        theirs by watching it. Addresses are not in the log, so after a restart the tables without
        a command share one place.
        """
        if not self.opener and (same(who, self.table.host) or self.table.seat_of(who) is not None):
            self.owner = address

    # ── Events ───────────────────────────────────────────────────────────────────────────────

    def advance(self, entries: Iterable[Entry], last: Table | None = None) -> None:
        """Fold entries that are in the log and broadcast them; `last` is the table after them.

        Several are folded one by one, even if the table after them is known: a frame says what
        differs from the table before, and every worker must send the same frames.
        """
        entries = list(entries)
        for entry in entries:
            before = self.table
            after = last if last is not None and len(entries) == 1 else apply(before, entry)
            frames = self.broadcaster.step(entry, after)
            self.table = after
            moved = before.seats is not after.seats
            self._recent.append(frames)
            if moved:
                self._note_moves(frames.version, before, after)
            self._broadcast(frames, moved=moved)
            if moved or before.host is not after.host:
                for outbox in self.outboxes:
                    self._assign_seat(outbox)

    def _note_moves(self, version: int, before: Table, after: Table) -> None:
        self._moved[version] = {who for who, _ in _places(before) ^ _places(after)}
        for old in [old for old in self._moved if old <= version - KEPT]:
            del self._moved[old]

    def _broadcast(self, frames: EventFrames, *, moved: bool) -> None:
        whole = [frames.start + end for end in frames.ends]  # by seat, then of spectators
        for outbox in self.outboxes:
            audience = outbox.audience
            if moved and self._seat_of(outbox) != audience:
                self.send_snapshot(outbox)
            elif audience is not None:
                outbox.put(whole[audience])
            elif self._private and not same(outbox.who, self.table.host):
                outbox.end(NO_SPECTATORS)
            else:
                outbox.put(whole[-1])

    @property
    def _private(self) -> bool:
        """Whether only the players and the host may watch."""
        return not self.table.settings.spectators and self.table.playing

    def _seat_of(self, outbox: Outbox) -> int | None:
        return self.table.seat_of(outbox.who) if outbox.who else None

    def _assign_seat(self, outbox: Outbox) -> None:
        """Set the audience of an outbox to the seat that its person has now."""
        outbox.audience = self._seat_of(outbox)
        outbox.player = outbox.audience is not None or same(outbox.who, self.table.host)

    # ── Connections ──────────────────────────────────────────────────────────────────────────

    def admit(self, outbox: Outbox) -> None:
        """Refuse an outbox whose person may not watch."""
        self._assign_seat(outbox)
        if self._private and not outbox.player:
            raise refused(NO_SPECTATORS)

    def join(self, outbox: Outbox, version: int | None) -> int | None:
        """Send everything from now on to an outbox, after what it missed since a version.

        Returns how many frames were missed; None if a snapshot was sent instead.
        """
        self._assign_seat(outbox)
        self.outboxes[outbox] = None
        missed = None if version is None else self._missed(version, outbox.who)
        if missed is None:
            self.send_snapshot(outbox)
            return None
        for frames in missed:
            outbox.put(frames.frame(outbox.audience))
        return len(missed)

    def send_snapshot(self, outbox: Outbox) -> None:
        """Send everything that an outbox's audience may know."""
        self._assign_seat(outbox)
        outbox.put(self.broadcaster.snapshot(outbox.audience))

    def _missed(self, version: int, who: str) -> list[EventFrames] | None:
        """Return the frames after a version; None if some of them are not kept any more.

        None also for a person who has changed seats since: they do not know what their new seat
        knew.
        """
        missed = [frames for frames in self._recent if frames.version > version]
        if version + len(missed) != self.table.version:
            return None
        moved = (self._moved.get(frames.version, ()) for frames in missed)
        return None if any(who in people for people in moved) else missed

    def leave(self, outbox: Outbox) -> None:
        """Send nothing more to an outbox."""
        self.outboxes.pop(outbox, None)

    @property
    def seated(self) -> set[int]:
        """The seats that have a connection here."""
        return {outbox.audience for outbox in self.outboxes if outbox.audience is not None}

    @property
    def spectators(self) -> int:
        """How many connections are those of people who neither have a seat nor are the host."""
        return sum(not (outbox.player or outbox.ended) for outbox in self.outboxes)

    def connections_of(self, who: str) -> int:
        """How many connections a person has here."""
        return sum(outbox.who == who for outbox in self.outboxes)

    def has_connection(self, who: str) -> bool:
        """Whether a person has a connection here."""
        return any(outbox.who == who for outbox in self.outboxes)


def _places(table: Table) -> set[tuple[str, int]]:
    """Return the pairs of a person's token and their seat."""
    return {(person.token, seat) for seat, person in table.people.items()}
