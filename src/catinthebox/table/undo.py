"""Taking back: allowed while nothing hidden was shown and nobody else would have to act again.

The last action of a seat may be taken back if

- the round goes on: its end shows scores, and a paradox shows a hand (R22);
- nobody else has acted since. Discards are simultaneous (R7), so another discard does not count
  as long as discards are still to come;
- that the next seat could play revealed nothing (R20). That is decided by what everybody sees, so
  that the answer reveals nothing about a hand either.

The card itself was shown by its own seat, which is the price of asking. Every other person who is
here must agree; bots always do.

>>> from catinthebox.game import Action
>>> without_last((Play(0, Action("-1")), Play(1, Action("-2"))), seat=0)
(Play(seat=1, action=Action('-2')),)
"""

from __future__ import annotations

from ..game import NotLegal, Phase, Play, Round
from ..rules.layout import NOBODY
from ..rules.worlds import uncertain, unseen
from ..views import View
from .errors import not_now, refused
from .state import Table


def refusal(table: Table, seat: int) -> NotLegal | None:
    """Return why the last action of a seat cannot be taken back; None if it can."""
    if not table.settings.undo:
        return refused("table.undo_off")
    round = table.round
    if table.stage != "play" or round is None or all(move.seat != seat for move in table.moves):
        return not_now("table.undo_nothing")
    if table.kept == len(table.moves):
        return not_now("table.undo_refused")
    if not _still_last(table, round, seat):
        return not_now("table.undo_late")
    if round.turn != seat and _revealed_legality(round):
        return not_now("table.undo_shown")
    return None


def _still_last(table: Table, round: Round, seat: int) -> bool:
    if round.phase is Phase.DISCARD:
        return True
    return table.moves[-1].seat == seat


def _revealed_legality(round: Round) -> bool:
    """Whether the turn revealed that the seat on turn can declare something (R20)."""
    v = View.of(round).vector
    return uncertain(v, unseen(v)) != NOBODY


def awaited(table: Table) -> tuple[int, ...]:
    """Return the seats whose people have not agreed yet; those who are away are not asked."""
    offer = table.undo
    if offer is None:
        return ()
    asked = (seat for seat in table.present if not table.people[seat].covered)
    return tuple(seat for seat in asked if seat not in (offer.seat, *offer.agreed))


def without_last(moves: tuple[Play, ...], seat: int) -> tuple[Play, ...]:
    """Return the moves without the last one of a seat."""
    last = max(place for place, move in enumerate(moves) if move.seat == seat)
    return moves[:last] + moves[last + 1 :]
