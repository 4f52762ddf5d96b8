"""The part of the fold that takes back: the round is played again without one action."""

from __future__ import annotations

from msgspec.structs import replace

from ..game import Game, Play, Round
from . import undo
from .errors import must
from .events import UndoAgreed, UndoAsked, Undone, UndoRefused
from .state import Table, Undo
from .step import after


@after.register
def asked(event: UndoAsked, table: Table) -> Table:
    """Somebody would like to."""
    must(event.seat in table.people and table.undo is None, "nobody could ask that now")
    must(undo.refusal(table, event.seat) is None, "it could not be taken back")
    return replace(table, undo=Undo(event.seat, table.at))


@after.register
def agreed(event: UndoAgreed, table: Table) -> Table:
    """Somebody does not mind."""
    offer = _offer(table)
    must(event.seat in table.people, "no person sits there")
    must(event.seat not in (offer.seat, *offer.agreed), "it was not theirs to agree")
    return replace(table, undo=offer._replace(agreed=(*offer.agreed, event.seat)))


@after.register
def refused(event: UndoRefused, table: Table) -> Table:
    """Somebody does mind, or nobody has answered."""
    offer = _offer(table)
    must(event.seat is None or event.seat in table.people, "no person sits there")
    refusals = (*table.refusals, offer.seat)
    return replace(table, undo=None, kept=len(table.moves), refusals=refusals)


@after.register
def undone(event: Undone, table: Table) -> Table:
    """Play the round again without the last action of a seat."""
    must(_offer(table).seat == event.seat, "another seat asked for it")
    must(not undo.awaited(table), "not everybody has agreed")
    moves = undo.without_last(table.moves, event.seat)
    game = _played_again(table, moves)
    began = replace(table, turn=table.version, since=table.at, lent=(), kept=0)
    return replace(began, game=game, moves=moves, undo=None)


def _offer(table: Table) -> Undo:
    must(table.undo is not None, "nobody asked to take back")
    assert table.undo is not None
    return table.undo


def _played_again(table: Table, moves: tuple[Play, ...]) -> Game:
    assert table.game is not None
    round = Round(table.game.current.setup)
    for seat, action in moves:
        round = round.play(action, seat)
    return table.game.with_current(round)
