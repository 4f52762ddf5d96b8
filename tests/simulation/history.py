"""What really happened at a table: its log on the disk, folded and told once more, by nobody else.

Clients are held against this. It follows the disk and believes nothing: versions without a gap, no
receipt twice, none for a command that nobody sent.
"""

from __future__ import annotations

import asyncio
from collections import Counter

from msgspec.structs import replace
from simulation.disk import Disk

from catinthebox.game import Round
from catinthebox.protocol.messages import Own, Snapshot, encode
from catinthebox.table import (
    Act,
    Acted,
    Broadcaster,
    Command,
    Entry,
    EventFrames,
    Revealed,
    Said,
    Say,
    Table,
    apply,
    decode,
)
from catinthebox.table import render as parts
from catinthebox.table.broadcaster import hands
from catinthebox.table.live_views import Audience


class Broken(AssertionError):
    """A law does not hold in this world."""


def law(holds: bool, words: str) -> None:
    """Insist on something. The world ends at once, even if the caller goes on."""
    if not holds:
        error = Broken(words)
        loop = asyncio.get_running_loop()
        loop.call_exception_handler({"message": "a law is broken", "exception": error})
        raise error


class Moment:
    """A table after one event, and what everybody may have been told of it."""

    def __init__(
        self, entry: Entry, table: Table, received: EventFrames | None, public: Snapshot
    ) -> None:
        self.entry = entry
        self.table = table
        self._snapshot = received
        self._public = public
        self._shown: dict[Audience, Snapshot] = {}

    def frame(self, audience: Audience) -> bytes:
        """Return the frame of the event."""
        assert self._snapshot is not None, "anyone who knows nothing yet is shown everything"
        return self._snapshot.frame(audience)

    def shown(self, audience: Audience) -> Snapshot:
        """Return everything that an audience may know then."""
        if audience not in self._shown:
            own = None if audience is None else self._own(audience)
            self._shown[audience] = replace(self._public, seat=audience, own=own)
        return self._shown[audience]

    def snapshot(self, audience: Audience) -> bytes:
        """Return the same as bytes."""
        return encode(self.shown(audience))

    def _own(self, seat: int) -> Own | None:
        round = self.table.round
        if round is None:
            return None
        own = parts.own(hands(self.table)[seat])
        _hand_is_true(round, seat, own)
        return own


def _hand_is_true(round: Round, seat: int, own: Own) -> None:
    """A seat is shown its own cards, as the rules have them."""
    held = Counter({card.rank: card.copies for card in own.hand})
    law(held == Counter(round.hands[seat]), f"seat {seat} is shown a hand that is not its own")


class History:
    """The log of a table as far as it is on the disk."""

    def __init__(self, disk: Disk, table: str) -> None:
        self.id = table
        self.moments: list[Moment] = []
        self.receipts: dict[tuple[str, str], int] = {}
        self.revealed = 0  # games whose secret was told
        self.asked: dict[tuple[str, str], Command] = {}
        self._disk = disk
        self._broadcaster: Broadcaster | None = None
        self._act: Acted | None = None  # a person's, whose receipt is still to come
        self.before = disk.last(table)  # nobody knows any more who asked for this

    @property
    def last(self) -> int:
        """The number of events on the disk."""
        return self._disk.last(self.id)

    @property
    def table(self) -> Table:
        """The table as it is on the disk."""
        return self.at(self.last).table

    def at(self, version: int) -> Moment:
        """Return the moment after an event; it is on the disk, or a law is broken."""
        law(1 <= version <= self.last, f"version {version} is not on the disk, {self.last} is")
        while len(self.moments) < version:
            self._grow()
        return self.moments[version - 1]

    def _grow(self) -> None:
        """Fold one more entry: a log that cannot be is a `BrokenLog`."""
        line = self._disk.logs[self.id][len(self.moments)]
        entry, broadcaster, received = decode(line), self._broadcaster, None
        table = apply(None if broadcaster is None else broadcaster.table, entry)
        if broadcaster is None:
            broadcaster = self._broadcaster = Broadcaster(table)
        else:
            received = broadcaster.step(entry, table)
        law(table.version == len(self.moments) + 1, f"version {table.version} is out of place")
        self.moments.append(Moment(entry, table, received, broadcaster.message(None)))
        self.revealed += isinstance(entry.event, Revealed)
        if table.version > self.before:
            self._look(entry, table.version)

    # ── Commands ─────────────────────────────────────────────────────────────────────────────

    def _look(self, entry: Entry, version: int) -> None:
        """Hold an entry against what people have asked for."""
        event, receipt = entry.event, entry.receipt
        if isinstance(event, Acted) and not event.bot:
            law(self._act is None, f"{self._act} was asked for by nobody")
            self._act = event
        if receipt is None:
            return
        key = receipt.who, receipt.command
        law(key in self.asked, f"nobody has sent {receipt.command}")
        law(key not in self.receipts, f"{receipt.command} was carried out twice")
        self.receipts[key] = version
        self._fits(self.asked[key], entry)

    def _fits(self, command: Command, entry: Entry) -> None:
        event, act, self._act = entry.event, self._act, None
        if isinstance(command, Act):
            fits = act is not None and act.action == command.action
            law(fits, f"{command} led to {act}")
        else:
            law(act is None, f"{act} was asked for by nobody")
        if isinstance(command, Say):
            law(event == Said(getattr(event, "seat", 0), command.text, command.preset), "misheard")
