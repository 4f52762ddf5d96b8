"""The laws of every world, checked whenever something is sent, heard or answered.

1. What was acknowledged is in the log. 2. Nothing is done twice. 3. The log can be folded.
4. Nothing is told before it is on the disk. 5. Everybody's copy is the table. 6. Versions go up by
one, but for snapshots, and never down. 7. Everybody gets the bytes of their own seat, and no secret
of anybody. 8. Games come to an end. 9. The same seed is the same world.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from simulation.disk import Disk
from simulation.history import History, Moment, law

from catinthebox.client.state import apply_frame
from catinthebox.protocol.messages import Done, Frame, Snapshot
from catinthebox.server.live.deal_secret import GAME, DealSecret
from catinthebox.table import Command, Table
from catinthebox.table.live_views import Audience

VERSION: Final = re.compile(
    rb'\{"type":"(?:Frame|Snapshot|Done)",(?:"id":"[^"]*",)?"version":(\d+)'
)


class Laws:
    """Looks at everything that leaves a server and at everything that reaches a client."""

    def __init__(self, disk: Disk, table: str, secrets: list[bytes]) -> None:
        self.history = History(disk, table)
        self.figures: Counter[str] = Counter()
        self._disk = disk
        self._secrets = secrets  # that are never told
        self._games: list[bytes] = []  # secrets that are told when a game is over
        self._acknowledged: set[tuple[str, str]] = set()

    def follow(self, table: str) -> None:
        """Look at another table, which was just opened."""
        self.history = History(self._disk, table)

    # ── Servers ──────────────────────────────────────────────────────────────────────────────

    def leaves(self, line: bytes) -> None:
        """A server sends something: what it tells of is on the disk (4)."""
        found = VERSION.match(line)
        last = self.history.last
        law(not found or int(found[1]) <= last, f"told before it is on the disk ({last}): {line!r}")
        for secret in (*self._secrets, *self._unrevealed()):
            law(secret not in line, "a secret was sent to a client")

    def _unrevealed(self) -> list[bytes]:
        """Return the secrets of the game in play and of the next one."""
        self._read()
        history, key = self.history, DealSecret(self._disk.logs[GAME][0])
        while len(self._games) < history.revealed + 2:
            game = key.secret(history.id, len(self._games) + 1)
            self._games.append(game.hex().encode())
        return self._games[history.revealed :]

    def known(self, who: str, id: str) -> bool:
        """Whether a command was carried out before now."""
        self._read()
        return (who, id) in self.history.receipts

    def _read(self) -> None:
        if self.history.last:
            self.history.at(self.history.last)

    # ── Clients ──────────────────────────────────────────────────────────────────────────────

    def asks(self, who: str, id: str, command: Command) -> None:
        """Somebody is going to ask for something."""
        self.history.asked[who, id] = command

    def shown(self, who: str, copy: Snapshot | None, line: bytes, message: Snapshot) -> Snapshot:
        """Somebody is shown everything; return the copy of the table that they have then."""
        self.figures["snapshots"] += 1
        version = message.version
        law(copy is None or copy.version <= version, f"back from {copy and copy.version}")
        moment = self.history.at(version)
        law(line == moment.snapshot(self.seat(moment, who)), "a snapshot for somebody else")
        return message

    def looks(self, who: str, line: bytes) -> None:
        """Somebody has asked for a snapshot beside their stream."""
        self.figures["looks"] += 1
        found = VERSION.match(line)
        law(found is not None, f"not a snapshot: {line!r}")
        assert found is not None
        moment = self.history.at(int(found[1]))
        law(line == moment.snapshot(self.seat(moment, who)), "a snapshot for somebody else")

    def received(self, who: str, copy: Snapshot | None, line: bytes, message: Frame) -> Snapshot:
        """Somebody is told of an event; return the copy of the table that they have then."""
        self.figures["frames"] += 1
        version = message.version
        law(copy is not None, "a frame for somebody who has seen nothing")
        assert copy is not None
        law(version == copy.version + 1, f"from version {copy.version} to {version}")
        moment = self.history.at(version)
        seat = self.seat(moment, who)
        law(seat == copy.seat, f"from seat {copy.seat} to {seat} without a snapshot")
        law(line == moment.frame(seat), f"a frame for somebody else: {line!r}")
        copy = apply_frame(copy, message)
        law(copy == moment.shown(seat), f"a copy that is not the table at version {version}")
        if message.ack:
            self.done(who, Done(message.ack, version))
        return copy

    def done(self, who: str, message: Done) -> None:
        """Somebody's command was acknowledged: it is in the log (1), there and once (2)."""
        self.figures["acknowledged"] += 1
        self._acknowledged.add((who, message.id))
        self._read()
        place = self.history.receipts.get((who, message.id))
        law(place is not None, f"{message.id} was acknowledged and is not in the log")
        law(place == message.version, f"{message.id} is at {place}, not {message.version}")

    @staticmethod
    def seat(moment: Moment, who: str) -> Audience:
        """Return the seat of somebody at a time; None for spectators."""
        return moment.table.seat_of(who) if who else None

    # ── The end ──────────────────────────────────────────────────────────────────────────────

    def end(self) -> Table:
        """Look at the whole log once more, and at every answer."""
        self._read()
        missing = self._acknowledged - set(self.history.receipts)
        law(not missing, f"acknowledged and lost: {sorted(missing)}")
        return self.history.table
