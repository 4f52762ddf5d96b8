"""The broadcaster: the only place that makes messages out of a table.

A `Broadcaster` follows a table event by event. What everybody learns of an event is written once
and is the same bytes for every audience; a seat also gets its own cards (`Own`). A test checks the
law on bytes: in two games that an audience cannot distinguish, it gets the same frames and the same
snapshots.

>>> from catinthebox.table import Settings, Sit, carry, create, practice, replay, token_hash
>>> ada, dealer = token_hash("ada's secret"), practice(seed=1)
>>> table = replay([create("t1", Settings(3), ada, dealer.commitment("t1", 1), now=0)])
>>> broadcaster, draft = Broadcaster(table), carry(table, Sit("Ada"), ada, 5, dealer, id="m1")
>>> frames = broadcaster.step(draft.entries[0], draft.table)
>>> frames.version, frames.frame(0)[-12:], frames.frame(1) == frames.frame(None)
(2, b',"ack":"m1"}', True)
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from msgspec import Raw
from msgspec.structs import replace

from ..game import Action, Play
from ..protocol.fields import Tagged
from ..protocol.messages import MESSAGES, Done, News, Own, Snapshot, Why
from ..views import Event, Mine, View, mine
from . import render
from .events import Acted, Entry, Receipt, TableEvent
from .live_views import Audience, live_views
from .public_state import PublicState, public, public_after
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


START: Final = b'{"type":"Frame","version":%d,"at":%d,"news":%b,"own":'
NOTHING_OWN: Final = b'null,"ack":""}'  # how a frame ends that says the same to everybody


def written(value: object) -> Raw:
    """Encode something that is sent to many."""
    return Raw(MESSAGES.write(value))


class EventFrames(NamedTuple):
    """The frames of one event: the same start for everybody, and for each seat an end of its own.

    This is all that has to be kept of an event in case somebody missed it.
    """

    version: int
    start: bytes
    ends: tuple[bytes, ...]  # by seat; the last one is that of spectators

    def frame(self, audience: Audience) -> bytes:
        """Return the frame for a seat, or for spectators (None)."""
        return self.start + self.ends[-1 if audience is None else audience]


class Broadcaster:
    """Follows a table event by event, and makes the frames and snapshots of every audience."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._views = live_views(table)
        self._public = public(table, self._views)
        self._hands = hands(table)
        self._snapshot: WrittenSnapshot | None = None

    def step(self, entry: Entry, after: Table) -> EventFrames:
        """Process one entry, with the table after it; return the frames of every audience."""
        before, held = self.table, self._hands
        self.table, self._snapshot = after, None
        news = MESSAGES.write(self._news(entry.event, before, after))
        start = START % (after.version, entry.at, news)
        return EventFrames(after.version, start, (*self._ends(entry.receipt, held), NOTHING_OWN))

    def _news(self, event: TableEvent, before: Table, after: Table) -> list[News]:
        """Return the announcements of an event, and every part of the table that it changes.

        A move changes the round and whose turn it is, and nothing else, unless it ends the round or
        a request to take back. What any other event changes is found by comparing.
        """
        old, game = self._public, after.game
        seen = () if game is before.game else self._see(event, after)
        news: list[News] = [*render.announced(before, event, after, seen)]
        views = self._views
        if seen and views and game and before.undo is None and after.stage == "play":
            shown, turn = render.round_of(views, game.names), render.turn(after)
            self._public = PublicState(old.seats, old.room, old.game, shown, turn)
            return [*news, shown, turn]
        self._public = public_after(old, before, after, views)
        return [*news, *self._public.changes(old)]

    def _ends(self, receipt: Receipt | None, held: Hands) -> list[bytes]:
        """Return how the frame of each seat ends: its own cards if they changed, its receipt.

        `held` are the cards before. Only the seat whose command it was gets the receipt.
        """
        ends = [NOTHING_OWN] * len(self.table.seats)
        for seat, cards in enumerate(self._hands):
            if not held or cards != held[seat]:
                ends[seat] = b'%b,"ack":""}' % MESSAGES.write(render.own(cards))
        seat_of_sender = None if receipt is None else self.table.seat_of(receipt.who)
        if receipt is not None and seat_of_sender is not None:
            end = ends[seat_of_sender].removesuffix(b'""}')
            ends[seat_of_sender] = b"%b%b}" % (end, MESSAGES.write(receipt.command))
        return ends

    def _see(self, event: TableEvent, after: Table) -> tuple[Event, ...]:
        """Return what everybody sees of an action; another round is followed from its deal on."""
        round, views = after.round, self._views
        if views is not None and views.round is round:
            return ()  # the game has changed, and the round has not
        self._hands = () if round is None else mine(round)
        if isinstance(event, Acted) and views and round:
            return views.see(views.round, Play(event.seat, event.action), round)
        self._views = live_views(after)
        return ()

    def view(self, audience: Audience) -> View | None:
        """Return the round as an audience sees it; None before the first deal."""
        return None if self._views is None else self._views.of(audience)

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
            chat=tuple(map(render.spoken, table.chat)),
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
