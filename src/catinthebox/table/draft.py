"""The events that a command leads to, before anything is written to the log."""

from __future__ import annotations

from hmac import compare_digest

from . import undo
from .dealer import Dealer, DealRequest
from .errors import not_now, refused
from .events import (
    CardsDealt,
    Entry,
    HostChanged,
    Left,
    Receipt,
    Rematched,
    Revealed,
    TableEvent,
    Undone,
)
from .fold import answered, apply
from .seats import Person
from .state import Table


class Draft:
    """Events that are being decided on, and the table as it would be after them.

    Once they are in the log, `table` is the table as it is: nothing needs to be applied again.
    """

    def __init__(
        self, table: Table, who: str, now: int, dealer: Dealer, seat: int | None = None
    ) -> None:
        self.table = table
        self.who = who
        self._seat = seat  # of the sender when the command came
        self.now = max(now, table.at)  # clocks are set back now and then; a log never is
        self.dealer = dealer
        self.entries: list[Entry] = []

    def add(self, event: TableEvent) -> None:
        """Add an event, and apply it to the table."""
        entry = Entry(self.now, event)
        self.table = apply(self.table, entry)
        self.entries.append(entry)

    def seal(self, command: str) -> None:
        """Put the receipt of the command on the last entry."""
        if command and self.entries:
            last, receipt = self.entries[-1], Receipt(self.who, command)
            self.entries[-1] = Entry(last.at, last.event, receipt)
            self.table = answered(self.table, receipt)

    # ── Who is asking ────────────────────────────────────────────────────────────────────────

    @property
    def seat(self) -> int:
        """The sender's seat; an error if they have none."""
        if self._seat is None:
            raise refused("table.not_seated")
        return self._seat

    @property
    def person(self) -> Person:
        """The sender."""
        return self.table.people[self.seat]

    def host_only(self) -> None:
        """Raise an error unless the host is the sender."""
        if not compare_digest(self.who, self.table.host):
            raise refused("table.host_only")

    def not_paused(self) -> None:
        """Raise an error if the game is paused."""
        if self.table.paused is not None:
            raise not_now("table.paused")

    # ── What follows ─────────────────────────────────────────────────────────────────────────

    def deal(self) -> None:
        """Deal the next round."""
        self.add(CardsDealt(*self.dealer.deal(self.asked())))

    def asked(self) -> DealRequest:
        """Return the request to the dealer, for this round or for the next game's starter."""
        table, game = self.table, self.table.game
        if game is None or not table.playing:
            return DealRequest(table.id, table.games + 1, table.nonces, 1)
        return DealRequest(table.id, table.games, table.nonces, game.number + 1)

    def leave(self, seat: int, *, kicked: bool = False) -> None:
        """Let a person leave. If the host leaves, the next person clockwise becomes the host."""
        host = self.table.seat_of(self.table.host) == seat
        self.add(Left(seat, kicked))
        people = self.table.present or tuple(self.table.people)
        if host and people:
            players = len(self.table.seats)
            self.add(HostChanged(min(people, key=lambda other: (other - seat) % players)))

    def reveal(self) -> None:
        """Reveal the secret of a game that is over, and promise the next one."""
        table, games = self.table.id, self.table.games
        following = self.dealer.commitment(table, games + 1)
        self.add(Revealed(self.dealer.reveal(table, games), following))

    def take_back(self) -> None:
        """Take back, if everybody has agreed."""
        offer = self.table.undo
        if offer is not None and not undo.awaited(self.table):
            self.add(Undone(offer.seat))

    def go_on(self) -> None:
        """Deal the next round, or begin the next game, if everybody who is here wants it."""
        table = self.table
        if not table.all_ready or table.still is not None:
            return
        if table.stage == "between":
            self.deal()
        elif table.stage == "over" and table.full:
            self.add(Rematched(self.dealer.lot(self.asked())))
            self.deal()
