"""Servers that tell too much, each in a way of its own: the law must notice all of them.

A leak is a change to the running code, made with `monkeypatch`. Most tell `hint(table)`, a small
number that depends on every card of the round and on nothing that anybody sees.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Final
from zlib import crc32

import pytest
from msgspec.structs import replace
from secrecy.scenarios import Crooked, secret

from catinthebox import Action, CatInTheBoxError
from catinthebox.protocol.messages import Done, Why
from catinthebox.protocol.parts import SeatShown
from catinthebox.server.access import connector, tables
from catinthebox.server.http import middleware, routes_records
from catinthebox.server.http.responses import goodbye
from catinthebox.server.live import finished_games, hub, scheduler
from catinthebox.server.live.deal_secret import DealSecret, open_key
from catinthebox.server.live.links import Access, LinkKeys
from catinthebox.server.live.live_table import LiveTable
from catinthebox.server.live.outbox import Outbox
from catinthebox.server.ops import logs, metrics
from catinthebox.server.transport import websocket
from catinthebox.store import Store
from catinthebox.table import (
    BotTurn,
    Broadcaster,
    Entry,
    EventFrames,
    Person,
    Sent,
    Table,
    needs,
    record,
    render,
)
from catinthebox.table.errors import refused
from catinthebox.table.live_views import Audience, ViewOf
from catinthebox.table.seats import Occupant

Patch = pytest.MonkeyPatch
Leak = Callable[[Patch], None]


def hint(table: Table) -> int:
    """Something that follows from all cards of a round."""
    hands = table.round.setup.hands if table.round is not None else ()
    return crc32("".join(hands).encode())


# ── On connections ───────────────────────────────────────────────────────────────────────────


def a_frame_for_somebody_else(patch: Patch) -> None:
    """Spectators are told what a seat is told."""
    honest = EventFrames.frame
    patch.setattr(EventFrames, "frame", lambda frames, audience: honest(frames, audience or 0))


def a_snapshot_for_somebody_else(patch: Patch) -> None:
    """A seat is shown the cards of the next one."""
    honest = Broadcaster.snapshot

    def dishonest(broadcaster: Broadcaster, audience: Audience) -> bytes:
        players = broadcaster.table.settings.players
        return honest(broadcaster, None if audience is None else (audience + 1) % players)

    patch.setattr(Broadcaster, "snapshot", dishonest)


def a_longer_frame(patch: Patch) -> None:
    """Nothing but the length of a message tells something: blanks at its end."""
    honest, last = Outbox.put, _last_hint(patch)
    patch.setattr(Outbox, "put", lambda line, text: honest(line, text + b" " * (last() % 7)))


def another_order_of_lines(patch: Patch) -> None:
    """Nothing but the order tells something in which connections are served."""
    honest = LiveTable._broadcast

    def dishonest(live: LiveTable, *told: Any, **how: Any) -> None:
        if hint(live.table) % 2:
            live.outboxes = dict(reversed(live.outboxes.items()))
        honest(live, *told, **how)

    patch.setattr(LiveTable, "_broadcast", dishonest)


def another_order_of_news(patch: Patch) -> None:
    """Nothing but the order of the news depends on a secret."""
    honest = Broadcaster._news

    def dishonest(broadcaster: Broadcaster, event: Any, before: Table, after: Table) -> list[Any]:
        news = honest(broadcaster, event, before, after)
        return news[::-1] if hint(after) % 2 else news

    patch.setattr(Broadcaster, "_news", dishonest)


def one_beat_more(patch: Patch) -> None:
    """A message more, or less, tells something."""
    honest = LiveTable.join

    def dishonest(live: LiveTable, line: Outbox, version: int | None) -> int | None:
        resent = honest(live, line, version)
        if hint(live.table) % 2:
            line.put(b'{"type":"Beat","at":0}')
        return resent

    patch.setattr(LiveTable, "join", dishonest)


def a_resend_for_somebody_else(patch: Patch) -> None:
    """Anyone who comes back as a spectator is told again what seat 0 was told."""
    honest = LiveTable.join

    def dishonest(live: LiveTable, line: Outbox, version: int | None) -> int | None:
        for told in live._missed(version or 0, line.who) or ():
            line.put(told.frame(0))
        return honest(live, line, version)

    patch.setattr(LiveTable, "join", dishonest)


def a_telling_close_reason(patch: Patch) -> None:
    """The reason for which a connection is closed has a number in it."""
    last = _last_hint(patch)

    def dishonest(why: str | Exception) -> tuple[Any, int]:
        told, code = goodbye(why)
        return replace(told, code=f"{told.code}.{last()}"), code

    patch.setattr(websocket, "goodbye", dishonest)


def _last_hint(patch: Patch) -> Callable[[], int]:
    """Return the hint of whichever table has gone on last."""
    honest, known = Broadcaster.step, [0]

    def watching(broadcaster: Broadcaster, entry: Entry, after: Table) -> EventFrames:
        known[0] = hint(after)
        return honest(broadcaster, entry, after)

    patch.setattr(Broadcaster, "step", watching)
    return lambda: known[0]


# ── In answers ───────────────────────────────────────────────────────────────────────────────


def a_reason_from_the_whole_round(patch: Patch) -> None:
    """Why not is answered for the seat whose turn it is, no matter who asks."""
    honest = Broadcaster.why

    def dishonest(teller: Broadcaster, seat: Audience, action: Action, *rest: Any) -> Why:
        answer, round = honest(teller, seat, action, *rest), teller.table.round
        if round is None or not round.to_act:
            return answer
        return replace(answer, message=str(round.why(action, round.to_act[0])))

    patch.setattr(Broadcaster, "why", dishonest)


def an_error_with_a_card(patch: Patch) -> None:
    """A refusal quotes a card of the next seat."""
    honest = hub.Hub.do

    async def dishonest(here: hub.Hub, live: LiveTable, sent: Sent, who: str) -> Done:
        try:
            return await honest(here, live, sent, who)
        except CatInTheBoxError as error:
            hands = live.table.round.hands if live.table.round else ((), ())
            raise refused(error.code, f"{error.message} {hands[1][:1]}{hands[0][:1]}") from None

    patch.setattr(hub.Hub, "do", dishonest)


def a_slower_answer(patch: Patch) -> None:
    """Nothing but the time tells something that a command takes."""
    honest = hub.Hub.do

    async def dishonest(here: hub.Hub, live: LiveTable, sent: Sent, who: str) -> Done:
        await asyncio.sleep(hint(live.table) % 5 / 1000)
        return await honest(here, live, sent, who)

    patch.setattr(hub.Hub, "do", dishonest)


def a_telling_header(patch: Patch) -> None:
    """A tag of the whole state is among the headers."""
    honest, last = middleware._completed, _last_hint(patch)
    patch.setattr(
        middleware, "_completed", lambda *given: [*honest(*given), (b"etag", b"%d" % last())]
    )


def a_record_too_early(patch: Patch) -> None:
    """The record of a game that goes on is given to anyone who asks."""
    patch.setattr(finished_games, "game_over", lambda table: table.game)
    patch.setattr(record, "game_over", lambda table: table.game)


# ── To nobody in particular ──────────────────────────────────────────────────────────────────


def a_hand_in_the_log(patch: Patch) -> None:
    """A library logs what was dealt, at the lowest level."""
    honest = hub.Hub.do

    async def dishonest(here: hub.Hub, live: LiveTable, sent: Sent, who: str) -> Done:
        done = await honest(here, live, sent, who)
        logging.getLogger("catinthebox.hub").debug(
            "%s", live.table.game and live.table.game.current.setup
        )
        return done

    patch.setattr(hub.Hub, "do", dishonest)


def a_number_in_the_log(patch: Patch) -> None:
    """A field that may be logged holds what may not."""
    honest = connector.Connector.connect

    @asynccontextmanager
    async def dishonest(
        here: connector.Connector, access: Access, *rest: Any
    ) -> AsyncIterator[Any]:
        here._logs.info("line_opened", lines=hint(access.live.table))
        async with honest(here, access, *rest) as connection:
            yield connection

    patch.setattr(connector.Connector, "connect", dishonest)


def a_link_in_the_log(patch: Patch) -> None:
    """The name of a table is written as it is."""
    patch.setattr(logs.Logs, "tag", lambda here, name, value: value)


def a_telling_metric(patch: Patch) -> None:
    """A number depends on a card."""
    honest, last = metrics.Metrics.text, _last_hint(patch)
    patch.setattr(metrics.Metrics, "text", lambda here: f"{honest(here)}cards {last()}\n")


def a_view_for_another_bot(patch: Patch) -> None:
    """A bot is asked with the view of the next seat."""

    def dishonest(table: Table, view: ViewOf | None = None) -> list[BotTurn]:
        assert view is not None
        players = table.settings.players
        return needs(table, view=lambda seat: view(((seat or 0) + 1) % players))

    patch.setattr(scheduler, "needs", dishonest)


# ── The same in all worlds ───────────────────────────────────────────────────────────────────


def the_hash_of_a_token(patch: Patch) -> None:
    """People are shown by what the log knows them by."""
    _show(patch, lambda who: who.token)


def a_nonce_too_early(patch: Patch) -> None:
    """Nonces are shown before the list of them is closed."""
    _show(patch, lambda who: who.nonce)


def _show(patch: Patch, told: Callable[[Person], str]) -> None:
    honest = render._seat

    def dishonest(who: Occupant) -> SeatShown:
        seat = honest(who)
        return replace(seat, name=told(who)) if isinstance(who, Person) else seat

    patch.setattr(render, "_seat", dishonest)


def a_secret_too_early(patch: Patch) -> None:
    """The secret of a game takes the place of its commitment."""
    patch.setattr(Crooked, "commitment", lambda dealer, table, game: secret(game))


def the_key_of_everything(patch: Patch) -> None:
    """The key behind the deals is in an error."""
    known: list[DealSecret] = []

    async def dishonest(store: Store, draw: Callable[[int], bytes]) -> DealSecret:
        known.append(await open_key(store, draw))
        return known[-1]

    patch.setattr(hub, "open_key", dishonest)
    for place in (hub, tables):
        patch.setattr(
            place, "unknown", lambda: refused("table.unknown", known[-1].secret_bytes.hex())
        )


# ── Keys in links ────────────────────────────────────────────────────────────────────────────


def a_key_to_play_for_watchers(patch: Patch) -> None:
    """Anyone who may watch is told the link to play."""
    honest = LinkKeys.links_for
    patch.setattr(LinkKeys, "links_for", lambda keys, table, purpose: honest(keys, table, "play"))


def a_key_on_a_line(patch: Patch) -> None:
    """A connection begins with the link to play, no matter for whom."""
    honest = hub.Hub.connect

    @asynccontextmanager
    async def dishonest(
        here: hub.Hub, live: LiveTable, line: Outbox, *rest: Any
    ) -> AsyncIterator[Any]:
        async with honest(here, live, line, *rest) as resent:
            line.put(here.links.play(live.id).encode())
            yield resent

    patch.setattr(hub.Hub, "connect", dishonest)


def a_key_in_a_file_name(patch: Patch) -> None:
    """A record is called by the key with which it was asked for."""
    asked: list[str] = []
    honest, filed = tables.TableAccess.open, routes_records._file

    def remembering(here: tables.TableAccess, key: str, *rest: Any) -> Any:
        asked.append(key)
        return honest(here, key, *rest)

    def dishonest(text: str, media: str, table: Table, ending: str) -> Any:
        return filed(text, media, replace(table, id=asked[-1]), ending)

    patch.setattr(tables.TableAccess, "open", remembering)
    patch.setattr(routes_records, "_file", dishonest)


def a_key_in_the_log(patch: Patch) -> None:
    """Every key that is used is written down, at a level that nobody reads."""
    honest = LinkKeys.read

    def dishonest(keys: LinkKeys, key: str, *rest: Any) -> Any:
        logging.getLogger("catinthebox.edge").debug("%s", key)
        return honest(keys, key, *rest)

    patch.setattr(LinkKeys, "read", dishonest)


UNEQUAL: Final[tuple[Leak, ...]] = (  # what is told is not the same in worlds that look the same
    *(a_frame_for_somebody_else, a_snapshot_for_somebody_else, a_resend_for_somebody_else),
    *(a_longer_frame, another_order_of_lines, another_order_of_news, one_beat_more),
    *(a_telling_close_reason, a_reason_from_the_whole_round, an_error_with_a_card),
    *(a_slower_answer, a_telling_header, a_record_too_early, a_hand_in_the_log),
    *(a_number_in_the_log, a_telling_metric, a_view_for_another_bot),
)
SECRET: Final[tuple[Leak, ...]] = (  # what is told must not be told at all
    *(the_hash_of_a_token, a_nonce_too_early, a_secret_too_early, the_key_of_everything),
    *(a_link_in_the_log, a_frame_for_somebody_else, a_hand_in_the_log),
    *(a_key_to_play_for_watchers, a_key_on_a_line, a_key_in_a_file_name, a_key_in_the_log),
)
