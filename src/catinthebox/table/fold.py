"""The fold: a table and an event make the next table; a whole log makes the table as it is now.

`HANDLERS` names the function for each event; they are in `fold_game` and `fold_people`. `apply`
trusts nothing: an event that cannot have happened raises `BrokenLog`.

>>> from catinthebox.table import Entry, Paused, Settings, create
>>> opened = create("t1", Settings(2), "ab" * 32, "cd" * 32, now=5)
>>> replay([opened, Entry(6, Paused(0))])
Traceback (most recent call last):
    ...
catinthebox.table.errors.BrokenLog: event 2, Paused(seat=0): nobody sits there who could
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from typing import Any, Final

from msgspec.structs import replace

from ..game import CatInTheBoxError
from ..game.fairness import TABLE
from ..protocol.settings import Settings
from . import events, fold_game, fold_people
from .errors import BrokenLog, Impossible, must
from .events import Created, Entry, Receipt, TableEvent
from .seats import HASH, WORKER, Empty
from .state import ANSWERS_KEPT, STRANGERS_KEPT, Table

HANDLERS: Final[Mapping[type[TableEvent], Callable[[Any, Table], Table]]] = {
    events.Sat: fold_people.sat,
    events.Left: fold_people.left,
    events.Readmitted: fold_people.readmitted,
    events.BotSat: fold_people.bot_sat,
    events.BotLeft: fold_people.bot_left,
    events.Came: fold_people.came,
    events.Went: fold_people.went,
    events.Covered: fold_people.covered,
    events.HostChanged: fold_people.host_changed,
    events.TableClosed: fold_people.closed,
    events.Paused: fold_people.paused,
    events.Resumed: fold_people.resumed,
    events.Said: fold_people.said,
    events.Started: fold_game.started,
    events.Rematched: fold_game.rematched,
    events.CardsDealt: fold_game.dealt,
    events.Acted: fold_game.acted,
    events.Readied: fold_game.readied,
    events.ClockRanOut: fold_game.clock_ran_out,
    events.Revealed: fold_game.revealed,
    events.UndoAsked: fold_game.undo_asked,
    events.UndoAgreed: fold_game.undo_agreed,
    events.UndoRefused: fold_game.undo_refused,
    events.Undone: fold_game.undone,
}
"""What each event does to a table whose version and time are those of the event already.

`Created` is not here: it makes the table.
"""


def create(
    table: str, settings: Settings, host: str, commitment: str, now: int, *, keyed: bool = False
) -> Entry:
    """Return the first entry of a table's log; invalid settings are refused.

    `keyed`: the id opens nothing; the server lets people in by the keys of links.
    """
    entry = Entry(now, Created(table, host, commitment, settings, keyed))
    settings.check()
    apply(None, entry)
    return entry


def replay(entries: Iterable[Entry]) -> Table:
    """Fold a whole log."""
    table: Table | None = None
    for entry in entries:
        table = apply(table, entry)
    if table is None:
        raise BrokenLog(0, None, "the log is empty")
    return table


def follow(table: Table, entries: Iterable[Entry]) -> Table:
    """Fold more entries into a table."""
    return reduce(apply, entries, table)


def apply(table: Table | None, entry: Entry) -> Table:
    """Return the table after one more entry; None is the table before its first one."""
    event = entry.event
    try:
        if table is None or isinstance(event, Created):
            must(table is None and isinstance(event, Created), "the first event opens the table")
            assert isinstance(event, Created)
            return answered(_opened(event, entry.at), entry.receipt)
        if table.closed:
            raise Impossible("the table is closed")
        if entry.at < table.at:
            raise Impossible(f"time runs backwards, from {table.at} to {entry.at}")
        handler = HANDLERS.get(type(event))
        if handler is None:
            raise Impossible("no such event")
        after = handler(event, replace(table, version=table.version + 1, at=entry.at))
        ended = table.still is not None and not after.playing  # by a bot's move on its way already
        if after.seats is not table.seats or after.paused != table.paused or ended:
            after = _time(after, entry.at)
        return after if entry.receipt is None else answered(after, entry.receipt)
    except (Impossible, CatInTheBoxError) as error:
        version = 1 if table is None else table.version + 1
        raise BrokenLog(version, event, str(error)) from None


def _opened(event: Created, at: int) -> Table:
    must(HASH.fullmatch(event.host) is not None, "the host is known by the hash of a token")
    must(HASH.fullmatch(event.commitment) is not None, "a commitment is 64 hexadecimal digits")
    must(TABLE.fullmatch(event.table) is not None, "a table's id is 1 to 64 letters, digits, _, -")
    event.settings.check()
    seats = (Empty(),) * event.settings.players
    return Table(
        event.table, event.host, event.commitment, event.settings, seats, at, keyed=event.keyed
    )


def _time(table: Table, at: int) -> Table:
    """Pause the clock, or resume it: everything that was due is postponed by the pause."""
    if table.paused is not None or table.deserted:
        return table if table.still is not None else replace(table, still=at)
    if table.still is None:
        return table
    still = table.still

    def later(since: int) -> int:
        return since + at - max(since, still)

    away = {
        seat: replace(who, since=later(who.since))
        for seat, who in table.people.items()
        if not who.here
    }
    seats = tuple(away.get(seat, who) for seat, who in enumerate(table.seats))
    undo = table.undo and table.undo._replace(since=later(table.undo.since))
    return replace(table, still=None, since=later(table.since), undo=undo, seats=seats)


def answered(table: Table, receipt: Receipt | None) -> Table:
    """Keep the receipt of a command, up to a limit.

    The receipts of people who sit here, of the host and of the bots' worker go only to make room
    for their own later ones: what others send never makes a table forget what a person has sent.
    """
    if receipt is None:
        return table
    kept = dict(table.answered)
    own = {**kept.pop(receipt.who, {}), receipt.command: table.version}
    if len(own) > ANSWERS_KEPT:
        del own[next(iter(own))]  # the oldest; the newest is the last
    kept[receipt.who] = own
    if len(kept) > STRANGERS_KEPT:
        lasting = {table.host, WORKER, *(person.token for person in table.people.values())}
        strangers = [who for who in kept if who not in lasting]
        for who in strangers[:-STRANGERS_KEPT]:
            del kept[who]
    return replace(table, answered=kept)
