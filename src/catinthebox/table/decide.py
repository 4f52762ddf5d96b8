"""Decide on a command: return the entries it adds to the log, or raise an error that explains.

`HANDLERS` names the function for each command; they are in `decide_game` and `decide_people`.
Deciding changes nothing: append the entries to the log all at once, then apply and broadcast them.

>>> from catinthebox.table import Settings, Sit, Start, create, follow, practice, replay, token_hash
>>> ada, dealer = token_hash("ada's secret"), practice(seed=1)
>>> table = replay([create("t1", Settings(3), ada, dealer.commitment("t1", 1), now=0)])
>>> entries = decide(table, Sit("Ada"), ada, 5, dealer, id="1")
>>> [type(entry.event).__name__ for entry in entries]
['Sat']
>>> table = follow(table, entries)
>>> decide(table, Sit("Ada"), ada, 6, dealer, id="1")  # sent again: done already
[]
>>> decide(table, Start(), ada, 7, dealer)
Traceback (most recent call last):
    ...
catinthebox.game.errors.NotYourTurn: seats 1, 2 are empty; people or bots must sit there first
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from ..game import NotUnderstood
from ..game.errors import shortened
from ..protocol import commands
from ..protocol.commands import Command, Gone, Here, Leave, checked_id
from . import decide_game, decide_people
from .dealer import Dealer
from .draft import Draft
from .errors import not_now
from .events import Came, Entry
from .seats import HASH, WORKER, Person
from .state import Table

COMING_OR_GOING: Final = (Here, Gone, Leave)
HANDLERS: Final[Mapping[type[Command], Callable[[Any, Draft], None]]] = {
    commands.Sit: decide_people.sit,
    commands.Leave: decide_people.leave,
    commands.AddBot: decide_people.add_bot,
    commands.RemoveBot: decide_people.remove_bot,
    commands.Kick: decide_people.kick,
    commands.Readmit: decide_people.readmit,
    commands.Host: decide_people.host,
    commands.Close: decide_people.close,
    commands.Here: decide_people.here,
    commands.Gone: decide_people.gone,
    commands.Say: decide_people.say,
    commands.Pause: decide_people.pause,
    commands.Resume: decide_people.resume,
    commands.Start: decide_game.start,
    commands.Act: decide_game.act,
    commands.Ready: decide_game.ready,
    commands.Rematch: decide_game.rematch,
    commands.AskUndo: decide_game.ask_undo,
    commands.AgreeUndo: decide_game.agree_undo,
    commands.RefuseUndo: decide_game.refuse_undo,
}
"""What carries out each command: it adds events to the draft, or raises an error that explains."""


def decide(
    table: Table, command: Command, who: str, now: int, dealer: Dealer, *, id: str = ""
) -> list[Entry]:
    """Return what a command adds to the log; nothing if it was carried out before."""
    return carry(table, command, who, now, dealer, id=id).entries


def carry(
    table: Table, command: Command, who: str, now: int, dealer: Dealer, *, id: str = ""
) -> Draft:
    """Return what a command adds to the log, and the table after it.

    `who` is the hash of a person's token, or `WORKER` for the process that plays bots' moves.
    `id` is the sender's name for this command; what was carried out before adds nothing.
    """
    seat = table.seat_of(who)
    if seat is None and who != WORKER and not HASH.fullmatch(who):
        raise NotUnderstood("input.who", "people are known by the hash of a token")
    draft = Draft(table, who, now, dealer, seat)
    if id and table.answer(who, checked_id(id)) is not None:
        return draft
    if table.closed:
        raise not_now("table.closed")
    if seat is not None and not isinstance(command, COMING_OR_GOING):
        _here(draft, seat)
    handler = HANDLERS.get(type(command))
    if handler is None:
        raise NotUnderstood("input.type", f"{shortened(command)} is no command")
    handler(command, draft)
    draft.seal(id)
    return draft


def _here(draft: Draft, seat: int) -> None:
    """Count the sender of a command as present."""
    who = draft.table.seats[seat]
    if isinstance(who, Person) and not who.here:
        draft.add(Came(seat))
