"""Decide on a command: give the entries it adds to the log, or raise an error that explains.

Deciding changes nothing. Write the entries down as one piece, then fold them and tell people.

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

from typing import Final

from ..game import NotUnderstood
from . import decide_game, decide_people
from .commands import Command, Gone, Here, Leave, checked_id
from .dealer import Dealer
from .draft import Draft
from .errors import not_now
from .events import Came, Entry
from .seats import HASH, WORKER, Person
from .state import Table
from .wish import carry_out

COMING_OR_GOING: Final = (Here, Gone, Leave)
PARTS = (decide_game, decide_people)  # importing them registers how each command is carried out


def decide(
    table: Table, command: Command, who: str, now: int, dealer: Dealer, *, id: str = ""
) -> list[Entry]:
    """Give what a command adds to the log; nothing if it was carried out before."""
    return carry(table, command, who, now, dealer, id=id).entries


def carry(
    table: Table, command: Command, who: str, now: int, dealer: Dealer, *, id: str = ""
) -> Draft:
    """Give what a command adds to the log, and the table after it.

    `who` is the hash of a person's token, or `WORKER` for whoever plays the bots' moves. `id` is
    the sender's name for this command; what was carried out before adds nothing.
    """
    seat = table.seat_of(who)
    if seat is None and who != WORKER and not HASH.fullmatch(who):
        raise NotUnderstood("input.who", "people are known by the hash of a token")
    draft = Draft(table, who, now, dealer)
    if id and table.answer(who, checked_id(id)) is not None:
        return draft
    if table.closed:
        raise not_now("table.closed", "this table is closed")
    if seat is not None and not isinstance(command, COMING_OR_GOING):
        _here(draft, seat)
    carry_out(command, draft)
    draft.seal(id)
    return draft


def _here(draft: Draft, seat: int) -> None:
    """Whoever asks for something is here."""
    who = draft.table.seats[seat]
    if isinstance(who, Person) and not who.here:
        draft.add(Came(seat))
