"""A table that is in memory here: its state, the lines of its audiences, what was told lately.

Nothing here waits, and nothing here is kept: the log in the store is the table, this is a copy.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable
from time import monotonic
from typing import Final, TypeAlias

from ..table import Entry, Table, Teller, apply
from ..table.errors import refused
from ..table.teller import Frames
from .fair_queue import Place
from .line import Line
from .table_clock import TableClock
from .who import same

NO_SPECTATORS: Final = "table.no_spectators"
KEPT: Final = 128  # events whose frames can be sent again; whoever missed more gets a snapshot


Foreseen: TypeAlias = tuple[Table | None, int | None, list[int]]
"""A table, when time will cause something there, and the seats for which bots are to move."""


class Live:
    """One table, here."""

    def __init__(self, table: Table, clock: TableClock | None = None, opener: str = "") -> None:
        self.clock = clock or TableClock(monotonic, table.at, table.at)
        self.opener = opener  # the address that opened it, if that was here
        self.owner = opener  # whose share of the bots it uses, see `came_from`
        self.watched = asyncio.Event()  # set when somebody comes, see `Errands`
        self.teller = Teller(table)
        self.lines: dict[Line, None] = {}  # a set that keeps its order
        self.lock = asyncio.Lock()  # one command after the other
        self.doubtful = False  # an append has no answer: the log may hold more than was folded
        self.catching_up = False  # somebody reads on already
        self.heard = 0  # how far the log goes, as the store says
        self.plans: dict[str, int | None] = {}  # what the store was asked to remind somebody of
        self.thinking: asyncio.Task[None] | None = None  # the bots' moves
        self.due: int | None = None  # when time will cause something …
        self.timer: asyncio.TimerHandle | None = None  # … and who sees to it
        self.foreseen: Foreseen = None, None, []
        self.users = 0  # requests that hold on to this table
        self.left = 0.0  # when the last of them let go, by the loop's clock
        self._recent: deque[Frames] = deque(maxlen=KEPT)
        self._moved: dict[int, set[str]] = {}  # who changed seats, at which of them

    @property
    def table(self) -> Table:
        """The table as it is in the log, as far as it was read here."""
        return self.teller.table

    @property
    def id(self) -> str:
        """The table's id."""
        return self.table.id

    @property
    def behind(self) -> bool:
        """Whether the log holds, or may hold, more than the table in memory knows."""
        return self.doubtful or self.heard > self.table.version

    @property
    def unused(self) -> bool:
        """Whether nobody here would miss it."""
        return not (self.lines or self.users or self.thinking or self.lock.locked())

    def stop(self) -> None:
        """Let no timer bring it back."""
        if self.timer is not None:
            self.timer.cancel()

    # ── Its place among others ───────────────────────────────────────────────────────────────

    @property
    def place(self) -> Place:
        """Where it stands when it wants something that all tables want."""
        watched = bool(self.lines or self.table.present)  # they may be with another process
        return Place(self.owner, self.id, watched)

    def came_from(self, who: str, address: str) -> None:
        """Learn whose table it is from somebody of it, if it was not opened here.

        The host and those who sit here count, spectators do not: nobody makes a table of others
        theirs by looking at it. Addresses are not in the log, so after a restart the tables that
        nobody has acted at share one place.
        """
        if not self.opener and (same(who, self.table.host) or self.table.seat_of(who) is not None):
            self.owner = address

    # ── What happens ─────────────────────────────────────────────────────────────────────────

    def advance(self, entries: Iterable[Entry], last: Table | None = None) -> None:
        """Fold entries that are in the log, and tell everybody; `last` is the table after them.

        Several are folded one by one, whoever decided on them: a teller tells what is not the very
        same thing any more, and every worker must tell the same.
        """
        entries = list(entries)
        for entry in entries:
            before = self.table
            after = last if last is not None and len(entries) == 1 else apply(before, entry)
            self.clock.follow(entry.at)
            told = self.teller.step(entry, after).frames()
            self._remember(told, before, after)
            moved = before.seats is not after.seats
            self._spread(told, moved=moved)
            if moved or before.host is not after.host:
                for line in self.lines:
                    self._place(line)
        if self.table.present:  # somebody may have come without a line
            self.watched.set()

    def _remember(self, told: Frames, before: Table, after: Table) -> None:
        self._recent.append(told)
        if before.seats is not after.seats:
            places = (_places(before), _places(after))
            self._moved[told.version] = {who for who, _ in places[0] ^ places[1]}
            forgotten = [version for version in self._moved if version <= told.version - KEPT]
            for version in forgotten:
                del self._moved[version]

    def _spread(self, told: Frames, *, moved: bool) -> None:
        frames: dict[int | None, bytes] = {}  # written once for each audience
        for line in self.lines:
            if moved and self._audience(line) != line.audience:
                self.show(line)
            elif not self._may_look(line):
                line.end(NO_SPECTATORS)
            else:
                audience = line.audience
                if audience not in frames:
                    frames[audience] = told.frame(audience)
                line.put(frames[audience])

    def _may_look(self, line: Line) -> bool:
        """Whether a line may be here: without spectators, a game is its players' and the host's."""
        table = self.table
        if line.audience is not None or table.settings.spectators or not table.playing:
            return True
        return same(line.who, table.host)

    def _audience(self, line: Line) -> int | None:
        return self.table.seat_of(line.who) if line.who else None

    def _place(self, line: Line) -> None:
        """Note the seat of a line, as it is now."""
        line.audience = self._audience(line)
        line.player = line.audience is not None or same(line.who, self.table.host)

    # ── Lines ────────────────────────────────────────────────────────────────────────────────

    def admit(self, line: Line) -> None:
        """Refuse a line that may not look."""
        self._place(line)
        if not self._may_look(line):
            raise refused(NO_SPECTATORS, "this game is played without spectators")

    def join(self, line: Line, version: int | None) -> int | None:
        """Let a line hear what happens from now on, after what it missed since a version.

        The answer is how many frames that was; None: it was shown everything instead.
        """
        self._place(line)
        self.lines[line] = None
        missed = None if version is None else self._missed(version, line.who)
        if missed is None:
            self.show(line)
            return None
        for told in missed:
            line.put(told.frame(line.audience))
        return len(missed)

    def show(self, line: Line) -> None:
        """Send everything that a line's audience may know."""
        self._place(line)
        line.put(self.teller.snapshot(line.audience))

    def _missed(self, version: int, who: str) -> list[Frames] | None:
        """What was told after a version; None if not all of it is known here any more.

        None also for somebody who has changed seats since: they do not know what their seat knew.
        """
        missed = [told for told in self._recent if told.version > version]
        if version + len(missed) != self.table.version:
            return None
        moved = (self._moved.get(told.version, ()) for told in missed)
        return None if any(who in people for people in moved) else missed

    def part(self, line: Line) -> None:
        """Let a line hear nothing more."""
        self.lines.pop(line, None)

    @property
    def seated(self) -> set[int]:
        """The seats that have a line here."""
        return {line.audience for line in self.lines if line.audience is not None}

    @property
    def spectators(self) -> int:
        """How many lines are those of visitors, who neither have a seat nor are the host."""
        return sum(not (line.player or line.over) for line in self.lines)

    def lines_of(self, who: str) -> int:
        """How many lines a person has here."""
        return sum(line.who == who for line in self.lines)

    def connected(self, who: str) -> bool:
        """Whether a person has a line here."""
        return any(line.who == who for line in self.lines)


def _places(table: Table) -> set[tuple[str, int]]:
    """Who sits where."""
    return {(person.token, seat) for seat, person in table.people.items()}
