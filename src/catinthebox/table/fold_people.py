"""How the events around a game change a table: seats, presence, pauses, chat.

One function for each event; the dispatch table is in `fold`.
"""

from __future__ import annotations

from msgspec.structs import replace

from ..protocol.chat import ChatMessage, chat_history
from ..protocol.settings import checked_level
from .errors import must
from .events import (
    BotLeft,
    BotSat,
    Came,
    Covered,
    HostChanged,
    Left,
    Paused,
    Readmitted,
    Resumed,
    Said,
    Sat,
    TableClosed,
    Went,
)
from .seats import HASH, Bot, Empty, Person, checked_name, checked_nonce
from .state import REMOVED_KEPT, Removed, Table, put

# ── Seats ────────────────────────────────────────────────────────────────────────────────────


def sat(event: Sat, table: Table) -> Table:
    """A person takes a seat."""
    must(not table.playing and isinstance(table.seat(event.seat), Empty), "the seat is not free")
    must(HASH.fullmatch(event.token) is not None, "people are known by the hash of a token")
    must(table.seat_of(event.token) is None, "they have a seat already")
    name, nonce = checked_name(event.name), checked_nonce(event.nonce)
    person = Person(name, event.token, nonce, here=True, since=table.at, cat=event.cat)
    welcome = tuple(removed for removed in table.removed if removed.token != event.token)
    return put(replace(table, removed=welcome), event.seat, person)


def bot_sat(event: BotSat, table: Table) -> Table:
    """A bot takes a seat."""
    must(not table.playing and event.seat not in table.people, "no bot can sit there now")
    return put(table, event.seat, Bot(checked_level(event.level)))


def bot_left(event: BotLeft, table: Table) -> Table:
    """A bot's seat is free again."""
    must(not table.playing and isinstance(table.seat(event.seat), Bot), "no bot to leave")
    return put(table, event.seat, Empty())


def left(event: Left, table: Table) -> Table:
    """A person's seat is given up: during a game to a bot, since the others want to finish it."""
    seat = event.seat
    who = _person(table, seat)
    if event.kicked:
        removed = (*table.removed, Removed(who.token, who.name))
        table = replace(table, removed=removed[-REMOVED_KEPT:])
    given = put(table, seat, Bot(table.settings.cover) if table.playing else Empty())
    offer = given.undo
    return replace(
        given,
        paused=given.paused if given.people else None,
        undo=None if offer and offer.seat == seat else offer,
        ready=tuple(other for other in given.ready if other != seat),
        lent=tuple(other for other in given.lent if other != seat),
    )


def readmitted(event: Readmitted, table: Table) -> Table:
    """Everybody who was removed under a name may sit down again."""
    removed = tuple(person for person in table.removed if person.name != event.name)
    must(len(removed) < len(table.removed), "nobody by that name was removed")
    return replace(table, removed=removed)


def came(event: Came, table: Table) -> Table:
    """A person is back, and plays again."""
    who = _person(table, event.seat)
    must(not who.here, "they were here already")
    return put(table, event.seat, replace(who, here=True, covered=False, since=table.at))


def went(event: Went, table: Table) -> Table:
    """A person is away."""
    who = _person(table, event.seat)
    must(who.here, "they were away already")
    return put(table, event.seat, replace(who, here=False, since=table.at))


def covered(event: Covered, table: Table) -> Table:
    """A bot plays for a person who is away."""
    who = _person(table, event.seat)
    must(table.playing and not who.here and not who.covered, "no bot was needed there")
    return put(table, event.seat, replace(who, covered=True))


def host_changed(event: HostChanged, table: Table) -> Table:
    """Another person is the host."""
    who = _person(table, event.seat)
    must(who.token != table.host, "they were the host already")
    return replace(table, host=who.token)


def closed(event: TableClosed, table: Table) -> Table:
    """Close the table: nothing is waited for any more."""
    ended = replace(table, stage="closed", to_act=(), closed=True)
    return replace(ended, paused=None, undo=None, ready=(), lent=())


def _person(table: Table, seat: int) -> Person:
    must(seat in table.people, "nobody sits there who could")
    return table.people[seat]


# ── Manners ──────────────────────────────────────────────────────────────────────────────────


def paused(event: Paused, table: Table) -> Table:
    """Pause the clock."""
    _person(table, event.seat)
    must(table.playing and table.paused is None, "there is nothing to pause")
    return replace(table, paused=event.seat, pauses=(*table.pauses, event.seat))


def resumed(event: Resumed, table: Table) -> Table:
    """Resume the clock."""
    _person(table, event.seat)
    must(table.paused is not None, "there is no pause")
    return replace(table, paused=None)


def said(event: Said, table: Table) -> Table:
    """Add a message to the chat, of which only the end is kept."""
    who = _person(table, event.seat)
    message = ChatMessage(event.seat, who.name, event.text, event.preset, table.at)
    seated = {(seat, person.name) for seat, person in table.people.items()}
    return replace(table, chat=chat_history((*table.chat, message), seated))
