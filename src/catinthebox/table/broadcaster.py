"""The broadcaster: the only place that makes messages out of a table.

A `Broadcaster` follows a table event by event. What everybody learns of an event is written once
and is the same bytes for every audience; a seat gets its own cards besides (`Own`). The law,
tested on bytes: in two games that an audience cannot tell apart, it gets the same frames and the
same snapshots.

>>> from catinthebox.table import Settings, Sit, carry, create, practice, replay, token_hash
>>> ada, dealer = token_hash("ada's secret"), practice(seed=1)
>>> table = replay([create("t1", Settings(3), ada, dealer.commitment("t1", 1), now=0)])
>>> broadcaster, draft = Broadcaster(table), carry(table, Sit("Ada"), ada, 5, dealer, id="m1")
>>> told = broadcaster.step(draft.entries[0], draft.table)
>>> told.version, told.answered(ada), told.frame(0)[-12:], told.frame(1) is told.frame(None)
(2, 'm1', b',"ack":"m1"}', True)
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from msgspec import Raw
from msgspec.structs import replace

from ..game import Action, Play, Round
from ..protocol.fields import Tagged
from ..protocol.messages import MESSAGES, Done, Frame, News, Own, Snapshot, Why
from ..views import Event, Mine, View, mine
from . import render
from .announce import happened, spoken
from .events import Acted, Entry, TableEvent
from .live_views import Audience, sights
from .public_state import public, public_after
from .state import Table

Hands: TypeAlias = tuple[Mine, ...]  # by seat; nothing before the first deal


class WrittenSnapshot(Tagged, frozen=True, tag="Snapshot"):
    """A snapshot whose public parts are written already."""

    version: int
    at: int
    table: str
    settings: Raw
    seats: Raw
    room: Raw
    game: Raw
    round: Raw
    turn: Raw
    chat: Raw
    seat: int | None
    own: Own | None


NOTHING_OWN: Final = b'null,"ack":""}'  # how a frame ends that says the same to everybody


def written(value: object) -> Raw:
    """Write something that is sent to many."""
    return Raw(MESSAGES.write(value))


class Frames(NamedTuple):
    """The frames of one event as bytes: they begin alike, and end in an own way for each seat.

    This is all that has to be remembered of an event, in case somebody has missed it.
    """

    version: int
    start: bytes
    ends: tuple[bytes, ...]  # by seat; the last one is that of spectators

    def frame(self, audience: Audience) -> bytes:
        """Return the frame for a seat, or for spectators (None)."""
        return self.start + self.ends[-1 if audience is None else audience]


class EventFrames:
    """The frames of one event for every audience; later events do not change them."""

    __slots__ = (
        *("_ack", "_after", "_at", "_before", "_frames", "_news", "_receipt", "_seats", "_whole"),
        "version",
    )

    def __init__(
        self, entry: Entry, table: Table, news: tuple[News, ...], before: Hands, after: Hands
    ) -> None:
        self.version = table.version
        self._at = entry.at
        self._receipt = entry.receipt
        self._ack = None if entry.receipt is None else table.seat_of(entry.receipt.who)
        self._news = news
        self._before, self._after = before, after
        self._seats = len(table.seats)
        self._frames: Frames | None = None
        self._whole: dict[bytes, bytes] = {}  # each frame once

    def frame(self, audience: Audience) -> bytes:
        """Return the frame for a seat, or for spectators (None); equal ones are one object."""
        frame = self.frames().frame(audience)
        return self._whole.setdefault(frame, frame)

    def frames(self) -> Frames:
        """Return the frames for everybody, written once: as `message` is, but for less work."""
        if self._frames is None:
            news = MESSAGES.write(self._news)
            start = b'{"type":"Frame","version":%d,"at":%d,"news":%b,"own":'
            ends = (*self._ends(), NOTHING_OWN)
            self._frames = Frames(self.version, start % (self.version, self._at, news), ends)
        return self._frames

    def _ends(self) -> list[bytes]:
        """Return how the frame of each seat ends: its own cards if they changed, its receipt."""
        ends = [NOTHING_OWN] * self._seats
        for seat, cards in enumerate(self._after):
            if not self._before or cards != self._before[seat]:
                ends[seat] = b'%b,"ack":""}' % MESSAGES.write(render.own(cards))
        if self._ack is not None and self._receipt is not None:
            end, ack = ends[self._ack], MESSAGES.write(self._receipt.command)
            ends[self._ack] = b"%b%b}" % (end.removesuffix(b'""}'), ack)
        return ends

    def message(self, audience: Audience) -> Frame:
        """Return the same as a struct."""
        own, ack = self._own(audience), self._acknowledged(audience)
        return Frame(self.version, self._at, self._news, own, ack)

    def answered(self, who: str) -> str:
        """Return the id of the command that this ends, if it was theirs."""
        return self._receipt.command if self._receipt and self._receipt.who == who else ""

    def _acknowledged(self, audience: Audience) -> str:
        """An audience is told the id of its own command only."""
        if self._receipt is None or audience is None or audience != self._ack:
            return ""
        return self._receipt.command

    def _own(self, audience: Audience) -> Own | None:
        """The own cards, if they are different from what the seat was told before."""
        if audience is None or not self._after:
            return None
        if self._before and self._before[audience] == self._after[audience]:
            return None
        return render.own(self._after[audience])


class Broadcaster:
    """Follows a table event by event, and makes the frames and snapshots of every audience."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._sights = sights(table)
        self._public = public(table, self._sights)
        self._hands = hands(table)
        self._snapshot: WrittenSnapshot | None = None

    def step(self, entry: Entry, after: Table) -> EventFrames:
        """Go on by one entry, to the table after it; give what it tells."""
        before, old, held = self.table, self._public, self._hands
        earlier, round = before.round, after.round
        seen = () if round is earlier else self._see(entry.event, earlier, round, after)
        self._public = public_after(old, before, after, self._sights)
        self.table = after
        self._snapshot = None
        news = (*happened(before, entry.event, after, seen), *self._public.changes(old))
        return EventFrames(entry, after, news, held, self._hands)

    def _see(
        self, event: TableEvent, earlier: Round | None, round: Round | None, after: Table
    ) -> tuple[Event, ...]:
        """Return what everybody sees of an action; another round is followed from its deal on."""
        self._hands = () if round is None else mine(round)
        if isinstance(event, Acted) and self._sights and earlier and round:
            return self._sights.see(earlier, Play(event.seat, event.action), round)
        self._sights = sights(after)
        return ()

    def view(self, audience: Audience) -> View | None:
        """Return the round as an audience sees it; None before the first deal."""
        return None if self._sights is None else self._sights.of(audience)

    def why(self, audience: Audience, action: Action, id: str = "") -> Why:
        """Explain why an action is not legal for a seat now, by what the seat may know.

        `id` names the question.
        """
        view = self.view(audience)
        refusal = None if view is None else view.why(action)
        if refusal is None:
            return Why(id, str(action), "", "", "")
        return Why(id, str(action), refusal.code, refusal.clause, str(refusal))

    # ── Everything at once ───────────────────────────────────────────────────────────────────

    def snapshot(self, audience: Audience) -> bytes:
        """Return everything an audience may know, as bytes."""
        if self._snapshot is None:
            self._snapshot = self._written()
        return MESSAGES.write(replace(self._snapshot, seat=audience, own=self._own(audience)))

    def _written(self) -> WrittenSnapshot:
        whole = self.message(None)
        return WrittenSnapshot(
            whole.version,
            whole.at,
            whole.table,
            written(whole.settings),
            written(whole.seats),
            written(whole.room),
            written(whole.game),
            written(whole.round),
            written(whole.turn),
            written(whole.chat),
            None,
            None,
        )

    def message(self, audience: Audience) -> Snapshot:
        """Return the same as a struct."""
        table, parts = self.table, self._public
        assert parts.seats is not None
        assert parts.room is not None
        assert parts.turn is not None
        return Snapshot(
            version=table.version,
            at=table.at,
            table=table.id,
            settings=table.settings,
            seats=parts.seats,
            room=parts.room,
            game=parts.game,
            round=parts.round,
            turn=parts.turn,
            chat=tuple(map(spoken, table.chat)),
            seat=audience,
            own=self._own(audience),
        )

    def _own(self, audience: Audience) -> Own | None:
        return None if audience is None or not self._hands else render.own(self._hands[audience])


def done(table: Table, who: str, id: str) -> Done:
    """Return the acknowledgement of a command; one without effect is done at this version."""
    version = table.answer(who, id)
    return Done(id, table.version if version is None else version)


def hands(table: Table) -> Hands:
    """Return the own cards of every seat."""
    round = table.round
    return () if round is None else mine(round)
